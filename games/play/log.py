"""The log of a game, its random seeds, and the state that follows from both."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import count
from secrets import randbits
from typing import Any, Final, TypedDict, Unpack
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from games import engine
from games.coach.deals import DealSetting, Kindness, kindest_order
from games.engine.cards import Card, shuffled
from games.engine.errors import JsonError
from games.engine.json_values import read_as
from games.engine.layout.table_layout import Layout, layout, layout_from_data, layout_to_data
from games.engine.match import first_starter
from games.engine.round import OVER_PHASES, State, goal_after
from games.engine.ruleset import Ruleset, ruleset_to_data
from games.engine.text.game_text import GameRecord, write_game
from games.engine.text.notation import parse_play
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    PublicData,
    Setting,
    Transition,
    parse_hint,
    transitions,
)
from games.engine.text.snapshot import state_from_data, state_to_data
from games.models import Entry, Game
from games.play.sql import ShownEntry

SEED_BITS: Final = 62
RECENT_ENTRIES: Final = 24
"""The most entries since the player's last move that a page shows."""


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    state: State
    layout: Layout
    hint_step: int = 0  # the step of the last hint for this position; 0 for none


class GameOptions(TypedDict, total=False):
    """The options of a game besides its ruleset, by their fields of `Game`."""

    seed: int | None  # None, the default, for a random one
    kindness: Kindness
    hint_steps: int
    shows_missed_rows: bool
    is_guided: bool
    has_shared_deal: bool
    has_one_turn: bool
    riddle_cards: int
    answer_seconds: int
    turn_seconds: int
    created_at: datetime


def new_game(ruleset: Ruleset, **options: Unpack[GameOptions]) -> Game:
    """A game that is not stored yet."""
    if options.get("seed") is None:
        options["seed"] = randbits(SEED_BITS)
    return Game(ruleset_data=ruleset_to_data(ruleset), engine_version=engine.VERSION, **options)


class _Snapshot(TypedDict):
    state: dict[str, Any]
    layout: dict[str, Any]
    hint_step: int


