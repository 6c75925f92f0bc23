"""A teacher tries out a game: played as a child does, counted for nobody."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from classrooms.assignments.choice import Choice
from classrooms.assignments.services import try_out
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress import evidence
from games.models import Game
from tests.classrooms.people import client_of, client_of_child
from tests.factories import AssignmentFactory, TeachingFactory

pytestmark = pytest.mark.django_db


def tried(user: User, school_class: SchoolClass, **data: Any) -> Any:
    client = client_of(user)
    url = reverse("classrooms:assign_try", args=[school_class.pk])
    return client, client.post(url, data, follow=True)


def test_a_teacher_plays_and_leaves_without_a_trace_of_evidence(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child
) -> None:
    client, page = tried(alice, school_class, of=assignment.pk)
    game = Game.objects.get()
    seen = game.version
    move = {"seen": seen, "key": uuid4(), "move": "draw-closed"}
    assert client.post(reverse("games:act", args=[game.pk]), move, follow=True).status_code == 200
    game.refresh_from_db()
    assert game.version > seen
    assert not Attempt.objects.exists()
    assert not evidence.process_game(game.pk)
    assert not Child.objects.filter(player=alice.player).exists()
    leave = reverse("classrooms:leave_try")
    assert leave in page.text
    assert client.get(leave).headers["Location"] == reverse(
        "classrooms:assignments", args=[school_class.pk]
    )


def test_nobody_else_sees_what_a_teacher_tries(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    game = try_out(alice, Choice())
    bob = TeachingFactory.create(school_class=school_class).user
    url = reverse("games:page", args=[game.pk])
    assert client_of(alice).get(url).status_code == 200
    assert client_of(bob).get(url).status_code == 404
    assert client_of_child(dora).get(url).status_code == 404


def test_only_the_last_try_is_kept(alice: User) -> None:
    first = try_out(alice, Choice())
    assert try_out(alice, Choice(edition="blocks", rows="zero")) == Game.objects.get()
    assert first != Game.objects.get()


def test_the_game_in_the_form_is_tried_out_and_errors_are_shown(
    alice: User, school_class: SchoolClass
) -> None:
    form = {
        "edition": "simplified", "rows": "tables", "tables": ["3"], "bots": "2", "bot": "steady",
        "rounds": "1", "hint_steps": "1",
    }  # fmt: skip
    tried(alice, school_class, **form)
    game = Game.objects.get()
    assert (game.ruleset.tables, game.ruleset.rounds, game.hint_steps) == ((3,), 1, 1)
    assert not game.missed_rows
    assert [seat.bot for seat in game.seats.all()] == ["", "steady", "steady"]
    _, wrong = tried(alice, school_class, **form | {"tables": []})
    assert "Choose at least one times table." in wrong.text
    assert Game.objects.get() == game


def test_an_assignment_of_another_class_is_not_found(
    alice: User, school_class: SchoolClass
) -> None:
    _, answer = tried(alice, school_class, of=AssignmentFactory.create().pk)
    assert answer.status_code == 404


def test_without_a_try_leaving_goes_to_the_classes(alice: User) -> None:
    leave = client_of(alice).get(reverse("classrooms:leave_try"))
    assert leave.headers["Location"] == reverse("classrooms:classes")
