"""The discussion of three positions from the latest games of the class, without names, with rows of
the tables that the class missed most. Without this discussion, playing at home teaches little
(docs/learning.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import QuerySet, Sum

from classrooms.models import Attempt, SchoolClass
from classrooms.progress.models import CHANCE_COUNTS, Chance, ChildDay, TableDay
from classrooms.progress.periods import PERIODS, USUAL_PERIOD, first_day
from classrooms.progress.rows import RowCounts
from games.coach.begun_rounds import rows_to_find
from games.coach.rows import plain_plays
from games.coach.statements.table_levels import FEW_CHANCES
from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import cards_in
from games.engine.layout.packing import PROJECTOR
from games.engine.play_application import make_play
from games.engine.text.record import ACTS
from games.models import Entry, Seat
from games.screen import replay
from games.screen.card_drawing import face
from games.screen.hint_pictures import NumberLine, number_line
from games.screen.view_models import Face

POSITIONS: Final = 3
MOST_SEARCHED: Final = 30
"""The most recently missed rows of a table among which the row that is easiest to see is chosen."""
PERIOD: Final = USUAL_PERIOD
WEEKS: Final = PERIODS[PERIOD][0] // 7
STEPS: Final = 4
"""A row is revealed in this many steps: that there is one, a card of it, the jumps, the whole
row."""


@dataclass(frozen=True, slots=True)
class TalkPosition:
    """A position of the discussion. The whole `row` is shown only at the last step."""

    number: int
    step: int  # from 1 to `STEPS`
    scene: replay.Scene
    row: replay.ShownRow
    description: RowTable
    line: NumberLine | None
    other_rows: Sequence[Sequence[Face]] = ()  # without a joker, the easiest to see first

    @property
    def is_open(self) -> bool:
        return self.step >= STEPS


def rows_to_discuss(school_class: SchoolClass) -> list[Chance]:
    """The rows to discuss: one of each of the tables that the class has recently missed most, if
    possible of different children and from the hand alone."""
    chances = missed_rows_lately(school_class)
    searched: list[Chance] = []
    for table in most_missed_tables(school_class)[:POSITIONS]:
        last = chances.filter(table=table).order_by("-at", "-pk")[:MOST_SEARCHED]
        searched += sorted(last, key=effort_to_see)
    return _spread_over_children(_without_laid_rows(searched))


def missed_rows_lately(school_class: SchoolClass) -> QuerySet[Chance]:
    """The rows that the class has missed in the `PERIOD`. Those of a hand for everybody, of a
    riddle and of a deal that is still open (`classrooms.lesson.one_deal`) are left out."""
    since = first_day(school_class.today(), PERIOD)
    assert since
    missed = Chance.objects.filter(
        school_class=school_class,
        outcome=Chance.Outcome.MISSED,
        day__gte=since,
        assignment__one_turn__isnull=True,
    )
    return missed.exclude(assignment__deal_seed__isnull=False, assignment__ended_at=None)


def most_missed_tables(school_class: SchoolClass) -> list[int]:
    """The tables of which the class missed rows in the `PERIOD`, the smallest share of found rows
    first, as the last line of the class's map counts them. Tables with fewer than `FEW_CHANCES`
    possible rows come last. One query."""
    days = TableDay.objects.filter(
        child__in=school_class.children.all(),
        day__gte=first_day(school_class.today(), PERIOD),
        table__gt=0,
    )
    tables = days.values("table").annotate(**{name: Sum(name) for name in CHANCE_COUNTS})
    shares = []
    for counts in tables.filter(missed__gt=0):
        rows = RowCounts()
        rows.add(counts)
        shares.append((rows.chances < FEW_CHANCES, rows.share, counts["table"]))
    return [table for *_share, table in sorted(shares)]


def has_played(school_class: SchoolClass) -> bool:
    """Whether any play within the `PERIOD` was counted."""
    since = first_day(school_class.today(), PERIOD)
    return ChildDay.objects.filter(school_class=school_class, day__gte=since).exists()


def _spread_over_children(rows: Iterable[Chance]) -> list[Chance]:
    """A row of each table, if possible the first one of a child who has none yet."""
    by_table: dict[int, list[Chance]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append(row)
    chosen_rows: list[Chance] = []
    for of_table in by_table.values():
        children = {row.child_id for row in chosen_rows}
        chosen_rows.append(min(of_table, key=lambda row: row.child_id in children))
    return chosen_rows


def _without_laid_rows(rows: Sequence[Chance]) -> list[Chance]:
    """The rows that nobody at the table ever laid in that game, not even in a longer row. One
    query."""
    rows_of: dict[UUID, list[set[int]]] = {}
    plays = Entry.objects.filter(
        game__in={row.game_id for row in rows},
        kind__in=ACTS,
        data__has_key="numbers",
    )
    for game, data in plays.values_list("game", "data"):
        rows_of.setdefault(game, []).append(set(data["numbers"]))
    return [
        row
        for row in rows
        if not any(numbers.issuperset(row.numbers) for numbers in rows_of.get(row.game_id, ()))
    ]


def effort_to_see(chance: Chance) -> tuple[bool, int]:
    """The sort key that puts the row first that is easiest to see: from the hand alone, with few
    cards."""
    words = chance.row.split()
    return "to" in words or "across" in words, len(words)


def position(rows: Sequence[Chance], number: int, step: int) -> TalkPosition:
    """The position with the row of this number, revealed up to this step. It is the end of the last
    turn in which the row could be laid."""
    missed_chance = rows[number - 1]
    attempts = Attempt.objects.select_related("game", "child")
    attempt = attempts.get(game=missed_chance.game_id, child=missed_chance.child_id)
    game, player, ruleset = attempt.game, attempt.child.player, attempt.game.ruleset
    moment = replay.moments_of_turn(game, missed_chance.entry)[-1]
    longest = _longest_row(moment, missed_chance)
    row = replay.row_alone(moment, longest, ruleset)
    lit_cards = {1: [], 2: sorted(row.cards)[:1]}.get(step, sorted(row.cards))
    seats = list(Seat.objects.filter(game=game))
    _table, layout = replay.table_with_row(moment, longest, ruleset, PROJECTOR)
    scene = replay.scene_at(moment, moment.before, game, seats, player, lit_cards, layout)
    if step >= STEPS:
        scene = replay.scene_with_row(scene, moment, longest, ruleset, PROJECTOR)
    line = number_line(row.numbers) if step > 2 else None
    state = moment.before.state
    # A number that lies there only as a joker is drawn as that joker.
    laid = sorted(state.table.laid_cards.values(), reverse=True)
    card_of = {number: card for card, number in laid}
    card_of |= {card: card for card in cards_in(state.hands[state.turn])}
    other_rows = [
        [face(card_of[number], ruleset, number) for number in numbers]
        for numbers in rows_to_find(state.position(state.turn))
        if numbers != row.numbers
    ]
    return TalkPosition(number, step, scene, row, row_table_of(row.numbers), line, other_rows)


def _longest_row(moment: replay.Moment, chance: Chance) -> str:
    """The longest row without a joker that has the same jump as the missed row and contains it, as
    text. The missed row itself if no longer one does."""
    state = moment.before.state
    position = state.position(state.turn)
    longest = chance.row
    length = len(chance.numbers)
    step = chance.numbers[1] - chance.numbers[0]
    for play in plain_plays(position):
        numbers = [number for _, number in make_play(position, play).line.cards]
        has_steps = len(numbers) > length and numbers[1] - numbers[0] == step
        if has_steps and set(numbers).issuperset(chance.numbers):
            longest = str(play)
            length = len(numbers)
    return longest
