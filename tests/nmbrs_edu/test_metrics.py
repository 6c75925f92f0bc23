"""The figures for the operator, and how they are counted."""

import re
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from classrooms.assignments.playing import continue_or_start
from classrooms.models import Attempt
from classrooms.progress import evidence
from classrooms.progress.tasks import look_at_game, look_for_dirty
from games.engine.actions import DrawClosed
from games.models import Game
from games.play import services as play
from games.play.moves import Do
from nmbrs_edu.celery import app
from nmbrs_edu.metrics import counting, figures
from nmbrs_edu.metrics.counting import FAILED_TASKS, MOVES, REQUESTS, Counts
from nmbrs_edu.models import BACKUP, CHECKED_BACKUP, Counted, record_failure, record_success
from nmbrs_edu.operating.running import queue_lengths
from nmbrs_edu.tasks import answer
from tests.counts import at_once
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)+)\})? (-?[0-9.e+]+|NaN)')


def samples(now: datetime = NOW) -> dict[str, str]:
    """Each line of figures, by its name. Every line must be one that Prometheus can read."""
    values = {}
    for line in figures.text(now).splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge))", line)
            continue
        assert SAMPLE.fullmatch(line), line
        what, _, value = line.rpartition(" ")
        assert what not in values
        values[what] = value
    return values


@pytest.fixture
def no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    away = app.connection_for_write("redis://127.0.0.1:9/0")
    monkeypatch.setattr(app, "connection_for_write", lambda: away)


@pytest.mark.django_db
def test_counts_are_listed_by_their_labels() -> None:
    Counted.objects.create(what=REQUESTS, kind="move", status="200", number=12)
    Counted.objects.create(what=FAILED_TASKS, kind='odd "name"', number=2)
    record = samples()
    assert record['nmbrs_requests_total{kind="move",status="200"}'] == "12"
    assert record[r'nmbrs_failed_tasks_total{task="odd \"name\""}'] == "2"
    assert record["nmbrs_moves_total"] == "0"


@pytest.mark.django_db
def test_waiting_tasks_are_counted_by_queue() -> None:
    app.control.purge()
    for queue in ("long", "long", "mail"):
        answer.apply_async(args=["here"], queue=queue)
    record = samples()
    app.control.purge()
    assert record["nmbrs_redis_up"] == "1"
    assert {name: record[f'nmbrs_queue_length{{queue="{name}"}}'] for name in queue_lengths()} == {
        "celery": "0",
        "long": "2",
        "mail": "1",
    }


@pytest.mark.django_db
def test_without_redis_only_the_lengths_are_unknown(no_redis: None) -> None:
    record = samples()
    assert record["nmbrs_redis_up"] == "0"
    assert record['nmbrs_queue_length{queue="celery"}'] == "NaN"
    assert record["nmbrs_database_up"] == "1"


@pytest.mark.django_db
def test_the_longest_waiting_report_has_an_age(settings: Any) -> None:
    settings.PROGRESS_IDLE_SECONDS = 300
    assert samples()["nmbrs_oldest_due_report_seconds"] == "0"
    first, second = AttemptFactory.create_batch(2)
    # Nobody has moved for 40 minutes: due for 35 of them.
    moved = timezone.now()
    Game.objects.filter(pk=first.game_id).update(moved_at=moved - timedelta(minutes=40))
    Game.objects.filter(pk=second.game_id).update(moved_at=moved - timedelta(minutes=10))
    assert samples(moved)["nmbrs_oldest_due_report_seconds"] == "2100"


@pytest.mark.django_db
def test_a_round_is_due_from_its_end_until_it_is_counted(settings: Any) -> None:
    settings.PROGRESS_IDLE_SECONDS = 300
    attempt: Attempt = AttemptFactory.create()
    moved = timezone.now() - timedelta(minutes=2)
    Game.objects.filter(pk=attempt.game_id).update(moved_at=moved, round=2)
    assert evidence.earliest_due_at() == moved
    look_for_dirty()
    assert evidence.earliest_due_at() is None


