"""A child finds itself however it types its name, and nobody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classrooms.spelling import LONGEST_PLAIN, plain_name


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Dora", " dORA "),
        ("Zoë", "zoe"),
        ("Zoë", "Zoe\u0308"),
        ("Jan-Willem van Dam", "jan willem vandam"),
        ("D'Angelo", "d’angelo"),
        ("Emil K.", "emil k"),
        ("Jürgen", "Juergen"),
        ("Jürgen", "jurgen"),
        ("Søren", "Soren"),
        ("Åsa", "Aasa"),
        ("Łukasz", "lukasz"),
        ("Weiß", "weiss"),
        ("Δώρα", "δωρα"),
    ],
)
def test_capitals_accents_spaces_and_signs_do_not_matter(name: str, typed: str) -> None:
    assert plain_name(name) == plain_name(typed) != ""


@pytest.mark.parametrize(
    ("one", "other"), [("Dora", "Nora"), ("Emil", "Emile"), ("Jan 1", "Jan 2")]
)
def test_other_letters_and_digits_are_another_name(one: str, other: str) -> None:
    assert plain_name(one) != plain_name(other)


def test_a_name_without_letters_is_none() -> None:
    assert plain_name(" '-. ") == ""


@given(st.text(max_size=40))
def test_any_text_has_a_plain_form_that_fits_into_the_table(text: str) -> None:
    assert len(plain_name(text)) <= LONGEST_PLAIN
    assert plain_name(text.upper().lower()) == plain_name(text.lower())
