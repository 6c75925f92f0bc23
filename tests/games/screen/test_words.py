"""The words for rows, refusals and hints."""

import json
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.utils import translation

from classrooms.assignments.choice import Choice
from games.bots.reasons import Reason, reason, reason_to_data
from games.coach.hints import HintPosition, hint
from games.coach.refusals import Refusal
from games.coach.times_tables import row_table_of
from games.engine.actions import Deal, Discard, End, Knock, Pass
from games.engine.cards import VALUES, mask_of
from games.engine.errors import CODES
from games.engine.play_application import Position
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import jump_of
from games.engine.table import Play, Table
from games.engine.text.notation import parse_play
from games.engine.text.record import PublicData
from games.screen import hint_words, refusal_words, words
from games.screen.refusal_words import samples
from games.screen.words import (
    doubling_text,
    earned_text,
    praise,
    product,
    spoken,
    swap_text,
    unbroken,
)
from tests.counts import for_each, times
from tests.games.players import sentence_about
from tests.games.positions import BLOCKS, SIMPLIFIED, position
from tests.games.rounds import random_match

TABLES = edition("simplified", tables=(2, 5, 10), offers=False)
ANYTHING = edition("simplified")


def refusal_with(*numbers: int, code: str = "not-a-sequence") -> Refusal:
    jumps = tuple(after - before for before, after in pairwise(numbers))
    table = row_table_of(numbers) if len(numbers) > 1 else None
    return Refusal(code, numbers, jumps, jump_of(numbers) is not None, table, jokers=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("numbers", "name", "facts"),
    [
        ((12, 16, 20), "4 times table", "3 × 4, 4 × 4, 5 × 4"),
        ((11, 16, 21), "jumps of 5", "the 5 times table plus 1"),
        ((10, 30, 50), "jumps of 20", "all in the 10, 5 and 2 times tables"),
        ((3, 9, 15), "jumps of 6", "all in the 3 times table"),
        ((4, 5, 6), "neighbours", ""),
    ],
)
def test_a_row_says_how_it_relates_to_the_tables(
    numbers: tuple[int, ...], name: str, facts: str
) -> None:
    row = row_table_of(numbers)
    assert words.row_name(row, ANYTHING) == name
    assert words.row_facts(row, ANYTHING) == facts


def test_a_card_is_named_by_number_and_colour() -> None:
    assert words.card_name(101) == "joker, red"
    assert words.card_name(101, 28) == "joker for 28, red"
    assert words.card_name(28).startswith("28, ")


def test_a_game_is_named_by_its_tables() -> None:
    assert words.title(TABLES) == "2, 5 and 10 times tables"
    assert words.title(edition("simplified", tables=(7,))) == "7 times table"
    assert words.title(ANYTHING) == "Any equal jumps"


def test_points_that_everyone_has_from_the_start_are_explained() -> None:
    assert "Everyone starts the game with 20 points." in words.special_rules(EDITIONS["simplified"])
    assert Choice().ruleset().start == 0
    assert not any("starts" in note for note in words.special_rules(Choice().ruleset()))


def test_the_turns_of_a_round_are_announced_before_the_first_row() -> None:
    rules = words.special_rules(Choice().ruleset())
    assert "Everyone has 6 turns. Then the round is over." in rules


def test_colours_that_double_are_announced_before_the_first_row() -> None:
    for ruleset, is_doubled in ((Choice().ruleset(), True), (EDITIONS["blocks"], False)):
        assert any("double!" in note for note in words.special_rules(ruleset)) == is_doubled


def test_the_first_row_has_an_example_of_its_table() -> None:
    assert "4 times table" in words.first_row(edition("simplified", tables=(4,)))
    assert words.example(edition("simplified", tables=(4,))) == (4, 8, 12)


def test_games_of_other_tables_have_other_examples() -> None:
    tables = [(2, 5, 10), (3, 4, 6), (6, 7, 8, 9), tuple(range(2, 11))]
    assert len({words.example(edition("simplified", tables=each)) for each in tables}) == 4