@pytest.mark.django_db
def test_the_last_automatic_jobs_have_an_age() -> None:
    record_success(BACKUP, NOW - timedelta(hours=3))
    record_success(CHECKED_BACKUP, NOW - timedelta(days=8))
    record_failure(CHECKED_BACKUP, "Incomplete", NOW)
    record = samples()
    assert record[f'nmbrs_upkeep_age_seconds{{part="{BACKUP}"}}'] == "10800"
    assert record[f'nmbrs_upkeep_failed{{part="{BACKUP}"}}'] == "0"
    assert record[f'nmbrs_upkeep_age_seconds{{part="{CHECKED_BACKUP}"}}'] == str(8 * 86400)
    assert record[f'nmbrs_upkeep_failed{{part="{CHECKED_BACKUP}"}}'] == "1"


@pytest.mark.django_db
def test_the_sizes_of_database_and_tables_are_listed() -> None:
    record = samples()
    assert int(record["nmbrs_database_bytes"]) > 1_000_000
    assert int(record['nmbrs_table_bytes{table="games_action"}']) > 0


@pytest.mark.django_db
def test_the_figures_contain_no_name_and_no_id() -> None:
    dora = ChildFactory.create(name="Dora")
    record = figures.text(NOW)
    for secret in ("Dora", str(dora.pk), dora.school_class.code, dora.school_class.name):
        assert secret not in record


@pytest.fixture(autouse=True)
def counts(db: None, monkeypatch: pytest.MonkeyPatch) -> Counts:
    """New counts, without those of other tests."""
    Counted.objects.all().delete()
    counter = Counts()
    monkeypatch.setattr(counting, "counts", counter)
    monkeypatch.setattr("nmbrs_edu.metrics.counting.counts", counter)
    return counter


def stored_counts(what: str) -> dict[tuple[str, str], int]:
    rows = Counted.objects.filter(what=what)
    return {(row.kind, row.status): row.number for row in rows}


@pytest.mark.django_db
def test_answers_are_counted_by_part_and_status(counts: Counts, client: Client) -> None:
    for path in ("/", "/play/", "/q/a-secret", "/me/", "/admin/", "/no-such-page/"):
        client.get(path)
    counts.add_to_database()
    assert stored_counts(REQUESTS) == {
        ("door", "200"): 1,
        ("door", "302"): 1,
        ("door", "404"): 1,
        ("child", "302"): 1,
        ("operator", "302"): 1,
        ("other", "404"): 1,
    }


@pytest.mark.django_db(transaction=True)
def test_a_move_counts_when_stored_and_its_repetition_does_not(counts: Counts) -> None:
    dora = ChildFactory.create()
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    game = continue_or_start(dora, assignment)
    key, version = uuid4(), game.version
    for _ in range(2):
        play.act(game.pk, dora.player, version=version, key=key, move=Do(DrawClosed()))
    counts.add_to_database()
    assert stored_counts(MOVES) == {("", ""): 1}


@pytest.mark.django_db(transaction=True)
def test_many_processes_add_to_the_same_numbers() -> None:
    def process(number: int) -> None:
        own = Counts()
        for n in range(50):
            own.count(REQUESTS, f"kind {(n + number) % 5}", "200")
        own.add_to_database()

    at_once(process, 16)
    assert stored_counts(REQUESTS) == {(f"kind {n}", "200"): 160 for n in range(5)}


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_while_the_database_is_down(
    counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts.count(MOVES)
    with monkeypatch.context() as away:
        away.setattr(counting, "ADD", "nothing that PostgreSQL understands %s %s %s %s")
        counts.add_to_database()
    counts.count(MOVES)
    counts.add_to_database()
    assert stored_counts(MOVES) == {("", ""): 2}


def test_a_failed_task_is_counted_by_its_name(worker: Any) -> None:
    look_at_game.delay("not the id of a game")
    failures = Counted.objects.filter(what=FAILED_TASKS, number=1)
    end = monotonic() + 180
    while not failures.exists():
        assert monotonic() < end, "still not there"
        sleep(0.02)
    assert failures.get().kind == look_at_game.name
