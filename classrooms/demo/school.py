"""Creates a demo school: a teacher, a class of twelve, their assignments and some of their games,
by the same services that people use."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, Final
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils.crypto import salted_hmac

from classrooms.assignments import playing
from classrooms.assignments import services as assignments
from classrooms.assignments.choice import Choice
from classrooms.assignments.presets import PRESETS
from classrooms.credentials import decrypt_pictures
from classrooms.demo import simulated_weeks
from classrooms.demo.model_children import ModelPlayer
from classrooms.demo.simulated_weeks import MODELS
from classrooms.models import Assignment, Child, SchoolClass, Teaching, User
from classrooms.progress.given_steps import NextStep
from classrooms.progress.next_steps import give_steps
from classrooms.progress.rebuild import rebuild
from classrooms.roster import services as roster
from games.bots import beginner
from games.engine.actions import Discard
from games.engine.round import OVER_PHASES, ROUND_OVER
from games.engine.table import Play
from games.engine.text.record import EntryKind
from games.engine.view import View
from games.models import Game
from games.play import services as play
from games.play.moves import AskHint, Do, Move, NextRound

EMAIL: Final = "teacher@example.org"
CLASS_NAME: Final = "Demo class 5B"
NAMES: Final = (
    "Dora", "Emil", "Fay", "Jip", "Lena", "Mila", "Noor", "Ole", "Sam", "Tess", "Yara", "Zeb",
)[: int(os.environ.get("DEMO_CHILDREN", 12))]  # fmt: skip
"""Tests that only need some demo class set a smaller number."""
NEWCOMER: Final = "Zoe"
"""A child who has not played yet, the last of the class by name."""
HINT_CHANCE: Final = 0.15
WEEKS: Final = simulated_weeks.Weeks(weeks=6)
"""What the demo class has played in the past."""
EAGER: Final = "Yara"
EXTRA_WEEKS: Final = simulated_weeks.Weeks(weeks=3, sittings=3, seed=2, tables=((2,),))
"""What this child has played besides, until they know the whole table."""
GIVEN_STEP: Final = NextStep(4)
GIVEN_AGO: Final = timedelta(days=4)
"""How long ago two children were given games, which they have finished, so that a visitor sees the
result."""
MOST_MOVES: Final = 400


def password() -> str:
    """The teacher's password, which is always the same on one site and different on each site."""
    return f"demo-{salted_hmac('classrooms.demo', EMAIL).hexdigest()[:8]}"


def remove_school() -> None:
    """Delete the demo teacher and all their classes with all games."""
    with transaction.atomic():
        SchoolClass.objects.filter(teachings__user__email=EMAIL).delete()
        User.objects.filter(email=EMAIL).delete()


def make_school() -> SchoolClass:
    """The demo class. If there is none yet, it is created, and its children play."""
    owned = Teaching.objects.filter(user__email=EMAIL, role=Teaching.Role.OWNER)
    existing = SchoolClass.objects.filter(name=CLASS_NAME, teachings__in=owned).first()
    if existing:
        return existing
    with transaction.atomic():
        school_class = _make_class(CLASS_NAME, NAMES)
        for _ in simulated_weeks.play_weeks(school_class, WEEKS):
            pass
        for child in school_class.children.filter(name=EAGER):
            for _ in simulated_weeks.play_weeks(school_class, EXTRA_WEEKS, only=child):
                pass
        week = school_class.today() + timedelta(days=7)
        first = assignments.assign(school_class, Choice(due_on=week))
        second = assignments.assign(school_class, replace(PRESETS["all"].choice, rounds=1))
        children = list(school_class.children.all())
        roster.add_children(school_class, [NEWCOMER], None)
        ((assignment, receivers),) = give_steps(
            school_class, {GIVEN_STEP: children[3:5] or children}
        )
        Assignment.objects.filter(pk=assignment.pk).update(
            created_at=assignment.created_at - GIVEN_AGO, due_on=week - GIVEN_AGO
        )
        SchoolClass.objects.filter(pk=school_class.pk).update(is_demo=True)
    for number, child in enumerate(children):
        player = ModelPlayer(MODELS[number % len(MODELS)], number)
        play_match(child, second, player)
        play_match(child, second, player)
        play_match(child, first, player, rounds=1 + number % (first.rounds or 1))
        if child in receivers:
            play_match(child, assignment, player, rounds=assignment.rounds or 1)
        rebuild(child)
    return school_class


def make_long_class(weeks: simulated_weeks.Weeks, children: int) -> Iterator[int]:
    """Create another class for the demo teacher, and yield the number of games played so far.
    Workers or a rebuild count its progress."""
    name = f"{weeks.weeks} weeks, {children} children"
    school_class = _make_class(name, [f"Child {n:02}" for n in range(1, children + 1)])
    yield from simulated_weeks.play_weeks(school_class, weeks)


def _make_class(name: str, children: Sequence[str]) -> SchoolClass:
    teacher = User.objects.filter(email=EMAIL).first() or User.objects.create_user(
        EMAIL, password()
    )
    EmailAddress.objects.get_or_create(
        user=teacher, email=EMAIL, defaults={"verified": True, "primary": True}
    )
    # Visitors can choose a name at any hour.
    setting = SchoolClass.NamesShown.ALWAYS
    school_class = SchoolClass.objects.create(name=name, names_shown=setting)
    Teaching.objects.create(school_class=school_class, user=teacher)
    roster.add_children(school_class, children, None)
    return school_class


def sign_in_of(school_class: SchoolClass) -> dict[str, Any]:
    """How to sign in to the demo school, as its teacher, as a child, and as a new child."""
    child, *_, newcomer = school_class.children.order_by("name")
    return {
        "email": EMAIL,
        "password": password(),
        "class_name": school_class.name,
        "code": school_class.spaced_code,
        "child": child.name,
        "pictures": decrypt_pictures(child.pictures_encrypted),
        "newcomer": newcomer.name,
        "newcomer_pictures": decrypt_pictures(newcomer.pictures_encrypted),
    }


def play_match(child: Child, assignment: Assignment, player: ModelPlayer, rounds: int = 1) -> Game:
    """Play a child's match to the end of round `rounds`, move by move, as the model player
    would."""
    random = Random(player.seed)
    game = playing.continue_or_start(child, assignment)
    outcome = play.look(game.pk, child.player)
    for _ in range(MOST_MOVES):
        over = outcome.view.phase in OVER_PHASES
        if over and outcome.view.round == rounds:
            break
        asked_for_hint = any(entry.kind == EntryKind.HINT for entry in outcome.entries)
        outcome = play.act(
            game.pk,
            child.player,
            version=outcome.game.version,
            key=uuid4(),
            move=_move(outcome.view, player, random, had_hint=asked_for_hint),
        )
    return outcome.game


def _move(view: View, player: ModelPlayer, random: Random, *, had_hint: bool) -> Move:
    """The child's move. If they overlook a row that a bot would lay, they may ask for a hint, and
    then find it."""
    if view.phase == ROUND_OVER:
        return NextRound()
    action = player.choose(view)
    if isinstance(action, Discard):
        row = beginner.choose(view, random.getrandbits(32))
        if isinstance(row, Play) and had_hint:
            return Do(row)
        if isinstance(row, Play) and random.random() < HINT_CHANCE:
            return AskHint()
    return Do(action)
