"""The requests of a client, however slow or frequent, take nobody else's room. An address or a
session attacks, and other people are served beside it."""

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread

import pytest
import requests
from django.db import connection, transaction

from classrooms import passes
from classrooms.models import Child, Membership, School, Teaching, User
from nmbrs_edu.middleware import PREFIX
from tests.browser.at_home import game_of
from tests.factories import ChildFactory, TeachingFactory
from tests.proxy.browser import Browser
from tests.proxy.site import Site
from tests.proxy.stand_in import Proxy

pytestmark = pytest.mark.django_db(transaction=True)

SLOW_BODIES = 510
HERE, ELSEWHERE = "127.0.11.1", "127.0.11.2"
IN_PROGRESS_OF_AN_ADULT = 6


class People:
    """Dora at her game and her teacher Alice, each in a browser, and somebody at the door."""

    def __init__(self, site: Site, address: str) -> None:
        self.dora: Child = ChildFactory.create()
        self.alice: User = TeachingFactory.create(school_class=self.dora.school_class).user
        self.child, self.adult = (
            site.playing(self.dora, address),
            site.signed_in(self.alice, address),
        )
        self.stranger = site.browser(address, retries=0)
        self.game = f"/games/{game_of(self.dora).pk}/"
        self.token = self.stranger.token("/")

    @property
    def code(self) -> str:
        return self.dora.school_class.code

    def plays(self) -> list[int]:
        return [self.child.get(path).status_code for path in (self.game, "/me/")]

    def teaches(self) -> int:
        return self.adult.get(f"/classes/{self.dora.school_class.pk}/").status_code

    def says_the_code(self, browser: Browser | None = None) -> int:
        data = {"code": self.code, "csrfmiddlewaretoken": self.token}
        person = browser or self.stranger
        return person.post("/play/", data, allow_redirects=False).status_code


@contextmanager
def stuck(
    table: str, browser: Browser, path: str, number: int
) -> Iterator[list[Future[requests.Response]]]:
    """Keep this many requests of one client in progress, for a page that waits for this table."""
    with ThreadPoolExecutor(number) as pool, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield [pool.submit(browser.get, path) for _ in range(number)]


