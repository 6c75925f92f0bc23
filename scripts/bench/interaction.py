"""Measures how soon a child's page answers a tap, in a round on a processor six times slower and on
a network of 400 kbit/s with 2 seconds of latency, and how long a turn of one bot keeps a child
waiting. `python -m scripts.bench.interaction turns` measures only the turns."""

import os
import shutil
import sys
import tempfile
from dataclasses import replace
from statistics import median
from typing import Any, Final

from scripts.lighthouse import server

SLOWDOWN: Final = 6
NETWORK: Final = {
    "offline": False,
    "latency": 2000,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-headless-shell")
SIZES: Final = ((1366, 768), (360, 740))
TAPS: Final = 4
TAP_MS: Final = 80
"""The milliseconds for which a finger rests on the screen."""
MS_BETWEEN_TAPS: Final = 200
MS_UNTIL_A_TAP_COUNTS: Final = 500
"""The page takes an earlier second tap, or an earlier tap on a new question, for a slip."""
SHORTEST_REPORTED: Final = 16
"""The browser reports no interaction shorter than this, in ms."""
GOAL: Final = 100
"""In ms: the aim for both measurements of a tap, and until a discarded card lies on the pile."""
TURN_GOALS: Final = {"normal": 2000, "at-once": 600}
"""The aims for a turn of one bot, by speed: ms from the tap that ends the child's turn until the
buttons are back."""
SENTENCES_GOAL: Final = 3
TURNS: Final = 20
ROUNDS: Final = 10
"""Enough for `TURNS` turns, each of which ends with a discard and not with the round."""
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
TURN: Final = """() => new Promise((done) => {
    const board = document.getElementById("board"), times = [];
    const has = (selector) => board.querySelector(selector);
    const seen = () => has("[name=seen]").value, before = seen();
    const isStill = (part) => part.getAnimations().every((one) => one.playState === "finished");
    const isAnswered = () => seen() !== before;
    const lies = () => isAnswered() || (has(".ghost.down") && isStill(has(".ghost.down")));
    const waits = () => [...board.querySelectorAll(".hand-panel .fresh, .after-steps")];
    const steps = [lies, isAnswered, () => waits().every(isStill), () => has(".strip-now")];
    document.addEventListener("pointerdown", ({ timeStamp }) => {
        const look = () => {
            const isOver = has(".over"), now = performance.now() - timeStamp;
            while (!isOver && steps[times.length]?.()) times.push(now);
            if (isOver) done(null);
            else if (times.length < steps.length) requestAnimationFrame(look);
            else done(times);
        };
        requestAnimationFrame(look);
    }, { once: true, capture: true });
})"""
"""The times from the tap that discards a card until it lies on the pile, until the server has
answered, until the buttons are back, and until all steps of the bot are shown. Null if the round is
over."""
SENTENCES: Final = """() => {
    const parts = document.querySelectorAll(".bubble, .said > :not(#held)"), texts = [];
    for (const part of parts) {
        const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        let text = "";
        while (nodes.nextNode()) {
            const { parentElement: around, data } = nodes.currentNode;
            const isUnsaid = around.closest(".visually-hidden, button, svg, .bubble-who");
            if (!isUnsaid && around.checkVisibility({ visibilityProperty: true })) text += data;
        }
        texts.push(...(text.match(/[^.!?]*\\p{L}[^.!?]*[.!?]*/gu) ?? []));
    }
    return texts.map((text) => text.trim());
}"""
"""The sentences that the others and the page itself say."""


def main() -> None:
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
                if "turns" not in sys.argv:
                    _measure_at(size, address, of_size)
                for speed in TURN_GOALS:
                    _measure_turns(size, speed, address)
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
    from tests.classrooms.people import sign_in_by_card

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    games = []
    for name in ("Dora", "Emil"):
        child = Child.objects.create(school_class=school_class, name=name)
        addresses = [f"/games/{game_of(child, LONGER).pk}/" for _ in range(2)]
        games.append((addresses, sign_in_by_card(child, "bench")))
    return games


def _measure_turns(size: tuple[int, int], speed: str, address: str) -> None:
    """Play rounds as a new assignment has them, with one bot, and print how long its turns last and
    how much text there is."""
    from playwright.sync_api import sync_playwright

    from classrooms.assignments.choice import DEFAULT_CHOICE
    from classrooms.models import Child, SchoolClass
    from classrooms.signin.children_only import SESSION_COOKIE
    from games.play import starting
    from games.play.starting import NewSeat
    from tests.classrooms.people import sign_in_by_card

    ruleset = replace(DEFAULT_CHOICE, rounds=1).ruleset()
    school_class = SchoolClass.objects.create(name="5C", names_shown="always")
    child = Child.objects.create(school_class=school_class, name="Finn", speed=speed)
    seats = [
        NewSeat(player=child.player, name=child.name),
        NewSeat(bot="steady", name="Ollie", face="owl"),
    ]
    turns: list[list[float]] = []
    words_read: list[int] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        token = sign_in_by_card(child, "bench")
        context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": address}])
        page = context.new_page()
        page.set_default_timeout(60_000)
        for seed in range(ROUNDS):
            if len(turns) >= TURNS:
                break
            game = starting.start(ruleset, seats, hint_steps=4, shows_missed_rows=True, seed=seed)
            page.goto(f"{address}/games/{game.pk}/")
            times, sentences = _turns_of_a_round(page, ruleset)
            turns += times
            words_read += sentences
        browser.close()
    down, answer_ms, back_ms, shown_after = (sorted(times) for times in zip(*turns, strict=True))
    print(
        f"{size[0]}×{size[1]}, {speed}, {len(turns)} turns of one bot, median and longest: "
        f"card on the pile {median(down):.0f}, {down[-1]:.0f} (goal {GOAL}); "
        f"answer {median(answer_ms):.0f}, {answer_ms[-1]:.0f}; "
        f"buttons back {median(back_ms):.0f}, {back_ms[-1]:.0f} (goal {TURN_GOALS[speed]}); "
        f"all shown {median(shown_after):.0f}, {shown_after[-1]:.0f}; "
        f"sentences {median(words_read):.0f}, {max(words_read)} (goal {SENTENCES_GOAL})",
        flush=True,
    )


def _turns_of_a_round(page: Any, ruleset: Any) -> tuple[list[list[float]], list[int]]:
    """The times of each turn of the bot in a round, and how many new sentences the child has seen
    from one turn of their own to the next."""
    from playwright.sync_api import Locator

    from games.engine.cards import card_text
    from tests.browser.child import ChildAtTheTable

    turns: list[list[float]] = []
    words_read: list[int] = []
    last: list[str] = page.evaluate(SENTENCES)
    new = 0

    def count_sentences() -> None:
        nonlocal last, new
        now = page.evaluate(SENTENCES)
        new += sum(sentence not in last for sentence in now)
        last = now

    class OnTheClock(ChildAtTheTable):
        def click(self, target: Locator) -> None:
            self.page.wait_for_timeout(MS_UNTIL_A_TAP_COUNTS)
            super().click(target)

        def press(self, move: str) -> None:
            super().press(move)
            count_sentences()

        def tap(self, name: str, value: str) -> None:
            """Tap a card; choose a row without a finger, because a place may lie over its name."""
            if name == "card":
                super().tap(name, value)
            else:
                page.locator(f"input[name={name}][value='{value}']").evaluate("box => box.click()")

        def press_lay(self) -> None:
            super().press_lay()
            page.wait_for_load_state("networkidle")
            count_sentences()

        def put_down(self, card: int) -> None:
            nonlocal new
            self.tap("card", card_text(card))
            page.evaluate(f"() => {{ window.turn = ({TURN})(); }}")
            ends = len(self.hand()) == 1
            page.locator("#do-discard").click()
            times = page.evaluate("() => window.turn")
            count_sentences()
            if times and not ends:
                turns.append(times)
                words_read.append(new)
            new = 0

    player = OnTheClock(page, ruleset)
    while not player.is_over():
        if player.offered("draw-closed"):
            player.press("draw-closed")
        player.lay_and_end()
    return turns, words_read


def _measure_at(size: tuple[int, int], address: str, games: tuple[list[str], str]) -> None:
    from playwright.sync_api import sync_playwright

    from classrooms.signin.children_only import SESSION_COOKIE

    (round_played, slow), cookie = games
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
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
        f"{size[0]}×{size[1]}: processor {SLOWDOWN} times slower, {len(taps)} taps: "
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

        def click(self, target: Locator) -> None:
            target.scroll_into_view_if_needed()
            box = target.bounding_box()
            assert box
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(*at)
            self.page.wait_for_timeout(MS_BETWEEN_TAPS)
            self.page.mouse.click(*at, delay=TAP_MS)

        def answer(self, choice: str) -> None:
            self.page.wait_for_timeout(MS_UNTIL_A_TAP_COUNTS)
            super().answer(choice)

    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    child = AtItsPace(page, RULESET)
    for _ in range(20):
        if child.is_over():
            break
        child.play_turn()
    page.wait_for_timeout(1000)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    longest: dict[int, float] = {}
    for interaction, duration, _ in page.evaluate("taps"):
        longest[interaction] = max(duration, longest.get(interaction, SHORTEST_REPORTED))
    count = sum(child.did.values())
    return [*longest.values(), *[SHORTEST_REPORTED] * max(0, count - len(longest))]


def _paints_on_a_slow_network(page: Any) -> list[float]:
    """Tap the pile and cards; the page times each tap until a frame has changed. Return the times
    in ms."""
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
