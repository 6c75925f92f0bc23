"""A slow or broken network, a second tab, stale pages, and a budget for what is sent.

Scripts and styles count as a school's server sends them, compressed; the tests' own server does not
compress them.
"""

import gzip
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils import timezone
from playwright.sync_api import Page, Response, Route, expect

from classrooms.lesson.pause import pause
from classrooms.models import Child, ChildSession
from games.models import Entry
from nmbrs_edu.static import minified
from tests.browser.at_home import (
    LONGER,
    RULESET,
    SHORT,
    logged_acts,
    play_a_round,
    play_to_the_end,
    sign_in_at_door,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.counts import times
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SLOW_3G: Final = {"downloadThroughput": 50_000, "uploadThroughput": 50_000, "offline": False}
LATENCY_MS: Final = times(150, 2000)
DEAL: Final = times(SHORT, LONGER)
BODIES: Final = times(1, 2)
EVERY: Final = 3


class Drops:
    """A network that passes every third request to the server, but loses the answer."""

    def __init__(self) -> None:
        self.asked = self.dropped = 0

    def __call__(self, route: Route) -> None:
        self.asked += 1
        if self.asked % EVERY:
            route.continue_()
            return
        route.fetch()
        self.dropped += 1
        route.abort()


def test_an_error_in_a_script_is_reported_and_not_resent(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    posts: list[str] = []
    page.on("request", lambda r: posts.append(r.url) if r.method == "POST" else None)
    page.evaluate("() => { Response = function () { throw new ReferenceError('n'); }; }")
    page.locator("#do-draw-closed").click()
    expect(page.locator("#network")).to_contain_text("Something on this page does not work.")
    assert len(posts) == 1
    page.locator("#network button").click()
    expect(page.locator("button#do-lay")).to_be_visible()


@pytest.mark.proof
def test_a_round_at_slow_3g_with_every_third_answer_dropped(page: Page, dora: Child) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", {**SLOW_3G, "latency": LATENCY_MS})
    drops = Drops()
    page.route("**/act", drops)
    play_a_round(page, dora, DEAL)
    assert drops.dropped >= DEAL.actions // EVERY
    expect(page.locator("#network")).to_be_hidden()


def test_a_tap_shows_at_once_that_it_is_on_its_way(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    routes: list[Route] = []
    page.route("**/act", lambda route: routes.append(route))
    page.locator("#do-draw-closed").click()
    expect(page.locator("#do-draw-closed")).to_have_class(re.compile(r"\bsent\b"))
    expect(page.get_by_role("status").filter(has_text="Just a moment")).to_be_visible()
    routes[0].continue_()
    expect(page.locator("#do-lay")).to_be_visible()
    expect(page.locator(".sent")).to_have_count(0)
    expect(page.locator("#network")).to_be_hidden()


def refuse_the_first_move(page: Page, status: int, headers: Any = None) -> list[str]:
    """Answer the first move as a busy site does. Return the list to which each posted move is
    added."""
    posted: list[str] = []

    def busy_at_first(route: Route) -> None:
        posted.append(route.request.post_data or "")
        if len(posted) == 1:
            route.fulfill(status=status, headers=headers, body="<h1>Wait a minute</h1>")
        else:
            route.continue_()

    page.route("**/act", busy_at_first)
    return posted


@pytest.mark.parametrize("status", times([503], [429, 503]))
def test_a_busy_site_is_asked_again_and_the_tap_counts_once(
    page: Page, dora: Child, status: int
) -> None:
    game = sit_down(page, dora)
    keys = refuse_the_first_move(page, status)
    page.locator("#do-draw-closed").click()
    expect(page.locator("#do-lay")).to_be_visible()
    assert keys[0] == keys[1]
    assert logged_acts(game) == {"draw-closed": 1}


RECORD_REQUEST_TIMES = """() => {
    window.asked = [];
    const ask = window.fetch;
    window.fetch = (...request) => {
        if (String(request[0]).endsWith("/act")) asked.push(Date.now());
        return ask(...request);
    };
}"""
"""Record the times of requests by the page's clock, because the test's clock runs on."""


def test_a_busy_site_is_asked_again_no_sooner_than_it_says(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    page.clock.install()
    page.evaluate(RECORD_REQUEST_TIMES)
    keys = refuse_the_first_move(page, 503, {"Retry-After": "7"})
    page.locator("#do-draw-closed").click()
    expect(page.get_by_role("status").filter(has_text="Just a moment")).to_be_visible()
    page.clock.run_for(10_600)
    expect(page.locator("#do-lay")).to_be_visible()
    first, second = page.evaluate("window.asked")
    assert second - first >= 7000
    assert keys[0] == keys[1]
    assert logged_acts(game) == {"draw-closed": 1}
    expect(page.locator("#network")).to_be_hidden()


@pytest.mark.parametrize("way", ["the button", "the network"])
def test_a_lost_move_is_sent_when_the_network_is_back(page: Page, dora: Child, way: str) -> None:
    game = sit_down(page, dora)
    page.clock.install()
    lost = True
    page.route("**/act", lambda route: route.abort() if lost else route.continue_())
    page.locator("#do-draw-closed").click()
    again = page.get_by_role("button", name="Try again")
    while not again.is_visible():
        page.clock.run_for(1000)
    lost = False
    if way == "the button":
        again.click()
    else:
        page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#do-lay")).to_be_visible()
    expect(again).to_be_hidden()
    assert Entry.objects.filter(game=game, seat=0).count() == 1


NEVER_ANSWERS: Final = """() => {
    let open = 0;
    window.asked = window.most = 0;
    window.fetch = (address, { signal } = {}) => new Promise((_, fail) => {
        asked += 1;
        most = Math.max(most, open += 1);
        signal?.addEventListener("abort", () => { open -= 1; fail(); });
    });
}"""
"""A hanging network: how many requests a page has sent, and how many at once."""


def test_polls_do_not_pile_up_while_the_network_hangs(page: Page, dora: Child) -> None:
    page.clock.install()
    sit_down(page, dora)
    page.evaluate(NEVER_ANSWERS)
    page.clock.run_for(40_000)
    assert page.evaluate("asked") > 1
    assert page.evaluate("most") == 1


BLOCKED: Final = """<!DOCTYPE html><title>Blocked</title><h1>This page has been blocked</h1>
<form action="https://filter.example/" method="post"><input type="password"><button>On</button>"""
NOT_OURS: Final = (
    (200, BLOCKED),
    (200, ""),
    (200, "<div id=board><p>Sign in to the guests' network</p><input type=password></div>"),
    (200, '{"error": "blocked", "input": "password"}'),
    (403, BLOCKED),
    (451, BLOCKED),
)


def answer_with(status: int, body: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, body=body, content_type="text/html")


def test_a_foreign_answer_never_enters_the_page(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    page.clock.install()
    again = page.get_by_role("button", name="Try again")
    tapped = page.locator("#do-draw-closed")
    for status, body in NOT_OURS:
        page.unroute_all()
        page.route("**/act", answer_with(status, body))
        tapped.click()
        expect(again).to_be_hidden()
        while not again.is_visible():
            page.clock.run_for(1000)
        expect(page.locator("#do-draw-closed")).to_be_visible()
        expect(page.locator("input[type=password]")).to_have_count(0)
        tapped = again
    page.unroute_all()
    again.click()
    expect(page.locator("#do-lay")).to_be_visible()
    expect(again).to_be_hidden()
    assert logged_acts(game) == {"draw-closed": 1}


def test_a_filters_addition_to_an_answer_never_enters_the_page(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)

    def with_a_banner(route: Route) -> None:
        answer = route.fetch()
        banner = "<p class=banner>Filtered</p>"
        route.fulfill(response=answer, body=banner + answer.text() + banner)

    page.route("**/act", with_a_banner)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    expect(page.locator("#do-lay")).to_be_visible()
    expect(page.locator(".banner")).to_have_count(0)
    assert logged_acts(game) == {"draw-closed": 1}


def test_a_round_with_comments_stripped(page: Page, dora: Child) -> None:

    def stripped(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub("<!--.*?-->", "", answer.text()))

    page.route(re.compile("/(games|act)/?"), stripped)
    play_a_round(page, dora)


def test_a_pause_continues_behind_a_filter(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    pause(dora.school_class)
    expect(page.locator("#paused")).to_be_visible()
    page.route("**/me/pause/**", answer_with(200, BLOCKED))
    for _ in range(2):
        with page.expect_response("**/me/pause/**"):
            pass
    expect(page.locator("#paused")).to_be_visible()


@pytest.mark.parametrize("change", times(["cut off"], ["cut off", "sent twice", "a portal's 511"]))
def test_a_changed_answer_is_fetched_again(page: Page, dora: Child, change: str) -> None:
    game = sit_down(page, dora)
    requests = []

    def changed(route: Route) -> None:
        requests.append(route)
        answer = route.fetch()
        if change == "sent twice":
            answer = route.fetch()
        elif len(requests) == 1 and change == "cut off":
            route.fulfill(status=200, body=answer.text()[:-40], content_type="text/html")
            return
        elif len(requests) == 1:
            route.fulfill(status=511, body=BLOCKED, content_type="text/html")
            return
        route.fulfill(response=answer)

    page.route("**/act", changed)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    expect(page.locator("#do-lay")).to_be_visible()
    assert logged_acts(game) == {"draw-closed": 1}


def test_the_game_goes_on_if_a_whole_page_comes_for_a_part(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)

    def stripped(route: Route) -> None:
        headers = route.request.headers.items()
        route.continue_(headers={k: v for k, v in headers if not k.startswith("hx-")})

    page.route("**/act", stripped)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    expect(page.locator("#board #board, #board main")).to_have_count(0)
    expect(page.locator("#do-lay")).to_be_visible()
    assert logged_acts(game) == {"draw-closed": 1}


def test_an_ended_session_is_noticed_without_headers(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    ChildSession.objects.update(seen_at=timezone.now() - timedelta(minutes=21))

    def stripped(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        route.fulfill(status=answer.status, body=answer.body())

    page.route("**/act", stripped)
    page.locator("#do-draw-closed").click()
    expect(page.get_by_role("status").first).to_contain_text("Your game is saved")


@pytest.mark.parametrize(
    "body", [BLOCKED, ""][:BODIES], ids=["a filter's page", "nothing"][:BODIES]
)
def test_a_round_with_every_third_answer_foreign(page: Page, dora: Child, body: str) -> None:
    requests = []

    def filtered(route: Route) -> None:
        requests.append(route)
        if len(requests) % EVERY:
            route.continue_()
        else:
            route.fulfill(status=200, content_type="text/html", body=body)

    page.route("**/act", filtered)
    play_a_round(page, dora)
    assert len(requests) > SHORT.actions


@pytest.mark.parametrize("scripts", times([True], [True, False]))
def test_the_door_explains_blocked_cookies(
    pages: Callable[..., Page], dora: Child, scripts: bool
) -> None:
    page = pages(java_script_enabled=scripts)

    def without_cookies(route: Route) -> None:
        first = route.request
        headers = {name: value for name, value in first.headers.items() if name != "cookie"}
        request = Request(first.url, first.post_data_buffer, headers, method=first.method)
        answer: Any
        try:
            answer = urlopen(request)
        except HTTPError as error:
            answer = error
        answer_headers = {
            name: value for name, value in answer.headers.items() if name != "Set-Cookie"
        }
        route.fulfill(status=answer.status, headers=answer_headers, body=answer.read())

    page.route("**/*", without_cookies)
    page.goto(f"/play/{dora.school_class.code}/{dora.pk}/")
    page.locator(".picture-button").first.click()
    expect(page.locator("main")).to_contain_text("Allow cookies for this site")
    expect(page.locator(".picture-slot-full")).to_have_count(0)


def test_a_second_tab_shows_the_state_of_the_game(pages: Callable[..., Page], dora: Child) -> None:
    first = pages()
    game = sit_down(first, dora)
    second = first.context.new_page()
    second.goto(first.url)
    ChildAtTheTable(first, RULESET).press("draw-closed")
    ChildAtTheTable(second, RULESET).press("draw-closed")
    expect(second.locator("#told")).to_contain_text("has already moved on")
    expect(second.locator("#do-lay")).to_be_visible()
    assert Entry.objects.filter(game=game, seat=0).count() == 1


def test_a_move_after_the_session_has_ended_leads_to_the_names(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    for session in ChildSession.objects.all():
        session.seen_at -= timedelta(minutes=21)
        session.save()
    page.locator("#do-draw-closed").click()
    expect(page).to_have_url(re.compile(f"/play/{dora.school_class.code}/$"))
    expect(page.get_by_role("status").first).to_contain_text("Your game is saved")


def test_a_removed_child_ends_at_the_first_page(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    dora.delete()
    page.locator("#do-draw-closed").click()
    expect(page.locator("input[name=code]")).to_be_visible()


def test_a_page_with_an_old_token_reloads_and_goes_on(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    page.context.clear_cookies(name="csrftoken")
    with page.expect_navigation():
        page.locator("#do-draw-closed").click()
    ChildAtTheTable(page, RULESET).press("draw-closed")


KB: Final = 1000
SCRIPTS_AND_STYLES: Final = 55 * KB
OWN_SCRIPTS: Final = 17_000
FIRST_VISIT: Final = 110 * KB
A_MOVE: Final = 8 * KB


def wire_size(response: Response) -> int:
    sizes = response.request.sizes()
    _, is_static, path = response.url.partition(settings.STATIC_URL)
    if not is_static:
        return sizes["responseBodySize"] + sizes["responseHeadersSize"]
    file = finders.find(path)
    assert isinstance(file, str), path
    return compressed(Path(file), path) + sizes["responseHeadersSize"]


def compressed(file: Path, name: str) -> int:
    return len(gzip.compress(minified(name, file.read_text()).encode(), 9))


def kind_of(url: str) -> str:
    if url.endswith(".css"):
        return "styles"
    if url.endswith(".js"):
        return "vendor's scripts" if "/vendor/" in url else "own scripts"
    return "rest"


def test_the_first_visit_from_the_code_to_the_game(page: Page, dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    answers: dict[str, Response] = {}

    def keep(answer: Response) -> None:
        answers.setdefault(answer.url, answer)

    page.on("response", keep)
    sign_in_at_door(page, dora)
    page.locator("main .btn-primary").first.click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_load_state("networkidle")

    sizes: Counter[str] = Counter()
    for url, answer in answers.items():
        if answer.status < 300:
            sizes[kind_of(url)] += wire_size(answer)
    assert sizes["own scripts"] > 0
    assert sizes["styles"] > 0
    assert sizes["own scripts"] <= OWN_SCRIPTS
    assert sizes.total() - sizes["rest"] <= SCRIPTS_AND_STYLES
    assert sizes.total() <= FIRST_VISIT


def test_no_answer_to_a_move_is_long(page: Page, dora: Child) -> None:
    answers: list[Response] = []
    page.on("response", lambda r: answers.append(r) if r.url.endswith("/act") else None)
    sit_down(page, dora, DEAL)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    assert len(answers) >= DEAL.actions
    assert {answer.headers.get("content-encoding") for answer in answers} == {"gzip"}
    most = max(wire_size(answer) for answer in answers)
    assert most <= A_MOVE
