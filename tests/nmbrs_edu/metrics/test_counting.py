"""What is counted in all processes together."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from classrooms.assignments.services import go_on_or_start
from classrooms.progress.tasks import look_at_game
from games.engine.actions import DrawClosed
from games.play import services
from games.play.moves import Do
from nmbrs_edu.metrics import counting
from nmbrs_edu.metrics.counting import FAILED_TASKS, MOVES, REQUESTS, Counts
from nmbrs_edu.models import Counted
from tests.factories import AssignmentFactory, ChildFactory


@pytest.fixture(autouse=True)
def counts(db: None, monkeypatch: pytest.MonkeyPatch) -> Counts:
    """New ones, so that nothing of other tests is in them."""
    Counted.objects.all().delete()
    made = Counts()
    monkeypatch.setattr(counting, "counts", made)
    monkeypatch.setattr("nmbrs_edu.metrics.middleware.counts", made)
    return made


def stored(what: str) -> dict[tuple[str, str], int]:
    rows = Counted.objects.filter(what=what)
    return {(row.kind, row.status): row.number for row in rows}


@pytest.mark.django_db
def test_answers_are_counted_by_part_and_status(counts: Counts, client: Client) -> None:
    for path in ("/", "/play/", "/q/a-secret", "/me/", "/admin/", "/no-such-page/"):
        client.get(path)
    counts.add_to_database()
    assert stored(REQUESTS) == {
        ("door", "200"): 1,
        ("door", "302"): 1,
        ("door", "404"): 1,
        ("child", "302"): 1,
        ("operator", "302"): 1,
        ("other", "404"): 1,
    }


@pytest.mark.django_db
def test_a_move_is_a_kind_of_its_own(counts: Counts, client: Client) -> None:
    path = "/games/00000000-0000-4000-8000-000000000000/act"
    client.post(path)
    client.get(path)
    counts.add_to_database()
    assert set(stored(REQUESTS)) == {("move", "302"), ("game", "302")}


@pytest.mark.django_db(transaction=True)
def test_a_move_counts_when_it_was_stored_and_its_repetition_does_not(counts: Counts) -> None:
    dora = ChildFactory.create()
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    game = go_on_or_start(dora, assignment)
    key, seen = uuid4(), game.version
    for _ in range(2):
        services.act(game.pk, dora.player, seen=seen, key=key, move=Do(DrawClosed()))
    counts.add_to_database()
    assert stored(MOVES) == {("", ""): 1}


@pytest.mark.django_db(transaction=True)
def test_many_processes_add_to_the_same_numbers() -> None:
    def process(number: int) -> None:
        own = Counts()
        for n in range(50):
            own.count(REQUESTS, f"kind {(n + number) % 5}", "200")
        own.add_to_database()
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(process, range(16)))
    assert stored(REQUESTS) == {(f"kind {n}", "200"): 160 for n in range(5)}


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_while_the_database_is_away(
    counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts.count(MOVES)
    with monkeypatch.context() as away:
        away.setattr(counting, "ADD", "nothing that PostgreSQL understands %s %s %s %s")
        counts.add_to_database()
    counts.count(MOVES)
    counts.add_to_database()
    assert stored(MOVES) == {("", ""): 2}


def test_a_task_that_failed_is_counted_by_its_name(worker: Any) -> None:
    look_at_game.delay("not the id of a game")
    counted = Counted.objects.filter(what=FAILED_TASKS, number=1)
    end = monotonic() + 30
    while not counted.exists():
        assert monotonic() < end, "still not there"
        sleep(0.02)
    assert counted.get().kind == look_at_game.name
