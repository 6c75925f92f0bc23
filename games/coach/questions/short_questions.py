"""The short questions for a child, by their earlier answers (docs/hints-and-questions.md).

A child is asked at most four questions at a time and at most four new facts a day. Due facts come
first, then new ones of the tables that the class plays. The child should be able to answer three
of four right.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final, Literal

from games.coach.mastery import FEWEST_FOR_A_LEVEL, SECURE_MS
from games.coach.questions.recall import FactAnswer, Recall, recall_after
from games.coach.times_tables import FACTORS, Fact, common_tables, fact_of, facts_of, row_table_of
from games.engine.sequences import SHORTEST

QuestionKind = Literal["fact", "table", "typing"]
AnswerKind = Literal["recalled", "derived", "hinted", "guessed"]

MOST_QUESTIONS: Final = 4
MOST_NEW: Final = 4
MOST_FIRST: Final = 2
"""The most facts wanted by the teacher that may begin a set; other facts keep it mixed."""
LEAST_RIGHT: Final = 0.75
"""The share of answers in a set that should be right. Harder facts wait for a later set."""
TABLE_SHARE: Final = 0.5
"""The share of the sets after a found row that ask for its table."""
TYPING_TIMES_NEEDED: Final = 2
"""A child's typing speed is known after they have typed this many numbers of each length."""
TYPING_TIMES_USED: Final = 7
TYPING_TIME_DAYS: Final = 56
"""For how many days a typing time is used: children type faster as they grow."""
TYPING_PAUSE_DAYS: Final = 7
"""After a number to type, none of a length with a known time is asked for this many days."""
LEAST_MS: Final = 150  # the shortest time that is plausible for an answer
LONGEST_MS: Final = 120_000  # the longest time that is thinking time
CLOCK_SLACK_MS: Final = 250
_NUMBERS_TO_TYPE: Final = (7, 4, 9, 36, 58, 72, 41, 63)


@dataclass(frozen=True, slots=True)
class Question:
    kind: QuestionKind
    numbers: tuple[int, ...]  # the two factors as shown, the row from low to high, or what to type
    is_of_earlier_table: bool = False  # whether its fact is only of tables assigned earlier

    @property
    def answer(self) -> int:
        """The best answer. For a row it is the table of its jump."""
        match self.kind:
            case "fact":
                return self.numbers[0] * self.numbers[1]
            case "table":
                return self.numbers[1] - self.numbers[0]
            case "typing":
                return self.numbers[0]

    def is_right(self, answer: int) -> bool:
        """Whether an answer is right. For a row, any table that has all its numbers is right.

        >>> [table for table in range(13) if Question("table", (12, 16, 20)).is_right(table)]
        [2, 4]
        """
        if self.kind == "table":
            return answer in common_tables(self.numbers)
        return answer == self.answer


@dataclass(frozen=True, slots=True)
class Trouble:
    """A row that a child missed or found with a hint, and the day of this."""

    row: Sequence[int]
    day: int


@dataclass(frozen=True, slots=True)
class Topic:
    tables: Collection[int]  # the tables whose facts are asked
    first_facts: Collection[Fact] = ()  # the facts that the teacher wants asked
    earlier_tables: Collection[int] = ()  # the tables that the child was assigned earlier
    troubles: Iterable[Trouble] = ()  # rows whose facts are asked on a later day


def tables_to_ask(tables: Collection[int] | None) -> list[int]:
    """The times tables whose facts an assignment asks. `tables` is None if it names none."""
    return sorted(table for table in tables or () if table > 1) or list(FACTORS)


def questions(
    topic: Topic,
    answers: Iterable[FactAnswer],
    rows: Iterable[Sequence[int]],
    today: int,
    random: Random,
) -> list[Question]:
    """At most `MOST_QUESTIONS` for a child with these answers, of which the oldest is first. One
    question may ask for the table of one of `rows`, which the child has just found."""
    asked = fact_questions(recall_after(answers), topic, today, random)
    row = _row_question(rows, topic.tables, random)
    if row is not None and (len(asked) < MOST_QUESTIONS or random.random() < TABLE_SHARE):
        asked = [*asked[: MOST_QUESTIONS - 1], row]
    return asked


