from django.urls import path

from classrooms.collection import views

urlpatterns = [
    path("me/face/", views.face, name="face"),
    path("me/collection/", views.collection, name="collection"),
]
