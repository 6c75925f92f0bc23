"""The Celery app. Tasks are found in the `tasks` modules of the apps."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")

app = Celery("nmbrs_edu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "nmbrs_edu",
        "games",
        "classrooms.assignments",
        "classrooms.classes",
        "classrooms.downloads",
        "classrooms.lti",
        "classrooms.privacy",
        "classrooms.progress",
        "classrooms.reports",
    ]
)
