"""The chances and counts of random games of every edition equal those of an oracle that knows only
the rules."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from classrooms.demo.past_games import Chooser, PastGame, play_out, store_games
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress import evidence
from classrooms.progress.models import CHANCE_COUNTS, Chance, ChildAssignment, ChildDay, TableDay
from classrooms.progress.tasks import look_for_dirty
from games.engine.ruleset import EDITIONS, Ruleset
from games.engine.text.record import EntryKind
from games.models import Entry
from games.play.log import setting_of
from games.play.starting import NewSeat
from tests.classrooms.progress.oracle import Shown, shown_by
from tests.classrooms.progress.random_play import AllChooser, AnythingChooser
from tests.counts import PROOF, times
from tests.factories import AssignmentFactory
from tests.games.coach.chances_oracle import ChanceSeen
from tests.games.rounds import random_ruleset

pytestmark = pytest.mark.django_db

SEEDS = times(range(0, len(EDITIONS), 2), range(550))
ROUNDS = times(3, 500)
"""Some games have two rounds; others are left before the end of a round."""
BEGINS = datetime(2026, 3, 2, tzinfo=UTC)


def games(child: Child, assignment: Assignment) -> Iterator[tuple[Random, PastGame]]:
    """Games of every edition, or of every other one, over four weeks and all hours of the day."""
    for seed in SEEDS:
        random = Random(seed)
        ruleset: Ruleset = random_ruleset(random, list(EDITIONS)[seed % len(EDITIONS)])
        bots = random.choice([1, 1, 1, 2])
        seats = [NewSeat(player=child.player), *[NewSeat(bot="beginner", name="Bo")] * bots]
        random.shuffle(seats)
        yield (
            random,
            PastGame(
                ruleset,
                seats,
                begins=BEGINS + timedelta(minutes=random.randrange(28 * 24 * 60)),
                seed=seed,
                hint_steps=random.choice([0, 4]),
                shows_missed_rows=random.choice([False, True]),
            ),
        )


def play(child: Child, assignment: Assignment, past: PastGame, chooser: Chooser) -> Attempt:
    """Play a match in the past. Every third log does not say which rows were shown, like logs of
    older code."""
    (game,) = store_games([play_out(past, chooser)])
    if past.seed % 3 == 0:
        game.entries.update(missed=None)
    return Attempt.objects.create(assignment=assignment, child=child, game=game)


def look_at_all() -> None:
    """Scan until everything is counted, because each scan stops after some seconds."""
    while evidence.dirty_attempts().exists():
        look_for_dirty()


def shown_chances(attempt: Attempt) -> Iterator[Shown]:
    seats = list(attempt.game.seats.all())
    own = next(seat.number for seat in seats if seat.player == attempt.child.player)
    return shown_by(
        setting_of(attempt.game, len(seats)),
        list(attempt.game.entries.all()),
        own,
        attempt.assignment.school_class.time_zone,
    )


OUTCOMES = ("at once", "later", "with a hint", "after tries", "missed", "with a joker")


def test_the_stored_chances_of_every_edition_are_those_of_the_oracle(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    expected: dict[Child, Counter[Shown]] = {dora: Counter(), emil: Counter()}
    per_assignment: Counter[tuple[Child, str]] = Counter()
    other = AssignmentFactory.create(school_class=dora.school_class)
    for number, child in enumerate((dora, emil)):
        task = (assignment, other)[number]
        for random, past in list(games(child, task))[number::2]:
            attempt = play(child, task, past, AnythingChooser(random))
            for piece in shown_chances(attempt):
                expected[child][piece] += 1
                per_assignment[child, piece.kind] += 1
    look_at_all()
    for child, counts in expected.items():
        assert stored_chances(child) == chances_of(counts)
        assert tables(child) == tables_of(counts)
        assert days(child) == days_of(counts)
        total = ChildAssignment.objects.get(child=child)
        assert total.rounds == per_assignment[child, "round"]
        assert total.turns == per_assignment[child, "turn"]
        outcomes = [getattr(total, name) for name in CHANCE_COUNTS]
        assert outcomes == [per_assignment[child, outcome] for outcome in OUTCOMES]
    kinds = {piece.kind for counts in expected.values() for piece in counts}
    assert not PROOF or kinds == {*OUTCOMES, "taken up", "turn", "round"}
    assert sum(per_assignment[child, "round"] for child in expected) >= ROUNDS
    assert Entry.objects.filter(kind=EntryKind.TAKE_BACK).count() > ROUNDS


def stored_chances(child: Child) -> Counter[tuple[object, ...]]:
    rows = Chance.objects.filter(child=child).values_list("day", *ChanceSeen._fields)
    return Counter(
        (day, ChanceSeen._make((*fields, tuple(entries), sorted_words(row), tuple(numbers))))
        for day, *fields, entries, row, numbers in rows
    )


def chances_of(counts: Counter[Shown]) -> Counter[tuple[object, ...]]:
    return Counter(
        {
            (piece.day, piece.chance._replace(row=sorted_words(piece.chance.row))): count
            for piece, count in counts.items()
            if piece.chance
        }
    )


def sorted_words(row: str) -> str:
    """The words of a row, sorted, because the log may name the cards of the table in another
    order."""
    return " ".join(sorted(row.split()))


def tables(child: Child) -> dict[tuple[object, int], tuple[int, ...]]:
    return {
        (row.day, row.table): tuple(getattr(row, name) for name in CHANCE_COUNTS)
        for row in TableDay.objects.filter(child=child)
    }


def tables_of(counts: Counter[Shown]) -> dict[tuple[object, int], tuple[int, ...]]:
    figures: dict[tuple[object, int], list[int]] = {}
    for piece, count in counts.items():
        if piece.kind in OUTCOMES:
            own = figures.setdefault((piece.day, piece.table), [0] * len(OUTCOMES))
            own[OUTCOMES.index(piece.kind)] += count
    return {key: tuple(own) for key, own in figures.items()}


def days(child: Child) -> dict[object, tuple[int, ...]]:
    rows = ChildDay.objects.filter(child=child)
    return {row.day: (row.rounds, row.turns, row.hints, row.hint_turns, row.tries) for row in rows}


def days_of(counts: Counter[Shown]) -> dict[object, tuple[int, ...]]:
    figures: dict[object, list[int]] = {}
    for piece, count in counts.items():
        if piece.kind in ("round", "turn"):
            own = figures.setdefault(piece.day, [0] * 5)
            own[piece.kind == "turn"] += count
            own[2] += piece.hints * count
            own[3] += (piece.hints > 0) * count
            own[4] += piece.tries * count
    return {day: tuple(own) for day, own in figures.items()}


def test_a_player_who_lays_everything_has_found_every_chance(
    dora: Child, assignment: Assignment
) -> None:
    for _, past in games(dora, assignment):
        play(dora, assignment, past, AllChooser())
    look_at_all()
    total = ChildAssignment.objects.get(child=dora)
    assert total.at_once > ROUNDS
    assert (total.hinted, total.tried, total.missed, total.joker) == (0, 0, 0, 0)
