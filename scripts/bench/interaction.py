"""How soon a child's page answers a tap: in a round on a processor six times slower, and on a
network of 400 kbit/s with 2 seconds of latency."""

import os
import tempfile
from statistics import median
from typing import Any, Final

from scripts.lighthouse import server

SLOWER: Final = 6
NETWORK: Final = {
    "offline": False,
    "latency": 2000,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
SIZES: Final = ((1366, 768), (360, 740))
TAPS: Final = 4
A_TAP: Final = 80
"""How long a finger rests on the screen, in ms."""
BETWEEN_TAPS: Final = 200
SHORTEST_HEARD: Final = 16
"""The browser reports no interaction shorter than this, in ms."""
GOAL: Final = 100
"""The aim for both, in ms."""
WATCH: Final = """window.taps = [];
new PerformanceObserver((list) => {
    for (const { interactionId, duration, name } of list.getEntries()) {
        if (interactionId) taps.push([interactionId, duration, name]);
    }
}).observe({ type: "event", durationThreshold: 16, buffered: true });"""
FIRST_PAINT: Final = """() => new Promise((done) => {
    document.addEventListener("pointerdown", ({ timeStamp }) => {
        new MutationObserver((changes, observer) => {
            observer.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp)));
        }).observe(document.body, { attributes: true, childList: true, subtree: true });
    }, { once: true, capture: true });
    window.ready = true;
})"""
"""The time from a tap to the end of the first frame that has changed."""


def main() -> None:
    """Print both times at both sizes."""
    print("\nFrom a tap to what it shows, in ms", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local",
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
            "DATA_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        }
        games = _games()
        with server() as address:
            for size, of_size in zip(SIZES, games, strict=True):
                _measure_at(size, address, of_size)
    print("load:", " ".join(f"{load:.1f}" for load in os.getloadavg()))


def _games() -> list[tuple[list[str], str]]:
    """For each size, the addresses of two games, and the cookie of the child who plays them."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from classrooms.models import Child, SchoolClass
    from tests.browser.at_home import LONGER, game_of
    from tests.classrooms.people import by_card

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    found = []
    for name in ("Dora", "Emil"):
        child = Child.objects.create(school_class=school_class, name=name)
        addresses = [f"/games/{game_of(child, LONGER).pk}/" for _ in range(2)]
        found.append((addresses, by_card(child, "bench")))
    return found


def _measure_at(size: tuple[int, int], address: str, games: tuple[list[str], str]) -> None:
    from playwright.sync_api import sync_playwright

    from classrooms.signin.children_only import SESSION_COOKIE

    (round_played, slow), cookie = games
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.add_cookies([{"name": SESSION_COOKIE, "value": cookie, "url": address}])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        page.goto(address + round_played)
        taps = _taps_of_a_round(page)
        page.goto(address + slow)
        paints = _paints_on_a_slow_network(page)
        browser.close()
    slowest = sorted(taps)[-1 - len(taps) // 50]
    print(
        f"{size[0]}×{size[1]}: processor {SLOWER} times slower, {len(taps)} taps: "
        f"p98 {slowest:.0f}, median {median(taps):.0f} (goal {GOAL}); "
        f"slow network, to the first change: {' '.join(f'{paint:.0f}' for paint in paints)}",
        flush=True,
    )


def _taps_of_a_round(page: Any) -> list[float]:
    """The longest event of each interaction in a whole round, in ms. An interaction that the
    browser does not report counts as the shortest that it reports."""
    from playwright.sync_api import Locator

    from tests.browser.at_home import RULESET
    from tests.browser.child import ChildAtTheTable

    class AtItsPace(ChildAtTheTable):
        """A child whose finger rests on each tap. They choose among rows only when the page accepts
        a second tap again."""

        def click(self, where: Locator) -> None:
            where.scroll_into_view_if_needed()
            box = where.bounding_box()
            assert box
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(*at)
            self.page.wait_for_timeout(BETWEEN_TAPS)
            self.page.mouse.click(*at, delay=A_TAP)

        def answer(self, choice: str) -> None:
            self.page.wait_for_timeout(500)
            super().answer(choice)

    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    child = AtItsPace(page, RULESET)
    for _ in range(20):
        if child.is_over():
            break
        child.play_turn()
    page.wait_for_timeout(1000)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    longest: dict[int, float] = {}
    for interaction, duration, _ in page.evaluate("taps"):
        longest[interaction] = max(duration, longest.get(interaction, SHORTEST_HEARD))
    made = sum(child.did.values())
    return [*longest.values(), *[SHORTEST_HEARD] * max(0, made - len(longest))]


def _paints_on_a_slow_network(page: Any) -> list[float]:
    """Tap the pile and cards; the page times each tap until a frame has changed. Returns ms."""
    session = page.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", NETWORK)
    paints = []
    for tap in range(TAPS):
        page.evaluate(f"() => {{ window.paint = ({FIRST_PAINT})(); }}")
        if tap:
            page.locator("#hand .card").nth(tap).click()
        else:
            page.locator("#do-draw-closed").click()
        paints.append(page.evaluate("() => window.paint"))
        if not tap:
            page.locator("#do-lay").wait_for()
    return paints


if __name__ == "__main__":
    main()
