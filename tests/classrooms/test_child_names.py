"""Children's names: which are valid, and that a child is recognised however it types its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classrooms import child_names
from classrooms.child_names import LONGEST_PLAIN, plain_name


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


def problems(text: str, taken: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    return [(wrong.line, wrong.problem) for wrong in child_names.read_names(text, taken).wrong]


def test_names_stand_one_a_line_and_empty_lines_do_not_count() -> None:
    assert child_names.read_names("Dora\r\n\n  Emil  \n\t\n").names == ("Dora", "Emil")


def test_spaces_and_accents_are_tidied() -> None:
    assert child_names.read_names("\ufeffZoe\u0308   van\u00a0Dam").names == ("Zoë van Dam",)


@pytest.mark.parametrize(
    "name", ["Anne-Marie", "D'Arcy", "Finn B.", "李小龙", "محمد", "Ngô Bảo", "J2"]
)
def test_names_of_all_languages_are_names(name: str) -> None:
    assert child_names.read_names(name).wrong == ()


def test_each_problem_names_its_line() -> None:
    text = "Dora\n=1+1\n\n" + "x" * 41 + "\n12\ndora\nEmil\nAda\u202e"
    assert problems(text, taken=("emil",)) == [
        (2, "sign"),
        (4, "too long"),
        (5, "no letter"),
        (6, "on line"),
        (7, "in class"),
        (8, "sign"),
    ]


def test_a_name_on_two_lines_says_on_which_other_line_it_is() -> None:
    (wrong,) = child_names.read_names("Dora\nEmil\nDORA").wrong
    assert (wrong.line, wrong.detail) == (3, "1")


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("مریم", "مريم"),
        ("علی", "علي"),
        ("علی", "على"),
        ("فاطمة", "فاطمه"),
        ("أحمد", "احمد"),
        ("کریم", "كريم"),
        ("İlayda", "ılayda"),
        ("Sofia", "So\ufb01a"),
        ("Ｄｏｒａ", "Dora"),
        ("Dora", "Do\u200bra"),
    ],
)
def test_letters_that_keyboards_write_with_different_signs_are_the_same(
    name: str, typed: str
) -> None:
    assert plain_name(name) == plain_name(typed) != plain_name("علاء")


@pytest.mark.parametrize("name", ["می\u200cنا", "क्\u200dष"])
def test_joiners_within_a_name_stay(name: str) -> None:
    assert child_names.tidy(name) == name
    assert child_names.check_name(name) is None
