"""In any order of play (alone and at tables), answers, moves, merges, their undo and erasures, with
messages that come late, twice or never, the stored progress equals a rebuild in the end."""

from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from unittest.mock import patch
from uuid import UUID

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from classrooms.assignments import tables
from classrooms.locks import ActRefused
from classrooms.models import Assignment, Child, Merge, SchoolClass
from classrooms.privacy.erasure import erase_child
from classrooms.progress import answer_evidence
from classrooms.progress.evidence import (
    GameReading,
    dirty_attempts,
    process_game,
    read_games,
    store_readings,
)
from classrooms.progress.models import ProgressLock
from classrooms.progress.rebuild import rebuild
from classrooms.progress.tasks import look_at_game, look_for_dirty, rebuild_marked
from classrooms.roster import moves
from classrooms.roster.merges import merge, undo
from games.models import Game
from games.play import log, services
from tests.classrooms.at_tables import play_turn
from tests.classrooms.progress.answering import answer, everything
from tests.classrooms.progress.playing import Hand, begin
from tests.clock import at
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory, SchoolClassFactory

pytestmark = pytest.mark.django_db

EXAMPLES = times(5, 200)
STEPS = 25
CHILDREN = 3
children = st.integers(0, CHILDREN - 1)
chances = st.integers(0, 2**16)


