"""One hand for everybody: the whole class looks at the same hand and table, each child lays rows on
their own device, then the class discusses all rows.

Each hand is an `Assignment`, and each child who comes gets a game of it. Until the rows are shown,
the site says only how many children have laid one. Showing the rows ends all games, so that nobody
lays what they have just seen. A child who has not laid a row by then has missed it, unless no child
has laid any, because the class only looked at the big screen.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import randbits
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.assignments.audience import current_assignments
from classrooms.assignments.playing import columns_of_turn, seats_of
from classrooms.lesson.live_sql import LESSON
from classrooms.lesson.talks import (
    MOST_SEARCHED,
    effort_to_see,
    missed_rows_lately,
    most_missed_tables,
)
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.models.assignments import NOBODY_MISSED
from classrooms.progress.models import Chance
from games.coach.begun_rounds import (
    BegunRound,
    counts_as,
    make_round,
    round_from_game,
    rows_to_find,
)
from games.coach.times_tables import TABLES_TO_10, TEACHING_ORDER
from games.engine.actions import End
from games.engine.round import OVER_PHASES
from games.engine.text.notation import parse_play
from games.models import Entry, Game
from games.play import services as play
from games.play import starting
from games.play.log import plays_by_game
from games.play.moves import Do
from games.screen.card_drawing import face
from games.screen.replay import moments_of_turn
from games.screen.view_models import Face

MOST_PROPOSED_TABLES: Final = 2
HANDS_DURATION: Final = timedelta(minutes=30)
"""A class looks at hands until this long after the last one was shown, unless the teacher ends it
earlier."""
REPEAT_AFTER: Final = timedelta(days=28)
"""A row that the class has looked at is not shown again within this time."""
TIME_TO_LOOK: Final = timedelta(minutes=1)
"""A child who laid nothing and had less time than this to look has missed nothing, because a
teacher may be in a hurry. Nor has one who never began a game of the class."""
HANDS_TO_HARDEST: Final = 5
"""Over this many hands, the rows go from the easiest to the hardest that the class has missed."""
MOST_GAMES_READ: Final = 6
"""The most games that are read in search of a hand."""
FIRST_CONTINUED_HAND: Final = 3
"""From this hand on, a made-up hand continues a row on the table."""


@dataclass(frozen=True, slots=True)
class HandTally:
    """How many children have come to a hand, and how many have laid a row."""

    in_class: int
    present: int  # those who have come to the hand
    with_row: int  # those who have laid a row

    @property
    def has_all(self) -> bool:
        return self.present >= self.in_class


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that can be laid or was laid."""

    numbers: tuple[int, ...]
    faces: tuple[Face, ...]
    count: int  # how many children laid it, or one with the same jump and three of its numbers


def current_hand(school_class: SchoolClass) -> Assignment | None:
    """The hand at which the class looks now, with or without its rows; None if there is none."""
    until = school_class.hand_until
    if until is None or until <= timezone.now():
        return None
    return Assignment.hands.filter(school_class=school_class).first()


def open_hands(now: datetime) -> QuerySet[Assignment]:
    """The hands at which classes look now and whose rows are not shown yet."""
    return Assignment.hands.filter(school_class__hand_until__gt=now, ended_at=None)


def open_hand_of(child: Child) -> str:
    """The key of the open hand to which the child has come; empty if there is none. Their pages do
    not call them to it again."""
    if not child.looks_at_hand:
        return ""
    hands = open_hands(timezone.now()).filter(attempts__child=child)
    return str(hands.values_list("pk", flat=True).first() or "")


def proposed_tables(school_class: SchoolClass) -> list[int]:
    """The tables that the class missed most, among those that the form offers."""
    tables = [table for table in most_missed_tables(school_class) if table in TABLES_TO_10]
    return sorted(tables[:MOST_PROPOSED_TABLES])


