"""Rules that every bot level must keep, in every edition."""

from dataclasses import replace
from random import Random

import pytest

from games.bots import sharp, steady
from games.bots.beginner import choose
from games.bots.registry import BOTS, CHARACTERS, LEVELS, find_bot
from games.bots.sharp import Judge
from games.engine.actions import Discard, DrawClosed, DrawOpen, Take
from games.engine.cards import cards_in, is_joker
from games.engine.match import apply
from games.engine.plays import best_points
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import action_text
from games.engine.view import view
from tests.counts import times
from tests.games.positions import SIMPLIFIED, after, dealt
from tests.games.rounds import allowed, play_round, random_ruleset

QUICK = ["beginner", "steady", "sharp"]
ROUNDS = dict.fromkeys(QUICK, (1, 550)) | {"expert": (1, 20)}
"""The rounds of each level in an edition, in `make test` and in `make proof` (10,000 together). A
round of the expert costs as much as a hundred others."""


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("level", times(QUICK, LEVELS))
def test_every_level_follows_the_rules_and_ends_its_round(level: str, name: str) -> None:
    """The engine refuses illegal actions, so a round that ends had none."""
    for seed in range(times(*ROUNDS[level])):
        over = play_round(edition(name, rounds=1), [level] * (2 + seed % 3), seed)
        assert over.phase == "match over"


@pytest.mark.parametrize("level", QUICK)
def test_a_level_chooses_among_the_legal_actions_of_its_seat(level: str) -> None:
    for seed in range(times(2, 60)):
        play_round(SIMPLIFIED, [level] * 3, seed, allowed)


