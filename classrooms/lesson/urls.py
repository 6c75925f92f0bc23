"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from classrooms.lesson import deal_views, debrief_views, live_views

DEAL = "classes/<uuid:class_id>/deals/<uuid:assignment_id>"

urlpatterns = [
    path("classes/<uuid:class_id>/deals/new/", deal_views.new, name="new_deal"),
    path(f"{DEAL}/", deal_views.board, name="deal"),
    path(f"{DEAL}/part/", deal_views.part, name="deal_part"),
    path(f"{DEAL}/close/", deal_views.close, name="close_deal"),
    path(f"{DEAL}/talk/", deal_views.talk, name="deal_talk"),
    path("classes/<uuid:class_id>/live/part/", live_views.part, name="live_part"),
    path(
        "classes/<uuid:class_id>/live/<uuid:child_id>/", live_views.childs_table, name="live_table"
    ),
    path("classes/<uuid:class_id>/live/", live_views.page, name="live"),
    path("classes/<uuid:class_id>/talk/", debrief_views.talk, name="talk"),
]
