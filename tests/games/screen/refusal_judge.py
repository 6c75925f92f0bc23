"""Whether what a refusal says is true, by the rules as docs/rules.md has them (2 and 3).

The judge reads the English sentence and looks at the cards, the rows and the table. It shares no
code with the coach or the engine: rows, islands and lines come from the slow second implementation
of the rules.
"""

import re
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Final

from tests.games.engine.reference import (
    WrittenPlay,
    all_plays,
    is_row,
    islands,
    lines_with,
    numbers_of,
    rows,
)
from tests.games.screen.wrong_plays import Wrong, even_rows, jumps, jumps_only, no_row

FAMILIES: Final = {
    "square numbers": "squares",
    "prime numbers": "primes",
    "triangular numbers": "triangular",
}


def _nothing_chosen(wrong: Wrong, _: re.Match[str]) -> bool:
    return not wrong.cards


def _unreadable(wrong: Wrong, _: re.Match[str]) -> bool:
    put_in = [number for _, number in wrong.swaps]
    once: list[Sequence[object]] = [
        (*wrong.cards, *put_in),
        wrong.taken,
        [card for card, _ in wrong.crossed],
        [joker for joker, _ in wrong.swaps],
    ]
    return wrong.written and (
        not wrong.cards or any(len(set(items)) < len(items) for items in once)
    )


def _not_in_hand(wrong: Wrong, _: re.Match[str]) -> bool:
    return not wrong.needed <= wrong.at.hand


def _not_on_table(wrong: Wrong, _: re.Match[str]) -> bool:
    there = numbers_of(wrong.at.lines)
    return (
        any(line not in wrong.at.lines for line in wrong.taken)
        or any(card not in there for card, _ in (*wrong.crossed, *wrong.swaps))
        or (wrong.written and any(there[card] != number for card, number in wrong.crossed))
    )


def _not_opened(wrong: Wrong, _: re.Match[str]) -> bool:
    uses_table = bool(wrong.taken or wrong.crossed or wrong.swaps)
    return wrong.at.options.opening and not wrong.at.opened and uses_table


def _other_number(wrong: Wrong, _: re.Match[str]) -> bool:
    there = numbers_of(wrong.at.lines)
    return any(there[joker] != number for joker, number in wrong.swaps)


def _joker_kept(wrong: Wrong, _: re.Match[str]) -> bool:
    return any(joker not in wrong.cards for joker, _ in wrong.swaps)


def _in_two_rows(wrong: Wrong, said: re.Match[str]) -> bool:
    at, number = lines_with(wrong.at.lines), int(said["number"])
    there = numbers_of(wrong.at.lines)
    return any(
        there[card] == number
        and len(at[card]) == 2
        and not any(card in dict(line) for line in wrong.taken)
        for card, _ in wrong.crossed
        if card in there
    )


def _in_two_rows_or_taken(wrong: Wrong, _: re.Match[str]) -> bool:
    at = lines_with(wrong.at.lines)
    return any(
        len(at[card]) == 2 or any(card in dict(line) for line in wrong.taken)
        for card, _ in wrong.crossed
    )


def _rows_hang_together(wrong: Wrong, _: re.Match[str]) -> bool:
    """Two rows, not one: each is taken, or has a card that is crossed."""
    lines, names = wrong.at.lines, islands(wrong.at.lines)
    used = [
        index
        for index, line in enumerate(lines)
        if line in wrong.taken or any(card in dict(line) for card, _ in wrong.crossed)
    ]
    return any(names[one] == names[other] for one, other in combinations(used, 2))


def _some_hang_together(wrong: Wrong, _: re.Match[str]) -> bool:
    lines, names = wrong.at.lines, islands(wrong.at.lines)
    at = lines_with(lines)
    things = [names[lines.index(line)] for line in wrong.taken]
    things += [names[at[card][0]] for card, _ in wrong.crossed]
    return len(set(things)) < len(things)


def _of_one_row(wrong: Wrong, said: re.Match[str]) -> bool:
    named = _listed(said["numbers"])
    return len(named) > 1 and any(
        set(named) <= {number for card, number in line if card in dict(wrong.crossed)}
        for line in wrong.at.lines
        if line not in wrong.taken
    )


def _joker_out_of_range(wrong: Wrong, _: re.Match[str]) -> bool:
    return any(not 1 <= number <= wrong.at.options.highest for _, number in wrong.jokers)


def _too_short(wrong: Wrong, _: re.Match[str]) -> bool:
    return len(set(wrong.cards)) + len({card for card, _ in wrong.lying}) < 3


