import pytest

from classrooms import erasing, roster
from classrooms.models import Child
from classrooms.secrets import decrypt_pictures
from games.models import Game
from tests.factories import (
    AttemptFactory,
    SchoolClassFactory,
)


def problems(text: str, taken: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    return [(wrong.line, wrong.problem) for wrong in roster.read_names(text, taken).wrong]


def test_names_stand_one_a_line_and_empty_lines_do_not_count() -> None:
    assert roster.read_names("Dora\r\n\n  Emil  \n\t\n").names == ("Dora", "Emil")


def test_spaces_and_accents_are_tidied() -> None:
    assert roster.read_names("\ufeffZoe\u0308   van\u00a0Dam").names == ("Zoë van Dam",)


@pytest.mark.parametrize(
    "name", ["Anne-Marie", "D'Arcy", "Finn B.", "李小龙", "محمد", "Ngô Bảo", "J2"]
)
def test_names_of_all_languages_are_names(name: str) -> None:
    assert roster.read_names(name).wrong == ()


def test_each_problem_is_told_by_its_line() -> None:
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
    (wrong,) = roster.read_names("Dora\nEmil\nDORA").wrong
    assert (wrong.line, wrong.detail) == (3, "1")


@pytest.mark.django_db
def test_children_are_added_with_pictures_of_their_own() -> None:
    school_class = SchoolClassFactory.create()
    added = roster.add_children(school_class, ["Dora", "Emil"])
    assert [child.name for child in school_class.children.all()] == ["Dora", "Emil"]
    assert all(len(decrypt_pictures(child.pictures_encrypted)) == 3 for child in added)
    assert len({child.player for child in added}) == 2


@pytest.mark.django_db
def test_erasing_a_child_erases_its_games() -> None:
    attempt = AttemptFactory.create()
    erasing.erase_child(attempt.child)
    assert not Game.objects.exists()
    assert not Child.everyone.exists()
