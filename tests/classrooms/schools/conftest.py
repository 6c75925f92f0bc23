"""Alice's school: Ada is its admin, Bob another teacher. Charlie is the admin of another one."""

import pytest

from classrooms.models import Membership, School, User
from tests.classrooms.people import confirmed
from tests.factories import UserFactory


def member(school: School, email: str, role: Membership.Role = Membership.Role.TEACHER) -> User:
    user = confirmed(UserFactory.create(email=email))
    Membership.objects.create(school=school, user=user, role=role)
    return user


@pytest.fixture
def school(alice: User) -> School:
    school = School.objects.create(name="The Oak")
    Membership.objects.create(school=school, user=confirmed(alice))
    return school


@pytest.fixture
def ada(school: School) -> User:
    return member(school, "ada@example.org", Membership.Role.ADMIN)


@pytest.fixture
def bob(school: School) -> User:
    return member(school, "bob@example.org")


@pytest.fixture
def charlie(db: None) -> User:
    return member(
        School.objects.create(name="The Elm"), "charlie@example.org", Membership.Role.ADMIN
    )
