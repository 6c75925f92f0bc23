"""What the workers do for assignments."""

from celery import shared_task

from classrooms.assignments import weekly_series


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """Make the coming week of every weekly series. May run twice, late or not at all."""
    weekly_series.make_all_ahead()
