"""Whom an assignment is for, from when until when, and what is practised most."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from classrooms.assignments import choice, services
from classrooms.models import Assignment, Child, SchoolClass, User
from tests.classrooms.assignments.posting import posted
from tests.classrooms.people import client_of
from tests.factories import (
    ChildFactory,
    GroupFactory,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rows": "tables"}, "Choose these tables above as well: rows have to be in them."),
        ({"rows": "one"}, "Rows that count back to 1 are not in any of these tables."),
    ],
)
def test_tables_to_practise_most_must_be_able_to_have_rows(
    alice: User, school_class: SchoolClass, changed: dict[str, Any], message: str
) -> None:
    page = posted(alice, school_class, focus=["7"], **changed)
    assert page.context["form"].errors == {"focus": [message]}


@pytest.mark.parametrize("rows", ["zero", "zero-or-one", "anything"])
def test_tables_to_practise_most_are_in_the_deals_and_the_questions(
    alice: User, school_class: SchoolClass, dora: Child, rows: str
) -> None:
    posted(alice, school_class, rows=rows, focus=["7", "8"])
    made = Assignment.objects.get()
    assert made.focus == [7, 8]
    game = services.go_on_or_start(dora, made)
    assert (game.kind_tables, game.ruleset.tables) == ([7, 8], None)
    assert "mainly 7 and 8" in choice.details(made)


@pytest.mark.parametrize(
    ("changed", "field", "message"),
    [
        ({"starts_on": 3, "due_on": 2}, "due_on", "The last day is before the first day."),
        ({"starts_on": -1}, "starts_on", "This day has passed."),
        (
            {"starts_on": 1, "due_on": 8, "weekly": "on"},
            "due_on",
            "An assignment that repeats weekly can last seven days at most.",
        ),
    ],
)
def test_days_that_contradict_each_other_are_an_error(
    alice: User, school_class: SchoolClass, changed: dict[str, Any], field: str, message: str
) -> None:
    today = school_class.today()
    days = {
        name: (today + timedelta(value)).isoformat() if name.endswith("_on") else value
        for name, value in changed.items()
    }
    assert posted(alice, school_class, **days).context["form"].errors == {field: [message]}


def test_first_and_last_day_and_every_week(alice: User, school_class: SchoolClass) -> None:
    today = school_class.today()
    first, last = today + timedelta(1), today + timedelta(7)
    posted(alice, school_class, starts_on=first, due_on=last, weekly="on")
    made = Assignment.objects.get()
    assert (made.starts_on, made.due_on) == (first, last)
    assert made.series is not None


def test_children_and_groups_can_be_chosen(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, children=[emil])
    posted(alice, school_class, children=[dora.pk], groups=[group.pk])
    made = Assignment.objects.get()
    assert not made.everyone
    assert (list(made.children.all()), list(made.groups.all())) == ([dora], [group])


def test_children_of_another_class_cannot_be_chosen(alice: User, school_class: SchoolClass) -> None:
    page = posted(alice, school_class, children=[ChildFactory.create().pk])
    assert list(page.context["whom"].errors) == ["children"]
    assert not Assignment.objects.exists()


def test_a_copy_begins_with_everything_that_was_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    changed = {
        "edition": "classic",
        "tables": ["3", "7"],
        "bots": "2",
        "bot": "sharp",
        "kind": "",
        "rounds": "target",
        "target": "80",
        "hint_steps": "2",
        "checks": "",
        "families": ["primes"],
        "focus": ["7"],
        "doubling": "same",
        "opening": "no",
        "offers": "on",
    }
    posted(alice, school_class, **changed, children=[dora.pk])
    first = Assignment.objects.get()
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    page = client_of(alice).get(url, {"of": str(first.pk)})
    form, whom = page.context["form"], page.context["whom"]
    data = {name: form[name].value() for name in form.fields}
    data |= {name: whom[name].value() for name in whom.fields}
    client_of(alice).post(url, {name: value for name, value in data.items() if value})
    second = Assignment.objects.exclude(pk=first.pk).get()
    assert second.ruleset == first.ruleset
    assert list(second.children.all()) == [dora]
    for name in ("focus", "bots", "bot", "kind", "hint_steps", "missed_rows", "checks", "rounds"):
        assert getattr(second, name) == getattr(first, name), name


@pytest.mark.parametrize("of", ["x", "7f3c1c9e-0000-4000-8000-000000000000"])
def test_what_is_not_there_cannot_be_copied(
    alice: User, school_class: SchoolClass, of: str
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    assert client_of(alice).get(url, {"of": of}).status_code == 404


def test_every_table_to_twelve_can_be_assigned(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, tables=[str(table) for table in range(2, 13)])
    assert Assignment.objects.get().ruleset.tables == tuple(range(2, 13))
