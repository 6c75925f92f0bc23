"""A second implementation of rows, plays and points, slow and simple (docs/rules.md 2–4).

The engine is compared with it, so they share no code: it has its own definition of a row, an
island, a play and its points, and its own text. A card is an int as in the engine (jokers are
101–104), a card on the table is `(card, number)`, a line is a tuple of these from low to high.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from games.engine import ruleset as rules

T = TypeVar("T")
Lying = tuple[int, int]
CardLine = tuple[Lying, ...]

LETTERS: Final = {101: "a", 102: "b", 103: "c", 104: "d"}
CARDS: Final = Path(rules.__file__).with_name("cards.csv")


def _deck() -> tuple[dict[int, str], dict[int, int]]:
    colours = {101: "red", 102: "green", 103: "blue", 104: "orange"}
    values = dict.fromkeys(LETTERS, 0)
    with CARDS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            colours[int(row["number"])] = row["colour"]
            values[int(row["number"])] = int(row["value"])
    return colours, values


COLOURS, VALUES = _deck()


class Options(NamedTuple):
    """The options about rows and points (8)."""

    highest: int
    back_to: tuple[int, ...] | None
    tables: tuple[int, ...] | None
    families: tuple[str, ...]
    doubling: tuple[str, ...]
    earning: str
    opening: bool
    last_is_owed: bool


class At(NamedTuple):
    """A position: the options, the lines on the table, the hand, and whether it has opened."""

    options: Options
    lines: tuple[CardLine, ...]
    hand: frozenset[int]
    opened: bool


class WrittenPlay(NamedTuple):
    """A play as written: hand cards, lines taken, cards crossed, (joker, number put in)."""

    hand: tuple[Lying, ...]
    lines: tuple[CardLine, ...] = ()
    across: tuple[Lying, ...] = ()
    swaps: tuple[Lying, ...] = ()


class Made(NamedTuple):
    """The result of a legal play."""

    points: int
    lines: tuple[CardLine, ...]
    hand: frozenset[int]


def options_of(ruleset: rules.Ruleset) -> Options:
    return Options(
        ruleset.highest,
        ruleset.counts_back_to,
        ruleset.tables,
        ruleset.families,
        ruleset.doubling,
        "one" if ruleset.is_together and ruleset.earning == "nothing" else ruleset.earning,
        ruleset.opening,
        ruleset.ending == "discard",
    )


# Rows (2)


@cache
def family(name: str, highest: int) -> list[int]:
    """The numbers of a family, from the first (2.4)."""
    if name == "squares":
        numbers = [n * n for n in range(1, 11)]
    elif name == "triangular":
        numbers = [sum(range(n + 1)) for n in range(1, 15)]
    else:
        numbers = [n for n in range(2, 101) if not any(n % d == 0 for d in range(2, n))]
    return [n for n in numbers if n <= highest]


def is_row(options: Options, numbers: Sequence[int]) -> bool:
    """Whether numbers in order, from low to high, are a sequence (2.1–2.6)."""
    if len(numbers) < 3 or len(set(numbers)) < len(numbers):
        return False
    for name in options.families:
        family_row = family(name, options.highest)
        if numbers[0] in family_row:
            start = family_row.index(numbers[0])
            if family_row[start : start + len(numbers)] == list(numbers):
                return True
    steps = {after - before for before, after in pairwise(numbers)}
    if len(steps) > 1:
        return False
    return may_step(options, numbers[0], steps.pop())


def may_step(options: Options, lowest: int, step: int) -> bool:
    """Whether equal jumps of `step` from `lowest` on are a sequence."""
    if options.tables is not None and (step not in options.tables or lowest % step):
        return False
    return options.back_to is None or bool(set(options.back_to) & set(range(lowest, -1, -step)))


@lru_cache(maxsize=100)
def rows(options: Options) -> list[tuple[int, ...]]:
    """Every sequence: numbers with equal differences, or part of a family."""
    even = (
        tuple(range(start, start + step * length, step))
        for step in range(1, options.highest)
        for start in range(1, options.highest + 1)
        for length in range(3, (options.highest - start) // step + 2)
    )
    runs = dict.fromkeys(
        tuple(family_row[start:end])
        for family_row in (family(name, options.highest) for name in options.families)
        for start in range(len(family_row))
        for end in range(start + 3, len(family_row) + 1)
    )
    may = cache(lambda lowest, step: may_step(options, lowest, step))
    either = dict.fromkeys(chain(even, runs))
    return [row for row in either if row in runs or may(row[0], row[1] - row[0])]


# The table (3.1, 3.2)


@lru_cache(maxsize=1000)
def islands(lines: tuple[CardLine, ...]) -> list[int]:
    """A number for each line's island. Lines that are connected have the same number."""
    names = list(range(len(lines)))
    for first, second in combinations(range(len(lines)), 2):
        if {card for card, _ in lines[first]} & {card for card, _ in lines[second]}:
            old_name, new_name = names[second], names[first]
            names = [new_name if name == old_name else name for name in names]
    return names


