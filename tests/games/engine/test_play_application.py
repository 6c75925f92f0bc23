import pytest

from games.engine.cards import LaidCard
from games.engine.errors import ActionRefused
from games.engine.play_application import form
from games.engine.ruleset import edition
from games.engine.table import Play
from games.engine.text.notation import parse_line, table_text
from tests.games.positions import (
    CLASSIC,
    SIMPLIFIED,
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

    def test_a_joker_of_a_number_that_lies_elsewhere_is_no_matter(self) -> None:
        at = position("19 21 a", "10-20-30")
        assert table_text(formed(at, "19 a=20 21").table) == ["10-20-30", "19-a=20-21"]


class TestPoints:
    """1, 5 and 28–31 are green, 2, 3, 18 and 20 red, 6–8 orange, 10 blue (cards.csv)."""

    def test_old_and_new_cards_count_for_the_colours(self) -> None:
        same = position("31 9", "28-29-30", ruleset=CLASSIC)
        assert formed(same, "31 to 28-29-30").points == 2
        spoilt = position("9 40", "10-20-30", ruleset=CLASSIC)
        assert formed(spoilt, "40 to 10-20-30").points == 1

    def test_a_joker_counts_with_its_own_colour(self) -> None:
        assert formed(position("6 7 9 d", ruleset=CLASSIC), "6 7 d=8").points == 0 + 2 * (2 + 2)
        assert formed(position("10 20 c d", ruleset=CLASSIC), "10 20 c=30").points == 2 + 2

    def test_doubling_can_be_switched_off(self) -> None:
        plain = edition("simplified", doubling=[])
        assert formed(position("6 7 8", ruleset=plain), "6 7 8").points == 3


class TestSwaps:
    def test_the_joker_is_laid_again_and_the_card_put_in_earns_nothing(self) -> None:
        made = formed(position("1 2 20", "10-a=20-30"), "1 2 a=3 swap 20 for a")
        assert table_text(made.table) == ["1-2-a=3", "10-20-30"]
        assert made.points == 3
        assert made.hand == 0


class TestRefusals:
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

    def test_where_no_opening_is_agreed_the_table_is_free(self) -> None:
        free = edition("blocks-simple")
        at = position("40", "10-20-30", ruleset=free, opened=False)
        assert str(formed(at, "40 to 10-20-30").line) == "10-20-30-40"

    def test_the_first_reason_that_applies_is_given(self) -> None:
        at = position("10 20", "1-2-3", opened=False)
        assert refusal(at, "10 99 to 1-2-3") == "bad-text"
        assert refusal(at, "10 48 to 7-8-9") == "not-in-hand"
        assert refusal(at, "10 to 7-8-9") == "not-on-table"
        assert refusal(at, "10 to 1-2-3") == "not-opened"