def show_next_hand(
    school_class: SchoolClass, tables: Collection[int], seen_hand: UUID | None
) -> None:
    """Show the class its next hand, with rows of these tables. A second tap does nothing, because
    the class no longer looks at the hand `seen_hand`. Raises `bounds.LimitReached`."""
    before = current_hand(school_class)
    number = before.turn.number + 1 if before else 1
    recent_hands = Assignment.hands.filter(
        school_class=school_class, created_at__gt=timezone.now() - REPEAT_AFTER
    )
    rows_shown = {hand.turn.row for hand in recent_hands.only("one_turn")}
    row, begun = _next_hand(school_class, sorted(tables), number, rows_shown)
    with lock(school_class) as (school_class,):
        now = current_hand(school_class)
        if (now.pk if now else None) != seen_hand:
            return
        bounds.ensure_room_for_hand(school_class)
        _close_hands(school_class, shows=False)
        Assignment.all_objects.create(
            school_class=school_class,
            one_turn={
                "number": number,
                "tables": sorted(tables),
                "row": list(row),
                "round": begun.to_data(),
            },
            **columns_of_turn(begun),
        )
        _look_until(school_class, timezone.now() + HANDS_DURATION)


def _next_hand(
    school_class: SchoolClass, tables: Sequence[int], number: int, rows: Collection[Sequence[int]]
) -> tuple[Sequence[int], BegunRound]:
    """The row of the next hand and the hand itself, in which a child of the class has missed this
    row of these tables, and no row of another table is laid. Otherwise no row, and a made-up
    hand."""
    for chance in _candidates(school_class, tables, number, rows)[:MOST_GAMES_READ]:
        moments = moments_of_turn(chance.game, chance.entry)
        state = moments[-1].before.state
        row_play = parse_play(chance.row, chance.game.ruleset)
        begun = round_from_game(state.position(state.turn), row_play, tables)
        if begun and {*tables}.issuperset(begun.ruleset.tables or ()):
            return chance.numbers, begun
    return (), make_round(tables, randbits(62), continues_row=number >= FIRST_CONTINUED_HAND)


def _candidates(
    school_class: SchoolClass, tables: Sequence[int], number: int, past: Collection[Sequence[int]]
) -> list[Chance]:
    """The missed rows of these tables at which the class has not looked, each once. The first is as
    hard as the hand with this number should be; harder ones follow, then easier ones."""
    by_numbers: dict[tuple[int, ...], Chance] = {}
    for table in tables:
        last = missed_rows_lately(school_class).filter(table=table).select_related("game")
        for chance in last.defer("game__snapshot").order_by("-at", "-pk")[:MOST_SEARCHED]:
            by_numbers.setdefault(tuple(chance.numbers), chance)
    rows = sorted(
        by_numbers.values(),
        key=lambda row: (*effort_to_see(row), TEACHING_ORDER.index(row.table), row.pk),
    )
    at = len(rows) * min(number - 1, HANDS_TO_HARDEST - 1) // HANDS_TO_HARDEST
    return [row for row in rows[at:] + rows[:at] if tuple(row.numbers) not in past]


def show_rows(school_class: SchoolClass, seen_hand: UUID | None) -> None:
    """Show all rows of the hand `seen_hand`, and end its games."""
    with lock(school_class) as (school_class,):
        hand = current_hand(school_class)
        if hand is None or hand.pk != seen_hand:
            return
        _close_hands(school_class, shows=True)
        _look_until(school_class, timezone.now() + HANDS_DURATION)


def end(school_class: SchoolClass) -> None:
    """End the hands of this class, so that the children return to their games."""
    with lock(school_class) as (school_class,):
        _close_hands(school_class, shows=False)
        _look_until(school_class, timezone.now())


def _look_until(school_class: SchoolClass, until: datetime) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(hand_until=until)


def _close_hands(school_class: SchoolClass, *, shows: bool) -> None:
    """Close the open hands of a locked class, and end their games. If this `shows` the rows,
    a child has missed the rows that they did not lay. Not so a child who has laid nothing and has
    just come, is new to the game or sees no rows: their game is deleted."""
    now = timezone.now()
    for hand in Assignment.hands.filter(school_class=school_class, ended_at=None):
        games = Game.objects.filter(attempt__assignment=hand).order_by("pk")
        # Locked first, so that a row that a child is laying is stored before or not at all.
        locked = games.filter(finished_at=None).select_for_update(no_key=True)
        others = Attempt.objects.filter(assignment__one_turn__isnull=True)
        players = set(
            others.filter(child__attempts__assignment=hand).values_list("child", flat=True)
        )
        open_games = list(locked.prefetch_related("attempts__child"))
        laid_rows = _laid_rows(hand)
        first_version = len(hand.turn.begun.log)
        # Counted before the games of those who have only just come are deleted.
        outcome: dict[str, Any] = {"came": _attempts(hand).count()} if shows else {}
        if not (shows and games.filter(version__gt=first_version).exists()):
            outcome[NOBODY_MISSED] = True
        data = {**(hand.one_turn or {}), **outcome}
        Assignment.all_objects.filter(pk=hand.pk).update(ended_at=now, one_turn=data)
        for game in open_games:
            (attempt,) = game.attempts.all()
            has_looked = shows and game.created_at <= now - TIME_TO_LOOK
            may_miss = has_looked and attempt.child_id in players
            if not (laid_rows.get(game.pk) or may_miss):
                play.delete(Game.objects.filter(pk=game.pk))
            else:
                player = attempt.child.player
                play.act(game.pk, player, version=game.version, key=uuid4(), move=Do(End()))


