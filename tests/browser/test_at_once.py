"""What the page says before the server answers is what the engine would say."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.coach.times_tables import describe
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import FAMILIES
from games.screen.rules_for_the_script import rules_for_the_script
from games.screen.words import row_name
from tests.browser.at_home import let_in
from tests.browser.test_layout import HAND, choose, open_staged
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDS: Final = times(120, 8_000)
RULES: Final = (
    *EDITIONS.values(),
    edition("simplified", tables=(2, 5, 10)),
    edition("classic", tables=(3, 4, 7), counts_back_to=(0,)),
    edition("classic", counts_back_to=(1,)),
    edition("advanced", families=FAMILIES),
    edition("simplified", tables=(2,), families=FAMILIES),
)
JUDGE: Final = """([hands, rules]) => hands.map(
    ([numbers, jokers]) => atOnce.namesOf(numbers, jokers, JSON.parse(rules)))"""
Hand = tuple[list[int], int]


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def some_hand(random: Random, ruleset: Ruleset, rows: Sequence[tuple[int, ...]]) -> Hand:
    """Mostly a row, or nearly one, with jokers in the place of some cards."""
    numbers = list(random.choice(rows))[: random.randint(3, 7)]
    jokers = random.choice((0, 0, 0, 1, 1, 2, 3))
    if random.random() < 0.3:
        numbers[random.randrange(len(numbers))] = random.randint(1, ruleset.highest)
    random.shuffle(numbers)
    return numbers[jokers:], jokers


def names_by_the_engine(
    hand: Hand, rows: dict[int, list[tuple[int, ...]]], ruleset: Ruleset
) -> set[str]:
    """The names of all the rows that these numbers make with this many jokers."""
    numbers, jokers = hand
    if len(set(numbers)) < len(numbers):
        return set()
    own = set(numbers)
    made = [row for row in rows.get(len(numbers) + jokers, []) if own <= set(row)]
    return {row_name(describe(row), ruleset) for row in made}


@pytest.mark.parametrize("ruleset", RULES, ids=lambda ruleset: rules_for_the_script(ruleset)[:60])
def test_the_page_knows_the_rows_that_the_engine_knows(
    pages: Callable[..., Page], dora: Child, ruleset: Ruleset
) -> None:
    page, random = pages(), Random(5)
    let_in(page, dora)
    open_staged(page, dora, HAND)
    rows: dict[int, list[tuple[int, ...]]] = {}
    for mask in sorted(ruleset.sequences.rows):
        row = tuple(number for number in range(1, ruleset.highest + 1) if mask >> number & 1)
        rows.setdefault(len(row), []).append(row)
    every = [row for of_size in rows.values() for row in of_size]
    hands = [some_hand(random, ruleset, every) for _ in range(HANDS)]
    by_the_page = page.evaluate(JUDGE, [hands, rules_for_the_script(ruleset)])
    found = 0
    for hand, names in zip(hands, by_the_page, strict=True):
        expected = names_by_the_engine(hand, rows, ruleset)
        assert bool(names) == bool(expected), hand
        found += bool(names)
        if len(names) == 1 or not hand[1]:
            assert set(names) == expected, hand
    assert HANDS / 10 < found < HANDS


@pytest.mark.parametrize("move", ["lay", "discard", "draw-closed"])
def test_cards_on_their_way_are_shown_so_before_the_server_answers(
    pages: Callable[..., Page], dora: Child, move: str
) -> None:
    page = pages()
    let_in(page, dora)
    open_staged(page, dora, HAND, phase="draw" if move == "draw-closed" else "play")
    chosen = {"lay": ("35", "40", "45"), "discard": ("1",), "draw-closed": ()}[move]
    choose(page, *chosen)
    page.route("**/act", lambda route: None)
    page.locator(f"[name=move][value={move}]").click()
    going = page.locator(".card.going")
    expect(going).to_have_count(len(chosen) or 1)
    for number in chosen:
        expect(page.locator(f".card.going:has(input[value='{number}'])")).to_be_visible()
