"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from classrooms.checks import views

urlpatterns = [path("me/checks/<uuid:game_id>/", views.check, name="check")]