def join_hand(child: Child) -> Game | None:
    """The child's game of the hand at which their class looks. It is begun if the hand is open;
    None if the rows were shown before the child came. Raises `Changed` if there is no hand, or if
    the child has left the class."""
    with lock(child.school_class, child) as (school_class, child):
        hand = current_hand(school_class)
        if hand is None or child.removed_at or child.school_class_id != school_class.pk:
            raise Changed
        attempt = Attempt.objects.select_related("game").filter(child=child, assignment=hand)
        if first := attempt.first():
            return first.game
        if hand.ended_at:
            return None
        game = starting.start_begun(
            hand.turn.begun,
            seats_of(child, hand.bots, hand.bot),
            hint_steps=0,
            has_shared_deal=True,
        )
        Attempt.objects.create(assignment=hand, child=child, game=game)
        return game


def game_before(child: Child) -> UUID | None:
    """The game whose round the child was playing before the class looked at hands. None if its
    assignment can be played no more."""
    plays = Child.objects.exclude(last_game__phase__in=OVER_PHASES).filter(
        pk=child.pk,
        last_game__finished_at=None,
        last_game__moved_at__gt=timezone.now() - LESSON,
    )
    game = plays.values_list("last_game", flat=True).first()
    given = Assignment.objects.filter(attempts__game=game)
    is_over = given.exists() and not current_assignments(child).filter(pk__in=given).exists()
    return None if is_over else game


def hand_version(hand: Assignment | None) -> str:
    """A text that changes when the class goes to the next hand, or to the rows of this hand."""
    return "" if hand is None else f"{hand.pk}{'-' if hand.ended_at else ''}"


def hand_of(game_id: UUID) -> Assignment | None:
    """The hand that a game belongs to; None if it no longer belongs to one."""
    return Assignment.all_objects.filter(attempts__game=game_id).first()


def poll_of(hand: Assignment | None) -> str:
    """The address that tells a page of this hand when the class has gone on."""
    query = urlencode({"seen": hand_version(hand)})
    return f"{reverse('classrooms:childs_hand_changed')}?{query}"


def tally_of(hand: Assignment) -> HandTally:
    count = hand.turn.child_count
    present = _attempts(hand).count() if count is None else count
    with_row = sum(map(bool, _laid_rows(hand).values()))
    return HandTally(hand.school_class.children.count(), present, with_row)


def found_rows(hand: Assignment) -> list[FoundRow]:
    """All rows of a hand whose rows are shown: first those that can be laid from the start, the
    easiest to see first, then those that became possible later."""
    assert hand.ended_at
    begun = hand.turn.begun
    laid_rows = _laid_rows(hand).values()
    rows = rows_to_find(begun.state.position(0))
    other_rows = Counter(
        numbers
        for by_child in laid_rows
        for numbers in {*by_child}
        if not any(counts_as(numbers, row) for row in rows)
    )
    counts = [
        sum(any(counts_as(numbers, row) for numbers in by_child) for by_child in laid_rows)
        for row in rows
    ]
    row_counts = [*zip(rows, counts, strict=True), *sorted(other_rows.items())]
    return [
        FoundRow(row, tuple(face(number, begun.ruleset) for number in row), n)
        for row, n in row_counts
    ]


def _attempts(hand: Assignment) -> QuerySet[Attempt]:
    """The attempts of the children who are still in the class."""
    return Attempt.objects.filter(assignment=hand, child__in=hand.school_class.children.all())


def _laid_rows(hand: Assignment) -> Mapping[UUID, Sequence[tuple[int, ...]]]:
    """For each game, the numbers of the rows that its child laid and did not take back."""
    acts = Entry.objects.filter(game__attempt__in=_attempts(hand))
    return {
        game: [tuple(data["numbers"]) for _text, data in plays]
        for game, plays in plays_by_game(acts).items()
    }
