from django.urls import path

from classrooms.questions import views

urlpatterns = [path("me/checks/<uuid:game_id>/", views.check, name="check")]
