"""One deal that several players play: the bots do the same wherever the positions are the same."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.bots import companion
from games.bots.registry import LEVELS
from games.coach.deals import kindness_for
from games.coach.rating import START
from games.engine.actions import Discard, DrawClosed
from games.engine.plays import plays_without_jokers
from games.engine.round import OVER, view
from games.engine.ruleset import edition
from games.engine.table import Table
from games.models import Game
from games.play import services
from games.play.log import snapshot_of
from games.play.moves import AskHint, Do
from games.play.services import NewSeat
from games.play.shared_deals import choice_in_shared_deal, drawn_seed
from tests.games.players import DORA, FINN, act
from tests.games.rounds import random_match

RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)


def shared_game(player: UUID, seed: int = 7, bot: str = companion.name_of(900)) -> Game:
    seats = [NewSeat(player=player, name="Dora"), NewSeat(bot=bot, name="Ollie")]
    return services.start(RULESET, seats, hint_steps=6, seed=seed, shared_deal=True)


def acts_of(game: Game) -> list[tuple[int | None, str]]:
    acts = game.actions.exclude(kind="hint").order_by("number")
    return [(action.seat, action.text) for action in acts]


@pytest.mark.django_db
def test_all_are_dealt_the_same_cards_and_piles() -> None:
    one, other = shared_game(DORA), shared_game(FINN)
    assert acts_of(one) == acts_of(other)


@pytest.mark.django_db
def test_a_hint_does_not_change_what_the_bots_do() -> None:
    asks, asks_not = shared_game(DORA), shared_game(FINN)
    act(asks, Do(DrawClosed()))
    act(asks, AskHint())
    act(asks_not, Do(DrawClosed()), FINN)
    hand = services.look(asks.pk, DORA).view.hand
    puts_down = Discard(hand[-1])
    act(asks, Do(puts_down))
    act(asks_not, Do(puts_down), FINN)
    assert acts_of(asks) == acts_of(asks_not)


@pytest.mark.parametrize("bot", [*LEVELS, companion.name_of(900)])
def test_the_order_in_which_rows_were_laid_does_not_matter(bot: str) -> None:
    states = [moment.state for seed in range(6) for moment in random_match(seed, RULESET).moments]
    looked_at = 0
    for state in states:
        lines = state.table.lines
        if len(lines) < 2 or state.phase in OVER or state.seat is None:
            continue
        seen = view(state, state.seat)
        turned = replace(seen, table=Table.of(reversed(lines)))
        assert choice_in_shared_deal(bot, seen, 5) == choice_in_shared_deal(bot, turned, 5)
        looked_at += 1
        if looked_at == 6:
            break
    assert looked_at


@pytest.mark.django_db
def test_a_drawn_deal_has_a_row_to_compare_in_the_first_hand() -> None:
    kindness = kindness_for(RULESET, START)
    seats = [NewSeat(player=DORA, name="Dora"), NewSeat(bot="beginner", name="Ollie")]
    for _ in range(3):
        seed = drawn_seed(RULESET, 2, kindness)
        game = services.start(RULESET, seats, hint_steps=6, seed=seed, kindness=kindness)
        assert plays_without_jokers(snapshot_of(game, 2).state.position(0))
