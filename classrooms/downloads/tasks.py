"""Celery tasks: make a file, find downloads that nobody is making, delete expired ones.

Each may run twice, late or not at all.
"""

from time import monotonic
from typing import Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from classrooms.downloads import heavy_work, jobs

SOFT_SECONDS: Final = 100
HARD_SECONDS: Final = 110
"""Below the broker's visibility timeout, so a message is not redelivered during the work."""
SCAN_SECONDS: Final = 8
"""After this a scan starts no further download and leaves the rest to the next scan."""


@shared_task(
    name="classrooms.downloads.make",
    soft_time_limit=SOFT_SECONDS,
    time_limit=HARD_SECONDS,
)
def make(download_id: str) -> None:
    """Make one file."""
    jobs.make(UUID(download_id))


@shared_task(
    name="classrooms.downloads.look_for_waiting",
    soft_time_limit=SOFT_SECONDS + SCAN_SECONDS,
    time_limit=HARD_SECONDS + SCAN_SECONDS,
)
def look_for_waiting() -> None:
    """Make downloads that were never started, or were abandoned by a killed worker."""
    end = monotonic() + SCAN_SECONDS
    now = timezone.now()
    jobs.give_up(now)
    for download_id in list(jobs.due(now).values_list("pk", flat=True)):
        jobs.make(download_id)
        if monotonic() > end:
            return


@shared_task(name="classrooms.downloads.forget_ended")
def forget_ended() -> None:
    """Delete expired files, and counted work older than a day."""
    now = timezone.now()
    jobs.forget_ended(now)
    heavy_work.forget_old(now)
