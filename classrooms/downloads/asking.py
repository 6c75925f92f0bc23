"""Asks a worker to start at once. If the message is lost, the regular scan finds the download."""

from django.db import transaction

from classrooms.publishing import Publisher

from .models import Download
from .tasks import make

publisher = Publisher(make)


def ask_worker(download: Download) -> None:
    """After the commit, and without waiting for the broker."""
    key = download.pk
    transaction.on_commit(lambda: publisher.ask(key), robust=True)
