"""The people of Alice's class, as most tests need them."""

from time import sleep

import pytest
from django.utils import timezone

from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.receivers import publisher, publisher_of_sittings
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory, UserFactory


@pytest.fixture(autouse=True)
def _midnight_is_waited_for() -> None:
    """No test may begin on one day and end on the next."""
    now = timezone.localtime()
    left = 24 * 60 * 60 - (now.hour * 60 + now.minute) * 60 - now.second
    if left < 60:
        sleep(left)


@pytest.fixture
def alice() -> User:
    return UserFactory.create(email="alice@example.org")


@pytest.fixture
def school_class(alice: User) -> SchoolClass:
    return TeachingFactory.create(user=alice).school_class


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class, name="Dora")


@pytest.fixture
def emil(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class, name="Emil")


@pytest.fixture
def assignment(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class)


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests send no message unless they ask for it."""
    for sends in (publisher, publisher_of_sittings):
        monkeypatch.setattr(sends, "enqueue", lambda key: None)
