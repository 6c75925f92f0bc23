"""Makes the world of a run: the people and objects of the permission tests, an operator, and enough
play for reports."""

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.internal.flows.login import _AUTHENTICATION_METHODS_USER_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from classrooms.accounts import sessions
from classrooms.assignments import tables
from classrooms.models import Attempt, Child, ChildSession, SchoolClass, User
from classrooms.progress import answer_evidence, evidence
from games.engine.ruleset import EDITIONS
from games.play.news import seat_token
from scripts.fuzz.asking import Browsers
from tests.classrooms.people import client_of
from tests.classrooms.progress.playing import Hand, begin
from tests.classrooms.questions.rounds import sitting_with
from tests.factories import AssignmentFactory, ChildFactory, UserFactory
from tests.permission_world import make_world

OPERATOR: Final = "the operator"
PEOPLE: Final[dict[str, str]] = {
    "nobody": "Alice's",
    "Dora": "Alice's",
    "Emil": "Alice's",
    "Hugo": "Alice's",
    "Finn": "Charlie's",
    "Otto": "archived",
    "Alice": "Alice's",
    "Bob": "Alice's",
    "Gus": "Alice's",
    "Charlie": "Charlie's",
    OPERATOR: "Alice's",
}
"""Every person, and whose objects they know best."""
CHILDREN: Final = frozenset({"Dora", "Emil", "Finn", "Hugo", "Otto"})
TEACHERS: Final = frozenset({"Alice", "Bob", "Gus", "Charlie", OPERATOR})

RUN_SECONDS: Final = 3600
"""For this long nobody must type a password again."""


@dataclass(frozen=True, slots=True)
class FuzzWorld:
    browsers: Browsers
    targets: dict[str, dict[str, Any]]
    classes: dict[str, str]  # the id of each class, by its owner
    users: dict[str, int]
    children: dict[str, UUID]  # the children who play, with their ids


def make_fuzz_world(*, more_children: int = 0) -> FuzzWorld:
    """The world of a run. `more_children` is the number of other children who have played in
    Alice's class."""
    world = make_world()
    clients = world.clients
    operator = UserFactory.create(is_staff=True, is_superuser=True)
    secret = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
    Authenticator.objects.create(
        user=operator, type=Authenticator.Type.TOTP, data={"secret": secret}
    )
    clients[OPERATOR] = client_of(operator)
    for user in User.objects.all():
        EmailAddress.objects.get_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )
    for who in ("Alice", "Bob", OPERATOR):
        _mark_signed_in(clients[who], second_step=who == OPERATOR)
    later = timezone.now() + timedelta(seconds=RUN_SECONDS)
    running = ChildSession.objects.filter(ends_at__gt=timezone.now())
    running.update(seen_at=later, ends_at=later + timedelta(hours=1))
    _play(world.targets["Alice's"], more_children)
    _play(world.targets["Charlie's"], 0)
    emil = _sit_together(world.targets["Alice's"])
    for attempt in evidence.dirty_attempts():
        evidence.process_game(attempt.game_id)
    answer_evidence.process_answers(
        [sitting.child_id for sitting in answer_evidence.dirty_sittings()]
    )
    cookies = {
        who: {name: morsel.value for name, morsel in client.cookies.items()}
        for who, client in clients.items()
    }
    users = {
        who: int(client.session[SESSION_KEY])
        for who, client in clients.items()
        if SESSION_KEY in client.session
    }
    classes = {whose: str(world.targets[whose]["class_id"]) for whose in OWNERS}
    dora, finn = (world.targets[whose]["child_id"] for whose in ("Alice's", "Charlie's"))
    children = {"Dora": dora, "Emil": emil, "Finn": finn}
    return FuzzWorld(Browsers(cookies), world.targets, classes, users, children)


OWNERS: Final = ("Alice's", "Charlie's", "archived")


def _mark_signed_in(client: Client, *, second_step: bool) -> None:
    """Mark the session as allauth does after a password and, with a second step, a code."""
    at = time.time() + RUN_SECONDS
    methods: list[dict[str, Any]] = [{"method": "password", "at": at, "reauthenticated": True}]
    if second_step:
        methods.append({"method": "mfa", "type": "totp", "at": at, "reauthenticated": True})
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = methods
    session[_AUTHENTICATION_METHODS_USER_SESSION_KEY] = session[SESSION_KEY]
    session[sessions.BEGAN_KEY] = session[sessions.SEEN_KEY] = int(at)
    session.save()


def _sit_together(target: dict[str, Any]) -> UUID:
    """Let Dora and Emil sit down at one table, and return Emil's id."""
    dora = Child.objects.get(pk=target["child_id"])
    emil = Child.objects.get(school_class=dora.school_class, name="Emil")
    at_tables = AssignmentFactory.create(school_class=dora.school_class, chairs=2)
    for child in (dora, emil):
        tables.sit(child, at_tables.pk)
    game = Attempt.objects.get(child=emil, assignment=at_tables).game
    target["shared_id"] = game.pk
    target |= {"seat": 0, "mark": seat_token(game.pk, 0), "number": game.news}
    return emil.pk


def _play(target: dict[str, Any], more_children: int) -> None:
    """Play games of each edition, one round to its end, and leave questions unanswered."""
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    child = Child.objects.get(pk=target["child_id"])
    for number, name in enumerate(EDITIONS):
        rows = AssignmentFactory.create(school_class=school_class, edition=name, options={})
        target[f"game of {name}"] = begin(child, rows, seed=number + 1).game_id
    assignment = AssignmentFactory.create(school_class=school_class, rounds=2)
    over = Hand(begin(child, assignment, seed=1))
    over.play_round()
    over.attempt.game.refresh_from_db()
    sitting_with(over.attempt, ("fact", (6, 7)), ("table", (12, 16, 20)))
    target["over_id"] = over.attempt.game_id
    for number in range(more_children):
        other_child = ChildFactory.create(school_class=school_class, name=f"Child {number}")
        Hand(begin(other_child, assignment, seed=100 + number)).play_round(lays=number % 3 > 0)
