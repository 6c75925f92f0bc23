"""What the workers do for assignments."""

from celery import shared_task

from classrooms.assignments import weekly_series


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """See to it that whatever is repeated has its week to come. May run twice, late or not."""
    weekly_series.make_all_ahead()