class Machine(RuleBasedStateMachine):
    """A small school. Its clock advances by hours, so that games and sittings span days.

    `games`: all games, in the order in which they were begun. Their ids are random, so no rule
    depends on them.
    """

    @initialize()
    def found(self) -> None:
        self.travel = at(datetime(2026, 3, 2, 8, tzinfo=timezone.get_current_timezone()))
        self.clock = self.travel.start()
        self.seeds = patch.object(log, "randbits", Random(1).getrandbits)
        self.seeds.start()
        self.classes = SchoolClassFactory.create_batch(2)
        self.tasks: list[Assignment] = [
            AssignmentFactory.create(school_class=school_class, options={"offers": False})
            for school_class in self.classes
        ]
        self.for_two: list[Assignment] = [
            AssignmentFactory.create(school_class=school_class, options={"offers": False}, chairs=2)
            for school_class in self.classes
        ]
        self.children: list[Child] = [
            ChildFactory.create(school_class=self.classes[0]) for _ in range(CHILDREN)
        ]
        self.hands: dict[Child, Hand] = {}
        self.games: list[UUID] = []
        self.late: list[GameReading] = []

    @rule(number=children, seed=st.integers(0, 40))
    def begin(self, number: int, seed: int) -> None:
        child = self.children[number]
        task = next(
            assignment
            for assignment in self.tasks
            if assignment.school_class_id == child.school_class_id
        )
        self.hands[child] = Hand(begin(child, task, seed))
        self.games.append(self.hands[child].attempt.game_id)

    @precondition(lambda self: self.hands)
    @rule(number=children, turns=st.integers(1, 3), chance=chances)
    def play(self, number: int, turns: int, chance: int) -> None:
        hand, random = self.hands.get(self.children[number]), Random(chance)
        for _ in range(turns if hand else 0):
            if hand.look().view.phase == "match over":
                return
            hand.play_awkward_turn(random)

    @rule(number=children)
    def meet(self, number: int) -> None:
        """Let two children of a class sit down, each where a chair is free for them."""
        child, other = self.children[number], self.children[(number + 1) % CHILDREN]
        if child.school_class_id != other.school_class_id:
            return
        task = next(
            assignment
            for assignment in self.for_two
            if assignment.school_class_id == child.school_class_id
        )
        for player in (child, other):
            sits = tables.sit(player, task.pk)
            if isinstance(sits, Game) and sits.pk not in self.games:
                self.games.append(sits.pk)

    @rule(number=children, turns=st.integers(1, 3), lays=st.booleans())
    def play_at_a_table(self, number: int, turns: int, *, lays: bool) -> None:
        """Let a child play. A bot plays for a classmate who is away."""
        child = Child.objects.select_related("last_game").get(pk=self.children[number].pk)
        for _ in range(turns if child.last_game else 0):
            if services.look(child.last_game.pk, child.player).view.may_act:
                play_turn(child.last_game, child, lays=lays)

    @rule(number=children, fact=st.sampled_from([(6, 8), (8, 6), (2, 5)]), right=st.booleans())
    def answer(self, number: int, fact: tuple[int, int], right: bool) -> None:
        answer(self.children[number], *fact, right=right, at=timezone.now())

    @rule(hours=st.integers(1, 40))
    def wait(self, hours: int) -> None:
        self.clock.shift(timedelta(hours=hours))

    @rule(chance=chances)
    def message(self, chance: int) -> None:
        """Send a message in time, twice, or so that it is read now and stored later."""
        games = sorted(
            dirty_attempts(), key=lambda attempt: (self.games.index(attempt.game_id), attempt.pk)
        )
        if games:
            attempt = Random(chance).choice(games)
            if chance % 3 == 0:
                self.late += read_games([attempt.game_id])
            for _ in range(chance % 3):
                process_game(attempt.game_id)
        sittings = list(answer_evidence.dirty_sittings())
        if sittings and chance % 2:
            answer_evidence.process_answers([sittings[0].child_id])

    @precondition(lambda self: self.late)
    @rule(chance=chances)
    def late_message(self, chance: int) -> None:
        reading = self.late.pop(chance % len(self.late))
        if Child.all_objects.filter(pk=reading.attempt.child_id).exists():
            store_readings([reading])

    @precondition(lambda self: self.games)
    @rule(chance=chances)
    def message_that_takes_others_along(self, chance: int) -> None:
        look_at_game(str(self.games[chance % len(self.games)]))

    @rule()
    def scan(self) -> None:
        look_for_dirty()

    @rule(number=children)
    def upgrade(self, number: int) -> None:
        """Mark and rebuild a child while their games go on."""
        ProgressLock.objects.filter(child=self.children[number]).update(to_rebuild=True)
        rebuild_marked()

    @rule(number=children)
    def move(self, number: int) -> None:
        child = self.children[number]
        here = [school_class.pk for school_class in self.classes].index(child.school_class_id)
        assert moves.move([child], self.classes[1 - here], None).children
        child.refresh_from_db()

    @rule(number=children)
    def erase_child(self, number: int) -> None:
        child = self.children[number]
        self.hands.pop(child, None)
        erase_child(child, None)
        self.children[number] = ChildFactory.create(school_class=self.classes[0])

    @rule(number=children)
    def merge(self, number: int) -> None:
        """Merge two children of a class."""
        child, into = self.children[number], self.children[(number + 1) % CHILDREN]
        if child.school_class_id != into.school_class_id:
            return
        self.hands.pop(child, None)
        merge(child, into, None)
        self.children[number] = ChildFactory.create(school_class=self.classes[0])

    @rule()
    def undo_a_merge(self) -> None:
        """Undo a merge. The child who comes back plays no more."""
        for of_merge in Merge.objects.order_by("at"):
            with suppress(ActRefused):
                undo(of_merge, None)
                return

    @rule(chance=chances)
    def erase_game(self, chance: int) -> None:
        games = sorted(Game.objects.all(), key=lambda game: self.games.index(game.pk))
        if games:
            game = games[chance % len(games)]
            self.hands = {c: h for c, h in self.hands.items() if h.attempt.game_id != game.pk}
            game.delete()

    def teardown(self) -> None:
        try:
            look_for_dirty()
            counts = everything()
            for child in Child.all_objects.all():
                rebuild(child)
            assert counts == everything()
        finally:
            self.seeds.stop()
            self.travel.stop()
        Game.objects.all().delete()
        SchoolClass.objects.all().delete()


def test_stored_progress_equals_a_rebuild() -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=EXAMPLES < 50,
        ),
    )


def test_an_erased_class_takes_its_progress(dora: Child, assignment: Assignment) -> None:
    Hand(begin(dora, assignment, seed=3)).play_round()
    answer(dora, 6, 8, assignment=assignment)
    look_for_dirty()
    before = dora.school_class
    new = SchoolClassFactory.create()
    assert moves.move([dora], new, None).children
    dora.refresh_from_db()
    answer(dora, 6, 9)
    look_for_dirty()
    Game.objects.filter(attempt__assignment__school_class=before).delete()
    before.delete()
    look_for_dirty()
    counts = everything()
    assert len(counts["FactMastery"]) == 1
    assert not counts["TableMastery"]
    rebuild(dora)
    assert everything() == counts
