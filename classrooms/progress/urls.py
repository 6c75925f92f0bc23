"""The addresses of progress. `classrooms.urls` includes them, in its namespace."""

from django.urls import path

from classrooms.progress import views

urlpatterns = [
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/tables/<int:table>/",
        views.moves,
        name="moves",
    ),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/turns/<uuid:game_id>/<int:entry>/",
        views.replayed,
        name="replay",
    ),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/matches/<uuid:game_id>/file",
        views.record,
        name="record",
    ),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/progress/",
        views.progress,
        name="progress",
    ),
    path("classes/<uuid:class_id>/next-steps/", views.next_steps, name="next_steps"),
    path("classes/<uuid:class_id>/next-steps/give/", views.give, name="give_step"),
    path("classes/<uuid:class_id>/facts/<int:low>/<int:high>/", views.fact, name="fact"),
]
