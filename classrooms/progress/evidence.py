"""Stage 1 of 3: from the logs of games to the children's chances and what they played.

The result depends on the logs alone: reading them twice, late or out of order changes nothing. Only
the entries after the last ended round of a game are read. They replace what earlier readings of the
same entries stored.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import (
    Case,
    DateTimeField,
    ExpressionWrapper,
    F,
    Min,
    Q,
    QuerySet,
    Value,
    When,
)
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress import counts, table_levels
from classrooms.progress.models import (
    Chance,
    FactDay,
    GameEvidence,
    Played,
    ProgressLock,
    TableDay,
)
from games.coach.chances import ChanceReader, RowChance
from games.engine.errors import ActionRefused, JsonError
from games.engine.round import OVER_PHASES, ROUND_OVER, State, ends_turn
from games.engine.table import Play
from games.engine.text.record import EntryKind, LogReplay, Transition
from games.engine.text.snapshot import state_from_data, state_to_data
from games.models import Entry, Game, Seat
from games.play.log import entry_of, setting_of

log = structlog.get_logger(__name__)

BATCH: Final = 50
"""The most games that are read and stored together."""
PICKUP_WINDOW: Final = timedelta(minutes=10)
"""A worker that was asked to count a game also takes other games in which somebody moved this
recently."""
LONGEST_THINKING: Final = timedelta(minutes=5)
"""A child who takes longer for a row was surely doing something else too."""

ATTEMPT_IS_BEHIND = Q(game__evidence_mark=None) | Q(
    game__evidence_mark__upto_entry__lt=F("game__version")
)
"""The condition that the log of an attempt's game has entries that its evidence lacks."""
HAS_NEW_ROUND = (
    Q(game__phase__in=OVER_PHASES)
    | Q(game__evidence_mark=None, game__round__gt=1)
    | Q(game__round__gt=F("game__evidence_mark__rounds") + 1)
)


_counted_fields: Final = attrgetter(
    "child_id", "day", "game_id", "round", "entry", "rounds_ended", "turns_ended"
)
"""The fields of `Played` that the counts read: two readings that agree in them change no count."""


@dataclass(slots=True, kw_only=True)
class GameReading:
    """What a game's log, after entry `after_entry`, shows about one of its children. The readings
    of all its children are stored together."""

    attempt: Attempt
    after_entry: int
    last_entry: Entry
    # `GameEvidence` explains these, and `problem`.
    rounds: int
    start_entry: int
    start: dict[str, object] | None
    played: dict[tuple[int, date], Played] = field(default_factory=dict)
    chances: list[Chance] = field(default_factory=list)
    problem: str = ""


def dirty_attempts() -> QuerySet[Attempt]:
    """The attempts at games whose log has entries that their evidence lacks."""
    return Attempt.objects.filter(ATTEMPT_IS_BEHIND)


def due_attempts() -> QuerySet[Attempt]:
    """The dirty attempts that should be counted now (`due_condition`)."""
    return Attempt.objects.filter(due_condition())


def due_condition() -> Q:
    """The condition that an attempt should be counted now: it is dirty, and a round of its game has
    ended or nobody has moved for `PROGRESS_IDLE_SECONDS`."""
    idle = timezone.now() - timedelta(seconds=settings.PROGRESS_IDLE_SECONDS)
    return ATTEMPT_IS_BEHIND & (HAS_NEW_ROUND | Q(game__moved_at__lte=idle))


def earliest_due_at() -> datetime | None:
    """When the game that has waited longest became due; None if none is due."""
    idle = timedelta(seconds=settings.PROGRESS_IDLE_SECONDS)
    moved_at = F("game__moved_at")
    left_at = ExpressionWrapper(moved_at + Value(idle), output_field=DateTimeField())
    due_at = Case(When(HAS_NEW_ROUND, then=moved_at), default=left_at)
    earliest: datetime | None = due_attempts().aggregate(due_at=Min(due_at))["due_at"]
    return earliest


def games_due(game_id: UUID) -> list[UUID]:
    """The games to count when a worker is asked to count one: that game, and others that recently
    became due. Empty if that game is already counted. The others have higher ids, so that two
    workers seldom take the same game."""
    if not dirty_attempts().filter(game=game_id).exists():
        return []
    lately = due_attempts().filter(
        game__moved_at__gte=timezone.now() - PICKUP_WINDOW, game__gt=game_id
    )
    games = lately.order_by("game").values_list("game", flat=True)[: BATCH - 1]
    return list(dict.fromkeys([game_id, *games]))


def process_game(game_id: UUID) -> bool:
    """Bring the evidence and counts of a game up to date with its log. Returns False if there was
    nothing to do, as for a game that was deleted or belongs to no attempt."""
    return process_games([game_id]) > 0


