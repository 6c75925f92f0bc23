"""Each composed sentence is right for each value of its placeholders, in all languages."""

import pytest
from django.conf import settings
from django.utils.translation import override

from tests.counts import for_each
from tests.games.screen.composed import Composed, composed
from tests.games.screen.sentence_rules import faults

LANGUAGES = [code for code, _ in settings.LANGUAGES]
AT_LEAST = 3_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_keeps_the_rules(language: str) -> None:
    with override(language):
        texts = list(composed())
    assert len(texts) > AT_LEAST
    found = {(text.text, fault) for text in texts for fault in faults(language, text)}
    assert found == set()


@for_each(
    [
        ("en", "look at the row.", "begins small"),
        ("nl", "Pak een kaart", "no end mark"),
        ("de", "Nimm die %(card)s.", "placeholder"),
        ("sv", "Ta {card}.", "placeholder"),
        ("en", "Take None.", "placeholder"),
        ("en", "Look at the row row.", "twice"),
        ("nl", "Leg de een kaart.", "two articles"),
        ("de", "Nimm der die Karte.", "two articles"),
        ("sv", "Ta ett en kort.", "two articles"),
        ("en", "You have 1 cards.", "one, and several"),
        ("nl", "Je hebt 1 kaarten.", "one, and several"),
        ("de", "Du hast 1 Karten.", "one, and several"),
        ("sv", "Det är 1 serier.", "one, and several"),
        ("en", "Look:: 12.", "badly joined"),
        ("en", "Look at  12.", "badly joined"),
        ("en", "Look at 12 .", "badly joined"),
        ("en", "One two three four five six seven eight nine ten eleven twelve more.", "13 words"),
    ]
)
def test_a_planted_fault_is_found(language: str, text: str, about: str) -> None:
    (fault,) = faults(language, Composed("hint", text))
    assert about in fault
