"""The live board: what the children of a class are playing now."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from threading import Lock
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, UUIDField
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext, npgettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.presets import title_of
from classrooms.assignments.tables import SEEN_FOR, present
from classrooms.checks.models import Sitting
from classrooms.checkups.models import ChildCheckUp
from classrooms.lesson import hands
from classrooms.models import Assignment, Attempt, Chair, Child, SchoolClass, Table
from games.engine.round import OVER, ROUND_OVER, TO_TAKE
from games.models import Entry, Game, Seat
from games.play import services
from games.play.presence import is_here
from games.play.services import NotFound, Watched
from games.screen import board, hint_words, refusal_words, words
from games.screen.card_drawing import face
from games.screen.replay import Scene
from games.screen.view_models import Face, Player

# What each child has done, by the logs of the lesson's games. Log entries never change, so each
# process remembers what it has read, and a poll of the board reads only new ones.


@dataclass(frozen=True, slots=True)
class LessonTally:
    """What a child has done since the lesson began."""

    rows: int = 0  # rows laid and not taken back
    hints: int = 0  # hint steps asked for
    # In the game at the child's table:
    refused: int = 0  # plays refused since the last allowed action
    hints_since: int = 0  # hint steps asked for since the last allowed action
    looks_at_hint: bool = False  # whether the child's last entry is a hint


KEY: Final = UUIDField()
"""Converts keys of classes and children to the form of the database and back."""
NOTHING: Final = LessonTally()
MOST_CLASSES: Final = 50
"""A process remembers the logs of this many classes, and first forgets the one not used for the
longest time."""


class _CountedEntry(NamedTuple):
    """An entry of a child in the log of a game."""

    number: int
    kind: str
    laid: int  # 1 for a row, -1 for a row taken back
    at: datetime


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a seat's entries."""

    last: int = 0  # the number of the last entry read
    last_act: int = 0  # the number of the last allowed action
    entries: tuple[_CountedEntry, ...] = ()  # the counted entries of the lesson
    tally: LessonTally = NOTHING  # their sum

    def after(self, new: Sequence[_CountedEntry], begin: datetime) -> "_Read":
        """The state after these entries, without entries from before the lesson."""
        if not new and (not self.entries or self.entries[0].at > begin):
            return self
        last = new[-1].number if new else self.last
        acts = (entry.number for entry in new if entry.kind == Entry.Kind.ACT)
        last_act = max(acts, default=self.last_act)
        entries = tuple(
            entry
            for entry in (*self.entries, *new)
            if entry.at > begin and (entry.laid or entry.kind in COUNTED)
        )
        return _Read(last, last_act, entries, _tally_of(entries, last, last_act))


COUNTED: Final = (Entry.Kind.HINT, Entry.Kind.REFUSED)
SEAT: Final = itemgetter(slice(3))
"""In a row of `LOGGED`: the child, the seat, and whether the seat is in the game at the child's
table."""
_READ: Final[dict[UUID, Mapping[int, _Read]]] = {}
"""What was read, by class and by key of a seat."""
_LOCK: Final = Lock()


def tallies_since(class_id: UUID, since: datetime) -> Mapping[UUID, LessonTally]:
    """What each child of the class has done since then. Children who did nothing are missing."""
    before = _READ.get(class_id, {})
    read: dict[int, _Read] = {}
    found: dict[UUID, LessonTally] = {}
    for (child, seat, at_table), rows in groupby(_rows(class_id, since, before), SEAT):
        new = [
            _CountedEntry(number, kind, laid, _in_utc(at))
            for *_seat, number, kind, laid, at in rows
            if number
        ]
        read[seat] = before.get(seat, _Read()).after(new, since)
        tally = read[seat].tally
        if not at_table:
            tally = LessonTally(tally.rows, tally.hints)
        child_id = KEY.to_python(child)
        found[child_id] = _sum_of_tallies(found[child_id], tally) if child_id in found else tally
    _remember(class_id, read)
    return found


