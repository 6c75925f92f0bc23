"""What stands out in a class:

- a child who finds more or fewer rows than before;
- a child who finds fewer rows than the others do, in the same times table and with the same
  cards, opponents and hints;
- a times table in which the class finds fewer rows than in others;
- a fact that the class knows less well than others.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import Case, Count, DateField, F, Q, QuerySet, Sum, UUIDField, Value, When
from django.db.models.functions import Coalesce

from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Assignment, Child
from classrooms.progress.class_figures import SETTING_FIELDS, ClassFigures, Setting, setting_of
from classrooms.progress.class_report import Report
from classrooms.progress.models import FOUND, IN_SHARES, Chance, FactDay
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.questions.models import Check
from games.coach.statements.certainty import FALSE_CHANGES, FALSE_COMPARISONS
from games.coach.statements.contrasts import (
    EMPTY_SHARE,
    Contrast,
    Share,
    Stratum,
    contrast,
    hard_kinds,
    strata_among_children,
    strata_over_time,
    sum_of_shares,
    which_stand_out,
)
from games.coach.statements.odd_play import Oddity, RecentPlay, is_near, oddities
from games.coach.times_tables import TABLES_TO_12, Fact, fact_of

LATELY: Final = timedelta(weeks=3)
"""A change compares the last three weeks with the three weeks before them."""
FEWEST_DAYS: Final = 3
"""Chances on fewer days than this say nothing about a child."""

OutlierKind = Literal["change", "apart", "table", "fact"]
Comparable = tuple[Setting, int]
"""The setting of games, and a times table. Chances are compared only if both are the same."""
_HINT_STEPS: Final = Coalesce("game__seats__hint_steps", "game__hint_steps")


@dataclass(frozen=True, slots=True)
class Outlier:
    """Something that stands out, with the comparison that shows it."""

    kind: OutlierKind
    children: Sequence[Child]
    contrast: Contrast  # of comparable games
    table: int | None = None  # the one to practise; for a child, the one with most missed rows
    fact: Fact | None = None
    figures: tuple[Share, Share] | None = None  # of the table and of all others, as on the map

    @property
    def sides(self) -> tuple[Share, Share]:
        """The figures of what stands out, and those with which they are compared."""
        return self.figures or (self.contrast.share, self.contrast.other)


@dataclass(frozen=True, slots=True)
class _Days:
    """A child's chances on some days, by setting and table, and the days of these chances."""

    parts: dict[Comparable, Share] = field(default_factory=dict)
    days: dict[Comparable, set[date]] = field(default_factory=lambda: defaultdict(set))

    def add(self, key: Comparable, part: Share, day: date) -> None:
        self.parts[key] = sum_of_shares((self.parts.get(key, EMPTY_SHARE), part))
        self.days[key].add(day)

    def has_enough_of(self, keys: Iterable[Comparable]) -> bool:
        """Whether the chances with these keys come from enough days. One bad day is no change."""
        return len(set().union(*(self.days.get(key, ()) for key in keys))) >= FEWEST_DAYS


@dataclass(frozen=True, slots=True)
class _ChildChances:
    """A child's chances in the page's period, in the last weeks, and in the weeks before those."""

    period: _Days = field(default_factory=_Days)
    lately: _Days = field(default_factory=_Days)
    before: _Days = field(default_factory=_Days)

    def change(self) -> Mapping[Comparable, Stratum]:
        keys = self.lately.parts.keys() & self.before.parts.keys()
        if not (self.lately.has_enough_of(keys) and self.before.has_enough_of(keys)):
            return {}
        return strata_over_time(self.before.parts, self.lately.parts)


def outliers(figures: ClassFigures, since: date | None) -> list[Outlier]:
    """Everything that stands out in a class, the surest and largest first. Changes are about the
    last weeks, everything else about the days from `since` on. Empty while figures are counted
    again. One query or two."""
    children = figures.children
    if _are_counted_again(children):
        return []
    rows = list(_chances(figures, since).union(*_answers(children, since), all=True))
    counts = _counts(figures, since, [row for row in rows if row[1]])
    differing = [
        *_children_apart(children, counts),
        *_tables_apart(children, counts),
        *_facts_apart(children, [row for row in rows if not row[1]]),
    ]
    return sorted(differing, key=lambda outlier: -outlier.contrast.certain_share)


def outliers_of_children(figures: ClassFigures, since: date | None) -> list[Outlier]:
    """The outliers about single children, in the order of `outliers`. One query or two."""
    if _are_counted_again(figures.children):
        return []
    counts = _counts(figures, since, _chances(figures, since))
    candidates = _children_apart(figures.children, counts)
    return sorted(candidates, key=lambda outlier: -outlier.contrast.certain_share)


def _are_counted_again(children: Sequence[Child]) -> bool:
    return any(getattr(child, "to_rebuild", False) for child in children)


