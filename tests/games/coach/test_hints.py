"""The row of a hint, the contents of its steps, and the row shown as missed."""

from collections.abc import Collection

from games.coach import hints
from games.coach.hints import Hint, HintPosition, HintStep
from games.coach.rows import MissedRow, missed_row, remaining_row
from games.coach.times_tables import Derivation, Fact
from games.engine.actions import DrawOpen
from games.engine.cards import JOKERS, Card
from games.engine.match import apply, new_match
from games.engine.play_application import Position
from games.engine.ruleset import edition
from games.engine.text.notation import parse_cards, parse_play
from games.screen import hint_words
from tests.games.positions import CLASSIC, after, dealt, position

COUNT, CARD, JUMPS, TABLE, NUMBER, ROW = HintStep


def hint(at: Position, step: HintStep, secure: Collection[Fact] = ()) -> Hint:
    return hints.hint(HintPosition(at), step, secure)


def row_of(hint: Hint) -> str:
    return str(hint.play)


def test_each_step_shows_one_thing_more() -> None:
    at = position("7 12 16 20 31")
    steps = [hint(at, step) for step in (COUNT, CARD, JUMPS, TABLE)]
    assert [hint.row_count for hint in steps] == [1, 1, 1, 1]
    assert [hint.card for hint in steps] == [None, 12, 12, 12]
    assert [hint.jump for hint in steps] == [None, None, 4, 4]
    tables = [hint.row_table and hint.row_table.times_table for hint in steps]
    assert tables == [None, None, None, 4]


def test_the_jumps_are_drawn_with_the_rows_numbers_alone() -> None:
    at = position("7 12 16 20 31")
    assert hint(at, CARD).number_line == ()
    assert hint(at, JUMPS).number_line == (12, 16, 20)
    long = hint(position("40", "5-10-15-20-25-30-35"), JUMPS)
    assert long.number_line == (20, 25, 30, 35, 40)


def test_a_number_is_derived_from_a_secure_fact() -> None:
    at = position("7 24 30 36")
    assert [hint(at, step, {(5, 6)}).derivation is None for step in (TABLE, NUMBER, ROW)] == [
        True,
        False,
        True,
    ]
    way = hint(at, NUMBER, {(5, 6)}).derivation
    assert way == Derivation(times=6, table=6, near_factor=5, way="more", steps=1)
    other = hint(at, NUMBER, {(6, 7)}).derivation
    assert other == Derivation(times=6, table=6, near_factor=7, way="less", steps=1)


def test_a_row_of_a_times_table_comes_before_another() -> None:
    assert row_of(hint(position("11 16 21 12 18 24"), COUNT)) == "12 18 24"


def test_facts_that_are_practised_come_first() -> None:
    assert row_of(hint(position("2 4 6 42 44 46 48"), COUNT)) == "2 4 6"


def test_a_row_comes_from_the_hand_or_from_a_swap() -> None:
    assert hint(position("10 20 30 1"), COUNT).source == "hand"
    assert hint(position("40 7", "10-20-30"), COUNT).source == "table"
    assert hint(position("20 7", "10-a=20-30"), COUNT).source == "swap"
    assert hint(position("20 40 7", "10-a=20-30"), COUNT).source == "table"


def test_jokers_are_avoided_where_a_row_needs_none() -> None:
    assert row_of(hint(position("10 20 30 a"), COUNT)) == "10 20 30"
    answer = hint(position("10 20 a"), CARD)
    assert answer.card == 10
    assert "a=" in row_of(answer)


def test_a_swap_lights_up_the_card_and_the_joker() -> None:
    answer = hint(position("20", "10-a=20-30"), CARD)
    assert (row_of(answer), answer.card) == ("a=40 to 10-a=20-30 swap 20 for a", 20)
    assert (answer.lit_in_hand, answer.lit_on_table) == ((20,), (JOKERS[0],))


def test_the_cards_of_the_table_light_up_with_the_jumps() -> None:
    at = position("35 49 1", "14-28-42")
    assert [hint(at, step).lit_on_table for step in (COUNT, CARD, JUMPS)] == [(), (), (42,)]
    assert [hint(at, step).lit_in_hand for step in (COUNT, CARD, JUMPS)] == [(), (35,), (35,)]


def test_a_fact_that_nobody_practises_is_not_mentioned() -> None:
    answer = hint(position("42 44 46 1"), NUMBER)
    assert (answer.derivation, answer.neighbours, answer.lit_in_hand) == (None, (42, 44), (42, 44))


def test_a_fact_is_derived_from_one_that_this_game_practises() -> None:
    twelves = edition("classic", tables=[12])
    at = position("24 36 48 1", ruleset=twelves)
    assert hint(at, NUMBER).derivation == Derivation(
        times=3, table=12, near_factor=2, way="more", steps=1
    )
    beyond = position("11 22 33 1", ruleset=edition("classic"))
    assert hint(beyond, NUMBER).derivation is None


def test_a_row_that_would_lay_the_last_card_is_not_hinted() -> None:
    assert hint(position("10 20 30", ruleset=CLASSIC), COUNT).row_count == 0


def before_drawing(hand: str, open_card: Card | None, *lines: str) -> HintPosition:
    at = position(hand, *lines)
    with_it = at.hand if open_card is None else at.hand | 1 << open_card
    return HintPosition(at._replace(hand=with_it), True, open_card)


