"""Requests that no page of ours sends get a 400 or a 404, never a server error. Each address gets
them from a person who may open it."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import transaction
from django.test import Client
from django.test.client import RequestFactory
from django.urls import resolve, reverse

from classrooms.http import LARGEST_BODY, LARGEST_CHILD_FORM, largest_body
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.models import Chance
from classrooms.progress.tasks import look_for_dirty
from classrooms.signin.children_only import SESSION_COOKIE
from games.models import Game
from nmbrs_edu.middleware import MARK, ReadableRequest
from nmbrs_edu.wsgi import application
from tests.classrooms.people import client_of, client_of_child, url_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.counts import times
from tests.factories import AssignmentFactory
from tests.games.players import new_game
from tests.pages import PAGES, address
from tests.permission_world import World, make_world

pytestmark = pytest.mark.django_db


def test_the_health_check_answers_under_any_name(settings: Any) -> None:
    settings.ALLOWED_HOSTS = [".schools.example"]
    environ = {"HTTP_HOST": "10.0.0.7:8000", "REQUEST_METHOD": "GET", "wsgi.input": BytesIO()}
    assert ReadableRequest({**environ, "PATH_INFO": "/healthz"}).get_host() == "localhost"
    with pytest.raises(DisallowedHost):
        ReadableRequest({**environ, "PATH_INFO": "/"}).get_host()


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n1\r\n--x--\r\n'
DIGITS = "9" * 4301
FIELDS = """
    name names code picture email login password do row seen key sheet speed language edition
    preset number answer ms to into child play card cross of family group columns
"""
QUERIES = """
    at position step page table period sort q edit child to undo row tables of preset
"""


def bodies() -> Iterator[tuple[str, bytes]]:
    """Content types with a body. No page of ours sends any of them."""
    for charset in ("utf-16", "utf-7", "latin-1", "hex", "idna", "rot13", "no-such"):
        yield f"{FORM}; charset={charset}", "name=é".encode("utf-16")
        yield f"{MULTIPART}; charset={charset}", PART
    yield "multipart/form-data", PART
    yield f"multipart/form-data; boundary={'x' * 300}", PART
    yield MULTIPART, b"--x\r\n" + b"A: b\r\n" * 2_000 + b"\r\n1\r\n--x--\r\n"
    yield FORM, b"a&" * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)
    yield FORM, "&".join(f"{field}=%00" for field in FIELDS.split()).encode()


@pytest.fixture
def world(db: None) -> World:
    return make_world()


def status_of(client: Client, method: str, url: str, body: bytes = b"", kind: str = FORM) -> int:
    """The status of the answer. The changes of the request are undone."""
    with transaction.atomic():
        answer = client.generic(method, url, body, content_type=kind)
        transaction.set_rollback(True)
    return answer.status_code


def test_an_unreadable_body_is_answered_400(world: World) -> None:
    answers = list(bodies())
    for place, (name, page) in enumerate(PAGES.items()):
        if "POST" not in page.methods:
            continue
        client, url = world.clients[PAGES[name].visitor], address(name, world.targets["Alice's"])
        for kind, body in times(answers[place % len(answers) :][:1], answers):
            assert status_of(client, "POST", url, body, kind) == 400, (name, kind, body[:40])


def test_an_odd_address_never_causes_a_server_error(world: World) -> None:
    odd = [DIGITS, "\x00", "2026-02-31", "2026-02-31T10:00:00+00:00", "٣", "²", "//["]
    for place, name in enumerate(PAGES):
        client, url = world.clients[PAGES[name].visitor], address(name, world.targets["Alice's"])
        for text in times(odd[place % 7 :][:1], odd):
            query = urlencode(dict.fromkeys(QUERIES.split(), text))
            for method in {"GET", "POST"} & set(PAGES[name].methods):
                status = status_of(client, method, f"{url}?{query}")
                assert status < 500, (name, method, text[:20])
                assert "\x00" not in text or status == 400, (name, method)


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain; charset=hex",
        "text/plain; charset=utf-16",
        "text/plain; charset=no-such",
        "text/plain; charset=a\x00b",
        "text/plain; charset*=hex''%61",
        "text/plain; charset*=utf-16''utf-8%",
    ],
)
def test_nothing_is_read_in_another_character_set(kind: str) -> None:
    """The test asks as the server does, because the test client itself reads the request."""
    environ = {"QUERY_STRING": "q=%ff", "CONTENT_TYPE": kind, "HTTP_HOST": "testserver"}
    setup_testing_defaults(environ)
    statuses: list[str] = []

    def start(status: str, *more: Any) -> Callable[[bytes], object]:
        statuses.append(status)
        return BytesIO().write

    answer = application(environ, start)
    assert statuses == ["400 Bad Request"]
    assert b"Something went wrong on this page" in b"".join(answer)


@pytest.mark.parametrize("path", ["/play/%00/", "/q/%00", "/invitations/%00/", "/rules/%00/"])
def test_nul_in_a_path_is_refused(path: str) -> None:
    assert Client().get(path).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"User-Agent": "a\0b"},
        *(
            {"Cookie": rf'{name}="a\000b"'}
            for name in (settings.SESSION_COOKIE_NAME, SESSION_COOKIE)
        ),
    ],
)
def test_nul_in_a_header_is_refused(headers: dict[str, str]) -> None:
    """A browser's cookie may contain any character as an octal number."""
    assert Client(headers=headers).get(reverse("classrooms:classes")).status_code == 400