def _in_utc(at: datetime) -> datetime:
    """A moment from the database in UTC: SQLite leaves the time zone out."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _tally_of(entries: Sequence[_CountedEntry], last: int, last_act: int) -> LessonTally:
    hints = [entry.number for entry in entries if entry.kind == Entry.Kind.HINT]
    return LessonTally(
        rows=sum(entry.laid for entry in entries),
        hints=len(hints),
        refused=sum(
            entry.kind == Entry.Kind.REFUSED and entry.number > last_act for entry in entries
        ),
        hints_since=sum(number > last_act for number in hints),
        looks_at_hint=last in hints,
    )


def _sum_of_tallies(first: LessonTally, second: LessonTally) -> LessonTally:
    """The sum of a child's tallies in two games, at most one of which is at the child's table."""
    return LessonTally(
        rows=first.rows + second.rows,
        hints=first.hints + second.hints,
        refused=first.refused + second.refused,
        hints_since=first.hints_since + second.hints_since,
        looks_at_hint=first.looks_at_hint or second.looks_at_hint,
    )


def _rows(class_id: UUID, since: datetime, before: Mapping[int, _Read]) -> list[tuple[Any, ...]]:
    known = json.dumps({seat: read.last for seat, read in before.items()})
    asked = KEY.get_db_prep_value(class_id, connection)
    begin = connection.ops.adapt_datetimefield_value(since)
    with connection.cursor() as cursor:
        cursor.execute(LOGGED[connection.vendor], [known, asked, begin])
        return cursor.fetchall()


def _remember(class_id: UUID, read: Mapping[int, _Read]) -> None:
    with _LOCK:
        _READ.pop(class_id, None)
        _READ[class_id] = read
        while len(_READ) > MOST_CLASSES:
            del _READ[next(iter(_READ))]


# A play begins with a card: a number, or the letter of a joker and its number.
_IS_ROW: Final = (
    "(SUBSTR(action.text, 1, 1) IN ('1', '2', '3', '4', '5', '6', '7', '8', '9')"
    " OR SUBSTR(action.text, 2, 1) = '=')"
)
_LAID: Final = f"""CASE WHEN action.kind = 'act' AND {_IS_ROW} THEN 1
    WHEN action.kind = 'take back' THEN -1 ELSE 0 END"""
_KNOWN: Final = {
    "postgresql": "CAST(%s AS jsonb) ->> CAST(seat.id AS TEXT)",
    "sqlite": """json_extract(%s, '$."' || seat.id || '"')""",
}
"""The number of the last entry that was read of a seat. The numbers are one value, not a table to
join: so the statement is always the same and psycopg parses it once, and PostgreSQL finds the new
entries by the index of a game's numbers, with or without statistics."""
# Only names of tables and columns and these expressions are inserted; values are parameters.
LOGGED: Final = {
    vendor: f"""
    WITH seated AS MATERIALIZED (
        SELECT child.id AS child_id, seat.id, seat.number, game.id AS game_id,
            CASE WHEN game.id = child.at_table_id THEN 1 ELSE 0 END AS at_table,
            COALESCE(CAST({known} AS INTEGER), 0) AS last
        FROM {Child._meta.db_table} child
        JOIN {Seat._meta.db_table} seat ON seat.player = child.player
        JOIN {Game._meta.db_table} game ON game.id = seat.game_id
        WHERE child.school_class_id = %s AND child.removed_at IS NULL AND game.moved_at > %s
    )
    SELECT seated.child_id, seated.id, seated.at_table, action.number, action.kind, {_LAID},
        action.at
    FROM seated
    LEFT JOIN {Entry._meta.db_table} action ON action.game_id = seated.game_id
        AND action.number > seated.last AND action.seat = seated.number
    ORDER BY seated.child_id, seated.id, action.number
"""  # nosec B608
    for vendor, known in _KNOWN.items()
}


# The live board of a lesson: who plays, who is stuck, who is done. Every few seconds the page polls
# whether anything on it has changed, which costs one small query of the children and their games.

LessonState = Literal["playing", "answering", "pausing", "stuck", "done", "away"]
STATES: Final[Sequence[LessonState]] = (
    "stuck",
    "pausing",
    "playing",
    "answering",
    "done",
    "away",
)
"""The states. Those in which children most need a teacher come first."""

NAMES: Final[Mapping[LessonState, Promise]] = {
    # Translators: what a child is doing in the lesson, beside its name
    "stuck": _("stuck"),
    # Translators: a child who has made no move for some minutes
    "pausing": _("pausing"),
    # Translators: what a child is doing now
    "playing": _("playing"),
    "answering": _("answering"),
    # Translators: a child who has played all that they were given
    "done": _("done"),
    "away": _("not playing"),
}
STATE_COUNTS: Final[Mapping[LessonState, Any]] = {
    "stuck": npgettext_lazy("so many children", "stuck", "stuck"),
    "pausing": npgettext_lazy("so many children", "pausing", "pausing"),
    "playing": npgettext_lazy("so many children", "playing", "playing"),
    "answering": npgettext_lazy("so many children", "answering", "answering"),
    "done": npgettext_lazy("so many children", "done", "done"),
    "away": npgettext_lazy("so many children", "not playing", "not playing"),
}
"""The number of children in each state, as text with the number in `%`."""