def _children_apart(
    children: Sequence[Child], all_counts: Sequence[_ChildChances]
) -> list[Outlier]:
    others = strata_among_children([counts.period.parts for counts in all_counts])
    strata_of_children = [
        strata if counts.period.has_enough_of(strata) else {}
        for counts, strata in zip(all_counts, others, strict=True)
    ]
    changes = [counts.change() for counts in all_counts]
    differing = _outliers_of("apart", children, strata_of_children, FALSE_COMPARISONS)
    return [
        *_outliers_of("change", children, changes, FALSE_CHANGES),
        *(outlier for outlier in differing if outlier.contrast.difference < 0),
    ]


_ChanceRow = tuple[Any, ...]
"""A child; the assignment, hint steps, table and day of chances, or None, the factors of a fact and
None; how many were found or right without help, and how many there were."""


def _chances(figures: ClassFigures, since: date | None) -> QuerySet[Any, Any]:
    """The chances of each child of the class from the day `since` on, and in the weeks that a
    change compares."""
    condition = Q(child__in=[child.pk for child in figures.children], outcome__in=IN_SHARES)
    if since:
        condition &= Q(day__gt=min(figures.today - 2 * LATELY, since - timedelta(days=1)))
    return (
        Chance.objects.filter(condition, game__seats__player=F("child__player"))
        .order_by()
        .values_list("child", "assignment", _HINT_STEPS, "table", "day")
        .annotate(own=Count("pk", filter=Q(outcome__in=FOUND)), of=Count("pk"))
    )


def _counts(
    figures: ClassFigures, since: date | None, rows: Iterable[_ChanceRow]
) -> Sequence[_ChildChances]:
    """The chances of each child of the class, in the order of the children, from the rows of
    `_chances`. One query if the figures lack settings."""
    lately = figures.today - LATELY
    before = lately - LATELY
    rows = list(rows)
    settings = dict(figures.settings)
    if missing := {assignment for _, assignment, *_ in rows} - settings.keys():
        assignments = Assignment.all_objects.filter(pk__in=missing).values("pk", *SETTING_FIELDS)
        settings |= {row["pk"]: setting_of(row) for row in assignments}
    counts: dict[UUID, _ChildChances] = defaultdict(_ChildChances)
    for child, assignment, steps, table, day, found, total in rows:
        key = (settings[assignment], steps), table
        part = Share(found, total)
        chances = counts[child]
        if since is None or day >= since:
            chances.period.add(key, part, day)
        if day > lately:
            chances.lately.add(key, part, day)
        elif day > before:
            chances.before.add(key, part, day)
    return [counts[child.pk] for child in figures.children]


def _outliers_of(
    kind: OutlierKind,
    children: Sequence[Child],
    strata: Sequence[Mapping[Comparable, Stratum]],
    false_share: float,
) -> list[Outlier]:
    contrasts = which_stand_out([contrast(of_child.values()) for of_child in strata], false_share)
    return [
        Outlier(kind, [child], result, _worst_table(of_child))
        for child, of_child, result in zip(children, strata, contrasts, strict=True)
        if result
    ]


def _worst_table(strata: Mapping[Comparable, Stratum]) -> int | None:
    """The times table of which a child misses most rows, compared with what the other side finds.
    None if no table can be compared."""
    missing_of: dict[int, float] = defaultdict(float)
    for (_setting, table), (ours, theirs, _whose) in strata.items():
        if table in TABLES_TO_12 and ours.total and theirs.total:
            missing_of[table] += ours.total * theirs.found / theirs.total - ours.found
    return max(missing_of, key=lambda table: (missing_of[table], -table), default=None)


def _tables_apart(children: Sequence[Child], all_counts: Sequence[_ChildChances]) -> list[Outlier]:
    """The tables at which the class finds fewer rows than at others in the same games."""
    games: dict[tuple[UUID, Setting], dict[int, Share]] = defaultdict(dict)
    totals: dict[int, Share] = defaultdict(lambda: EMPTY_SHARE)
    for child, counts in zip(children, all_counts, strict=True):
        for (setting, table), part in counts.period.parts.items():
            if table in TABLES_TO_12:
                games[child.pk, setting][table] = part
                totals[table] = sum_of_shares((totals[table], part))
    contrasts = hard_kinds([(child, parts) for (child, _setting), parts in games.items()])
    return [
        Outlier(
            "table",
            children,
            contrast,
            table=table,
            figures=(
                totals[table],
                sum_of_shares(part for other, part in totals.items() if other != table),
            ),
        )
        for table, contrast in contrasts.items()
    ]


