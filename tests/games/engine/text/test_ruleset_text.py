"""A ruleset as text: its edition, and the options that differ."""

from dataclasses import fields, replace
from random import Random

import pytest

from games.engine.errors import RulesetError, TextError
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.text.notation import parse_ruleset, ruleset_text
from tests.counts import for_each, times
from tests.games.rounds import random_ruleset


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
