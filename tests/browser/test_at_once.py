"""What the page says before the server answers is what the engine would say; the number line is the
server's; names are sorted as by ICU, the library of PostgreSQL and of browsers."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Final

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from classrooms.models import Child
from classrooms.models.name_order import name_order
from games.coach.times_tables import row_table_of
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import FAMILIES
from games.screen.board import rules_for_the_script
from games.screen.hint_pictures import number_line
from games.screen.words import row_name
from tests.browser.at_home import HAND, choose_cards, open_staged
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDS: Final = times(40, 8_000)
RULES: Final = (
    *EDITIONS.values(),
    edition("simplified", tables=(2, 5, 10)),
    edition("classic", tables=(3, 4, 7), counts_back_to=(0,)),
    edition("classic", counts_back_to=(1,)),
    edition("advanced", families=FAMILIES),
    edition("simplified", tables=(2,), families=FAMILIES),
)
NAME_ROWS: Final = """async ([hands, rules]) => {
    const { nameOf, rowsOf } = await import("/static/js/game/rows.js");
    const own = JSON.parse(rules);
    return hands.map((hand) => rowsOf(...hand, own).map((row) => nameOf(row, own)));
}"""
Hand = tuple[list[int], int]


def random_hand(random: Random, ruleset: Ruleset, rows: Sequence[tuple[int, ...]]) -> Hand:
    """A hand that is a row, or nearly one, often with jokers in place of some cards."""
    numbers = list(random.choice(rows))[: random.randint(3, 7)]
    jokers = random.choice((0, 0, 0, 1, 1, 2, 3))
    if random.random() < 0.3:
        numbers[random.randrange(len(numbers))] = random.randint(1, ruleset.highest)
    random.shuffle(numbers)
    return numbers[jokers:], jokers


def names_by_the_engine(
    hand: Hand, rows: dict[int, list[tuple[int, ...]]], ruleset: Ruleset
) -> set[str]:
    """The names of all rows that these numbers make with this many jokers."""
    numbers, jokers = hand
    if len(set(numbers)) < len(numbers):
        return set()
    own = set(numbers)
    possible = [row for row in rows.get(len(numbers) + jokers, []) if own <= set(row)]
    return {row_name(row_table_of(row), ruleset) for row in possible}


def test_the_page_knows_the_rows_of_the_engine(page: Page, dora: Child) -> None:
    open_staged(page, dora, HAND)
    for ruleset in RULES:
        check_rows(page, ruleset)


def check_rows(page: Page, ruleset: Ruleset) -> None:
    random = Random(5)
    rows: dict[int, list[tuple[int, ...]]] = {}
    for mask in sorted(ruleset.sequences.rows):
        row = tuple(number for number in range(1, ruleset.highest + 1) if mask >> number & 1)
        rows.setdefault(len(row), []).append(row)
    every = [row for of_size in rows.values() for row in of_size]
    hands = [random_hand(random, ruleset, every) for _ in range(HANDS)]
    by_the_page = page.evaluate(NAME_ROWS, [hands, rules_for_the_script(ruleset)])
    count = 0
    for hand, names in zip(hands, by_the_page, strict=True):
        expected = names_by_the_engine(hand, rows, ruleset)
        assert bool(names) == bool(expected), (hand, ruleset)
        count += bool(names)
        if len(names) == 1 or not hand[1]:
            assert set(names) == expected, hand
    assert HANDS / 10 < count < HANDS


@pytest.mark.parametrize("move", times(["lay"], ["lay", "discard", "draw-closed"]))
def test_cards_being_sent_are_shown_at_once(page: Page, dora: Child, move: str) -> None:
    open_staged(page, dora, HAND, phase="draw" if move == "draw-closed" else "play")
    chosen = {"lay": ("35", "40", "45"), "discard": ("1",), "draw-closed": ()}[move]
    choose_cards(page, *chosen)
    page.route("**/act", lambda route: None)
    page.locator(f"[name=move][value={move}]").click()
    going = page.locator(".card.going")
    expect(going).to_have_count(len(chosen) or 1)
    for number in chosen:
        expect(page.locator(f".card.going:has(input[value='{number}'])")).to_be_visible()


NUMBERS_OF_LINES: Final = (1, 2, 8, 9, 17, 18, 33, 50)
"""Numbers close together and far apart, some of them at half places of the line."""
CHOOSE: Final = """async rows => {
    const lines = [];
    for (const row of rows) {
        const boxes = document.querySelectorAll("#hand input");
        for (const box of boxes) box.checked = row.includes(+box.value);
        boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        lines.push(document.querySelector("#chosen svg").outerHTML);
    }
    return lines;
}"""
"""The page first paints the choice, then its result."""


def elements_of(svg: str) -> list[tuple[str, list[tuple[str, str]], str]]:
    """The elements of a picture, sorted."""
    root = ET.fromstring(svg)
    return sorted((e.tag, sorted(e.items()), (e.text or "").strip()) for e in root.iter())


def test_the_page_and_the_server_draw_the_same_line(pages: Callable[..., Page]) -> None:
    dora, page = ChildFactory.create(name="Dora"), pages()
    open_staged(page, dora, " ".join(map(str, NUMBERS_OF_LINES)))
    rows = [
        row
        for n in range(2, len(NUMBERS_OF_LINES) + 1)
        for row in combinations(NUMBERS_OF_LINES, n)
    ]
    by_the_page = page.evaluate(CHOOSE, rows)
    close = set()
    for row, svg in zip(rows, by_the_page, strict=True):
        line = number_line(row)
        assert elements_of(svg) == elements_of(
            render_to_string("games/_number_line.html", {"line": line})
        ), row
        close.add(line.is_close)
    assert close == {True, False}


TEXT: Final = """
Aaron Åsa Zoë Zoe Zoé Ängla Ozan Özan Ömer Örjan Øystein Ægir Aegir Æsa Oscar Œuvre Müller Muller
Mueller Mystery Jürgen Jurgen Jyrki Łukasz Lukasz Lucas Đorđe Dorde Dora Ðorun Þór Thor Tor Zorn
Zygmunt Ibrahim İbrahim Işıl Isil Iris Ingrid Ñandu Nando Çağla Cagla Cem Şule Sule Strauß Strauss
Straub Ann Anna Anne Ann-Lea AnnLea Anna-Lena Annalena d'Arcy D'Artagnan Darwin Dana O'Neill Oneill
O'Brien Obrien émile Emile Emil Emily Élodie Elodie Françoise Francoise René Renee Renée Siân Sian
Seán Sean Chloé Chloë Chloe Noël Noel Noèl Inès Ines Inés Wim Vim Wilma Vilma Ylva Üzeyir Uzay Ulf
Ålander Alander Ärlig Arlig Ők Ön Ônda Ęwa Ewa Żaneta Zaneta Ħal Hal Ŋala Nala Björn Bjorn Bjarne
Sören Soren Søren Åke Ake Pär Per Håkan Hakan Jan Jan-Peter Maria Мария Анна Борис Егор Lea Léa Leah
"""
WITH_SPACES: Final = ("Van den Berg", "van der Meer", "De Vries", "Al Amin", "Al-Amin", "Eva 2")
LETTERS: Final = "aáàâäåãāăąæbcçćčdđeéèêëęēfgğhiíìîïıjklłmnñńňoóòôöøõőœprřsśšştțtuúùûüűvwxyýzžźżß"
SORT_NAMES: Final = "([names, language]) => [...names].sort(new Intl.Collator(language).compare)"


def random_names() -> list[str]:
    random = Random(7)
    lengths = [random.randrange(2, 6) for _ in range(times(100, 3000))]
    return ["".join(random.choices(LETTERS, k=length)).capitalize() for length in lengths]


def test_names_are_sorted_as_icu_sorts_them(page: Page) -> None:
    """Each name occurs once, whatever its capitals, as in a class."""
    names = list(
        {name.casefold(): name for name in (*TEXT.split(), *WITH_SPACES, *random_names())}.values()
    )
    page.goto("about:blank")
    for language in ("en", "nl", "de", "sv"):
        by_icu = page.evaluate(SORT_NAMES, [names, language])
        assert sorted(names, key=lambda name: (name_order(name, language), name)) == by_icu