def process_games(games: Collection[UUID]) -> int:
    """Read these games and store what they show. Returns how many attempts had something new."""
    return store_readings(read_games(games)) if games else 0


def read_games(games: Collection[UUID], *, from_start: bool = False) -> list[GameReading]:
    """Read the logs of these games, for all children who play them: the entries after the last
    ended round, or all entries with `from_start`. Games without new entries are left out. Writes
    nothing."""
    attempts = (
        Attempt.objects.filter(game__in=games)
        .select_related("child", "assignment__school_class", "game__table")
        .order_by("game", "pk")
    )
    by_game: dict[UUID, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_game[attempt.game_id].append(attempt)
    stored = {} if from_start else GameEvidence.objects.in_bulk(list(games))
    starts = {
        game_id: _replay_start(attempts_at_game[0].game, stored.get(game_id))
        for game_id, attempts_at_game in by_game.items()
    }
    logs = _logs(starts)
    seats: dict[UUID, dict[int, UUID | None]] = defaultdict(dict)
    for game_id, number, player in Seat.objects.filter(game__in=starts).values_list(
        "game", "number", "player"
    ):
        seats[game_id][number] = player
    return [
        reading
        for game_id, attempts_at_game in by_game.items()
        if game_id in logs
        for reading in _readings_of_game(
            attempts_at_game, starts[game_id], logs[game_id], seats[game_id]
        )
    ]


@dataclass(frozen=True, slots=True)
class _ReplayStart:
    """The entry of a game's log after which reading starts, and the state there."""

    game: Game
    entry: int = 0
    rounds: int = 0
    state: State | None = None  # None at the start of the log and after the end of the match


def _replay_start(game: Game, stored: GameEvidence | None) -> _ReplayStart:
    if stored is None or not stored.start_entry:
        return _ReplayStart(game)
    try:
        state = stored.start and state_from_data(stored.start, game.ruleset)
    except JsonError:
        return _ReplayStart(game)
    return _ReplayStart(game, stored.start_entry, stored.rounds, state or None)


def _logs(starts: Mapping[UUID, _ReplayStart]) -> Mapping[UUID, list[Entry]]:
    condition = Q(game__in=[game_id for game_id, start in starts.items() if not start.entry])
    for game_id, replay_start in starts.items():
        if replay_start.entry:
            condition |= Q(game=game_id, number__gt=replay_start.entry)
    logs: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(condition).order_by("game", "number").defer("data", "key"):
        logs[entry.game_id].append(entry)
    return logs


def _readings_of_game(
    attempts: Sequence[Attempt],
    replay_start: _ReplayStart,
    entries: Sequence[Entry],
    seats: Mapping[int, UUID | None],
) -> list[GameReading]:
    """The readings of one game, which is replayed once for all its children."""
    start = None if replay_start.state is None else state_to_data(replay_start.state)
    readings = [
        GameReading(
            attempt=attempt,
            after_entry=replay_start.entry,
            last_entry=entries[-1],
            rounds=replay_start.rounds,
            start_entry=replay_start.entry,
            start=start,
        )
        for attempt in attempts
    ]
    if replay_start.entry and replay_start.state is None:
        return readings
    numbers = {player: number for number, player in seats.items() if player}
    readers = [_LogReader(reading, numbers) for reading in readings]
    replay = LogReplay(setting_of(replay_start.game, len(seats)), replay_start.state)
    try:
        for entry in entries:
            transition = replay.apply_entry(
                entry_of(replay_start.game, entry.kind, entry.seat, entry.text, entry.missed)
            )
            for reader in readers:
                reader.read(entry, transition)
    except ActionRefused as refused:
        for reading in readings:
            reading.problem = refused.code
        log.error("log refused by the rules", game=str(replay_start.game.pk), code=refused.code)
    return readings


class _LogReader:
    """Reads the entries of a game into the `GameReading` of one child. `numbers` maps each player
    to the number of their seat."""

    def __init__(self, reading: GameReading, numbers: Mapping[UUID, int]) -> None:
        self._reading = reading
        self._seat = numbers[reading.attempt.child.player]
        assignment = reading.attempt.assignment
        self._nobody_missed = assignment.one_turn is not None and assignment.turn.nobody_missed
        self._has_several_players = hasattr(reading.attempt.game, "table")
        self._zone = ZoneInfo(assignment.school_class.time_zone)
        self._begin_round()

    def _begin_round(self) -> None:
        self._chances = ChanceReader(self._seat, has_several_players=self._has_several_players)
        self._has_played = False  # in this round
        self._was_away = False  # whether a bot has acted for the child in this round
        self._thinking: dict[int, int | None] = {}
        self._since: datetime | None = None
        self._score = 0
        self._hints = self._tries = 0

    def read(self, entry: Entry, transition: Transition) -> None:
        if entry.kind == EntryKind.DEAL:
            self._begin_round()
            self._score = transition.after.scores[self._seat]
        if entry.seat == self._seat and entry.kind == EntryKind.STAND_IN:
            assert transition.before is not None
            self._was_away = True
            # The child does not get the points that the bot earns.
            before, after = transition.before.scores, transition.after.scores
            self._score += after[self._seat] - before[self._seat]
        elif entry.seat == self._seat:
            self._note_act(entry, transition)
        for chance in self._chances.read_entry(entry.number, transition):
            is_missed = chance.outcome == "missed"
            if not self._reading.attempt.is_repeat and not (is_missed and self._nobody_missed):
                self._add(chance, entry)
        self._count(entry, transition)

    def _note_act(self, entry: Entry, transition: Transition) -> None:
        self._has_played = True
        self._hints += entry.kind == EntryKind.HINT
        self._tries += entry.kind == EntryKind.REFUSED
        if isinstance(transition.action, Play):
            self._thinking[entry.number] = _thinking_ms(self._since, entry.at)
            self._since = entry.at

    def _count(self, entry: Entry, transition: Transition) -> None:
        """Count what ends or begins with this entry."""
        before, after = transition.before, transition.after
        has_ended = before is not None and ends_turn(before, after)
        was_own = before is not None and before.turn == self._seat
        if has_ended and was_own:
            self._end_turn(entry, after)
        if after.phase in OVER_PHASES and before is not None and before.phase not in OVER_PHASES:
            self._end_round(entry, after)
        elif after.turn == self._seat and (has_ended or not was_own):
            self._since = entry.at

    def _end_turn(self, entry: Entry, after: State) -> None:
        if entry.kind != EntryKind.STAND_IN:
            round_played = self._played(entry, after)
            round_played.turns_ended += 1
            round_played.hints_asked += self._hints
            round_played.turns_with_hint += self._hints > 0
            round_played.tries_refused += self._tries
        self._hints = self._tries = 0
        self._thinking = {}

    def _end_round(self, entry: Entry, after: State) -> None:
        if self._has_played or not self._was_away:
            round_played = self._played(entry, after)
            round_played.rounds_ended += 1
            round_played.points = after.scores[self._seat] - self._score
            is_own = after.goal is None and not self._was_away
            round_played.won = after.round_winner == self._seat if is_own else None
        self._reading.rounds += 1
        self._reading.start_entry = entry.number
        self._reading.start = state_to_data(after) if after.phase == ROUND_OVER else None

    def _played(self, entry: Entry, state: State) -> Played:
        day = self._day(entry)
        round_played = self._reading.played.setdefault(
            (state.round, day), Played(**self._common_fields(entry), round=state.round)
        )
        round_played.entry, round_played.at = entry.number, entry.at
        return round_played

    def _add(self, chance: RowChance, entry: Entry) -> None:
        last = chance.entries[-1]
        self._reading.chances.append(
            Chance(
                **self._common_fields(entry) | {"entry": last},
                round=chance.round,
                table=chance.table,
                outcome=chance.outcome,
                first_turn=chance.first_turn,
                last_turn=chance.last_turn,
                tries=chance.tries,
                hint_step=chance.hint_step,
                entries=list(chance.entries),
                row=chance.row,
                numbers=list(chance.numbers),
                thinking_ms=self._thinking.get(last),
            )
        )

    def _common_fields(self, entry: Entry) -> dict[str, Any]:
        attempt = self._reading.attempt
        return {
            "game_id": attempt.game_id,
            "child_id": attempt.child_id,
            "school_class_id": attempt.assignment.school_class_id,
            "assignment_id": attempt.assignment_id,
            "day": self._day(entry),
            "entry": entry.number,
            "at": entry.at,
        }

    def _day(self, entry: Entry) -> date:
        return entry.at.astimezone(self._zone).date()


def _thinking_ms(since: datetime | None, until: datetime) -> int | None:
    if since is None or not timedelta() <= until - since <= LONGEST_THINKING:
        return None
    return round((until - since) / timedelta(milliseconds=1))


def lock_progress(*children: UUID) -> None:
    """Lock the progress of these children until the end of the transaction."""
    locks = [ProgressLock(child_id=child_id) for child_id in sorted(children)]
    ProgressLock.objects.bulk_create(locks, ignore_conflicts=True)
    rows = ProgressLock.objects.select_for_update().filter(child__in=children)
    # Ordered by "child", a join would also lock the rows of the children, and their next games
    # would wait for them.
    list(rows.order_by("pk"))


def lock_progress_of_class(school_class: SchoolClass, *other_keys: UUID) -> None:
    """Lock the progress of all children of this class, of those who played or answered in it, and
    of `other_keys`, until the transaction ends."""
    children = Child.all_objects.filter(school_class=school_class).order_by().values_list("pk")
    elsewhere = (
        model._default_manager.filter(**{path: school_class}).order_by().values_list("child")
        for model, path in (
            (Attempt, "assignment__school_class"),
            (TableDay, "school_class"),
            (FactDay, "school_class"),
        )
    )
    lock_progress(*{*other_keys, *(child for (child,) in children.union(*elsewhere))})


def store_readings(readings: Collection[GameReading]) -> int:
    """Store and count these readings, and return how many were new.

    All readings of a game are dropped if another worker was faster, if the game now belongs to
    other children, if it has become another try at a riddle, or if one of its earlier rounds must
    be read first.
    """
    if not readings:
        return 0
    with transaction.atomic():
        lock_progress(*{reading.attempt.child_id for reading in readings})
        new_readings = _new_readings(readings)
        if not new_readings:
            return 0
        days = _replace(new_readings)
        assignments = {reading.attempt.assignment_id for reading in new_readings}
        any_day = set().union(*days.values())
        counts.count_again(counts.count_tables, days.keys(), any_day, assignments)
        table_levels.update_table_levels(days)
    return len(new_readings)


def _new_readings(readings: Iterable[GameReading]) -> list[GameReading]:
    by_game: dict[UUID, dict[UUID, GameReading]] = defaultdict(dict)
    for reading in readings:
        by_game[reading.attempt.game_id][reading.attempt.child_id] = reading
    repeats: dict[UUID, dict[UUID, bool]] = defaultdict(dict)
    attempts = Attempt.objects.filter(game__in=by_game)
    for game_id, child_id, is_repeat in attempts.values_list("game", "child", "is_repeat"):
        repeats[game_id][child_id] = is_repeat
    stored = GameEvidence.objects.filter(game__in=by_game)
    entries_of = {
        game_id: (last_entry, start_entry)
        for game_id, last_entry, start_entry in stored.values_list(
            "game", "upto_entry", "start_entry"
        )
    }
    new_readings: list[GameReading] = []
    for game_id, by_child in by_game.items():
        last_entry, start_entry = entries_of.get(game_id, (0, 0))
        repeats_read = {
            child_id: reading.attempt.is_repeat for child_id, reading in by_child.items()
        }
        if repeats[game_id] == repeats_read and all(
            last_entry < reading.last_entry.number and reading.after_entry <= start_entry
            for reading in by_child.values()
        ):
            new_readings += by_child.values()
    return new_readings


def _replace(readings: Sequence[GameReading]) -> Mapping[UUID, set[date]]:
    """Replace what was stored for the same entries by these readings, and return the days that
    changed, by child."""
    replaced = Q(
        game__in=[reading.attempt.game_id for reading in readings if not reading.after_entry]
    )
    for reading in readings:
        if reading.after_entry:
            replaced |= Q(game=reading.attempt.game_id, entry__gt=reading.after_entry)
    before = set(map(_counted_fields, Played.objects.filter(replaced)))
    if before:
        Played.objects.filter(replaced).delete()
        Chance.objects.filter(replaced).delete()
    rounds = [rounds for reading in readings for rounds in reading.played.values()]
    Played.objects.bulk_create(rounds)
    Chance.objects.bulk_create(chance for reading in readings for chance in reading.chances)
    GameEvidence.objects.bulk_create(
        {reading.attempt.game_id: _evidence_row(reading) for reading in readings}.values(),
        update_conflicts=True,
        unique_fields=["game"],
        update_fields=["upto_entry", "upto_at", "rounds", "start_entry", "start", "problem"],
    )
    days: dict[UUID, set[date]] = {reading.attempt.child_id: set() for reading in readings}
    for child_id, day, *_ in before ^ set(map(_counted_fields, rounds)):
        days[child_id].add(day)
    return days


def _evidence_row(reading: GameReading) -> GameEvidence:
    return GameEvidence(
        game_id=reading.attempt.game_id,
        upto_entry=reading.last_entry.number,
        upto_at=reading.last_entry.at,
        rounds=reading.rounds,
        start_entry=reading.start_entry,
        start=reading.start,
        problem=reading.problem,
    )


def discard_evidence(games: Collection[UUID]) -> None:
    """Delete the evidence of these games, so that their logs are read again from the start. The
    caller has locked their children."""
    for model in (Chance, Played, GameEvidence):
        model._default_manager.filter(game__in=games).delete()
