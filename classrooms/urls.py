"""All URLs of the school. Each package lists its own, and all are in one namespace."""

from django.urls import include, path

app_name = "classrooms"

urlpatterns = [
    # The first one is polled every few seconds.
    path("", include("classrooms.lesson.urls")),
    path("", include("classrooms.progress.urls")),
    path("", include("classrooms.questions.urls")),
    path("", include("classrooms.checkups.urls")),
    path("", include("classrooms.downloads.urls")),
    path("", include("classrooms.accounts.urls")),
    path("", include("classrooms.privacy.urls")),
    path("", include("classrooms.reports.urls")),
    path("", include("classrooms.classes.urls")),
    path("", include("classrooms.schools.urls")),
    path("", include("classrooms.roster.urls")),
    path("", include("classrooms.lti.urls")),
    path("", include("classrooms.signin.urls")),
    path("", include("classrooms.assignments.urls")),
    path("", include("classrooms.collection.urls")),
]
