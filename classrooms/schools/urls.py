"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from classrooms.schools import (
    file_views,
    joining_views,
    moving_views,
    new_year_views,
    reasoned_views,
    views,
)

urlpatterns = [
    path("schools/join/<str:joining>/", joining_views.join, name="join_school"),
    path("schools/leave/", joining_views.leave, name="leave_school"),
    path("schools/<uuid:school_id>/", views.page, name="school"),
    path("schools/<uuid:school_id>/teachers/<int:user_id>/role/", views.role, name="school_role"),
    path("schools/<uuid:school_id>/teachers/<int:user_id>/off/", views.off, name="school_off"),
    path("schools/<uuid:school_id>/figures.csv", reasoned_views.export_school, name="school_csv"),
    path("schools/<uuid:school_id>/new-year/", new_year_views.page, name="school_new_year"),
    path(
        "schools/<uuid:school_id>/new-year/back/",
        new_year_views.back,
        name="school_new_year_back",
    ),
    path("schools/<uuid:school_id>/files/", file_views.files, name="school_files"),
    path("schools/<uuid:school_id>/files/all/", file_views.take_along, name="school_zip"),
    path("schools/<uuid:school_id>/classes/<uuid:class_id>/", views.of_class, name="school_class"),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/child/",
        reasoned_views.child,
        name="school_child",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/export/",
        reasoned_views.export_class,
        name="school_class_csv",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/erase/",
        reasoned_views.erase,
        name="school_erase",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/move/",
        moving_views.move,
        name="school_move",
    ),
    path(
        "schools/<uuid:school_id>/classes/<uuid:class_id>/move/undo/<str:moved>/",
        moving_views.undo,
        name="school_move_undo",
    ),
]
