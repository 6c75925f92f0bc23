from games.coach.refusals import Refusal, explain
from games.engine.play_application import Position
from games.engine.plays import Place, resolve
from games.engine.ruleset import edition
from games.engine.text.notation import parse_cards, parse_laid, parse_line
from tests.games.positions import CLASSIC, position


def explained(at: Position, cards: str, *places: str) -> Refusal:
    """Why these cards and places are no play; a place with a `-` in it is a whole row."""
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
