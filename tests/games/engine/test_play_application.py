import pytest

from games.engine.cards import LaidCard
from games.engine.errors import ActionRefused
from games.engine.play_application import form
from games.engine.ruleset import edition
from games.engine.table import Play
from games.engine.text.notation import parse_line, table_text
from tests.games.positions import (
    BLOCKS,
    CLASSIC,
    SIMPLIFIED,
    cards_of,
    formed,
    position,
    refusal,
)


class TestWhatAPlayMakes:
    @pytest.mark.parametrize(
        ("lines", "play", "made"),
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
    def test_a_play_forms_one_line(self, lines: list[str], play: str, made: str) -> None:
        at = position("5 10 15 19 20 21 25 30 40 50 a", *lines)
        assert str(formed(at, play).line) == made

    def test_the_cards_laid_leave_the_hand(self) -> None:
        assert cards_of(formed(position("7 10 20 30"), "10 20 30").hand) == "7"

    def test_a_joker_of_a_number_that_lies_elsewhere_is_no_matter(self) -> None:
        at = position("19 21 a", "10-20-30")
        assert table_text(formed(at, "19 a=20 21").table) == ["10-20-30", "19-a=20-21"]


class TestPoints:
    """1, 5 and 28–31 are green, 2, 3, 18 and 20 red, 6–8 orange, 10 blue (cards.csv)."""

    def test_the_hand_cards_laid_earn_their_values(self) -> None:
        assert formed(position("1 2 3 9", ruleset=CLASSIC), "1 2 3").points == 1 + 3 + 3

    def test_cards_already_on_the_table_earn_nothing(self) -> None:
        assert formed(position("4 9", "1-2-3", ruleset=CLASSIC), "4 to 1-2-3").points == 3

    def test_a_joker_is_worth_nothing(self) -> None:
        assert formed(position("1 2 9 b", ruleset=CLASSIC), "1 2 b=3").points == 1 + 3

    def test_simplified_every_card_laid_earns_one_a_joker_too(self) -> None:
        assert formed(position("1 2 b"), "1 2 b=3").points == 3

    def test_a_line_of_one_colour_doubles(self) -> None:
        assert formed(position("6 7 8 9", ruleset=CLASSIC), "6 7 8").points == 2 * (2 + 2 + 2)

    def test_a_line_of_different_colours_doubles(self) -> None:
        assert formed(position("9 10 20 30", ruleset=CLASSIC), "10 20 30").points == 2 * 5

    def test_old_and_new_cards_count_for_the_colours(self) -> None:
        same = position("31 9", "28-29-30", ruleset=CLASSIC)
        assert formed(same, "31 to 28-29-30").points == 2
        spoilt = position("9 40", "10-20-30", ruleset=CLASSIC)
        assert formed(spoilt, "40 to 10-20-30").points == 1

    def test_a_joker_counts_with_its_own_colour(self) -> None:
        assert formed(position("6 7 9 d", ruleset=CLASSIC), "6 7 d=8").points == 0 + 2 * (2 + 2)
        assert formed(position("10 20 c d", ruleset=CLASSIC), "10 20 c=30").points == 2 + 2

    def test_simplified_2010_doubles_for_one_colour_only(self) -> None:
        of_2010 = edition("simplified-2010")
        assert formed(position("10 20 30", ruleset=of_2010), "10 20 30").points == 3
        assert formed(position("6 7 8", ruleset=of_2010), "6 7 8").points == 6

    def test_doubling_can_be_switched_off(self) -> None:
        plain = edition("simplified", doubling=[])
        assert formed(position("6 7 8", ruleset=plain), "6 7 8").points == 3

    def test_in_blocks_a_play_earns_nothing(self) -> None:
        assert formed(position("6 7 8 9", ruleset=BLOCKS), "6 7 8").points == 0


class TestSwaps:
    def test_the_joker_is_laid_again_and_the_card_put_in_earns_nothing(self) -> None:
        made = formed(position("1 2 20", "10-a=20-30"), "1 2 a=3 swap 20 for a")
        assert table_text(made.table) == ["1-2-a=3", "10-20-30"]
        assert made.points == 3
        assert made.hand == 0

    def test_the_joker_may_go_back_to_the_line_that_it_came_from(self) -> None:
        made = formed(position("7 20", "10-a=20-30"), "a=40 to 10-a=20-30 swap 20 for a")
        assert table_text(made.table) == ["10-20-30-a=40"]

    def test_the_card_just_put_in_may_be_crossed(self) -> None:
        at = position("11 24 50", "a=22-b=24-26")
        made = formed(at, "11 b=37 across b swap 24 for b")
        assert table_text(made.table) == ["11-24-b=37", "a=22-24-26"]

    def test_several_jokers_may_be_swapped_in_one_play(self) -> None:
        at = position("12 14 30 50", "a=14-15-16", "b=30-35-40")
        made = formed(at, "12 a=13 b=14 swap 14 for a, 30 for b")
        assert table_text(made.table) == ["12-a=13-b=14", "14-15-16", "30-35-40"]

    def test_a_crossed_joker_is_swapped_in_both_lines(self) -> None:
        at = position("1 2 20", "10-a=20-30", "19-a=20-21")
        made = formed(at, "1 2 a=3 swap 20 for a")
        assert table_text(made.table) == ["1-2-a=3", "10-20-30", "19-20-21"]
        assert len(made.table.islands) == 2


class TestRefusals:
    def test_a_card_not_in_the_hand_is_refused(self) -> None:
        assert refusal(position("10 20"), "10 20 30") == "not-in-hand"

    def test_a_swap_needs_its_card_in_the_hand(self) -> None:
        at = position("1 2", "10-a=20-30")
        assert refusal(at, "1 2 a=3 swap 20 for a") == "not-in-hand"

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
    def test_what_could_not_be_written_is_refused_too(self, play: Play) -> None:
        with pytest.raises(ActionRefused, match="bad-text"):
            form(position("19 21 40 50", "10-20-30"), play)

    def test_what_is_not_on_the_table_cannot_be_taken(self) -> None:
        at = position("20 40 41 42", "10-a=20-30")
        assert refusal(at, "40 to 10-20-30") == "not-on-table"
        assert refusal(at, "40 42 across 41") == "not-on-table"
        assert refusal(at, "40 across a=21") == "not-on-table"
        assert refusal(at, "40 b=41 42 swap 20 for b") == "not-on-table"

    def test_before_opening_nothing_of_the_table_is_used(self) -> None:
        at = position("19 20 21 40 1 2", "10-a=20-30", opened=False)
        assert refusal(at, "40 to 10-a=20-30") == "not-opened"
        assert refusal(at, "19 21 across a") == "not-opened"
        assert refusal(at, "1 2 a=3 swap 20 for a") == "not-opened"
        assert formed(at, "19 20 21").points == 3

    def test_where_no_opening_is_agreed_the_table_is_free(self) -> None:
        free = edition("blocks-simple")
        at = position("40", "10-20-30", ruleset=free, opened=False)
        assert str(formed(at, "40 to 10-20-30").line) == "10-20-30-40"

    def test_a_swap_must_match_what_the_joker_stands_for(self) -> None:
        at = position("1 2 21", "10-a=20-30")
        assert refusal(at, "1 2 a=3 swap 21 for a") == "swap-mismatch"

    def test_a_swapped_joker_must_be_laid_again(self) -> None:
        at = position("1 2 3 20", "10-a=20-30")
        assert refusal(at, "1 2 3 swap 20 for a") == "joker-not-laid"

    def test_a_card_is_crossed_only_once(self) -> None:
        at = position("11 29 40", "10-20-30", "19-20-21")
        assert refusal(at, "11 29 across 20") == "already-crossed"
        assert refusal(at, "40 to 10-20-30 across 30") == "already-crossed"

    def test_what_is_taken_comes_from_different_islands(self) -> None:
        at = position("25 40", "10-20-30", "20-21-22")
        assert refusal(at, "25 across 10 30") == "same-island"
        assert refusal(at, "25 across 10 22") == "same-island"
        assert refusal(at, "40 to 10-20-30 across 21") == "same-island"

    def test_a_joker_stands_for_a_number_of_the_deck(self) -> None:
        assert refusal(position("30 40 a"), "30 40 a=51") == "out-of-range"
        assert refusal(position("30 40 a"), "30 40 a=0") == "out-of-range"

    def test_a_line_has_three_cards(self) -> None:
        assert refusal(position("10 20 7"), "10 20") == "too-short"

    def test_a_line_is_a_sequence(self) -> None:
        assert refusal(position("10 20 31"), "10 20 31") == "not-a-sequence"

    def test_the_last_card_is_never_played_where_it_is_owed(self) -> None:
        assert refusal(position("10 20 30", ruleset=CLASSIC), "10 20 30") == "must-keep-a-card"
        assert formed(position("10 20 30", ruleset=SIMPLIFIED), "10 20 30").hand == 0

    def test_the_card_of_a_swap_counts_for_the_last_card(self) -> None:
        at = position("20", "10-a=20-30", ruleset=CLASSIC)
        assert refusal(at, "a=40 to 10-a=20-30 swap 20 for a") == "must-keep-a-card"

    def test_the_first_reason_that_applies_is_given(self) -> None:
        at = position("10 20", "1-2-3", opened=False)
        assert refusal(at, "10 99 to 1-2-3") == "bad-text"
        assert refusal(at, "10 48 to 7-8-9") == "not-in-hand"
        assert refusal(at, "10 to 7-8-9") == "not-on-table"
        assert refusal(at, "10 to 1-2-3") == "not-opened"