HIDDEN: Final = "hidden"
"""The value of `names` in an address that hides the names."""
LESSON: Final = timedelta(minutes=90)
"""A game without a move for this long is not part of the lesson, and rows and hints count for this
long."""
PAUSES: Final = (timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15))
"""A child who has not moved or answered for the first of these times is pausing. The board shows
the longest of them that has passed."""
REFUSED_TO_BE_STUCK: Final = 3
HINTS_TO_BE_STUCK: Final = 3
"""A child is stuck after this many refused plays, or hints asked for, since their last allowed
action."""


class Row(NamedTuple):
    """A child and the game on their screen."""

    child: UUID
    child_name: str
    is_here: bool  # whether the game is of this lesson; if not, the fields of the game say nothing
    is_over: bool
    phase: str
    round: int
    rounds: int | None
    is_answering: bool  # whether questions after this round are open
    pause: int  # how many of `PAUSES` are over without a move or an answer
    answered: int | None  # questions answered in a check-up, if the child is in one now
    has_chair: bool = False  # whether the child has a chair at a table
    waits: bool | None = None  # whether it is somebody else's turn there
    has_stand_in: bool = False  # whether a bot plays for the child there
    waits_for_match: bool = False  # whether the child waits at a table whose match has not begun
    in_hand: bool = False  # whether the game is the hand at which the class looks now
    laid: int | None = None  # how many rows the child has laid in it; None if there is no hand
    game: str = ""  # the title of the game


@dataclass(frozen=True, slots=True)
class ChildTile:
    """The tile of a child on the board."""

    child: UUID
    child_name: str  # empty if names are hidden
    state: LessonState
    text: str = ""  # why the child is stuck or pausing, or what they do now
    figures: str = ""  # their rows and hints in the lesson, and how far they are in the game
    address: str = ""
    has_chair: bool = False  # whether the child has a chair at a table of several
    game: str = ""

    @property
    def name(self) -> str:
        return str(NAMES[self.state])


def beat(class_id: UUID, now: datetime) -> str:
    """A text that changes whenever the class's live board does, by one query of one row. It is SQL
    because pages poll it every few seconds, and the ORM takes longer than the query."""
    adapt = connection.ops.adapt_datetimefield_value
    ago = [adapt(now - span) for span in (*PAUSES, LESSON)]
    asked = KEY.get_db_prep_value(class_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [ago[0], *[asked] * 3, adapt(now), asked, adapt(now), *ago, asked])
        return str(cursor.fetchone())


_ANSWERED: Final = "COALESCE(sitting.closed_at, sitting.asked_at, sitting.created_at)"
_SINCE: Final = f"""game.moved_at <= {{ago}}
    AND COALESCE({_ANSWERED}, game.moved_at) <= {{ago}}
    AND COALESCE(hand_game.moved_at, game.moved_at) <= {{ago}}"""
# Only names of tables and columns are inserted here; values are parameters. A child who has come to
# the hand at which the class looks has that on their screen. A move in the class's last hand is a
# move, also after the hand.
_TABLES: Final = f"""
    {Child._meta.db_table} child
    LEFT JOIN {Attempt._meta.db_table} looked ON looked.child_id = child.id
        AND looked.assignment_id = (SELECT hand.id FROM {Assignment._meta.db_table} hand
            WHERE hand.school_class_id = %s AND hand.one_turn IS NOT NULL AND hand.riddle_on IS NULL
            ORDER BY hand.created_at DESC, hand.id DESC LIMIT 1)
    LEFT JOIN {Game._meta.db_table} hand_game ON hand_game.id = looked.game_id
    LEFT JOIN {SchoolClass._meta.db_table} looking
        ON looking.id = child.school_class_id AND looking.hand_until > %s
    LEFT JOIN {Game._meta.db_table} game ON game.id = COALESCE(
        CASE WHEN looking.id IS NOT NULL THEN looked.game_id END, child.at_table_id)
    LEFT JOIN {Sitting._meta.db_table} sitting ON sitting.game_id = game.id
        AND sitting.round = game.round AND sitting.child_id = child.id
"""  # nosec B608
_OF_CLASS: Final = "WHERE child.school_class_id = %s AND child.removed_at IS NULL"
_OF_CHECK_UPS: Final = f"""FROM {ChildCheckUp._meta.db_table} given
    JOIN {Child._meta.db_table} answering ON answering.id = given.child_id
    WHERE answering.school_class_id = %s"""
