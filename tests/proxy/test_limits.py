"""nginx passes on, delays or refuses requests. A whole school gets in, and files that keep the
reader busy keep nobody out. The operator's figures have their own port."""

import os
import re
import select
import socket
import ssl
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from nmbrs_edu.middleware import PREFIX
from tests.classrooms.roster.importing.hostile import HOSTILE
from tests.counts import times
from tests.factories import ChildFactory, TeachingFactory
from tests.plugins.servers import free_port
from tests.proxy.site import SERVICES, Site
from tests.repository import text_of

pytestmark = pytest.mark.django_db(transaction=True)

AT_A_DOOR = times(5, 300)


def sign_in(site: Site, child: Child, address: str) -> list[int]:
    """Sign in by code, name and pictures, as a browser without scripts does. Return every status on
    the way."""
    browser = site.browser(address)
    school_class = child.school_class
    answers = [browser.post_form("/play/", {"code": school_class.code}, page="/")]
    path = f"/play/{school_class.code}/{child.pk}/"
    answers.append(browser.get(path))
    for picture in decrypt_pictures(child.pictures_encrypted):
        answers.append(browser.post_form(path, {"picture": picture}))
    assert PREFIX + "child" in browser.cookies
    return [answer.status_code for answer in answers]


def test_a_school_signs_in_from_one_address(site: Site) -> None:
    children: list[Child] = ChildFactory.create_batch(AT_A_DOOR)
    with ThreadPoolExecutor(8) as pool:
        sign_ins = [pool.submit(sign_in, site, child, "127.0.3.1") for child in children]
        assert {status for task in sign_ins for status in task.result()} == {200}


def test_a_greedy_client_stops_neither_others_nor_its_owner_elsewhere(site: Site) -> None:
    dora, emil = ChildFactory.create_batch(2)
    greedy = site.playing(dora, "127.0.3.2")
    others = site.playing(emil, "127.0.3.2"), site.playing(dora, "127.0.3.22")
    with ThreadPoolExecutor(60) as pool:
        requests = [pool.submit(greedy.get, "/me/") for _ in range(60)]
        assert {other.get("/me/").status_code for _ in range(10) for other in others} == {200}
        assert {request.result().status_code for request in requests} == {200, 429}


def test_too_many_requests_get_an_answer_in_the_sites_own_look(site: Site) -> None:
    alice = TeachingFactory.create()
    browser = site.signed_in(alice.user, "127.0.3.3")
    path = f"/classes/{alice.school_class.pk}/downloads/{alice.school_class.pk}/"

    def ask(language: str) -> tuple[str, requests.Response]:
        headers = {"Accept-Language": f"{language}-XX,en;q=0.5"}
        return language, browser.get(path, headers=headers)

    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(ask, ["en", "nl", "de", "sv"] * 10))
    refused = {language: answer for language, answer in answers if answer.status_code == 429}
    assert refused.keys() == {"en", "nl", "de", "sv"}
    for language, answer in refused.items():
        assert f'<html lang="{language}">' in answer.text
        assert answer.headers["Retry-After"] == "5"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    style = browser.get("/-/css/nmbrs.css")
    assert (style.status_code, style.headers["Content-Type"]) == (200, "text/css")


def test_only_a_list_of_children_may_be_large(site: Site) -> None:
    alice = TeachingFactory.create()
    browser = site.signed_in(alice.user)
    home = f"/classes/{alice.school_class.pk}/"
    large = {"names": "x" * 250_000}
    assert browser.post(f"{home}edit/", data=large).status_code == 413
    assert browser.post("/play/", data=large).status_code == 413
    # This body is read, but has no token.
    assert browser.post(f"{home}children/", data=large).status_code == 403
    assert site.browser().post(f"{home}children/", data={"names": "x" * 9_000}).status_code == 413
    a_choice_for_each_child = {"names": "x" * 150_000}
    assert browser.post(f"{home}agreed/", data=a_choice_for_each_child).status_code == 403
    assert browser.post(f"{home}children/", data={"names": "x" * 4_300_000}).status_code == 413


def sent_in_chunks(connection: socket.socket, path: str) -> tuple[int, bytes]:
    """Send 100 MB without stating the length. Return the number of bytes sent before the answer,
    and its first line."""
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        "X-Forwarded-Proto: https",
        "Transfer-Encoding: chunked",
    )
    connection.sendall("\r\n".join((*lines, "", "")).encode())
    chunk = b"%x\r\n%s\r\n" % (65_536, b"x" * 65_536)
    count = 0
    while count < 100_000_000 and not select.select([connection], [], [], 0)[0]:
        try:
            connection.sendall(chunk)
        except OSError:
            break
        count += 65_536
    return count, connection.recv(1000).split(b"\r\n")[0]