def _last_card(wrong: Wrong, _: re.Match[str]) -> bool:
    """It would be a play if it were allowed to lay the last card."""
    at = wrong.at
    if not at.options.last_is_owed or wrong.needed != at.hand:
        return False
    if wrong.written:
        return is_row(at.options, wrong.counted)
    free = at._replace(options=at.options._replace(last_is_owed=False))
    lying = {number for line in at.lines for _, number in line}
    laid = {card for card in at.hand if card <= 100} - lying
    candidates = sorted((row for row in rows(at.options) if laid <= set(row)), key=len)
    tapped = {card for card, _ in wrong.crossed}
    return any(
        _cards_needed(play) == at.hand
        and set(wrong.taken) <= set(play.lines)
        and tapped <= {card for line in (*play.lines, play.across, play.swaps) for card, _ in line}
        for row in candidates
        for play in all_plays(free, [row]).values()
    )


def _cards_needed(play: WrittenPlay) -> set[int]:
    swapped = {joker for joker, _ in play.swaps}
    return {card for card, _ in play.hand} - swapped | {number for _, number in play.swaps}


def _is_no_row(wrong: Wrong, _: re.Match[str]) -> bool:
    return wrong.written and not is_row(wrong.at.options, wrong.counted)


def _makes_no_row(wrong: Wrong, _: re.Match[str]) -> bool:
    return len(wrong.counted) > len(wrong.numbers) or no_row(wrong, wrong.numbers, wrong.wild)


def _twice(wrong: Wrong, said: re.Match[str]) -> bool:
    """And the second card is not meant to be put in for a joker."""
    number = int(said["number"])
    return wrong.counted.count(number) > 1 and number not in wrong.swappable


def _joker_fits_nowhere(wrong: Wrong, said: re.Match[str]) -> bool:
    """After the swaps, each of the numbers that are left once, and no row with the jokers."""
    swapped = wrong.swappable
    left = [number for number in wrong.counted if number not in swapped]
    for number, joker in swapped.items():
        others = {lying for lying in wrong.lying if lying != (joker, number)}
        in_taken = any((joker, number) in line for line in wrong.taken)
        left += [number] * (in_taken + sum(other == number for _, other in others))
    wild = wrong.wild + len(swapped)
    return int(said["number"]) in swapped and (
        len(set(left)) < len(left) or no_row(wrong, left, wild)
    )


def _only_jokers(wrong: Wrong, said: re.Match[str]) -> bool:
    return not wrong.counted and wrong.wild == int(said["count"]) and no_row(wrong, [], wrong.wild)


def _in_no_table(wrong: Wrong, said: re.Match[str]) -> bool:
    number, tables = int(said["number"]), _listed(said["tables"])
    return (
        wrong.counted == [number]
        and tables == [*(wrong.at.options.tables or ())]
        and not wrong.at.options.families
        and all(number % table for table in tables)
    )


def _with_these_jokers(wrong: Wrong, said: re.Match[str]) -> bool:
    number = int(said["number"])
    return wrong.counted == [number] and wrong.wild > 1 and no_row(wrong, [number], wrong.wild)


def _uneven(wrong: Wrong, said: re.Match[str]) -> bool:
    named = [FAMILIES[name] for name in re.findall(r"\w+ numbers", said["families"] or "")]
    return (
        _jumps_are(wrong, said["jumps"])
        and len(jumps(wrong.numbers)) > 1
        and not any(even_rows(wrong))
        and named == [*wrong.at.options.families]
        and no_row(wrong, wrong.numbers, wrong.wild)
    )


def _no_row_with_jokers(wrong: Wrong, said: re.Match[str]) -> bool:
    return (
        _jumps_are(wrong, said["jumps"])
        and (wrong.wild > 1 if said["several"] else wrong.wild == 1)
        and no_row(wrong, wrong.numbers, wrong.wild)
    )


def _jumps_are(wrong: Wrong, text: str) -> bool:
    """Whether each jump is named once and is as wide as it says."""
    said = [tuple(map(int, jump)) for jump in re.findall(r"rom (\d+) to (\d+) is (\d+)", text)]
    return said == [(before, after, after - before) for before, after in pairwise(wrong.numbers)]


def _other_table(wrong: Wrong, said: re.Match[str]) -> bool:
    row, table, step = _listed(said["numbers"]), int(said["table"]), int(said["step"])
    tables = wrong.at.options.tables or ()
    return (
        jumps_only(wrong, row, step)
        and table in tables
        and step not in tables
        and not any(number % table for number in row)
    )


def _not_a_table(wrong: Wrong, said: re.Match[str]) -> bool:
    step, tables = int(said["step"]), _listed(said["tables"])
    row = _listed(said["numbers"]) if said["numbers"] else wrong.numbers
    named = [FAMILIES[name] for name in re.findall(r"\w+ numbers", said["families"] or "")]
    several = "jokers" in (said["with"] or "")
    return (
        jumps_only(wrong, row, step)
        and tables == [*(wrong.at.options.tables or ())]
        and named == [*wrong.at.options.families]
        and all(any(number % table for number in row) for table in tables)
        and (not said["numbers"] or (wrong.wild > 1) == several)
    )