def _answers(children: Sequence[Child], since: date | None) -> list[QuerySet[Any, Any]]:
    """The answers of these children to facts from the day `since` on, in short questions and in
    check-ups."""
    keys = [child.pk for child in children]
    of_a_fact = ("no_game", "high", "low", "no_day")
    nothing = {
        "no_game": Value(None, output_field=UUIDField()),
        "no_day": Value(None, output_field=DateField()),
    }
    days = FactDay.objects.filter(Q(day__gte=since) if since else Q(), child__in=keys)
    answers = CheckUpAnswer.objects.filter(
        Q(answered_at__date__gte=since) if since else Q(), child_check_up__child__in=keys
    )
    return [
        days.annotate(**nothing)
        .values_list("child", *of_a_fact)
        .annotate(own=Sum(F("recalled") + F("derived")), of=Sum("asked")),
        answers.order_by()
        .annotate(**nothing, high=F("second"), low=F("first"))
        .values_list("child_check_up__child", *of_a_fact)
        .annotate(own=Count("pk", filter=Q(right=True)), of=Count("pk")),
    ]


def _facts_apart(children: Sequence[Child], rows: Iterable[_ChanceRow]) -> list[Outlier]:
    """The facts that the class knows less well than others, from the rows of `_answers`."""
    answers: dict[UUID, dict[Fact, Share]] = defaultdict(lambda: defaultdict(lambda: EMPTY_SHARE))
    for child, _game, second, first, _day, right, total in rows:
        fact = fact_of(first, second)
        answers[child][fact] = sum_of_shares((answers[child][fact], Share(right, total)))
    contrasts = hard_kinds(list(answers.items()))
    return [Outlier("fact", children, contrast, fact=fact) for fact, contrast in contrasts.items()]


# Children whose play in the last four weeks was unusual.


@dataclass(frozen=True, slots=True)
class OddChild:
    child: Child
    oddities: Sequence[Oddity]

    @property
    def is_away(self) -> bool:
        return any(oddity.kind == "away for weeks" for oddity in self.oddities)


def unusual_players(
    figures: ClassFigures, report: Report, last_days: Mapping[UUID, date]
) -> list[OddChild]:
    """The children whose play is unusual. `last_days` has the day on which each child last played,
    if ever. One query."""
    since = first_day(figures.today, USUAL_PERIOD)
    assert since
    children = [child.pk for child in figures.children]
    days = [{played.day for played in by_child} for by_child in report.usual_days.values()]
    answers = _answers_by_child(children, since)
    chances = _chances_by_child(figures)
    players = []
    for child in figures.children:
        played = report.usual_days.get(child.pk, ())
        last_day = last_days.get(child.pk)
        lately = replace(
            answers.get(child.pk, RecentPlay()),
            turns=sum(day.turns for day in played),
            refused=sum(day.refused for day in played),
            hint_turns=sum(day.hint_turns for day in played),
            laid=report.usual_rows_laid.get(child.pk, 0),
            tables=chances.get(child.pk, ()),
            days_away=(figures.today - last_day).days if last_day else None,
            class_days=_days_after(last_day, days),
        )
        if unusual := oddities(lately):
            players.append(OddChild(child, unusual))
    return players


def _days_after(last_day: date | None, days: Iterable[Collection[date]]) -> int:
    """The number of days after `last_day` on which somebody of the class played."""
    return sum(last_day is None or day > last_day for day in set().union(*days))


def _answers_by_child(children: Collection[UUID], since: date) -> Mapping[UUID, RecentPlay]:
    """The answers to facts, by child. One query, which counts equal answers together; all right
    answers count as equal."""
    checks = Check.objects.filter(child__in=children, day__gte=since, kind=Check.Kind.FACT)
    wrong = {
        f"wrong_{name}": Case(When(right=False, then=F(name)))
        for name in ("first", "second", "answer")
    }
    counts = checks.order_by().values("child", "right", **wrong).annotate(n=Count("pk"))
    plays: dict[UUID, RecentPlay] = defaultdict(RecentPlay)
    for child, right, first, second, answer, n in counts.values_list("child", "right", *wrong, "n"):
        play = plays[child]
        plays[child] = replace(play, answers=play.answers + n)
        if right:
            plays[child] = replace(plays[child], right=play.right + n)
        elif first is not None and second is not None and is_near((first, second), answer):
            plays[child] = replace(plays[child], near=play.near + n)
    return plays


def _chances_by_child(figures: ClassFigures) -> Mapping[UUID, tuple[tuple[int, int], ...]]:
    """For each child, the tables that they have met, each with its number of chances. Empty unless
    most children who have met a table have met several."""
    met = {
        child: tuple(
            sorted(
                (table, cell.rows.chances)
                for table, cell in cells.items()
                if cell.rows.chances or cell.rows.joker
            )
        )
        for child, cells in figures.tables.items()
    }
    counts = [len(tables) for tables in met.values() if tables]
    return met if 2 * sum(count > 1 for count in counts) > len(counts) else {}
