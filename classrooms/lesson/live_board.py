"""The live board of a lesson: who plays, who is stuck, who is done.

The page polls the tag every few seconds: one small query of the children and their games, which
shows whether anything on the page has changed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.db import connection
from django.db.models import F, UUIDField
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.status import rounds_done
from classrooms.models import Attempt, Child
from games.models import Action, Game
from games.screen.words import title

LessonState = Literal["playing", "pausing", "stuck", "done", "away"]
STATES: Final[Sequence[LessonState]] = ("stuck", "pausing", "playing", "done", "away")
"""In the order of how much they need a teacher."""

NAMES: Final[Mapping[LessonState, Promise]] = {
    "stuck": _("stuck"),
    "pausing": _("pausing"),
    "playing": _("playing"),
    "done": _("done"),
    "away": _("not playing"),
}

LESSON: Final = timedelta(minutes=90)
"""A game without a move for this long is not part of the lesson."""
PAUSES: Final = (timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15))
"""A child without a move for the first of these is pausing; the board shows each one reached."""
REFUSED_TO_BE_STUCK: Final = 3
"""With this many plays refused and nothing laid in between, a child is stuck."""
RECENT: Final = 24
"""How many entries of a game's log are looked at for refused plays."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """What may change between two polls: `version` of the child's game; `pause`: how many of
    `PAUSES` have passed without a move. `game` is None: not in this lesson."""

    child: UUID
    game: UUID | None
    version: int = 0
    pause: int = 0
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A child in the lesson. `refused`: plays refused since its last allowed action."""

    child: Child
    state: LessonState
    title: str = ""
    rounds_done: int = 0
    rounds: int | None = None
    refused: int = 0
    pause: timedelta | None = None

    @property
    def name(self) -> str:
        return str(NAMES[self.state])

    @property
    def minutes(self) -> int:
        """The minutes of the longest pause reached without a move."""
        return int(self.pause.total_seconds() // 60) if self.pause else 0


def beat(class_id: UUID, now: datetime) -> str:
    """A text that changes whenever the pulses of the class do: one query, one row.

    In SQL, since it is polled every few seconds and the ORM takes longer than the query.
    """
    ago = [connection.ops.adapt_datetimefield_value(now - each) for each in (*PAUSES, LESSON)]
    asked = UUIDField().get_db_prep_value(class_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [*ago, asked])
        return str(cursor.fetchone())


_PAUSED: Final = "SUM(CASE WHEN game.moved_at <= %s THEN 1 ELSE 0 END)"
# Only names of tables and columns are joined here; values are parameters.
BEAT: Final = f"""
    SELECT COUNT(*), COUNT(game.id), SUM(game.version), MAX(game.moved_at),
        {", ".join([_PAUSED] * (len(PAUSES) + 1))}
    FROM {Child._meta.db_table} child
    LEFT JOIN {Game._meta.db_table} game ON game.id = child.at_table_id
    WHERE child.school_class_id = %s AND child.removed_at IS NULL
"""  # nosec B608


def pulses(class_id: UUID, now: datetime) -> list[Pulse]:
    """The pulses of the children of the class now: one query, one row per child."""
    game = ("at_table", "at_table__version", "at_table__moved_at", "at_table__finished_at")
    rows = Child.objects.filter(school_class=class_id).order_by("pk").values_list("pk", *game)
    return [_pulse(now, *row) for row in rows]


def _pulse(
    now: datetime,
    child: UUID,
    game: UUID | None,
    version: int,
    moved_at: datetime | None,
    finished_at: datetime | None,
) -> Pulse:
    if moved_at is None or now - moved_at > LESSON:
        return Pulse(child, None)
    pause = 0 if finished_at else sum(now - moved_at >= each for each in PAUSES)
    return Pulse(child, game, version, pause, finished_at is not None)


def tag_of(beat_text: str, *, reader: str) -> str:
    """A tag for what is shown at this beat, signed for this reader: a browser that sends it back
    has been shown just that."""
    return salted_hmac("classrooms.live", f"{reader} {beat_text}", algorithm="sha256").hexdigest()


def seen(pulses_now: Sequence[Pulse]) -> list[Seen]:
    """The children of these pulses, in the order of `STATES`. A fixed number of queries."""
    by_child = {pulse.child: pulse for pulse in pulses_now}
    games = [pulse.game for pulse in pulses_now if pulse.game]
    refused = _refused(games)
    attempts = {
        attempt.child_id: attempt
        for attempt in Attempt.objects.filter(game__in=games)
        .select_related("assignment", "game")
        .defer("game__snapshot")
    }
    children = Child.objects.filter(pk__in=by_child)
    everyone = [
        _seen(child, by_child[child.pk], attempts.get(child.pk), refused) for child in children
    ]
    return sorted(everyone, key=lambda one: STATES.index(one.state))


def counts(everyone: Iterable[Seen]) -> list[tuple[LessonState, str, int]]:
    """How many children are in each state, in the order of `STATES`."""
    by_state = Counter(one.state for one in everyone)
    return [(state, str(NAMES[state]), by_state[state]) for state in STATES]


def _seen(child: Child, pulse: Pulse, attempt: Attempt | None, refused: Mapping[UUID, int]) -> Seen:
    if pulse.game is None or attempt is None:
        return Seen(child, "away")
    times = refused.get(pulse.game, 0)
    state: LessonState = "playing"
    if pulse.is_over:
        state = "done"
    elif pulse.pause == len(PAUSES):
        state = "away"
    elif times >= REFUSED_TO_BE_STUCK:
        state = "stuck"
    elif pulse.pause:
        state = "pausing"
    return Seen(
        child,
        state,
        title=title(attempt.assignment.ruleset),
        rounds_done=rounds_done(attempt.game),
        rounds=attempt.assignment.rounds,
        refused=times,
        pause=PAUSES[pulse.pause - 1] if pulse.pause else None,
    )


def _refused(games: Sequence[UUID]) -> Mapping[UUID, int]:
    """By game: how many plays were refused since the player's last allowed action."""
    recent = (
        Action.objects.filter(game__in=games, number__gt=F("game__version") - RECENT)
        .filter(kind__in=(Action.Kind.ACT, Action.Kind.REFUSED), seat=F("game__seats__number"))
        .filter(game__seats__player__isnull=False)
        .order_by("number")
    )
    times: Counter[UUID] = Counter()
    for game, kind in recent.values_list("game", "kind"):
        times[game] = times[game] + 1 if kind == Action.Kind.REFUSED else 0
    return times