def _beside_table(wrong: Wrong, said: re.Match[str]) -> bool:
    row, step = _listed(said["numbers"]), int(said["step"])
    counts = step in (wrong.at.options.tables or ()) or wrong.at.options.back_to == (0,)
    return (
        jumps_only(wrong, row, step)
        and int(said["table"]) == step
        and counts
        and any(number % step for number in row)
    )


def _counted_back(wrong: Wrong, said: re.Match[str]) -> bool:
    row, step, reached = _listed(said["numbers"]), int(said["step"]), int(said["reached"])
    targets = [*(wrong.at.options.back_to or ())]
    back = range(row[0], -1, -step)
    return (
        jumps_only(wrong, row, step)
        and back[-1] == reached
        and _listed(said["targets"]) == targets
        and not set(targets) & set(back)
    )


def _listed(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


_JUMPS: Final = r"(?P<jumps>[Ff]rom \d+ to \d+ is \d+(?:, from \d+ to \d+ is \d+)*)"
_ROW: Final = r"(?P<numbers>\d+(?:, \d+)* and \d+)"
_TABLES: Final = r"(?P<tables>(?:\d+(?:, \d+)* or )?\d+)"
_FAMILIES: Final = r"(?:, or (?:it must be )?a row of (?P<families>[a-z, ]+))?"

CLAIMS: Final[dict[str, Callable[[Wrong, re.Match[str]], bool]]] = {
    r"Choose the (?:card|block)s you want to lay\.": _nothing_chosen,
    r"The game does not understand that\. Choose your (?:card|block)s again\.": _unreadable,
    r"That (?:card|block) is not in your hand any more\.": _not_in_hand,
    r"That is not on the table any more\.": _not_on_table,
    r"First lay a row of 3 (?:card|block)s or more from your own hand\. "
    r"After that you can add to the rows on the table\.": _not_opened,
    r"To take a joker, put the number that it stands for in its place\.": _other_number,
    r"When you take a joker, lay it in your new row\.": _joker_kept,
    r"(?P<number>\d+) is already in two rows\. You cannot cross it again\.": _in_two_rows,
    r"You cannot cross this number\. It is in two rows already, or in a row you chose\.": (
        _in_two_rows_or_taken
    ),
    r"These rows are already connected\. You can only join rows that are "
    r"apart\.": _rows_hang_together,
    rf"{_ROW} are in the same row\. Choose one of them, or the whole row\.": _of_one_row,
    r"Some of these are already connected\. Choose only rows that are apart\.": _some_hang_together,
    r"A joker can only be a number that is in the game\.": _joker_out_of_range,
    r"A row needs 3 (?:card|block)s or more\.": _too_short,
    r"Keep one (?:card|block)\. You need one to put down at the end of your turn\.": _last_card,
    r"That is not a row in this game\.": _is_no_row,
    r"(?P<number>\d+) is in your row twice\. Use each number only once\.": _twice,
    r"You can swap (?P<number>\d+) for the joker\. "
    r"But the joker makes no row with these (?:card|block)s\.": _joker_fits_nowhere,
    r"(?P<count>\d) jokers are not a row in this game\.": _only_jokers,
    rf"(?P<number>\d+) is not in the {_TABLES} times table\.": _in_no_table,
    r"With these jokers, (?P<number>\d+) does not make a row in this game\.": _with_these_jokers,
    rf"{_JUMPS}: make all the jumps the same\.(?: Or make a row of (?P<families>[a-z, "
    rf"]+)\.)?": _uneven,
    rf"{_JUMPS}\. With the joker(?P<several>s)?, that is not a row in this game\.": (
        _no_row_with_jokers
    ),
    rf"{_ROW} are all in the (?P<table>\d+) times table, but your jumps are (?P<step>\d+)\.": (
        _other_table
    ),
    rf"(?P<with>With the jokers? you get {_ROW}\. )?Your row has jumps of (?P<step>\d+)\. "
    rf"In this game a row must be in the {_TABLES} times table{_FAMILIES}\.": _not_a_table,
    rf"{_ROW}: your jumps are (?P<step>\d+), but these numbers are not in the "
    rf"(?P<table>\d+) times table\.": (_beside_table),
    rf"{_ROW}: count back in jumps of (?P<step>\d+)\. You land on (?P<reached>\d+), "
    r"not on (?P<targets>[01](?: or [01])?)\.": _counted_back,
}
"""Everything that a refused play is answered with, and when it is true."""


def is_true(text: str, wrong: Wrong) -> bool:
    """Whether the sentence is true. Raises `KeyError` for a sentence that is not known here."""
    for pattern, holds in CLAIMS.items():
        if said := re.fullmatch(pattern, text):
            return holds(wrong, said)
    raise KeyError(text)
