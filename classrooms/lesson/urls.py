from django.urls import path

from classrooms.lesson import deal_views, hand_views, live_views, talk_views

CLASS = "classes/<uuid:class_id>"
DEAL = f"{CLASS}/deals/<uuid:assignment_id>"

urlpatterns = [
    path(f"{CLASS}/deals/new/", deal_views.new_deal, name="new_deal"),
    path(f"{DEAL}/", deal_views.deal, name="deal"),
    path(f"{DEAL}/part/", deal_views.deal_part, name="deal_part"),
    path(f"{DEAL}/close/", deal_views.close_deal, name="close_deal"),
    path(f"{DEAL}/talk/", deal_views.deal_talk, name="deal_talk"),
    path(f"{CLASS}/hand/", hand_views.hand, name="hand"),
    path(f"{CLASS}/hand/part/", hand_views.hand_part, name="hand_part"),
    path("me/hand/", hand_views.childs_hand, name="childs_hand"),
    path("me/hand/changed/", hand_views.childs_hand_changed, name="childs_hand_changed"),
    path("me/pause/<uuid:class_id>/<uuid:mark>", live_views.paused, name="paused"),
    path(f"{CLASS}/live/part/", live_views.live_part, name="live_part"),
    path(f"{CLASS}/live/<uuid:child_id>/", live_views.childs_table, name="live_table"),
    path(f"{CLASS}/live/", live_views.live_page, name="live"),
    path(f"{CLASS}/tables/<uuid:table_id>/", live_views.class_table, name="class_table"),
    path(
        f"{CLASS}/tables/<uuid:table_id>/part/",
        live_views.class_table_part,
        name="class_table_part",
    ),
    path(f"{CLASS}/riddle/", talk_views.riddle, name="class_riddle"),
    path(f"{CLASS}/talk/", talk_views.talk, name="talk"),
]
