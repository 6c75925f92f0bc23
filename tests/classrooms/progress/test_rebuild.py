"""Chances and counts made move by move equal a rebuild from the logs alone."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.management import call_command
from time_machine import Traveller

from classrooms.models import Assignment, Child, User
from classrooms.progress import answer_evidence, tasks
from classrooms.progress.evidence import (
    GameReading,
    dirty_attempts,
    process_game,
    process_games,
    read_games,
    store_readings,
)
from classrooms.progress.models import (
    RULES,
    Chance,
    ChildAssignment,
    ChildDay,
    Difference,
    FactMastery,
    Played,
    ProgressLock,
    TableDay,
)
from classrooms.progress.rebuild import compare_child, compare_game, mark_for_rebuild, rebuild
from classrooms.progress.tasks import compare_a_sample, look_at_game, look_for_dirty, rebuild_marked
from games.models import Entry, Game
from games.play.moves import Move
from games.play.services import Outcome
from tests.classrooms.people import client_of, url_of
from tests.classrooms.progress.answering import answer, everything
from tests.classrooms.progress.playing import Hand, begin
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
INTERLEAVINGS = times(1, 40)


def rebuilt(*arguments: str) -> dict[str, list[str]]:
    call_command("rebuild_progress", *arguments, verbosity=0)
    return everything()


@dataclass
class SlowHand(Hand):
    """A hand with an hour before each move."""

    clock: Traveller

    def move(self, move: Move) -> Outcome:
        self.clock.shift(timedelta(hours=1))
        return super().move(move)


@dataclass
class Interleaving:
    """Turns of several games and answers. Messages come late, twice, for several games at once, or
    not at all."""

    random: Random
    hands: Sequence[Hand]
    late: list[GameReading] = field(default_factory=list)

    def turn(self) -> None:
        hand = self.random.choice(self.hands)
        hand.play_awkward_turn(self.random)
        if self.random.random() < 0.3:
            right = self.random.random() < 0.7
            answer(hand.attempt.child, 6, self.random.randint(2, 10), right=right)
        match self.random.choice(("in time", "twice", "together", "read", "late", "lost")):
            case "in time":
                process_game(hand.attempt.game_id)
            case "twice":
                look_at_game(str(hand.attempt.game_id))
                look_at_game(str(hand.attempt.game_id))
            case "together":
                process_games([attempt.game_id for attempt in dirty_attempts()])
                answer_evidence.process_answers([hand.attempt.child_id])
            case "read":
                self.late += read_games([hand.attempt.game_id])
            case "late" if self.late:
                reading = self.late.pop(0)
                store_readings([reading])


@pytest.mark.parametrize("chance", range(INTERLEAVINGS))
def test_incremental_equals_rebuild(
    chance: int, clock: Traveller, dora: Child, emil: Child
) -> None:
    assignment = AssignmentFactory.create(
        school_class=dora.school_class, options={"offers": False}, hint_steps=4
    )
    hands = [
        SlowHand(begin(child, assignment, seed=10 * chance + n), clock)
        for n, child in enumerate((dora, dora, emil))
    ]
    playing = Interleaving(Random(chance), hands)
    for _ in range(40):
        playing.turn()
    look_for_dirty()
    incremental = everything()
    assert len(incremental["Chance"]) > 10
    assert len(incremental["ChildDay"]) > 2
    assert len(incremental["FactMastery"]) > 2
    assert len(incremental["TableMastery"]) > 2
    assert incremental == rebuilt()


def test_a_rebuild_repairs_missing_and_superfluous_counts(
    dora: Child, assignment: Assignment
) -> None:
    hand = Hand(begin(dora, assignment, seed=3))
    hand.play_round(lays=False)
    look_for_dirty()
    right = everything()
    TableDay.objects.update(at_once=99)
    ChildDay.objects.all().delete()
    ChildAssignment.objects.update(rounds=7)
    Played.objects.all().delete()
    Chance.objects.update(outcome="at once")
    assert rebuilt() == right


def test_a_rebuild_of_a_class_leaves_other_classes_alone(
    dora: Child, assignment: Assignment
) -> None:
    finn = ChildFactory.create(name="Finn")
    for child, task in (
        (dora, assignment),
        (finn, AssignmentFactory.create(school_class=finn.school_class)),
    ):
        Hand(begin(child, task, seed=3)).play_round(lays=False)
    look_for_dirty()
    Played.objects.all().delete()
    rebuilt("--class", dora.school_class.code)
    assert set(Played.objects.values_list("child", flat=True)) == {dora.pk}


def test_another_time_zone_counts_the_days_again(
    clock: Traveller, alice: User, dora: Child, assignment: Assignment
) -> None:
    clock.move_to(datetime(2026, 3, 2, 21, tzinfo=UTC))
    Hand(begin(dora, assignment, seed=3)).play_round(lays=False)
    check = answer(dora, 6, 8)
    look_for_dirty()
    url = url_of("edit_class", dora.school_class)
    client_of(alice).post(url, {"name": "5B", "language": "en", "time_zone": "Asia/Tokyo"})
    rebuild_marked()
    days = Played.objects.values_list("day", flat=True)
    assert {day.day for day in days} == {3}
    check.refresh_from_db()
    assert check.day.day == 2
    right = everything()
    assert rebuilt() == right


def test_counts_of_earlier_rules_are_made_again(dora: Child, assignment: Assignment) -> None:
    """An older worker, which knows nothing of versions of rules, may have rebuilt the child after
    the upgrade."""
    Hand(begin(dora, assignment, seed=3)).play_round(lays=False)
    look_for_dirty()
    right = everything()
    Played.objects.update(turns_ended=99)
    rebuild_marked()
    assert everything() != right
    ProgressLock.objects.update(rules=1)
    rebuild_marked()
    assert everything() == right
    assert ProgressLock.objects.get().rules == RULES


@dataclass
class Rebuilds:
    """Stands in for `rebuild`, and raises an error for the children in `failing`."""

    failing: dict[Child, type[Exception]]
    tried: list[str] = field(default_factory=list)

    def __call__(self, child: Child) -> int:
        self.tried.append(child.name)
        if problem := self.failing.get(child):
            raise problem("with the name of a child")
        return rebuild(child)


@pytest.mark.parametrize("problem", [RuntimeError, SoftTimeLimitExceeded])
def test_a_failed_rebuild_is_shown_and_stops_no_other(
    problem: type[Exception], dora: Child, emil: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = sorted((dora, emil), key=lambda child: child.pk)
    rebuilds = Rebuilds({first: problem})
    monkeypatch.setattr(tasks, "rebuild", rebuilds)
    mark_for_rebuild([dora.pk, emil.pk])
    for _ in range(2):
        with suppress(SoftTimeLimitExceeded):
            rebuild_marked()
    assert sorted(rebuilds.tried) == sorted([first.name, first.name, second.name])
    assert rebuilds.tried[-1] == first.name
    failure = Difference.objects.get()
    assert (failure.child, failure.what) == (first, Difference.What.REBUILD)
    assert failure.told.startswith(problem.__name__)
    assert "the name of a child" not in failure.told
    rebuilds.failing.clear()
    rebuild_marked()
    assert not Difference.objects.exists()
    assert not ProgressLock.objects.filter(to_rebuild=True).exists()


# The nightly rebuild of a sample


@pytest.fixture
def hand(dora: Child, assignment: Assignment) -> Hand:
    """Dora has played a round and answered a question, and all of it is counted."""
    hand = Hand(begin(dora, assignment, seed=3))
    hand.play_round(lays=False)
    answer(dora, 6, 8)
    look_for_dirty()
    return hand


def test_without_differences_nothing_is_logged_or_changed(hand: Hand) -> None:
    right = everything()
    compare_a_sample()
    assert not Difference.objects.exists()
    assert everything() == right


def test_differing_counts_are_logged_and_corrected(hand: Hand, dora: Child) -> None:
    right = everything()
    ChildDay.objects.update(rounds=7)
    FactMastery.objects.all().delete()
    compare_a_sample()
    difference = Difference.objects.get()
    assert difference.child == dora
    assert "ChildDay, missing: 1" in difference.told
    assert "ChildDay, too much: 1" in difference.told
    assert "FactMastery, missing: 1" in difference.told
    assert everything() == right


def test_a_child_whose_counts_are_still_behind_is_left_alone(hand: Hand, dora: Child) -> None:
    TableDay.objects.update(at_once=99)
    hand.play_turn()
    assert compare_child(dora) is None


def test_a_snapshot_that_is_not_the_replay_is_logged(hand: Hand) -> None:
    game = hand.attempt.game
    game.refresh_from_db()
    assert compare_game(game) is None
    game.snapshot["state"]["scores"][0] += 1
    game.save()
    difference = compare_game(Game.objects.get())
    assert "scores" in difference.told


def test_a_log_that_the_rules_refuse_is_logged(hand: Hand) -> None:
    game = Game.objects.get()
    Entry.objects.create(game=game, number=game.version + 1, kind="act", seat=0, text="discard 99")
    difference = compare_game(game)
    assert "refused" in difference.told
