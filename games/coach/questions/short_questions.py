"""Which short questions a child is asked, after their earlier answers (docs/checks.md).

A child is asked at most four questions at a time and at most four new facts a day. Due facts come
first, then new ones of the tables that the class plays, as long as the child can be expected to
answer three of four right.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final, Literal

from games.coach.mastery import FEWEST_FOR_A_LEVEL, SECURE_MS
from games.coach.questions.recall import FactAnswer, Recall, recall_after
from games.coach.times_tables import FACTORS, Fact, common_tables, fact_of, facts_of, row_table_of
from games.engine.sequences import SHORTEST

QuestionKind = Literal["fact", "table", "typing"]
How = Literal["recalled", "derived", "hinted", "guessed"]

MOST_QUESTIONS: Final = 4
MOST_NEW: Final = 4
MOST_FIRST: Final = 2
"""A set begins with at most this many facts that the teacher wants; other facts keep it mixed."""
LEAST_RIGHT: Final = 0.75
"""The share of answers in a set that should be right; harder facts wait for a later set."""
TABLE_SHARE: Final = 0.5
"""The share of the sets after a found row that ask for its table."""
TYPING_NEEDED: Final = 2
"""A child's typing speed is known after they have typed this many numbers of each length."""
TYPING_KEPT: Final = 7
TYPING_LASTS: Final = 56
"""A typing time is used for this many days, because children type faster as they grow."""
TYPING_RESTS: Final = 7
"""After a number to type, no number of a length with a known time is asked for this many days."""
LEAST_MS: Final = 150
"""Nobody answers faster than this. A time longer than `LONGEST_MS` is not thinking time."""
LONGEST_MS: Final = 120_000
CLOCK_SLACK_MS: Final = 250
_TYPED: Final = (7, 4, 9, 36, 58, 72, 41, 63)


@dataclass(frozen=True, slots=True)
class Question:
    """A short question."""

    kind: QuestionKind
    numbers: tuple[int, ...]
    """The two factors as they are shown, the row from low to high, or the number to type."""
    earlier: bool = False  # whether it asks a fact of tables that were assigned earlier

    @property
    def answer(self) -> int:
        """The best answer; for a row, the table of its jump."""
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
class Trouble:
    """A row that a child missed or found with a hint, and the day on which they did."""

    row: Sequence[int]
    day: int


@dataclass(frozen=True, slots=True)
class Topic:
    """What to ask a child about."""

    tables: Collection[int]  # whose facts to ask
    first: Collection[Fact] = ()  # the facts that the teacher wants asked
    earlier: Collection[int] = ()  # the tables that the child was assigned earlier
    troubles: Iterable[Trouble] = ()
    """Rows whose facts to ask, on a later day than the trouble."""


def tables_asked(tables: Collection[int] | None) -> list[int]:
    """The times tables whose facts an assignment asks; `tables` is None if it names none."""
    return sorted(table for table in tables or () if table > 1) or list(FACTORS)


def questions(
    topic: Topic,
    before: Iterable[FactAnswer],
    rows: Iterable[Sequence[int]],
    today: int,
    random: Random,
) -> list[Question]:
    """Up to `MOST_QUESTIONS`. `before` has the child's answers, the oldest first. One question may
    ask for the table of one of `rows`, which the child has just found."""
    fact_list = fact_questions(recall_after(before), topic, today, random)
    row = _row_question(rows, topic.tables, random)
    if row is not None and (len(fact_list) < MOST_QUESTIONS or random.random() < TABLE_SHARE):
        fact_list = [*fact_list[: MOST_QUESTIONS - 1], row]
    return fact_list


def fact_questions(recall: Recall, topic: Topic, today: int, random: Random) -> list[Question]:
    """Up to `MOST_QUESTIONS` about facts, by what the child knows. Facts that the teacher wants
    come before all others, each once a day and at most `MOST_FIRST` in a set."""
    of = facts_of(topic.tables)
    facts = sorted({*of, *facts_of(topic.earlier)})
    random.shuffle(facts)
    begin_with = _first_facts(topic.first, recall, today)
    urgent = _after_trouble(topic.troubles, recall, today)
    rest = [pair for pair in _in_order(facts, of, recall, urgent, today) if pair not in begin_with]
    return [
        Question("fact", _turned(pair, recall, random), earlier=pair not in {*of, *topic.first})
        for pair in _next_facts(begin_with, rest, recall, today)
    ]


