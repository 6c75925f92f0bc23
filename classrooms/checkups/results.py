"""The results of one check-up, of several side by side, and the growth between them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist, fmean, variance
from typing import Any, Final, Literal
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q

from classrooms.checkups.models import CheckUp, CheckUpAnswer, ChildCheckUp
from classrooms.models import Child, SchoolClass
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.statements.certainty import Interval, which_may_be_made
from games.coach.statements.certainty import interval as wilson
from games.coach.times_tables import Fact, fact_of
from games.screen.words import product

# Growth between two check-ups, with its interval (docs/hints-and-questions.md), from numbers alone.

Direction = Literal["more", "fewer", "open"]
"""The direction of a difference; "open" if the difference may be chance."""

FALSE_SHARE: Final = 0.05
"""The largest share of statements about a difference that may be false."""
FEWEST_CHILDREN: Final = 5
"""With fewer children there is no statement about the class."""
_Z: Final = NormalDist().inv_cdf(1 - FALSE_SHARE / 2)


@dataclass(frozen=True, slots=True)
class CheckUpScore:
    """The score of a child: how many of all their answers are right."""

    right: int
    total: int

    @property
    def share(self) -> float:
        return self.right / self.total


@dataclass(frozen=True, slots=True)
class Growth:
    """The difference between two scores as a share, with its 95 % confidence interval."""

    change: float
    interval: Interval
    direction: Direction


@dataclass(frozen=True, slots=True)
class MeanScore:
    """The mean of scores as a share, with its 95 % confidence interval."""

    share: float
    interval: Interval


def interval(score: CheckUpScore) -> Interval:
    """Wilson's interval for the share of such questions that the child gets right in the long run.

    >>> sure = interval(CheckUpScore(20, 25))
    >>> round(sure.lower, 2), round(sure.upper, 2)
    (0.61, 0.91)
    """
    return wilson(score.right, score.total, _Z)


def difference(before: CheckUpScore, after: CheckUpScore) -> Interval:
    """Newcombe's interval for the difference of two shares, from Wilson's interval of each."""
    first, second = interval(before), interval(after)
    change = after.share - before.share
    low = sqrt((after.share - second.lower) ** 2 + (first.upper - before.share) ** 2)
    high = sqrt((second.upper - after.share) ** 2 + (before.share - first.lower) ** 2)
    return Interval(change - low, change + high)


def p_value(before: CheckUpScore, after: CheckUpScore) -> float:
    """The probability that chance alone makes so large a difference in either direction, by
    Fisher's exact test. The observed result counts half (mid-p)."""
    right = before.right + after.right
    ways = comb(before.total + after.total, right)

    def chance(right_before: int) -> float:
        right_after = right - right_before
        return comb(before.total, right_before) * comb(after.total, right_after) / ways

    lowest = max(0, right - after.total)
    highest = min(before.total, right)
    half = chance(before.right) / 2
    below = sum(chance(number) for number in range(lowest, before.right)) + half
    above = sum(chance(number) for number in range(before.right + 1, highest + 1)) + half
    return min(1.0, 2 * min(below, above))


def child_growths(pairs: Sequence[tuple[CheckUpScore, CheckUpScore]]) -> list[Growth]:
    """The growth of each child of a class.

    It is "more" or "fewer" only if its interval lies more than half a question from 0 and its
    p-value passes Benjamini and Hochberg's rule over the whole class. So in a class where nobody
    has changed, the page says at most once in twenty times that some child has.
    """
    p_values = [p_value(before, after) for before, after in pairs]
    growths = []
    for (before, after), is_certain in zip(
        pairs, which_may_be_made(p_values, FALSE_SHARE), strict=True
    ):
        interval = difference(before, after)
        direction = _direction(interval, 0.5 / after.total) if is_certain else "open"
        growths.append(Growth(after.share - before.share, interval, direction))
    return growths


def class_growth(pairs: Sequence[tuple[CheckUpScore, CheckUpScore]]) -> Growth | None:
    """The mean growth of the children who did both check-ups, with Student's t interval for their
    differences. The interval is at least as wide as chance in the children's answers makes it. None
    for too few children."""
    if len(pairs) < FEWEST_CHILDREN:
        return None
    differences = [after.share - before.share for before, after in pairs]
    variances = [_variance(before) + _variance(after) for before, after in pairs]
    interval = _mean_interval(differences, variances)
    return Growth(fmean(differences), interval, _direction(interval, 0.0))


def class_mean(scores: Sequence[CheckUpScore]) -> MeanScore | None:
    """The mean score of the children who did a check-up, with Student's t interval. The interval is
    at least as wide as chance in the children's answers makes it. None for too few children."""
    if len(scores) < FEWEST_CHILDREN:
        return None
    shares = [score.share for score in scores]
    interval = _mean_interval(shares, [_variance(score) for score in scores])
    return MeanScore(fmean(shares), Interval(max(interval.lower, 0.0), min(interval.upper, 1.0)))


