"""Plays: which are legal, which one a tap means, what they earn, why others are refused."""

import pytest

from games.engine.cards import LaidCard
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.plays import TapTarget, plays_of_tap, plays_with_jokers, plays_without_jokers
from games.engine.ruleset import edition
from games.engine.table import Play
from games.engine.text.notation import parse_cards, parse_laid_card, parse_line, table_text
from tests.counts import for_each
from tests.games.positions import CLASSIC, SIMPLIFIED, plays_of, position, refusal, result_of

# Legal plays


def test_four_jokers_alone_make_every_row_of_three_and_four() -> None:
    """In this ruleset there are 3 rows of three, each in 4 × 3 × 2 ways, and 2 rows of four,
    each in 4 × 3 × 2 × 1."""
    plays = plays_of(position("a b c d", ruleset=edition("simplified", tables=[10])))
    assert len(plays) == 3 * 24 + 2 * 24
    assert {"a=10 b=20 c=30", "d=20 c=30 b=40 a=50"} <= plays


def test_a_joker_in_the_hand_counts_as_a_card_to_keep() -> None:
    at = position("10 20 30 a", ruleset=CLASSIC)
    assert [str(play) for play in plays_without_jokers(at)] == ["10 20 30"]


def test_plays_can_be_listed_by_their_number_of_jokers() -> None:
    at = position("10 20 30 a b", "1-2-3")
    by_count = [{str(play) for play in plays_with_jokers(at, count)} for count in range(4)]
    assert by_count[0] == {"10 20 30"}
    assert "10 20 30 a=40" in by_count[1]
    assert "10 20 a=30 b=40" in by_count[2]
    assert by_count[3] == set()
    assert set.union(*by_count) == plays_of(at)


def test_without_jokers_a_swapped_joker_may_be_laid() -> None:
    at = position("20 b", "10-a=20-30")
    plays = [str(play) for play in plays_without_jokers(at)]
    assert "a=40 to 10-a=20-30 swap 20 for a" in plays
    assert not any("b=" in play for play in plays)


def plays_meant(at: Position, cards: str, *places: str) -> set[str]:
    """The plays that a tap on these cards and places can mean. A place with a `-` is a whole
    row."""
    tapped: list[TapTarget] = []
    for place in places:
        if "-" in place:
            tapped.append(parse_line(place, at.ruleset))
        else:
            laid_card = parse_laid_card(place, at.ruleset)
            tapped.append(at.table.laid_cards.get(laid_card.card, laid_card))
    plays = plays_of_tap(at, parse_cards(cards.split(), at.ruleset), tapped)
    assert len(set(plays)) == len(plays)
    return {str(play) for play in plays}


# What a tap means


TAPS = {
    "hand cards alone are a row of their own": (
        ("10 20 30 40", "48-49-50"), ("10 20 30",), {"10 20 30"},
    ),
    "all tapped cards are laid": (("10 20 30 41",), ("10 20 30 41",), set()),
    "a tapped row is taken whole": (
        ("40 50", "10-20-30"), ("40 50", "10-20-30"), {"40 50 to 10-20-30"},
    ),
    "a tapped card is crossed or its row taken": (
        ("40 50", "10-20-30"), ("40 50", "30"), {"40 50 to 10-20-30", "40 50 across 30"},
    ),
    "with no place tapped the only place is found": (
        ("40 7", "10-20-30", "1-2-3"), ("40",), {"40 to 10-20-30"},
    ),
    "with no place tapped the hand comes first": (
        ("31 32 33", "28-29-30"), ("31 32 33",), {"31 32 33"},
    ),
    "a tapped place comes before the hand": (
        ("31 32 33", "28-29-30"), ("31 32 33", "28-29-30"), {"31 32 33 to 28-29-30"},
    ),
    "every tapped place is part of the play": (
        ("25", "10-15-20", "30-35-40", "1-2-3"),
        ("25", "10-15-20", "30-35-40"),
        {"25 to 10-15-20 30-35-40"},
    ),
    "a tapped place that does not fit forbids the play": (
        ("25", "10-15-20", "30-35-40", "1-2-3"), ("25", "10-15-20", "1-2-3"), set(),
    ),
    "nothing is taken but what was tapped": (
        ("25", "10-15-20", "30-35-40"), ("25", "10-15-20"), {"25 to 10-15-20"},
    ),
    "other places that the play needs are added if they are certain": (
        ("25", "19-20-21", "29-30-31"), ("25", "20"), {"25 across 20 30"},
    ),
    "a tapped joker may mean several numbers": (
        ("10 20 a",), ("10 20 a",), {"10 20 a=30", "10 a=15 20"},
    ),
}  # fmt: skip


@for_each(TAPS)
def test_a_tap_means(rule: str) -> None:
    at, tapped, plays = TAPS[rule]
    assert plays_meant(position(*at), *tapped) == plays


