"""Which quick questions a child is asked, by the child's earlier answers (docs/checks.md).

At most four at a time and at most four new facts a day; known and unknown ones mixed, so that
between 75 and 90 % are answered right; facts of the tables that the class plays come first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final, Literal

from games.coach.facts import FACTORS, Fact, fact, facts_of
from games.coach.mastery import SECURE_MS
from games.coach.times_tables import TEACHING_ORDER, common_tables, describe
from games.engine.sequences import SHORTEST

QuestionKind = Literal["fact", "table", "typing"]
How = Literal["recalled", "derived", "hinted", "guessed"]

MOST: Final = 4
MOST_NEW: Final = 4
WANTED: Final = 0.83
"""The share of answers that should be right."""
EASY: Final = 0.95
STRETCH: Final = 0.4
"""The chance of the second question: one that the child does not know yet."""
NEARLY: Final = 0.8
"""A child with a better chance than this at every fact is also asked facts of further tables."""
TYPING_NEEDED: Final = 3
"""How many typing times are needed before a child's typing speed is known."""
TYPING_KEPT: Final = 7
LATELY: Final = 3
"""How many of the last answers to a fact predict the next one."""
LEAST_MS: Final = 150
"""Nobody answers faster than this, and a time beyond `LONGEST_MS` is no thinking time."""
LONGEST_MS: Final = 120_000
CLOCK_SLACK_MS: Final = 250
_EASE: Final = ((0.9, (10, 2)), (0.85, (5,)), (0.7, (3, 4)), (0.6, (9, 11)))
_EASE_OF_SQUARES: Final = 0.7
_HARD: Final = 0.5
_TYPED: Final = (7, 4, 9, 36, 58, 72, 41, 63)


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `numbers`: the two factors as they are shown, the row from low to high, or
    the number to type."""

    kind: QuestionKind
    numbers: tuple[int, ...]

    @property
    def answer(self) -> int:
        """The best answer; for a row, the table of its own step."""
        match self.kind:
            case "fact":
                return self.numbers[0] * self.numbers[1]
            case "table":
                return self.numbers[1] - self.numbers[0]
            case "typing":
                return self.numbers[0]

    def is_right(self, answer: int) -> bool:
        """Whether an answer is right; for a row, any table that all its numbers are in.

        >>> [table for table in range(13) if Question("table", (12, 16, 20)).is_right(table)]
        [2, 4]
        """
        if self.kind == "table":
            return answer in common_tables(self.numbers)
        return answer == self.answer


@dataclass(frozen=True, slots=True)
class Answered:
    """A fact that was asked before, as it was shown, and whether the answer was right. Days are
    counted from any fixed day."""

    shown: tuple[int, int]
    right: bool
    day: int


def tables_asked(tables: Collection[int] | None) -> list[int]:
    """The times tables whose facts an assignment asks; `tables` is None if it names none."""
    return sorted(table for table in tables or () if table > 1) or list(FACTORS)


def questions(
    tables: Collection[int],
    before: Sequence[Answered],
    rows: Iterable[Sequence[int]],
    today: int,
    random: Random,
) -> list[Question]:
    """Up to `MOST` questions. `before`: the child's answers, the oldest first; `rows`: the rows
    that it found just now, for one question about the table of such a row."""
    facts = _facts(tables, before, today, random)
    chosen = [Question("fact", _turned(one, before, random)) for one in facts]
    asked = _asked_row(rows, tables, random)
    if asked is not None:
        chosen[-1:] = [asked]
    return chosen


def _facts(
    tables: Collection[int], before: Sequence[Answered], today: int, random: Random
) -> list[Fact]:
    by_fact: dict[Fact, list[Answered]] = {}
    for one in before:
        by_fact.setdefault(fact(*one.shown), []).append(one)
    may_be_new = MOST_NEW - sum(known[0].day == today for known in by_fact.values())
    left = _candidates(tables, by_fact)
    random.shuffle(left)
    chosen: list[Fact] = []
    sure = 0.0
    for number in range(MOST):
        able = [one for one in left if one in by_fact or may_be_new > 0]
        able = able or [one for one in by_fact if one not in chosen]
        if not able:
            break
        wanted = (EASY, STRETCH, EASY, MOST * WANTED - sure)[number]
        best = min(able, key=lambda one: _unfit(one, by_fact.get(one, ()), wanted, today))
        sure += chance(best, by_fact.get(best, ()))
        may_be_new -= best not in by_fact
        chosen.append(best)
        left = [one for one in left if one != best]
    return chosen


def _candidates(tables: Collection[int], by_fact: Mapping[Fact, Sequence[Answered]]) -> list[Fact]:
    """The facts of these tables; if the child is good at all of them, of further tables too."""
    of = list(tables)
    further = [table for table in TEACHING_ORDER if table not in of]
    while further and all(chance(one, by_fact.get(one, ())) > NEARLY for one in facts_of(of)):
        of.append(further.pop(0))
    return facts_of(of)


def chance(asked: Fact, before: Sequence[Answered]) -> float:
    """How likely the next answer is right, from the last answers and how easy the fact is."""
    last = before[-LATELY:]
    right = sum(one.right for one in last)
    return (right + ease(asked)) / (len(last) + 1)


def ease(asked: Fact) -> float:
    """How likely a child is to know a fact that it was never asked."""
    for share, tables in _EASE:
        if any(table in asked for table in tables):
            return share
    return _EASE_OF_SQUARES if asked[0] == asked[1] else _HARD


def _unfit(asked: Fact, before: Sequence[Answered], wanted: float, today: int) -> float:
    """How badly a fact suits, by its chance and by how often it was asked today."""
    again = sum(one.day == today for one in before)
    return abs(chance(asked, before) - wanted) + 0.3 * again


def _turned(asked: Fact, before: Sequence[Answered], random: Random) -> tuple[int, int]:
    """The two factors in the order that was not shown last."""
    shown = next((one.shown for one in reversed(before) if fact(*one.shown) == asked), None)
    turned = random.random() < 0.5 if shown is None else shown == asked
    return (asked[1], asked[0]) if turned else asked


def _asked_row(
    rows: Iterable[Sequence[int]], tables: Collection[int], random: Random
) -> Question | None:
    """A question about a row of a times table that the child found, or about its first three
    numbers; rows of `tables` are preferred."""
    found = sorted({tuple(row)[:SHORTEST] for row in rows if describe(row).times_table})
    own = [row for row in found if row[1] - row[0] in tables]
    return Question("table", random.choice(own or found)) if found else None


def to_type(known: Sequence[int], random: Random) -> list[Question]:
    """Numbers to type, while too little is known of the child's typing speed. `known`: the number
    of digits of each number that it has typed before."""
    wanted = []
    for digits in (1, 2):
        if sum(count == digits for count in known) < TYPING_NEEDED:
            able = [number for number in _TYPED if len(str(number)) == digits]
            wanted.append(Question("typing", (random.choice(able),)))
    return wanted


def typing_ms(answer: int, typed: Sequence[tuple[int, int]]) -> int | None:
    """How long this child takes to type an answer, in ms: the median for numbers with as many
    digits; three digits count as two. None if nothing is known.

    >>> typing_ms(42, [(1, 700), (2, 1000), (2, 1400), (2, 1200)])
    1200
    """
    digits = min(len(str(answer)), 2)
    fitting = [ms for count, ms in typed if min(count, 2) == digits][-TYPING_KEPT:]
    return round(median(fitting)) if fitting else None


def believed_ms(measured_ms: int | None, elapsed_ms: int) -> int | None:
    """The time that the page measured if it can be true: no longer than the server's own clock
    allows, and plausible for a person; else None."""
    if measured_ms is None or not LEAST_MS <= measured_ms <= LONGEST_MS:
        return None
    return measured_ms if measured_ms <= elapsed_ms + CLOCK_SLACK_MS else None


def how(*, right: bool, hinted: bool, net_ms: int | None) -> How:
    """How the child got an answer. Without a time it does not count as recalled."""
    if not right:
        return "guessed"
    if hinted:
        return "hinted"
    return "recalled" if net_ms is not None and net_ms <= SECURE_MS else "derived"