_OF_TABLES: Final = f"""SELECT CAST(COUNT(chair.id) AS TEXT) || ' '
    || CAST(COUNT(chair.seen_at) AS TEXT) || ' ' || CAST(COUNT(seated.game_id) AS TEXT)
    FROM {Chair._meta.db_table} chair
    JOIN {Table._meta.db_table} seated ON seated.id = chair.table_id AND seated.ended_at IS NULL
    JOIN {Child._meta.db_table} sitting_child ON sitting_child.id = chair.child_id
    WHERE sitting_child.school_class_id = %s"""  # nosec B608
_ON_SCREEN: Final = """given.finished_at IS NULL
    AND COALESCE(given.asked_at, given.started_at) > %s"""
_AGO: Final = [f"ago{number}" for number in range(len(PAUSES) + 1)]
_PAUSED_SINCE: Final = [f"COUNT(*) FILTER (WHERE {_SINCE.format(ago=ago)})" for ago in _AGO]
# Each moment is bound once, and the check-ups are read once: otherwise each poll is slower.
TITLED_BY: Final = ("edition", "options", "facts", "everyone", "rounds", "bots", "together")
"""The columns of an assignment from which its title is made."""
BEAT: Final = f"""
    SELECT (SELECT CAST(SUM(given.done) AS TEXT) || ' '
            || CAST(COUNT(*) FILTER (WHERE {_ON_SCREEN}) AS TEXT) {_OF_CHECK_UPS}),
        ({_OF_TABLES}), SUM(game.news), (SELECT paused.paused_until
            FROM {SchoolClass._meta.db_table} paused
            WHERE paused.id = %s AND paused.paused_until > %s),
        COUNT(*), COUNT(game.id), SUM(game.version), MAX(game.moved_at),
        COUNT(sitting.id), SUM(sitting.done), COUNT(sitting.closed_at),
        {", ".join(_PAUSED_SINCE)}
    FROM {_TABLES} CROSS JOIN (SELECT {", ".join(f"%s AS {name}" for name in _AGO)}) ago
    {_OF_CLASS}
"""  # nosec B608
ROWS: Final = f"""
    SELECT child.id, child.name,
        attempt.id IS NOT NULL AND game.moved_at >= %s,
        game.finished_at IS NOT NULL, game.phase, game.round, assignment.rounds,
        sitting.id IS NOT NULL AND sitting.closed_at IS NULL,
        {" + ".join([f"CASE WHEN {_SINCE.format(ago='%s')} THEN 1 ELSE 0 END"] * len(PAUSES))},
        (SELECT MAX(given.done) FROM {ChildCheckUp._meta.db_table} given
            WHERE given.child_id = child.id AND {_ON_SCREEN}),
        EXISTS (SELECT 1 FROM {Chair._meta.db_table} chair WHERE chair.child_id = child.id),
        game.at_turn <> own.number, own.away IS NOT NULL,
        EXISTS (SELECT 1 FROM {Chair._meta.db_table} chair
            JOIN {Table._meta.db_table} waiting ON waiting.id = chair.table_id
            WHERE chair.child_id = child.id AND chair.seen_at > %s
                AND waiting.game_id IS NULL AND waiting.ended_at IS NULL),
        looked.id IS NOT NULL AND looking.id IS NOT NULL,
        CASE WHEN looking.id IS NOT NULL THEN (SELECT SUM({_LAID})
            FROM {Entry._meta.db_table} action
            WHERE action.game_id = looked.game_id AND action.seat = 0) END,
        {", ".join(f"assignment.{name}" for name in TITLED_BY)}
    FROM {_TABLES}
    LEFT JOIN {Seat._meta.db_table} own ON own.game_id = game.id AND own.player = child.player
    LEFT JOIN {Attempt._meta.db_table} attempt
        ON attempt.game_id = game.id AND attempt.child_id = child.id
    LEFT JOIN {Assignment._meta.db_table} assignment ON assignment.id = attempt.assignment_id
    {_OF_CLASS} ORDER BY child.name_order, child.name
"""  # nosec B608


