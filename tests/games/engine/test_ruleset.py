"""Rulesets: the editions, the options, their contradictions, and how they are stored."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset, edition, ruleset_from_data, ruleset_to_data
from tests.counts import for_each


def test_there_are_six_editions() -> None:
    assert list(EDITIONS) == [
        "classic",
        "advanced",
        "simplified",
        "simplified-2010",
        "blocks",
        "blocks-simple",
    ]


@pytest.mark.parametrize(
    ("name", "of_two", "of_more"),
    [
        ("classic", 9, 7),
        ("advanced", 9, 7),
        ("simplified", 7, 5),
        ("simplified-2010", 7, 5),
        ("blocks", 9, 7),
        ("blocks-simple", 5, 5),
    ],
)
def test_two_players_get_larger_hands(name: str, of_two: int, of_more: int) -> None:
    ruleset = edition(name)
    assert (ruleset.hand_size(2), ruleset.hand_size(3)) == (of_two, of_more)


@pytest.mark.parametrize(
    ("name", "may"),
    [("classic", False), ("blocks", False), ("simplified", True), ("simplified-2010", True)],
)
def test_only_simple_editions_let_a_play_empty_the_hand(name: str, may: bool) -> None:
    assert edition(name).may_empty_hand is may


def test_options_are_stored_once_and_in_a_fixed_order() -> None:
    assert edition("simplified", tables=[5, 2, 5]).tables == (2, 5)
    assert edition("classic", doubling=["same", "different", "same"]) == edition(
        "classic", doubling=["different", "same"]
    )


def test_without_an_agreed_number_of_rounds_blocks_has_its_own() -> None:
    assert edition("blocks", rounds=None).rounds == 3
    assert edition("blocks-simple", rounds=None).rounds == 1
    assert edition("classic", rounds=None).rounds is None


@for_each(
    [
        ({"counts_back_to": [2]}, "counts-back-to-unknown"),
        ({"counts_back_to": []}, "counts-back-to-unknown"),
        ({"tables": []}, "no-tables"),
        ({"tables": [0]}, "table-without-rows"),
        ({"tables": [17]}, "table-without-rows"),
        ({"tables": [5], "counts_back_to": [1]}, "tables-do-not-count-back-to-one"),
        ({"families": ["cubes"]}, "family-unknown"),
        ({"doubling": ["thrice"]}, "doubling-unknown"),
        ({"rounds": 0}, "no-rounds"),
        ({"highest": 30}, "option-unknown"),
        ({"hand": 7}, "hands-larger-than-deck"),
        ({"market": 6, "offers": False}, "market-out-of-range"),
        ({"market": 3}, "market-without-offers"),
        ({"refill": True}, "piles-needed"),
        ({"most_rows": 5}, "piles-needed"),
        ({"piles": 0}, "no-piles"),
        ({"piles": 1, "most_rows": 0}, "no-rows"),
        ({"piles": 1, "least_fitting": 2}, "no-refill"),
        ({"piles": 1, "most_turns": 0}, "no-turns"),
        ({"goal": 30, "rounds": 3}, "piles-needed"),
        ({"goal": 30, "piles": 1}, "rounds-needed"),
        ({"goal": 0, "piles": 1, "rounds": 1}, "no-goal"),
        ({"goal_up": 2}, "goal-needed"),
        ({"goal": 30, "piles": 1, "rounds": 1, "goal_down": -1}, "goal-steps-negative"),
    ]
)
def test_options_that_make_no_game_are_refused(options: Any, reason: str) -> None:
    with pytest.raises(RulesetError) as refused:
        edition("simplified", **options)
    assert refused.value.reason == reason


def test_a_ruleset_cannot_contradict_itself() -> None:
    with pytest.raises(RulesetError, match=r"^highest-out-of-range$"):
        Ruleset("tiny", highest=2)
    with pytest.raises(RulesetError, match=r"^hands-larger-than-deck$"):
        Ruleset("greedy", hand=13)
    with pytest.raises(RulesetError, match=r"^rounds-needed$"):
        replace(edition("blocks"), rounds=None)
    with pytest.raises(RulesetError, match=r"^points-need-piles$"):
        replace(edition("classic"), drawing="knock")
    with pytest.raises(RulesetError, match=r"^market-needs-piles$"):
        edition("blocks", market=1)
    with pytest.raises(RulesetError, match=r"^market-needs-piles$"):
        edition("blocks", piles=1)
    with pytest.raises(RulesetError, match=r"^piles-needed$"):
        edition("blocks", most_turns=5)


def test_the_limits_of_options_are_exact() -> None:
    for highest in (3, 100):
        assert Ruleset("any", highest=highest, hand=0, hand_of_two=0).highest == highest
    with pytest.raises(RulesetError, match=r"^highest-out-of-range$"):
        Ruleset("large", highest=101)
    assert Ruleset("all but one", hand=103, most_players=1).hand == 103
    assert Ruleset("all but two", hand_of_two=51).hand_of_two == 51
    with pytest.raises(RulesetError, match=r"^hands-larger-than-deck$"):
        Ruleset("all", hand_of_two=52)
    assert edition("simplified", tables=[1, 16]).tables == (1, 16)
    assert edition("simplified", tables=[1], counts_back_to=[1]).tables == (1,)
    assert edition("simplified", tables=[5], counts_back_to=[0, 1]).tables == (5,)
    assert edition("classic", rounds=1).rounds == 1
    with pytest.raises(RulesetError, match=r"^rounds-needed$"):
        replace(edition("blocks-simple"), rounds=None)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_ruleset_survives_json(name: str) -> None:
    ruleset = edition(name, families=["primes"], tables=[2, 3], rounds=2)
    assert ruleset_from_data(json.loads(json.dumps(ruleset_to_data(ruleset)))) == ruleset


def test_a_ruleset_is_stored_as_it_has_always_been() -> None:
    ruleset = edition("simplified", tables=[2, 5, 10], rounds=3, offers=False)
    assert len(ruleset.sequences.rows) > 20  # computed once and kept, but not stored
    assert json.loads(json.dumps(ruleset_to_data(ruleset))) == {
        "edition": "simplified",
        "highest": 50,
        "most_players": 8,
        "hand": 5,
        "hand_of_two": 7,
        "start": 20,
        "earning": "one",
        "doubling": ["different", "same"],
        "counts_back_to": None,
        "tables": [2, 5, 10],
        "families": [],
        "opening": True,
        "ending": "discard unless empty",
        "drawing": "piles",
        "offers": False,
        "scoring": "points",
        "target": 100,
        "rounds": 3,
    }


def test_options_that_contradict_each_other_are_not_read() -> None:
    data = ruleset_to_data(edition("simplified"))
    for wrong, reason in (
        ({"highest": 10**30}, "highest-out-of-range"),
        ({"hand": 10**30}, "hands-larger-than-deck"),
        ({"tables": []}, "no-tables"),
        ({"rounds": 0}, "no-rounds"),
    ):
        with pytest.raises(RulesetError) as refused:
            ruleset_from_data({**data, **wrong})
        assert refused.value.reason == reason
