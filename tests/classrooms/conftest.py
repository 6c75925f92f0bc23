"""Fixtures for the tests of the school, besides the people of tests/conftest.py."""

from time import sleep

import pytest
from django.test import Client
from django.utils import timezone

from classrooms.checkups.models import CheckUp
from classrooms.models import Assignment, Attempt, Child, Membership, School, SchoolClass, User
from classrooms.progress.receivers import publisher, publisher_of_sittings
from tests.classrooms.people import client_of, client_of_child, confirmed
from tests.classrooms.questions.rounds import round_over
from tests.factories import AssignmentFactory, CheckUpFactory


@pytest.fixture(autouse=True)
def _midnight_is_waited_for() -> None:
    """Wait for midnight before a test that could begin on one day and end on the next."""
    now = timezone.localtime()
    seconds = 24 * 60 * 60 - (now.hour * 60 + now.minute) * 60 - now.second
    if seconds < 60:
        sleep(seconds)


@pytest.fixture
def alices_client(alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def doras_client(dora: Child) -> Client:
    return client_of_child(dora)


@pytest.fixture
def school(alice: User) -> School:
    """Alice is a member, with a confirmed address."""
    school = School.objects.create(name="The Oak")
    Membership.objects.create(school=school, user=confirmed(alice))
    return school


@pytest.fixture
def assignment(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class)


@pytest.fixture
def attempt(dora: Child, assignment: Assignment) -> Attempt:
    """Dora's game, with its first round over."""
    return round_over(dora, assignment)


@pytest.fixture
def check_up(school_class: SchoolClass) -> CheckUp:
    return CheckUpFactory.create(school_class=school_class)


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no messages to workers, unless a test asks for it."""
    for sends in (publisher, publisher_of_sittings):
        monkeypatch.setattr(sends, "enqueue", lambda key: None)
