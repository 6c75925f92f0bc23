"""Each composed sentence is right for each value of its placeholders, in all languages."""

from collections import Counter

import pytest
from django.conf import settings
from django.utils.translation import override

from tests.counts import for_each
from tests.games.screen.composed import Composed, composed
from tests.games.screen.sentence_rules import ARTICLES, LONGER, SEVERAL, faults

LANGUAGES = [code for code, _ in settings.LANGUAGES]
AT_LEAST = 3_000


def test_the_rules_know_each_language() -> None:
    assert ARTICLES.keys() == SEVERAL.keys() == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_keeps_the_rules(language: str) -> None:
    with override(language):
        texts = list(composed())
    assert len(texts) > AT_LEAST
    found = {(text.text, fault) for text in texts for fault in faults(language, text)}
    assert found == set()


def test_each_language_says_the_same_things_in_the_same_order() -> None:
    kinds = []
    for language in LANGUAGES:
        with override(language):
            kinds.append([text.kind for text in composed()])
    assert all(each == kinds[0] for each in kinds)
    assert LONGER.keys() <= Counter(kinds[0]).keys()


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


@pytest.mark.parametrize(
    "text",
    [
        "12, 16, 20 and 24: 4 times table: 3 × 4, 4 × 4, 5 × 4, 6 × 4.",
        "From 12 to 16 is 4, from 16 to 21 is 5: the jumps must be the same.",
        "1 row is hiding in your cards.",
        "Use 12, 16, 20 and the row from 4 to 36 on the table.",
        "21 cards, 1 point.",
    ],
)
def test_what_keeps_the_rules_has_no_fault(text: str) -> None:
    assert list(faults("en", Composed("hint", text))) == []


def test_a_label_is_no_sentence() -> None:
    assert list(faults("en", Composed("card", "joker, red", sentence=False))) == []
