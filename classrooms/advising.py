"""What the school adds to a child's game: what it knows, its best, the class's goal, checks."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.advice import Adviser, AfterRound, Goal, Step
from games.coach.facts import Fact
from games.models import Game
from games.story import Story

from .checks import sittings
from .models import Attempt, Child, SchoolClass
from .progress.models import Evidence, TableDay
from .progress.secure import secure_facts

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
    wanted = (by_week[False] // GOAL_STEP + 1) * GOAL_STEP
    words = {"n": by_week[True], "wanted": wanted}
    text = ngettext(
        "Your class found %(n)d row together this week. The goal is %(wanted)d.",
        "Your class found %(n)d rows together this week. The goal is %(wanted)d.",
        by_week[True],
    )
    if by_week[True] >= wanted:
        text = gettext("Your class has reached its goal: %(n)d rows together this week!")
    return Goal(by_week[True], wanted, text % words)


def _step(attempt: Attempt) -> Step | None:
    if not sittings.is_wanted(attempt, attempt.child):
        return None
    return Step(
        gettext("A few quick questions"), reverse("classrooms:check", args=[attempt.game_id])
    )
