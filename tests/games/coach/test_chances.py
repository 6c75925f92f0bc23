"""The definition of a chance in single cases, and in random rounds by comparison with
`chances_oracle`.

A game is written turn by turn, Dora's first, with bars between the turns. Each turn begins with a
closed draw, which is left out. `shown` is the row that the site then shows as missed.
"""

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import get_args

import pytest

from games.coach.chances import ChanceOutcome, RowChance, chances
from games.coach.hints import LAST_STEP
from games.coach.rows import missed_row
from games.engine.actions import Discard
from games.engine.ruleset import Ruleset, edition
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    Setting,
    Transition,
    take_back_entry,
    transitions,
)
from tests.counts import for_each, times
from tests.games.coach.chances_oracle import chances_seen, row_lost
from tests.games.coach.random_logs import random_round
from tests.games.positions import BLOCKS

DORA, EMIL = 0, 1
ROUNDS = times(15, 500)
FOURS = edition("simplified", tables=[4], offers=False)
EMILS = "1 2 3 11 13 17 19"
NO_FOURS = "50 5 6 7 9 10 14 15 18 21 22 23"
"""The open card, then the closed pile: Dora draws 5, Emil 6, Dora 7, and so on."""
EMIL_1, EMIL_2 = "discard 1", "discard 2"
SPLIT = "4 8 12 16 20 24 28"


def play_log(
    *turns: str, hand: str, emils: str = EMILS, rest: str = NO_FOURS, ruleset: Ruleset = FOURS
) -> list[Transition]:
    """The log of these turns. A turn without a draw begins with a card of the closed pile."""
    entries = [LogEntry(EntryKind.DEAL, None, f"{hand} {emils} {rest}")]
    for number, turn in enumerate(turns):
        acts = turn if "draw" in turn else f"draw closed | {turn}"
        entries += _entries(number % 2, acts)
    return list(transitions(Setting(ruleset, 2, DORA), entries))


def _entries(seat: int, turn: str) -> Iterator[LogEntry]:
    for act in turn.split(" | "):
        kind, _, text = act.partition(" ")
        if act == "take back":
            yield take_back_entry(seat)
        elif kind == "discard":
            card, _, row = text.partition(" shown ")
            yield LogEntry(EntryKind.ACT, seat, f"discard {card}", row)
        elif kind == "hint":
            yield LogEntry(EntryKind.HINT, seat, text)
        elif kind == "refused":
            yield LogEntry(EntryKind.REFUSED, seat, f"not-a-sequence {text}")
        else:
            yield LogEntry(EntryKind.ACT, seat, act)


def chances_of(
    *turns: str, hand: str, emils: str = EMILS, rest: str = NO_FOURS, ruleset: Ruleset = FOURS
) -> list[RowChance]:
    log = play_log(*turns, hand=hand, emils=emils, rest=rest, ruleset=ruleset)
    return list(chances(log, DORA))


def summary(own_chances: list[RowChance]) -> list[tuple[str, str]]:
    return [(chance.outcome, chance.row) for chance in own_chances]


ONE_ROW = "12 16 20 41 43 47 49"
TWO_ROWS = "12 16 20 40 44 48 49"


# One chance, from its first turn to its last


def test_a_row_laid_in_its_first_turn_is_found_at_once() -> None:
    (chance,) = chances_of("12 16 20 | discard 49", hand=ONE_ROW)
    assert chance == RowChance(
        round=1,
        table=4,
        outcome="at once",
        first_turn=1,
        last_turn=1,
        tries=0,
        hint_step=0,
        entries=(2,),
        row="12 16 20",
        numbers=(12, 16, 20),
    )
    assert chance.turns_open == 0


def test_a_discard_ends_a_chance() -> None:
    turns = ("discard 12", EMIL_1, "discard 41")
    (chance,) = chances_of(*turns, hand=ONE_ROW)
    assert (chance.outcome, chance.first_turn, chance.last_turn) == ("missed", 1, 1)


