"""Asking a worker to begin at once. What is lost on the way, the scan finds."""

from django.db import transaction

from classrooms.publishing import Publisher

from .models import Download
from .tasks import make

publisher = Publisher(make)


def ask_worker(download: Download) -> None:
    """Once it is stored; nobody waits for the broker."""
    key = download.pk
    transaction.on_commit(lambda: publisher.ask(key), robust=True)
