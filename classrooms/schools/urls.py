from django.urls import path

from classrooms.schools import joining_views, views

SCHOOL = "schools/<uuid:school_id>/"
TEACHER = f"{SCHOOL}teachers/<int:user_id>/"
CLASS = f"{SCHOOL}classes/<uuid:class_id>/"

urlpatterns = [
    path("schools/join/<str:joining>/", joining_views.join, name="join_school"),
    path("schools/leave/", joining_views.leave, name="leave_school"),
    path(SCHOOL, views.school_page, name="school"),
    path(f"{TEACHER}role/", views.change_role, name="school_role"),
    path(f"{TEACHER}off/", views.remove_teacher, name="remove_school_teacher"),
    path(f"{SCHOOL}figures.csv", views.export_school, name="export_school_figures"),
    path(f"{SCHOOL}new-year/", views.new_year, name="school_new_year"),
    path(f"{SCHOOL}new-year/back/", views.undo_new_year, name="undo_school_new_year"),
    path(f"{SCHOOL}files/", views.files, name="school_files"),
    path(f"{SCHOOL}files/all/", views.download_all, name="download_school_files"),
    path(CLASS, views.school_class_page, name="school_class"),
    path(f"{CLASS}child/", views.child, name="school_child"),
    path(f"{CLASS}export/", views.export_class, name="export_school_class"),
    path(f"{CLASS}erase/", views.erase, name="erase_school_class"),
    path(f"{CLASS}move/", views.move, name="move_school_class"),
]
