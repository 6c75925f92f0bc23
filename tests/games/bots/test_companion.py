"""The companion bot: honest, patient, and as strong as it is set."""

from dataclasses import replace
from itertools import pairwise

import pytest

from games.bots.companion import (
    KEENEST,
    LEAST_CARDS_KEPT,
    LONGEST_WAIT,
    MILDEST,
    MOST_QUIET_TURNS,
    QUIET_TURNS,
    TURNS_FOR_OTHERS,
    companion_of,
    skill_of,
)
from games.bots.registry import BOTS, STAND_IN, Bot, find_bot
from games.bots.sight import Sight, noticed_sights, numbers_of, sights_of
from games.bots.steady import choose_for_absent
from games.engine.actions import Action, Discard, DrawClosed, DrawOpen, Pass
from games.engine.cards import is_joker, mask_of
from games.engine.match import first_starter
from games.engine.play_application import make_play
from games.engine.plays import legal_plays
from games.engine.round import State
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play
from games.engine.text.notation import parse_action
from games.engine.view import View, view
from tests.counts import times
from tests.games.positions import after, dealt, position
from tests.games.rounds import allowed, play_round, random_match

MILD = companion_of(MILDEST)
KEEN = companion_of(KEENEST)
NO_OFFERS = edition("simplified", tables=(2, 5, 10), offers=False)
STRENGTHS = (MILDEST, (MILDEST + KEENEST) / 2, KEENEST)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_companion_follows_the_rules_and_ends_its_round(name: str) -> None:
    bots = [companion_of(strength) for strength in (*STRENGTHS, MILDEST)]
    for seed in range(times(1, 300)):
        over = play_round(edition(name, rounds=1), bots[: 2 + seed % 3], seed, allowed)
        assert over.phase == "match over"


@pytest.mark.parametrize("name", EDITIONS)
def test_a_companion_lets_everyone_have_a_turn_before_it_ends(name: str) -> None:
    ruleset = edition(name, rounds=1)
    for seed in range(2, times(3, 300)):  # The first level is the keenest.
        over = play_round(ruleset, [companion_of(STRENGTHS[seed % 3])] * (2 + seed % 2), seed)
        others = [seat for seat in range(over.seat_count) if seat != over.round_winner]
        if over.round_winner is not None:
            assert all(over.turns[seat] >= TURNS_FOR_OTHERS for seat in others)
            have_laid = all(over.opened_mask >> seat & 1 for seat in others)
            waited = min(over.turns[seat] for seat in others) >= LONGEST_WAIT
            assert have_laid or waited or not ruleset.opening


def position_near_end(turns: int, opened: bool) -> State:
    """Seat 1 can go out with 10, 20 and 30; seat 0 has had this many turns."""
    state = after(
        dealt(["1 7 11 13 17 19 23", "10 20 30 4 6 8 9"], "50 12 14", ruleset=NO_OFFERS),
        "draw closed",
        "discard 1",
    )
    state = after(state, "draw closed")
    hands = (state.hands[0], mask_of((10, 20, 30)))
    return replace(state, hands=hands, turns=(turns, turns - 1), opened_mask=int(opened))


def count_plays(state: State, choose: Bot, seeds: int = 40) -> int:
    actions = [choose(view(state, 1), seed) for seed in range(seeds)]
    return sum(isinstance(action, Play) for action in actions)


def test_a_keen_companion_goes_out_once_all_have_had_turns() -> None:
    assert count_plays(position_near_end(TURNS_FOR_OTHERS - 1, opened=True), KEEN) == 0
    assert count_plays(position_near_end(TURNS_FOR_OTHERS, opened=False), KEEN) == 0
    assert count_plays(position_near_end(TURNS_FOR_OTHERS, opened=True), KEEN) == 40


def test_a_companion_keeps_cards_while_it_holds_back() -> None:
    state = dealt(["10 20 30 40 1 7 3", "4 6 8 9 11 13 17"], "50 12", ruleset=NO_OFFERS)
    seat_view = replace(view(after(state, "draw closed"), 0), turns_without_play=QUIET_TURNS)
    plays = [action for seed in range(20) if isinstance(action := KEEN(seat_view, seed), Play)]
    assert plays
    assert all(len(seat_view.hand) - len(play.hand) >= LEAST_CARDS_KEPT for play in plays)


@pytest.mark.parametrize("name", EDITIONS)
def test_no_companion_has_one_card_left_before_a_childs_turn(name: str) -> None:
    """In these rounds the child is the last to have a turn."""
    ruleset = edition(name, rounds=1)
    for seed in range(2, times(3, 200)):  # The first level is the keenest.
        seats = 2 + seed % 3
        child = (first_starter(ruleset, seats, seed) - 1) % seats

        def two_cards_each(state: State, action: Action, child: int = child) -> None:
            if state.to_act == child and not state.turns[child]:
                assert all(hand.bit_count() > 1 for hand in state.hands)

        play_round(ruleset, [companion_of(STRENGTHS[seed % 3])] * seats, seed, two_cards_each)


