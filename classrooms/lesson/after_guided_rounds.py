"""Where a child goes on after a guided round: to the next step, then to a round that counts."""

from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from classrooms.assignments import status
from classrooms.assignments.child_views import DEAL
from classrooms.models import Assignment, Child
from games.coach.guided_lessons import STEPS, step_of
from games.models import Game
from games.play.hooks import Link


def after_guided_round(game: Game, player: UUID) -> Link | None:
    """None for another game, for whoever is no child, and where nothing is to be played."""
    if not game.lesson:
        return None
    child = Child.objects.select_related("school_class").filter(player=player).first()
    if child is None:
        return None
    step = step_of(game.ruleset) + 1
    if step <= STEPS:
        asked = urlencode({"edition": game.ruleset.edition, "step": step})
        label = gettext("Continue: step %(step)d of %(steps)d") % {"step": step, "steps": STEPS}
        return Link(label, f"{reverse('classrooms:learn')}?{asked}")
    assignment = _first_to_play(child, game.ruleset.edition)
    if assignment is None:
        return None
    start = reverse("classrooms:start", args=[assignment.pk])
    return Link(gettext("Now play a real round"), f"{start}?{DEAL}=1")


def _first_to_play(child: Child, edition: str) -> Assignment | None:
    """Of this edition if there is one."""
    now = [item.assignment for item in status.assigned_to(child)]
    return min(now, key=lambda one: one.edition != edition, default=None)
