"""Games with helpful deals and named companions, and the winner of each round."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from games.bots import companion
from games.bots.registry import LEVELS, find_bot
from games.coach.deals import (
    PLAIN,
    DealSetting,
    Kindness,
    cards_of_seat,
    deck_for_bots,
    deck_with_row_for_each,
    kindest_deck,
    kindness_for,
)
from games.coach.rating import START_RATING
from games.coach.rows import rows_of_three
from games.engine.actions import Discard, DrawClosed
from games.engine.cards import cards_in, deck, shuffled
from games.engine.plays import plays_without_jokers
from games.engine.round import OVER_PHASES
from games.engine.ruleset import edition
from games.engine.table import Table
from games.engine.text.record import EntryKind, parse_deck
from games.engine.view import view
from games.models import Game
from games.play import services, starting
from games.play.log import derive_seed, entries_of, replay_snapshot, setting_of, snapshot_of
from games.play.moves import AskHint, Do, NextRound
from games.play.shared_deals import choice_in_shared_deal, draw_seed
from games.play.starting import NewSeat
from tests.counts import times
from tests.games.players import DORA, EMIL, FINN, act, play_out
from tests.games.rounds import random_match

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=2)
KINDNESS = Kindness(decks=9, draws_counted=5)


def new_game(seed: int, kindness: Kindness = KINDNESS, bot: str = "companion 1000") -> Game:
    seats = [NewSeat(bot=bot, name="Ollie"), NewSeat(player=DORA, name="Dora")]
    return starting.start(RULESET, seats, hint_steps=4, seed=seed, kindness=kindness)


def decks_dealt(game: Game) -> list[tuple[int, ...]]:
    deals = game.entries.filter(kind=EntryKind.DEAL).order_by("number")
    return [parse_deck(deal.text, RULESET) for deal in deals]


@pytest.mark.parametrize("seed", range(4))
def test_each_round_gets_the_kindest_deck_with_a_row_in_the_hand(seed: int) -> None:
    game = new_game(seed)
    play_out(game)
    act(game, NextRound())
    starter = setting_of(game, 2).starter
    dealt = decks_dealt(game)
    assert len(dealt) == 2
    for number, cards in enumerate(dealt, start=1):
        purposes = ["deck", *(f"deck {other}" for other in range(1, KINDNESS.decks))]
        decks = [shuffled(deck(50), derive_seed(seed, purpose, number)) for purpose in purposes]
        dealing = DealSetting(RULESET, 2, (starter + number - 1) % 2, [1])
        kindest = decks[kindest_deck(dealing, decks, KINDNESS.draws_counted)]
        order = shuffled(deck(50), derive_seed(seed, "order 0", number))
        assert cards == deck_with_row_for_each(dealing, kindest, order)
        hand = {*cards_of_seat(dealing, cards, 1, 0)}
        assert any(hand.issuperset(cards_in(row)) for row in rows_of_three(RULESET))


def test_the_other_cards_favour_the_bots() -> None:
    game = new_game(5, Kindness(decks=9, draws_counted=5, orders_compared=12))
    (plain,), (cards,) = decks_dealt(new_game(5)), decks_dealt(game)
    shuffles = [shuffled(deck(50), derive_seed(5, f"order {number}", 1)) for number in range(12)]
    dealing = DealSetting(RULESET, 2, setting_of(game, 2).starter, [1])
    assert cards == deck_for_bots(dealing, plain, shuffles, 5) != plain


def test_without_kindness_the_first_deck_is_dealt() -> None:
    game = new_game(5, PLAIN)
    assert decks_dealt(game) == [shuffled(deck(50), derive_seed(5, "deck", 1))]
    assert any(decks_dealt(new_game(seed)) != decks_dealt(new_game(seed, PLAIN)) for seed in (1, 2))


def test_a_game_of_kind_deals_can_be_replayed_from_its_log_alone() -> None:
    game = new_game(3)
    play_out(game)
    game.refresh_from_db()
    assert (
        replay_snapshot(setting_of(game, 2), entries_of(game)).state == snapshot_of(game, 2).state
    )


def test_a_game_keeps_who_won_each_round() -> None:
    game = new_game(2)
    assert Game.objects.get(pk=game.pk).round_winners == []
    first = play_out(game).view.round_winner
    assert Game.objects.get(pk=game.pk).round_winners == [first]
    act(game, NextRound())
    second = play_out(game).view.round_winner
    assert Game.objects.get(pk=game.pk).round_winners == [first, second]


def test_a_move_on_an_old_page_adds_no_winner() -> None:
    game = new_game(2)
    play_out(game)
    won = Game.objects.get(pk=game.pk).round_winners
    stale = services.act(game.pk, DORA, version=1, key=uuid4(), move=NextRound())
    assert stale.result.is_stale
    assert Game.objects.get(pk=game.pk).round_winners == won


def test_a_seat_with_an_unknown_bot_is_refused() -> None:
    with pytest.raises(KeyError):
        find_bot("nobody")


ONE_ROUND = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)


def shared_game(player: UUID, seed: int = 7, bot: str = companion.name_of(900)) -> Game:
    seats = [NewSeat(player=player, name="Dora"), NewSeat(bot=bot, name="Ollie")]
    return starting.start(ONE_ROUND, seats, hint_steps=6, seed=seed, has_shared_deal=True)


def acts_of(game: Game) -> list[tuple[int | None, str]]:
    acts = game.entries.exclude(kind="hint").order_by("number")
    return [(action.seat, action.text) for action in acts]


def test_no_row_that_a_game_began_with_is_dealt_at_the_start_of_the_next() -> None:
    kindness, last = kindness_for(RULESET), None
    seats = [NewSeat(player=player, name="D") for player in (DORA, EMIL, FINN)]
    before = set[int]()
    for _ in range(times(8, 100)):
        last = starting.start(RULESET, seats, after=[last.pk] if last else [], kindness=kindness)
        hands = snapshot_of(last, 3).state.hands
        dealt = {row for row in rows_of_three(RULESET) for hand in hands if not row & ~hand}
        assert dealt.isdisjoint(before)
        before = dealt


def test_everybody_gets_the_same_cards_and_piles() -> None:
    game, other = shared_game(DORA), shared_game(FINN)
    assert acts_of(game) == acts_of(other)


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
    states = [moment.state for seed in range(6) for moment in random_match(seed, ONE_ROUND).moments]
    looked_at = 0
    for state in states:
        lines = state.table.lines
        if len(lines) < 2 or state.phase in OVER_PHASES or state.to_act is None:
            continue
        seat_view = view(state, state.to_act)
        turned = replace(seat_view, table=Table.of(reversed(lines)))
        assert choice_in_shared_deal(bot, seat_view, 5) == choice_in_shared_deal(bot, turned, 5)
        looked_at += 1
        if looked_at == 6:
            break
    assert looked_at


def test_a_chosen_deal_has_a_row_to_compare_in_the_first_hand() -> None:
    kindness = kindness_for(ONE_ROUND, START_RATING)
    seats = [NewSeat(player=DORA, name="Dora"), NewSeat(bot="beginner", name="Ollie")]
    for _ in range(3):
        seed = draw_seed(ONE_ROUND, 2, kindness)
        game = starting.start(ONE_ROUND, seats, hint_steps=6, seed=seed, kindness=kindness)
        assert plays_without_jokers(snapshot_of(game, 2).state.position(0))