def test_rows_of_a_family_are_named_where_it_is_agreed() -> None:
    families = edition("classic", families=("squares", "primes", "triangular"))
    assert words.row_name(row_table_of((9, 16, 25)), families) == "square numbers"
    assert words.row_facts(row_table_of((9, 16, 25)), families) == "3 × 3, 4 × 4, 5 × 5"
    assert words.row_name(row_table_of((5, 7, 11)), families) == "prime numbers"
    assert words.row_name(row_table_of((6, 10, 15)), families) == "triangular numbers"
    assert words.row_name(row_table_of((4, 8, 12)), families) == "4 times table"


@pytest.mark.parametrize(
    ("back", "numbers", "text"),
    [
        ((0,), (11, 16, 21), "Your jumps are 5, but 11 is not in the 5 times table."),
        ((0, 1), (14, 20, 26), "count back in jumps of 6. You land on 2, not on 0 or 1."),
        ((1,), (10, 20, 30), "count back in jumps of 10. You land on 0, not on 1."),
    ],
)
def test_rows_that_count_back_in_other_editions_are_explained(
    back: tuple[int, ...], numbers: tuple[int, ...], text: str
) -> None:
    ruleset = edition("classic", counts_back_to=back)
    assert refusal_words.refusal_text(refusal_with(*numbers), ruleset).endswith(text)


@pytest.mark.parametrize(
    ("tables", "numbers", "text"),
    [
        ((3, 4, 6), (18, 30, 42), "Your jumps are 12: make jumps of 3, 4 or 6."),
        (range(2, 11), (12, 24, 36), "Your jumps are 12: make jumps of 2 to 10."),
        (
            (3, 4, 6),
            (3, 9, 39),
            "Your jumps are 6 and 30. Make the same jump each time: 3, 4 or 6.",
        ),
        ((3, 4, 6), (7, 18, 30), "7 is not in the 3, 4 or 6 times table."),
        (range(2, 11), (13, 18, 30), "13 is in no times table of this game."),
    ],
)
def test_a_refused_row_says_which_jumps_the_game_allows(
    tables: Sequence[int], numbers: tuple[int, ...], text: str
) -> None:
    ruleset = edition("simplified", tables=tables)
    assert refusal_words.refusal_text(refusal_with(*numbers), ruleset) == text


def test_blocks_are_called_blocks() -> None:
    blocks = edition("blocks")
    for code in CODES:
        assert "card" not in refusal_words.refusal_text(refusal_with(1, 2, code=code), blocks)
    assert words.card_label(28, "block") == "28"
    assert words.card_label(101, "block") == "joker"
    assert words.card_label(101, "block", 28) == "joker for 28"
    assert "card" not in words.first_row(blocks)


def test_bots_speak_of_blocks() -> None:
    blocks = edition("blocks")
    assert words.action_words(Discard(14), {}, blocks) == "I put down a block: 14."
    assert words.action_words(Knock(1), {"card": "a"}, blocks) == "I took a block: joker."
    assert words.action_words(Pass(1), {}, blocks) == ""
    assert words.action_words(End(), {}, edition("simplified-2010")) == ""


def test_a_card_shows_its_points_where_cards_differ_in_points() -> None:
    assert words.card_label(60, words.kind_of(ANYTHING)) == words.card_name(60)
    label = words.card_label(60, words.kind_of(edition("classic")))
    assert label == f"{words.card_name(60)}, {VALUES[60]} point" + "s" * (VALUES[60] != 1)


