"""Games of the past. A simulated player plays them in memory. Then they are stored in bulk, with
the rows and times that `games.play.services` would have stored. For the demo school, benchmarks and
tests; never for a child at a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol

from django.db import transaction

from games.coach.deals import PLAIN, Kindness
from games.engine.layout.table_layout import Layout
from games.engine.match import new_match
from games.engine.round import MATCH_OVER
from games.engine.ruleset import Ruleset
from games.engine.text.record import Setting, deal_entry, take_back_entry
from games.models import Entry, Game, Seat
from games.play import log
from games.play.moves import Draft, Move, TakeBack, deal_setting, make_move
from games.play.starting import NewSeat

MOST_MOVES: Final = 2000
BATCH: Final = 2000


class Chooser(Protocol):
    """Chooses moves in place of a player."""

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float] | None:
        """The player's next move and the seconds that it took; None to leave."""


@dataclass(slots=True)
class PlayedGame:
    """A game with its seats and log, not yet stored."""

    game: Game
    seats: list[Seat]
    entries: list[Entry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PastGame:
    """The deal of a past game, and when it began."""

    ruleset: Ruleset
    seats: Sequence[NewSeat]
    begins: datetime
    seed: int
    hint_steps: int = 0
    kindness: Kindness = PLAIN
    shows_missed_rows: bool = False


def play_out(past: PastGame, chooser: Chooser) -> PlayedGame:
    """Play a game of one player with bots until it is over or the player leaves. Raises
    `ActionRefused` if the chooser asks for a move that the rules do not allow."""
    game = log.new_game(
        past.ruleset,
        seed=past.seed,
        kindness=past.kindness,
        hint_steps=past.hint_steps,
        shows_missed_rows=past.shows_missed_rows,
        created_at=past.begins,
    )
    seats = [
        Seat(game=game, number=number, player=new.player, bot=new.bot, name=new.name, face=new.face)
        for number, new in enumerate(past.seats)
    ]
    player = next(seat.number for seat in seats if not seat.bot)
    setting = log.setting_of(game, len(seats))
    deck = log.deck_of_round(game, 1, deal_setting(seats, past.ruleset, setting.starter))
    state = new_match(past.ruleset, len(seats), deck, setting.starter, setting.seed)
    draft = Draft(game, seats, log.GameSnapshot(state, Layout()))
    draft.entries.append((deal_entry(deck), {}))
    draft.let_bots_act()
    game_played = PlayedGame(game, seats)
    at = past.begins
    _log_new_entries(game_played, draft, at)
    for _ in range(MOST_MOVES):
        chosen = None if draft.state.phase == MATCH_OVER else chooser.choose(draft, player)
        if chosen is None:
            break
        move, seconds = chosen
        if isinstance(move, TakeBack):
            _take_back(draft, setting, player)
        else:
            make_move(draft, player, move)
        at += timedelta(seconds=seconds)
        _log_new_entries(game_played, draft, at)
    game.version = len(draft.entries)
    game.phase = draft.state.phase
    game.round = draft.state.round
    game.snapshot = log.snapshot_data(draft.snapshot)
    game.round_winners = list(draft.round_winners)
    game.moved_at = at
    game.finished_at = at if draft.state.phase == MATCH_OVER else None
    return game_played


def _take_back(draft: Draft, setting: Setting, player: int) -> None:
    """Take back the last move as `games.play.moves` does, but with the log in memory."""
    entry = take_back_entry(player)
    entries = [*(earlier for earlier, _ in draft.entries), entry]
    draft.add(entry, log.replay_snapshot(setting, entries).state)


def store_games(games: Iterable[PlayedGame]) -> list[Game]:
    """Store these games with their seats and logs."""
    played = list(games)
    with transaction.atomic():
        rows = Game.objects.bulk_create([record.game for record in played], batch_size=BATCH)
        Seat.objects.bulk_create([seat for record in played for seat in record.seats], BATCH)
        Entry.objects.bulk_create([entry for record in played for entry in record.entries], BATCH)
    return rows


def _log_new_entries(game: PlayedGame, draft: Draft, at: datetime) -> None:
    """Add the entries since the last call to the log."""
    entry_count = len(game.entries)
    for number, (entry, data) in enumerate(draft.entries[entry_count:], start=entry_count + 1):
        game.entries.append(
            Entry(
                game=game.game,
                number=number,
                kind=entry.kind,
                seat=entry.seat,
                text=entry.text,
                data=data,
                missed=entry.missed,
                at=at,
            )
        )
