"""The people and the objects with which every URL is tried (`test_permissions`)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from classrooms.accounts import services as accounts
from classrooms.assignments import playing
from classrooms.classes import closing_accounts, teachers
from classrooms.classes import services as classes_services
from classrooms.credentials import token_hash
from classrooms.lti import launches, platforms
from classrooms.lti.messages import Message
from classrooms.lti.models import Course, Launch, Platform
from classrooms.lti.views import BROWSER_COOKIE
from classrooms.models import (
    AddressChange,
    Assignment,
    Attempt,
    AuditEntry,
    Chair,
    Child,
    ChildSession,
    GameTable,
    Invitation,
    Membership,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    Teaching,
    User,
)
from classrooms.reports import weekly_mail
from classrooms.schools import services as schools
from classrooms.signin import cards
from games.models import Game
from tests.classrooms.people import client_of, client_of_child, confirmed
from tests.classrooms.progress.playing import Hand, begin
from tests.factories import (
    AssignmentFactory,
    CheckUpFactory,
    ChildFactory,
    DownloadFactory,
    GroupFactory,
    InvitationFactory,
    RosterSourceFactory,
    SchoolClassFactory,
    TeachingFactory,
    UserFactory,
    make_riddle,
)
from tests.games.players import ends_of_turns, new_game

BUNDLE: Final = 48


@dataclass
class World:
    clients: dict[str, Client]
    targets: dict[str, dict[str, Any]] = field(default_factory=dict)


def objects(school_class: SchoolClass, child: Child, owner: User) -> dict[str, Any]:
    """Make a class with its objects, a co-teacher, and somebody who was invited."""
    assignment = AssignmentFactory.create(school_class=school_class, deal_seed=5)
    invitation = InvitationFactory.create(school_class=school_class, invited_by=owner)
    other = school_class.teachings.exclude(user=owner).first()
    user_id = other.user_id if other else owner.pk
    return {
        "class_id": school_class.pk,
        "code": school_class.code,
        "token": token_of(child),
        "child_id": child.pk,
        "assignment_id": assignment.pk,
        "riddle_id": make_riddle(school_class).pk,
        "table_id": table_with(child).pk,
        "check_up_id": CheckUpFactory.create(school_class=school_class).pk,
        "change": accounts.token_of(AddressChange.objects.create(user=owner, old=owner.email)),
        "group_id": GroupFactory.create(school_class=school_class, children=[child]).pk,
        "download_id": DownloadFactory.create(
            school_class=school_class, child=child, ready=True
        ).pk,
        "game_id": playing.continue_or_start(child, assignment).pk,
        "ended_id": ended_match(child, assignment).pk,
        **turn_of(child, assignment),
        "user_id": user_id,
        "invitation_id": invitation.pk,
        "invitation": teachers.token(invitation),
        "stop": weekly_mail.stop_token(school_class.teachings.get(user=owner)),
        "closed": closing_accounts.close(UserFactory.create()),
    }


def school_of(*teachers: User, admin: User) -> dict[str, Any]:
    school = School.objects.create(name="The school")
    for user in teachers:
        Membership.objects.get_or_create(school=school, user=confirmed(user))
    Membership.objects.update_or_create(
        user=admin, defaults={"school": school, "role": Membership.Role.ADMIN}
    )
    return {"school_id": school.pk, "joining": schools.join_token(school, admin)}


def platform_of(of_school: dict[str, Any], school_class: SchoolClass) -> dict[str, Any]:
    """A learning platform of the school, with a course that is linked to the class, and a child who
    waits there. None of its addresses can be reached."""
    at = "https://127.0.0.1"
    school = School.objects.get(pk=of_school["school_id"])
    urls = dict.fromkeys(("auth_url", "token_url", "keyset_url"), at)
    platform = Platform.objects.create(
        school=school, name="Moodle", issuer=at, client_id="c", deployment="d", **urls
    )
    course = Course.objects.create(
        platform=platform, context="c1", school_class=school_class, members_url=f"{at}/members"
    )
    message = Message("7" * 64, True, "Ida", "", "c1", "Maths")
    launch = Launch.objects.create(
        platform=platform,
        browser_hash=token_hash("browser"),
        nonce_hash=str(platform.pk),
        message=asdict(message),
        ends_at=timezone.now() + launches.ADULT_LAUNCH_LASTS,
    )
    admin = User.objects.get(membership__school=school, membership__role="admin")
    bare = Platform.objects.create(school=school, name="Canvas")
    return {
        "platform_id": platform.pk,
        "course_id": course.pk,
        "launch_id": launch.pk,
        "registration": platforms.registration_token(bare, admin),
    }


def source_of(school_id: Any, *classes: SchoolClass, erased: Child) -> None:
    """A source that lists a new child in the first class, and no longer lists `gone`."""
    source = RosterSourceFactory.create(school_id=school_id)
    linked = [
        SourceClass.objects.create(
            source=source,
            key_hash=str(school_class.pk),
            title=school_class.name,
            school_class=school_class,
        )
        for school_class in classes
    ]
    of_first = SourcePupil.objects.filter(source_class=linked[0])
    of_first.create(source_class=linked[0], key_hash="new", name="Ivo", family="Post")
    of_first.create(
        source_class=linked[0],
        key_hash="gone",
        name=erased.name,
        known_name=erased.name,
        child=erased,
        is_here=False,
    )


def table_with(child: Child) -> GameTable:
    """A table at which the child has played a while, with a bot in the other chair."""
    assignment = AssignmentFactory.create(school_class=child.school_class, chairs=2)
    game = new_game(child.player)
    table = GameTable.objects.create(assignment=assignment, game=game)
    Attempt.objects.create(assignment=assignment, child=child, game=game)
    Chair.objects.create(table=table, child=child)
    return table


def turn_of(child: Child, assignment: Assignment) -> dict[str, Any]:
    """The match of a turn that the child has ended, and the entry that ended it."""
    hand = Hand(begin(child, assignment, seed=5))
    hand.play_turn(lays=False)
    (entry,) = ends_of_turns(hand.attempt.game_id, seat=0)
    return {"played_id": hand.attempt.game_id, "entry": entry}


def token_of(child: Child) -> str:
    """The token in the QR code of the child's card."""
    (card,) = cards.view_cards(UserFactory.create(), [child], AuditEntry.Page.CARDS)
    return card.token


