from django.urls import path

from classrooms.reports import views

CLASS = "classes/<uuid:class_id>"

urlpatterns = [
    path(f"{CLASS}/papers/", views.papers, name="papers"),
    path(f"{CLASS}/certificates/", views.certificates, name="certificates"),
    path(f"{CLASS}/papers/report/", views.class_report, name="class_report"),
    path(f"{CLASS}/children/<uuid:child_id>/report/", views.child_report, name="child_report"),
    path(f"{CLASS}/before/", views.before_lesson, name="before_lesson"),
    path(f"{CLASS}/before.pdf", views.before_lesson_pdf, name="before_lesson_pdf"),
    path(f"{CLASS}/weekly-mail/", views.weekly_mail, name="weekly_mail"),
    path("weekly-mail/stop/<str:stop>/", views.stop, name="stop_weekly_mail"),
]
