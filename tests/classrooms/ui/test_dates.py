from datetime import date

import pytest
from django.utils.translation import override

from classrooms.ui.pages import FORMS, written

SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Saturday 28 November"),
        ("nl", "zaterdag 28 november"),
        ("de", "Samstag, 28. November"),
        ("sv", "lördag 28 november"),
    ],
)
def test_a_date_is_written_as_its_language_does(language: str, words: str) -> None:
    with override(language):
        assert written(SATURDAY, "l j F").lower() == words.lower()


@pytest.mark.parametrize("form", FORMS)
def test_in_english_a_form_is_its_own_name(form: str) -> None:
    with override("en"):
        assert str(FORMS[form]) == form
