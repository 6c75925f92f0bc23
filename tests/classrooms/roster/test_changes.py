"""The same list again is an update: who is in the class already is no line to mend."""

import pytest

from classrooms.roster.changes import Change, change_of
from classrooms.roster.importing.pupils import Pupil, with_distinct_names


def pupils(*names: str) -> list[Pupil]:
    """Pupils of a list, "Emma Bakker" with her family name apart."""
    read = []
    for line, name in enumerate(names, start=2):
        given, _, family = name.partition(" ")
        read.append(Pupil(line, given, given, family))
    return with_distinct_names(read)


def change(read: list[Pupil], taken: list[str], **typed: str) -> Change:
    return change_of(read, taken, lambda place, _pupil: f"name_{place}", typed.get)


def test_a_list_that_is_brought_again_adds_whom_it_has_more() -> None:
    after = change(pupils("Dora Ek", "Emil Alm", "Fay Bos"), ["Emil", "Dora"])
    assert (after.new, after.there, after.gone, after.wrong) == (("Fay",), ["Dora", "Emil"], [], 0)


def test_who_is_in_the_class_and_not_on_the_list_is_said() -> None:
    assert change(pupils("Dora"), ["Dora", "Gus"]).gone == ["Gus"]
    assert change(pupils("Fay"), ["Dora", "Gus"]).gone == (), "another list altogether"


@pytest.mark.parametrize(
    ("read", "taken"),
    [
        (["Emma Bakker", "Emma Dam"], ["Emma B.", "Emma D."]),
        (["Emma Bakker"], ["Emma B."]),
        (["Emma Bakker"], ["Emma Bakker"]),
        (["Emma Bakker", "Emma Bos", "Emma Dam"], ["Emma Ba.", "Emma Bo.", "Emma D."]),
        (["Emma Bakker"], ["emma"]),
        (["Zoë Ek"], ["Zoe"]),
        (["Emma van Dam"], ["Emma D."]),
    ],
)
def test_twins_are_known_again_by_letters_of_their_family_names(
    read: list[str], taken: list[str]
) -> None:
    after = change(pupils(*read), taken)
    assert (after.new, sorted(after.there), after.wrong) == ((), sorted(taken), 0)


def test_of_twins_nobody_is_taken_for_the_other() -> None:
    after = change(pupils("Emma Bakker", "Emma Dam"), ["Emma"])
    assert (after.new, after.there) == (("Emma B.", "Emma D."), [])


def test_a_third_of_a_name_is_new_and_the_others_are_there() -> None:
    after = change(pupils("Emma Bakker", "Emma Dam", "Emma Vos"), ["Emma B.", "Emma D."])
    assert (after.new, after.there) == (("Emma V.",), ["Emma B.", "Emma D."])


def test_a_name_that_is_typed_must_be_free() -> None:
    after = change(pupils("Dora", "Fay"), ["Dora"], name_1="Dora")
    assert [line.problem.startswith("Dora is already in this class") for line in after.lines] == [
        True
    ]


def test_two_of_a_name_on_a_list_are_told_apart_by_hand_with_their_lines() -> None:
    (first, second) = change(pupils("Fay", "Fay"), []).lines
    assert (first.problem, "also on line 2" in second.problem) == ("", True)
    after = change(pupils("Fay", "Fay"), [], name_0="Fay", name_1="")
    assert after.new == ("Fay",)