def test_before_the_draw_the_open_card_is_used_for_a_row() -> None:
    at = before_drawing("12 16 40", 20)
    steps = [hints.hint(at, step) for step in (COUNT, CARD, ROW)]
    assert {row_of(hint) for hint in steps} == {"12 16 20"}
    assert {hint.take for hint in steps} == {"open card"}
    assert [hint.lit_in_hand for hint in steps] == [(20,), (12, 20), (12, 16, 20)]


def test_a_row_that_is_ready_in_the_hand_comes_before_one_with_the_open_card() -> None:
    for open_card in (16, 50):
        answer = hints.hint(before_drawing("4 8 12 7", open_card, "20-30-40"), COUNT)
        assert (row_of(answer), answer.take) == ("4 8 12", "pile")
    assert row_of(hints.hint(before_drawing("4 8 7", 50, "10-20-30-40"), COUNT)) == (
        "50 to 10-20-30-40"
    )


# Before a card is taken, the hint names the open card that helps most.

RULES = edition("simplified", tables=[2, 5, 10], offers=False, market=3, refill=True, piles=1)


def asked(hand: str, rest: str) -> Hint:
    other = "1 3 7 9 11 13 17"
    cards = parse_cards(f"{hand} {other} {rest}".split(), RULES)
    return hints.hint(hints.hint_position(new_match(RULES, 2, cards, 0), 0), COUNT)


def test_a_card_of_the_market_that_makes_a_row_is_named() -> None:
    answer = asked("10 20 33 41 43 47 49", "19 4 30 26 48 50")
    assert (answer.row_count, answer.take, answer.open_card) == (1, "open card", 30)
    assert hint_words.hint_text(answer, RULES) == "Take the 30: it makes a row with your cards."


def test_a_joker_of_the_market_is_not_called_the_players_own() -> None:
    answer = asked("10 20 33 41 43 47 49", "19 4 a 26 48 50")
    assert (answer.take, answer.jokers) == ("open card", 0)
    assert hint_words.hint_text(answer, RULES) == "Take the joker: it makes a row."


def test_a_hand_with_a_row_needs_no_market_card() -> None:
    answer = asked("10 20 30 41 43 47 49", "19 4 24 16 48 50")
    assert answer.row_count
    assert answer.open_card is None


TABLES = edition("simplified", tables=(4, 5), offers=False)


def missed_after(hand: str, *actions: str) -> MissedRow | None:
    """The row shown to the first seat after a turn in which it takes the 50 and does these
    actions."""
    *plays, end = actions
    start = dealt([hand, "1 2 3 6 9 11 13"], "49 50 48", ruleset=TABLES)
    state = after(start, "draw closed", *plays)
    return missed_row(state, after(state, end))


def numbers(missed: MissedRow | None) -> tuple[int, ...] | None:
    return None if missed is None else missed.row.numbers


def test_a_row_is_shown_after_one_of_its_cards_was_discarded() -> None:
    answer = missed_after("12 16 20 7 31 33 42", "discard 20")
    assert numbers(answer) == (12, 16, 20)
    assert [number for _, number in answer.hand_cards] == [12, 16, 20]
    assert answer.row.times_table == 4


def test_a_row_that_can_still_be_laid_is_not_shown() -> None:
    assert missed_after("12 16 20 7 31 33 42", "discard 7") is None


def test_a_row_is_not_shown_while_its_cards_fit_another_row() -> None:
    assert missed_after("12 16 20 24 31 33 42", "discard 24") is None
    assert numbers(missed_after("12 16 20 25 30 31 33", "discard 20")) == (12, 16, 20)


def test_cards_that_fit_on_the_table_are_shown_with_their_row() -> None:
    answer = missed_after("12 16 20 24 31 33 42", "12 16 20", "discard 24")
    assert numbers(answer) == (12, 16, 20, 24)
    assert [number for _, number in answer.hand_cards] == [24]


def test_a_row_of_the_hand_comes_before_one_of_the_table() -> None:
    answer = missed_after("30 35 40 24 28 20 45", "30 35 40", "discard 20")
    assert numbers(answer) == (20, 24, 28)


def test_earlier_releases_showed_the_easiest_row_left() -> None:
    start = dealt(["12 16 20 24 5 10 15", "1 2 3 6 9 11 13"], "49 50 48", ruleset=TABLES)
    state = after(start, "draw closed")
    assert numbers(remaining_row(state, after(state, "discard 24"))) == (5, 10, 15)


def test_a_row_that_ends_the_turn_is_not_missed() -> None:
    """Where hands are refilled, a play of the last card ends the turn, and the round goes on."""
    rules = edition("simplified", tables=[5, 10], offers=False, refill=True, piles=1)
    hands, rest = "5 10 15 20 30 40 50 2 4 6 8 9 11 13", "25 12 14 16 18 22 24 26 28 32 34"
    cards = f"{hands} {rest}".split()
    state = apply(new_match(rules, 2, parse_cards(cards, rules), 0), DrawOpen())
    state = apply(state, parse_play("5 10 15 20 25", rules))
    after = apply(state, parse_play("30 40 50", rules))
    assert after.turn == 1
    assert missed_row(state, after) is None
