"""Parts of a page are drawn once for the same data, and their cache keeps to its limit."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final
from unittest.mock import patch

import pytest

from games.engine.ruleset import edition
from games.screen.card_drawing import face
from games.screen.view_models import HandCard
from games.templatetags import drawn_parts
from games.templatetags.drawn_parts import BYTES_OF_KEY, DrawnParts

PAGE: Final = "games/_hand_card.html"
CARDS: Final = [
    HandCard(face(card, edition("simplified")), is_chosen=False, is_lit=False)
    for card in range(1, 41)
]
LARGE_CACHE: Final = 1 << 20


@pytest.fixture
def times_drawn() -> Iterator[list[str]]:
    """The templates that were drawn, in order."""
    pages: list[str] = []
    draw = drawn_parts.render_to_string

    def count_draws(page: str, context: dict[str, object]) -> str:
        if page == PAGE:
            pages.append(page)
        return draw(page, context)

    with patch.object(drawn_parts, "render_to_string", count_draws):
        yield pages


def test_the_same_data_is_drawn_once(times_drawn: list[str]) -> None:
    parts = DrawnParts(LARGE_CACHE)
    first = parts.draw(PAGE, CARDS[0])
    assert 'id="hand-1"' in first
    assert parts.draw(PAGE, replace(CARDS[0])) == first
    assert len(times_drawn) == 1


def test_no_more_bytes_are_kept_than_allowed(times_drawn: list[str]) -> None:
    room_for_some = 12 * (BYTES_OF_KEY + 1000)
    parts = DrawnParts(room_for_some)
    for card in CARDS:
        parts.draw(PAGE, card)
        assert parts.size <= room_for_some
        assert len(parts) * BYTES_OF_KEY < parts.size
    assert 5 < len(parts) < len(CARDS)


def test_the_part_not_used_for_longest_goes_first(times_drawn: list[str]) -> None:
    parts = DrawnParts(12 * (BYTES_OF_KEY + 1000))
    for card in CARDS:
        parts.draw(PAGE, CARDS[0])
        parts.draw(PAGE, card)
    assert len(times_drawn) == len(CARDS)
    parts.draw(PAGE, CARDS[1])
    assert len(times_drawn) == len(CARDS) + 1


def test_threads_share_the_cache() -> None:
    parts = DrawnParts(8 * (BYTES_OF_KEY + 1000))
    expected = {card: DrawnParts(LARGE_CACHE).draw(PAGE, card) for card in CARDS}

    def draw(start: int) -> bool:
        order = [CARDS[(start * 7 + n) % len(CARDS)] for n in range(300)]
        return all(parts.draw(PAGE, card) == expected[card] for card in order)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(draw, range(16)))
    assert parts.size <= parts.most_bytes
    assert parts.size == sum(map(drawn_parts._bytes_of, parts._texts.values()))
