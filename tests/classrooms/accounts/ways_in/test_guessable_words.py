"""Words that everyone here would try first."""

import doctest

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from classrooms.accounts import validators
from classrooms.models import User


@pytest.mark.parametrize(
    "password",
    [
        "nmbrs2026!",
        "MySchool123",
        "Leerkracht1",
        "schule-klasse-4",
        "alice.school.99",
        "Lösenord12",
    ],
)
def test_words_of_school_and_ones_own_address_are_no_password(password: str) -> None:
    with pytest.raises(ValidationError):
        validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


@pytest.mark.parametrize(
    "password", ["seven times eight", "school of whales", "correct horse", "1234567890", "q"]
)
def test_one_word_of_ones_own_is_enough(password: str) -> None:
    validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


def test_the_site_uses_it() -> None:
    with pytest.raises(ValidationError, match="guess first"):
        validate_password("nmbrs2026!")


def test_a_very_long_password_is_looked_at_quickly_enough() -> None:
    assert validators.is_made_of("school" * 700, validators.WORDS)
    assert not validators.is_made_of("school" * 700 + "x", validators.WORDS)


def test_the_example_is_true() -> None:
    assert doctest.testmod(validators).failed == 0
