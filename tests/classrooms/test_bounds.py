"""The limits of classes and teachers hold on every path, with a message that names them."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.assignments import services as assignments
from classrooms.classes import teachers
from classrooms.classes.tasks import repeat_weekly
from classrooms.models import Assignment, Child, Group, SchoolClass, Teaching, User
from classrooms.roster import services as roster
from tests.classrooms.people import confirmed, text_on, undo_of, url_of
from tests.counts import at_once
from tests.factories import (
    AssignmentFactory,
    ChildFactory,
    GroupFactory,
    InvitationFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _low(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_CHILDREN", "MOST_GROUPS", "MOST_CLASSES", "MOST_ASSIGNMENTS"):
        monkeypatch.setattr(bounds, name, 2)
    monkeypatch.setattr(bounds, "MOST_KEPT_CHILDREN", 3)


# Children


def test_all_children_of_a_list_are_added_or_none(school_class: SchoolClass) -> None:
    with pytest.raises(bounds.LimitReached, match="at most 2 children"):
        roster.add_children(school_class, ["Dora", "Emil", "Gijs"], None)
    assert not school_class.children.exists()
    assert len(roster.add_children(school_class, ["Dora", "Emil"], None)) == 2


def test_removed_children_count_until_they_are_erased(school_class: SchoolClass) -> None:
    ChildFactory.create_batch(3, school_class=school_class, removed_at=timezone.now())
    with pytest.raises(bounds.LimitReached, match="including removed ones"):
        roster.add_children(school_class, ["Dora"], None)
    Child.all_objects.first().delete()
    roster.add_children(school_class, ["Dora"], None)


def test_nobody_is_moved_or_brought_back_into_a_full_class(
    alices_client: Client,
    alice: User,
    school_class: SchoolClass,
    dora: Child,
    emil: Child,
) -> None:
    removed = ChildFactory.create(school_class=school_class, removed_at=timezone.now())
    url = url_of("bring_child_back", school_class, removed.pk)
    assert "at most 2 children" in text_on(alices_client.post(url, follow=True))
    other = TeachingFactory.create(user=alice).school_class
    moved = ChildFactory.create(school_class=other)
    url = reverse("classrooms:move_child", args=[other.pk, moved.pk])
    answer = alices_client.post(url, {"to": school_class.pk}, follow=True)
    assert "at most 2 children" in text_on(answer)
    assert set(school_class.children.all()) == {dora, emil}


@pytest.mark.django_db(transaction=True)
def test_two_lists_at_the_same_time_do_not_both_fit(school_class: SchoolClass) -> None:
    def add(number: int) -> bool:
        try:
            roster.add_children(school_class, [f"Child {number}"], None)
        except bounds.LimitReached:
            return False
        return True

    assert sum(at_once(add, 12)) == 2
    assert school_class.children.count() == 2


# Groups


def test_a_group_too_many_is_an_error_in_the_form(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    GroupFactory.create_batch(2, school_class=school_class)
    url = url_of("new_child_group", school_class)
    answer = alices_client.post(url, {"name": "Owls", "children": [dora.pk]})
    assert "at most 2 groups" in text_on(answer)
    assert Group.objects.count() == 2


def test_a_full_class_can_change_a_group_but_not_get_one_back(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    mine, _ = GroupFactory.create_batch(2, school_class=school_class)
    url = url_of("child_group", school_class, mine.pk)
    assert alices_client.post(url, {"name": "Owls", "children": [dora.pk]}).status_code == 302
    url = url_of("remove_child_group", school_class, mine.pk)
    page = alices_client.post(url, follow=True)
    GroupFactory.create(school_class=school_class)
    assert "at most 2 groups" in text_on(alices_client.post(undo_of(page), follow=True))
    assert Group.objects.filter(removed_at=None).count() == 2


# Classes


def test_a_teacher_at_the_limit_makes_no_other_class(alices_client: Client, alice: User) -> None:
    TeachingFactory.create_batch(2, user=alice)
    answer = alices_client.post(reverse("classrooms:new_class"), {"name": "6A", "language": "en"})
    assert "You have 2 classes" in text_on(answer)
    assert SchoolClass.objects.count() == 2


def test_a_teacher_at_the_limit_takes_no_class_over(
    alices_client: Client, school_class: SchoolClass, alice: User
) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    TeachingFactory.create_batch(2, user=bob)
    with pytest.raises(bounds.LimitReached, match="already has 2 classes"):
        teachers.hand_over(school_class, bob, alice)
    invitation = InvitationFactory.create(
        school_class=school_class,
        invited_by=alice,
        email=confirmed(bob).email,
        role=Teaching.Role.OWNER,
    )
    with pytest.raises(bounds.LimitReached, match="You have 2 classes"):
        teachers.accept(invitation, bob)
    assert Teaching.objects.get(school_class=school_class, role="owner").user == alice


# Assignments


@pytest.fixture
def full_list(school_class: SchoolClass, dora: Child) -> list[Assignment]:
    games = ({"tables": [3]}, {"tables": [4]})
    return [AssignmentFactory.create(school_class=school_class, options=game) for game in games]


def test_a_class_has_a_limited_number_of_assignments_at_a_time(
    alices_client: Client, school_class: SchoolClass, full_list: list[Assignment]
) -> None:
    url = url_of("assign", school_class)
    preset = alices_client.get(url).context["presets"][0].name
    data = {"preset": preset, "audience": "everyone"}
    assert "has 2 assignments" in text_on(alices_client.post(url, data, follow=True))
    assert Assignment.objects.count() == 2


def test_an_ended_assignment_is_resumed_only_if_there_is_room(
    alices_client: Client, school_class: SchoolClass, full_list: list[Assignment]
) -> None:
    assignments.end(full_list[0])
    third = AssignmentFactory.create(school_class=school_class, options={"tables": [9]})
    url = url_of("resume_assignment", school_class, full_list[0].pk)
    assert "has 2 assignments" in text_on(alices_client.post(url, follow=True))
    assignments.end(third)
    assert "see it again" in text_on(alices_client.post(url, follow=True))


def test_repeating_an_assignment_weekly_needs_room(
    alices_client: Client, school_class: SchoolClass, full_list: list[Assignment]
) -> None:
    url = url_of("repeat_assignment", school_class, full_list[0].pk)
    assert "has 2 assignments" in text_on(alices_client.post(url, follow=True))
    assert not Assignment.objects.exclude(series=None).exists()
    assignments.end(full_list[1])
    assert "every week" in text_on(alices_client.post(url, follow=True))
    assert Assignment.objects.exclude(series=None).count() == 2


def test_a_coming_week_waits_until_there_is_room(
    school_class: SchoolClass, full_list: list[Assignment]
) -> None:
    series = uuid4()
    of_series = Assignment.objects.filter(pk=full_list[0].pk)
    of_series.update(starts_on=school_class.today(), series=series)
    repeat_weekly()
    assert Assignment.objects.count() == 2
    assignments.end(full_list[1])
    repeat_weekly()
    assert Assignment.objects.filter(series=series).count() == 2


@pytest.mark.parametrize("day", ["9999-12-31", "2100-01-01"])
@pytest.mark.parametrize("field", ["starts_on", "due_on"])
def test_no_day_is_more_than_two_years_ahead(
    alices_client: Client, school_class: SchoolClass, dora: Child, day: str, field: str
) -> None:
    """A week after the last possible day once caused an error 500."""
    url = url_of("assign_detail", school_class)
    context = alices_client.get(url).context
    data = {name: value for name, value in context["form"].initial.items() if value is not None}
    answer = alices_client.post(url, {**data, "audience": "everyone", "weekly": "on", field: day})
    assert "more than two years" in text_on(answer)
    assert not Assignment.objects.exists()