@dataclass(frozen=True, slots=True)
class PollTag:
    """Stands for what a page shows. Both parts are signed, so a browser that sends a tag back was
    given that tag."""

    shown: str
    hour: str  # proof that the reader was shown the page in this hour

    def __str__(self) -> str:
        return f"{self.shown}.{self.hour}"

    def is_of_the_hour_of(self, asked: str) -> bool:
        """Whether the tag that a browser sends back proves that its reader was shown the page in
        this hour."""
        return constant_time_compare(asked.partition(".")[2], self.hour)


def tag_of(beat_text: str, *, reader: str) -> str:
    """A tag for the board at this beat, signed for this reader: a browser that sends it back was
    shown exactly that board."""
    return salted_hmac("classrooms.live", f"{reader} {beat_text}", algorithm="sha256").hexdigest()


def child_tiles(class_id: UUID, now: datetime, *, names: bool = True) -> list[ChildTile]:
    """The children of the class in the order of `STATES`, with names only if `names`. Two
    queries."""
    log = tallies_since(class_id, now - LESSON)
    # One address is reversed and then filled in for each child, because reversing takes longer than
    # the query.
    above = reverse("classrooms:live", args=[class_id])
    below = "" if names else f"?names={HIDDEN}"
    language = get_language()
    everyone = [
        _tile_of(row, log.get(row.child, NOTHING), above, below, language)
        for row in _board_rows(class_id, now, language, names=names)
    ]
    return sorted(everyone, key=lambda tile: STATES.index(tile.state))


def is_in_check_up(child: Child, now: datetime) -> bool:
    """Whether a question of a check-up is on the child's screen. A child who has left a question
    open for longer than the first of `PAUSES` has gone away from it."""
    open_now = ChildCheckUp.objects.filter(child=child, finished_at=None)
    shown = open_now.annotate(shown_at=Coalesce("asked_at", "started_at"))
    return shown.filter(shown_at__gt=now - PAUSES[0]).exists()


def _in_check_up(row: Row, answered: int, address: str) -> ChildTile:
    figures = ngettext("%(n)d question answered", "%(n)d questions answered", answered)
    return ChildTile(
        row.child,
        row.child_name,
        "answering",
        text=gettext("is doing a check-up"),
        figures=figures % {"n": answered},
        address=address,
        has_chair=row.has_chair,
    )


def counts(everyone: Iterable[ChildTile]) -> list[tuple[LessonState, str, int]]:
    """How many children are in each state, in the order of `STATES`."""
    by_state = Counter(tile.state for tile in everyone)
    return [
        (state, str(STATE_COUNTS[state] % by_state[state]), by_state[state]) for state in STATES
    ]


def _board_rows(class_id: UUID, now: datetime, language: str | None, *, names: bool) -> list[Row]:
    adapt = connection.ops.adapt_datetimefield_value
    ago = chain.from_iterable((adapt(now - pause),) * 3 for pause in PAUSES)
    asked = KEY.get_db_prep_value(class_id, connection)
    with connection.cursor() as cursor:
        since = map(adapt, (now - PAUSES[0], now - SEEN_FOR))
        cursor.execute(ROWS, [adapt(now - LESSON), *ago, *since, asked, adapt(now), asked])
        rows, at = cursor.fetchall(), -len(TITLED_BY)
    return [
        Row._make(
            (KEY.to_python(child), name if names else "", *rest[:at], _title(language, *rest[at:]))
        )
        for child, name, *rest in rows
    ]


@lru_cache(maxsize=256)
def _title(language: str | None, edition: str | None, options: str, facts: str, *more: Any) -> str:
    """The title of the assignment with these values of `TITLED_BY`, in this `language`."""
    if edition is None:
        return ""
    values = (edition, json.loads(options), json.loads(facts), *more)
    return title_of(Assignment(**dict(zip(TITLED_BY, values, strict=True))))


