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
        riddles.make(SchoolClass.objects.get(pk=class_id, has_riddles=True, archived_at=None))


@shared_task(name="classrooms.make_riddles")
def make_riddles() -> None:
    """Have the riddle of this day made for all active classes, in the first hour of their day. A
    late or missing run does no harm: the next one makes what is missing."""
    for school_class in riddles.classes_without_riddle():
        make_riddle.apply_async((str(school_class.pk),), expires=3600)


publisher = Publisher(make_riddle)
