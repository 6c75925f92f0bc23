"""Plays, actions, positions and rulesets are read as they were written."""

from dataclasses import fields, replace
from random import Random

import pytest

from games.engine.actions import Claim, Deal, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.errors import ActionRefused, RulesetError, TextError, UnreadableText
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.text.notation import (
    action_text,
    parse_action,
    parse_play,
    parse_ruleset,
    position_text,
    ruleset_text,
)
from tests.counts import for_each, times
from tests.games.positions import BLOCKS, SIMPLIFIED, position
from tests.games.rounds import random_ruleset


@for_each(
    [
        ("", "no-hand-card", ""),
        ("to 10-20-30", "no-hand-card", "to 10-20-30"),
        ("10 2x 30", "no-card", "2x"),
        ("10 20 51", "not-in-edition", "51"),
        ("10 b 30", "number-missing", "b"),
        ("40 to 10-b-30", "number-missing", "b"),
        ("10 20=21 30", "another-number", "20=21"),
        ("10 010 20", "twice", "10"),
        ("10 b=20 b=30", "twice", "b"),
        ("40 to 10-20-30-20", "twice", "20"),
        ("40 to 10-20-30 30-20-10", "twice", "10-20-30"),
        ("12 28 across 20 20", "twice", "20"),
        ("14 a=16 swap 14 for a", "twice", "14"),
        ("40 a=41 swap 14 for a, 14 for b", "twice", "14"),
        ("40 a=41 swap 14 for a, 15 for a", "twice", "a"),
        ("40 across", "nothing-after", "40 across"),
        ("40 to 1-2-3 to 4-5-6", "word-twice", "to"),
        ("40 a=41 swap b for a", "no-swap", "b for a"),
        ("40 a=41 swap 14 a", "no-swap", "14 a"),
        ("40 a=41 swap a=14 for a", "number-not-wanted", "a=14"),
        ("discard a=14", "number-not-wanted", "a=14"),
        ("knock x", "no-seat", "knock x"),
        ("draw", "no-action", "draw"),
        ("hello 1", "no-action", "hello 1"),
        ("e 1 2", "no-card", "e"),
    ]
)
def test_the_error_for_unreadable_text_names_the_word(text: str, why: str, where: str) -> None:
    with pytest.raises(UnreadableText, match=f"^bad-text: {why}: ") as refused:
        parse_action(text, SIMPLIFIED)
    value = refused.value
    assert (value.code, value.reason, value.detail) == ("bad-text", why, where)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  30   10 20", "10 20 30"),
        ("50 40 to 30-20-10", "40 50 to 10-20-30"),
        ("25 to 30-35-40 10-15-20", "25 to 10-15-20 30-35-40"),
        ("40 across 50 to 10-20-30", "40 to 10-20-30 across 50"),
        ("b=20 12 a=16 swap 30 for b,14 for a", "12 a=16 b=20 swap 14 for a, 30 for b"),
    ],
)
def test_another_order_and_extra_spaces_make_no_difference(text: str, canonical: str) -> None:
    assert str(parse_play(text, SIMPLIFIED)) == canonical


@for_each(
    [
        "",
        "to 10-20-30",
        "across 20 12 28",
        "a 10 20",
        "10 20=30 30",
        "10 20 60",
        "10 10 20",
        "10 a=20 a=30",
        "12 28 across 20 20",
        "40 to 10-20-10",
        "40 to 10-a-30",
        "40 to 10-20-30 10-20-30",
        "40 to 10-20-30 to 1-2-3",
        "40 to",
        "40 across",
        "40 swap",
        "40 a=41 swap 14 for a, 14 for b",
        "40 a=41 swap 14 for a, 15 for a",
        "14 a=16 swap 14 for a",
        "40 a=41 swap b for a",
        "40 a=41 swap 14 for 15",
        "40 a=41 swap 14 a",
        "40 a=41 swap 14 for a,",
        "10, 20 30",
        "hello",
    ]
)
def test_text_that_is_not_a_play_cannot_be_read(text: str) -> None:
    with pytest.raises(ActionRefused, match="bad-text"):
        parse_play(text, SIMPLIFIED)


def test_a_swap_may_repeat_the_jokers_number_but_not_change_it() -> None:
    assert str(parse_play("40 a=41 42 swap 14 for a=14", SIMPLIFIED)) == "40 a=41 42 swap 14 for a"
    with pytest.raises(ActionRefused, match="swap-mismatch"):
        parse_play("40 a=41 42 swap 14 for a=15", SIMPLIFIED)


@for_each(
    [
        ("draw open", DrawOpen()),
        ("draw closed", DrawClosed()),
        ("claim", Claim()),
        ("claim 1", Claim(1)),
        ("pass", Pass()),
        ("pass 0", Pass(0)),
        ("knock", Knock()),
        ("knock 2", Knock(2)),
        ("discard 7", Discard(7)),
        ("discard a", Discard(101)),
        ("end", End()),
    ]
)
def test_other_actions_are_written_as_they_are_read(text: str, action: object) -> None:
    same = parse_action(f" {text} ".replace(" ", "  "), SIMPLIFIED)
    assert same == action
    assert action_text(same) == text


