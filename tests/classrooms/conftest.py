"""The people of Alice's class, as most tests need them."""

import pytest

from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.receivers import publisher, publisher_of_sittings
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory, UserFactory


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


@pytest.fixture
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message goes out of these tests unless they ask for it."""
    for sends in (publisher, publisher_of_sittings):
        monkeypatch.setattr(sends, "ask", lambda key: None)
