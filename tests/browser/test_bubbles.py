"""What the others say is short: at most 12 words and two lines a sentence, in every language."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Page, expect

from games.engine.actions import Deal
from games.engine.ruleset import edition
from games.screen import words
from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.test_layout import HAND, choose, open_staged
from tests.counts import times
from tests.factories import ChildFactory
from tests.games.rounds import random_match
from tests.games.screen.test_words import said_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LANGUAGES: Final = [code for code, _ in settings.LANGUAGES]
MATCHES: Final = times(5, 200)
MOST_WORDS: Final = 12
MOST_LINES: Final = 2
LINES: Final = """(sentences) => {
    const bubble = document.querySelector(".bubble:not(.bubble-intro)");
    const said = bubble.querySelector(".said-step");
    const high = parseFloat(getComputedStyle(bubble).lineHeight);
    const who = bubble.querySelector(".bubble-who");
    bubble.replaceChildren(who, said);
    return sentences.map((sentence) => {
        said.textContent = sentence;
        const range = document.createRange();
        range.selectNodeContents(bubble);
        return Math.round(range.getBoundingClientRect().height / high);
    });
}"""


def sentences() -> Iterator[str]:
    """All that is said in some matches, and the longest that can be said."""
    for seed in Random(5).sample(range(10**6), MATCHES):
        for before, _, action in random_match(seed).moments:
            if action is not None and not isinstance(action, Deal):
                yield from re.split(r"(?<=[.!]) ", said_of(before, action))
    for colours in ("same", "different"):
        yield words.doubled({"points": 36, "colours": colours})
    yield words.earned({"points": 36, "laid": range(10)}, edition("classic"))
    yield words.besides({"swapped": [88, 96, 100]})
    yield words.besides({"last": True})


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_of_the_others_has_at_most_twelve_words_and_two_lines(
    pages: Callable[..., Page], language: str, size: str
) -> None:
    with translation.override(language):
        said = sorted({sentence for sentence in sentences() if sentence})
    assert len(said) > 100
    assert [one for one in said if len(one.split()) > MOST_WORDS] == []
    width, height = SIZES[size]
    page = pages(viewport={"width": width, "height": height}, locale=language)
    dora = ChildFactory.create(name="Dora", school_class__language=language)
    let_in(page, dora)
    open_staged(page, dora, HAND)
    choose(page, "1")
    page.locator("#do-discard").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()
    expect(page.locator(".bubble:not(.bubble-intro)").first).to_be_visible()
    lines = page.evaluate(LINES, said)
    assert min(lines) >= 1
    long = [one for one, count in zip(said, lines, strict=True) if count > MOST_LINES]
    assert long == []
