import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from classrooms.credentials import read_code
from classrooms.demo import school
from classrooms.demo.model_children import WEAK
from classrooms.demo.model_games import ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store
from classrooms.demo.simulated_weeks import Weeks
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.evidence import dirty_attempts
from classrooms.progress.models import TableDay
from games.engine.ruleset import edition
from games.models import Game
from games.play import services
from games.play.log import entries_of, replayed, setting_of, snapshot_of
from games.play.moves import Move, MoveInProgress
from games.play.services import NewSeat
from tests.cheaply import rows_of_a_module
from tests.factories import AttemptFactory

pytestmark = pytest.mark.django_db


def demo_school(*arguments: str) -> str:
    out = StringIO()
    call_command("demo_school", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The lines of a demo with few children, which each test finds as it was made."""
    with pytest.MonkeyPatch.context() as patch, rows_of_a_module(django_db_blocker):
        patch.setattr(school, "NAMES", school.NAMES[:3])
        patch.setattr(school, "WEEKS", Weeks(weeks=1, sittings=3))
        yield demo_school()


@pytest.mark.usefixtures("made")
def test_every_child_has_played_is_counted_and_one_match_is_still_open() -> None:
    school_class = SchoolClass.objects.get()
    assert school_class.assignments.count() == 3
    assert Game.objects.count() > 3 * 3
    for child in Child.objects.all():
        assert child.attempts.filter(game__finished_at__isnull=False).count() >= 2
    assert Attempt.objects.filter(game__finished_at=None).exists()
    assert TableDay.objects.filter(at_once__gt=0).exists()
    assert not dirty_attempts().exists()


@pytest.mark.proof
@pytest.mark.usefixtures("made")
def test_a_class_as_long_as_asked_for_stands_beside_it() -> None:
    demo_school("--weeks", "2", "--children", "4", "--sittings", "1", "-v0")
    assert SchoolClass.objects.count() == 2
    long_class = SchoolClass.objects.exclude(name=school.CLASS_NAME).get()
    assert long_class.children.count() == 4
    assert Attempt.objects.filter(assignment__school_class=long_class).count() > 4


@pytest.mark.proof
@pytest.mark.usefixtures("made")
def test_a_reset_makes_it_anew_and_leaves_other_classes_alone() -> None:
    other = AttemptFactory.create()
    games = Game.objects.count() - 1
    before = SchoolClass.objects.get(name=school.CLASS_NAME).pk
    demo_school("--reset")
    assert SchoolClass.objects.get(name=school.CLASS_NAME).pk != before
    assert Game.objects.exclude(attempt=other).count() == games
    assert Attempt.objects.filter(pk=other.pk).exists()


def test_the_lines_name_what_signs_in_the_teacher_and_the_child(made: str, client: Client) -> None:
    sign_in = json.loads(demo_school("--json"))
    data = {"login": sign_in["email"], "password": sign_in["password"]}
    signed_in = client.post(reverse("account_login"), data)
    assert signed_in.headers["Location"] == reverse("classrooms:classes")
    child = Child.objects.get(name=sign_in["child"])
    url = reverse("classrooms:pictures", args=[read_code(sign_in["code"]), child.pk])
    for picture in sign_in["pictures"]:
        response = client.post(url, {"picture": picture})
    assert response.headers["Location"] == reverse("classrooms:me")
    spaced_code = SchoolClass.objects.get().spaced_code
    for word in (school.EMAIL, school.password(), spaced_code, "Dora"):
        assert word in made


BEGINS = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PLAYER = uuid4()
PAST = PastGame(
    ruleset=edition("simplified", tables=(2, 5, 10), offers=False, rounds=2),
    seats=[NewSeat(player=PLAYER, name="Dora"), NewSeat(bot="steady", name="Ollie", face="owl")],
    begins=BEGINS,
    seed=7,
    hint_steps=4,
)


class Remembering(ModelChooser):
    """A model child whose moves can be repeated."""

    def choose(self, current: MoveInProgress, seat: int) -> tuple[Move, float]:
        chosen = ModelChooser.choose(self, current, seat)
        self.moves.append(chosen[0])
        return chosen

    moves: list[Move]


@pytest.fixture
def chooser() -> Remembering:
    chooser = Remembering(WEAK, 5)
    chooser.moves = []
    return chooser


def log(game: Game) -> list[tuple[object, ...]]:
    return list(game.actions.values_list("number", "kind", "seat", "text", "data"))


def test_it_leaves_the_log_that_the_services_leave(chooser: Remembering) -> None:
    (game,) = store([play_out(PAST, chooser)])
    lived = services.start(PAST.ruleset, PAST.seats, hint_steps=4, seed=7)
    for move in chooser.moves:
        seen = services.look(lived.pk, PLAYER).game.version
        assert not services.act(lived.pk, PLAYER, seen=seen, key=uuid4(), move=move).error
    game.refresh_from_db()
    lived.refresh_from_db()
    assert {kind for _, kind, *_ in log(game)} >= {"deal", "act", "hint", "refused"}
    assert log(game) == log(lived)
    for name in ("version", "phase", "round", "snapshot", "round_winners"):
        assert getattr(game, name) == getattr(lived, name)


def test_its_snapshot_is_the_replay_of_its_log(chooser: Remembering) -> None:
    (game,) = store([play_out(PAST, chooser)])
    game.refresh_from_db()
    assert snapshot_of(game, 2) == replayed(setting_of(game, 2), entries_of(game))


def test_a_player_who_leaves_leaves_an_open_game() -> None:
    class Leaving:
        def choose(self, current: MoveInProgress, seat: int) -> None:
            return None

    (game,) = store([play_out(PAST, Leaving())])
    assert game.finished_at is None
    assert game.phase == "draw"