@pytest.fixture
def missed_chance(dora: Child, school_class: SchoolClass) -> Chance:
    """A row that Dora missed, which has a replay and a talk."""
    assignment: Assignment = AssignmentFactory.create(school_class=school_class)
    begin_with_a_row(dora, assignment).play_round(lays=False)
    look_for_dirty()
    return Chance.objects.filter(child=dora, outcome="missed", table__gt=0)[0]


def test_a_step_that_does_not_exist_is_the_first_one(alice: User, missed_chance: Chance) -> None:
    client, ids = client_of(alice), [missed_chance.child.school_class_id, missed_chance.child_id]
    replay = reverse("classrooms:replay", args=[*ids, missed_chance.game_id, missed_chance.entry])
    talk = url_of("talk", missed_chance.child.school_class)
    page = url_of("class", missed_chance.child.school_class)
    for number in (DIGITS, "0", "-1", "99", "²", "٣", "1.5", ""):
        context = client.get(replay, {"at": number}).context
        position = client.get(talk, {"position": number, "step": number}).context["position"]
        assert context["scene"] == context["replay"].scenes[context["replay"].row_scene - 1], number
        assert (position.number, position.step) == (1, 1), number
        moves = {"child": str(missed_chance.child_id), "table": number}
        assert client.get(page, moves).status_code == 200, number


SETTINGS = ("speed", "sounds", "language")
OTHER_SITE = "https://evil.example/"


# The address to go back to


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(
    "back",
    ["word", "classes", "nowhere/", "/nowhere/", "//evil.example/", OTHER_SITE, "http://[", ""],
)
def test_a_foreign_next_address_leads_to_the_childs_page(dora: Child, name: str, back: str) -> None:
    answer = client_of_child(dora).post(reverse(f"classrooms:{name}"), {"next": back})
    assert answer.headers["Location"] == reverse("classrooms:me")


@pytest.mark.parametrize("name", SETTINGS)
def test_a_post_leads_back_to_its_page(dora: Child, name: str) -> None:
    game = reverse("games:page", args=[new_game(dora.player).pk])
    for page in (f"{game}?x=1", "/rules/blocks/"):
        answer = client_of_child(dora).post(reverse(f"classrooms:{name}"), {"next": page})
        assert answer.headers["Location"] == page


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_an_invalid_next_address_is_ignored_where_adults_sign_in(name: str) -> None:
    assert Client().get(reverse(name), {"next": "//["}).status_code == 200
    assert Client().post(reverse(name), {"next": "//["}).status_code == 200


# Sizes


@pytest.fixture
def game(dora: Child) -> Game:
    return new_game(dora.player)


def post(dora: Child, game: Game, **fields: Any) -> int:
    page = {"seen": game.version, "key": "5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11"}
    url = reverse("games:act", args=[game.pk])
    return client_of_child(dora).post(url, page | fields).status_code


def test_a_childs_page_refuses_large_bodies(dora: Child, game: Game) -> None:
    assert post(dora, game, play="1 " * 1_200_000) == 413


@pytest.mark.parametrize("name", ["card", "row", "cross", "play"])
def test_nothing_longer_than_all_cards_is_read(
    dora: Child, game: Game, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*args: object) -> None:
        raise AssertionError("it was read")

    for parser in ("parse_card", "parse_line", "parse_laid_card", "Choose"):
        monkeypatch.setattr(f"games.play.posted_move.{parser}", read)
    assert post(dora, game, move="lay", **{name: "1" * 4_000}) == 400
    assert post(dora, game, move="lay", **{name: ["1"] * 150}) == 400


@pytest.mark.parametrize("version", [DIGITS, "-1", "²", str(2**31), "1e3"])
def test_an_impossible_version_is_unreadable(dora: Child, game: Game, version: str) -> None:
    assert post(dora, game, seen=version, move="draw-closed") == 400


def test_a_teacher_may_paste_more_than_a_child_posts(
    alice: User, school_class: SchoolClass
) -> None:
    url = url_of("children", school_class)
    names = "Emil\n" + "\n" * 10 * LARGEST_CHILD_FORM
    assert client_of(alice).post(url, {"names": names}).status_code < 400
    assert largest_body(resolve(url)) == LARGEST_BODY


@pytest.mark.parametrize("length", ["-1", "²", DIGITS, "1e3", str(LARGEST_BODY + 1)])
def test_an_invalid_length_is_refused(length: str) -> None:
    answer = Client().post("/play/", b"", content_type=FORM, CONTENT_LENGTH=length)
    assert answer.status_code == 413


def test_a_body_without_a_length_is_not_read() -> None:
    """A body sent in chunks has no length."""
    request = RequestFactory().post("/play/", b"code=x", content_type=FORM)
    del request.META["CONTENT_LENGTH"]
    again = type(request)(request.environ)
    assert again.POST == {}


def test_each_page_and_empty_answer_ends_with_the_mark() -> None:
    for path in ("/", "/play/", "/nowhere/", "/classes/", "/accounts/login/"):
        answer = Client().get(path)
        assert answer.content.endswith(MARK), path
        assert int(answer.headers.get("Content-Length", len(answer.content))) == len(answer.content)


def test_anything_but_a_page_has_no_mark() -> None:
    for path in ("/robots.txt", "/healthz"):
        assert MARK not in Client().get(path).content
