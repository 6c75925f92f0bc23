"""Long jobs and mail have their own queues, no child's progress waits behind them, the workers know
every task of beat's schedule, and only one of several beats works."""

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from classrooms.assignments.tasks import make_riddle
from classrooms.downloads import services as downloads
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.models import Download
from classrooms.downloads.tasks import make
from nmbrs_edu.celery import app
from nmbrs_edu.models import BEAT, Upkeep, queue_part
from nmbrs_edu.operating.beat import HANDOVER, LOCK_ID, RETRY_SECONDS, LockedScheduler
from nmbrs_edu.tasks import note_queue
from tests.classrooms.progress.workers import wait_until
from tests.factories import ChildFactory, UserFactory
from tests.proxy.site import SERVICES, command, production_environment
from tests.repository import ROOT

LONG = {
    "classrooms.downloads.make",
    "classrooms.downloads.look_for_waiting",
    "classrooms.make_riddle",
    "classrooms.read_source",
    "classrooms.progress.compare_a_sample",
    "classrooms.progress.rebuild_marked",
}
MAIL = {
    "classrooms.lti.send_grades_of",
    "classrooms.progress.look_for_weekly_mails",
    "classrooms.progress.send_weekly_mail",
}


def queue_of(task: str) -> str:
    return str(app.amqp.router.route({}, task)["queue"].name)


def queues_of(service: str) -> str:
    words: list[str] = SERVICES[service]["command"]
    return words[words.index("-Q") + 1]


def test_each_task_goes_to_its_queue() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours > LONG | MAIL
    assert {name for name in ours if queue_of(name) == settings.LONG_QUEUE} == LONG
    assert {name for name in ours if queue_of(name) == settings.MAIL_QUEUE} == MAIL
    assert {queue_of(name) for name in ours - LONG - MAIL} == {"celery"}


def test_each_queue_has_a_worker_and_one_takes_from_all() -> None:
    workers = {name for name in SERVICES if name.startswith("worker")}
    assert sorted(queues_of(name) for name in workers) == sorted(settings.QUEUES)
    assert set(_queues()) == set(settings.QUEUES) == {"celery", "long", "mail"}


def test_no_download_waits_behind_riddles() -> None:
    app.loader.import_default_modules()
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge(settings.LONG_QUEUE)
        for task in (make_riddle, make_riddle, make):
            task.apply_async(("nobody",), connection=connection)
        queue = connection.SimpleQueue(settings.LONG_QUEUE)
        first = queue.get(timeout=60)
        connection.default_channel.queue_purge(settings.LONG_QUEUE)
    assert first.headers["task"] == make.name


def test_long_tasks_end_before_their_message_is_redelivered() -> None:
    app.loader.import_default_modules()
    back = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    for name in LONG | MAIL:
        limit = app.tasks[name].time_limit or settings.CELERY_TASK_TIME_LIMIT
        assert limit < back


def test_beat_notices_whether_each_queue_is_worked_off(worker: Any) -> None:
    entries = [e for e in settings.CELERY_BEAT_SCHEDULE.values() if e["task"] == note_queue.name]
    assert {entry["options"]["queue"] for entry in entries} == set(settings.QUEUES)
    for entry in entries:
        note_queue.apply_async(entry["args"], queue=entry["options"]["queue"])
    end = monotonic() + 180
    while Upkeep.objects.exclude(went_well_at=None).count() < len(settings.QUEUES):
        assert monotonic() < end, "no worker took them"
        sleep(0.02)
    parts = set(Upkeep.objects.values_list("part", flat=True))
    assert parts == {queue_part(name) for name in settings.QUEUES}


@pytest.mark.parametrize("queue", ["celery", "long"])
def test_a_download_queued_by_the_release_before_is_made(worker: Any, queue: str) -> None:
    alice = UserFactory.create()
    school_class = ChildFactory.create().school_class
    download = downloads.request_download(school_class, KINDS["class-tables"], alice, "en")
    make.apply_async((str(download.pk),), queue=queue)
    wait_until(download, Download.State.READY)


def _queues() -> dict[str, Any]:
    return {queue.name: queue for queue in settings.CELERY_TASK_QUEUES}


@pytest.fixture
def beats(transactional_db: None, tmp_path: Path) -> Iterator[list[LockedScheduler]]:
    """Two beats, each with its own schedule."""
    schedulers = [
        LockedScheduler(app, schedule_filename=str(tmp_path / f"schedule-{number}"))
        for number in range(2)
    ]
    for beat in schedulers:
        beat.apply_entry = lambda entry, producer=None: None
    yield schedulers
    for beat in schedulers:
        beat.close()


def test_one_of_two_beats_works_and_the_other_takes_over(beats: list[LockedScheduler]) -> None:
    first, second = beats
    assert first.tick() != RETRY_SECONDS
    assert [second.tick() for _ in range(3)] == [RETRY_SECONDS] * 3
    assert Upkeep.objects.get(part=BEAT).problem == ""
    first.close()
    assert second.tick() != RETRY_SECONDS
    assert first.tick() == RETRY_SECONDS


def test_the_second_beat_repeats_nothing_of_hours_ago(beats: list[LockedScheduler]) -> None:
    first, second = beats
    first.tick()
    second.tick()
    began = app.now() - timedelta(days=3)
    for entry in second.schedule.values():
        entry.last_run_at = began
    first.close()
    second.tick()
    assert all(entry.last_run_at >= app.now() - 2 * HANDOVER for entry in second.schedule.values())


def test_a_beat_cut_off_from_the_database_stops(beats: list[LockedScheduler]) -> None:
    first, second = beats
    first.tick()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE objid = %s", [LOCK_ID]
        )
    assert first.tick() == RETRY_SECONDS
    assert second.tick() != RETRY_SECONDS


def holders() -> list[int]:
    """The holders in this database. Other tests have beats of their own beside it."""
    here = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT pid FROM pg_locks WHERE objid = %s AND granted AND database = {here}",
            [LOCK_ID],
        )
        return [pid for (pid,) in cursor.fetchall()]


@pytest.mark.proof
def test_when_the_working_beat_is_killed_the_other_takes_over(
    transactional_db: None, tmp_path: Path
) -> None:
    def start(number: int) -> subprocess.Popen[bytes]:
        words = command("beat", **{"/tmp/beat-schedule": str(tmp_path / f"schedule-{number}")})
        return subprocess.Popen(
            words, cwd=ROOT, env=production_environment(), stderr=subprocess.DEVNULL
        )

    def until_held_by_another_than(former: list[int]) -> list[int]:
        end = monotonic() + 180
        while not (holder := holders()) or holder == former:
            assert monotonic() < end, "nobody is at work"
            sleep(0.1)
        return holder

    first = start(1)
    second = None
    try:
        holder = until_held_by_another_than([])
        second = start(2)
        end = monotonic() + 180
        while not any(tmp_path.glob("schedule-2*")):
            assert monotonic() < end, "the second beat did not come up"
            sleep(0.1)
        assert holders() == holder
        first.kill()
        assert len(until_held_by_another_than(holder)) == 1
        assert second.poll() is None
    finally:
        for process in (first, second):
            if process is not None:
                process.kill()
                process.wait()
