"""A product is written and said as the catalogue of a language has it."""

import pytest
from django.utils import translation

from games.screen.products import product, spoken, unbroken


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("en", "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7", "6 times 7"),
        ("de", "6\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}7", "6 mal 7"),
        ("fr", "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7", "6 fois 7"),
    ],
)
def test_the_sign_and_the_word_are_those_of_the_language(
    language: str, written: str, said: str
) -> None:
    with translation.override(language):
        assert unbroken(product(6, 7)) == written
        assert spoken(6, 7) == said
