"""The list of assignments: how far each child is, ending, repeating and undoing."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Assignment, Child, SchoolClass, User
from games.models import Game
from tests.classrooms.people import client_of, undo_of
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, GroupFactory

pytestmark = pytest.mark.django_db


def list_page(user: User, school_class: SchoolClass, **asked: str) -> Any:
    return client_of(user).get(reverse("classrooms:assignments", args=[school_class.pk]), asked)


def post_act(user: User, name: str, assignment: Assignment) -> Any:
    url = reverse(f"classrooms:{name}", args=[assignment.school_class_id, assignment.pk])
    return client_of(user).post(url, follow=True)


def undo(user: User, page: Any) -> Any:
    """Press the undo button of the message on a page."""
    return client_of(user).post(undo_of(page), follow=True)


def test_the_list_shows_how_far_each_child_is(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child, emil: Child
) -> None:
    fay = ChildFactory.create(school_class=school_class, name="Fay")
    done = AttemptFactory.create(assignment=assignment, child=dora).game
    Game.objects.filter(pk=done.pk).update(finished_at=timezone.now())
    AttemptFactory.create(assignment=assignment, child=dora)
    AttemptFactory.create(assignment=assignment, child=emil)
    page = list_page(alice, school_class)
    (item,) = page.context["overviews"]
    assert (item.done, item.playing, item.not_begun) == ([dora], [emil], [fay])
    assert [bar["width"] for bar in item.bars] == [33, 33, 34]
    for words in ("1 done", "1 started", "1 not started"):
        assert words in page.text


def test_only_the_children_with_the_assignment_are_counted(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    assignment = AssignmentFactory.create(school_class=school_class, everyone=False)
    assignment.groups.add(GroupFactory.create(school_class=school_class, children=[emil]))
    assignment.children.add(dora)
    (item,) = list_page(alice, school_class).context["overviews"]
    assert item.not_begun == [dora, emil]


def test_games_of_single_children_are_below_those_of_the_class(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child
) -> None:
    own = AssignmentFactory.create(school_class=school_class, everyone=False)
    own.children.add(dora)
    for_all, of_dora = list_page(alice, school_class).text.split("For single children (1)")
    assert f'id="a-{assignment.pk}"' in for_all
    assert f'id="a-{own.pk}"' not in for_all
    assert f'id="a-{own.pk}"' in of_dora


def test_current_upcoming_and_ended_assignments_have_a_list_each(
    alice: User, school_class: SchoolClass
) -> None:
    today, day = school_class.today(), timedelta(days=1)
    made: dict[str, list[dict[str, Any]]] = {
        "now": [{}, {"due_on": today}, {"starts_on": today}],
        "coming": [{"starts_on": today + day}],
        "past": [{"due_on": today - day}, {"ended_at": timezone.now()}],
    }
    for show, several in made.items():
        expected = {AssignmentFactory.create(school_class=school_class, **one) for one in several}
        page = list_page(alice, school_class, show=show)
        assert {item.assignment for item in page.context["overviews"]} == expected
        assert {item.when for item in page.context["overviews"]} == {show}


def test_many_ended_assignments_are_on_several_pages(
    alice: User, school_class: SchoolClass
) -> None:
    AssignmentFactory.create_batch(23, school_class=school_class, ended_at=timezone.now())
    first = list_page(alice, school_class, show="past")
    assert len(first.context["overviews"]) == 20
    assert "?show=past&amp;page=2" in first.text
    assert len(list_page(alice, school_class, show="past", page="2").context["overviews"]) == 3


def test_an_assignment_that_no_child_has_can_be_given_again(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    ended = AssignmentFactory.create(
        school_class=school_class, everyone=False, ended_at=timezone.now()
    )
    again = "Show it to the children again"
    assert again not in list_page(alice, school_class, show="past").text
    ended.children.add(dora)
    assert again in list_page(alice, school_class, show="past").text


def test_assigning_can_be_undone_while_nobody_plays(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:assign", args=[school_class.pk])
    page = client_of(alice).post(url, {"preset": "first"}, follow=True)
    assert "Assigned to the class: 2, 5 and 10 times tables." in page.text
    undo(alice, page)
    assert not Assignment.objects.exists()


def test_a_withdrawal_says_what_and_from_whom(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    for_all = AssignmentFactory.create(school_class=school_class)
    hers = AssignmentFactory.create(school_class=school_class, everyone=False)
    hers.children.add(dora)
    for given, whom in ((for_all, "the class"), (hers, "Dora")):
        page = post_act(alice, "withdraw_assignment", given)
        assert f"No longer assigned to {whom}: " in page.text


def test_undoing_keeps_the_evidence_of_a_begun_game(
    alice: User, assignment: Assignment, dora: Child
) -> None:
    AttemptFactory.create(assignment=assignment, child=dora)
    page = post_act(alice, "withdraw_assignment", assignment)
    assert "A child had already started" in page.text
    assert Assignment.objects.get().ended_at is not None
    assert Game.objects.exists()
