"""Celery tasks: make a file, find downloads that nobody is making, delete expired ones. Each task
may run twice, late or not at all."""

from time import monotonic
from typing import Final
from uuid import UUID

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from classrooms.downloads import limits, services
from classrooms.downloads.models import Download
from classrooms.publishing import Publisher

SOFT_SECONDS: Final = 100
HARD_SECONDS: Final = 110
"""Below the broker's visibility timeout, so that no message is delivered again during the work."""
SCAN_SECONDS: Final = 8
"""After this time a scan leaves the remaining downloads to the next scan."""


@shared_task(
    name="classrooms.downloads.make", soft_time_limit=SOFT_SECONDS, time_limit=HARD_SECONDS
)
def make(download_id: str) -> None:
    services.make(UUID(download_id))


@shared_task(
    name="classrooms.downloads.look_for_waiting",
    soft_time_limit=SOFT_SECONDS + SCAN_SECONDS,
    time_limit=HARD_SECONDS + SCAN_SECONDS,
)
def look_for_waiting() -> None:
    """Make the downloads that were never started or whose worker was killed."""
    end = monotonic() + SCAN_SECONDS
    now = timezone.now()
    services.fail_exhausted(now)
    for download_id in list(services.due_downloads(now).values_list("pk", flat=True)):
        services.make(download_id)
        if monotonic() > end:
            return


@shared_task(name="classrooms.downloads.forget_ended")
def forget_ended() -> None:
    """Delete expired files, and records of work older than a day."""
    now = timezone.now()
    services.delete_expired(now)
    limits.delete_old_work(now)


# Ask a worker to start at once. If the message is lost, the regular scan finds the download.

publisher = Publisher(make)


def ask_worker(download: Download) -> None:
    """Ask a worker to make this download, after the commit and without waiting for the broker."""
    key = download.pk
    transaction.on_commit(lambda: publisher.enqueue(key), robust=True)
