from django.urls import path

from classrooms.progress import views

CLASS = "classes/<uuid:class_id>/"
CHILD = f"{CLASS}children/<uuid:child_id>/"

urlpatterns = [
    path(f"{CHILD}tables/<int:table>/", views.moves, name="moves"),
    path(f"{CHILD}turns/<uuid:game_id>/<int:entry>/", views.replay_page, name="replay"),
    path(f"{CHILD}matches/<uuid:game_id>/file", views.record, name="record"),
    path(f"{CHILD}progress/", views.child, name="progress"),
    path(f"{CLASS}next-steps/", views.next_steps, name="next_steps"),
    path(f"{CLASS}next-steps/give/", views.give, name="give_step"),
    path(f"{CLASS}facts/<int:low>/<int:high>/", views.fact, name="fact"),
]
