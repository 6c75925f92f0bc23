from django.urls import path

from games import views

app_name = "games"

urlpatterns = [
    path("<uuid:game_id>/", views.page, name="page"),
    path("<uuid:game_id>/act", views.act, name="act"),
]
