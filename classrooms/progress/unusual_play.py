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
from classrooms.progress.periods import USUAL_PERIOD, first_day
from games.coach.statements.odd_play import Oddity, RecentPlay, is_near, oddities


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
    days = [{played.day for played in by_child} for by_child in report.days.values()]
    answers = _answers_by_child(children, since)
    chances = _chances_by_child(figures)
    players = []
    for child in figures.children:
        played = report.days.get(child.pk, ())
        last_day = last_days.get(child.pk)
        lately = replace(
            answers.get(child.pk, RecentPlay()),
            turns=sum(day.turns for day in played),
            refused=sum(day.refused for day in played),
            hint_turns=sum(day.hint_turns for day in played),
            laid=report.laid.get(child.pk, 0),
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
