"""The Celery app; tasks are found in the apps' `tasks` modules."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")

app = Celery("nmbrs_edu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "nmbrs_edu",
        "classrooms.classes",
        "classrooms.downloads",
        "classrooms.privacy",
        "classrooms.progress",
        "classrooms.reports",
    ]
)