@lru_cache(maxsize=1000)
def lines_with(lines: tuple[CardLine, ...]) -> dict[int, list[int]]:
    """The lines in which each card on the table lies."""
    cards = {card for line in lines for card, _ in line}
    return {card: [i for i, line in enumerate(lines) if card in dict(line)] for card in cards}


@lru_cache(maxsize=1000)
def numbers_of(lines: tuple[CardLine, ...]) -> dict[int, int]:
    """The number for which each card on the table stands."""
    return {card: number for line in lines for card, number in line}


# One play, judged as it is written (3.3–3.5, 4, and the order of refusals)


def judge(at: At, way: WrittenPlay) -> Made | str:
    """The result of the play, or the code with which it is refused."""
    hand = [card for card, _ in way.hand]
    put_in = [number for _, number in way.swaps]
    swapped = [joker for joker, _ in way.swaps]
    across = [card for card, _ in way.across]
    for part in (hand, put_in, swapped, across, way.lines):
        if len(set(part)) < len(part):
            return "bad-text"
    if not hand or set(put_in) & set(hand):
        return "bad-text"
    if not ({card for card in hand if card not in swapped} | set(put_in)) <= at.hand:
        return "not-in-hand"
    on_table, lies_in = numbers_of(at.lines), lines_with(at.lines)
    if not set(way.lines) <= set(at.lines) or not {*across, *swapped} <= set(on_table):
        return "not-on-table"
    if (way.lines or across or swapped) and at.options.opening and not at.opened:
        return "not-opened"
    if any(on_table[joker] != number for joker, number in way.swaps):
        return "swap-mismatch"
    if not set(swapped) <= set(hand):
        return "joker-not-laid"
    indices = [at.lines.index(line) for line in way.lines]
    for card in across:
        if len(lies_in[card]) == 2 or lies_in[card][0] in indices:
            return "already-crossed"
    names = islands(at.lines)
    from_islands = [names[i] for i in indices] + [names[lies_in[card][0]] for card in across]
    if len(set(from_islands)) < len(from_islands):
        return "same-island"
    return _judge_line(at, way, {card: on_table[card] for card in across})


def _judge_line(at: At, way: WrittenPlay, across: dict[int, int]) -> Made | str:
    swaps = dict(way.swaps)
    cards = [*way.hand]
    cards += [_after_swaps(lying, swaps) for line in way.lines for lying in line]
    cards += [_after_swaps(lying, swaps) for lying in across.items()]
    cards.sort(key=lambda lying: lying[1])
    if any(not 1 <= number <= at.options.highest for _, number in way.hand):
        return "out-of-range"
    if len(cards) < 3:
        return "too-short"
    if not is_row(at.options, [number for _, number in cards]):
        return "not-a-sequence"
    hand_left = (at.hand | set(swaps)) - {card for card, _ in way.hand} - set(swaps.values())
    if not hand_left and at.options.last_is_owed:
        return "must-keep-a-card"
    lines = [line for line in at.lines if line not in way.lines]
    lines = [tuple(_after_swaps(lying, swaps) for lying in line) for line in lines]
    return Made(points(at.options, way.hand, cards), (*lines, tuple(cards)), hand_left)


def _after_swaps(lying: Lying, swaps: dict[int, int]) -> Lying:
    card, number = lying
    return (number, number) if card in swaps else lying


def points(options: Options, cards: Sequence[Lying], line: Sequence[Lying]) -> int:
    """The points for the cards laid from the hand in this line (4)."""
    if options.earning == "nothing":
        return 0
    earned = len(cards) if options.earning == "one" else sum(VALUES[card] for card, _ in cards)
    colours = [COLOURS[card] for card, _ in line]
    is_same = len(set(colours)) == 1 and "same" in options.doubling
    different = len(set(colours)) == len(colours) and "different" in options.doubling
    return earned * 2 if is_same or different else earned


# Every play (3.3), for every row and every source of its numbers


def all_plays(
    at: At, candidates: Sequence[tuple[int, ...]] | None = None
) -> dict[str, WrittenPlay]:
    """Every legal play of the position, by its text.

    A number of a row is a card of the hand, a joker, a card that lies in one line of the table, or
    part of a line that is taken whole. Each combination is tried and judged. `candidates`: the rows
    to try, if the others are known to be impossible.
    """
    plays: dict[str, WrittenPlay] = {}
    jokers = [lying for line in at.lines for lying in line if lying[0] > 100]
    may_swap = {lying for lying in jokers if lying[1] in at.hand}
    may_only_lay = at.options.opening and not at.opened
    for swaps in subsets(sorted(may_swap) if not may_only_lay else []):
        if len({number for _, number in swaps}) < len(swaps):
            continue
        hand = at.hand - {number for _, number in swaps} | {joker for joker, _ in swaps}
        for row in rows(at.options) if candidates is None else candidates:
            for way in _ways(at, hand, row, swaps, may_only_lay):
                if not isinstance(judge(at, way), str):
                    plays[text(way)] = way
    return plays


