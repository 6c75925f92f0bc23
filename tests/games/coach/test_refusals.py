from games.coach.refusals import Refusal, explain
from games.engine.cards import LaidCard
from games.engine.play_application import Position
from games.engine.plays import Place, resolve
from games.engine.ruleset import edition
from games.engine.table import Line
from games.engine.text.notation import parse_cards, parse_laid, parse_line
from tests.games.positions import CLASSIC, position

FIVES = edition("simplified", tables=[5])


def explained(at: Position, cards: str, *places: str) -> Refusal:
    """Why these cards and places are not a play; a place with a `-` in it is a whole row."""
    tapped: list[Place] = []
    for place in places:
        laid = None if "-" in place else parse_laid(place, at.ruleset)
        tapped.append(parse_line(place, at.ruleset) if laid is None else at.table.laid[laid.card])
    numbers = parse_cards(cards.split(), at.ruleset)
    assert resolve(at, numbers, tapped) == []
    return explain(at, numbers, tapped)


def test_unequal_jumps_are_shown() -> None:
    refusal = explained(position("7 14 22"), "22 7 14")
    assert (refusal.code, refusal.numbers, refusal.jumps) == ("not-a-sequence", (7, 14, 22), (7, 8))
    assert not refusal.even


def test_equal_jumps_that_are_not_agreed_show_their_table() -> None:
    refusal = explained(position("11 16 21", ruleset=edition("simplified", tables=[5])), "11 16 21")
    assert (refusal.code, refusal.even) == ("not-a-sequence", True)
    assert refusal.row_table is not None
    assert (refusal.row_table.step, refusal.row_table.offset) == (5, 1)


def test_a_tapped_row_is_part_of_what_is_meant() -> None:
    refusal = explained(position("45", "10-20-30"), "45", "10-20-30")
    assert (refusal.numbers, refusal.jumps) == ((10, 20, 30, 45), (10, 10, 15))


def test_two_cards_are_too_few() -> None:
    refusal = explained(position("7 14 30"), "7 14")
    assert (refusal.code, refusal.jumps) == ("too-short", (7,))


def test_one_card_alone_is_in_no_table() -> None:
    refusal = explained(position("7 14 30"), "7")
    assert (refusal.code, refusal.row_table) == ("too-short", None)


def test_no_card_at_all_is_refused() -> None:
    assert explained(position("7", "10-20-30"), "", "10-20-30").code == "bad-text"


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    assert explained(position("7"), "14").code == "not-in-hand"


def test_the_table_before_opening_is_refused() -> None:
    at = position("40", "10-20-30", opened=False)
    assert explained(at, "40", "10-20-30").code == "not-opened"


def test_what_the_rules_refuse_has_its_code() -> None:
    at = position("25 40", "10-20-30", "20-21-22")
    assert explained(at, "25", "20", "30").code == "already-crossed"
    assert explained(at, "25", "10", "30").code == "same-island"


def test_the_last_card_that_must_be_kept_is_refused() -> None:
    assert explained(position("10 20 30", ruleset=CLASSIC), "10 20 30").code == ("must-keep-a-card")
    assert explained(position("10 20 a", ruleset=CLASSIC), "10 20 a").code == "must-keep-a-card"
    at = position("40", "10-20-30", ruleset=CLASSIC)
    assert explained(at, "40", "30").code == "must-keep-a-card"


def test_a_joker_that_fits_nowhere_makes_no_row() -> None:
    refusal = explained(position("10 20 31 a"), "10 20 31 a")
    assert (refusal.code, refusal.numbers) == ("not-a-sequence", (10, 20, 31))


def test_a_card_of_a_tapped_row_is_tapped_with_it() -> None:
    refusal = explained(position("45", "10-20-30"), "45", "10-20-30", "20")
    assert (refusal.code, refusal.numbers) == ("not-a-sequence", (10, 20, 30, 45))


def test_the_card_that_lies_in_two_rows_is_named() -> None:
    at = position("25 40", "10-20-30", "20-21-22")
    assert explained(at, "25", "30", "20").crossed_before == 20


def test_two_cards_of_one_row_are_named_and_two_rows_of_one_island_are_not() -> None:
    at = position("25 40", "10-20-30", "20-21-22")
    one_row = explained(at, "25", "10", "30")
    assert (one_row.code, one_row.in_one_row) == ("same-island", (10, 30))
    two_rows = explained(at, "25", "10", "22")
    assert (two_rows.code, two_rows.in_one_row) == ("same-island", ())


def test_a_joker_that_makes_the_jumps_the_same_is_part_of_the_row() -> None:
    refusal = explained(position("1 7 10 a 30", ruleset=FIVES), "1 a 7 10")
    assert (refusal.code, refusal.numbers, refusal.even) == ("not-a-sequence", (1, 7, 10), True)
    assert refusal.row_table is not None
    assert (refusal.row_table.numbers, refusal.row_table.step) == ((1, 4, 7, 10), 3)


def test_jokers_that_go_on_with_a_row_leave_its_jump() -> None:
    refusal = explained(position("14 21 28 a 30", ruleset=FIVES), "14 21 28 a")
    assert refusal.row_table is not None
    assert refusal.row_table.numbers == (14, 21, 28)


def test_a_joker_that_can_make_several_jumps_shows_no_row() -> None:
    refusal = explained(position("14 28 a 30", ruleset=FIVES), "14 28 a")
    assert (refusal.even, refusal.row_table) == (True, None)


def test_a_joker_tapped_with_its_number_is_meant_to_be_swapped() -> None:
    at = position("20 31 33 41", "10-a=20-30", ruleset=FIVES)
    refusal = explained(at, "20 31 33", "a")
    assert (refusal.code, refusal.put_in, refusal.twice) == ("not-a-sequence", 20, None)
    assert (refusal.numbers, refusal.jokers) == ((31, 33), 1)


def test_a_card_given_twice_counts_once() -> None:
    at = position("7 14 22", "10-20-30")
    assert explained(at, "7 7 14").code == "too-short"
    assert explained(at, "7 14", "20", "20").numbers == (7, 14, 20)


def test_what_is_not_on_the_table_is_refused() -> None:
    at = position("40", "10-20-30")
    assert explain(at, (40,), (LaidCard(50, 50),)).code == "not-on-table"
    assert (
        explain(at, (40,), (Line.of([LaidCard(10, 10), LaidCard(20, 20)]),)).code == "not-on-table"
    )