def derive_seed(seed: int, purpose: str, number: int = 0) -> int:
    """A seed for one purpose. Each purpose has its own: no random choice reveals another."""
    digest = sha256(f"{seed}/{purpose}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def lowest_seed_for_starter(ruleset: Ruleset, seats: int, starter: int) -> int:
    return next(
        seed
        for seed in count()
        if first_starter(ruleset, seats, derive_seed(seed, "starter")) == starter
    )


def deck_of_round(game: Game, number: int, dealing: DealSetting) -> tuple[Card, ...]:
    def shuffle(purpose: str, place: int) -> tuple[Card, ...]:
        # The first deck has no number, so that the seed of an old game still deals the same cards.
        text = purpose if purpose == "deck" and not place else f"{purpose} {place}"
        return shuffled(game.ruleset.cards, derive_seed(game.seed, text, number))

    return kindest_order(dealing, game.kindness, shuffle)


def setting_of(game: Game, seats: int) -> Setting:
    starter = first_starter(game.ruleset, seats, derive_seed(game.seed, "starter"))
    return Setting(game.ruleset, seats, starter, derive_seed(game.seed, "reshuffle"))


def entries_of(game: Game) -> list[LogEntry]:
    rows = Entry.objects.filter(game=game).values_list("kind", "seat", "text", "missed")
    return [entry_of(game, *row) for row in rows.order_by("number")]


def entry_of(game: Game, kind: str, seat: int | None, text: str, missed: str | None) -> LogEntry:
    """The entry of a row in the database, as the engine reads it. In a game that shows no missed
    rows, `missed` is empty."""
    return LogEntry(EntryKind(kind), seat, text, missed if game.shows_missed_rows else "")


def record_of(game: Game, seats: int) -> GameRecord:
    """The whole game with all hidden cards, but without names, hints and refused plays. It has the
    seed only if a reshuffle needs it (5.4)."""
    setting = setting_of(game, seats)
    entries = entries_of(game)
    if not any(transition.after.reshuffles for transition in transitions(setting, entries)):
        setting = replace(setting, seed=0)
    return GameRecord.of(setting, entries)


def file_text(record: GameRecord) -> str:
    """The game as text, after some lines that say how to read it, in the language of the person who
    saves it. These lines are comments of the notation, so `read_game` can read the file."""
    lines = (
        gettext("A game of nmbrs!, move by move. It shows seat numbers, not names."),
        gettext("The rules come first. Then comes each round, with its cards and turns."),
        gettext("“draw” takes a card, “discard” puts one down. Numbers on their own lay a row."),
        gettext("“to” adds to a row, “across” crosses one. Jokers are the letters a to d."),
    )
    return "".join(f"; {line}\n" for line in lines) + "\n" + write_game(record)


def replay_snapshot(setting: Setting, entries: list[LogEntry]) -> GameSnapshot:
    """The snapshot of a game, from its log alone. Raises `ActionRefused` for a log against the
    rules."""
    last = deque(snapshots(setting, entries), maxlen=1)
    if not last:
        raise ValueError("an empty log has no state")
    _, _, snapshot = last.pop()
    return snapshot


def snapshots(
    setting: Setting, entries: Iterable[LogEntry]
) -> Iterator[tuple[Transition, GameSnapshot | None, GameSnapshot]]:
    """The transitions of a log, each with the snapshot before it (None for the first deal) and the
    one after it."""
    before: GameSnapshot | None = None
    for transition in transitions(setting, entries):
        if before is None:
            after = GameSnapshot(transition.after, Layout())
        else:
            after = snapshot_after(before, transition.entry, transition.after)
        yield transition, before, after
        before = after


def snapshot_after(snapshot: GameSnapshot, entry: LogEntry, after: State) -> GameSnapshot:
    """The snapshot after an entry that led to the state `after`."""
    if entry.kind == EntryKind.HINT:
        # A hint to a player who waits is for their next turn.
        if entry.seat != snapshot.state.to_act:
            return snapshot
        hint = parse_hint(entry.text, snapshot.state.ruleset)
        return GameSnapshot(snapshot.state, snapshot.layout, hint.step)
    if entry.kind == EntryKind.REFUSED:
        return snapshot
    before = snapshot.state.table
    next_layout = snapshot.layout if after.table == before else layout(after.table, snapshot.layout)
    return GameSnapshot(after, next_layout)


def snapshot_of(game: Game, seats: int) -> GameSnapshot:
    """The snapshot of a game; from the log if none is stored, or one of another release."""
    try:
        data = read_as(_Snapshot, game.snapshot or {})
        state = state_from_data(data["state"], game.ruleset)
        return GameSnapshot(state, layout_from_data(data["layout"], state.table), data["hint_step"])
    except JsonError:
        return replay_snapshot(setting_of(game, seats), entries_of(game))


def next_goal_of(game: Game, seats: int) -> int | None:
    """The goal of the table's next round; during a round, its own goal. None without a goal (rules
    9.4)."""
    state = snapshot_of(game, seats).state
    if state.phase not in OVER_PHASES:
        return state.goal
    return goal_after(state.ruleset, state.goal, state.earned_together)


def snapshot_data(snapshot: GameSnapshot) -> dict[str, Any]:
    return {
        "state": state_to_data(snapshot.state),
        "layout": layout_to_data(snapshot.layout),
        "hint_step": snapshot.hint_step,
    }


def plays_by_game(entries: QuerySet[Entry]) -> Mapping[UUID, Sequence[tuple[str, PublicData]]]:
    """The text and data of each play that the first seat made and did not take back, by game, from
    the entries of these games. One query."""
    kinds = (EntryKind.ACT, EntryKind.TAKE_BACK)
    log = entries.filter(seat=0, kind__in=kinds).order_by("game", "number")
    plays_of: dict[UUID, list[tuple[str, PublicData]]] = defaultdict(list)
    for game, kind, text, data in log.values_list("game", "kind", "text", "data"):
        if kind == EntryKind.TAKE_BACK:
            plays_of[game].pop()
        elif "laid" in data:
            plays_of[game].append((text, data))
    return plays_of


def new_rows(game: Game, entries: Sequence[ShownEntry]) -> Iterator[tuple[int, ...]]:
    """The numbers of each new row of a round, from its entries, the newest first. A row that was
    made longer is not a new one."""
    plays: list[ShownEntry] = []
    for entry in reversed(entries):
        if entry.kind == EntryKind.TAKE_BACK:
            plays.pop()
        elif entry.lays_row:
            plays.append(entry)
    for entry in plays:
        if len(parse_play(entry.text, game.ruleset).lines) != 1:
            yield tuple(entry.data["numbers"])
