"""Why chosen cards make no row; the tables of rows, and ways from one fact to another."""

from games.coach.refusals import Refusal, explain_refusal
from games.coach.rows import all_rows, rows_of_three
from games.coach.times_tables import common_tables, derive, fact_of, facts_of, row_table_of
from games.engine.cards import mask_of
from games.engine.play_application import Position
from games.engine.plays import TapTarget, plays_of_tap
from games.engine.ruleset import edition
from games.engine.text.notation import parse_cards, parse_laid_card, parse_line
from tests.counts import for_each
from tests.games.positions import position

FIVES = edition("simplified", tables=[5])


def refusal_of(at: Position, cards: str, *places: str) -> Refusal:
    """The reason why these cards and places are not a play. A place with a `-` is a whole row."""
    tapped: list[TapTarget] = []
    for place in places:
        laid_card = None if "-" in place else parse_laid_card(place, at.ruleset)
        tapped.append(
            parse_line(place, at.ruleset)
            if laid_card is None
            else at.table.laid_cards[laid_card.card]
        )
    numbers = parse_cards(cards.split(), at.ruleset)
    assert plays_of_tap(at, numbers, tapped) == []
    return explain_refusal(at, numbers, tapped)


def test_equal_jumps_that_are_not_agreed_show_their_table() -> None:
    refusal = refusal_of(
        position("11 16 21", ruleset=edition("simplified", tables=[5])), "11 16 21"
    )
    assert (refusal.code, refusal.has_equal_jumps) == ("not-a-sequence", True)
    assert (refusal.row_table.jump, refusal.row_table.offset) == (5, 1)


def test_a_joker_that_fits_nowhere_makes_no_row() -> None:
    refusal = refusal_of(position("10 20 31 a"), "10 20 31 a")
    assert (refusal.code, refusal.numbers) == ("not-a-sequence", (10, 20, 31))


def test_the_card_that_lies_in_two_rows_is_named() -> None:
    at = position("25 40", "10-20-30", "20-21-22")
    assert refusal_of(at, "25", "30", "20").card_in_two_rows == 20


def test_a_card_that_shares_no_row_with_a_tapped_one_is_judged_in_the_row_of_that_one() -> None:
    at = position("5 8 40", "7-14-21-28", ruleset=edition("simplified", tables=range(2, 11)))
    refusal = refusal_of(at, "5", "28")
    assert (refusal.code, refusal.jumps) == ("not-a-sequence", (2, 7, 7, 7))
    assert refusal_of(at, "8", "28").code == "too-short"


def test_cards_of_one_row_are_named_and_not_rows_of_an_island() -> None:
    at = position("25 40", "10-20-30", "20-21-22")
    one_row = refusal_of(at, "25", "10", "30")
    assert (one_row.code, one_row.cards_in_one_row) == ("same-island", (10, 30))
    two_rows = refusal_of(at, "25", "10", "22")
    assert (two_rows.code, two_rows.cards_in_one_row) == ("same-island", ())


def test_a_joker_that_evens_the_jumps_is_part_of_the_row() -> None:
    refusal = refusal_of(position("1 7 10 a 30", ruleset=FIVES), "1 a 7 10")
    assert (refusal.code, refusal.numbers) == ("not-a-sequence", (1, 7, 10))
    assert refusal.has_equal_jumps
    assert (refusal.row_table.numbers, refusal.row_table.jump) == ((1, 4, 7, 10), 3)


def test_a_joker_with_several_possible_jumps_shows_no_row() -> None:
    refusal = refusal_of(position("14 28 a 30", ruleset=FIVES), "14 28 a")
    assert (refusal.has_equal_jumps, refusal.row_table) == (True, None)


def test_a_joker_tapped_with_its_number_is_meant_to_be_swapped() -> None:
    at = position("20 31 33 41", "10-a=20-30", ruleset=FIVES)
    refusal = refusal_of(at, "20 31 33", "a")
    assert (refusal.code, refusal.card_put_in, refusal.repeated_number) == (
        "not-a-sequence",
        20,
        None,
    )
    assert (refusal.numbers, refusal.jokers) == ((31, 33), 1)
    alone = refusal_of(at, "20", "a")
    assert (alone.code, alone.card_put_in) == ("too-short", 20)