@pytest.mark.parametrize(
    ("name", "options", "title"),
    [
        ("classic", {}, "Classic: Any equal jumps"),
        ("advanced", {}, "Advanced: Equal jumps that count back to 0 or 1"),
        ("blocks", {"tables": [3]}, "Blocks: 3 times table"),
        ("simplified", {"counts_back_to": [0]}, "All times tables"),
        ("simplified", {"families": ["primes"]}, "Any equal jumps, and prime numbers"),
    ],
)
def test_a_game_is_named_by_its_edition_and_its_rows(
    name: str, options: dict[str, Any], title: str
) -> None:
    assert words.title(edition(name, **options)) == title


def test_the_last_hint_names_a_family() -> None:
    squares = edition("classic", families=("squares",))
    at = Position(squares, Table(), mask_of((9, 16, 25, 50)), False)
    assert (
        hint_words.hint_text(hint(HintPosition(at), 4), squares)
        == "Look at 9. It is in a row of square numbers."
    )
    assert "special" in hint_words.hint_text(hint(HintPosition(at), 3), squares)


CLASSIC = edition("classic")


def bot_words(play: str, hand: str, *lines: str) -> str:
    at = position(hand, *lines)
    data = reason_to_data(reason(at, parse_play(play, SIMPLIFIED)))
    return swap_text(json.loads(json.dumps(data)))


def test_points_are_named_with_their_reason() -> None:
    assert earned_text({"points": 3, "laid": [12, 16, 20]}, SIMPLIFIED) == "+3 for 3 cards."
    assert earned_text({"points": 2, "laid": [24]}, SIMPLIFIED) == "+2 for 1 card."
    assert earned_text({"points": 7, "laid": [3, 6]}, CLASSIC) == "+7 for the dots on 2 cards."
    assert earned_text({"points": 0, "laid": [3]}, CLASSIC) == ""


def test_a_long_row_is_praised_unless_it_counts_double() -> None:
    long: PublicData = {"points": 1, "numbers": list(range(2, 14, 2))}
    assert praise(long) == "A row of 6!"
    assert praise({**long, "colours": "same"}) == "All one colour: double!"
    assert praise({**long, "numbers": [2, 4, 6]}) == ""
    assert praise({**long, "numbers": [21, 28, 35, 42]}) == "A row of 4!"


def test_a_row_across_is_praised_unless_there_is_more_to_praise() -> None:
    short: PublicData = {"points": 1, "numbers": [10, 20, 30]}
    assert praise(short, crosses=True) == "A row across!"
    long: PublicData = {**short, "numbers": [10, 20, 30, 40, 50]}
    assert praise(long, crosses=True) == "A row of 5!"


def test_colours_that_count_double_are_named() -> None:
    assert doubling_text({"points": 6, "colours": "same"}) == "All one colour: double!"
    assert doubling_text({"points": 8, "colours": "different"}) == "All colours different: double!"
    assert doubling_text({"points": 3}) == ""
    assert doubling_text({"points": 0, "colours": "same"}) == ""


