"""Alice owns the class, Charlie has another; anything else is a 404."""

from functools import partial
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from classrooms.models import Assignment, Child, SchoolClass, Teaching, User
from tests.classrooms.people import client_of, client_of_child
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory, UserFactory
from tests.permission_world import turn_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def charlie() -> User:
    return TeachingFactory.create().user


def test_a_child_of_another_class_is_missing_in_ones_own(
    school_class: SchoolClass, alice: User
) -> None:
    finn = ChildFactory.create(name="Finn")
    url = reverse("classrooms:child", args=[school_class.pk, finn.pk])
    assert client_of(alice).get(url).status_code == 404


def test_foreign_and_missing_answer_alike(dora: Child, charlie: User) -> None:
    client = client_of(charlie)
    foreign = client.get(reverse("classrooms:class", args=[dora.school_class_id]))
    missing = client.get(reverse("classrooms:class", args=[uuid4()]))
    assert foreign.status_code == missing.status_code == 404
    assert len(foreign.content) == len(missing.content)


def test_only_ones_own_classes_are_listed(school_class: SchoolClass, charlie: User) -> None:
    response = client_of(charlie).get(reverse("classrooms:classes"))
    assert school_class not in [each for each, _ in response.context["classes"]]


def test_under_ones_own_child_the_match_of_another_is_missing(
    alice: User, dora: Child, assignment: Assignment
) -> None:
    finn = ChildFactory.create(name="Finn")
    theirs = turn_of(finn, AssignmentFactory.create(school_class=finn.school_class))
    own = turn_of(dora, assignment)
    url = partial(reverse, "classrooms:replay")
    for turn, status in ((own, 200), (theirs, 404)):
        kwargs = {
            "class_id": dora.school_class_id,
            "child_id": dora.pk,
            "game_id": turn["played_id"],
            "entry": turn["entry"],
        }
        assert client_of(alice).get(url(kwargs=kwargs)).status_code == status


def test_a_child_cannot_start_what_another_class_is_asked(
    assignment: Assignment,
) -> None:
    finn = ChildFactory.create(name="Finn")
    url = reverse("classrooms:start", args=[assignment.pk])
    assert client_of_child(finn).post(url).status_code == 404


def test_a_teacher_has_no_childs_page(alice: User) -> None:
    assert client_of(alice).get(reverse("classrooms:me")).headers["Location"] == "/"


# Whether an address is confirmed is asked of that address of that adult


def is_confirmed(user: User) -> bool:
    page = client_of(user).get(reverse("classrooms:account")).text
    return "not yet confirmed" not in page


def may_have_mail(user: User, school_class: SchoolClass) -> bool:
    url = reverse("classrooms:weekly_mail", args=[school_class.pk])
    client_of(user).post(url, {"do": "want"})
    return Teaching.objects.get(user=user).mailed_since is not None


@pytest.mark.parametrize(
    ("whose", "which", "verified"),
    [
        ("alice", "alice@example.org", False),
        ("alice", "old@example.org", True),
        ("charlie", "ALICE@example.org", True),
    ],
    ids=["not confirmed", "another address", "another adult"],
)
def test_only_ones_own_confirmed_address_counts(
    alice: User, school_class: SchoolClass, whose: str, which: str, verified: bool
) -> None:
    user = alice if whose == "alice" else UserFactory.create()
    EmailAddress.objects.create(user=user, email=which, verified=verified)
    assert not is_confirmed(alice)
    assert not may_have_mail(alice, school_class)


def test_a_confirmed_address_counts(alice: User, school_class: SchoolClass) -> None:
    EmailAddress.objects.create(user=alice, email="Alice@example.org", verified=True)
    assert is_confirmed(alice)
    assert may_have_mail(alice, school_class)
