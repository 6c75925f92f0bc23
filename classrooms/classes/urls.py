"""The addresses of classes and their teachers. `classrooms.urls` includes them, in its
namespace."""

from django.urls import path

from classrooms.classes import teacher_views, views, year_views
from classrooms.undo import undo

urlpatterns = [
    path("classes/", views.index, name="classes"),
    path("classes/new/", views.new, name="new_class"),
    path("classes/new-year/", year_views.new_year, name="new_year"),
    path("classes/new-year/back/", year_views.undo_new_year, name="new_year_back"),
    path("classes/<uuid:class_id>/", views.page, name="class"),
    path("classes/<uuid:class_id>/edit/", views.edit, name="edit_class"),
    path("classes/<uuid:class_id>/code/", views.code, name="class_code"),
    path("classes/<uuid:class_id>/names/", views.who_sees_names, name="class_names"),
    path("classes/<uuid:class_id>/restore/", views.restore, name="restore_class"),
    path("classes/<uuid:class_id>/year-end/", year_views.year_end, name="year_end"),
    path("classes/<uuid:class_id>/export/", year_views.export, name="export_class"),
    path("classes/<uuid:class_id>/teachers/", teacher_views.teachers, name="teachers"),
    path("classes/<uuid:class_id>/teachers/invite/", teacher_views.invite, name="invite"),
    path("classes/<uuid:class_id>/teachers/leave/", teacher_views.leave, name="leave_class"),
    path(
        "classes/<uuid:class_id>/teachers/<int:user_id>/remove/",
        teacher_views.remove,
        name="remove_teacher",
    ),
    path(
        "classes/<uuid:class_id>/teachers/<int:user_id>/hand-over/",
        teacher_views.hand_over,
        name="hand_over",
    ),
    path(
        "classes/<uuid:class_id>/invitations/<uuid:invitation_id>/withdraw/",
        teacher_views.withdraw,
        name="withdraw_invitation",
    ),
    path("classes/<uuid:class_id>/undo/<str:key>/", undo, name="undo"),
    path("undo/<str:key>/", undo, name="undo_act"),
    path("account/close/", views.close_account, name="close_account"),
    path("account/reopen/<str:closed>/", views.reopen_account, name="reopen_account"),
    path("invitations/<str:invitation>/", teacher_views.invitation, name="invitation"),
]
