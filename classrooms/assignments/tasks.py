"""The tasks that make riddles."""

from contextlib import suppress

from celery import shared_task

from classrooms.assignments import riddles
from classrooms.locks import Changed
from classrooms.models import SchoolClass
from classrooms.publishing import Publisher


@shared_task(name="classrooms.make_riddle")
def make_riddle(class_id: str) -> None:
    """Make the riddle of this day for a class, unless it is there or the class is gone."""
    with suppress(Changed, SchoolClass.DoesNotExist):
        riddles.make_riddle(
            SchoolClass.objects.get(pk=class_id, has_riddles=True, archived_at=None)
        )


@shared_task(name="classrooms.make_riddles")
def make_riddles() -> None:
    """Have the riddle of the day made for each active class in the first hour of its day. A late or
    missing run does no harm, because the next one makes the missing riddles."""
    for school_class in riddles.classes_without_riddle():
        make_riddle.apply_async((str(school_class.pk),), expires=3600)


publisher = Publisher(make_riddle)