@pytest.mark.parametrize(
    ("has_several_players", "outcome"), [(False, "missed"), (True, "taken up")]
)
def test_a_chance_taken_by_a_bot_is_missed_and_by_a_player_is_taken_up(
    has_several_players: bool, outcome: str
) -> None:
    """Dora's 12 and 16 could have crossed the 20 that Emil crosses."""
    log = play_log(
        "15 20 25 | discard 41",
        "32 36 40 | 10 30 across 20 | discard 1",
        "discard 43",
        hand="15 20 25 12 16 41 43",
        emils="32 36 40 10 30 1 2",
        rest="50 6 9 14 18 19",
        ruleset=edition("simplified", tables=[4, 5, 10], offers=False),
    )
    own_chances = list(chances(log, DORA, has_several_players=has_several_players))
    assert summary(own_chances) == [("at once", "15 20 25"), (outcome, "12 16 across 20")]
    assert (own_chances[1].first_turn, own_chances[1].last_turn) == (1, 1)


def test_a_chance_ended_by_its_own_discard_is_missed() -> None:
    log = play_log("discard 12", EMIL_1, "discard 41", hand=ONE_ROW)
    assert summary(list(chances(log, DORA, has_several_players=True))) == [("missed", "12 16 20")]


def test_a_row_before_the_play_that_ends_is_not_a_chance() -> None:
    ruleset = edition("simplified", tables=[4, 5], offers=False)
    turns = ("25 30 35 | discard 7", EMIL_1, "12 16 20 24 28")
    hand, rest = "25 30 35 12 16 20 24", "50 7 6 28"
    own_chances = chances_of(*turns, hand=hand, rest=rest, ruleset=ruleset)
    assert summary(own_chances)[:2] == [("at once", "25 30 35"), ("later", "12 16 20 24 28")]


def test_rows_in_no_times_table_are_chances_of_table_0() -> None:
    ruleset = edition("simplified", offers=False)
    hand = "21 26 31 33 34 38 49"
    (chance,) = chances_of("21 26 31 | discard 49", hand=hand, rest="50 5", ruleset=ruleset)
    assert (chance.table, chance.outcome) == (0, "at once")


def test_a_row_counts_for_the_table_of_its_own_jump_only() -> None:
    ruleset = edition("simplified", tables=[2, 4], offers=False)
    (chance,) = chances_of("12 16 20 | discard 49", hand=ONE_ROW, ruleset=ruleset)
    assert chance.table == 4


def test_in_blocks_a_turn_ends_with_its_discard() -> None:
    deal = "5 10 15 20 38 49 60 80 99 1 2 3 9 18 27 36 70 90 33 47 55 66"
    entries = [LogEntry(EntryKind.DEAL, None, deal)]
    entries += [LogEntry(EntryKind.ACT, DORA, text) for text in ("5 10 15", "discard 49")]
    own_chances = list(chances(transitions(Setting(BLOCKS, 2, DORA), entries), DORA))
    assert ("at once", "5 10 15") in summary(own_chances)


def test_chances_do_not_go_on_in_the_next_round() -> None:
    won = ("discard 4", EMIL_1, "8 12 16 20 24 28 32 36")
    log = play_log(*won, hand="4 8 12 16 20 24 28", rest="50 32 6 36")
    entries = [step.entry for step in log]
    entries.append(LogEntry(EntryKind.DEAL, None, f"{ONE_ROW} {EMILS} {NO_FOURS}"))
    entries += _entries(EMIL, f"draw closed | {EMIL_1}")
    entries += _entries(DORA, "draw closed | discard 41")
    own_chances = list(chances(transitions(Setting(FOURS, 2, DORA), entries), DORA))
    assert [(chance.round, chance.outcome, chance.first_turn) for chance in own_chances] == [
        (1, "later", 1),
        (2, "open", 1),
    ]


# Which rows are one chance


