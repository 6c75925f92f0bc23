"""The live board of a lesson, which shows who plays, who is stuck, and whose game is over. Every
few seconds the page asks whether anything on it has changed, which costs one small query."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, get_args
from uuid import UUID

from django.db import connection
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext, npgettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.presets import title_of
from classrooms.assignments.status import children_with_more_to_play
from classrooms.checkups.models import ChildCheckUp
from classrooms.lesson.lesson_log import KEY, NOTHING, LessonTally, tallies_since
from classrooms.lesson.live_sql import (
    PAUSES,
    SELECT_BOARD,
    SELECT_VERSION,
    TITLE_FIELDS,
    parameters,
)
from classrooms.models import Assignment, Child, SchoolClass
from games.engine.round import ROUND_OVER

LessonState = Literal["stuck", "pausing", "playing", "answering", "done", "here", "away"]
STATES: Final[Sequence[LessonState]] = get_args(LessonState)
"""The states. Those in which children most need a teacher come first."""
NOT_PLAYING: Final = ("here", "away")
"""The states of children who have no tile but a place in a list."""

NAMES: Final[Mapping[LessonState, Promise]] = {
    # Translators: what a child is doing in the lesson, beside its name
    "stuck": _("stuck"),
    # Translators: a child who has made no move for some minutes
    "pausing": _("no move"),
    # Translators: what a child is doing now
    "playing": _("playing"),
    "answering": _("answering"),
    # Translators: a child whose last game is over; whether another one waits is said beside it
    "done": _("game finished"),
}
STATE_COUNTS: Final[Mapping[LessonState, Any]] = {
    "stuck": npgettext_lazy("so many children", "stuck", "stuck"),
    "pausing": npgettext_lazy("so many children", "without a move", "without a move"),
    "playing": npgettext_lazy("so many children", "playing", "playing"),
    "answering": npgettext_lazy("so many children", "answering", "answering"),
    "done": npgettext_lazy("so many children", "has finished a game", "have finished a game"),
    "here": npgettext_lazy("so many children", "signed in, not playing", "signed in, not playing"),
    "away": npgettext_lazy("so many children", "not signed in", "not signed in"),
}
"""The words after the number of children in each state, chosen by that number with `%`."""
SIGNED_IN: Final = npgettext_lazy("so many children", "signed in", "signed in")
"""The words for "here" while the class looks at hands: a child may read that the next one comes."""

HIDDEN: Final = "hidden"
"""The value of `names` in an address that hides the names."""
STUCK_AFTER_REFUSALS: Final = 3
STUCK_AFTER_HINTS: Final = 3
"""A child is stuck after this many refused plays, or hints asked for, since their last allowed
action."""


class BoardRow(NamedTuple):
    """A child and the game on their screen: the columns of `SELECT_BOARD`, but for the title."""

    child: UUID
    child_name: str
    is_here: bool  # whether the game belongs to this lesson; if not, its fields mean nothing
    is_over: bool
    phase: str
    round: int
    rounds: int | None
    is_answering: bool  # whether questions after this round are open
    is_signed_in: bool
    pause: int  # how many of `PAUSES` are over without a move or an answer
    questions_answered: int | None  # questions answered in a check-up, if the child is in one now
    has_chair: bool  # whether the child has a chair at a table
    waits: bool | None  # whether it is somebody else's turn there
    has_stand_in: bool  # whether a bot plays for the child there
    waits_for_match: bool  # whether the child waits at a table whose match has not begun
    in_hand: bool  # whether the game is the hand at which the class looks now
    rows_laid: int | None  # how many rows the child has laid in it; None if there is no hand
    game: str  # the title of the game


@dataclass(frozen=True, slots=True)
class ChildTile:
    """The tile of a child on the board."""

    child: UUID
    child_name: str  # empty if names are hidden: then `number` stands for it
    state: LessonState
    text: str = ""  # why the child is stuck or pausing, or what they do now
    figures: str = ""  # their rows and hints of the day, and their progress in the game
    address: str = ""
    has_chair: bool = False  # whether the child has a chair at a table of several
    game: str = ""  # empty if it is over
    number: int = 0

    @property
    def name(self) -> str:
        return str(NAMES[self.state])


def board_version(class_id: UUID, now: datetime) -> str:
    """A text that changes whenever the live board of the class does. One query of one row."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT_VERSION, parameters(class_id, now))
        return str(cursor.fetchone())


