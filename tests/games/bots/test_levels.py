"""Rules that every bot level must keep, in every edition."""

from dataclasses import replace
from random import Random

import pytest

from games.bots.beginner import choose
from games.bots.registry import BOTS, CHARACTERS, LEVELS, find_bot
from games.engine.actions import Discard, DrawClosed, DrawOpen, Take
from games.engine.cards import cards_in, is_joker
from games.engine.match import apply
from games.engine.round import view
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play
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
    seen = view(dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12"), 0)
    assert BOTS[level](seen, 1) == BOTS[level](seen, 1)


@pytest.mark.parametrize("level", ["steady", "sharp"])
def test_a_deterministic_level_ignores_the_seed(level: str) -> None:
    seen = view(dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12"), 0)
    assert len({BOTS[level](seen, seed) for seed in range(20)}) == 1


def test_every_level_has_a_name_and_a_face_of_its_own() -> None:
    assert set(CHARACTERS) == set(LEVELS)
    for names_or_faces in zip(*CHARACTERS.values(), strict=True):
        assert len(set(names_or_faces)) == len(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_finds_a_level_by_its_name(level: str) -> None:
    assert find_bot(level) is BOTS[level]


def test_a_level_sees_no_card_of_another_hand() -> None:
    state = dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12")
    seen = view(state, 0)
    assert not set(seen.hand) & set(cards_in(state.hands[1]))
    assert seen.ruleset == SIMPLIFIED


@pytest.mark.parametrize("name", [*LEVELS, "companion 600", "companion 1200"])
def test_every_level_takes_the_market_card_that_makes_a_row(name: str) -> None:
    """Only a beginner and a mild companion sometimes overlook it."""
    rules = edition("simplified", tables=[10], offers=False, market=3, refill=True, piles=2)
    hands = ["10 20 33 41 43 47 49", "1 2 3 4 5 6 7"]
    seen = view(dealt(hands, "9 50 30 40 11 12 13 14 15", ruleset=rules), 0)
    taken = {find_bot(name)(seen, seed) for seed in range(times(8, 40))}
    assert Take(30) in taken
    assert taken <= {Take(30), DrawClosed()}


def test_a_keen_companion_lays_more_where_hands_fill_up() -> None:
    rules = edition("simplified", tables=[2, 5, 10], offers=False, market=3, refill=True, piles=2)
    laid = {}
    for name in ("companion 600", "companion 1200"):
        rounds = [play_round(replace(rules, rounds=1), [name] * 2, seed) for seed in range(6)]
        turns = sum(sum(over.turns) for over in rounds)
        laid[name] = sum(sum(over.scores) - 40 for over in rounds) / turns
    assert laid["companion 1200"] > 1.3 * laid["companion 600"]


PAIR = ["beginner", "beginner"]


def test_rounds_last_long_enough_for_a_child_to_lay_rows() -> None:
    lengths = sorted(
        max(play_round(SIMPLIFIED, PAIR, seed).turns) for seed in range(times(20, 500))
    )
    assert lengths[0] >= 4
    assert lengths[len(lengths) // 2] >= 5


def test_a_beginner_overlooks_rows_as_often_as_children() -> None:
    state = after(dealt(["10 20 30 7 17 33 49", "4 5 6 8 9 11 13"], "50 12"), "draw open")
    laid = [isinstance(choose(view(state, 0), seed), Play) for seed in range(100)]
    assert 0 < laid.count(False) < laid.count(True)


def test_a_beginner_keeps_cards_until_all_have_had_turns() -> None:
    state = after(dealt(["10 20 30 40 5 15 25", "4 6 8 9 11 13 1"], "50 12"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Play):
            assert apply(state, action).hands[0].bit_count() >= 3


def test_a_beginner_always_takes_an_open_joker() -> None:
    seen = view(dealt(["10 20 7 17 33 49 1", "4 5 6 8 9 11 13"], "a 12"), 0)
    assert {choose(seen, seed) for seed in range(20)} == {DrawOpen()}


def test_a_beginner_never_discards_a_joker_while_it_has_a_number() -> None:
    state = after(dealt(["a b 7 17 33 49 1", "4 5 6 8 9 11 13"], "12 14"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Discard):
            assert not is_joker(action.card)
