"""A child chooses a face and dresses it; it is only the child's own."""

import pytest
from django.urls import reverse

from classrooms.assignments import services
from classrooms.collection.pieces import PIECES
from classrooms.models import Child
from games.bots.registry import CAST
from games.models import Seat
from games.screen.pictures.player_faces import PLAIN
from tests.classrooms.collection.test_pieces import found
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


def test_the_face_sits_at_the_table(dora: Child) -> None:
    choose(dora, animal="hare", glasses="round")
    game = services.go_on_or_start(dora, AssignmentFactory.create(school_class=dora.school_class))
    assert Seat.objects.get(game=game, player=dora.player).face == "hare round"
    page = client_of_child(dora).get(f"/games/{game.pk}/").text
    assert "#face-hare" in page
    assert "#round" in page


def test_one_face_is_in_the_header_on_the_list_and_at_the_table(dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    client = client_of_child(dora)
    for animal in (PLAIN.animal, "cat"):
        table = client.post(reverse("classrooms:start", args=[assignment.pk]), follow=True).text
        me = client.get(reverse("classrooms:me")).text
        assert [page.count(f'href="#face-{animal}"') for page in (me, table)] == [2 + 1, 2]
        choose(dora, animal="cat")


def test_a_guided_round_seats_the_face_of_the_child(dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    choose(dora, animal="hare")
    client_of_child(dora).post(reverse("classrooms:learn"), {"edition": "simplified"})
    assert Seat.objects.get(player=dora.player).face == "hare"


@pytest.mark.parametrize("animal", [face for _, face in CAST])
def test_the_bots_look_like_the_child_only_if_there_are_too_few_others(animal: str) -> None:
    seats = services.bot_seats(3, "onlooker", f"{animal} cap")
    assert animal not in {seat.face for seat in seats}


def test_a_finished_picture_becomes_the_childs_tablecloth_and_can_be_taken_off(dora: Child) -> None:
    found(dora, 4, at_once=PIECES)
    found(dora, 5, at_once=PIECES - 1)
    hers = client_of_child(dora)
    text = hers.get(reverse("classrooms:collection")).text
    assert [f'name="cloth" value="cloth{n}"' in text for n in (4, 5)] == [True, False]
    hers.post(reverse("classrooms:face"), {"cloth": "cloth4"})
    dora.refresh_from_db()
    game = services.go_on_or_start(dora, AssignmentFactory.create(school_class=dora.school_class))
    assert "#picture-4" in hers.get(reverse("games:page", args=[game.pk])).text
    assert 'name="cloth" value=""' in hers.get(reverse("classrooms:collection")).text
    assert choose(dora, animal="hare") == "hare cloth4"
    hers.post(reverse("classrooms:face"), {"cloth": ""})
    dora.refresh_from_db()
    assert dora.face == "hare"