def test_a_taken_joker_is_named() -> None:
    text = bot_words("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert "I put the 24 where a joker was." in text


def test_a_row_is_drawn_and_only_a_swap_and_a_last_card_are_told() -> None:
    data: PublicData = {"numbers": [16, 20, 24, 28], "laid": [28], "swapped": [24], "points": 1}
    assert words.words_beside_row(data, SIMPLIFIED) == "I put the 24 where a joker was."
    last: PublicData = {"numbers": [1, 2, 3], "laid": [1, 2, 3], "points": 3, "last": True}
    assert words.words_beside_row(last, SIMPLIFIED) == "That was my last card."
    filled_up = edition("simplified", refill=True, piles=1, offers=False)
    assert words.words_beside_row(last, filled_up) == ""


def test_cards_that_fit_no_row_are_named_when_they_go() -> None:
    assert words.refill_text((4, 18), (19,)) == (
        "19 fits no row: you get another card. Your hand fills up: 4 and 18."
    )
    assert words.refill_text((4,), (7, 19)) == (
        "7 and 19 fit no row: you get other cards. Your hand fills up: 4."
    )


MOST_WORDS = 12


def first_sentence(play: str, hand: str, *lines: str) -> str:
    parsed = parse_play(play, SIMPLIFIED)
    data = reason_to_data(reason(position(hand, *lines), parsed))
    return words.action_words(parsed, data, SIMPLIFIED).split(". ")[0] + "."


@for_each(Random(12).sample(range(10**6), times(12, 1000)))
def test_sentences_have_at_most_twelve_words(seed: int) -> None:
    for before, _, action in random_match(seed).moments:
        if action is None or isinstance(action, Deal):
            continue
        text = sentence_about(before, action)
        for sentence in text.split(". "):
            assert len(sentence.split()) <= MOST_WORDS, sentence
        if isinstance(action, Play) and action.across:
            assert not text.startswith("I added"), text


def test_a_row_that_goes_on_across_others_is_named_by_its_ends() -> None:
    text = first_sentence("5 to 10-15-20-25 across 30", "5", "10-15-20-25", "30-33-36")
    assert text == "I made a row from 5 to 30: 5 times table."


def test_a_longer_row_is_described_as_cards_added() -> None:
    assert first_sentence("16 to 4-8-12", "16", "4-8-12") == "I added 16 to a row: 4 times table."


@pytest.mark.parametrize(
    ("language", "sign", "word"),
    [
        ("en", "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7", "6 times 7"),
        ("de", "6\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}7", "6 mal 7"),
        ("fr", "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7", "6 fois 7"),
    ],
)
def test_sign_and_word_are_those_of_the_language(language: str, sign: str, word: str) -> None:
    with translation.override(language):
        assert unbroken(product(6, 7)) == sign
        assert spoken(6, 7) == word


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_edition_has_samples_of_both_kinds(name: str) -> None:
    both_kinds = samples(EDITIONS[name])
    assert both_kinds["allowed"]
    assert both_kinds["refused"]
    assert all(all(sample) for sample in (*both_kinds["allowed"], *both_kinds["refused"]))


def test_a_row_names_its_table_or_says_why_not() -> None:
    both_kinds = samples(edition("simplified", tables=(4, 5)))
    assert ("12, 16, 20", "4 times table: 3 × 4, 4 × 4, 5 × 4") in both_kinds["allowed"]
    reason = "Your jumps are 5, but 11 is not in the 5 times table."
    assert ("11, 16, 21", reason) in both_kinds["refused"]


def reason_of(play: str, hand: str, *lines: str, ruleset: Ruleset = SIMPLIFIED) -> Reason:
    at = position(hand, *lines, ruleset=ruleset)
    return reason(at, parse_play(play, ruleset))


@pytest.mark.parametrize(
    ("play", "lines", "way"),
    [
        ("12 16 20", (), "laid"),
        ("28 to 16-20-24", ("16-20-24",), "added"),
        ("16 to 4-8-12 20-24-28", ("4-8-12", "20-24-28"), "joined"),
        ("12 20 across 16", ("14-15-16",), "crossed"),
    ],
)
def test_a_reason_names_how_a_row_was_made(play: str, lines: tuple[str, ...], way: str) -> None:
    assert reason_of(play, "12 16 20 28 50", *lines).way == way


def test_rows_of_blocks_earn_nothing_and_double_nothing() -> None:
    reason = reason_of("12 16 20", "12 16 20 50", ruleset=BLOCKS)
    assert (reason.points, reason.colours) == (0, None)


def test_a_reason_names_a_taken_joker_and_the_last_card() -> None:
    reason = reason_of("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert reason.swapped_numbers == (24,)
    assert reason.is_last


def test_a_swapped_joker_is_praised_unless_the_row_counts_double() -> None:
    swapped: PublicData = {"points": 3, "numbers": [30, 35, 40], "laid": [30, 35], "swapped": [8]}
    assert words.praise(swapped) == "A clever swap!"
    assert words.praise(swapped | {"colours": "same"}) == "All one colour: double!"
