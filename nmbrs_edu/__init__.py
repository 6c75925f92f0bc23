"""The Django project: settings, URLs, and the Celery app."""

from nmbrs_edu.celery import app as celery_app

__all__ = ["celery_app"]
