from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from classrooms.models import Assignment, SchoolClass, User
from tests.classrooms.people import client_of
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
)

pytestmark = pytest.mark.django_db

FORM = {
    "rows": "tables",
    "tables": ["2", "5"],
    "bots": "1",
    "rounds": "3",
    "hints": "on",
}


def posted(user: User, school_class: SchoolClass, **changed: Any) -> Any:
    url = reverse("classrooms:assign", args=[school_class.pk])
    return client_of(user).post(url, {**FORM, **changed})


def test_the_form_as_it_stands_offers_the_first_tables_against_one_bot(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:assign", args=[school_class.pk])
    initial = {
        name: field.initial
        for name, field in client_of(alice).get(url).context["form"].fields.items()
    }
    assert initial == {
        "rows": "tables",
        "tables": [2, 5, 10],
        "bots": 1,
        "rounds": 3,
        "hints": True,
        "offers": False,
        "due_on": None,
    }


@pytest.mark.parametrize(("asked", "chosen"), [("7", [7]), ("99", None), ("x", None)])
def test_a_link_can_ask_for_a_table(
    alice: User, school_class: SchoolClass, asked: str, chosen: list[int] | None
) -> None:
    url = reverse("classrooms:assign", args=[school_class.pk])
    form = client_of(alice).get(url, {"tables": asked}).context["form"]
    assert form["tables"].initial == (chosen or [2, 5, 10])


def test_the_first_assignment_leads_on_to_the_cards(alice: User, school_class: SchoolClass) -> None:
    ChildFactory.create(school_class=school_class)
    response = posted(alice, school_class)
    assert response.headers["Location"] == reverse("classrooms:cards", args=[school_class.pk])


def test_further_assignments_come_back_to_the_list(alice: User, school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class)
    response = posted(alice, school_class)
    assert response.headers["Location"] == reverse("classrooms:assignments", args=[school_class.pk])


@pytest.mark.parametrize(
    ("changed", "tables", "back"),
    [
        ({}, (2, 5), None),
        ({"rows": "zero"}, None, (0,)),
        ({"rows": "anything"}, None, None),
    ],
)
def test_the_choice_of_rows_becomes_rules_of_the_game(
    alice: User,
    school_class: SchoolClass,
    changed: dict[str, str],
    tables: tuple[int, ...] | None,
    back: tuple[int, ...] | None,
) -> None:
    posted(alice, school_class, **changed)
    ruleset = Assignment.objects.get().ruleset
    assert ruleset.edition == "simplified"
    assert (ruleset.tables, ruleset.counts_back_to) == (tables, back)
    assert ruleset.rounds == 3
    assert not ruleset.offers


def test_offers_and_no_hints_can_be_chosen(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, offers="on", hints="")
    made = Assignment.objects.get()
    assert made.ruleset.offers
    assert made.hint_steps == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tables", []),
        ("tables", ["1"]),
        ("tables", ["13"]),
        ("bots", "0"),
        ("bots", "4"),
        ("rounds", "6"),
        ("rows", "primes"),
        ("due_on", "2001-01-01"),
        ("due_on", "soon"),
    ],
)
def test_what_makes_no_game_is_refused(
    alice: User, school_class: SchoolClass, field: str, value: object
) -> None:
    assert field in posted(alice, school_class, **{field: value}).context["form"].errors
    assert not Assignment.objects.exists()


def test_it_may_be_due_today(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, due_on=school_class.today().isoformat())
    assert Assignment.objects.get().due_on == school_class.today()


def test_every_table_to_twelve_can_be_assigned(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, tables=[str(table) for table in range(2, 13)])
    assert Assignment.objects.get().ruleset.tables == tuple(range(2, 13))


def test_the_list_tells_how_many_children_have_started(
    alice: User, school_class: SchoolClass
) -> None:
    assignment = AssignmentFactory.create(school_class=school_class)
    dora, _ = ChildFactory.create_batch(2, school_class=school_class)
    AttemptFactory.create(assignment=assignment, child=dora)
    response = client_of(alice).get(reverse("classrooms:assignments", args=[school_class.pk]))
    assert "played by 1 of 2" in response.text


def test_an_ended_assignment_stays_in_the_list_below_the_others(
    alice: User, school_class: SchoolClass
) -> None:
    old = AssignmentFactory.create(school_class=school_class)
    AssignmentFactory.create(
        school_class=school_class, created_at=old.created_at - timedelta(days=1)
    )
    url = reverse("classrooms:end_assignment", args=[school_class.pk, old.pk])
    client_of(alice).post(url)
    response = client_of(alice).get(reverse("classrooms:assignments", args=[school_class.pk]))
    assert [item.assignment == old for item in response.context["assignments"]] == [
        False,
        True,
    ]
