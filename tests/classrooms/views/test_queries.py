"""How many queries the main pages need: few, plus no for a larger class."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.checkups.models import CheckUp
from classrooms.models import SchoolClass, User
from tests.classrooms.checkups.answering import take
from tests.classrooms.people import client_of, client_of_child
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_clock")]
"""On a slow computer a minute could pass, after which a session is saved again."""

MOST = 20
PAGES = (
    "class",
    "edit_class",
    "teachers",
    "year_end",
    "children",
    "signing_in",
    "cards",
    "letters",
    "assignments",
    "assign",
    "assign_detail",
    "check_ups",
    "new_check_up",
    "child_groups",
    "new_child_group",
    "agreed_with_children",
    "downloads",
    "downloads_part",
)


@pytest.fixture
def alice() -> User:
    return TeachingFactory.create().user


def grow(school_class: SchoolClass) -> None:
    children = ChildFactory.create_batch(4, school_class=school_class)
    for _ in range(2):
        assignment = AssignmentFactory.create(school_class=school_class)
        for child in children:
            AttemptFactory.create(child=child, assignment=assignment)
    for _ in range(2):
        take_all(CheckUpFactory.create(school_class=school_class))
    group = GroupFactory.create(school_class=school_class, children=children)
    narrow = AssignmentFactory.create(school_class=school_class, everyone=False)
    narrow.groups.add(group)
    narrow.children.add(*children)


def take_all(check_up: CheckUp) -> None:
    """All children of the class finish it."""
    for child in check_up.school_class.children.all():
        take(child, check_up, wrong=3)


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_a_teachers_page_needs_no_more_queries_for_a_larger_class(alice: User) -> None:
    school_class = alice.classes.get()
    client = client_of(alice)

    def of_each_page() -> dict[str, int]:
        urls = {name: reverse(f"classrooms:{name}", args=[school_class.pk]) for name in PAGES}
        return {name: queries(client, url) for name, url in urls.items()}

    of_each_page()  # What is looked up once for a session is no matter of the class.
    grow(school_class)
    small = of_each_page()
    grow(school_class)
    assert of_each_page() == small
    assert {name for name, count in small.items() if count > MOST} == set()


def test_the_page_of_a_check_up_needs_no_more_queries_for_more_children(alice: User) -> None:
    school_class = alice.classes.get()
    check_up = CheckUpFactory.create(school_class=school_class)
    url = reverse("classrooms:check_up", args=[school_class.pk, check_up.pk])
    counted = []
    for _ in range(2):
        ChildFactory.create_batch(4, school_class=school_class)
        take_all(check_up)
        counted.append(queries(client_of(alice), url))
    assert counted[0] == counted[1] <= MOST


def test_the_list_of_classes_needs_no_more_queries_for_more_classes(
    alice: User,
) -> None:
    client = client_of(alice)
    url = reverse("classrooms:classes")
    few = queries(client, url)
    for _ in range(3):
        grow(TeachingFactory.create(user=alice).school_class)
    assert queries(client, url) == few <= MOST


def test_a_childs_list_needs_no_more_queries_for_more_to_play() -> None:
    dora = ChildFactory.create(name="Dora")
    client = client_of_child(dora)
    url = reverse("classrooms:me")
    AttemptFactory.create(
        child=dora, assignment=AssignmentFactory.create(school_class=dora.school_class)
    )
    few = queries(client, url)
    for _ in range(3):
        AttemptFactory.create(
            child=dora, assignment=AssignmentFactory.create(school_class=dora.school_class)
        )
    assert queries(client, url) == few <= 7
