from games.coach.refusals import Refusal, explain
from games.engine.play_application import Position
from games.engine.plays import Place, resolve
from games.engine.ruleset import edition
from games.engine.text.notation import parse_cards, parse_laid, parse_line
from tests.games.positions import position

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


def test_equal_jumps_that_are_not_agreed_show_their_table() -> None:
    refusal = explained(position("11 16 21", ruleset=edition("simplified", tables=[5])), "11 16 21")
    assert (refusal.code, refusal.even) == ("not-a-sequence", True)
    assert refusal.row_table is not None
    assert (refusal.row_table.step, refusal.row_table.offset) == (5, 1)


def test_a_joker_that_fits_nowhere_makes_no_row() -> None:
    refusal = explained(position("10 20 31 a"), "10 20 31 a")
    assert (refusal.code, refusal.numbers) == ("not-a-sequence", (10, 20, 31))


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


def test_a_joker_that_can_make_several_jumps_shows_no_row() -> None:
    refusal = explained(position("14 28 a 30", ruleset=FIVES), "14 28 a")
    assert (refusal.even, refusal.row_table) == (True, None)


def test_a_joker_tapped_with_its_number_is_meant_to_be_swapped() -> None:
    at = position("20 31 33 41", "10-a=20-30", ruleset=FIVES)
    refusal = explained(at, "20 31 33", "a")
    assert (refusal.code, refusal.put_in, refusal.twice) == ("not-a-sequence", 20, None)
    assert (refusal.numbers, refusal.jokers) == ((31, 33), 1)