def _mean_interval(values: Sequence[float], variances: Sequence[float]) -> Interval:
    """Student's t interval for the mean of `values`, from the sample variance or the mean of the
    `variances` of the values, whichever is larger."""
    count, mean = len(values), fmean(values)
    half = _student(count - 1) * sqrt(max(variance(values), fmean(variances)) / count)
    return Interval(mean - half, mean + half)


def _direction(interval: Interval, threshold: float) -> Direction:
    if interval.lower > threshold:
        return "more"
    return "fewer" if interval.upper < -threshold else "open"


def _variance(score: CheckUpScore) -> float:
    """The variance of a share. One right and one wrong answer are added (Agresti and Caffo), so
    that it is not 0 if all answers are right."""
    share = (score.right + 1) / (score.total + 2)
    return share * (1 - share) / (score.total + 2)


def _student(degrees: int) -> float:
    """The quantile of Student's distribution that leaves 2.5 % above it, by Cornish and Fisher's
    series. The error is less than 0.001 from 4 degrees of freedom on."""
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


# The results of one check-up by child and by fact, and of several side by side.

MOST_COLUMNS: Final = 4
"""The most check-ups side by side: the first one and the last ones."""
MOST_ROWS: Final = 800
"""The most rows on a page, of all its tables together."""


@dataclass(frozen=True, slots=True)
class ChildResult:
    child: Child
    child_check_up: ChildCheckUp | None  # None if they have not begun it
    answers: Sequence[CheckUpAnswer]

    @property
    def is_done(self) -> bool:
        return self.child_check_up is not None and self.child_check_up.finished_at is not None

    @property
    def question_number(self) -> int:
        """The number of the child's current question, from 1."""
        return len(self.answers) + 1

    @property
    def right(self) -> int:
        return sum(answer.right for answer in self.answers)

    @property
    def wrong_answers(self) -> list[CheckUpAnswer]:
        return [answer for answer in self.answers if not answer.right]

    @property
    def shown_again(self) -> int:
        """How many questions with a time limit were shown more than once."""
        return sum(answer.shown > 1 and answer.ms is not None for answer in self.answers)


@dataclass(frozen=True, slots=True)
class FactResult:
    """The result of a fact in one check-up, with its factors in either order."""

    fact: Fact
    right: int
    answers: int
    not_right: Sequence[Child]  # the children who did not get it right

    @property
    def text(self) -> str:
        return product(*self.fact)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one check-up: a line for each child of the class."""

    children: Sequence[ChildResult]

    @property
    def done(self) -> list[ChildResult]:
        return [result for result in self.children if result.is_done]

    @property
    def under_way(self) -> list[ChildResult]:
        return [result for result in self.children if result.child_check_up and not result.is_done]

    @property
    def not_begun(self) -> list[ChildResult]:
        return [result for result in self.children if result.child_check_up is None]

    @property
    def facts(self) -> list[FactResult]:
        """The facts that not everybody got right, those with most wrong answers first."""
        asked: dict[Fact, list[tuple[Child, bool]]] = defaultdict(list)
        for result in self.children:
            for answer in result.answers:
                asked[fact_of(answer.first, answer.second)].append((result.child, answer.right))
        results = [
            FactResult(
                fact=asked_fact,
                right=sum(right for _, right in answers),
                answers=len(answers),
                not_right=list(dict.fromkeys(child for child, right in answers if not right)),
            )
            for asked_fact, answers in asked.items()
        ]
        wrong = [result for result in results if result.not_right]
        return sorted(
            wrong, key=lambda result: (result.right - result.answers, result.right, result.fact)
        )


def results_of(check_up: CheckUp) -> Results:
    """The results of the children who are in the class now."""
    children = list(check_up.school_class.children.all())
    rows = ChildCheckUp.objects.filter(check_up=check_up, child__in=children)
    by_child = {row.child_id: row for row in rows.prefetch_related("answers")}
    results = []
    for child in children:
        child_check_up = by_child.get(child.pk)
        answers = list(child_check_up.answers.all()) if child_check_up else []
        results.append(ChildResult(child, child_check_up, answers))
    return Results(results)


def check_ups_of(school_class: SchoolClass) -> list[Any]:
    """The check-ups of a class, each with the numbers of children in the class who are `done`,
    `under_way` and `not_begun`."""
    is_here = Q(
        of_children__child__school_class=school_class.pk, of_children__child__removed_at=None
    )
    check_ups = school_class.check_ups.annotate(
        begun=Count("of_children", filter=is_here),
        done=Count("of_children__finished_at", filter=is_here),
    )
    size = school_class.children.count()
    return list(check_ups.annotate(under_way=F("begun") - F("done"), not_begun=size - F("begun")))


@dataclass(frozen=True, slots=True)
class ScoreCell:
    score: CheckUpScore
    is_timed: bool  # whether the child had a time limit

    @property
    def interval(self) -> Interval:
        return interval(self.score)


@dataclass(frozen=True, slots=True)
class ChildGrowth:
    """A child's row in a table of check-ups."""

    child: Child
    cells: Sequence[ScoreCell | None]  # for each check-up; None if it is not finished
    growth: Growth | None = None  # from the first to the last one under equal conditions


