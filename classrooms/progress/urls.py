"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from . import views

urlpatterns = [
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/tables/<int:table>/",
        views.moves,
        name="moves",
    ),
]
