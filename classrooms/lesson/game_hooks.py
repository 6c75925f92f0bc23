"""What the school adds to a child's game: its secure facts, its best, the class's goal, quick
checks."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils.translation import gettext

from classrooms.checks import sittings
from classrooms.models import Attempt, Child
from classrooms.progress.figures.class_goal import goal_of
from classrooms.progress.figures.secure_facts import secure_facts
from classrooms.progress.models import Evidence
from games.coach.facts import Fact
from games.models import Game
from games.play.hooks import Adviser, AfterRound, NextStep
from games.play.round_story import RoundStory


class SchoolAdviser(Adviser):
    """Answers for players who are children of a class; for others it has nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        child = Child.objects.select_related("school_class").filter(player=player).first()
        return () if child is None else secure_facts(child)

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
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
    """How this round compares with the child's own best before; never with other children."""
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


def _step(attempt: Attempt) -> NextStep | None:
    if not sittings.is_wanted(attempt, attempt.child):
        return None
    return NextStep(
        gettext("A few quick questions"), reverse("classrooms:check", args=[attempt.game_id])
    )