def test_the_rest_of_a_chance_has_the_hints_of_its_turn() -> None:
    first = ("hint 6 16 20 24 | discard 41", EMIL_1, "hint 2 12 16 20 | 12 16 20 | discard 43")
    own_chances = chances_of(
        *first, EMIL_2, "24 to 12-16-20 | discard 5", hand="12 16 20 24 41 43 47"
    )
    assert [(chance.outcome, chance.hint_step) for chance in own_chances] == [
        ("with a hint", 6),
        ("with a hint", 2),
    ]


# Hints


def test_a_row_hint_makes_a_chance_hinted_and_the_deepest_counts() -> None:
    turn = "hint 1 12 16 20 | hint 3 12 16 20 | hint 1 | 12 16 20 | discard 41"
    (chance,) = chances_of(turn, hand=ONE_ROW)
    assert (chance.outcome, chance.hint_step) == ("with a hint", 3)


@pytest.mark.parametrize(
    ("draw", "rest"), [("draw open", "20 5 6 7 9 10 14"), ("draw closed", "20 8 6 7 9 10 14")]
)
def test_a_hint_before_the_draw_counts_whichever_card_is_taken(draw: str, rest: str) -> None:
    row = "12 16 20" if draw == "draw open" else "4 8 12"
    turn = f"hint 3 12 16 20 | {draw} | {row} | discard 49"
    own_chances = chances_of(turn, hand="4 12 16 41 43 47 49", rest=rest)
    assert own_chances[0].row == row
    assert (own_chances[0].outcome, own_chances[0].hint_step) == ("with a hint", 3)


def test_a_hint_about_the_open_card_leaves_other_rows_alone() -> None:
    hinted = "hint 2 24 to 12-16-20 | draw closed | 40 44 48 | discard 5"
    turns = ("12 16 20 | discard 49", "discard 24", hinted)
    own_chances = chances_of(*turns, hand=TWO_ROWS, emils="24 2 3 11 13 17 19")
    assert summary(own_chances)[-1] == ("later", "40 44 48")
    assert own_chances[-1].hint_step == 0


def test_a_hinted_card_in_another_tables_row_is_a_hinted_find() -> None:
    ruleset = edition("simplified", tables=[3, 4], offers=False)
    turn, hand = "hint 2 12 16 20 | 12 15 18 | discard 41", "12 16 20 15 18 41 43"
    own_chances = chances_of(turn, hand=hand, rest="50 5", ruleset=ruleset)
    assert [(chance.table, chance.outcome, chance.hint_step) for chance in own_chances] == [
        (3, "with a hint", 2),
        (4, "open", 2),
    ]


def test_a_named_table_is_not_a_hint_for_rows_in_no_table() -> None:
    ruleset = edition("simplified", counts_back_to=[1], offers=False)
    turn, hand = "hint 6 21 26 31 | 15 22 29 | discard 49", "21 26 31 15 22 29 49"
    own_chances = chances_of(turn, hand=hand, rest="50 5", ruleset=ruleset)
    assert [(chance.table, chance.row, chance.hint_step) for chance in own_chances] == [
        (0, "15 22 29", 0),
        (0, "21 26 31", 6),
    ]


def test_a_chance_found_at_once_has_hints_of_connected_rows() -> None:
    own_chances = chances_of("hint 2 20 24 28 | 4 8 12 | discard 5", hand=SPLIT)
    assert (own_chances[0].outcome, own_chances[0].hint_step) == ("with a hint", 2)


def test_a_hint_about_a_card_that_joined_later_does_not_count() -> None:
    ruleset = edition("simplified", tables=[4, 7], offers=False)
    turns = ("hint 3 21 28 35 | discard 49", EMIL_1, "12 16 20 | discard 5")
    hand, rest = "12 16 20 28 21 35 49", "50 5 6 24"
    own_chances = chances_of(*turns, hand=hand, rest=rest, ruleset=ruleset)
    assert (own_chances[0].outcome, own_chances[0].hint_step) == ("later", 0)


