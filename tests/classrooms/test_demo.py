"""The demo school, its model children, and how they play."""

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
from classrooms.demo.model_children import (
    MODEL_CHILDREN,
    WEAK,
    ModelChooser,
    ModelPlayer,
)
from classrooms.demo.past_games import PastGame, play_out, store_games
from classrooms.demo.simulated_weeks import Weeks, play_weeks
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.evidence import dirty_attempts
from classrooms.progress.given_steps import recent_steps
from classrooms.progress.models import TableDay
from classrooms.reports.certificates import earned_certificates
from games.engine.cards import deck, shuffled
from games.engine.match import apply, first_starter, new_match
from games.engine.round import State
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play
from games.engine.text.notation import action_text
from games.engine.view import legal_actions, view
from games.models import Game
from games.play import services as play
from games.play import starting
from games.play.log import entries_of, replay_snapshot, setting_of, snapshot_of
from games.play.moves import Draft, Move
from games.play.starting import NewSeat
from tests.counts import times
from tests.factories import AttemptFactory, ChildFactory, SchoolClassFactory
from tests.games.positions import after, dealt
from tests.plugins.faster import rows_of_a_module


def demo_school(*arguments: str) -> str:
    out = StringIO()
    call_command("demo_school", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def demo_lines(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The lines of a demo with few children, made for each test."""
    with pytest.MonkeyPatch.context() as patch, rows_of_a_module(django_db_blocker):
        patch.setattr(school, "NAMES", school.NAMES[:3])
        patch.setattr(school, "WEEKS", Weeks(weeks=1, sittings=3))
        yield demo_school()


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_lines")
def test_every_child_has_played_and_one_match_is_open() -> None:
    school_class = SchoolClass.objects.get()
    assert school_class.assignments.count() == 4
    assert Game.objects.count() > 3 * 3
    *children, newcomer = Child.objects.order_by("name")
    assert not newcomer.attempts.exists()
    for child in children:
        assert child.attempts.filter(game__finished_at__isnull=False).count() >= 2
    assert Attempt.objects.filter(game__finished_at=None).exists()
    assert TableDay.objects.filter(at_once__gt=0).exists()
    assert not dirty_attempts().exists()
    (step,) = recent_steps(school_class, school_class.children.all())
    assert {*step.stages.values()} == {"done"}


@pytest.mark.django_db
@pytest.mark.proof
@pytest.mark.usefixtures("demo_lines")
def test_the_demo_has_another_class_of_the_wanted_length() -> None:
    demo_school("--weeks", "2", "--children", "4", "--sittings", "1", "-v0")
    assert SchoolClass.objects.count() == 2
    long_class = SchoolClass.objects.exclude(name=school.CLASS_NAME).get()
    assert long_class.children.count() == 4
    assert Attempt.objects.filter(assignment__school_class=long_class).count() > 4


@pytest.mark.django_db
@pytest.mark.proof
@pytest.mark.usefixtures("demo_lines")
def test_a_reset_makes_the_demo_again_and_leaves_other_classes_alone() -> None:
    other = AttemptFactory.create()
    games = Game.objects.count() - 1
    before = SchoolClass.objects.get(name=school.CLASS_NAME).pk
    demo_school("--reset")
    assert SchoolClass.objects.get(name=school.CLASS_NAME).pk != before
    assert Game.objects.exclude(attempt=other).count() == games
    assert Attempt.objects.filter(pk=other.pk).exists()


@pytest.mark.django_db
def test_weeks_of_one_child_are_theirs_alone() -> None:
    dora, emil = ChildFactory.create_batch(2, school_class=SchoolClassFactory.create())
    list(play_weeks(dora.school_class, Weeks(weeks=2, sittings=3, tables=((5,),)), only=dora))
    (assignment,) = dora.assignments.all()
    assert not assignment.is_for_everyone
    assert dora.attempts.exists()
    assert not emil.attempts.exists()


@pytest.mark.django_db
@pytest.mark.proof
@pytest.mark.usefixtures("clock")
def test_the_eager_child_earns_a_certificate_for_a_table() -> None:
    school_class = school.make_school()
    ((name, earned),) = earned_certificates(
        school_class, school_class.children.get(name=school.EAGER)
    )
    assert any(certificate.table for certificate in earned), name


@pytest.mark.django_db
def test_the_lines_say_how_the_teacher_and_the_child_sign_in(
    demo_lines: str, client: Client
) -> None:
    sign_in = json.loads(demo_school("--json"))
    data = {"login": sign_in["email"], "password": sign_in["password"]}
    signed_in = client.post(reverse("account_login"), data)
    assert signed_in.headers["Location"] == reverse("classrooms:classes")
    for name, pictures in (
        (sign_in["child"], sign_in["pictures"]),
        (sign_in["newcomer"], sign_in["newcomer_pictures"]),
    ):
        child = Child.objects.get(name=name)
        url = reverse("classrooms:pictures", args=[read_code(sign_in["code"]), child.pk])
        for picture in pictures:
            response = client.post(url, {"picture": picture})
        assert response.headers["Location"] == reverse("classrooms:me")
    spaced_code = SchoolClass.objects.get().spaced_code
    for word in (school.EMAIL, school.password(), spaced_code, "Dora"):
        assert word in demo_lines


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
    """A model child that records their moves."""

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float]:
        chosen = ModelChooser.choose(self, draft, seat)
        self.moves.append(chosen[0])
        return chosen

    moves: list[Move]


@pytest.fixture
def chooser() -> Remembering:
    chooser = Remembering(WEAK, 5)
    chooser.moves = []
    return chooser


def log(game: Game) -> list[tuple[object, ...]]:
    return list(game.entries.values_list("number", "kind", "seat", "text", "data"))


@pytest.mark.django_db
def test_model_games_leave_the_same_log_as_the_services(chooser: Remembering) -> None:
    (game,) = store_games([play_out(PAST, chooser)])
    lived = starting.start(PAST.ruleset, PAST.seats, hint_steps=4, seed=7)
    for move in chooser.moves:
        version = play.look(lived.pk, PLAYER).game.version
        assert not play.act(lived.pk, PLAYER, version=version, key=uuid4(), move=move).result.error
    game.refresh_from_db()
    lived.refresh_from_db()
    assert {kind for _, kind, *_ in log(game)} >= {"deal", "act", "hint", "refused"}
    assert log(game) == log(lived)
    for name in ("version", "phase", "round", "snapshot", "round_winners"):
        assert getattr(game, name) == getattr(lived, name)


@pytest.mark.django_db
def test_the_snapshot_of_a_model_game_is_the_replay_of_its_log(chooser: Remembering) -> None:
    (game,) = store_games([play_out(PAST, chooser)])
    game.refresh_from_db()
    assert snapshot_of(game, 2) == replay_snapshot(setting_of(game, 2), entries_of(game))


@pytest.mark.django_db
def test_a_player_who_leaves_leaves_an_open_game() -> None:
    class Leaving:
        def choose(self, draft: Draft, seat: int) -> None:
            return None

    (game,) = store_games([play_out(PAST, Leaving())])
    assert game.finished_at is None
    assert game.phase == "draw"


# Model children


# How they play


TABLES = edition("simplified", tables=(2, 5, 7, 10), offers=False)
MANY = 2000


def state_with(hand: str, rest: str = "49 1") -> State:
    """A state in which seat 0 has this hand and has to draw."""
    return dealt([hand, "4 6 8 12 11 13 22"], rest, ruleset=TABLES)


def state_after_draw(hand: str, rest: str = "49 1") -> State:
    return after(state_with(hand, rest), "draw closed")


def share_of_plays(state: State, child: str) -> float:
    actions = [
        ModelPlayer(MODEL_CHILDREN[child], seed).choose(view(state, 0)) for seed in range(MANY)
    ]
    return sum(isinstance(action, Play) for action in actions) / MANY


@pytest.mark.parametrize("child", MODEL_CHILDREN)
def test_a_row_is_noticed_as_often_as_the_figures_say(child: str) -> None:
    figures = MODEL_CHILDREN[child]
    tens = state_after_draw("10 20 30 3 17 33 41")
    sevens = state_after_draw("7 14 21 3 17 33 41")
    with_joker = state_after_draw("7 14 a 3 17 33 41")
    assert share_of_plays(tens, child) == pytest.approx(figures.chance(10), abs=0.04)
    assert share_of_plays(sevens, child) == pytest.approx(figures.chance(7), abs=0.04)
    assert share_of_plays(with_joker, child) == pytest.approx(
        figures.chance(7, joker=True), abs=0.04
    )


def test_an_overlooked_row_stays_overlooked_for_the_turn() -> None:
    state = state_after_draw("7 14 21 3 17 33 41")
    for seed in range(50):
        player = ModelPlayer(WEAK, seed)
        looks = {action_text(player.choose(view(state, 0))) for _ in range(5)}
        assert len(looks) == 1


def test_wrong_tries_are_as_frequent_as_the_figures_say() -> None:
    seat_view = view(state_after_draw("10 20 30 3 17 33 41"), 0)
    for child in MODEL_CHILDREN.values():
        tries = sum(ModelPlayer(child, seed).tries_wrongly(seat_view) for seed in range(MANY))
        assert tries / MANY == pytest.approx(child.wrong_tries, abs=0.02)


@pytest.mark.parametrize("name", EDITIONS)
def test_model_children_follow_the_rules_of_every_edition(name: str) -> None:
    for seed in range(times(2, 100)):
        ruleset = edition(name, rounds=1)
        seats = 2 + seed % 2
        cards = shuffled(deck(ruleset.highest), seed)
        state = new_match(ruleset, seats, cards, first_starter(ruleset, seats, seed), seed)
        players = [ModelPlayer(child, seed) for child in MODEL_CHILDREN.values()]
        while state.to_act is not None:
            seat = state.to_act
            action = players[seat].choose(view(state, seat))
            assert action_text(action) in map(action_text, legal_actions(view(state, seat)))
            state = apply(state, action)
        assert state.phase == "match over"