@dataclass(frozen=True, slots=True)
class ClassGrowth:
    growth: Growth
    first: CheckUp
    last: CheckUp
    children: int  # the number of children who did both


@dataclass(frozen=True, slots=True)
class GrowthTable:
    """A table of check-ups on the same times tables, under the same conditions."""

    check_ups: Sequence[CheckUp]
    rows: Sequence[ChildGrowth]
    class_growth: ClassGrowth | None
    means: Sequence[MeanScore | None]  # of the class; None if too few children did it

    @property
    def lacks_children(self) -> bool:
        """Whether too few children did a check-up for a statement about the class."""
        lacks_growth = len(self.check_ups) > 1 and self.class_growth is None
        return lacks_growth or None in self.means

    @property
    def shows_chance_above_zero(self) -> bool:
        """Whether the table says "may be chance" beside an interval that lies above 0 when rounded
        to questions."""
        return any(
            row.growth.direction == "open" and round(row.growth.interval.lower * QUESTIONS) > 0
            for row in self.rows
            if row.growth
        )


def growth_tables(
    school_class: SchoolClass, check_ups: Sequence[CheckUp], query: str | None = None
) -> tuple[list[GrowthTable], Page[list[CheckUp]]]:
    """A page of tables, and the page's place among all pages. There is a table for each series with
    a check-up that a child has finished. `check_ups` has all check-ups of the class."""
    series: dict[tuple[tuple[int, ...], bool], list[CheckUp]] = defaultdict(list)
    cells = _cells(school_class)
    finished = {check_up for check_up, _child in cells}
    for check_up in sorted(check_ups, key=lambda check_up: check_up.number):
        one_series = series[tuple(check_up.tables), check_up.timed]
        if check_up.pk in finished:
            one_series.append(check_up)
    children = list(school_class.children.all())
    size = max(1, MOST_ROWS // max(1, len(children)))
    latest_first = [one_series for one_series in reversed(series.values()) if one_series]
    page = Paginator(latest_first, size).get_page(query)
    return [_table(_columns(one_series), children, cells) for one_series in page], page


def _columns(check_ups: Sequence[CheckUp]) -> list[CheckUp]:
    if len(check_ups) <= MOST_COLUMNS:
        return list(check_ups)
    return [check_ups[0], *check_ups[1 - MOST_COLUMNS :]]


def _cells(school_class: SchoolClass) -> dict[tuple[UUID, UUID], ScoreCell]:
    """The finished check-ups of the children who are in the class now, by check-up and child."""
    finished = ChildCheckUp.objects.filter(
        check_up__school_class=school_class,
        child__school_class=school_class,
        child__removed_at=None,
    ).exclude(finished_at=None)
    rows = finished.annotate(right=Count("answers", filter=Q(answers__right=True))).values_list(
        "check_up", "child", "timed", "right"
    )
    return {
        (check_up, child): ScoreCell(CheckUpScore(right, QUESTIONS), timed)
        for check_up, child, timed, right in rows
    }


def _table(
    check_ups: Sequence[CheckUp],
    children: Iterable[Child],
    cells: Mapping[tuple[UUID, UUID], ScoreCell],
) -> GrowthTable:
    rows = [
        ChildGrowth(child, [cells.get((check_up.pk, child.pk)) for check_up in check_ups])
        for child in children
    ]
    rows = [row for row in rows if any(row.cells)]
    pairs = {row.child.pk: pair for row in rows if (pair := _first_and_last(row.cells))}
    growths = dict(zip(pairs, child_growths(list(pairs.values())), strict=True))
    return GrowthTable(
        check_ups,
        [ChildGrowth(row.child, row.cells, growths.get(row.child.pk)) for row in rows],
        _class_growth(check_ups, rows),
        [
            class_mean([cell.score for row in rows if (cell := row.cells[column])])
            for column in range(len(check_ups))
        ],
    )


def _first_and_last(cells: Sequence[ScoreCell | None]) -> tuple[CheckUpScore, CheckUpScore] | None:
    """The first and the last of a child's scores under the conditions of the last one; None if
    there is only one."""
    results = [cell for cell in cells if cell]
    alike = [cell for cell in results if cell.is_timed == results[-1].is_timed]
    return (alike[0].score, alike[-1].score) if len(alike) > 1 else None


def _class_growth(check_ups: Sequence[CheckUp], rows: Sequence[ChildGrowth]) -> ClassGrowth | None:
    """The growth from the earliest to the latest check-up that enough children did."""
    columns = combinations(range(len(check_ups)), 2)
    for first, last in sorted(columns, key=lambda pair: (pair[0], -pair[1])):
        pairs = [
            (before.score, after.score)
            for row in rows
            if (before := row.cells[first])
            and (after := row.cells[last])
            and before.is_timed == after.is_timed
        ]
        growth = class_growth(pairs)
        if growth:
            return ClassGrowth(growth, check_ups[first], check_ups[last], len(pairs))
    return None