@pytest.mark.parametrize("more", ["", "16 20 across 12 | "])
def test_a_hint_counts_where_its_card_is_laid_elsewhere(more: str) -> None:
    ruleset = edition("simplified", tables=[3, 4], offers=False)
    hand, rest = "12 16 20 15 41 43 47", "50 5 6 18"
    turn = f"hint 2 12 15 18 | 12 15 18 | {more}discard 43"
    own_chances = chances_of("discard 41", EMIL_1, turn, hand=hand, rest=rest, ruleset=ruleset)
    assert [(chance.table, chance.hint_step) for chance in own_chances] == [(3, 2), (4, 2)]
    assert own_chances[1].outcome == ("with a hint" if more else "open")


# Tries, and plays taken back


@pytest.mark.parametrize(
    ("turn", "outcome", "tries"),
    [
        ("refused 12 16 41 | 12 16 20 | discard 49", "at once", 1),
        ("refused 12 16 41 | refused 41 43 47 | 12 16 20 | discard 49", "after tries", 2),
        ("12 16 20 | refused 41 43 47 | refused 41 43 | discard 49", "at once", 0),
        ("refused 12 41 | refused 12 43 | hint 1 12 16 20 | 12 16 20 | discard 49",
         "with a hint", 2),
    ],
)  # fmt: skip
def test_two_refused_tries_before_a_find_make_it_a_find_after_tries(
    turn: str, outcome: str, tries: int
) -> None:
    (chance,) = chances_of(turn, hand=ONE_ROW)
    assert (chance.outcome, chance.tries) == (outcome, tries)


def test_a_missed_chance_has_the_tries_of_its_last_turn() -> None:
    turns = ("refused 12 16 41 | discard 12", EMIL_1, "refused 41 43 | discard 41")
    (chance,) = chances_of(*turns, hand=ONE_ROW)
    assert (chance.outcome, chance.tries) == ("missed", 1)


def test_the_easiest_row_has_fewest_cards_then_lowest_numbers() -> None:
    ruleset = edition("simplified", tables=[4, 5, 8], offers=False)
    turns = ("15 20 25 | discard 5", "16 24 32 | discard 1", "discard 41")
    hand, emils = "15 20 25 4 8 12 41", "16 24 32 1 2 3 11"
    own_chances = chances_of(*turns, hand=hand, emils=emils, rest="50 5 6 7", ruleset=ruleset)
    assert ("open", "4 8 12") in summary(own_chances)


# Jokers


def test_a_row_with_a_joker_of_the_hand_is_a_chance_with_a_joker() -> None:
    (chance,) = chances_of("12 a=16 20 | discard 41", hand="12 20 a 41 43 47 49")
    assert (chance.outcome, chance.row) == ("with a joker", "12 a=16 20")


@pytest.mark.parametrize("rows", [("12 16 20", "24 a=28 32"), ("24 a=28 32", "12 16 20")])
def test_a_row_without_a_joker_is_the_find(rows: tuple[str, ...]) -> None:
    turns = ("discard 49", EMIL_1, f"{' | '.join(rows)} | discard 5")
    (chance,) = chances_of(*turns, hand="12 16 20 24 a 32 49")
    assert (chance.outcome, chance.row) == ("later", "12 16 20")


SWAP = "a=24 to 12-16-a=20 swap 20 for a"


def test_a_row_with_a_joker_swapped_in_has_a_joker() -> None:
    turns = ("12 16 a=20 | discard 41", EMIL_1, f"{SWAP} | discard 43")
    own_chances = chances_of(*turns, hand="12 16 a 41 43 47 49", rest="50 5 6 20")
    assert summary(own_chances) == [("with a joker", "12 16 a=20"), ("with a joker", SWAP)]


# Taken up


