from django.urls import path

from classrooms.assignments import child_views, views

CLASS = "classes/<uuid:class_id>/assignments"
ASSIGNMENT = f"{CLASS}/<uuid:assignment_id>"

urlpatterns = [
    path("me/", child_views.me, name="me"),
    path("me/start/<uuid:assignment_id>/", child_views.start, name="start"),
    path("me/tables/<uuid:assignment_id>/", child_views.sit, name="sit"),
    path("me/table/", child_views.table, name="table"),
    path("me/riddles/", child_views.riddle_list, name="riddles"),
    path("me/riddles/<uuid:assignment_id>/", child_views.riddle, name="riddle"),
    path("me/speed/", child_views.speed, name="speed"),
    path("me/sounds/", child_views.sounds, name="sounds"),
    path("me/language/", child_views.language, name="language"),
    path("me/here/", child_views.here, name="here"),
    path("me/learn/", child_views.learn, name="learn"),
    path("me/leave/", child_views.leave, name="leave"),
    path(f"{CLASS}/", views.index, name="assignments"),
    path(f"{CLASS}/new/", views.new, name="assign"),
    path(f"{CLASS}/detail/", views.detail, name="assign_detail"),
    path(f"{CLASS}/preview/", views.preview, name="assign_preview"),
    path(f"{CLASS}/try/", views.try_it, name="try_assignment"),
    path("classes/leave-try/", views.leave_try, name="leave_try"),
    path(f"{ASSIGNMENT}/change/", views.change, name="edit_assignment"),
    path(f"{ASSIGNMENT}/end/", views.end, name="end_assignment"),
    path(f"{ASSIGNMENT}/resume/", views.resume, name="resume_assignment"),
    path(f"{ASSIGNMENT}/withdraw/", views.withdraw, name="withdraw_assignment"),
    path(f"{ASSIGNMENT}/repeat/", views.repeat, name="repeat_assignment"),
    path(f"{ASSIGNMENT}/stop-repeating/", views.stop_repeating, name="stop_repeating"),
]
