"""Children whose play in the last four weeks was unusual."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from django.db.models import Case, Count, F, When

from classrooms.checks.models import Check
from classrooms.models import Child
from classrooms.progress.class_figures import ClassFigures
from classrooms.progress.class_report import Report
from classrooms.progress.models import TableDay
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import ROWS_LAID
from games.coach.statements.odd_play import Oddity, RecentPlay, is_near, oddities


@dataclass(frozen=True, slots=True)
class OddChild:
    child: Child
    oddities: Sequence[Oddity]

    @property
    def is_away(self) -> bool:
        return any(one.kind == "away for weeks" for one in self.oddities)


def unusual_players(
    figures: ClassFigures, report: Report, last: Mapping[UUID, date]
) -> list[OddChild]:
    """The children whose play is unusual, in one query, or two with a `report` of all days. `last`
    has the day on which each child last played, if ever."""
    since = first_day(figures.today, USUAL_PERIOD)
    assert since
    children = [child.pk for child in figures.children]
    days = [{one.day for one in own} for own in report.days.values()]
    laid = _rows_laid(children, since) if report.laid is None else report.laid
    answers = _answers_by_child(children, since)
    chances = _chances_by_child(figures)
    found = []
    for child in figures.children:
        own = report.days.get(child.pk, ())
        seen = last.get(child.pk)
        lately = replace(
            answers.get(child.pk, RecentPlay()),
            turns=sum(one.turns for one in own),
            refused=sum(one.refused for one in own),
            hint_turns=sum(one.hint_turns for one in own),
            laid=laid.get(child.pk, 0),
            tables=chances.get(child.pk, ()),
            days_away=(figures.today - seen).days if seen else None,
            class_days=_days_after(seen, days),
        )
        if odd := oddities(lately):
            found.append(OddChild(child, odd))
    return found


def _days_after(seen: date | None, days: Iterable[Collection[date]]) -> int:
    """The number of days after `seen` on which somebody of the class played."""
    together = set().union(*days)
    return sum(seen is None or day > seen for day in together)


def _rows_laid(children: Collection[UUID], since: date) -> Mapping[UUID, int]:
    rows = TableDay.objects.filter(child__in=children, day__gte=since).values("child")
    return dict(rows.annotate(rows=ROWS_LAID).values_list("child", "rows"))


def _answers_by_child(children: Collection[UUID], since: date) -> Mapping[UUID, RecentPlay]:
    """The answers to facts by child, in one query that counts right answers together and returns
    each wrong one."""
    asked = Check.objects.filter(child__in=children, day__gte=since, kind=Check.Kind.FACT)
    wrong = {f"wrong_{name}": _if_wrong(name) for name in ("first", "second", "answer")}
    counts = asked.order_by().values("child", "right", **wrong).annotate(n=Count("pk"))
    found: dict[UUID, RecentPlay] = defaultdict(RecentPlay)
    for child, right, first, second, answer, n in counts.values_list("child", "right", *wrong, "n"):
        before = found[child]
        is_known = not right and first is not None and second is not None
        found[child] = replace(
            before,
            answers=before.answers + n,
            right=before.right + n * right,
            near=before.near + (n * is_near((first, second), answer) if is_known else 0),
        )
    return found


def _if_wrong(name: str) -> Case:
    return Case(When(right=False, then=F(name)))


def _chances_by_child(figures: ClassFigures) -> Mapping[UUID, tuple[tuple[int, int], ...]]:
    """The chances by child and table met so far. Empty unless most children who have met a table
    have met more than one."""
    met = {
        child: tuple(
            sorted(
                (table, cell.rows.chances)
                for table, cell in own.items()
                if cell.rows.chances or cell.rows.joker
            )
        )
        for child, own in figures.tables.items()
    }
    tables = [len(own) for own in met.values() if own]
    return met if 2 * sum(number > 1 for number in tables) > len(tables) else {}
