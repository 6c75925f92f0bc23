"""What the workers do: make a file, look for what nobody makes, delete what has ended.

All may run twice, late or not at all.
"""

from time import monotonic
from typing import Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from classrooms.downloads import heavy_work, jobs

SOFT_SECONDS: Final = 100
HARD_SECONDS: Final = 110
"""Less than the broker's visibility timeout: a message does not come back while it is worked at."""
SCAN_SECONDS: Final = 8
"""A scan begins nothing new after so long, and leaves the rest to the next."""


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
    """Make what was asked for and never begun, or left half-way by a worker that was killed."""
    end = monotonic() + SCAN_SECONDS
    now = timezone.now()
    jobs.give_up(now)
    for download_id in list(jobs.due(now).values_list("pk", flat=True)):
        jobs.make(download_id)
        if monotonic() > end:
            return


@shared_task(name="classrooms.downloads.forget_ended")
def forget_ended() -> None:
    """Delete the files that have waited their week, and what was counted longer than a day ago."""
    now = timezone.now()
    jobs.forget_ended(now)
    heavy_work.forget_old(now)