def _first_facts(facts: Iterable[Fact], recall: Recall, today: int) -> list[Fact]:
    """The facts to ask now among those that the teacher wants asked: first those never asked or
    asked longest ago; none that was asked today."""
    known = recall.facts
    ready = [pair for pair in facts if pair not in known or known[pair].memory.last != today]
    ready.sort(key=lambda pair: known[pair].memory.last if pair in known else 0)
    return ready[:MOST_FIRST]


def _next_facts(
    begin_with: Sequence[Fact], rest: list[Fact], recall: Recall, today: int
) -> list[Fact]:
    """The facts to ask: `begin_with`, then the first of those `rest` that let the child answer the
    share `LEAST_RIGHT` of the set right."""
    chances = {pair: recall.chance(pair, today) for pair in (*begin_with, *rest)}
    may_be_new = MOST_NEW - sum(day == today for day in recall.first_days.values())
    may_be_new -= sum(pair not in recall.facts for pair in begin_with)
    next_facts = list(begin_with)
    expected = sum(chances[pair] for pair in begin_with)
    while len(next_facts) < MOST_QUESTIONS:
        allowed = [pair for pair in rest if pair in recall.facts or may_be_new > 0]
        if not allowed:
            break
        following = MOST_QUESTIONS - len(next_facts) - 1
        best = _first_fit(allowed, chances, MOST_QUESTIONS * LEAST_RIGHT - expected, following)
        expected += chances[best]
        may_be_new -= best not in recall.facts
        next_facts.append(best)
        rest.remove(best)
    return next_facts


def _first_fit(
    allowed: Sequence[Fact], chances: Mapping[Fact, float], target: float, following: int
) -> Fact:
    """The first fact with which the sum of chances can still reach `target` if this many
    `following` follow; if there is none, the fact with the highest chance."""
    surest = sorted(allowed, key=lambda pair: -chances[pair])
    for pair in allowed:
        followers = [follower for follower in surest[: following + 1] if follower != pair][
            :following
        ]
        if chances[pair] + sum(chances[follower] for follower in followers) >= target:
            return pair
    return surest[0]


def _in_order(
    facts: Sequence[Fact],
    of: Sequence[Fact],
    recall: Recall,
    urgent: Collection[Fact],
    today: int,
) -> Iterator[Fact]:
    """Those of `facts` that can be asked, in this order: due facts, new facts, facts with too few
    answers for a level, the other facts, and facts that were asked today already. Within a group of
    known facts, the least fresh come first. Facts that are not in `of` are asked only if they are
    due, or `urgent` after trouble."""
    groups: tuple[list[Fact], ...] = ([], [], [], [], [])
    for pair in facts:
        known_fact = recall.facts.get(pair)
        if known_fact is None:
            group = 1 if pair in of else None
        elif known_fact.memory.last == today:
            group = 4 if pair in of else None
        elif recall.is_due(pair, today) or pair in urgent:
            group = 0
        else:
            group = (
                (2 if known_fact.times_asked < FEWEST_FOR_A_LEVEL else 3) if pair in of else None
            )
        if group is not None:
            groups[group].append(pair)
    due, new, too_few, others, asked_today = groups
    new.sort(key=lambda pair: (pair not in urgent, -recall.chance(pair, today)))
    for known_ones in (due, too_few, others, asked_today):
        known_ones.sort(key=lambda pair: recall.facts[pair].memory.recall(today))
    yield from (*due, *new, *too_few, *others, *asked_today)


