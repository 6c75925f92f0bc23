"""What the school adds to a child's game: known facts, personal bests, the class goal, short
questions, the child's own settings, and the ways out."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import Final, cast
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, Max, Q
from django.urls import reverse
from django.utils.translation import get_language, gettext

from classrooms.access import SchoolRequest
from classrooms.assignments import status
from classrooms.assignments.child_views import DEAL
from classrooms.checks import services
from classrooms.collection.pieces import grown_in_round
from classrooms.lesson import hands
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress.child_figures import secure_facts, troubles_of
from classrooms.progress.class_figures import goal_of
from classrooms.progress.models import LAID, Chance
from games.coach.facts import Fact
from games.coach.guided_lessons import STEPS, lesson_step
from games.coach.questions.quiz import Trouble
from games.models import Game
from games.play.hooks import Adviser, AfterRound, Link, PlayerRequest, Speeds, Surroundings
from games.play.round_story import RoundStory

# Where a child goes on after a guided round: to the next step, then to a round that counts.


def after_guided_round(game: Game, player: UUID) -> Link | None:
    """The link to go on after a guided round. None for another game, for a player who is no child,
    and if there is nothing to play."""
    if not game.lesson:
        return None
    child = Child.objects.select_related("school_class").filter(player=player).first()
    if child is None:
        return None
    step = lesson_step(game.ruleset) + 1
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
    """The first assignment to play, of this edition if there is one."""
    now = [item.assignment for item in status.playable_assignments(child)]
    return min(now, key=lambda one: one.edition != edition, default=None)


GAME_FRAME: Final = "lesson/game.html"
HAND_FRAME: Final = "lesson/hand_game.html"


class SchoolAdviser(Adviser):
    """Tells the game what the school knows of its players: children of a class. Of other players it
    knows nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        child = Child.objects.select_related("school_class").filter(player=player).first()
        return () if child is None else secure_facts(child)

    def troubles(self, player: UUID) -> Collection[Trouble]:
        return troubles_of(player)

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        attempts = Attempt.objects.select_related(
            "assignment__school_class", "child__school_class", "game"
        ).annotate(is_rebuilding=F("child__progress_lock__to_rebuild"))
        attempt = attempts.filter(game=game.pk, child__player=player).first()
        if attempt is None:
            return AfterRound(again=after_guided_round(game, player))
        attempt.game = game
        if game.one_turn:
            return AfterRound()
        return AfterRound(
            best="" if attempt.is_rebuilding else _best(attempt, story.found),
            grown=() if attempt.is_rebuilding else tuple(grown_in_round(attempt, story)),
            goal=goal_of(attempt.child.school_class),
            step=_step(attempt),
            again=_again(attempt),
        )

    def around_game(self, request: PlayerRequest, *, game_id: UUID, one_turn: bool) -> Surroundings:
        """What surrounds a game. A player who is no child is an adult trying a game out."""
        child, language = _child(request), get_language()
        if child is None:
            return _around_a_try(language)
        called = child.is_called and not one_turn
        around = _around_a_childs_game(
            language, child.speed, child.larger, child.hears_sounds, called
        )
        if one_turn:
            return replace(around, frame=HAND_FRAME, poll=hands.poll_of(hands.hand_of(game_id)))
        return around

    def around_rules(self, request: PlayerRequest) -> Surroundings:
        learn_url = reverse("classrooms:learn") if _child(request) else ""
        return Surroundings("base.html", learn_url=learn_url)


# Cached by language, because every move asks for it: building the addresses and words takes half a
# millisecond.
@lru_cache
def _around_a_try(language: str | None) -> Surroundings:
    # Translators: the button that ends trying the site out
    return Surroundings(GAME_FRAME, Link(gettext("Leave"), reverse("classrooms:leave_try")))


@lru_cache
def _around_a_childs_game(
    language: str | None, speed: str, larger: bool, sounds: bool, called: bool
) -> Surroundings:
    leave = Link(gettext("Back to my games"), reverse("classrooms:home"))
    label = gettext("Your teacher shows a hand: come")
    call = Link(label, reverse("classrooms:childs_hand")) if called else None
    return Surroundings(GAME_FRAME, leave, speeds_with(speed), larger, sounds, call)


def speeds_with(chosen: str) -> Speeds:
    """The speeds that a child can choose from, and the chosen one."""
    choices = tuple((value, str(name)) for value, name in Child.Speed.choices)
    return Speeds(choices, chosen, reverse("classrooms:speed"))


def _child(request: PlayerRequest) -> Child | None:
    """The child who plays, or None. The game knows only that somebody plays; the school's
    middleware has put the child into every request."""
    return cast(SchoolRequest, request).child


def _best(attempt: Attempt, found: int) -> str:
    """How this round compares with the child's own best before it; never with other children."""
    this = Q(game=attempt.game_id, round=attempt.game.round)
    rounds = (
        Chance.objects.filter(LAID, child=attempt.child)
        .exclude(this)
        .values("game", "round")
        .annotate(rows=Count("id"))
    )
    before = rounds.aggregate(best=Max("rows"))["best"]
    if not before or not found:
        return ""
    words = {"n": found, "before": before}
    if found > before:
        return gettext("Your best round so far! Your best before that was %(before)d.") % words
    if found == before:
        return gettext("You matched your best round!")
    return ""


def _again(attempt: Attempt) -> Link | None:
    """The link to play another match of the assignment, while it can be played."""
    if not status.may_be_played_again(attempt):
        return None
    return Link(gettext("Play again"), reverse("classrooms:start", args=[attempt.assignment_id]))


def _step(attempt: Attempt) -> Link | None:
    if not services.is_wanted(attempt, attempt.child):
        return None
    return Link(
        gettext("A few short questions"), reverse("classrooms:check", args=[attempt.game_id])
    )