def state_with_addable_row() -> State:
    """Seat 0 may add 40 to 10-20-30; seat 1 is next, and has opened too."""
    state = dealt(["10 20 30 40 1 7 3", "12 14 16 9 11 13 17"], "50 2 5 6", ruleset=NO_OFFERS)
    state = after(state, "draw closed", "10 20 30", "discard 1")
    return after(state, "draw closed", "12 14 16", "discard 9", "draw closed")


def view_after_turns(turns: int) -> View:
    """Seat 0's view of `state_with_addable_row`, after this many turns in which it made no play."""
    return replace(
        view(state_with_addable_row(), 0), turns=(turns, turns), turns_without_play=turns
    )


def test_a_companion_keeps_its_only_addable_card_for_some_turns() -> None:
    added = parse_action("40 to 10-20-30", NO_OFFERS)
    for choose in (KEEN, MILD):
        for turns in range(QUIET_TURNS):
            chosen = [choose(view_after_turns(turns), seed) for seed in range(20)]
            assert all(isinstance(action, Discard) and action.card != 40 for action in chosen)
        for turns in (QUIET_TURNS, MOST_QUIET_TURNS, MOST_QUIET_TURNS + 4):
            assert {choose(view_after_turns(turns), seed) for seed in range(20)} == {added}


def test_a_mild_companion_leaves_the_next_player_a_card_to_add() -> None:
    seat_view = view_after_turns(0)
    richer = replace(seat_view, hand=tuple(sorted({*seat_view.hand, 18})))
    assert {MILD(richer, seed) for seed in range(20)} == {Discard(40)}
    assert not {KEEN(richer, seed) for seed in range(20)} & {Discard(18), Discard(40)}


def test_a_mild_companion_takes_a_needed_card_if_nobody_has_more() -> None:
    seat_view = view(dealt(["10 20 1 7 17 33 49", "4 5 6 8 9 11 13"], "30 12"), 0)
    ahead = replace(seat_view, hand_sizes=(6, 7))
    for choose in (KEEN, MILD):
        assert {choose(seat_view, seed) for seed in range(20)} == {DrawOpen()}
    assert {KEEN(ahead, seed) for seed in range(20)} == {DrawOpen()}
    assert DrawClosed() in {MILD(ahead, seed) for seed in range(20)}


def test_a_stronger_companion_overlooks_less_and_goes_out_sooner() -> None:
    skills = [skill_of(strength) for strength in (0, MILDEST, 800, 1000, KEENEST, 3000)]
    assert skills[0] == skills[1] == 0
    assert skills[-1] == skills[-2] == 1
    assert all(milder < keener for milder, keener in pairwise(skills[1:-1]))


def test_a_keen_companion_beats_a_mild_one() -> None:
    ruleset = edition("simplified", tables=range(2, 11), rounds=1)
    rounds = times(12, 1000)
    won = [play_round(ruleset, [KEEN, MILD], seed).round_winner for seed in range(rounds)]
    assert won.count(0) > 0.7 * rounds


TOGETHER = replace(NO_OFFERS, opening=False, piles=1, rounds=1, goal=30, market=3, refill=True)
HANDS = ["10 20 30 1 3 7 9", "2 4 6 11 13 17 19"]


def view_of_helper(earned: tuple[int, int], quiet: int = 0) -> View:
    """The view of seat 0, which may lay a row of its own, or add a card at the end of 35-40-45."""
    rest = "12 14 16 18 22 1 3 7 9 21 23 24 26 27"
    state = dealt(["35 40 45 10 20 30 50", HANDS[1]], rest, ruleset=TOGETHER)
    state = after(state, "draw closed", "35 40 45", "discard 22")
    state = after(state, "draw closed", "discard 2", "draw closed")
    scores = tuple(20 + points for points in earned)
    return replace(view(state, 0), earned=earned, scores=scores, turns_without_play=quiet)


@pytest.mark.parametrize("level", [*BOTS, "companion 600", "companion 1200", STAND_IN])
def test_a_helper_leaves_the_open_cards_to_the_others(level: str) -> None:
    state = dealt(HANDS, "40 50 5 12 14 16", ruleset=TOGETHER)
    bot = find_bot(level)
    assert {bot(view(state, 0), seed) for seed in range(20)} == {DrawClosed()}
    with_offers = replace(NO_OFFERS, offers=True, piles=1, rounds=1, goal=30)
    state = after(dealt(HANDS, "40 50 12 14", ruleset=with_offers), "draw closed")
    assert {bot(view(state, 1), seed) for seed in range(20)} == {Pass()}


