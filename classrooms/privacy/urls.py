from django.urls import path

from classrooms.privacy import views

urlpatterns = [
    path("account/log/", views.account_log, name="account_log"),
    path("classes/<uuid:class_id>/who-looked/", views.who_looked, name="who_looked"),
]