def ended_match(child: Child, assignment: Assignment) -> Game:
    """A match that is over. How it went does not matter."""
    game = new_game(child.player)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    Attempt.objects.create(assignment=assignment, child=child, game=game)
    return game


def make_world() -> World:
    """Alice owns 5B, Bob is a co-teacher, Gus was one until he was removed. 4B is her archived
    class. Dora, Emil and Hugo are in 5B, and Hugo's session has ended. Otto is in 4B. Charlie has
    6A with Finn, and Dan is a co-teacher. Ada is the admin of Alice's and Bob's school, Charlie of
    his own."""
    alices, charlies = SchoolClassFactory.create(name="5B"), SchoolClassFactory.create(name="6A")
    old = SchoolClassFactory.create(name="4B")
    alice, bob, gus, charlie, dan, ada = UserFactory.create_batch(6)
    for school_class, user, role in (
        (alices, alice, Teaching.Role.OWNER),
        (alices, bob, Teaching.Role.CO_TEACHER),
        (alices, gus, Teaching.Role.CO_TEACHER),
        (old, alice, Teaching.Role.OWNER),
        (old, bob, Teaching.Role.CO_TEACHER),
        (charlies, charlie, Teaching.Role.OWNER),
        (charlies, dan, Teaching.Role.CO_TEACHER),
    ):
        TeachingFactory.create(school_class=school_class, user=user, role=role)
    teachers.remove(alices, gus.pk, None)
    dora, emil, hugo = (
        ChildFactory.create(school_class=alices, name=name) for name in ("Dora", "Emil", "Hugo")
    )
    otto = ChildFactory.create(school_class=old, name="Otto")
    finn = ChildFactory.create(school_class=charlies, name="Finn")
    hers, his = school_of(alice, bob, admin=ada), school_of(dan, admin=charlie)
    source_of(hers["school_id"], alices, old, erased=emil)
    source_of(his["school_id"], charlies, erased=finn)
    targets = {
        "Alice's": {**objects(alices, dora, alice), **hers, **platform_of(hers, alices)},
        "archived": {**objects(old, otto, alice), **hers, **platform_of(hers, old)},
        "Charlie's": {**objects(charlies, finn, charlie), **his, **platform_of(his, charlies)},
    }
    clients = {
        "nobody": Client(),
        "Dora": client_of_child(dora),
        "Emil": client_of_child(emil, by_platform=True),
        "Finn": client_of_child(finn),
        "Hugo": client_of_child(hugo),
        "Otto": client_of_child(otto),
        "Alice": client_of(alice),
        "Bob": client_of(bob),
        "Gus": client_of(gus),
        "Charlie": client_of(charlie),
        "Ada": client_of(ada),
    }
    for client in clients.values():
        client.cookies[BROWSER_COOKIE] = "browser"
    ChildSession.objects.filter(child=hugo).update(ends_at=timezone.now())
    classes_services.archive(old, None)
    Invitation.objects.filter(school_class=old).update(ends_at=timezone.now())
    mixed = {**targets["Charlie's"], "class_id": alices.pk, "code": alices.code}
    missing = {key: uuid4() for key in targets["Alice's"]} | {
        "code": "ZZZZZZZZ",
        "user_id": 0,
        "entry": 1,
        "token": "z" * 22,
        "invitation": "x:y:z",
        "stop": "x:y:z",
        "change": "x:y:z",
        "joining": "x:y:z",
        "closed": "x:y:z",
        "registration": "x:y:z",
        "course_id": 0,
    }
    return World(clients, {**targets, "mixed": mixed, "missing": missing})


@contextmanager
def traceless(clients: Iterable[Client]) -> Iterator[None]:
    """Undo the acts of these clients in this context at its end, so that the next test has the same
    world and sessions."""
    cookies = [(client, deepcopy(client.cookies)) for client in clients]
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        for client, before in cookies:
            client.cookies = before


def in_bundles(names: Iterable[str]) -> pytest.MarkDecorator:
    """Parametrise a test with bundles of `names`. The names of a bundle share one world."""
    ordered = list(names)
    bundles = [ordered[first : first + BUNDLE] for first in range(0, len(ordered), BUNDLE)]
    return pytest.mark.parametrize("names", bundles, ids=lambda names: f"from {names[0]}")
