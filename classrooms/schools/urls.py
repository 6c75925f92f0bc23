"""The addresses of schools. `classrooms.urls` includes them, in its namespace."""

from django.urls import path

from classrooms.schools import views

urlpatterns = [
    path("schools/join/<str:joining>/", views.join, name="join_school"),
    path("schools/leave/", views.leave, name="leave_school"),
    path("schools/<uuid:school_id>/", views.school_page, name="school"),
    path("schools/<uuid:school_id>/teachers/<int:user_id>/role/", views.role, name="school_role"),
    path("schools/<uuid:school_id>/teachers/<int:user_id>/off/", views.off, name="school_off"),
    path("schools/<uuid:school_id>/figures.csv", views.export_school, name="school_csv"),
    path("schools/<uuid:school_id>/new-year/", views.new_year, name="school_new_year"),
    path(
        "schools/<uuid:school_id>/new-year/back/",
        views.back,
        name="school_new_year_back",
    ),
    path("schools/<uuid:school_id>/files/", views.files, name="school_files"),
    path("schools/<uuid:school_id>/files/all/", views.take_along, name="school_zip"),
    path("schools/<uuid:school_id>/classes/<uuid:class_id>/", views.of_class, name="school_class"),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/child/",
        views.child,
        name="school_child",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/export/",
        views.export_class,
        name="school_class_csv",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/erase/",
        views.erase,
        name="school_erase",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/move/",
        views.move,
        name="school_move",
    ),
]