def most_memory(site: Site, service: str) -> int:
    """The peak memory of all processes of a service so far, in kB."""
    group = os.getpgid(site.processes[service].pid)
    memory = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if os.getpgid(int(status.parent.name)) == group:
                memory += int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0])
        except (OSError, IndexError):
            continue
    return memory


def test_a_hundred_megabytes_without_a_length_are_refused(site: Site) -> None:
    alice = TeachingFactory.create()
    path = f"/classes/{alice.school_class.pk}/children/file/"
    context = ssl._create_unverified_context()
    # With later versions nginx sends tickets unasked, which are not answers.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with (
        socket.create_connection(("127.0.0.1", site.https), timeout=60) as plain,
        context.wrap_socket(plain) as connection,
    ):
        count, answer = sent_in_chunks(connection, path)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert count < 100_000_000


def test_the_site_keeps_nothing_of_a_body_without_a_length(site: Site) -> None:
    """The request goes past nginx, which would read the body first."""
    path = f"/classes/{TeachingFactory.create().school_class.pk}/children/file/"
    before = most_memory(site, "adults")
    with socket.create_connection(("127.0.0.1", site.ports["adults"]), timeout=60) as connection:
        _sent, answer = sent_in_chunks(connection, path)
    assert answer.split()[1] in (b"400", b"403", b"413")
    assert most_memory(site, "adults") - before < 50_000


def test_a_clients_claims_about_itself_are_not_passed_on(site: Site) -> None:
    """If nginx passed a claim on, the answer would be 400, or lead to the other host."""
    headers = {
        "X-Forwarded-Host": "evil.example",
        "Forwarded": "host=evil.example",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-For": "not an address, nor this",
    }
    answer = site.browser().post_form("/accounts/login/", {"login": "x"}, headers=headers)
    assert answer.status_code == 200
    assert "evil.example" not in answer.text


def test_cookies_of_the_domains_other_sites_keep_nobody_out(site: Site) -> None:
    browser = site.browser("127.0.3.21")
    browser.cookies.set("of-another-site", "x" * 24_000)
    assert browser.get("/").status_code == 200


def test_a_request_that_never_ends_is_cut_off(site: Site) -> None:
    with (
        socket.create_connection(("127.0.0.1", site.https), timeout=60) as plain,
        ssl._create_unverified_context().wrap_socket(plain) as connection,
    ):
        connection.sendall(b"POST /play/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        assert b" 200 " not in connection.recv(1000)


BROKEN_OFF = 8
PATIENCE = 1.2
"""The seconds after which a sender goes away."""


@pytest.mark.proof
@pytest.mark.parametrize("name", ["15,000 sheets of one part", "c"])
def test_broken_uploads_stop_neither_codes_nor_teachers(site: Site, name: str) -> None:
    """Each of these sheets once kept a thread for adults busy for hours."""
    data = HOSTILE[name]()
    sent_to = TeachingFactory.create()
    sender = site.signed_in(sent_to.user, "127.0.5.1")
    page = f"/classes/{sent_to.school_class.pk}/children/"
    token = sender.token(page)
    for _ in range(BROKEN_OFF):
        sender.close()
        with suppress(requests.Timeout):
            sender.post(
                f"{page}file/",
                data={"csrfmiddlewaretoken": token},
                files={"file": ("names.xlsx", data)},
                timeout=PATIENCE,
            )
    dora = ChildFactory.create()
    teaching = TeachingFactory.create(school_class=dora.school_class)
    anyone = site.browser("127.0.5.2")
    alice = site.signed_in(teaching.user, "127.0.5.2")
    code = {"code": dora.school_class.code}
    for _ in range(3):
        assert dora.name in anyone.post_form("/play/", code, page="/").text
        assert alice.get(f"/classes/{dora.school_class.pk}/").status_code == 200


@pytest.mark.proof
def test_the_port_of_the_figures_serves_the_figures(site: Site) -> None:
    site.ports["metrics"] = port = free_port()
    try:
        site.start("metrics", was="9100")
        site.wait_for_line("metrics", "Started worker-1")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            assert b"nmbrs_database_up 1" in answer.read()
    finally:
        site.stop("metrics")
        del site.ports["metrics"]


def test_the_proxy_does_not_pass_figures_on(site: Site) -> None:
    for path in ("/metrics", "/metrics/", "/static/../metrics"):
        answer = site.browser().get(path)
        assert answer.status_code == 404
        assert "nmbrs_" not in answer.text


def test_only_this_machine_reaches_the_port() -> None:
    assert SERVICES["metrics"]["ports"] == ["127.0.0.1:9100:9100"]
    assert {name for name, service in SERVICES.items() if "ports" in service} == {
        "metrics",
        "proxy",
    }
    assert "metrics" not in text_of("deploy/nginx.conf")
    assert "9100" not in text_of("deploy/nginx.conf")