def fact_questions(recall: Recall, topic: Topic, today: int, random: Random) -> list[Question]:
    """At most `MOST_QUESTIONS` about facts, by what the child knows. Facts that the teacher wants
    come before all others, each once a day and at most `MOST_FIRST` in a set."""
    current = facts_of(topic.tables)
    facts = sorted({*current, *facts_of(topic.earlier_tables)})
    random.shuffle(facts)
    first = _first_facts(topic.first_facts, recall, today)
    urgent = _urgent_facts(topic.troubles, recall, today)
    ranked = _ranked_facts(facts, current, recall, urgent, today)
    rest = [pair for pair in ranked if pair not in first]
    wanted = {*current, *topic.first_facts}
    return [
        Question("fact", _factors(pair, recall, random), is_of_earlier_table=pair not in wanted)
        for pair in _next_facts(first, rest, recall, today)
    ]


def _first_facts(facts: Iterable[Fact], recall: Recall, today: int) -> list[Fact]:
    """The facts to ask now among those that the teacher wants asked and that were not asked today:
    first those never asked, then those asked longest ago."""
    known = recall.facts
    ready = [pair for pair in facts if pair not in known or known[pair].memory.last_day != today]
    ready.sort(key=lambda pair: known[pair].memory.last_day if pair in known else 0)
    return ready[:MOST_FIRST]


def _next_facts(first: Sequence[Fact], rest: list[Fact], recall: Recall, today: int) -> list[Fact]:
    """The facts to ask: those that come `first`, then the earliest of the `rest` with which the
    child can be expected to answer the share `LEAST_RIGHT` of the set right."""
    chances = {pair: recall.chance(pair, today) for pair in (*first, *rest)}
    may_be_new = MOST_NEW - sum(day == today for day in recall.first_days.values())
    may_be_new -= sum(pair not in recall.facts for pair in first)
    next_facts = list(first)
    expected = sum(chances[pair] for pair in first)
    while len(next_facts) < MOST_QUESTIONS:
        allowed = [pair for pair in rest if pair in recall.facts or may_be_new > 0]
        if not allowed:
            break
        later_count = MOST_QUESTIONS - len(next_facts) - 1
        best = _first_fit(allowed, chances, MOST_QUESTIONS * LEAST_RIGHT - expected, later_count)
        expected += chances[best]
        may_be_new -= best not in recall.facts
        next_facts.append(best)
        rest.remove(best)
    return next_facts


def _first_fit(
    allowed: Sequence[Fact], chances: Mapping[Fact, float], target: float, later_count: int
) -> Fact:
    """The first fact with which the sum of chances can still reach `target` if `later_count` facts
    follow; if there is none, the fact with the highest chance."""
    surest = sorted(allowed, key=lambda pair: -chances[pair])
    for pair in allowed:
        later = [other for other in surest[: later_count + 1] if other != pair][:later_count]
        if chances[pair] + sum(chances[other] for other in later) >= target:
            return pair
    return surest[0]


def _ranked_facts(
    facts: Sequence[Fact],
    current: Sequence[Fact],
    recall: Recall,
    urgent: Collection[Fact],
    today: int,
) -> list[Fact]:
    """Those of `facts` that can be asked, in this order: due facts, new facts, facts with too few
    answers for a level, other facts, and facts that were asked today. Within a group of known
    facts, the least fresh come first. Facts that are not `current` are asked only if they are due,
    or `urgent` after trouble."""

    def rank(pair: Fact) -> tuple[int, bool, float]:
        known_fact = recall.facts.get(pair)
        if known_fact is None:
            return 1, pair not in urgent, -recall.chance(pair, today)
        freshness = known_fact.memory.recall(today)
        if known_fact.memory.last_day == today:
            return 4, False, freshness
        if recall.is_due(pair, today) or pair in urgent:
            return 0, False, freshness
        return 2 if known_fact.times_asked < FEWEST_FOR_A_LEVEL else 3, False, freshness

    ranks = {pair: rank(pair) for pair in facts}
    return sorted([p for p in facts if p in current or not ranks[p][0]], key=ranks.__getitem__)


