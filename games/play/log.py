"""A game's log, its random seeds, and the state that follows from both."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from secrets import randbits
from typing import Any, Final, TypedDict, cast
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from games import engine
from games.coach.deals import PLAIN, DealSetting, Kindness, kind_deck
from games.engine.cards import Card, shuffled
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
    Setting,
    Transition,
    parse_hint,
    transitions,
)
from games.engine.text.snapshot import state_from_data, state_to_data
from games.models import Entry, Game
from games.play.sql import ShownEntry

SEED_BITS: Final = 62
RECENT: Final = 24
"""A page shows what was done since the player's last move, at most this many entries back."""


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """How a game stands: its state, where everything lies on the table, and the step of the last
    hint for this position (0 for none)."""

    state: State
    layout: Layout
    hint_step: int = 0


def new_game(
    ruleset: Ruleset, *, seed: int | None = None, kindness: Kindness = PLAIN, **columns: Any
) -> Game:
    """A game that is not stored yet, with these columns of `Game`. Without a seed, one is drawn."""
    return Game(
        ruleset_data=ruleset_to_data(ruleset),
        engine_version=engine.VERSION,
        seed=randbits(SEED_BITS) if seed is None else seed,
        **columns | {"kindness": kindness},
    )


class _Snapshot(TypedDict):
    state: dict[str, Any]
    layout: dict[str, Any]
    hint_step: int


def derive_seed(seed: int, purpose: str, number: int = 0) -> int:
    """A separate seed for each purpose, so that no random choice reveals another."""
    digest = sha256(f"{seed}/{purpose}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def lowest_seed_for_starter(ruleset: Ruleset, seats: int, starter: int) -> int:
    """The lowest seed that lets this seat begin."""
    return next(
        seed
        for seed in count()
        if first_starter(ruleset, seats, derive_seed(seed, "starter")) == starter
    )


def deck_of_round(game: Game, number: int, dealing: DealSetting) -> tuple[Card, ...]:
    """The deck of a round, as kind as the deals of the game are."""

    def shuffle(purpose: str, place: int) -> tuple[Card, ...]:
        # The first deck is that of a game whose deals are not chosen.
        text = purpose if purpose == "deck" and not place else f"{purpose} {place}"
        return shuffled(game.ruleset.cards, derive_seed(game.seed, text, number))

    return kind_deck(dealing, game.kindness, shuffle)


def setting_of(game: Game, seats: int) -> Setting:
    starter = first_starter(game.ruleset, seats, derive_seed(game.seed, "starter"))
    return Setting(game.ruleset, seats, starter, derive_seed(game.seed, "reshuffle"))


def entries_of(game: Game) -> list[LogEntry]:
    """The whole log, as the engine reads it."""
    rows = Entry.objects.filter(game=game).values_list("kind", "seat", "text", "missed")
    return [entry_of(game, *row) for row in rows.order_by("number")]


def entry_of(game: Game, kind: str, seat: int | None, text: str, missed: str | None) -> LogEntry:
    """An entry, as the engine reads it, from its row in the database. In a game that shows no
    missed rows, its `missed` is empty."""
    return LogEntry(cast(EntryKind, kind), seat, text, missed if game.shows_missed_rows else "")


def record_of(game: Game, seats: int) -> GameRecord:
    """The whole game with every hidden card, but without names, hints and refused plays. It has the
    seed only if a reshuffle needs it (5.4)."""
    setting, entries = setting_of(game, seats), entries_of(game)
    if not any(transition.after.reshuffles for transition in transitions(setting, entries)):
        setting = replace(setting, seed=0)
    return GameRecord.of(setting, entries)


def file_text(record: GameRecord) -> str:
    """The game as text, after lines that say how to read it, in the language of the person who
    saves it. These lines begin with `;` and so are comments of the notation: `read` takes the file
    as it is."""
    lines = (
        gettext("A game of nmbrs!, move by move. It shows seat numbers, not names."),
        gettext("The rules come first. Then comes each round, with its cards and turns."),
        gettext("“draw” takes a card, “discard” puts one down. Numbers on their own lay a row."),
        gettext("“to” adds to a row, “across” crosses one. Jokers are the letters a to d."),
    )
    return "".join(f"; {line}\n" for line in lines) + "\n" + write_game(record)


def replay_snapshot(setting: Setting, entries: list[LogEntry]) -> GameSnapshot:
    """How the game stands, from its log alone. Raises `ActionRefused` for a log against the
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
    """How the game stands after an entry that led to this state."""
    if entry.kind == "hint":
        if entry.seat != snapshot.state.to_act:  # The player waits: it is for their next turn.
            return snapshot
        hint = parse_hint(entry.text, snapshot.state.ruleset)
        return GameSnapshot(snapshot.state, snapshot.layout, hint.step)
    if entry.kind == "refused":
        return snapshot
    before = snapshot.state.table
    next_layout = snapshot.layout if after.table == before else layout(after.table, snapshot.layout)
    return GameSnapshot(after, next_layout)


def snapshot_of(game: Game, seats: int) -> GameSnapshot:
    """How the game stands, from its snapshot. It is replayed from the log if there is no snapshot,
    or if an earlier release, which did not count quiet turns, made it. Raises `JsonError` for a
    snapshot that cannot be read."""
    if game.snapshot is None:
        return replay_snapshot(setting_of(game, seats), entries_of(game))
    data = read_as(_Snapshot, game.snapshot)
    state = state_from_data(data["state"], game.ruleset)
    if state.to_act is not None and not state.turns_without_play:
        return replay_snapshot(setting_of(game, seats), entries_of(game))
    table_layout = layout_from_data(data["layout"], state.table)
    return GameSnapshot(state, table_layout, data["hint_step"])


def goal_to_go_on(game: Game, seats: int) -> int | None:
    """The goal if this table goes on: that of the next round, or of the current round if it is not
    over (rules 9.4). None for a game without a goal."""
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


def rows_laid(acts: QuerySet[Entry]) -> Mapping[UUID, Sequence[tuple[str, Mapping[str, Any]]]]:
    """The text and data of each play that the first seat laid and did not take back, by game, with
    one query. `acts` are the entries of the games to look at."""
    kinds = (Entry.Kind.ACT, Entry.Kind.TAKE_BACK)
    log = acts.filter(seat=0, kind__in=kinds).order_by("game", "number")
    rows_of: dict[UUID, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
    for game, kind, text, data in log.values_list("game", "kind", "text", "data"):
        if kind == Entry.Kind.TAKE_BACK:
            rows_of[game].pop()
        elif "laid" in data:
            rows_of[game].append((text, data))
    return rows_of


def new_rows(game: Game, of_round: Sequence[ShownEntry]) -> Iterator[tuple[int, ...]]:
    """The numbers of each new row of this round, from its entries; a row that was made longer is
    not a new one."""
    plays: list[ShownEntry] = []
    for entry in reversed(of_round):
        if entry.kind == Entry.Kind.TAKE_BACK:
            plays.pop()
        elif "laid" in entry.data:
            plays.append(entry)
    for entry in plays:
        if len(parse_play(entry.text, game.ruleset).lines) != 1:
            yield tuple(entry.data["numbers"])
