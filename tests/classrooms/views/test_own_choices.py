"""What a page lists or offers is of the class that it is about, and of those who see it."""

from typing import Any
from uuid import uuid4

import pytest
from django.http import Http404
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from classrooms.audit import Page, log_view
from classrooms.classes import services
from classrooms.models import Assignment, Child, SchoolClass, Teaching, User
from games import views as games
from tests.classrooms.people import client_of, client_of_child
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    TeachingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def finn() -> Child:
    """Of Charlie's class."""
    charlie = UserFactory.create(email="charlie@example.org")
    return ChildFactory.create(
        school_class=TeachingFactory.create(user=charlie).school_class, name="Finn"
    )


def context_of(user: User, name: str, *args: Any) -> Any:
    return client_of(user).get(reverse(f"classrooms:{name}", args=args)).context


def test_a_child_can_be_moved_to_ones_own_unarchived_classes(
    alice: User, dora: Child, finn: Child
) -> None:
    second, old = (TeachingFactory.create(user=alice).school_class for _ in range(2))
    services.archive(old)
    page = context_of(alice, "child", dora.school_class_id, dora.pk)
    assert list(page["other_classes"]) == [second]


def test_a_co_teacher_moves_children_only_where_the_owner_teaches(
    alice: User, dora: Child, finn: Child
) -> None:
    """In a class that Alice does not teach, Charlie could look at Dora unseen."""
    charlie = User.objects.get(email="charlie@example.org")
    shared = TeachingFactory.create(user=alice).school_class
    for school_class in (dora.school_class, shared):
        TeachingFactory.create(
            user=charlie, school_class=school_class, role=Teaching.Role.CO_TEACHER
        )
    page = context_of(charlie, "child", dora.school_class_id, dora.pk)
    assert list(page["other_classes"]) == [shared]


def test_a_child_can_be_merged_into_a_classmate(
    alice: User, dora: Child, emil: Child, finn: Child
) -> None:
    page = context_of(alice, "merge_child", dora.school_class_id, dora.pk)
    assert list(page["others"]) == [emil]


def test_the_audit_log_is_that_of_the_class_and_names_its_children_alone(
    alice: User, dora: Child, finn: Child
) -> None:
    charlie = User.objects.get(email="charlie@example.org")
    log_view(charlie, Page.CLASS, school_class=finn.school_class)
    log_view(alice, Page.CHILD, school_class=dora.school_class, child=dora)
    log_view(alice, Page.CHILD, school_class=dora.school_class, child=finn)
    url = reverse("classrooms:who_looked", args=[dora.school_class_id])
    page = client_of(alice).get(url).text
    assert "Dora" in page
    assert "Finn" not in page
    assert charlie.email not in page


def test_at_the_years_end_the_matches_of_the_class_are_counted(
    alice: User, school_class: SchoolClass, dora: Child, finn: Child
) -> None:
    for child in (dora, finn):
        AttemptFactory.create(child=child)
    assert context_of(alice, "year_end", school_class.pk)["game_count"] == 1


def test_only_a_player_finds_the_game_at_any_address(dora: Child) -> None:
    """A bot's seat has no player either: it must not be taken for theirs."""
    request: Any = RequestFactory().get("/")
    request.player = None
    game = AttemptFactory.create(child=dora).game
    for page in (games.page, games.act):
        request.method = "POST" if page is games.act else "GET"
        with pytest.raises(Http404):
            page(request, game.pk)


@pytest.mark.parametrize("name", ["assign_detail", "assign_try"])
def test_what_is_copied_or_tried_out_is_an_assignment_of_the_class(
    alice: User, assignment: Assignment, finn: Child, name: str
) -> None:
    teacher = client_of(alice)
    ask = teacher.post if name == "assign_try" else teacher.get
    url = reverse(f"classrooms:{name}", args=[assignment.school_class_id])
    theirs = AssignmentFactory.create(school_class=finn.school_class)
    assert ask(url, {"of": str(assignment.pk)}).status_code in (200, 302)
    for other in (str(theirs.pk), "x"):
        assert ask(url, {"of": other}).status_code == 404


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_cards_and_letters_are_those_of_the_class_or_of_one_child_of_it(
    alice: User, dora: Child, emil: Child, finn: Child, name: str
) -> None:
    def printed(**asked: str) -> list[str]:
        page = client_of(alice).get(
            reverse(f"classrooms:{name}", args=[dora.school_class_id]), asked
        )
        return (
            [card.child.name for card in page.context["cards"]] if page.status_code == 200 else []
        )

    assert printed() == ["Dora", "Emil"]
    assert printed(child=str(emil.pk)) == ["Emil"]
    for nobody in (str(finn.pk), str(uuid4()), "x"):
        assert printed(child=nobody) == []


def test_the_reports_to_print_are_of_the_children_of_the_class(
    alice: User, dora: Child, emil: Child, finn: Child
) -> None:
    page = context_of(alice, "papers", dora.school_class_id)
    assert list(page["children"]) == [dora, emil]


def test_what_a_child_chooses_is_its_own_choice(dora: Child, emil: Child) -> None:
    child = client_of_child(dora)
    child.post(reverse("classrooms:speed"), {"speed": "slow"})
    child.post(reverse("classrooms:language"), {"language": "sv"})
    child.post(reverse("classrooms:face"), {"animal": "owl"})
    fields = ("speed", "language", "face")
    chosen = {row[0]: row[1:] for row in Child.objects.values_list("name", *fields)}
    assert chosen == {"Dora": ("slow", "sv", "owl"), "Emil": ("normal", "", "")}


def test_a_removed_child_is_on_no_list(alice: User, dora: Child, emil: Child) -> None:
    Child.objects.filter(pk=emil.pk).update(removed_at=timezone.now())
    page = context_of(alice, "merge_child", dora.school_class_id, dora.pk)
    assert list(page["others"]) == []
