"""A stranger locks no teacher out, no password alone opens /admin/, and all processes count
together."""

from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from itertools import repeat
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import requests
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.utils import timezone

from classrooms.accounts import limits
from classrooms.accounts.limits import subscriber_network
from classrooms.models import User, WrongSignIns
from classrooms.tries import Counter, count_tries
from tests.classrooms.accounts.signing_in import Person
from tests.counts import PROOF, times
from tests.factories import UserFactory
from tests.proxy.browser import Browser
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

LOGIN = "/accounts/login/"
AUTHENTICATE = "/accounts/two-steps/authenticate/"
WRONG = "not the password"
ADDRESS_TRIES = 100
"""The limit of wrong sign-ins in an hour."""
OVER_THE_WIRE = times(2, ADDRESS_TRIES)
MOST = 20
"""The limit of wrong codes that are checked on all unknown devices together."""
THIEVES = times(6, 10)
CODES_OF_EACH = times(4, 20)
AT_ONCE = times(4, 8)


def signs_in(browser: Browser, user: User) -> bool:
    return browser.sign_in(user.email).url == f"{browser.site}/classes/"


def guess(browser: Browser, emails: list[str], **kwargs: Any) -> list[int]:
    """Try a wrong password at each of these accounts, and return the statuses."""
    data = {"csrfmiddlewaretoken": browser.token(LOGIN), "password": WRONG}
    return [browser.post(LOGIN, {**data, "login": email}, **kwargs).status_code for email in emails]


def from_address(address: str) -> Counter:
    return limits.network_counter("password", subscriber_network(ip_address(address)))


def tries_from(address: str) -> int:
    rows = WrongSignIns.objects.filter(key_hash=from_address(address).key_hash)
    return sum(len(row.times) for row in rows)


def test_the_count_is_of_the_clients_own_address(site: Site) -> None:
    alice, bob = (site.teacher(user) for user in UserFactory.create_batch(2))
    for _ in range(ADDRESS_TRIES - OVER_THE_WIRE):
        assert count_tries([from_address("127.0.6.1")])
    stranger = site.browser("127.0.6.1")
    for number in range(OVER_THE_WIRE):
        forged = {
            "X-Forwarded-For": f"192.0.2.{number + 1}, 127.0.6.2",
            "X-Real-IP": "127.0.6.2",
            "Forwarded": "for=127.0.6.2",
        }
        assert guess(stranger, [f"nobody{number}@example.org"], headers=forged) == [200]
    assert tries_from("127.0.6.1") == ADDRESS_TRIES
    assert not signs_in(site.browser("127.0.6.1"), alice)

    claims = {"X-Forwarded-For": "127.0.6.1", "X-Real-IP": "127.0.6.1"}
    others = site.browser("127.0.6.2")
    others.headers.update(claims)
    assert signs_in(others, alice)
    assert signs_in(site.browser("127.0.6.3"), bob)
    assert tries_from("127.0.6.1") == ADDRESS_TRIES
    assert [tries_from(address) for address in ("127.0.0.1", "127.0.6.2", "192.0.2.1")] == [0, 0, 0]


@pytest.fixture
def person(site: Site, transactional_db: None) -> Person:
    """Alice, who has a second step."""
    person = Person()
    site.teacher(person.user)
    return person


@pytest.fixture
def operator(person: Person) -> Person:
    """Alice, who is also staff."""
    User.objects.filter(pk=person.user.pk).update(is_staff=True, is_superuser=True)
    person.user.refresh_from_db()
    return person


def test_the_second_step_opens_the_operators_pages(site: Site, operator: Person) -> None:
    browser = site.browser("127.0.9.1")
    answer = browser.sign_in(operator.user.email)
    assert answer.url == f"{site.url}{AUTHENTICATE}"
    for path in ("/admin/", "/admin/classrooms/user/"):
        assert browser.get(path).url.partition("?")[0] == f"{site.url}{AUTHENTICATE}"
    browser.post_form(AUTHENTICATE, {"code": operator.code})
    answer = browser.get("/admin/")
    assert (answer.url, answer.status_code) == (f"{site.url}/admin/", 200)


def with_the_password(site: Site, person: Person, number: int) -> tuple[Browser, str]:
    """An unknown browser with its own address that is asked for the second step, and the token of
    the page."""
    browser = site.browser(f"127.0.10.{number + 1}")
    answer = browser.sign_in(person.user.email)
    assert answer.url == f"{site.url}{AUTHENTICATE}"
    return browser, browser.token(AUTHENTICATE)


def answer_to_code(browser: Browser, token: str, code: str) -> requests.Response:
    return browser.post(AUTHENTICATE, {"csrfmiddlewaretoken": token, "code": code})


def work_of_workers(site: Site) -> dict[int, int]:
    """The processor time of each process of `adults` that serves pages, in ticks."""
    work = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == site.processes["adults"].pid:
            work[int(path.parent.name)] = int(fields[11]) + int(fields[12])
    return work


def test_all_workers_count_wrong_codes_together(site: Site, person: Person) -> None:
    before = work_of_workers(site)
    with ThreadPoolExecutor(THIEVES) as pool:
        thieves = list(pool.map(lambda n: with_the_password(site, person, n), range(THIEVES)))
        browsers, tokens = zip(*thieves * CODES_OF_EACH, strict=True)
        answers = list(pool.map(answer_to_code, browsers, tokens, repeat(person.wrong_code)))
    after = work_of_workers(site)
    assert len(before) == 2
    assert all(after[worker] > before[worker] for worker in before), "one did it all"
    assert {answer.status_code for answer in answers} == {200}
    looked_at = [answer for answer in answers if "Incorrect code" in answer.text]
    refused = [answer for answer in answers if "too many wrong codes" in answer.text]
    assert (len(looked_at), len(refused)) == (MOST, THIEVES * CODES_OF_EACH - MOST)
    counter = limits.strange_devices_counter("code", str(person.user.pk))
    assert len(WrongSignIns.objects.get(key_hash=counter.key_hash).times) == MOST
    if PROOF:
        site.stop("adults")
        site.start("adults")
        site.wait()
    assert answer_to_code(*thieves[0], person.code).url == f"{site.url}{AUTHENTICATE}"


def test_a_code_sent_many_times_at_once_admits_one(site: Site, person: Person) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        browsers = list(pool.map(lambda n: with_the_password(site, person, n), range(AT_ONCE)))
        together = Barrier(AT_ONCE)
        # The code of the next half minute is already valid, and for longer.
        code = format_hotp_value(
            hotp_value(person.secret, int(timezone.now().timestamp()) // 30 + 1)
        )

        def send(browser: tuple[Browser, str]) -> str:
            together.wait(timeout=60)
            return answer_to_code(*browser, code).url

        urls = list(pool.map(send, browsers))
    assert sorted(urls) == sorted(
        [f"{site.url}{AUTHENTICATE}"] * (AT_ONCE - 1) + [f"{site.url}/classes/"]
    )
