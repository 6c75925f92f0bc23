"""Nothing on the page jumps while a round is played."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.assignments.choice import Choice
from classrooms.assignments.presets import PRESETS
from classrooms.models import Child
from games.engine.round import Phase
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.engine.text.notation import parse_table
from games.play import starting
from tests.browser.at_home import (
    HAND,
    LONGER,
    RULESET,
    TABLE,
    choose_cards,
    let_in,
    open_staged,
    play_to_the_end,
    seats_of,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.counts import times
from tests.games.staged import stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST: Final = 0.02
WATCH: Final = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
        shifts.push([value, sources.map(({ node }) => node?.className || node?.id || "?")]);
    }
}).observe({ type: "layout-shift", buffered: true });"""
"""Records every shift with the shifted elements, even after a tap."""
AFTER_TWO_PICTURES: Final = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done(shifts)));
})"""
EDGES: Final = """(parts) => Object.fromEntries(parts.map((part) => {
    const { top, bottom } = document.querySelector(part).getBoundingClientRect();
    return [part, [top, bottom]];
}))"""

FIRST_PICTURE: Final = """() => {
    window.drawn = [];
    document.addEventListener("htmx:before:swap", () => {
        const old = document.getElementById("table");
        const look = () => {
            const now = document.getElementById("table");
            if (now === old) { requestAnimationFrame(look); return; }
            drawn.push(!document.querySelector(".ghost"));
        };
        requestAnimationFrame(look);
    }, { once: true });
}"""
"""Records whether the first picture of the new board shows its cards at rest."""


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_whole_round_shifts_almost_nothing(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size, reduced_motion="no-preference")
    page.add_init_script(WATCH)
    sit_down(page, dora, LONGER)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= MOST, shifts


@pytest.mark.proof
def test_the_page_is_first_drawn_as_a_whole_on_a_slow_computer(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    page.add_init_script(WATCH)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 10})
    sit_down(page, dora, LONGER)
    expect(page.locator("#hand")).to_be_visible()
    assert page.evaluate(AFTER_TWO_PICTURES) == []


OPEN: Final = 49
AIMS: Final = (
    ".felt, #table .table-card, #table .row-tag, .pile, .hand-panel, #hand, #hand li, "
    ".actions .action, .answers .action"
)
MOVED_TARGETS: Final = """async (aims) => {
    const drawn = () => new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
    });
    const all = [...document.querySelectorAll(aims)];
    const boxes = () => all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height];
    });
    const labels = [...document.querySelectorAll("#hand label")];
    const before = boxes(), moved = [];
    const choose = async (label) => {
        label.click();
        await drawn();
        boxes().forEach((box, at) => {
            if (box.some((side, n) => Math.abs(side - before[at][n]) > 1))
                moved.push([label.dataset.card, all[at].className, before[at], box]);
        });
    };
    for (const label of labels) {
        await choose(label);
        await choose(label);
    }
    for (const label of labels.reverse()) await choose(label);
    return moved;
}"""
"""Choose cards of the hand, each alone, then all from the joker on, and return every target that
has moved meanwhile."""


def staged_rows(ruleset: Ruleset) -> tuple[str, str, list[int]]:
    """A row with a joker, so long that a phone has no room beside it; a short row; and the numbers
    that lengthen the first row, swap its joker, lengthen the second and fit nowhere."""
    table, other, *_ = ruleset.tables or (2, 3)
    numbers = [table * n for n in range(1, 10)]
    first = "-".join("a=" + str(n) if n == numbers[3] else str(n) for n in numbers[:8])
    start = numbers[8] // other + 1
    second = [other * n for n in range(start, start + 4)]
    return first, "-".join(map(str, second[:3])), [numbers[8], numbers[3], second[3], 1]


def hand_of(ruleset: Ruleset, count: int, wanted: Sequence[int], table: Table) -> str:
    """This many cards: those `wanted`, a joker, and others that do not lie on the table."""
    used = {*table.laid_cards, *(card.number for card in table.laid_cards.values()), *wanted, OPEN}
    rest = [n for n in range(1, ruleset.highest) if n not in used]
    own = sorted([*wanted, *rest[:: len(rest) // count][: count - len(wanted) - 1]])
    return " ".join([*map(str, own), "d"])


@pytest.mark.parametrize("name", times(("first", "blocks"), tuple(PRESETS)))
def test_nothing_to_aim_at_moves_when_cards_are_chosen(page: Page, dora: Child, name: str) -> None:
    let_in(page, dora)
    for ruleset, phase in phases_of(PRESETS[name].choice):
        *rows, wanted = staged_rows(ruleset)
        table = parse_table(rows, ruleset)
        seats = seats_of(dora, "onlooker")
        game = starting.start(ruleset, seats, hint_steps=6, seed=3)
        for count in (7, 10):
            hand = hand_of(ruleset, count, wanted, table)
            lies_open = "" if ruleset.has_pot and phase == "play" else str(OPEN)
            stage(game, hand, *rows, open_card=lies_open, phase=phase)
            for width, height in SIZES.values():
                page.set_viewport_size({"width": width, "height": height})
                page.goto(f"/games/{game.pk}/")
                if count == 10:
                    page.evaluate("document.querySelector('.said .read').hidden = false")
                assert page.evaluate(MOVED_TARGETS, AIMS) == [], (phase, count, width)


def phases_of(choice: Choice) -> Iterator[tuple[Ruleset, Phase]]:
    """The moments at which a child can choose cards, also with offers."""
    ruleset = choice.ruleset()
    yield ruleset, "play"
    if ruleset.has_pot:
        yield ruleset, "knock"
    else:
        yield ruleset, "draw"
        yield replace(choice, offers=True, more_rows=False).ruleset(), "offer"


def test_the_hand_keeps_its_place_when_a_card_is_taken(page: Page, dora: Child) -> None:
    hands = ("4 12 35 40", "4 12 35 40 45", "1 4 12 35 40 45", "1 4 7 12 35 40 45")
    for hand, (width, height) in product(hands, (*SIZES.values(), (1024, 768))):
        page.set_viewport_size({"width": width, "height": height})
        open_staged(page, dora, hand, *TABLE[:2], phase="draw")
        before = page.evaluate(EDGES, ["#hand"])["#hand"]
        page.locator("#do-draw-closed").click()
        expect(page.locator("#hand input")).to_have_count(len(hand.split()) + 1)
        after = page.evaluate(EDGES, ["#hand"])["#hand"]
        assert after == pytest.approx(before, abs=2), hand


def test_the_question_which_row_moves_no_card_and_shows_all_answers(
    page: Page, dora: Child
) -> None:
    for width, height in (*SIZES.values(), (1180, 820)):
        page.set_viewport_size({"width": width, "height": height})
        open_staged(page, dora, "20 30 b 45", "2-4-6", "36-38-40")
        choose_cards(page, "20", "30", "b")
        cards = page.locator("#table .table-card")
        before = cards.first.bounding_box()
        page.locator("#do-lay").click()
        answers = page.locator(".choice-play")
        expect(answers).to_have_count(3)
        for answer in answers.all():
            expect(answer).to_be_in_viewport(ratio=1)
        assert cards.first.bounding_box() == before, width


def test_no_old_state_is_drawn_between_two_boards(pages: Callable[..., Page], dora: Child) -> None:
    """A card that has landed is not visible in the hand again, not even for one frame."""
    page = pages(reduced_motion="no-preference")
    open_staged(page, dora, HAND, *TABLE[:2])
    page.evaluate(FIRST_PICTURE)
    choose_cards(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.evaluate("drawn") == [False]
