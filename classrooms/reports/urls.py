"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import include, path

from classrooms.reports.weekly_mail import views as mail_views

urlpatterns = [
    path("", include("classrooms.reports.paper.urls")),
    path("classes/<uuid:class_id>/weekly-mail/", mail_views.weekly_mail, name="weekly_mail"),
    path("weekly-mail/stop/<str:stop>/", mail_views.stop, name="stop_weekly_mail"),
]
