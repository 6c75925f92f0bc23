"""No log contains a secret that would let anybody in, whatever the request and its refusal."""

import itertools
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import URLResolver, get_resolver

from nmbrs_edu.celery import app as celery_app
from nmbrs_edu.tasks import answer
from tests.counts import PROOF, times
from tests.proxy.browser import Browser
from tests.proxy.site import Site, wait_for_words
from tests.proxy.stand_in import Proxy

pytestmark = pytest.mark.django_db(transaction=True)

MARK = "A-secret-nobody-may-read"
SAID = f"next=/q/{MARK}&code={MARK}"
METHODS = ("GET", "POST", "HEAD", "PUT")
NUMBERS = itertools.count()
VALUES = {"uuid": str(uuid4()), "int": "7", "str": MARK, "slug": MARK, "path": MARK}


def paths() -> list[str]:
    """Every address of the site, with `MARK` wherever an address may have a text."""
    return sorted({f"/{path}" for path in _below(get_resolver(), "") if "\\" not in path})


def _below(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern, path)
        else:
            path = re.sub(r"<(\w+):\w+>", lambda found: VALUES[found[1]], path)
            path = re.sub(r"\(\?P<\w+>(?:[^()\[]|\[[^\]]*\])*\)", MARK, path)
            yield re.sub(r"[\^$]|\\Z", "", path)


@contextmanager
def broken_tables() -> Iterator[None]:
    """Let pages that look somebody up fail, as after a half-done migration."""
    tables = ("classrooms_child", "classrooms_schoolclass", "classrooms_invitation")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        try:
            yield
        finally:
            for table in tables:
                cursor.execute(f"ALTER TABLE {table}_away RENAME TO {table}")


def ask(browser: Browser, method: str, path: str, **kwargs: Any) -> int:
    """Send a request with `MARK` in the query, the Referer and a cookie, and return the status."""
    headers = {"Referer": f"https://localhost/q/{MARK}", "User-Agent": MARK}
    headers |= kwargs.pop("headers", {})
    separator = "&" if "?" in path else "?"
    return browser.request(
        method,
        f"{path}{separator}{SAID}",
        headers=headers,
        cookies={"__Host-child": MARK, "__Host-sessionid": f"{MARK}{next(NUMBERS)}"},
        allow_redirects=False,
        **kwargs,
    ).status_code


def assert_no_log_has_the_mark(site: Site) -> None:
    for service, text in site.logs().items():
        leaks = [line for line in text.splitlines() if MARK.lower() in line.lower()]
        assert not leaks, f"{service}: {leaks[:5]}"


def test_no_log_has_secrets_of_any_address_however_refused(site: Site) -> None:
    """`make test` tries one method at each address with a text, and at every third of the others.
    `make proof` tries every method at every address, also in /admin/."""
    browsers = [site.browser(f"127.0.1.{number}") for number in range(1, 21)]
    statuses: set[int] = set()
    addresses = [path for path in paths() if PROOF or not path.startswith("/admin/classrooms/")]
    addresses = [path for at, path in enumerate(addresses) if MARK in path or at % times(3, 1) == 0]
    for number, path in enumerate(addresses):
        browser = browsers[number % len(browsers)]
        for method in METHODS if PROOF else METHODS[number % 4 :][:1]:
            statuses.add(ask(browser, method, path))
        if PROOF or number % 4 == 0:
            statuses.add(ask(browser, "GET", path.rstrip("/") + "/x"))
    assert {200, 302, 403, 404, 405} <= statuses
    assert not {status for status in statuses if status >= 500}
    assert_no_log_has_the_mark(site)
    assert "/q/<token>" in site.logs()["door"]


def test_no_log_has_secrets_of_invalid_or_large_requests(site: Site) -> None:
    browser = site.browser("127.0.2.1")
    for path in (f"/q/{MARK}", f"/play/{MARK}/", f"/invitations/{MARK}/"):
        assert ask(browser, "GET", path, headers={"Host": "evil.example"}) == 400
        assert ask(browser, "POST", path, data="x" * 70_000) == 413
    assert_no_log_has_the_mark(site)
    assert " 413 POST /q/ " in site.logs()["proxy"]


def test_no_log_has_secrets_of_too_frequent_requests(site: Site) -> None:
    path = f"/accounts/confirm-email/{MARK}/"
    with ThreadPoolExecutor(60) as pool:
        requests = [pool.submit(ask, site.browser("127.0.2.3"), "POST", path) for _ in range(60)]
        assert 429 in {request.result() for request in requests}
    assert_no_log_has_the_mark(site)
    assert " 429 POST /accounts/ service=adults " in site.logs()["proxy"]


def test_no_log_has_secrets_of_failing_requests(site: Site) -> None:
    browser = site.browser("127.0.2.4")
    with broken_tables():
        answers = {ask(browser, "GET", path) for path in (f"/q/{MARK}", f"/invitations/{MARK}/")}
    assert answers == {500}
    assert_no_log_has_the_mark(site)
    assert "ProgrammingError" in site.logs()["door"]


def test_no_log_has_secrets_of_requests_to_a_stopped_site(proxy: Proxy) -> None:
    proxy.servers["adults"].answer = lambda asked: None
    answer = proxy.browser().get(f"/invitations/{MARK}/?{SAID}")
    assert answer.status_code == 502
    assert "Something went wrong here" in answer.text
    log = proxy.folder / "proxy.log"
    wait_for_words(log, " 502 GET /invitations/ ")  # nginx writes the line after the answer.
    assert MARK.lower() not in log.read_text().lower()


@pytest.mark.proof
def test_no_log_has_secrets_of_a_workers_task(site: Site) -> None:
    site.start("worker")
    with celery_app.connection_for_write(site.environment["REDIS_URL"]) as queue:
        celery_app.send_task("nobody.knows.this", [MARK], connection=queue)
        answer.apply_async([MARK], connection=queue, expires=None)
        # Tasks that another test left in the queue may succeed first.
        site.wait_for_line("worker", "nobody.knows.this")
        site.wait_for_line("worker", f"{answer.name}[")
        site.wait_for_line("worker", "succeeded")
    site.stop("worker")
    assert_no_log_has_the_mark(site)
