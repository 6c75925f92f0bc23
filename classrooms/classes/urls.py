from django.urls import path

from classrooms.classes import teacher_views, views
from classrooms.undo import undo

CLASS = "classes/<uuid:class_id>/"
TEACHERS = f"{CLASS}teachers/"
TEACHER = f"{TEACHERS}<int:user_id>/"
INVITATION = f"{CLASS}invitations/<uuid:invitation_id>/"

urlpatterns = [
    path("classes/", views.index, name="classes"),
    path("classes/new/", views.new, name="new_class"),
    path("classes/new-year/", views.new_year, name="new_year"),
    path("classes/new-year/back/", views.undo_new_year, name="undo_new_year"),
    path(CLASS, views.page, name="class"),
    path(f"{CLASS}edit/", views.edit, name="edit_class"),
    path(f"{CLASS}code/", views.code, name="class_code"),
    path(f"{CLASS}names/", views.who_sees_names, name="who_sees_names"),
    path(f"{CLASS}restore/", views.restore, name="restore_class"),
    path(f"{CLASS}year-end/", views.year_end, name="year_end"),
    path(f"{CLASS}export/", views.export, name="export_class"),
    path(TEACHERS, teacher_views.teachers, name="teachers"),
    path(f"{TEACHERS}invite/", teacher_views.invite, name="invite"),
    path(f"{TEACHERS}leave/", teacher_views.leave, name="leave_class"),
    path(f"{TEACHER}remove/", teacher_views.remove, name="remove_teacher"),
    path(f"{TEACHER}hand-over/", teacher_views.hand_over, name="hand_over"),
    path(f"{INVITATION}withdraw/", teacher_views.withdraw, name="withdraw_invitation"),
    path(f"{CLASS}undo/<str:key>/", undo, name="undo"),
    path("undo/<str:key>/", undo, name="undo_act"),
    path("account/close/", views.close_account, name="close_account"),
    path("account/reopen/<str:closed>/", views.reopen_account, name="reopen_account"),
    path("invitations/<str:invitation>/", teacher_views.invitation, name="invitation"),
]