TWOS_AND_FOURS = edition("simplified", tables=[2, 4], offers=False)
BOTH = "12 14 16 20 41 43 47"
"""12 and 16 are each in a row of both tables."""


def outcome_of_fours(
    *turns: str, hand: str = BOTH, ruleset: Ruleset = TWOS_AND_FOURS
) -> tuple[str, str]:
    """The outcome of the only chance of the 4 times table."""
    own_chances = chances_of(*turns, hand=hand, rest="50 5 6 7 9 10", ruleset=ruleset)
    (chance,) = [chance for chance in own_chances if chance.table == 4]
    return chance.outcome, chance.row


def test_a_chance_laid_in_another_tables_row_is_taken_up() -> None:
    turns = ("discard 41", EMIL_1, "12 14 16 | discard 5")
    assert outcome_of_fours(*turns) == ("taken up", "12 16 20")


def test_a_chance_gone_before_its_cards_were_laid_is_missed() -> None:
    """Dora's 12 and 16 could have crossed the 20 that Emil has crossed."""
    ruleset = edition("simplified", tables=[2, 4, 5, 10], offers=False)
    turns = ("15 20 25 | discard 41", "32 36 40 | 10 30 across 20 | discard 1", "12 14 16")
    own_chances = chances_of(
        *turns[:2],
        f"{turns[2]} | discard 43",
        hand="15 20 25 12 16 41 43",
        emils="32 36 40 10 30 1 2",
        rest="50 6 9 14 18 19",
        ruleset=ruleset,
    )
    assert ("missed", "12 16 across 20") in summary(own_chances)


@pytest.mark.parametrize(
    ("row", "hand"),
    [("12 a=14 16", "12 16 20 a 41 43 47"), ("12 13 14 15 16", "12 13 14 15 16 20 47")],
)
def test_a_row_with_a_joker_or_in_no_table_takes_up_a_chance(row: str, hand: str) -> None:
    emils, ruleset = "1 2 3 11 17 19 22", edition("simplified", offers=False)
    turns = ("discard 47", EMIL_1, f"{row} | discard 7")
    own_chances = chances_of(*turns, hand=hand, emils=emils, rest="50 49 6 7", ruleset=ruleset)
    assert ("taken up", "12 16 20") in summary(own_chances)


THREES_AND_FOURS = edition("simplified", tables=[3, 4], offers=False)


def test_a_number_swapped_for_a_joker_takes_up_a_chance() -> None:
    turns = ["12 16 20 | discard 41", "18 21 a=24 | discard 1"]
    turns += ["27 30 a=33 swap 24 for a | discard 7"]
    hand, emils = "12 16 20 24 27 30 41", "18 21 a 1 2 3 11"
    own_chances = chances_of(
        *turns, hand=hand, emils=emils, rest="50 5 6 7", ruleset=THREES_AND_FOURS
    )
    assert summary(own_chances)[:3] == [
        ("at once", "12 16 20"),
        ("with a joker", "27 30 a=33 swap 24 for a"),
        ("taken up", "24 to 12-16-20"),
    ]


def test_going_out_takes_up_the_chances_of_its_cards() -> None:
    turns = ("12 16 20 | discard 41", EMIL_1, "24 27 30 33 36")
    hand, rest = "12 16 20 24 27 30 41", "50 33 6 36"
    own_chances = chances_of(*turns, hand=hand, rest=rest, ruleset=THREES_AND_FOURS)
    assert summary(own_chances) == [
        ("at once", "12 16 20"),
        ("later", "24 27 30 33 36"),
        ("taken up", "24 to 12-16-20"),
    ]


# Rows that the site shows


def test_a_row_shown_as_missed_and_laid_later_is_hinted() -> None:
    turns = ("discard 41 shown 12 16 20", EMIL_1, "12 16 20 | discard 5")
    (chance,) = chances_of(*turns, hand=ONE_ROW)
    assert (chance.outcome, chance.hint_step) == ("with a hint", LAST_STEP)


