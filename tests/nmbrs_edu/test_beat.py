"""What beat asks for is what the workers know."""

from django.conf import settings

from nmbrs_edu.celery import app


def test_every_task_of_the_schedule_is_one_that_the_workers_have() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked - set(app.tasks) == set()