@contextmanager
def slow_bodies(port: int, number: int, path: str = "/play/", cookie: str = "") -> Iterator[None]:
    """Keep posts of one client in progress, whose bodies arrive byte by byte."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6000\r\nCookie: {cookie}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\ncode="
    ).encode()
    context = ssl._create_unverified_context()
    sockets: list[ssl.SSLSocket] = []
    over = Event()

    def go_on() -> None:
        while not over.wait(2):
            for connection in list(sockets):
                with suppress(OSError):
                    connection.sendall(b"x")

    sender = Thread(target=go_on)
    sender.start()
    try:
        for _ in range(number):
            plain = socket.create_connection(("127.0.0.1", port), source_address=(HERE, 0))
            sockets.append(context.wrap_socket(plain))
            sockets[-1].sendall(head)
        yield
    finally:
        over.set()
        sender.join()
        for connection in sockets:
            connection.close()


def test_slow_bodies_of_one_device_slow_no_neighbour(site: Site) -> None:
    people = People(site, HERE)
    with slow_bodies(site.https, SLOW_BODIES):
        assert (people.plays(), people.teaches()) == ([200, 200], 200)
        assert people.stranger.get("/static/js/page.js").status_code == 200
        assert people.says_the_code() == 302


def test_slow_bodies_at_adults_pages_slow_no_neighbour(site: Site) -> None:
    people = People(site, HERE)
    with ExitStack() as bodies:
        for _ in range(5):
            mallory = site.signed_in(TeachingFactory.create().user, HERE)
            cookie = f"__Host-pass={mallory.cookies['__Host-pass']}"
            bodies.enter_context(slow_bodies(site.https, 6, "/account/name/", cookie))
        assert (people.plays(), people.teaches()) == ([200, 200], 200)


def test_endless_lists_from_one_pass_fill_no_disk(site: Site) -> None:
    mallory, alice = TeachingFactory.create(), TeachingFactory.create()
    own = site.signed_in(mallory.user, HERE)
    cookie = f"__Host-pass={own.cookies['__Host-pass']}"

    def send_list(browser: Browser, teaching: Teaching) -> int:
        path = f"/classes/{teaching.school_class.pk}/children/file/"
        return browser.post(path, data={"names": "x" * 110_000}).status_code

    path = f"/classes/{mallory.school_class.pk}/children/file/"
    with slow_bodies(site.https, 3, path, cookie):
        assert send_list(own, mallory) == 429
        assert send_list(site.signed_in(alice.user, HERE), alice) == 403  # a read, without a token


def test_a_childs_pass_cannot_send_lists(site: Site) -> None:
    dora = site.playing(ChildFactory.create())
    path = f"/classes/{TeachingFactory.create().school_class.pk}/children/file/"
    assert dora.post(path, data={"names": "x" * 110_000}).status_code == 413


def test_one_teacher_blocks_neither_the_door_nor_other_teachers(site: Site) -> None:
    mallory = TeachingFactory.create()
    attack = f"/classes/{mallory.school_class.pk}/downloads/"
    browser = site.signed_in(mallory.user, ELSEWHERE)
    browser.mount("https://", site.browser(ELSEWHERE, retries=0).adapters["https://"])
    people = People(site, HERE)
    with stuck("downloads_download", browser, attack, 40) as requests:
        assert people.says_the_code() == 302
        assert (people.plays(), people.teaches()) == ([200, 200], 200)
    statuses = [request.result().status_code for request in requests]
    # On a busy machine a late request may find room again.
    assert IN_PROGRESS_OF_AN_ADULT <= statuses.count(200) < 40
    assert set(statuses) == {200, 429}


def test_a_schools_pages_do_not_delay_a_childs(site: Site) -> None:
    head: User = TeachingFactory.create().user
    school = School.objects.create(name="A school")
    Membership.objects.create(school=school, user=head, role=Membership.Role.ADMIN)
    browser = site.signed_in(head, ELSEWHERE)
    people = People(site, HERE)
    with stuck("classrooms_membership", browser, f"/schools/{school.pk}/", 16):
        assert people.plays() == [200, 200]
        assert people.says_the_code() == 302


# Known clients


def statuses(browsers: list[Browser], method: str, path: str) -> set[int]:
    with ThreadPoolExecutor(len(browsers)) as pool:
        return {
            answer.status_code for answer in pool.map(lambda b: b.request(method, path), browsers)
        }


def test_invented_cookies_make_nobody_known(proxy: Proxy) -> None:
    made_up = [proxy.browser() for _ in range(60)]
    for number, browser in enumerate(made_up):
        real = passes.pass_for(f"person {number}").rpartition(".")[0]
        browser.headers["Cookie"] = (
            f"__Host-pass={real}.{'A' * 22}; __Host-child={number:043x}; __Host-sessionid={real}"
        )
    assert statuses(made_up[:6], "GET", "/me/") == {200}
    assert proxy.servers["web"].asked == []
    assert 429 in statuses(made_up, "POST", "/accounts/password/reset/")


def test_a_pass_counts_for_itself_and_an_old_one_for_nothing(proxy: Proxy) -> None:
    browsers = [proxy.browser(person=f"person {number}") for number in range(60)]
    assert statuses(browsers, "GET", "/me/") == {200}
    assert len(proxy.servers["web"].asked) == 60
    assert statuses(browsers, "POST", "/accounts/password/reset/") == {200}
    over = proxy.browser()
    over.cookies.set(PREFIX + passes.PASS_COOKIE, passes.pass_for("dora", until=1_600_000_000))
    assert over.get("/me/").text == "well"
    assert len(proxy.servers["web"].asked) == 60


def test_an_older_session_gets_its_pass_with_one_page(site: Site) -> None:
    dora = ChildFactory.create()
    playing = site.playing(dora)
    del playing.cookies[PREFIX + passes.PASS_COOKIE]
    assert playing.get("/me/").status_code == 200
    assert passes.is_pass_of(
        str(playing.cookies[PREFIX + passes.PASS_COOKIE]),
        f"child {dora.pk} {dora.pictures_encrypted}",
    )
    playing.post_form("/me/leave/", page="/me/")
    cookie = str(playing.cookies[PREFIX + passes.PASS_COOKIE])
    assert cookie
    assert not passes.is_pass_of(cookie, f"child {dora.pk} {dora.pictures_encrypted}")


def test_a_teacher_gets_a_pass_with_the_session(site: Site) -> None:
    alice = site.teacher(TeachingFactory.create().user)
    browser = site.browser()
    browser.sign_in(alice.email)
    assert passes.is_pass_of(
        str(browser.cookies[PREFIX + passes.PASS_COOKIE]), f"adult {alice.pk} {alice.password}"
    )


def test_plain_http_leads_to_no_other_host(site: Site) -> None:
    with pytest.raises(requests.ConnectionError):
        site.browser(retries=0).get(
            f"http://localhost:{site.http}/play/",
            headers={"Host": "evil.example"},
            allow_redirects=False,
        )