def test_a_shown_row_helps_its_chance_on_any_later_turn() -> None:
    turns = ("discard 49 shown 12 16 20", EMIL_1, "discard 5", EMIL_2, "16 20 24 | discard 7")
    own_chances = chances_of(*turns, hand="12 16 20 24 41 43 49")
    assert (own_chances[0].outcome, own_chances[0].hint_step) == ("with a hint", LAST_STEP)


def test_a_shown_row_that_crosses_a_joker_helps_its_chance() -> None:
    turns = ("12 16 a=20 | discard 41", EMIL_1, "discard 43 shown 24 28 across a", EMIL_2)
    own_chances = chances_of(*turns, "24 28 across a | discard 5", hand="12 16 a 24 28 41 43")
    assert summary(own_chances)[1] == ("with a hint", "24 28 across a")


def test_a_shown_row_helps_no_other_chance_of_its_table() -> None:
    turns = ("discard 49 shown 12 16 20", EMIL_1, "40 44 48 | discard 5")
    own_chances = chances_of(*turns, hand=TWO_ROWS)
    assert summary(own_chances)[0] == ("later", "40 44 48")


def test_a_shown_row_helps_no_row_of_another_table() -> None:
    turns = ("discard 41 shown 12 14 16", EMIL_1, "12 16 20 | discard 5")
    assert outcome_of_fours(*turns) == ("later", "12 16 20")


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [(" shown 12 16 20", "", "later"), ("", " shown 24 to 12-16-20", "with a hint")],
)
def test_only_a_row_shown_since_helps_what_is_left(first: str, second: str, outcome: str) -> None:
    turns = (f"discard 41{first}", EMIL_1, f"12 16 20 | discard 5{second}", EMIL_2)
    own_chances = chances_of(*turns, "24 to 12-16-20 | discard 7", hand="12 16 20 24 41 43 47")
    assert summary(own_chances)[1] == (outcome, "24 to 12-16-20")


def test_a_row_shown_too_late_was_missed_without_a_hint() -> None:
    turns = ("discard 20 shown 12 16 20", EMIL_1, "discard 41")
    (chance,) = chances_of(*turns, hand=ONE_ROW)
    assert (chance.outcome, chance.hint_step) == ("missed", 0)


def test_an_old_log_without_the_shown_row_means_the_easiest_row() -> None:
    log = play_log("discard 49", EMIL_1, "40 44 48 | 12 16 20 | discard 5", hand=TWO_ROWS)
    entries = [replace(step.entry, missed=None) for step in log]
    own_chances = list(chances(transitions(Setting(FOURS, 2, DORA), entries), DORA))
    assert summary(own_chances) == [("later", "40 44 48"), ("with a hint", "12 16 20")]


# Random rounds


@for_each(range(ROUNDS))
def test_the_oracle_sees_the_same_chances_in_random_rounds(seed: int) -> None:
    log = random_round(seed)
    own_chances = sorted(astuple(chance) for chance in chances(log, DORA))
    assert own_chances == sorted(map(tuple, chances_seen(log, DORA)))


@for_each(range(ROUNDS))
def test_a_row_is_shown_if_nothing_is_left_of_its_chance(seed: int) -> None:
    for step in random_round(seed):
        before, action = step.before, step.action
        if before is None or before.turn != DORA or not isinstance(action, Discard):
            continue
        missed, lost = missed_row(before, step.after), row_lost(before, action.card)
        cards = missed and set(str(missed.play).split())
        assert cards == (lost and set(lost.text.split()))


def test_random_rounds_have_every_kind_of_chance_and_ending() -> None:
    all_chances = [chance for seed in range(80) for chance in chances(random_round(seed), DORA)]
    outcomes = [chance.outcome for chance in all_chances]
    assert {kind for kind in get_args(ChanceOutcome) if outcomes.count(kind) < 5} == set()
    assert sum(chance.turns_open > 2 for chance in all_chances) > 20