@pytest.mark.parametrize("level", [*BOTS, "companion 600", "companion 1200"])
def test_a_helper_does_no_more_than_the_weakest_at_the_table(level: str) -> None:
    bot = find_bot(level)

    def plays(own_view: View) -> int:
        return sum(isinstance(bot(own_view, seed), Play) for seed in range(20))

    assert plays(view_of_helper((3, 0))) == 0
    assert plays(view_of_helper((3, 3))) > 10
    assert plays(view_of_helper((3, 0), quiet=QUIET_TURNS)) == 20


def test_a_helper_lays_a_new_row_before_it_takes_a_place() -> None:
    seat_view = view_of_helper((3, 3))
    assert {str(play) for seed in range(20) if isinstance(play := KEEN(seat_view, seed), Play)} <= {
        "10 20 30"
    }


def test_a_bot_leaves_the_last_plank_to_those_who_still_have_turns() -> None:
    seat_view = replace(view_of_helper((3, 3)), goal=7)
    limited = replace(seat_view, ruleset=replace(TOGETHER, piles=None, most_turns=2))
    for bot in (KEEN, choose_for_absent):
        assert isinstance(bot(replace(limited, goal=20), 1), Play)
        assert isinstance(bot(limited, 1), Discard)
        assert isinstance(bot(replace(limited, turns=(1, 2)), 1), Play)
        assert isinstance(bot(replace(limited, earned=(4, 5)), 1), Play)


def test_a_stand_in_never_takes_the_lead() -> None:
    each = replace(view_of_helper((3, 3)), ruleset=replace(TOGETHER, goal=None), goal=None)
    assert isinstance(choose_for_absent(replace(each, scores=(5, 8)), 1), Play)
    assert isinstance(choose_for_absent(replace(each, scores=(8, 8)), 1), Discard)


def test_a_helper_puts_down_a_card_that_the_next_player_can_add() -> None:
    for bot in (MILD, KEEN):
        discards = {bot(view_of_helper((9, 0)), seed) for seed in range(20)}
        assert discards <= {Discard(30), Discard(50)}


TABLES = edition("simplified", tables=(2, 3, 5, 10))


def jokers_of_hand(play: Play, hand: int) -> int:
    return sum(is_joker(card) and hand >> card & 1 for card, _ in play.hand)


def tables_and_rows(sights: list[Sight]) -> list[tuple[int | None, set[tuple[int, ...]]]]:
    return [(sight.table, {numbers_of(play) for play in sight.plays}) for sight in sights]


def test_rows_that_share_a_card_are_noticed_together() -> None:
    assert tables_and_rows(sights_of(position("10 20 30 40 1", ruleset=TABLES))) == [
        (10, {(10, 20, 30), (20, 30, 40), (10, 20, 30, 40)})
    ]


def test_rows_of_two_tables_are_noticed_apart_at_a_shared_card() -> None:
    assert tables_and_rows(sights_of(position("6 8 10 9 12", ruleset=TABLES))) == [
        (2, {(6, 8, 10), (8, 10, 12), (6, 8, 10, 12)}),
        (3, {(6, 9, 12)}),
    ]


def test_rows_with_two_jokers_of_the_hand_are_never_noticed() -> None:
    sights = sights_of(position("10 a b", ruleset=TABLES))
    assert sights == []


def test_only_rows_with_the_card_in_mind_are_noticed() -> None:
    at = position("10 20 30 2 4 6", ruleset=TABLES)
    assert tables_and_rows(sights_of(at, card=30)) == [(10, {(10, 20, 30)})]


def test_the_same_seed_notices_the_same_rows() -> None:
    sights = sights_of(position("2 4 6 30 32 34 5 10 15 20", ruleset=TABLES))
    looks = [list(noticed_sights(sights, lambda _: 0.5, seed)) for seed in range(100)]
    assert looks == [list(noticed_sights(sights, lambda _: 0.5, seed)) for seed in range(100)]
    assert list(noticed_sights(sights, lambda _: 1, 1)) == sights
    assert list(noticed_sights(sights, lambda _: 0, 1)) == []
    assert 30 < sum(sights[0] in look for look in looks) < 70


@pytest.mark.parametrize("seed", range(times(5, 200)))
def test_every_play_with_at_most_one_joker_is_in_one_sight(seed: int) -> None:
    for state in random_match(seed).states:
        if state.phase != "play":
            continue
        at = state.position(state.turn)
        plays = [play for sight in sights_of(at) for play in sight.plays]
        few = [play for play in legal_plays(at) if jokers_of_hand(play, at.hand) <= 1]
        assert sorted(map(str, plays)) == sorted(map(str, few))
        for play in plays:
            assert numbers_of(play) == make_play(at, play).line.numbers
