"""All classes of a school begin the new year together."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.audit import Actor, What
from classrooms.models import AuditEntry, Membership, School, SchoolClass, User
from tests.classrooms.classes.test_new_year import class_called, fields_of, names, post, undo
from tests.classrooms.people import client_of
from tests.classrooms.schools.conftest import member
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db


def page_of(school: School, more: str = "") -> str:
    return reverse(f"classrooms:school_new_year{more}", args=[school.pk])


@pytest.fixture
def fourth(alice: User, school: School) -> SchoolClass:
    return class_called("4A", alice)


@pytest.fixture
def fifth(bob: User) -> SchoolClass:
    return class_called("5A", bob)


def test_from_the_page_of_the_school_it_takes_two_interactions(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    """The link, and the button below the table that is filled in."""
    client = client_of(ada)
    assert (
        f'href="{page_of(school)}"'
        in client.get(reverse("classrooms:school", args=[school.pk])).text
    )
    done = client.post(page_of(school), fields_of(client.get(page_of(school))), follow=True)
    assert "The new year has begun for 2 classes." in done.text
    assert names(fourth, fifth) == ["5A", "6A"]
    assert done.redirect_chain[-1][0] == reverse("classrooms:school", args=[school.pk])


def test_each_class_is_shown_with_its_owner_and_its_children(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    ChildFactory.create_batch(2, school_class=fifth)
    page = client_of(ada).get(page_of(school))
    found = [
        (line.school_class.name, line.owner, line.child_count)
        for line in page.context["form"].lines
    ]
    assert found == [("4A", "alice@example.org", 0), ("5A", "bob@example.org", 2)]


def test_another_admin_of_the_school_can_take_it_back(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    done = post(client_of(ada), page_of(school), what_5A="archive")
    assert names(fourth) == ["5A"]
    eve = member(school, "eve@example.org", Membership.Role.ADMIN)
    undo(client_of(eve), done)
    assert names(fourth, fifth) == ["4A", "5A"]
    assert fifth.archived_at is None


def test_the_teachers_read_that_an_admin_did_it(
    school: School, ada: User, alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    client = client_of(ada)
    undo(client, post(client, page_of(school), what_4A="archive"))
    done = AuditEntry.objects.filter(class_id__in=(fourth.pk, fifth.pk))
    assert {(entry.what, entry.actor) for entry in done} == {
        (What.ARCHIVED, Actor.SCHOOL),
        (What.RESTORED, Actor.SCHOOL),
        (What.CHANGED, Actor.SCHOOL),
    }
    log = client_of(alice).get(reverse("classrooms:who_looked", args=[fourth.pk])).text
    assert "An admin of the school (ada@example.org) archived the class." in log


def test_a_teachers_own_new_year_is_not_the_schools(
    school: School, ada: User, alice: User, fourth: SchoolClass
) -> None:
    """Alice has begun hers alone: the admin sees what the classes are called now, and no undo."""
    post(client_of(alice))
    page = client_of(ada).get(page_of(school))
    assert [line.name for line in page.context["form"].lines] == ["6A"]
    assert page.context["begun"] is None
    client_of(ada).post(page_of(school, "_back"))
    assert names(fourth) == ["5A"]


@pytest.mark.usefixtures("stopped_clock")
def test_the_page_needs_no_more_queries_for_more_classes(
    school: School, ada: User, alice: User, fourth: SchoolClass
) -> None:
    client = client_of(ada)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page_of(school)).status_code == 200
        return len(captured)

    queries()
    few = queries()
    for name in ("1A", "2A", "3A"):
        class_called(name, alice)
    assert queries() == few <= 15
