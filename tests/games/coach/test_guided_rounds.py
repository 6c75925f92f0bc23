"""Guided rounds in the engine: each deal goes as prepared, and the advice leads to the end whatever
the player does."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from games.bots import onlooker
from games.coach.guided_rounds import (
    BOT_ROW,
    MOST_TURNS,
    STEPS,
    Advice,
    advice_for,
    guided_deck,
    guided_ruleset,
    guided_step,
)
from games.engine.actions import Action, Discard, DrawClosed, DrawOpen, Knock, Pass
from games.engine.cards import deck, is_joker
from games.engine.match import apply, new_match
from games.engine.plays import TapTarget, plays_of_tap, plays_without_jokers
from games.engine.round import State
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play
from games.engine.view import legal_actions, view
from tests.counts import for_each, times

MOST_TURNS_BY_PLAN = 3
MOST_TURNS_AFTER_A_DETOUR = 12
CARD_EDITIONS = [name for name, ruleset in EDITIONS.items() if not ruleset.has_pot]
LESSONS = [(name, step) for name in EDITIONS for step in range(1, STEPS + 1)]


def start(name: str, step: int) -> State:
    ruleset = guided_ruleset(name, step)
    return let_bot_act(new_match(ruleset, 2, guided_deck(ruleset), starter=0))


def let_bot_act(state: State) -> State:
    """Let the bot act until the player may. The player may knock first."""
    while state.to_act == 1 and not view(state, 0).may_act:
        state = apply(state, onlooker.choose(view(state, 1), 0))
    return state


def state_after(state: State, action: Action) -> State:
    return let_bot_act(apply(state, action))


def action_of(advice: Advice) -> Action:
    match advice.kind:
        case "take":
            return DrawClosed() if advice.card is None else DrawOpen()
        case "answer":
            return Pass(0) if advice.card is None else Knock(0)
        case "play":
            assert advice.play is not None
            return advice.play
    assert advice.card is not None
    return Discard(advice.card)


def follow_advice(state: State) -> Iterator[tuple[State, Action]]:
    """Each state in which the player acts, with the advised action."""
    while state.phase != "match over":
        action = action_of(advice_for(view(state, 0)))
        yield state, action
        state = state_after(state, action)


def end_of(state: State) -> State:
    for before, action in follow_advice(state):
        state = state_after(before, action)
    return state


@for_each(LESSONS)
def test_the_deal_is_a_whole_deck_and_names_its_round(name: str, step: int) -> None:
    ruleset = guided_ruleset(name, step)
    assert sorted(guided_deck(ruleset)) == sorted(deck(ruleset.highest))
    assert guided_step(ruleset) == step


@for_each(LESSONS)
def test_a_player_who_follows_the_advice_lays_adds_and_wins(name: str, step: int) -> None:
    advice = start(name, step)
    plays = [action for _, action in follow_advice(advice) if isinstance(action, Play)]
    over = end_of(advice)
    assert over.round_winner == 0
    assert over.turns[0] <= MOST_TURNS_BY_PLAN
    assert not plays[0].touches_table
    assert any(play.touches_table for play in plays)
    jokers = [any(is_joker(card) for card, _ in play.hand) for play in plays]
    assert any(jokers) == (step == 3)
    assert any(play.across for play in plays) <= (step > 1)
    assert any(play.across for play in plays) or step != 2


@for_each(LESSONS)
def test_nothing_can_be_laid_where_the_advice_is_to_discard(name: str, step: int) -> None:
    for state, action in follow_advice(start(name, step)):
        if isinstance(action, Discard):
            assert not plays_without_jokers(state.position(0)), name


@pytest.mark.parametrize("name", CARD_EDITIONS)
def test_the_second_step_has_a_row_that_counts_double(name: str) -> None:
    scores = [state.scores[0] for state, _ in follow_advice(start(name, 2))]
    earned = [now - before for before, now in pairwise(scores)]
    assert (4 in earned) == ("different" in EDITIONS[name].doubling)


@for_each(LESSONS)
def test_after_any_other_act_at_any_point_the_advice_still_wins(name: str, step: int) -> None:
    for state, _ in list(follow_advice(start(name, step))):
        for action in legal_actions(state):
            over = end_of(state_after(state, action))
            assert over.round_winner == 0, action
            assert over.turns[0] <= MOST_TURNS_AFTER_A_DETOUR, action


def test_taking_an_open_card_costs_a_turn_but_not_the_plan() -> None:
    for name in CARD_EDITIONS:
        for step in range(1, STEPS + 1):
            advice = start(name, step)
            over = end_of(state_after(advice, DrawOpen()))
            assert over.turns[0] == end_of(advice).turns[0] + 1
            assert set(over.table.laid_cards) >= set(end_of(advice).table.laid_cards)


@for_each(LESSONS)
def test_the_advice_is_legal_after_random_acts(name: str, step: int) -> None:
    for seed in range(times(3, 200)):
        random = Random(seed)
        state = start(name, step)
        for _ in range(random.randint(2, 12)):
            if state.phase != "match over":
                state = state_after(state, random.choice(list(legal_actions(state))))
        assert end_of(state).phase == "match over"


@for_each(LESSONS)
def test_lit_cards_and_places_exist_and_mean_the_advised_play(name: str, step: int) -> None:
    states = [state for state, _ in follow_advice(start(name, step))]
    states += [state_after(state, action) for state in states for action in legal_actions(state)]
    for state in states:
        advised = advice_for(view(state, 0))
        assert set(advised.cards) <= set(view(state, 0).hand)
        if advised.play is not None:
            play = advised.play
            places: list[TapTarget] = [*play.lines, *play.across, *play.swaps]
            assert advised.play in plays_of_tap(state.position(0), advised.cards, places)


@for_each([(name, step) for name, step in LESSONS if name in CARD_EDITIONS])
def test_the_bot_lays_its_one_row_in_the_second_step(name: str, step: int) -> None:
    over = end_of(start(name, step))
    assert (set(BOT_ROW) <= set(over.table.laid_cards)) == (step == 2)


@for_each([1, 2, 3])
def test_a_step_of_a_game_for_points_ends_whatever_is_laid(step: int) -> None:
    game = edition("simplified", offers=False, market=4, refill=True, piles=1)
    ruleset = guided_ruleset("simplified", step, game)
    state = let_bot_act(new_match(ruleset, 2, guided_deck(ruleset), starter=0))
    while state.phase != "match over":
        action = DrawClosed() if state.phase == "draw" else Discard(max(view(state, 0).hand))
        state = state_after(state, action)
    assert state.turns[0] == MOST_TURNS


def test_the_onlooker_leaves_all_other_rows_to_the_player() -> None:
    over = end_of(start("simplified", 3))
    assert over.scores[0] > over.scores[1]
    assert over.hands[1].bit_count() == 7
