"""Leaving a school oneself."""

import pytest
from django.urls import reverse

from classrooms.audit import What
from classrooms.models import AuditEntry, Membership, School, SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.classrooms.schools.conftest import member
from tests.factories import TeachingFactory

pytestmark = pytest.mark.django_db
LEAVE = "classrooms:leave_school"


def test_a_teacher_leaves_with_the_classes_that_they_own(
    school: School, ada: User, alice: User, school_class: SchoolClass
) -> None:
    along = TeachingFactory.create().school_class
    TeachingFactory.create(school_class=along, user=alice, role=Teaching.Role.CO_TEACHER)
    client = client_of(alice)
    asked = client.post(reverse(LEAVE)).text
    assert "1 class that you own leaves the school with you" in asked
    assert Membership.objects.filter(user=alice).exists()
    client.post(reverse(LEAVE), {"sure": "1"})
    assert not Membership.objects.filter(user=alice).exists()
    assert school_class.teachings.get().user == alice
    page = reverse("classrooms:school_class", args=[school.pk, school_class.pk])
    assert client_of(ada).get(page).status_code == 404


def test_who_left_reads_so_in_their_account(school: School, ada: User, bob: User) -> None:
    client = client_of(bob)
    client.post(reverse(LEAVE), {"sure": "1"})
    entry = AuditEntry.objects.get(what=What.SCHOOL_LEFT)
    assert (entry.user, entry.account) == (bob, bob)
    assert "You left the school The Oak." in client.get(reverse("classrooms:account_log")).text


def test_an_admin_leaves_only_when_another_stays(school: School, ada: User) -> None:
    client = client_of(ada)
    page = client.post(reverse(LEAVE), {"sure": "1"}, follow=True).text
    assert "You are the only admin." in page
    gus = member(school, "gus@example.org", Membership.Role.ADMIN)
    client.post(reverse(LEAVE), {"sure": "1"})
    assert set(school.memberships.filter(role=Membership.Role.ADMIN)) == {gus.membership}


def test_who_belongs_to_no_school_leaves_none(alice: User) -> None:
    page = client_of(alice).post(reverse(LEAVE), {"sure": "1"}, follow=True).text
    assert "You do not belong to a school." in page
