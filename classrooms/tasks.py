"""What the workers do for a class's assignments."""

from celery import shared_task

from . import repeating


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """See to it that whatever is repeated has its week to come. May run twice, late or not."""
    repeating.make_all_ahead()
