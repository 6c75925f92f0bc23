"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from classrooms.lesson import debrief_views, live_views

urlpatterns = [
    path("classes/<uuid:class_id>/live/part/", live_views.part, name="live_part"),
    path("classes/<uuid:class_id>/live/", live_views.page, name="live"),
    path("classes/<uuid:class_id>/talk/", debrief_views.talk, name="talk"),
]
