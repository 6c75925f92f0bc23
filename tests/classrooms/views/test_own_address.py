"""Whether an address is confirmed is asked of that address of that adult."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from classrooms.models import SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


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
