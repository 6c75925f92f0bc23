"""Whether what a hint says and lights up is true, by the rules as docs/rules.md has them (2 and 3).

The judge reads the English sentences and looks at the cards. It shares no code with the coach or
the engine: which rows there are, and whether a play is legal, comes from the slow second
implementation of the rules, by trying all that can be laid.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.games.engine.reference import (
    At,
    CardLine,
    Made,
    Options,
    WrittenPlay,
    all_plays,
    judge,
    rows,
)
from tests.games.screen.hint_claims import CLAIMS, MANY, Case, Shown, numbers_in, where

MOST_WORDS: Final = 12
SHORTEST: Final = 3
WHERE: Final = ("hand", "table", "swap")
"""Where a row comes from, the easiest first."""


class Hinted(NamedTuple):
    """A position with the play that its hints are about, and all steps. Before a card is taken
    (`drawing`), the hand has the open card too, if there is one."""

    at: At
    play: WrittenPlay | None
    steps: tuple[Shown, ...]
    drawing: bool = False
    open_card: int | None = None


class Way(NamedTuple):
    """How a row can be made: with how many jokers of the hand, from where, with how many swaps."""

    jokers: int
    where: str
    swaps: int


# Which rows there are


@lru_cache(maxsize=100)
def _numbers(options: Options) -> tuple[list[tuple[int, ...]], NDArray[np.float32]]:
    """All rows, and for each of them a line with a one at each of its numbers."""
    known = rows(options)
    ones = np.zeros((len(known), options.highest + 1), dtype=np.float32)
    for line, row in zip(ones, known, strict=True):
        line[list(row)] = 1
    return known, ones


def _reached(options: Options, there: set[int], jokers: int) -> Iterator[tuple[int, ...]]:
    """The rows that lack no more numbers than there are jokers."""
    known, _ = _numbers(options)
    return (known[at] for at in np.flatnonzero(_lacking(options, frozenset(there)) <= jokers))


@lru_cache(maxsize=4)
def _lacking(options: Options, there: frozenset[int]) -> NDArray[np.float32]:
    """How many numbers of each row are missing."""
    _, ones = _numbers(options)
    missing = np.ones(options.highest + 1, dtype=np.float32)
    missing[list(there)] = 0
    return ones @ missing


def easiest(at: At, open_card: int | None = None) -> tuple[Way, int] | None:
    """The way to make a row that a hint should be about, and how many rows are made so, at most
    `MANY`: with few jokers of the hand, without swaps, with the open card if there is one, then
    from the hand, then with the table."""
    own = sum(card > 100 for card in at.hand)
    for count in range(own + 1):
        found = [_ways(at, count, with_it) for with_it in dict.fromkeys((open_card, None))]
        for ways in (*map(_without_swaps, found), *found):
            if ways:
                way = min(ways, key=lambda way: (WHERE.index(way.where), way.swaps))
                return way, len(ways[way])
    return None


Ways = dict[Way, set[tuple[int, ...]]]
"""The rows by the way to make them."""


def _without_swaps(ways: Ways) -> Ways:
    return {way: rows for way, rows in ways.items() if way.where != "swap"}


def _ways(at: At, count: int, with_it: int | None) -> Ways:
    """The ways with this many jokers of the hand, from the hand if any is. `with_it`: a card that
    each of the rows needs."""
    numbers = {card for card in at.hand if card <= 100}
    own = sorted(at.hand - numbers, key=lambda joker: joker != with_it)
    hand = frozenset({*numbers, *own[:count]})
    free = at._replace(hand=hand, options=at.options._replace(last_is_owed=False))
    found = _made(at, free._replace(lines=()), numbers, count, with_it)
    if not found and at.lines and (at.opened or not at.options.opening):
        lying = {number for line in at.lines for _, number in line}
        swapped = sum(card > 100 for line in at.lines for card, _ in line)
        found = _made(at, free, numbers | lying, count, with_it, swapped)
    return found


def _made(
    at: At, free: At, there: set[int], count: int, with_it: int | None, swapped: int = 0
) -> Ways:
    """The rows that can be made with exactly this many jokers of the hand, by the way to do it; no
    more of one that needs no swap once there are many."""
    found: Ways = {}
    for row in _reached(at.options, there, count + swapped):
        if with_it and with_it <= 100 and not swapped and with_it not in row:
            continue
        for play in all_plays(free, [row]).values():
            swaps = len(play.swaps)
            if sum(card > 100 for card, _ in play.hand) - swaps != count:
                continue
            laid = {card for card, _ in play.hand} | {number for _, number in play.swaps}
            if with_it is not None and with_it not in laid:
                continue
            if isinstance(judge(at, play), Made):
                touches = play.lines or play.across
                place = "swap" if swaps else "table" if touches else "hand"
                found.setdefault(Way(count, place, swaps), set()).add(row)
        if any(len(of) >= MANY and way.where != "swap" for way, of in found.items()):
            break
    return found


NOTHING: Final = (
    r"No row this time: (?:put one (?:card|block) down|tap “Done”) and see what comes\."
)
NOTHING_YET: Final = (
    "No row this time. Take one from the pile: that helps most.",
    "No row this time. Take the open card: it helps you most.",
)
SUBJECTS: Final = ("count", "card", "jumps", "name", "derived", "row")
"""What each step is about."""


def faults(hinted: Hinted) -> Iterator[str]:
    """What is wrong with the hints of a position."""
    expected, play = easiest(hinted.at, hinted.open_card), hinted.play
    if expected is None and play is None:
        yield from _said_without_a_row(hinted)
        return
    made = None if play is None else judge(hinted.at, play)
    if expected is None or play is None or not isinstance(made, Made):
        yield f"expected {expected}, made {made}"
        return
    (way, count), line = expected, made.lines[-1]
    before: set[str] = set()
    for step, shown in enumerate(hinted.steps, start=1):
        row = tuple(number for _, number in line)
        case = Case(hinted.at, play, row, count, shown, hinted.drawing, hinted.open_card)
        if way != _way_of(case):
            yield f"easier: {way}"
        claims = list(_claims(case))
        yield from (text for _, text, true in claims if not true)
        texts, kinds = {text for _, text, _ in claims}, [kind for kind, _, _ in claims]
        if SUBJECTS[step - 1] not in kinds or texts <= before:
            yield f"step {step} says nothing new about the {SUBJECTS[step - 1]}"
        before = texts
        yield from _unsaid(case, step, kinds)
        yield from _lights(case, step)
        yield from _drawn(case, step, line)
        yield from _long(shown.text if step < len(SUBJECTS) else "")


def _said_without_a_row(hinted: Hinted) -> Iterator[str]:
    said = NOTHING
    if hinted.drawing:
        said = re.escape(NOTHING_YET[open_card_helps(hinted.at, hinted.open_card)])
    for shown in hinted.steps:
        if not re.fullmatch(said, shown.text) or shown.lit or shown.on_table:
            yield f"without a row: {shown}"


def open_card_helps(at: At, card: int | None) -> bool:
    """Whether, of the cards that nobody sees, more make a row with the open card than on average
    with another one from the pile: of three with the hand, or at an end of one that lies
    there. One that makes a row at once is as good as all."""
    if card is None or card > 100:
        return card is not None
    hand, lying = at.hand - {card}, {lies for line in at.lines for lies, _ in line}
    unseen = {*range(1, at.options.highest + 1), 101, 102, 103, 104} - at.hand - lying
    of_three = [{*row} for row in rows(at.options) if len(row) == SHORTEST]
    ends = _at_ends(at) if at.opened or not at.options.opening else set[int]()

    def makes_a_row(cards: frozenset[int]) -> set[int]:
        jokers = sum(one > 100 for one in cards)
        lacks = [row - cards for row in of_three if len(row - cards) == jokers + 1]
        return set[int]().union(ends, *lacks)

    now = makes_a_row(hand)
    means = []
    for one in unseen:
        at_once = bool(now) if one > 100 else one in now
        means.append(len(unseen) if at_once else len(makes_a_row(hand | {one}) & (unseen - {one})))
    return len(makes_a_row(at.hand) & unseen) * len(unseen) > sum(means)


def _at_ends(at: At) -> set[int]:
    """The numbers with which a row of the table goes on."""
    lines = [[number for _, number in line] for line in at.lines]
    known = {*rows(at.options)}
    return {
        number
        for line in lines
        for number in range(1, at.options.highest + 1)
        if number not in line and (number < line[0] or number > line[-1])
        if tuple(sorted([*line, number])) in known
    }


def _way_of(case: Case) -> Way:
    swaps = len(case.play.swaps)
    return Way(sum(card > 100 for card, _ in case.play.hand) - swaps, where(case), swaps)


def _claims(case: Case) -> Iterator[tuple[str, str, bool]]:
    """Each claim with what it is about and whether it is true; what is not known is false."""
    text, at = case.shown.text, 0
    while at < len(text):
        found = [
            (said, kind, holds)
            for pattern, (kind, holds) in CLAIMS.items()
            if (said := re.compile(pattern).match(text, at))
        ]
        if not found:
            yield "unknown", text[at:], False
            return
        said, kind, holds = max(found, key=lambda each: each[0].end())
        yield kind, said[0], holds(case, said)
        at = said.end() + 1


def _unsaid(case: Case, step: int, kinds: Sequence[str]) -> Iterator[str]:
    """Before a card is taken, every step must say where to take one. A swap must be called so at
    every step, and what lies on the table be named with it."""
    takes = "take" in kinds or case.shown.text.startswith("Take the open card:")
    if takes != case.drawing:
        yield f"step {step}: what to take: {case.shown.text}"
    swaps = bool(case.play.swaps)
    if swaps != bool(re.search("[Ss]wap|Put your", case.shown.text)):
        yield f"step {step}: {'no ' if swaps else 'a '}swap is told: {case.shown.text}"
    uses = bool(case.play.lines or case.play.across)
    if step in (3, 4, 6) and uses != ("table" in kinds):
        yield f"step {step}: what lies on the table: {case.shown.text}"
    if step in (1, 6):
        jokers = bool(case.wild if step == 6 else [card for card in case.own if card > 100])
        if jokers != ("jokers" in kinds):
            yield f"step {step}: a joker: {case.shown.text}"


def _lights(case: Case, step: int) -> Iterator[str]:
    """Only cards of the play light up: the open card if it is needed, one of the hand at first, all
    of them at last."""
    shown = case.shown
    needed = case.own | {*case.put_in}
    others = shown.lit - case.needed
    all_lit = shown.lit == needed and shown.on_table == case.used
    if (
        not case.needed <= shown.lit <= needed & case.at.hand
        or not shown.on_table <= case.used
        or (step == 1 and (others or shown.on_table))
        or (step in (2, 3, 4) and len(others) > max(1, len(case.put_in) + 1))
        or (step == 2 and not case.put_in and len(others) != bool(needed - case.needed))
        or (step == 2 and case.put_in and shown.lit != {*case.put_in} | case.needed)
        or (step == len(SUBJECTS) and not all_lit)
    ):
        yield f"step {step} lights {shown.lit} and {shown.on_table}"


def _drawn(case: Case, step: int, line: CardLine) -> Iterator[str]:
    """The picture of the row, and the number line: it names no number that is not known."""
    if case.shown.whole != (line if step == len(SUBJECTS) else ()):
        yield f"step {step} shows {case.shown.whole}"
    if step == len(SUBJECTS):
        return
    reached = {*case.seen}
    for said in re.finditer(r"×\s(\d+) is (\d+)\. .*?(\d+)\. So", case.shown.text):
        table, *ends = map(int, said.groups())
        reached |= {*range(min(ends), max(ends) + 1, table)}
    can_be = re.search(r"So your jokers? can be ([\d, and]+)\.", case.shown.text)
    reached |= {*numbers_in(can_be[1])} if can_be else set()
    labels = {int(label) for label in case.shown.labels if label != "?"}
    if not labels <= reached:
        yield f"step {step} draws {case.shown.labels}"


def _long(text: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=\.) ", text):
        if len(re.findall(r"[\w×]+", sentence)) > MOST_WORDS:
            yield f"long: {sentence}"