def within_reach(at: At) -> list[tuple[int, ...]]:
    """The rows that the cards of hand and table can make, now or later."""
    reach = {*at.hand, *(number for line in at.lines for _, number in line)}
    reach |= {card for line in at.lines for card, _ in line}
    jokers = sum(card > 100 for card in reach)
    return [row for row in rows(at.options) if len(set(row) - reach) <= jokers]


def subsets(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def _ways(
    at: At, hand: frozenset[int], row: tuple[int, ...], swaps: tuple[Lying, ...], closed: bool
) -> Iterator[WrittenPlay]:
    lines = () if closed else at.lines
    lying = {number for line in lines for _, number in line}
    if len(set(row) - hand - lying) > sum(card > 100 for card in hand):
        return
    inside = [line for line in lines if {number for _, number in line} <= set(row)]
    for taken_lines in subsets(inside):
        numbers_taken = [number for line in taken_lines for _, number in line]
        if len(set(numbers_taken)) < len(numbers_taken):
            continue
        needed = [number for number in row if number not in numbers_taken]
        for choice in _choices(needed, hand, list({card for line in lines for card in line})):
            laid_now = tuple(card for from_hand, card in choice if from_hand)
            across = tuple(card for from_hand, card in choice if not from_hand)
            if laid_now:
                yield WrittenPlay(laid_now, taken_lines, across, swaps)


def _choices(
    numbers: Sequence[int], hand: Iterable[int], lying: Sequence[Lying]
) -> Iterator[list[tuple[bool, Lying]]]:
    """Each choice of the numbers from the hand (True) and the table (False) that uses no card
    twice."""
    if not numbers:
        yield []
        return
    number = numbers[0]
    from_hand = [(True, (card, number)) for card in hand if card == number or card > 100]
    from_table = [(False, placed) for placed in lying if placed[1] == number]
    for choice in (*from_hand, *from_table):
        other_cards = [card for card in hand if not choice[0] or card != choice[1][0]]
        for choice_of_rest in _choices(numbers[1:], other_cards, lying):
            yield [choice, *choice_of_rest]


def plays_by_brute_force(at: At) -> dict[str, WrittenPlay]:
    """The plays of `all_plays`, found by trying everything that can be written: all sets of swaps,
    hand cards, jokers' numbers, lines and crossed cards. Possible only for the smallest
    positions."""
    plays: dict[str, WrittenPlay] = {}
    lying = sorted({card for line in at.lines for card in line})
    for swaps in subsets([card for card in lying if card[0] > 100]):
        for cards in subsets(sorted({*at.hand, *(joker for joker, _ in swaps)})):
            of_jokers = [
                range(1, at.options.highest + 1) if card > 100 else [card] for card in cards
            ]
            for numbers in product(*of_jokers):
                hand_cards = tuple(zip(cards, numbers, strict=True))
                for taken_lines in subsets(at.lines):
                    for across in subsets(lying):
                        way = WrittenPlay(hand_cards, taken_lines, across, swaps)
                        if not isinstance(judge(at, way), str):
                            plays[text(way)] = way
    return plays


# A turn (5.2): the most its plays can earn, by trying every order of every play


def best_points(at: At) -> int:
    return _best(at, within_reach(at), {})


def _best(at: At, candidates: Sequence[tuple[int, ...]], best_of: dict[At, int]) -> int:
    met = at._replace(lines=tuple(sorted(at.lines)))
    if met not in best_of:
        best = 0
        for way in all_plays(at, candidates).values():
            result = judge(at, way)
            assert isinstance(result, Made)
            has_opened = at.opened or not (way.lines or way.across or way.swaps)
            after = At(at.options, result.lines, result.hand, has_opened)
            best = max(best, result.points + _best(after, candidates, best_of))
        best_of[met] = best
    return best_of[met]


# Text (docs/plays.md)


def name(card: int) -> str:
    return LETTERS.get(card, str(card))


def lying_text(lying: Lying) -> str:
    card, number = lying
    return str(number) if card == number else f"{name(card)}={number}"


def line_text(line: CardLine) -> str:
    return "-".join(lying_text(lying) for lying in line)


def table_text(lines: Iterable[CardLine]) -> list[str]:
    ordered = sorted(lines, key=lambda line: ([number for _, number in line], line_text(line)))
    return [line_text(line) for line in ordered]


def hand_text(hand: Iterable[int]) -> list[str]:
    return [name(card) for card in sorted(hand)]


def text(way: WrittenPlay) -> str:
    def by_number(lying: Lying) -> int:
        return lying[1]

    words = [lying_text(lying) for lying in sorted(way.hand, key=by_number)]
    if way.lines:
        words += ["to", *table_text(way.lines)]
    if way.across:
        words += ["across", *(name(card) for card, _ in sorted(way.across, key=by_number))]
    if way.swaps:
        swaps = (
            f"{number} for {name(joker)}" for joker, number in sorted(way.swaps, key=by_number)
        )
        words += ["swap", ", ".join(swaps)]
    return " ".join(words)
