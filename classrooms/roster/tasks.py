"""The nightly reading of schools' sources of lists."""

from typing import Final

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from classrooms.models import RosterSource
from classrooms.publishing import Publisher
from classrooms.roster import sources

SOFT_SECONDS: Final = 100
HARD_SECONDS: Final = 110
"""Less than the broker's visibility timeout, so that no message is delivered twice."""


@shared_task(name="classrooms.read_source", soft_time_limit=SOFT_SECONDS, time_limit=HARD_SECONDS)
def read_source(source_id: int) -> None:
    sources.read(int(source_id))


@shared_task(name="classrooms.look_for_sources")
def look_for_sources() -> None:
    """Start the reading of each source that was not tried this night. A second, late or missing run
    does no harm."""
    for source_id in sources.due_sources(timezone.now()).values_list("pk", flat=True):
        read_source.delay(source_id)


publisher = Publisher(read_source)


def ask_worker(source: RosterSource) -> None:
    """Ask a worker to read this source, after the commit and without waiting for the broker. If the
    message is lost, the source is read at night."""
    key = source.pk
    transaction.on_commit(lambda: publisher.enqueue(key), robust=True)
