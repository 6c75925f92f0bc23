"""The addresses of the lesson. `classrooms.urls` includes them, in its namespace."""

from django.urls import path

from classrooms.lesson import views

DEAL = "classes/<uuid:class_id>/deals/<uuid:assignment_id>"

urlpatterns = [
    path("classes/<uuid:class_id>/deals/new/", views.new_deal, name="new_deal"),
    path(f"{DEAL}/", views.deal, name="deal"),
    path(f"{DEAL}/part/", views.deal_part, name="deal_part"),
    path(f"{DEAL}/close/", views.close_deal, name="close_deal"),
    path(f"{DEAL}/talk/", views.deal_talk, name="deal_talk"),
    path("classes/<uuid:class_id>/hand/", views.hand, name="hand"),
    path("classes/<uuid:class_id>/hand/part/", views.hand_part, name="hand_part"),
    path("me/hand/", views.childs_hand, name="childs_hand"),
    path("me/hand/changed/", views.childs_hand_changed, name="childs_hand_changed"),
    path("me/pause/<uuid:class_id>/<uuid:mark>", views.paused, name="paused"),
    path("classes/<uuid:class_id>/live/part/", views.live_part, name="live_part"),
    path("classes/<uuid:class_id>/live/<uuid:child_id>/", views.childs_table, name="live_table"),
    path("classes/<uuid:class_id>/live/", views.live_page, name="live"),
    path("classes/<uuid:class_id>/tables/<uuid:table_id>/", views.class_table, name="class_table"),
    path("classes/<uuid:class_id>/riddle/", views.riddle, name="class_riddle"),
    path("classes/<uuid:class_id>/talk/", views.talk, name="talk"),
]