@pytest.mark.parametrize("level", QUICK)
def test_every_level_follows_the_rules_of_any_ruleset(level: str) -> None:
    for seed in range(times(4, 1000)):
        ruleset = random_ruleset(Random(seed))
        seats = 2 + seed % (ruleset.most_players - 1)
        play_round(replace(ruleset, rounds=1), [level] * seats, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_does_the_same_for_the_same_view_and_seed(level: str) -> None:
    seat_view = view(dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12"), 0)
    assert BOTS[level](seat_view, 1) == BOTS[level](seat_view, 1)


@pytest.mark.parametrize("level", ["steady", "sharp"])
def test_a_deterministic_level_ignores_the_seed(level: str) -> None:
    seat_view = view(dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12"), 0)
    assert len({BOTS[level](seat_view, seed) for seed in range(20)}) == 1


def test_every_level_has_a_name_and_a_face_of_its_own() -> None:
    assert set(CHARACTERS) == set(LEVELS)
    for names_or_faces in zip(*CHARACTERS.values(), strict=True):
        assert len(set(names_or_faces)) == len(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_finds_a_level_by_its_name(level: str) -> None:
    assert find_bot(level) is BOTS[level]


def test_a_level_sees_no_card_of_another_hand() -> None:
    state = dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12")
    seat_view = view(state, 0)
    assert not set(seat_view.hand) & set(cards_in(state.hands[1]))
    assert seat_view.ruleset == SIMPLIFIED


@pytest.mark.parametrize("name", [*LEVELS, "companion 600", "companion 1200"])
def test_every_level_takes_the_market_card_that_makes_a_row(name: str) -> None:
    """Only a beginner and a mild companion sometimes overlook it."""
    rules = edition("simplified", tables=[10], offers=False, market=3, refill=True, piles=2)
    hands = ["10 20 33 41 43 47 49", "1 2 3 4 5 6 7"]
    seat_view = view(dealt(hands, "9 50 30 40 11 12 13 14 15", ruleset=rules), 0)
    choices = {find_bot(name)(seat_view, seed) for seed in range(times(8, 40))}
    assert Take(30) in choices
    assert choices <= {Take(30), DrawClosed()}


def test_a_keen_companion_lays_more_where_hands_fill_up() -> None:
    rules = edition("simplified", tables=[2, 5, 10], offers=False, market=3, refill=True, piles=2)
    counts = {}
    for name in ("companion 600", "companion 1200"):
        rounds = [play_round(replace(rules, rounds=1), [name] * 2, seed) for seed in range(6)]
        turns = sum(sum(over.turns) for over in rounds)
        counts[name] = sum(sum(over.scores) - 40 for over in rounds) / turns
    assert counts["companion 1200"] > 1.3 * counts["companion 600"]


PAIR = ["beginner", "beginner"]


def test_rounds_last_long_enough_for_a_child_to_lay_rows() -> None:
    lengths = sorted(
        max(play_round(SIMPLIFIED, PAIR, seed).turns) for seed in range(times(20, 500))
    )
    assert lengths[0] >= 4
    assert lengths[len(lengths) // 2] >= 5


def test_a_beginner_overlooks_rows_as_often_as_children() -> None:
    state = after(dealt(["10 20 30 7 17 33 49", "4 5 6 8 9 11 13"], "50 12"), "draw open")
    finds = [isinstance(choose(view(state, 0), seed), Play) for seed in range(100)]
    assert 0 < finds.count(False) < finds.count(True)


def test_a_beginner_keeps_cards_until_all_have_had_turns() -> None:
    state = after(dealt(["10 20 30 40 5 15 25", "4 6 8 9 11 13 1"], "50 12"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Play):
            assert apply(state, action).hands[0].bit_count() >= 3


def test_a_beginner_always_takes_an_open_joker() -> None:
    seat_view = view(dealt(["10 20 7 17 33 49 1", "4 5 6 8 9 11 13"], "a 12"), 0)
    assert {choose(seat_view, seed) for seed in range(20)} == {DrawOpen()}


def test_a_beginner_never_discards_a_joker_while_it_has_a_number() -> None:
    state = after(dealt(["a b 7 17 33 49 1", "4 5 6 8 9 11 13"], "12 14"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Discard):
            assert not is_joker(action.card)


# Sharp


TABLES = edition("simplified", tables=range(2, 11))
FOUR_TABLE = edition("simplified", tables=(4,))


def turn_of(state: State) -> tuple[State, list[str]]:
    """The actions of a sharp player until the end of its turn, and the state after it."""
    seat, actions = state.to_act, list[str]()
    while state.to_act == seat and state.phase == "play":
        action = sharp.choose(view(state, state.turn), 0)
        actions.append(action_text(action))
        state = apply(state, action)
    return state, actions


def to_play(hand: str, rest: str = "13 17", ruleset: Ruleset = TABLES) -> State:
    """Seat 0 has drawn, and must play."""
    return after(dealt([hand, "1 11 19 23 29 31 37"], rest, ruleset=ruleset), "draw closed", "pass")


def test_a_sharp_player_lays_everything_when_that_ends_the_round() -> None:
    state, _ = turn_of(to_play("4 8 12 20 25 30 47"))
    assert state.round_winner is None
    state, actions = turn_of(to_play("4 8 12 20 25 30 35"))
    assert len(actions) == 3
    assert state.round_winner == 0


def test_two_short_rows_are_laid_if_they_earn_more_than_a_long_one() -> None:
    start = to_play("10 20 30 40 25 35 47", "13 43")
    state, _ = turn_of(start)
    assert state.scores[0] - start.scores[0] == best_points(start.position(0))


def test_the_discard_is_in_no_row_and_breaks_no_pair() -> None:
    _, actions = turn_of(to_play("4 8 24 27 45 50 47", "13 40"))
    assert actions[-1] == "discard 47"


def test_a_card_that_fits_on_the_table_is_not_discarded() -> None:
    """32 and 44 are worth the same to the hand, but 32 fits next to 20-24-28."""
    state = dealt(["20 24 28 32 44 13 17", "4 8 12 1 11 19 23"], "29 31 37", ruleset=FOUR_TABLE)
    state = after(state, "draw closed", "pass", "20 24 28", "discard 13")
    state = after(state, "draw closed", "pass", "4 8 12", "discard 1")
    judge = Judge(view(after(state, "draw closed", "pass"), 0))
    table = state.table
    assert judge.worth_to_others(32, table) > judge.worth_to_others(44, table)


def test_a_joker_is_never_discarded_while_there_is_a_number() -> None:
    def keeps_jokers(state: State, action: object) -> None:
        if isinstance(action, Discard) and action.card > 100:
            assert state.to_act is not None
            assert all(card > 100 for card in view(state, state.to_act).hand)

    for seed in range(times(30, 1000)):
        play_round(TABLES, ["sharp", "steady"], seed, keeps_jokers)


def test_a_card_is_drawn_that_makes_no_row_yet_but_two_pairs() -> None:
    """A steady player would leave the 24. With 12 and 32, the 24 waits for 16, 18, 28, 36, 40."""
    hands = ["12 32 1 11 13 17 19", "2 3 5 6 7 9 14"]
    state = dealt(hands, "24 41 43", ruleset=TABLES)
    assert steady.choose(view(state, 0), 0) == DrawClosed()
    assert sharp.choose(view(state, 0), 0) == DrawOpen()


def test_a_joker_is_not_spent_where_a_number_fits() -> None:
    """12-16-20 can be laid without the joker, and 16-20-24 with it."""
    _, actions = turn_of(to_play("12 16 20 c 7 33 49", "13 41"))
    assert actions == ["12 16 20", "discard 41"]


def test_the_first_play_is_that_of_the_best_turn() -> None:
    def planned(state: State, action: object) -> None:
        if isinstance(action, Play) and state.to_act is not None:
            seat_view = view(state, state.to_act)
            assert Judge(seat_view).best(seat_view.position).turn.plays[0] == action

    for seed in range(times(10, 200)):
        play_round(TABLES, ["sharp", "sharp"], seed, planned)
