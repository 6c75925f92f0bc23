import pytest

from games.engine.actions import Claim, Deal, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.errors import ActionRefused, RulesetError, UnreadableText
from games.engine.ruleset import Ruleset, edition
from games.engine.text.notation import action_text, parse_action, parse_play, position_text
from tests.counts import for_each
from tests.games.positions import BLOCKS, SIMPLIFIED, position


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
    read = parse_action(f" {text} ".replace(" ", "  "), SIMPLIFIED)
    assert read == action
    assert action_text(read) == text


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
