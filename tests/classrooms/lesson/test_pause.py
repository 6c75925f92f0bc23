"""“Eyes on me”: all screens of the class are paused, and no move is made or lost."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import table_offers, tables
from classrooms.lesson import hands, pause
from classrooms.models import Assignment, Child, SchoolClass, User
from games.models import Game, Seat
from games.play import presence
from games.tasks import move_tables_on
from tests.classrooms.at_tables import game_of
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pause, "READ_SECONDS", 0)


def press(user: User, school_class: SchoolClass, button: str) -> HttpResponse:
    url = url_of("live", school_class)
    return client_of(user).post(url, {"do": button})  # type: ignore[return-value]


def is_paused(answer: Any) -> bool:
    """Whether the page says only that the class is paused."""
    assert answer.status_code == 200
    main = text_on(answer).partition("<main")[2].partition("</main>")[0]
    return "Look up: your teacher has something to say." in main


def draws(client: Client, game: Game, *, htmx: bool) -> Any:
    version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    page = reverse("games:page", args=[game.pk])
    headers = {"hx-request": "true"} if htmx else {"referer": f"http://testserver{page}"}
    post = {"seen": version, "key": uuid4(), "move": "draw-closed"}
    return client.post(f"{page}act", post, headers=headers)


@pytest.fixture
def game(dora: Child, school_class: SchoolClass) -> Game:
    played = begin_with_a_row(dora, AssignmentFactory.create(school_class=school_class))
    return Game.objects.get(pk=played.attempt.game_id)


def test_a_paused_child_makes_no_move(
    alice: User, school_class: SchoolClass, dora: Child, game: Game
) -> None:
    client, page = client_of_child(dora), reverse("games:page", args=[game.pk])
    before = text_on(client.get(page))
    press(alice, school_class, "pause")
    for url in (page, "/me/", "/me/face/", "/me/hand/"):
        assert is_paused(client.get(url))
    assert draws(client, game, htmx=True).status_code == pause.LOCKED
    assert draws(client, game, htmx=False)["Location"] == page
    assert Game.objects.get(pk=game.pk).version == game.version
    press(alice, school_class, "go on")
    assert text_on(client.get(page)).count("data-number") == before.count("data-number") > 0
    assert draws(client, game, htmx=True).status_code == 200
    assert Game.objects.get(pk=game.pk).version > game.version


def test_a_pause_makes_nobody_idle(
    clock: Traveller, alice: User, school_class: SchoolClass, game: Game, emil: Child
) -> None:
    begin_with_a_row(emil, AssignmentFactory.create(school_class=school_class))
    for child in school_class.children.all():
        Child.objects.filter(pk=child.pk).update(last_game=child.attempts.get().game)
    clock.shift(timedelta(minutes=3))
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now())

    def states() -> dict[str, str]:
        page = client_of(alice).get(url_of("live", school_class))
        return {tile.child_name: tile.state for tile in page.context["seen"]}

    before = {"Dora": "playing", "Emil": "pausing"}
    assert states() == before
    press(alice, school_class, "pause")
    assert states() == before
    clock.shift(timedelta(minutes=4))
    assert states() == before
    press(alice, school_class, "go on")
    assert states() == before
    clock.shift(timedelta(minutes=3))
    assert states() == dict.fromkeys(before, "pausing")


def test_a_forgotten_pause_ends_by_itself(
    clock: Traveller, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    press(alice, school_class, "pause")
    client = client_of_child(dora)
    clock.shift(pause.PAUSE_LASTS - timedelta(seconds=5))
    assert is_paused(client.get("/me/"))
    clock.shift(timedelta(seconds=6))
    assert not is_paused(client.get("/me/"))


def test_the_teacher_sees_that_the_screens_are_paused(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    live = url_of("live", school_class)
    client = client_of(alice)
    before = client.get(live)
    assert "Let them go on" not in text_on(before)
    assert "Before the screens were paused:" not in text_on(before)
    press(alice, school_class, "pause")
    tag = {"HX-PTag": before.headers["HX-PTag"], "HX-Request": "true"}
    part = text_on(client.get(f"{live}part/", headers=tag))
    assert "Let them go on" in part
    assert "Before the screens were paused:" in part
    pages = (live, f"{live}?screen=big", url_of("class", school_class))
    for page in pages:
        assert "All screens of the class are paused" in text_on(client.get(page))
    press(alice, school_class, "go on")
    assert "Let them go on" not in text_on(client.get(live))


def test_other_classes_and_teachers_are_not_affected(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    bob, foreign = UserFactory.create(), ChildFactory.create()
    assert press(bob, school_class, "pause").status_code == 404
    assert not is_paused(client_of_child(dora).get("/me/"))
    press(alice, school_class, "pause")
    assert is_paused(client_of_child(dora).get("/me/"))
    assert not is_paused(client_of_child(foreign).get("/me/"))
    assert press(bob, school_class, "go on").status_code == 404
    assert is_paused(client_of_child(dora).get("/me/"))


def test_an_open_page_polls_for_the_pause(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    url, anybody = pause.poll_of(school_class), Client()
    assert url in text_on(client_of_child(dora).get("/me/"))
    assert anybody.get(url).content == b""
    press(alice, school_class, "pause")
    assert anybody.get(url).content == b"paused"
    other = ChildFactory.create().school_class
    assert anybody.get(pause.poll_of(other)).content == b""
    forged = url.replace(str(school_class.pk), str(other.pk))
    assert anybody.get(forged).status_code == 404


def test_a_paused_child_stays_signed_in_and_can_sign_out(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of_child(dora)
    press(alice, school_class, "pause")
    assert client.get("/me/here/").status_code == 204
    client.post("/me/leave/")
    assert client.get("/me/here/").status_code == 404


def test_a_hand_for_everybody_and_its_rows_wait_behind_the_pause(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    hands.show_next_hand(school_class, [3, 4], None)
    client = client_of_child(dora)
    page = client.get("/me/hand/", follow=True).redirect_chain[-1][0]
    press(alice, school_class, "pause")
    assert is_paused(client.get(page))
    hand = Assignment.all_objects.get(one_turn__isnull=False)
    hands.show_rows(school_class, hand.pk)
    assert is_paused(client.get(page))
    press(alice, school_class, "go on")
    waits = client.get("/me/hand/")
    assert not is_paused(waits)
    assert "The next hand comes here by itself." in text_on(waits)


def at_a_table(dora: Child, emil: Child) -> Game:
    assignment = AssignmentFactory.create(school_class=dora.school_class, chairs=2)
    tables.sit(dora, assignment.pk, None)
    table = table_offers.table_of(dora)
    tables.sit(emil, assignment.pk, table.pk)
    tables.begin(dora, if_due=False)
    table.refresh_from_db()
    game = game_of(table)
    due_at = timezone.now() + timedelta(seconds=30)
    Game.objects.filter(pk=game.pk).update(due_at=due_at)
    return game


@pytest.mark.parametrize("lets_go_on", [True, False])
def test_a_table_waits_for_the_pause_and_no_bot_plays(
    clock: Traveller,
    alice: User,
    school_class: SchoolClass,
    dora: Child,
    emil: Child,
    *,
    lets_go_on: bool,
) -> None:
    game = at_a_table(dora, emil)
    due = Game.objects.get(pk=game.pk).due_at
    assert due
    wait = due - timezone.now()
    press(alice, school_class, "pause")
    clock.shift(timedelta(minutes=6))
    move_tables_on()
    press(alice, school_class, "pause")
    clock.shift(timedelta(minutes=3) if lets_go_on else pause.PAUSE_LASTS)
    move_tables_on()
    assert Game.objects.get(pk=game.pk).version == game.version
    if lets_go_on:
        press(alice, school_class, "go on")
    now = timezone.now()
    assert all(presence.is_here(seat, now) for seat in Seat.objects.exclude(player=None))
    due = Game.objects.get(pk=game.pk).due_at
    assert due
    assert abs(due - now - wait) < timedelta(seconds=2)
    clock.shift(presence.PRESENT_FOR + timedelta(seconds=5))
    assert not any(presence.is_here(seat, timezone.now()) for seat in Seat.objects.all())


def test_a_move_costs_no_additional_query(dora: Child, game: Game) -> None:
    client = client_of_child(dora)
    with CaptureQueriesContext(connection) as queries:
        draws(client, game, htmx=True)
    assert sum("paused_until" in query["sql"] for query in queries) == 1
