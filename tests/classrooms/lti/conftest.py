"""A school with a platform, and a course of it that is linked to Alice's class."""

import pytest

from classrooms.lti import outgoing
from classrooms.lti.models import Course
from classrooms.models import Membership, School, SchoolClass, User
from tests.classrooms.lti.platforms import AT, FakePlatform
from tests.classrooms.people import confirmed


@pytest.fixture
def school(alice: User) -> School:
    """A school. Alice is its admin."""
    school = School.objects.create(name="The school")
    Membership.objects.create(school=school, user=confirmed(alice), role=Membership.Role.ADMIN)
    return school


@pytest.fixture
def moodle(school: School, monkeypatch: pytest.MonkeyPatch) -> FakePlatform:
    fake = FakePlatform.create(school)
    monkeypatch.setattr(outgoing, "ask", fake.ask)
    return fake


@pytest.fixture
def course(moodle: FakePlatform, school_class: SchoolClass) -> Course:
    return Course.objects.create(
        platform=moodle.platform,
        context="c1",
        title="Maths",
        school_class=school_class,
        members_url=f"{AT}/members",
    )