def _urgent_facts(troubles: Iterable[Trouble], recall: Recall, today: int) -> set[Fact]:
    """The facts in rows that gave trouble on an earlier day, unless they were asked since."""
    facts = set()
    for trouble in troubles:
        for fact in (fact_of(*pair) for pair in row_table_of(trouble.row).facts):
            known_fact = recall.facts.get(fact)
            was_asked = known_fact is not None and known_fact.memory.last_day > trouble.day
            if trouble.day < today and not was_asked:
                facts.add(fact)
    return facts


def _factors(fact: Fact, recall: Recall, random: Random) -> Fact:
    """The two factors in the order that was not shown last, or at random for a new fact."""
    known_fact = recall.facts.get(fact)
    is_turned = random.random() < 0.5 if known_fact is None else known_fact.factors == fact
    return (fact[1], fact[0]) if is_turned else fact


def _row_question(
    rows: Iterable[Sequence[int]], tables: Collection[int], random: Random
) -> Question | None:
    """A question about the first three numbers of a row of a times table, if possible of one of
    `tables`."""
    starts = sorted({tuple(row)[:SHORTEST] for row in rows if row_table_of(row).times_table})
    rows_of_tables = [row for row in starts if row[1] - row[0] in tables]
    return Question("table", random.choice(rows_of_tables or starts)) if starts else None


def typing_questions(
    timed: Sequence[tuple[int, int]], asked: Sequence[tuple[int, int]], today: int, random: Random
) -> list[Question]:
    """Numbers to type. The first set of a child has one of each length, so that real questions
    follow. A later set has at most one, if a time is missing or old. `asked` has a pair of the
    number of digits and the day for each earlier number, `timed` for each of those whose time is
    known."""
    lengths: list[int] = []
    pauses = any(today - day < TYPING_PAUSE_DAYS for _, day in asked)
    for digits in (1, 2):
        timed_count, asked_count = (
            sum(length == digits and today - day < TYPING_TIME_DAYS for length, day in numbers)
            for numbers in (timed, asked)
        )
        most_left = min(TYPING_TIMES_NEEDED - timed_count, 2 * TYPING_TIMES_NEEDED - asked_count)
        lengths += [] if timed_count and pauses else [digits] * most_left
    lengths = lengths[:1] if timed or asked else [1, 2]
    numbers = [
        random.choice([number for number in _NUMBERS_TO_TYPE if len(str(number)) == digits])
        for digits in lengths
    ]
    return [Question("typing", (number,)) for number in numbers]


def questions_of_set(
    numbers_to_type: Sequence[Question], real_questions: Sequence[Question]
) -> list[Question]:
    """The questions of one set. A real question comes first, then numbers to type. If there are too
    many questions, facts are left out, and a row only then."""
    facts = [question for question in real_questions if question.kind == "fact"]
    other_questions = [question for question in real_questions if question.kind != "fact"]
    room = max(MOST_QUESTIONS - len(numbers_to_type) - len(other_questions), 0)
    real_questions = [*facts[:room], *other_questions]
    return [*real_questions[:1], *numbers_to_type, *real_questions[1:]][:MOST_QUESTIONS]


def typing_ms(answer: int, times: Sequence[tuple[int, int]]) -> int | None:
    """How long this child takes to type an answer, in ms: the median of their times for numbers of
    this length. Three digits count as two. None if there are no such times. `times` has pairs of
    the number of digits and the ms.

    >>> typing_ms(42, [(1, 700), (2, 1000), (2, 1400), (2, 1200)])
    1200
    """
    digits = min(len(str(answer)), 2)
    fitting = [ms for count, ms in times if min(count, 2) == digits][-TYPING_TIMES_USED:]
    return round(median(fitting)) if fitting else None


def plausible_ms(measured_ms: int | None, elapsed_ms: int) -> int | None:
    """The time that the page measured, if it is plausible for a person and not longer than the
    server's clock allows; otherwise None."""
    if measured_ms is None or not LEAST_MS <= measured_ms <= LONGEST_MS:
        return None
    return measured_ms if measured_ms <= elapsed_ms + CLOCK_SLACK_MS else None


def answer_kind(*, is_right: bool, has_help: bool, net_ms: int | None) -> AnswerKind:
    """How the child found the answer. One without a time does not count as recalled."""
    if not is_right:
        return "guessed"
    if has_help:
        return "hinted"
    return "recalled" if net_ms is not None and net_ms <= SECURE_MS else "derived"