@dataclass(frozen=True, slots=True)
class PollTag:
    """What a browser sends back with a poll: which content it shows, and in which hour it got it.
    Signed, so that only a browser that was given the tag can send it."""

    shown: str
    hour: str  # proves that the reader was shown the page in this hour

    def __str__(self) -> str:
        return f"{self.shown}.{self.hour}"

    def has_same_hour(self, tag: str) -> bool:
        """Whether a tag that a browser sends back proves that its reader was shown the page in the
        hour of this tag."""
        return constant_time_compare(tag.partition(".")[2], self.hour)


def tag_of(version: str, *, reader: str) -> str:
    """A tag for this version of a page, signed for this reader. A browser that sends it back was
    shown exactly this version."""
    return salted_hmac("classrooms.live", f"{reader} {version}", algorithm="sha256").hexdigest()


def child_tiles(
    school_class: SchoolClass, now: datetime, *, with_names: bool = True
) -> list[ChildTile]:
    """The children of the class in the order of `STATES`. Two queries."""
    class_id = school_class.pk
    log = tallies_since(class_id, school_class.day_start(now))
    # One address is reversed and completed for each child: reversing takes longer than the query.
    above = reverse("classrooms:live", args=[class_id])
    below = "" if with_names else f"?names={HIDDEN}"
    language = get_language()
    everyone = [
        _tile_of(row, log.get(row.child, NOTHING), above, below, language)
        for row in _board_rows(class_id, now, language, with_names=with_names)
    ]
    everyone.sort(key=lambda tile: STATES.index(tile.state))
    if with_names:
        return everyone
    # By their keys, so that a child keeps their number and it does not give away their name.
    numbers = {child: n for n, child in enumerate(sorted(tile.child for tile in everyone), start=1)}
    return [replace(tile, number=numbers[tile.child]) for tile in everyone]


def with_waiting_games(
    school_class: SchoolClass, tiles: Sequence[ChildTile]
) -> Sequence[ChildTile]:
    """The tiles, where those of children whose game is over say whether another one waits."""
    done = {tile.child for tile in tiles if tile.state == "done"}
    if not done:
        return tiles
    waiting = children_with_more_to_play(school_class, done)
    texts = {True: gettext("another game is waiting"), False: gettext("nothing left to play")}
    return [
        replace(tile, text=texts[tile.child in waiting]) if tile.child in done else tile
        for tile in tiles
    ]


def is_in_check_up(child: Child, now: datetime) -> bool:
    """Whether a question of a check-up is on the child's screen. A child who leaves a question open
    for longer than the first of `PAUSES` has gone away from it."""
    open_now = ChildCheckUp.objects.filter(child=child, finished_at=None)
    check_ups = open_now.annotate(shown_at=Coalesce("asked_at", "started_at"))
    return check_ups.filter(shown_at__gt=now - PAUSES[0]).exists()


def counts(everyone: Iterable[ChildTile], *, at_hand: bool) -> list[tuple[LessonState, str, int]]:
    """How many children are in each state that any is in, in the order of `STATES`. `at_hand`:
    whether the class looks at a hand."""
    by_state = Counter(tile.state for tile in everyone)
    words = {**STATE_COUNTS, "here": SIGNED_IN} if at_hand else STATE_COUNTS
    return [(state, str(words[state] % n), n) for state in STATES if (n := by_state[state])]


def _board_rows(
    class_id: UUID, now: datetime, language: str | None, *, with_names: bool
) -> list[BoardRow]:
    with connection.cursor() as cursor:
        cursor.execute(SELECT_BOARD, parameters(class_id, now))
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
    for row in rows:
        row["child"] = KEY.to_python(row["child"])
        row["child_name"] *= with_names
        row["game"] = _title(language, *(row[name] for name in TITLE_FIELDS))
    return [BoardRow(**{name: row[name] for name in BoardRow._fields}) for row in rows]


