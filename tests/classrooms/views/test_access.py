"""Alice owns the class, Bob is a co-teacher, Charlie has another; anything else is a 404."""

from collections.abc import Callable
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
Url = Callable[[SchoolClass, Child, Assignment], str]
GET: list[Url] = [
    lambda c, d, a: reverse("classrooms:class", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:edit_class", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:children", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:child", args=[c.pk, d.pk]),
    lambda c, d, a: reverse("classrooms:signing_in", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:erase_child", args=[c.pk, d.pk]),
    lambda c, d, a: reverse("classrooms:cards", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:letters", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:assignments", args=[c.pk]),
    lambda c, d, a: reverse("classrooms:assign", args=[c.pk]),
]
POST: list[Url] = [
    lambda c, d, a: reverse("classrooms:child_pictures", args=[c.pk, d.pk]),
    lambda c, d, a: reverse("classrooms:remove_child", args=[c.pk, d.pk]),
    lambda c, d, a: reverse("classrooms:end_assignment", args=[c.pk, a.pk]),
]


@pytest.fixture
def bob(school_class: SchoolClass) -> User:
    return TeachingFactory.create(school_class=school_class, role=Teaching.Role.CO_TEACHER).user


@pytest.fixture
def charlie() -> User:
    return TeachingFactory.create().user


@pytest.mark.parametrize("url", GET)
def test_a_co_teacher_reaches_all_of_the_class(
    url: Url, school_class: SchoolClass, dora: Child, assignment: Assignment, bob: User
) -> None:
    assert client_of(bob).get(url(school_class, dora, assignment)).status_code == 200


@pytest.mark.parametrize("url", POST)
def test_a_co_teacher_may_change_the_class(
    url: Url, school_class: SchoolClass, dora: Child, assignment: Assignment, bob: User
) -> None:
    assert client_of(bob).post(url(school_class, dora, assignment)).status_code in (
        200,
        302,
    )


@pytest.mark.parametrize("url", GET + POST)
def test_to_another_teacher_the_class_is_missing(
    url: Url,
    school_class: SchoolClass,
    dora: Child,
    assignment: Assignment,
    charlie: User,
) -> None:
    client = client_of(charlie)
    address = url(school_class, dora, assignment)
    assert {client.get(address).status_code, client.post(address).status_code} <= {
        404,
        405,
    }
    assert 404 in {client.get(address).status_code, client.post(address).status_code}


@pytest.mark.parametrize("url", GET + POST)
def test_a_child_is_sent_to_the_sign_in_of_adults(
    url: Url, school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    response = client_of_child(dora).get(url(school_class, dora, assignment))
    assert response.headers["Location"].startswith(reverse("account_login"))


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