def _after_trouble(troubles: Iterable[Trouble], recall: Recall, today: int) -> set[Fact]:
    """The facts in rows that gave trouble on an earlier day, unless they were asked since."""
    facts = set()
    for trouble in troubles:
        for pair in row_table_of(trouble.row).facts:
            earlier = recall.facts.get(fact_of(*pair))
            if trouble.day < today and (earlier is None or earlier.memory.last <= trouble.day):
                facts.add(fact_of(*pair))
    return facts


def _turned(fact: Fact, recall: Recall, random: Random) -> Fact:
    """The two factors in the order that was not shown last; for a new fact, in a random order."""
    known_fact = recall.facts.get(fact)
    turned = random.random() < 0.5 if known_fact is None else known_fact.factors == fact
    return (fact[1], fact[0]) if turned else fact


def _row_question(
    rows: Iterable[Sequence[int]], tables: Collection[int], random: Random
) -> Question | None:
    """A question about the first three numbers of a row of a times table that the child found. Rows
    of `tables` are preferred."""
    starts = sorted({tuple(row)[:SHORTEST] for row in rows if row_table_of(row).times_table})
    rows_of_tables = [row for row in starts if row[1] - row[0] in tables]
    return Question("table", random.choice(rows_of_tables or starts)) if starts else None


def typing_questions(
    timed: Sequence[tuple[int, int]], before: Sequence[tuple[int, int]], today: int, random: Random
) -> list[Question]:
    """Numbers to type. The first set of a child has one of each length, so that real questions
    follow; later a set has at most one number, if a time is missing or old. Both lists have pairs
    of the number of digits and the day: `timed` for each known time, `before` for each number
    asked, with or without a time."""
    lengths: list[int] = []
    rests = any(today - day < TYPING_RESTS for _, day in before)
    for digits in (1, 2):
        good_count, try_count = (
            sum(length == digits and today - day < TYPING_LASTS for length, day in numbers)
            for numbers in (timed, before)
        )
        most_left = min(TYPING_NEEDED - good_count, 2 * TYPING_NEEDED - try_count)
        lengths += [] if good_count and rests else [digits] * most_left
    lengths = lengths[:1] if timed or before else [1, 2]
    numbers: list[int] = []
    for digits in lengths:
        unused = [
            number for number in _TYPED if len(str(number)) == digits and number not in numbers
        ]
        numbers.append(random.choice(unused))
    return [Question("typing", (number,)) for number in numbers]


def questions_of_set(
    trivial: Sequence[Question], real_questions: Sequence[Question]
) -> list[Question]:
    """The questions of one set: numbers to type come first. If there are too many questions, facts
    are left out before a row is."""
    facts = [question for question in real_questions if question.kind == "fact"]
    other_questions = [question for question in real_questions if question.kind != "fact"]
    room = max(MOST_QUESTIONS - len(trivial) - len(other_questions), 0)
    return [*trivial, *facts[:room], *other_questions][:MOST_QUESTIONS]


def typing_ms(answer: int, typed: Sequence[tuple[int, int]]) -> int | None:
    """How long this child takes to type an answer, in ms: the median of their times for numbers of
    this length. Three digits count as two. None if there are no such times.

    >>> typing_ms(42, [(1, 700), (2, 1000), (2, 1400), (2, 1200)])
    1200
    """
    digits = min(len(str(answer)), 2)
    fitting = [ms for count, ms in typed if min(count, 2) == digits][-TYPING_KEPT:]
    return round(median(fitting)) if fitting else None


def plausible_ms(measured_ms: int | None, elapsed_ms: int) -> int | None:
    """The time that the page measured, if it is plausible for a person and no longer than the
    server's own clock allows; else None."""
    if measured_ms is None or not LEAST_MS <= measured_ms <= LONGEST_MS:
        return None
    return measured_ms if measured_ms <= elapsed_ms + CLOCK_SLACK_MS else None


def how_answered(*, right: bool, hinted: bool, net_ms: int | None) -> How:
    """How the child got the answer. Without a time, it does not count as recalled."""
    if not right:
        return "guessed"
    if hinted:
        return "hinted"
    return "recalled" if net_ms is not None and net_ms <= SECURE_MS else "derived"