@lru_cache(maxsize=256)
def _title(language: str | None, edition: str | None, options: str, facts: str, *more: Any) -> str:
    """The title of the assignment with these values of `TITLE_FIELDS`, in this `language`. A game
    without an assignment is a guided round."""
    if edition is None:
        return gettext("guided round")
    values = (edition, json.loads(options), json.loads(facts), *more)
    return title_of(Assignment(**dict(zip(TITLE_FIELDS, values, strict=True))))


@lru_cache(maxsize=1024)
def _tile_of(
    row: BoardRow, log: LessonTally, above: str, below: str, language: str | None
) -> ChildTile:
    """The tile of a child on a page in this `language`. Cached, because most tiles stay the same
    between polls."""
    tile = ChildTile(
        row.child,
        row.child_name,
        "here" if row.is_signed_in else "away",
        address=f"{above}{row.child}/{below}",
        has_chair=row.has_chair,
    )
    if (count := row.questions_answered) is not None:
        figures = ngettext("%(n)d question answered", "%(n)d questions answered", count)
        text = gettext("is doing a check-up")
        return replace(tile, state="answering", text=text, figures=figures % {"n": count})
    if row.waits_for_match:
        return replace(tile, state="playing", text=gettext("waits for more children"))
    if row.in_hand:
        text = gettext("has laid a row") if row.rows_laid else gettext("is looking at the hand")
        return replace(tile, state="playing", text=text, figures=_figures(log.rows, log.hints))
    if not row.is_here:
        return tile
    pause = PAUSES[row.pause - 1] if row.pause else None
    state = _state(row, log, pause)
    text = _why_stuck(state, log, pause)
    return replace(
        tile,
        state=state,
        text=text or _what_now(row, log, is_answering=state == "answering"),
        figures=_figures(log.rows, log.hints, _round(row)),
        game="" if row.is_over else row.game,
    )


def _figures(rows: int, hints: int, round_text: str = "") -> str:
    parts = [
        round_text,
        ngettext("today: %(n)d row", "today: %(n)d rows", rows) % {"n": rows},
        ngettext("%(n)d hint", "%(n)d hints", hints) % {"n": hints} if hints else "",
    ]
    return " · ".join(filter(None, parts))


def _round(row: BoardRow) -> str:
    text = gettext("round %(round)d of %(rounds)d") if row.rounds else gettext("round %(round)d")
    return text % {"round": row.round, "rounds": row.rounds}


def _state(row: BoardRow, log: LessonTally, pause: timedelta | None) -> LessonState:
    if row.is_answering and not pause:
        return "answering"
    if row.is_over and row.is_signed_in:
        return "done"
    if row.is_over or pause == PAUSES[-1] or row.has_stand_in:
        return "here" if row.is_signed_in else "away"
    if log.refused >= STUCK_AFTER_REFUSALS or log.hints_since >= STUCK_AFTER_HINTS:
        return "stuck"
    return "pausing" if pause and not row.waits else "playing"


def _what_now(row: BoardRow, log: LessonTally, *, is_answering: bool) -> str:
    if is_answering:
        return gettext("is answering short questions")
    if row.phase == ROUND_OVER:
        return gettext("has finished round %(n)d") % {"n": row.round}
    if row.has_stand_in:
        return gettext("a bot plays for them")
    if log.looks_at_hint:
        return gettext("is looking at a hint")
    return gettext("somebody else’s turn") if row.waits else ""


def _why_stuck(state: LessonState, log: LessonTally, pause: timedelta | None) -> str:
    if state == "stuck" and log.refused >= STUCK_AFTER_REFUSALS:
        n = log.refused
        return ngettext("%(n)d move refused", "%(n)d moves refused", n) % {"n": n}
    if state == "stuck":
        n = log.hints_since
        return ngettext("%(n)d hint, no row yet", "%(n)d hints, no row yet", n) % {"n": n}
    if state == "pausing" and pause:
        n = int(pause.total_seconds() // 60)
        return gettext("over %(n)d min") % {"n": n}
    return ""