def test_a_card_and_the_joker_that_stands_for_it_mean_a_swap() -> None:
    at = position("20 40 49", "10-a=20-30", "1-2-3")
    assert plays_meant(at, "20 1 2", "a") == set()
    swaps = plays_meant(at, "20 40", "a")
    assert "40 a=50 to 10-a=20-30 swap 20 for a" in swaps


def test_the_last_card_means_nothing_where_a_discard_is_required() -> None:
    assert plays_meant(position("40", "10-20-30", ruleset=CLASSIC), "40", "10-20-30") == set()


# What a play makes


@pytest.mark.parametrize(
    ("lines", "play", "text"),
    [
        ([], "10 20 30", "10-20-30"),
        (["10-20-30"], "40 50 to 10-20-30", "10-20-30-40-50"),
        (["10-20-30"], "15 25 to 10-20-30", "10-15-20-25-30"),
        (["10-20-30"], "19 21 across 20", "19-20-21"),
        (["10-20-30", "15-25-35"], "5 across 10 15", "5-10-15"),
        (["10-15-20", "30-35-40"], "25 to 10-15-20 30-35-40", "10-15-20-25-30-35-40"),
        (["10-20-30", "48-49-50"], "40 to 10-20-30 across 50", "10-20-30-40-50"),
        (["10-20-30"], "a=40 to 10-20-30", "10-20-30-a=40"),
    ],
    ids=["lay", "add", "insert", "sideways", "link", "join", "mixture", "joker"],
)
def test_a_play_forms_one_line(lines: list[str], play: str, text: str) -> None:
    at = position("5 10 15 19 20 21 25 30 40 50 a", *lines)
    assert str(result_of(at, play).line) == text


def test_a_joker_may_stand_for_a_number_that_lies_elsewhere() -> None:
    at = position("19 21 a", "10-20-30")
    assert table_text(result_of(at, "19 a=20 21").table) == ["10-20-30", "19-a=20-21"]


# Green: 1, 5, 28–31. Red: 2, 3, 18, 20. Orange: 6–8. Blue: 10 (cards.csv).


def test_points_count_the_colours_of_old_and_new_cards() -> None:
    same = position("31 9", "28-29-30", ruleset=CLASSIC)
    assert result_of(same, "31 to 28-29-30").points == 2
    spoilt = position("9 40", "10-20-30", ruleset=CLASSIC)
    assert result_of(spoilt, "40 to 10-20-30").points == 1


def test_a_joker_counts_with_its_own_colour() -> None:
    assert result_of(position("6 7 9 d", ruleset=CLASSIC), "6 7 d=8").points == 0 + 2 * (2 + 2)
    assert result_of(position("10 20 c d", ruleset=CLASSIC), "10 20 c=30").points == 2 + 2


def test_doubling_can_be_switched_off() -> None:
    plain = edition("simplified", doubling=[])
    assert result_of(position("6 7 8", ruleset=plain), "6 7 8").points == 3


# Swaps


def test_the_joker_is_laid_again_and_the_swap_earns_nothing() -> None:
    play = result_of(position("1 2 20", "10-a=20-30"), "1 2 a=3 swap 20 for a")
    assert table_text(play.table) == ["1-2-a=3", "10-20-30"]
    assert play.points == 3
    assert play.hand == 0


# Refusals


@pytest.mark.parametrize(
    "play",
    [
        Play(()),
        Play((), (parse_line("10-20-30", SIMPLIFIED),)),
        Play((LaidCard(19, 19), LaidCard(21, 21)), across=(LaidCard(20, 20), LaidCard(20, 20))),
        Play((LaidCard(40, 40),), (parse_line("10-20-30", SIMPLIFIED),) * 2),
        Play((LaidCard(40, 39), LaidCard(19, 38), LaidCard(21, 37))),
    ],
    ids=["empty", "only a line", "a card crossed twice", "a line twice", "a false number"],
)
def test_plays_that_cannot_be_written_are_refused(play: Play) -> None:
    with pytest.raises(ActionRefused, match="bad-text"):
        make_play(position("19 21 40 50", "10-20-30"), play)


def test_without_an_agreed_opening_the_table_is_free() -> None:
    free = edition("blocks-simple")
    at = position("40", "10-20-30", ruleset=free, opened=False)
    assert str(result_of(at, "40 to 10-20-30").line) == "10-20-30-40"


def test_the_first_reason_that_applies_is_given() -> None:
    at = position("10 20", "1-2-3", opened=False)
    assert refusal(at, "10 99 to 1-2-3") == "bad-text"
    assert refusal(at, "10 48 to 7-8-9") == "not-in-hand"
    assert refusal(at, "10 to 7-8-9") == "not-on-table"
    assert refusal(at, "10 to 1-2-3") == "not-opened"
