"""Starts games: deals, and lets the bots act until a player must."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from games.bots import onlooker
from games.bots.registry import CAST
from games.coach.begun_rounds import STARTER, BegunRound
from games.coach.deals import DealSetting, rows_dealt
from games.coach.guided_rounds import guided_deck, guided_ruleset
from games.engine.actions import Action, DrawClosed
from games.engine.cards import Card
from games.engine.layout.table_layout import Layout
from games.engine.match import new_match
from games.engine.ruleset import Ruleset
from games.engine.text.record import EntryKind, deal_entry, parse_deck
from games.models import Entry, Game, Seat
from games.play import presence
from games.play.log import (
    GameOptions,
    GameSnapshot,
    deck_of_round,
    lowest_seed_for_starter,
    new_game,
    setting_of,
)
from games.play.moves import Draft, deal_setting
from games.play.services import delete
from games.play.stored_game import columns_after, entries_to_store

MOST_DEALS: Final = 20
GUIDED_BOT: Final = CAST[0]
"""The name and face of the bot of a guided round."""


@dataclass(frozen=True, slots=True)
class NewSeat:
    player: UUID | None = None
    bot: str = ""
    name: str = ""
    face: str = ""
    """A symbol of the sprite for a bot; for a player their face (`games.screen.player_faces`), or
    empty."""
    hint_steps: int | None = None
    """The most steps of a hint for this player at a table of several."""


def start(
    ruleset: Ruleset,
    seats: Sequence[NewSeat],
    *,
    after: Collection[UUID] = (),
    **options: Unpack[GameOptions],
) -> Game:
    """Start a game with these options. Deal, and let the bots act until a player must. No row that
    the games `after` which it comes began with is dealt to anyone again, if one of `MOST_DEALS`
    deals allows it.

    `start(EDITIONS["classic"], seats, hint_steps=4, shows_missed_rows=True)`

    Raises `RulesetError` for a number of seats that the edition does not have.
    """
    rows_before = {*_rows_at_start(after)}
    for _ in range(MOST_DEALS):
        game = new_game(ruleset, **options)
        new_seats = _new_seats(game, seats)
        setting = deal_setting(new_seats, ruleset, setting_of(game, len(seats)).starter)
        deck = deck_of_round(game, 1, setting)
        if rows_before.isdisjoint(rows_dealt(setting, deck)):
            break
    return _begin(game, new_seats, deck)


def _rows_at_start(games: Collection[UUID]) -> Iterator[int]:
    """The masks of the rows of three that were dealt to single hands when these games began. One
    query."""
    begun = Game.objects.filter(pk__in=games).annotate(size=Count("seats"))
    first = Entry.objects.filter(game=OuterRef("pk"), kind=EntryKind.DEAL).order_by("number")
    for game in begun.annotate(deck=Subquery(first.values("text")[:1])).defer("snapshot"):
        setting = DealSetting(game.ruleset, game.size, 0, ())
        yield from rows_dealt(setting, parse_deck(game.deck, game.ruleset))


def start_guided_game(
    player: UUID,
    name: str,
    edition: str,
    step: int = 1,
    *,
    face: str = "",
    game_ruleset: Ruleset | None = None,
) -> Game:
    """Start the guided round of this step of an edition, to learn a game with `game_ruleset`. The
    deal is prepared and the player begins, in the first step with a card taken for them. The round
    leaves no evidence, and is deleted when the player begins another one. The caller must hold a
    lock on the player, because otherwise two taps start two rounds. Raises `RulesetError` for an
    unknown edition.
    """
    ruleset = guided_ruleset(edition, step, game_ruleset)
    bot_name, bot_face = GUIDED_BOT
    seats = [
        NewSeat(player=player, name=name, face=face),
        NewSeat(bot=onlooker.NAME, name=bot_name, face=bot_face),
    ]
    game = new_game(ruleset, seed=lowest_seed_for_starter(ruleset, len(seats), 0), is_guided=True)
    opening_acts = () if step > 1 or ruleset.has_pot else ((0, DrawClosed()),)
    with transaction.atomic():
        delete(Game.objects.filter(is_guided=True, seats__player=player))
        return _begin(game, _new_seats(game, seats), guided_deck(ruleset), opening_acts)


def start_begun(
    begun_round: BegunRound, seats: Sequence[NewSeat], **options: Unpack[GameOptions]
) -> Game:
    """Start a game with these options, in which the player has one turn of a round
    that the others have begun."""
    options["seed"] = lowest_seed_for_starter(begun_round.ruleset, begun_round.seats, STARTER)
    game = new_game(begun_round.ruleset, **options | {"has_one_turn": True})
    return _begin(game, _new_seats(game, seats), begun_round.deck, begun_round.acts_before)


def _new_seats(game: Game, seats: Sequence[NewSeat]) -> list[Seat]:
    return [Seat(game=game, number=number, **asdict(s)) for number, s in enumerate(seats)]


def _begin(
    game: Game,
    seats: Sequence[Seat],
    deck: Sequence[Card],
    opening_acts: Iterable[tuple[int, Action]] = (),
) -> Game:
    """Deal, let the seats make the `opening_acts`, let the bots act until a player must, and store
    the game."""
    setting = setting_of(game, len(seats))
    state = new_match(game.ruleset, len(seats), deck, setting.starter, setting.seed)
    draft = Draft(game, seats, GameSnapshot(state, Layout()))
    if draft.has_several_players:
        for player_seat in presence.seats_of_players(seats):
            player_seat.here_until = timezone.now() + presence.PRESENT_FOR
    draft.entries.append((deal_entry(deck), draft.logged_counts(state)))
    for seat, action in opening_acts:
        draft.act(seat, action, unasked=not seats[seat].bot)
    draft.let_bots_act()
    columns = columns_after(draft)
    entries = entries_to_store(draft, columns["moved_at"])
    vars(game).update(columns)
    with transaction.atomic():
        game.save(force_insert=True)
        Seat.objects.bulk_create(seats)
        Entry.objects.bulk_create(entries)
    return game
