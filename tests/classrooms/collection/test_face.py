"""A child chooses a face and dresses it; it is only the child's own."""

import pytest
from django.urls import reverse

from classrooms.assignments import services
from classrooms.models import Child
from games.models import Seat
from tests.classrooms.people import client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


def choose(child: Child, **parts: str) -> str:
    answer = client_of_child(child).post(reverse("classrooms:face"), parts)
    assert answer.headers["Location"] == reverse("classrooms:face")
    child.refresh_from_db()
    return child.face


def test_each_tap_changes_one_part_and_is_kept(dora: Child) -> None:
    assert choose(dora, animal="owl") == "owl"
    assert choose(dora, hat="cap") == "owl cap"
    assert choose(dora, neck="scarf") == "owl cap scarf"
    assert choose(dora, animal="frog") == "frog cap scarf"
    assert choose(dora, hat="") == "frog scarf"


@pytest.mark.parametrize("parts", [{"animal": ""}, {"animal": "wolf"}, {"hat": "<b>"}, {}])
def test_what_cannot_be_chosen_changes_nothing(dora: Child, parts: dict[str, str]) -> None:
    choose(dora, animal="owl", hat="cap")
    assert choose(dora, **parts) == "owl cap"


def test_the_page_marks_what_is_chosen(dora: Child) -> None:
    choose(dora, animal="cat")
    text = client_of_child(dora).get(reverse("classrooms:face")).text
    assert text.count('aria-pressed="true"') == 4  # the cat, and nothing three times
    assert 'id="animal-cat" aria-pressed="true"' in text


def test_the_face_sits_at_the_table(dora: Child) -> None:
    choose(dora, animal="hare", glasses="round")
    game = services.go_on_or_start(dora, AssignmentFactory.create(school_class=dora.school_class))
    assert Seat.objects.get(game=game, player=dora.player).face == "hare round"
    page = client_of_child(dora).get(f"/games/{game.pk}/").text
    assert "#face-hare" in page
    assert "#round" in page
