"""What the school adds to a child's game: what it knows, its best, the class's goal, checks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import Final
from uuid import UUID

from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from classrooms.checks import sittings
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.figures.secure_facts import secure_facts
from classrooms.progress.models import Evidence, TableDay
from games.coach.facts import Fact
from games.models import Game
from games.play.hooks import Adviser, AfterRound, Goal, Step
from games.play.round_story import Story

GOAL_STEP: Final = 50
"""A week's goal is the next so many beyond what the class found in the week before."""


class SchoolAdviser(Adviser):
    """Knows a player as a child of a class; of anyone else it knows nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        child = Child.objects.select_related("school_class").filter(player=player).first()
        return () if child is None else secure_facts(child)

    def after_round(self, game: Game, player: UUID, story: Story) -> AfterRound:
        attempts = Attempt.objects.select_related("assignment", "child__school_class", "game")
        attempt = attempts.filter(game=game.pk, child__player=player).first()
        if attempt is None:
            return AfterRound()
        attempt.game = game
        return AfterRound(
            best=_best(attempt, story.found),
            goal=goal_of(attempt.child.school_class),
            step=_step(attempt),
        )


def _best(attempt: Attempt, found: int) -> str:
    """How this round compares with the child's own best one before; never with others."""
    this = Q(game=attempt.game_id, round=attempt.game.round)
    rounds = (
        Evidence.objects.filter(child=attempt.child, kind=Evidence.Kind.FOUND)
        .exclude(this)
        .values("game", "round")
        .annotate(rows=Count("id"))
    )
    before = rounds.aggregate(best=Max("rows"))["best"]
    if not before or not found:
        return ""
    words = {"n": found, "before": before}
    if found > before:
        return gettext("Your best round so far! Before: %(before)d.") % words
    if found == before:
        return gettext("As many rows as in your best round.")
    return ""


def goal_of(school_class: SchoolClass) -> Goal | None:
    """The rows of the class this week, towards a little more than last week; None before the
    first one is counted."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    rows = Sum("found", default=0) + Sum("hinted", default=0)
    days = TableDay.objects.filter(
        school_class=school_class, day__gte=monday - timedelta(days=7), day__lte=today
    )
    by_week = dict.fromkeys((True, False), 0)
    for one in days.values("day").annotate(rows=rows):
        by_week[one["day"] >= monday] += one["rows"]
    if not by_week[True]:
        return None
    wanted = _wanted_after(by_week[False])
    words = {"n": by_week[True], "wanted": wanted}
    text = ngettext(
        "Your class found %(n)d row together this week. The goal is %(wanted)d.",
        "Your class found %(n)d rows together this week. The goal is %(wanted)d.",
        by_week[True],
    )
    if by_week[True] >= wanted:
        text = gettext("Your class has reached its goal: %(n)d rows together this week!")
    return Goal(by_week[True], wanted, text % words)


def _wanted_after(found: int) -> int:
    """The rows wanted in the week after one in which so many were found."""
    return (found // GOAL_STEP + 1) * GOAL_STEP


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The goal of the week from `monday` was reached on `day`; by now that week has `rows`."""

    monday: date
    day: date
    rows: int
    wanted: int


def goals_reached(school_class: SchoolClass, weeks: int) -> list[GoalReached]:
    """The goals that the class has reached in this week and those before it, `weeks` in all; the
    latest first. In one query."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=weeks)
    days = TableDay.objects.filter(school_class=school_class, day__gte=first, day__lte=today)
    rows = Sum("found", default=0) + Sum("hinted", default=0)
    found = {one["day"]: one["rows"] for one in days.values("day").annotate(rows=rows)}
    reached = []
    for week in range(weeks):
        begins = monday - timedelta(weeks=week)
        before = sum(_of_week(found, begins - timedelta(weeks=1)))
        own, wanted = _of_week(found, begins), _wanted_after(before)
        if sum(own) >= wanted:
            place = next(n for n, so_far in enumerate(accumulate(own)) if so_far >= wanted)
            day = begins + timedelta(days=place)
            reached.append(GoalReached(begins, day, sum(own), wanted))
    return reached


def _of_week(found: Mapping[date, int], monday: date) -> list[int]:
    return [found.get(monday + timedelta(days=day), 0) for day in range(7)]


def _step(attempt: Attempt) -> Step | None:
    if not sittings.is_wanted(attempt, attempt.child):
        return None
    return Step(
        gettext("A few quick questions"), reverse("classrooms:check", args=[attempt.game_id])
    )