def test_a_joker_tapped_with_too_few_cards_says_which_number_it_is() -> None:
    own = refusal_of(position("20 31 33", "10-a=20-30", ruleset=FIVES), "31", "a")
    assert (own.code, own.joker_number, own.can_swap) == ("too-short", 20, True)
    other = refusal_of(position("31 33", "10-a=20-30", ruleset=FIVES), "31", "a")
    assert (other.code, other.joker_number, other.can_swap) == ("too-short", 20, False)


def row(text: str) -> list[int]:
    return [int(number) for number in text.split("-")]


@for_each(
    [
        ("12-16-20", (4, 0, 4), (4, 2), ((3, 4), (4, 4), (5, 4))),
        ("20-30-40", (10, 0, 10), (10, 5, 2), ((2, 10), (3, 10), (4, 10))),
        ("11-16-21", (5, 1, None), (), ()),
        ("4-5-6", (1, 0, None), (), ()),
    ]
)
def test_a_row_is_in_the_table_of_each_divisor_except_one_or_beside_it(
    text: str, table: tuple[int, ...], common: tuple[int, ...], facts: tuple[tuple[int, int], ...]
) -> None:
    own = row_table_of(row(text))
    assert (own.jump, own.offset, own.times_table) == table
    assert (own.common, own.facts) == (common, facts)


def test_common_tables_go_from_high_to_low() -> None:
    assert common_tables([24, 36, 60]) == (12, 6, 4, 3, 2)
    assert common_tables([7, 9]) == ()


def test_a_fact_is_the_same_in_either_order() -> None:
    assert fact_of(8, 6) == fact_of(6, 8) == (6, 8)


def test_two_to_twelve_have_66_facts() -> None:
    assert len(facts_of(range(2, 13))) == 66


def way_to(times: int, table: int, *secure: tuple[int, int]) -> tuple[int, str, int]:
    way = derive(times, table, set(secure))
    assert way.times * way.table == times * table
    return way.near_factor, way.way, way.steps


def test_the_way_adds_one_table_to_a_fact_that_the_child_knows() -> None:
    assert way_to(6, 6, (5, 6)) == (5, "more", 1)


def test_a_secure_fact_comes_before_a_stepping_stone() -> None:
    assert way_to(6, 8, (7, 8), (4, 9)) == (7, "less", 1)


def test_adding_one_table_is_nearer_than_doubling_or_adding_two() -> None:
    assert way_to(8, 7, (4, 7), (6, 7)) == (4, "double", 0)
    assert way_to(8, 7, (4, 7), (7, 9), (7, 7)) == (7, "more", 1)


def test_without_secure_facts_the_way_begins_at_the_first_ones() -> None:
    assert way_to(9, 7) == (10, "less", 1)
    assert way_to(4, 7) == (5, "less", 1)
    assert way_to(3, 7) == (2, "more", 1)
    assert way_to(5, 7) == (10, "half", 0)
    assert way_to(2, 7) == (1, "more", 1)


def test_tens_are_counted_on() -> None:
    assert way_to(4, 10) == way_to(4, 10, (5, 10)) == (3, "more", 1)


def test_every_fact_has_a_way() -> None:
    for table in range(2, 13):
        for times in range(1, 13):
            way = derive(times, table, ())
            moved = {
                "more": way.steps,
                "less": -way.steps,
                "double": way.near_factor,
                "half": -times,
            }[way.way]
            assert way.near_factor + moved == times, (times, table)


def test_the_rows_of_a_table_are_all_its_runs_of_three_and_more() -> None:
    tens = edition("simplified", tables=(10,))
    runs = [(10, 20, 30), (20, 30, 40), (30, 40, 50), (10, 20, 30, 40), (20, 30, 40, 50)]
    assert set(all_rows(tens)) == {*map(mask_of, runs), mask_of((10, 20, 30, 40, 50))}
    assert set(rows_of_three(tens)) == set(map(mask_of, runs[:3]))


def test_every_edition_has_its_own_rows() -> None:
    assert len(rows_of_three(edition("simplified", tables=range(2, 11)))) == 76
    assert len(rows_of_three(edition("simplified"))) == 600
    assert len(rows_of_three(edition("classic"))) == 2450
