"""Children as players, and games played to the moments that tests need."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from games.bots import beginner
from games.bots.reasons import reason, reason_to_data
from games.bots.turns import turns
from games.coach.rows import missed_row
from games.engine.actions import Action, Discard, DrawClosed, End
from games.engine.cards import Card, card_text, cards_in
from games.engine.match import apply
from games.engine.play_application import Position
from games.engine.round import MATCH_OVER, ROUND_OVER, State
from games.engine.ruleset import edition
from games.engine.table import Play
from games.engine.text.notation import action_text, parse_action
from games.engine.text.record import PublicData
from games.engine.view import View, legal_actions
from games.models import Game
from games.play import presence, services, starting
from games.play.log import snapshot_of
from games.play.moves import Do, Move, NextRound
from games.play.services import Outcome
from games.play.starting import NewSeat
from games.screen import words

DORA = UUID("d0da0000-0000-4000-8000-000000000001")
EMIL = UUID("e3110000-0000-4000-8000-000000000002")
FINN = UUID("f1220000-0000-4000-8000-000000000003")
SOME_SEED = 4


def new_game(
    player: UUID = DORA,
    *,
    name: str = "simplified",
    bots: int = 1,
    seed: int = SOME_SEED,
    **options: Any,
) -> Game:
    """Start a game of this edition for this player, against bots. The same seed gives the same
    game."""
    rules: dict[str, Any] = {"tables": (2, 5, 10), "offers": False, "rounds": 1, **options}
    seats = [NewSeat(player=player, name="Dora")]
    seats += [NewSeat(bot="beginner", name=f"Bot {n}", face="owl") for n in range(1, bots + 1)]
    return starting.start(edition(name, **rules), seats, hint_steps=4, seed=seed)


def act(game: Game, move: Move, player: UUID = DORA, key: UUID | None = None) -> Outcome:
    """Make a move on the current version of the game."""
    version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    return services.act(game.pk, player, version=version, key=key or uuid4(), move=move)


def with_state(outcome: Outcome, **changes: Any) -> Outcome:
    state = replace(outcome.snapshot.state, **changes)
    return replace(outcome, snapshot=replace(outcome.snapshot, state=state))


def card_of_a_row(game: Game) -> Card | None:
    """A card of the hand whose discard would end a row. None if there is none."""
    now = Game.objects.get(pk=game.pk)
    state = snapshot_of(now, now.seats.count()).state
    hand = cards_in(state.hands[state.turn]) if state.phase == "play" else ()
    return next((card for card in hand if missed_row(state, apply(state, Discard(card)))), None)


def play_on(
    game: Game, until: Callable[[View], bool], player: UUID = DORA, seed: int = 1
) -> Outcome:
    """Play like a beginner until the view satisfies `until`. The test fails if it never does."""
    outcome = services.look(game.pk, player)
    while not until(outcome.view):
        assert outcome.view.may_act, "the game ended too early"
        action = beginner.choose(outcome.view, seed + outcome.game.version)
        outcome = act(game, Do(action), player)
    return outcome


def play_out(game: Game, player: UUID = DORA) -> Outcome:
    """Play the round to its end."""
    return play_on(game, lambda view: view.to_act is None, player)


def lost_match_with_a_round_won(begin: Callable[[int], Game], player: UUID = DORA) -> Game:
    """Play a match of which the player wins the last round and somebody else wins the match. The
    player lays nothing before the last round, and everything in it. `begin` starts a game of two
    rounds with a seed."""
    for seed in range(300):
        game = begin(seed)
        outcome = _play_only_the_last_round_well(game, player)
        if outcome.view.round_winner == outcome.seat_number and outcome.seat_number not in (
            outcome.view.winners or ()
        ):
            return game
        game.delete()
    raise AssertionError("no match was lost with its last round won")


def _play_only_the_last_round_well(game: Game, player: UUID) -> Outcome:
    outcome = services.look(game.pk, player)
    while outcome.view.phase != MATCH_OVER:
        view = outcome.view
        if view.phase == ROUND_OVER:
            outcome = act(game, NextRound(), player)
            continue
        plays = plays_of(view) if view.round == view.ruleset.rounds else []
        action: Action = DrawClosed()
        if view.phase == "play":
            action = plays[0] if plays else Discard(view.hand[-1])
        outcome = act(game, Do(action), player)
    return outcome


def before_a_play(game: Game, player: UUID = DORA) -> Outcome:
    """Draw and discard until there is a row to lay."""
    outcome = services.look(game.pk, player)
    while not plays_of(outcome.view):
        action: Action = DrawClosed()
        if outcome.view.phase == "play":
            action = Discard(outcome.view.hand[0])
        outcome = act(game, Do(action), player)
    return outcome


def plays_of(view: View) -> list[Play]:
    return sorted((a for a in legal_actions(view) if isinstance(a, Play)), key=str)


def ends_of_turns(game_id: UUID, seat: int | None = None) -> list[int]:
    """The numbers of the entries by which a seat, or any seat, ended a turn: a discard, or an end
    without one."""
    game = Game.objects.get(pk=game_id)
    return [
        entry.number
        for entry in game.entries.filter(kind="act")
        if seat in (None, entry.seat)
        and isinstance(parse_action(entry.text, game.ruleset), Discard | End)
    ]


def best_plays(position: Position) -> tuple[Play, ...]:
    """The plays of the turn that earns most."""
    return max(turns(position, 1000, width=1000), key=lambda turn: turn.points).plays


GRETA = UUID("93e7a000-0000-4000-8000-000000000004")
CHILDREN = {DORA: "Dora", EMIL: "Emil", FINN: "Finn", GRETA: "Greta"}


def new_table(
    *players: UUID,
    name: str = "simplified",
    bots: int = 0,
    seed: int = SOME_SEED,
    hint_steps: int = 4,
    seconds: Mapping[str, Any] | None = None,
    **options: Any,
) -> Game:
    """Start a game of several players (by default Dora and Emil) and bots. `seconds` are arguments
    of `starting.start`."""
    rules: dict[str, Any] = {"tables": (2, 5, 10), "offers": False, "rounds": 1, **options}
    seats = [
        NewSeat(player=player, name=CHILDREN.get(player, "Ole"))
        for player in players or (DORA, EMIL)
    ]
    seats += [NewSeat(bot="beginner", name=f"Bot {n}", face="owl") for n in range(1, bots + 1)]
    return starting.start(
        edition(name, **rules), seats, hint_steps=hint_steps, seed=seed, **(seconds or {})
    )


def players_of(game: Game) -> list[UUID]:
    seats = game.seats.filter(player__isnull=False).order_by("number")
    return [player for player in seats.values_list("player", flat=True) if player is not None]


def at_turn(game: Game) -> UUID:
    """The player whom the table waits for."""
    return next(
        player for player in players_of(game) if services.look(game.pk, player).view.may_act
    )


def not_at_turn(game: Game) -> UUID:
    return next(
        player for player in players_of(game) if not services.look(game.pk, player).view.may_act
    )


def act_at_table(game: Game, player: UUID, seed: int = 1) -> Outcome | None:
    """Let a player act like a beginner. Return None if they cannot act."""
    outcome = services.look(game.pk, player)
    if not outcome.view.may_act or outcome.waits_for_others:
        return None
    action = beginner.choose(outcome.view, seed + outcome.game.version)
    return act(game, Do(action), player)


def play_table(game: Game, until: Callable[[View], bool], seed: int = 1) -> None:
    """Let all players of a table play like beginners until the view of the first satisfies `until`.
    The test fails if it never does."""
    players = players_of(game)
    while not until(services.look(game.pk, players[0]).view):
        outcomes = [act_at_table(game, player, seed) for player in players]
        assert any(outcomes), "the game ended too early"
        assert not any(outcome.result.error for outcome in outcomes if outcome)


def sentence_about(before: State, action: Action) -> str:
    data: PublicData = {"card": card_text(before.open_pile[-1])} if before.open_pile else {}
    if isinstance(action, Play):
        data = reason_to_data(reason(before.position(before.turn), action))
    return words.action_words(
        parse_action(action_text(action), before.ruleset), data, before.ruleset
    )


def shown_version_of(game: Game, seat: int, now: datetime) -> int:
    inactivity = presence.inactivity_at(game, game.seats.all(), seat, now)
    return presence.shown_version(game.news, inactivity)
