"""The addresses of schools, in the namespace of `classrooms.urls`."""

from django.urls import path

from classrooms.schools import views

SCHOOL = "schools/<uuid:school_id>/"
TEACHER = f"{SCHOOL}teachers/<int:user_id>/"
CLASS = f"{SCHOOL}classes/<uuid:class_id>/"

urlpatterns = [
    path("schools/join/<str:joining>/", views.join, name="join_school"),
    path("schools/leave/", views.leave, name="leave_school"),
    path(SCHOOL, views.school_page, name="school"),
    path(f"{TEACHER}role/", views.change_role, name="school_role"),
    path(f"{TEACHER}off/", views.remove_teacher, name="school_off"),
    path(f"{SCHOOL}figures.csv", views.export_school, name="school_csv"),
    path(f"{SCHOOL}new-year/", views.new_year, name="school_new_year"),
    path(f"{SCHOOL}new-year/back/", views.undo_new_year, name="school_new_year_back"),
    path(f"{SCHOOL}files/", views.files, name="school_files"),
    path(f"{SCHOOL}files/all/", views.download_all, name="school_zip"),
    path(CLASS, views.school_class_page, name="school_class"),
    path(f"{CLASS}child/", views.child, name="school_child"),
    path(f"{CLASS}export/", views.export_class, name="school_class_csv"),
    path(f"{CLASS}erase/", views.erase, name="school_erase"),
    path(f"{CLASS}move/", views.move, name="school_move"),
]