@lru_cache(maxsize=1024)
def _tile_of(row: Row, log: LessonTally, above: str, below: str, language: str | None) -> ChildTile:
    """The tile of a child, on a page in this `language`. Cached, because between polls most tiles
    do not change."""
    address = f"{above}{row.child}/{below}"
    if row.answered is not None:
        return _in_check_up(row, row.answered, address)
    if row.waits_for_match:
        text = gettext("waits for more children")
        return ChildTile(
            row.child, row.child_name, "playing", text, address=address, has_chair=True
        )
    if not row.is_here:
        return ChildTile(
            row.child, row.child_name, "away", address=address, has_chair=row.has_chair
        )
    if row.in_hand:
        text = gettext("has laid a row") if row.laid else gettext("is looking at the hand")
        figures = _figures(log.rows, log.hints)
        return ChildTile(
            row.child, row.child_name, "playing", text, figures, address, row.has_chair
        )
    pause = PAUSES[row.pause - 1] if row.pause else None
    state = _state(row, log, pause)
    done = row.round - (row.phase not in OVER)
    return ChildTile(
        row.child,
        row.child_name,
        state,
        text=_why_stuck(state, log, pause)
        or _what_now(row, log, is_answering=state == "answering"),
        figures=_figures(log.rows, log.hints, _rounds(done, row.rounds)),
        address=address,
        has_chair=row.has_chair,
        game=row.game,
    )


def _figures(rows: int, hints: int, rounds: str = "") -> str:
    parts = [
        rounds,
        ngettext("%(n)d row", "%(n)d rows", rows) % {"n": rows},
        ngettext("%(n)d hint", "%(n)d hints", hints) % {"n": hints} if hints else "",
    ]
    return " · ".join(filter(None, parts))


def _rounds(done: int, wanted: int | None) -> str:
    if wanted:
        text = ngettext("%(done)d of %(all)d round", "%(done)d of %(all)d rounds", wanted)
        return text % {"done": done, "all": wanted}
    return ngettext("%(n)d round", "%(n)d rounds", done) % {"n": done}


def _state(row: Row, log: LessonTally, pause: timedelta | None) -> LessonState:
    if row.is_answering and not pause:
        return "answering"
    if row.is_over:
        return "done"
    if pause == PAUSES[-1] or row.has_stand_in:
        return "away"
    if log.refused >= REFUSED_TO_BE_STUCK or log.hints_since >= HINTS_TO_BE_STUCK:
        return "stuck"
    return "pausing" if pause and not row.waits else "playing"


def _what_now(row: Row, log: LessonTally, *, is_answering: bool) -> str:
    if is_answering:
        return gettext("is answering short questions")
    if row.phase == ROUND_OVER:
        return gettext("has finished round %(n)d") % {"n": row.round}
    if row.has_stand_in:
        return gettext("a bot plays for them")
    if log.looks_at_hint:
        return gettext("is looking at a hint")
    return gettext("is waiting for their turn") if row.waits else ""