def test_a_deal_is_written_without_its_deck() -> None:
    assert action_text(Deal((1, 2, 3))) == "deal"


def test_a_position_is_written_in_one_line() -> None:
    lenient = edition("simplified", offers=False)
    at = position("40 b 7", "12-20-28", "10-20-30", ruleset=lenient)
    text = "simplified offers=no | table 10-20-30 12-20-28 | hand 7 40 b | opened yes"
    assert position_text(at) == text
    assert (
        position_text(position("", ruleset=BLOCKS, opened=False))
        == "blocks | table none | hand none | opened no"
    )


def test_a_position_of_no_known_edition_has_no_text() -> None:
    with pytest.raises(RulesetError, match="edition-unknown"):
        position_text(position("7", ruleset=Ruleset("own")))


@for_each(
    [
        ("simplified tables=2,5,10", edition("simplified", tables=[2, 5, 10])),
        ("simplified offers=no", edition("simplified", offers=False)),
        ("advanced counts-back-to=any", edition("advanced", counts_back_to=None)),
        ("classic counts-back-to=0,1", edition("classic", counts_back_to=[0, 1])),
        ("classic doubling=none", edition("classic", doubling=[])),
        ("classic families=primes,squares", edition("classic", families=["squares", "primes"])),
        ("classic start=-5 target=-1", edition("classic", start=-5, target=-1)),
        ("blocks rounds=2", edition("blocks", rounds=2)),
        ("blocks-simple opening=yes", edition("blocks-simple", opening=True)),
        (
            "classic highest=60 most-players=3 hand=4 hand-of-two=5 ending=discard-unless-empty",
            replace(
                EDITIONS["classic"],
                highest=60,
                most_players=3,
                hand=4,
                hand_of_two=5,
                ending="discard unless empty",
            ),
        ),
        (
            "blocks earning=value drawing=youngest-first scoring=rounds-won",
            replace(
                EDITIONS["blocks"], earning="value", drawing="youngest first", scoring="rounds won"
            ),
        ),
    ]
)
def test_the_differing_options_follow_the_edition(text: str, ruleset: Ruleset) -> None:
    assert ruleset_text(ruleset) == text
    assert parse_ruleset(text) == ruleset


@for_each(range(times(50, 2000)))
def test_any_ruleset_and_its_text_say_the_same(seed: int) -> None:
    ruleset = random_ruleset(Random(seed))
    text = ruleset_text(ruleset)
    assert parse_ruleset(text) == ruleset
    assert ruleset_text(parse_ruleset(text)) == text


def test_lists_have_a_fixed_order() -> None:
    loose = replace(
        EDITIONS["classic"],
        tables=(5, 2, 5),
        doubling=("same", "different"),
        counts_back_to=(1, 0),
        families=("squares", "primes"),
    )
    assert loose == parse_ruleset(ruleset_text(loose))
    assert ruleset_text(loose) == "classic counts-back-to=0,1 tables=2,5 families=primes,squares"


@for_each(
    [
        ("", "", "edition-unknown"),
        ("chess", "chess", "edition-unknown"),
        ("classic edition=blocks", "edition", "option-unknown"),
        ("classic blocks", "blocks", "option-unknown"),
        ("classic start=1 start=1", "start", "option-twice"),
        ("classic start", "start", "option-unreadable"),
        ("classic start=--1", "start=--1", "option-unreadable"),
        ("classic hand=-1", "hand=-1", "option-unreadable"),
        ("classic hand=10000", "hand=10000", "option-unreadable"),
        ("classic hand=٣", "hand=٣", "option-unreadable"),
        ("classic hand=any", "hand=any", "option-unreadable"),
        ("classic offers=true", "offers=true", "option-unreadable"),
        ("classic tables=2,", "tables=2,", "option-unreadable"),
        ("classic families=even", "families=even", "option-unreadable"),
        ("classic ending=never", "ending=never", "option-unreadable"),
        ("classic tables=none", "tables=none", "no-tables"),
        ("classic tables=34", "tables=34", "table-without-rows"),
        ("classic start=1 drawing=knock", "start=1 drawing=knock", "points-need-piles"),
        ("blocks rounds=any", "rounds=any", "rounds-needed"),
    ]
)
def test_the_error_for_unreadable_text_says_what_and_why(text: str, word: str, reason: str) -> None:
    with pytest.raises(TextError) as problem:
        parse_ruleset(text, 7)
    assert (problem.value.line, problem.value.word, problem.value.reason) == (7, word, reason)


def test_a_ruleset_of_no_edition_has_no_text() -> None:
    with pytest.raises(RulesetError, match="edition-unknown"):
        ruleset_text(Ruleset("own"))


@for_each([field.name for field in fields(Ruleset)][1:])
def test_text_can_set_every_field(field: str) -> None:
    with pytest.raises(TextError, match="option-unreadable"):
        parse_ruleset(f"classic {field}=?")
