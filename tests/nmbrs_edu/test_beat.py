"""What beat asks for is what the workers know, and of several beats one is at work."""

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.conf import settings
from django.db import connection

from nmbrs_edu.celery import app
from nmbrs_edu.models import BEAT, Upkeep
from nmbrs_edu.operating.beat import ASKS_AGAIN_AFTER, GAP, LOCK, OneAtWork
from tests.proxy.site import command, production_environment
from tests.servers import ROOT


def test_every_task_of_the_schedule_is_one_that_the_workers_have() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked - set(app.tasks) == set()


@pytest.fixture
def beats(transactional_db: None, tmp_path: Path) -> Iterator[list[OneAtWork]]:
    """Two, each with a schedule of its own."""
    made = [
        OneAtWork(app, schedule_filename=str(tmp_path / f"schedule-{number}"))
        for number in range(2)
    ]
    for beat in made:
        beat.apply_entry = lambda entry, producer=None: None
    yield made
    for beat in made:
        beat.close()


def test_of_two_beats_one_is_at_work_and_the_other_takes_over(beats: list[OneAtWork]) -> None:
    first, second = beats
    assert first.tick() != ASKS_AGAIN_AFTER
    assert [second.tick() for _ in range(3)] == [ASKS_AGAIN_AFTER] * 3
    assert Upkeep.objects.get(part=BEAT).problem == ""
    first.close()
    assert second.tick() != ASKS_AGAIN_AFTER
    assert first.tick() == ASKS_AGAIN_AFTER


def test_who_takes_over_does_not_do_again_what_was_done_hours_ago(
    beats: list[OneAtWork],
) -> None:
    first, second = beats
    first.tick()
    second.tick()
    began = app.now() - timedelta(days=3)
    for entry in second.schedule.values():
        entry.last_run_at = began
    first.close()
    second.tick()
    assert all(entry.last_run_at >= app.now() - 2 * GAP for entry in second.schedule.values())


def test_a_beat_that_was_cut_off_from_the_database_is_at_work_no_more(
    beats: list[OneAtWork],
) -> None:
    first, second = beats
    first.tick()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE objid = %s", [LOCK]
        )
    assert first.tick() == ASKS_AGAIN_AFTER
    assert second.tick() != ASKS_AGAIN_AFTER


def holders() -> list[int]:
    """The holders in this database: beside it, other tests have beats of their own."""
    here = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT pid FROM pg_locks WHERE objid = %s AND granted AND database = {here}", [LOCK]
        )
        return [pid for (pid,) in cursor.fetchall()]


def test_when_the_beat_at_work_is_killed_the_other_one_goes_on(
    transactional_db: None, tmp_path: Path
) -> None:
    def start(number: int) -> subprocess.Popen[bytes]:
        words = command("beat", **{"/tmp/beat-schedule": str(tmp_path / f"schedule-{number}")})
        return subprocess.Popen(
            words, cwd=ROOT, env=production_environment(), stderr=subprocess.DEVNULL
        )

    def until_held_by_another_than(former: list[int]) -> list[int]:
        end = monotonic() + 60
        while not (held := holders()) or held == former:
            assert monotonic() < end, "nobody is at work"
            sleep(0.1)
        return held

    first = start(1)
    second = None
    try:
        held = until_held_by_another_than([])
        second = start(2)
        end = monotonic() + 60
        while not any(tmp_path.glob("schedule-2*")):
            assert monotonic() < end, "the second beat did not come up"
            sleep(0.1)
        assert holders() == held
        first.kill()
        assert len(until_held_by_another_than(held)) == 1
        assert second.poll() is None
    finally:
        for process in (first, second):
            if process is not None:
                process.kill()
                process.wait()
