"""The counts of random games of every edition are those of an oracle that knows only the rules."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from classrooms.models import Assignment, Attempt, Child
from classrooms.progress.figures.table_rows import FIGURES
from classrooms.progress.models import ChildAssignment, ChildDay, TableDay
from classrooms.progress.pipeline import evidence
from classrooms.progress.tasks import look_for_dirty
from games.engine.ruleset import EDITIONS, Ruleset
from games.lab.past_games import Chooser, Past, play_out, store
from games.play.log import setting_of
from games.play.services import NewSeat
from tests.classrooms.progress.oracle import Shown, shown_by
from tests.classrooms.progress.random_play import AllChooser, AnythingChooser
from tests.counts import times
from tests.factories import AssignmentFactory
from tests.games.rounds import random_ruleset

pytestmark = pytest.mark.django_db

ROUNDS = times(24, 500)
BEGINS = datetime(2026, 3, 2, tzinfo=UTC)


def games(child: Child, assignment: Assignment, rounds: int) -> Iterator[tuple[Random, Past]]:
    """Games of every edition in turn, over four weeks and all hours of the day."""
    for seed in range(rounds):
        random = Random(seed)
        ruleset: Ruleset = random_ruleset(random, list(EDITIONS)[seed % len(EDITIONS)])
        bots = random.choice([1, 1, 1, 2])
        seats = [NewSeat(player=child.player), *[NewSeat(bot="beginner", name="Bo")] * bots]
        random.shuffle(seats)
        yield (
            random,
            Past(
                ruleset,
                seats,
                begins=BEGINS + timedelta(minutes=random.randrange(28 * 24 * 60)),
                seed=seed,
                hint_steps=random.choice([0, 4]),
            ),
        )


def play(child: Child, assignment: Assignment, past: Past, chooser: Chooser) -> Attempt:
    (game,) = store([play_out(past, chooser)])
    return Attempt.objects.create(assignment=assignment, child=child, game=game)


def look_at_all() -> None:
    """As many scans as it takes: each stops after some seconds and leaves the rest to the next."""
    while evidence.dirty().exists():
        look_for_dirty()


def shown(attempt: Attempt) -> Iterator[Shown]:
    seats = list(attempt.game.seats.all())
    own = next(seat.number for seat in seats if seat.player == attempt.child.player)
    return shown_by(
        setting_of(attempt.game, len(seats)),
        list(attempt.game.actions.all()),
        own,
        attempt.assignment.school_class.time_zone,
    )


OUTCOMES = ("at once", "later", "with a hint", "after tries", "missed", "with a joker")


def test_the_counts_of_every_edition_are_those_of_the_oracle(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    expected: dict[Child, Counter[Shown]] = {dora: Counter(), emil: Counter()}
    per_assignment: Counter[tuple[Child, str]] = Counter()
    other = AssignmentFactory.create(school_class=dora.school_class)
    for number, child in enumerate((dora, emil)):
        task = (assignment, other)[number]
        for random, past in list(games(child, task, ROUNDS))[number::2]:
            attempt = play(child, task, past, AnythingChooser(random))
            for one in shown(attempt):
                expected[child][one] += 1
                per_assignment[child, one.kind] += 1
    look_at_all()
    for child, counts in expected.items():
        assert tables(child) == tables_of(counts)
        assert days(child) == days_of(counts)
        total = ChildAssignment.objects.get(child=child)
        assert total.rounds == per_assignment[child, "round"]
        assert total.turns == per_assignment[child, "turn"]
        counted = [getattr(total, name) for name in FIGURES]
        assert counted == [per_assignment[child, outcome] for outcome in OUTCOMES]
    kinds = {one.kind for counts in expected.values() for one in counts}
    assert kinds == {*OUTCOMES, "turn", "round"}


def tables(child: Child) -> dict[tuple[object, int], tuple[int, ...]]:
    return {
        (row.day, row.table): tuple(getattr(row, name) for name in FIGURES)
        for row in TableDay.objects.filter(child=child)
    }


def tables_of(counts: Counter[Shown]) -> dict[tuple[object, int], tuple[int, ...]]:
    figures: dict[tuple[object, int], list[int]] = {}
    for one, count in counts.items():
        if one.kind in OUTCOMES:
            own = figures.setdefault((one.day, one.table), [0] * len(OUTCOMES))
            own[OUTCOMES.index(one.kind)] += count
    return {key: tuple(own) for key, own in figures.items()}


def days(child: Child) -> dict[object, tuple[int, ...]]:
    rows = ChildDay.objects.filter(child=child)
    return {row.day: (row.rounds, row.turns, row.hints, row.hint_turns, row.tries) for row in rows}


def days_of(counts: Counter[Shown]) -> dict[object, tuple[int, ...]]:
    figures: dict[object, list[int]] = {}
    for one, count in counts.items():
        if one.kind in ("round", "turn"):
            own = figures.setdefault(one.day, [0] * 5)
            own[one.kind == "turn"] += count
            own[2] += one.hints * count
            own[3] += (one.hints > 0) * count
            own[4] += one.tries * count
    return {day: tuple(own) for day, own in figures.items()}


def test_who_lays_all_that_it_can_has_found_all_that_was_there(
    dora: Child, assignment: Assignment
) -> None:
    for _, past in games(dora, assignment, ROUNDS):
        play(dora, assignment, past, AllChooser())
    look_at_all()
    total = ChildAssignment.objects.get(child=dora)
    assert total.at_once > ROUNDS
    assert (total.hinted, total.tried, total.missed, total.joker) == (0, 0, 0, 0)
