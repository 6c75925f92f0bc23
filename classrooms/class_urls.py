"""Included by `classrooms.urls`, whose namespace these names are in: a class as a whole."""

from django.urls import path

from .views import classes, teachers, weekly_mail, who_looked, who_sees_names, year_end

urlpatterns = [
    path("classes/", classes.index, name="classes"),
    path("classes/new/", classes.new, name="new_class"),
    path("classes/<uuid:class_id>/", classes.page, name="class"),
    path("classes/<uuid:class_id>/edit/", classes.edit, name="edit_class"),
    path("classes/<uuid:class_id>/code/", classes.code, name="class_code"),
    path("classes/<uuid:class_id>/names/", who_sees_names.who_sees_names, name="class_names"),
    path("classes/<uuid:class_id>/restore/", classes.restore, name="restore_class"),
    path("classes/<uuid:class_id>/year-end/", year_end.year_end, name="year_end"),
    path("classes/<uuid:class_id>/export/", year_end.export, name="export_class"),
    path("classes/<uuid:class_id>/teachers/", teachers.teachers, name="teachers"),
    path("classes/<uuid:class_id>/teachers/invite/", teachers.invite, name="invite"),
    path("classes/<uuid:class_id>/teachers/leave/", teachers.leave, name="leave_class"),
    path(
        "classes/<uuid:class_id>/teachers/bring-back/<str:signed>/",
        teachers.bring_back,
        name="bring_teacher_back",
    ),
    path(
        "classes/<uuid:class_id>/teachers/<int:user_id>/remove/",
        teachers.remove,
        name="remove_teacher",
    ),
    path(
        "classes/<uuid:class_id>/teachers/<int:user_id>/hand-over/",
        teachers.hand_over,
        name="hand_over",
    ),
    path(
        "classes/<uuid:class_id>/invitations/<uuid:invitation_id>/withdraw/",
        teachers.withdraw,
        name="withdraw_invitation",
    ),
    path("classes/<uuid:class_id>/weekly-mail/", weekly_mail.weekly_mail, name="weekly_mail"),
    path("classes/<uuid:class_id>/who-looked/", who_looked.who_looked, name="who_looked"),
    path("weekly-mail/stop/<str:stop>/", weekly_mail.stop, name="stop_weekly_mail"),
    path("invitations/<str:invitation>/", teachers.invitation, name="invitation"),
]