def _why_stuck(state: LessonState, log: LessonTally, pause: timedelta | None) -> str:
    if state == "stuck" and log.refused >= REFUSED_TO_BE_STUCK:
        n = log.refused
        return ngettext("%(n)d move refused", "%(n)d moves refused", n) % {"n": n}
    if state == "stuck":
        n = log.hints_since
        return ngettext("%(n)d hint, no row yet", "%(n)d hints, no row yet", n) % {"n": n}
    if state in ("pausing", "away") and pause:
        n = int(pause.total_seconds() // 60)
        return gettext("no move for over %(n)d min") % {"n": n}
    return ""


# The tables at which several children sit: whose turn it is, and whom the others wait for.


@dataclass(frozen=True, slots=True)
class TableTile:
    """The tile of a table on the board."""

    table: UUID
    children: Sequence[tuple[str, str]]
    """The names of those who sit there, each with the address of what they see. Empty if names are
    hidden."""
    text: str
    waits: bool  # whether the others wait for somebody who is away
    address: str

    @property
    def names(self) -> list[str]:
        return [name for name, _address in self.children]


def table_tiles(class_id: UUID, now: datetime, *, names: bool = True) -> list[TableTile]:
    """The tiles of the tables at which children of the class sit or wait now; those that wait for
    somebody come first. At most four queries."""
    tables = Table.objects.filter(assignment__school_class=class_id, ended_at=None)
    lately = Q(game__finished_at=None, game__moved_at__gt=now - LESSON)
    waiting = Q(game=None, taken__seen_at__gt=now - SEEN_FOR)
    found = tables.filter(lately | waiting).distinct().defer("game__snapshot")
    found = found.select_related("game", "assignment")
    shown = [
        _tile(table, class_id, now, names=names)
        for table in found.prefetch_related("taken__child", "game__seats")
    ]
    return sorted(shown, key=lambda tile: not tile.waits)


def _tile(table: Table, class_id: UUID, now: datetime, *, names: bool) -> TableTile:
    text, waits = what_happens(table, now, names=names)
    address = reverse("classrooms:class_table", args=[class_id, table.pk])
    above = reverse("classrooms:live", args=[class_id])
    return TableTile(
        table.pk,
        [(child.name, f"{above}{child.pk}/") for child in present(table)] if names else (),
        text,
        waits,
        address if names else f"{address}?names={HIDDEN}",
    )


def what_happens(table: Table, now: datetime, *, names: bool = True) -> tuple[str, bool]:
    """What happens at a table, as text, and whether the others wait for somebody who is away."""
    if table.game is None:
        return gettext("waits for more children"), False
    if table.game.phase in OVER:
        return gettext("has finished round %(n)d") % {"n": table.game.round}, False
    players = [seat for seat in table.game.seats.all() if seat.player]
    seat = next((seat for seat in players if seat.number == table.game.at_turn), None)
    away = seat is not None and not is_here(seat, now)
    if seat is None or not names:
        return (gettext("waits for somebody who is away") if away else gettext("plays")), away
    text = gettext("waits for %(who)s, who is away") if away else gettext("%(who)s’s turn")
    return text % {"who": seat.name}, away


def figures_at(table: Table) -> Mapping[UUID | None, str]:
    """What each player at a table holds and has, in words; empty before the match."""
    seats = table.game.seats.all() if table.game else ()
    watched = next((services.watch(s.game_id, s.player) for s in seats if s.player), None)
    if watched is None:
        return {}
    players = board.board(watched.outcome).players
    return {watched.outcome.seats[player.seat].player: player.figures for player in players}


# A playing child's table, as the child sees it.


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The table as the child sees it."""

    scene: Scene  # its text is what the screen says to the child
    players: tuple[Player, ...]  # the child first
    title: str
    round: str
    moved_at: datetime  # when the table last changed
    tries: Sequence[tuple[str, str]] = ()
    """The refused plays since the last move: their cards, and what the screen answered."""
    row: Sequence[Face] = ()  # a row that the child can lay, if there is one
    question: str = ""  # what to ask a child who is stuck; empty if it is not their turn


def table_of(child: Child, *, names: bool = True) -> LiveTable | None:
    """The table as the child sees it now, with the names of classmates if `names`. None if the
    child has opened no game, or if it is gone."""
    hand = hands.current_hand(child.school_class)
    looked = child.attempts.filter(assignment=hand) if hand else child.attempts.none()
    game_id = looked.values_list("game", flat=True).first() or child.at_table_id
    if game_id is None:
        return None
    try:
        watched = services.watch(game_id, child.player)
    except NotFound:
        return None
    outcome = watched.outcome
    for seat in outcome.seats:
        if seat.player and seat.number != outcome.seat and not names:
            seat.name = gettext("a classmate")
    drawn = board.board(outcome)
    assignment = Assignment.objects.filter(attempts__game=game_id).first()
    scene = Scene(
        number=1,
        who=child.name,
        text=drawn.speech.notice.text if drawn.speech.notice else drawn.speech.to_do,
        hand=drawn.hand.cards,
        islands=drawn.felt.islands,
        felt=drawn.felt.size,
        open_card=drawn.piles.open_card,
        market=[card.face for card in drawn.piles.market],
    )
    ruleset, line = outcome.view.ruleset, watched.row and watched.row.line
    return LiveTable(
        scene,
        drawn.players,
        title_of(assignment) if assignment else drawn.title,
        drawn.round,
        outcome.game.moved_at,
        tries=[
            (
                words.listed([words.card_short(laid.card) for laid in refused.cards]),
                refusal_words.refusal(refused.refusal, ruleset),
            )
            for refused in watched.tries
        ],
        row=[face(laid.card, ruleset, laid.number) for laid in line.cards] if line else (),
        question=_question(watched),
    )


def _question(watched: Watched) -> str:
    view = watched.outcome.view
    if not view.may_act or view.phase not in (*TO_TAKE, "play"):
        return ""
    tapped = {laid.number for refused in watched.tries[-1:] for laid in refused.cards}
    return hint_words.question(watched.row, view, tapped)
