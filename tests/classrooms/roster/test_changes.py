"""A list read again updates the class: children who are already in it need no correction."""

from collections.abc import Sequence
from random import Random

import pytest

from classrooms.child_names import WrongLine
from classrooms.roster.importing.changes import (
    NEW,
    RENAMED,
    Change,
    ClassNow,
    KnownChild,
    change_of,
)
from classrooms.roster.importing.pupils import Pupil
from tests.counts import for_each


def pupils(*names: str) -> list[Pupil]:
    """The pupils of a list, in which "Emma Bakker" has her family name apart."""
    result = []
    for line, name in enumerate(names, start=2):
        given, _, family = name.partition(" ")
        result.append(Pupil(line, given, family))
    return result


def known_children(names: Sequence[str], of: str = "4A") -> list[KnownChild]:
    return [KnownChild(name, name, of, of) for name in names]


def say(wrong: WrongLine, line: int) -> str:
    return f"{wrong.problem} {line or wrong.detail}".strip()


def change(
    read: list[Pupil],
    taken_names: Sequence[str],
    away: Sequence[KnownChild] = (),
    listed: Sequence[str] = (),
    answers: dict[int, str] | None = None,
    typed: dict[int, str] | None = None,
) -> Change:
    now = ClassNow(known_children(taken_names), away, listed, ())
    return change_of(read, now, answers or {}, typed or {}, say)


def names_there(after: Change) -> list[str]:
    return [child.name for child in after.there]


def test_a_repeated_list_adds_only_its_new_pupils() -> None:
    after = change(pupils("Dora Ek", "Emil Alm", "Fay Bos"), ["Emil", "Dora"])
    assert (after.new, names_there(after), after.wrong) == (["Fay"], ["Dora", "Emil"], 0)


@for_each(
    [
        (["Emma Bakker", "Emma Dam"], ["Emma B.", "Emma D."]),
        (["Emma Bakker"], ["Emma B."]),
        (["Emma Bakker"], ["Emma B"]),
        (["Emma Bakker"], ["Emma Bakker"]),
        (["Emma Bakker", "Emma Bos", "Emma Dam"], ["Emma Ba.", "Emma Bo.", "Emma D."]),
        (["Emma Bakker", "Emma Bos"], ["Emma", "Emma Bo."]),
        (["Emma Bakker", "Emma Bos"], ["Emma B.", "Emma Bo."]),
        (["Emma Bakker", "Emma Boer", "Emma Bos"], ["Emma", "Emma Bo.", "Emma Boe."]),
        (["Emma Bakker"], ["emma"]),
        (["Emma van Dam"], ["Emma D."]),
        (["Emma van Dam"], ["Emma van Dam"]),
        (["Zoë Müller"], ["Zoë Mue."]),
    ]
)
def test_twins_are_recognised_by_letters_of_their_family_names(
    listed: list[str], names: list[str]
) -> None:
    after = change(pupils(*listed), names)
    assert (after.new, sorted(names_there(after)), after.wrong) == ([], sorted(names), 0)
    assert after.renamed == []


# Who may be either


def test_the_teacher_says_which_twin_is_in_the_class() -> None:
    listed = pupils("Emma Bakker", "Emma Dam")
    after = change(listed, ["Emma"])
    assert [line.kind for line in after.lines] == ["unknown", "unknown"]
    assert after.wrong == 2
    answer = change(listed, ["Emma"], answers={1: "Emma"})
    assert (answer.new, names_there(answer), answer.wrong) == (["Emma B."], ["Emma"], 0)


def test_one_pupil_is_never_two_children() -> None:
    answer = change(pupils("Emma Bakker", "Emma Dam"), ["Emma"], answers={0: "Emma", 1: "Emma"})
    assert (answer.new, names_there(answer)) == (["Emma D."], ["Emma"])


def test_an_answer_that_was_not_offered_is_ignored() -> None:
    after = change(pupils("Emma Bakker", "Emma Dam"), ["Emma", "Gus"], answers={0: "Gus"})
    assert [line.kind for line in after.lines] == ["unknown", "unknown"]


def test_a_plain_first_name_may_be_one_with_letters() -> None:
    after = change(pupils("Emma", "Dora"), ["Emma B.", "Dora"])
    assert [line.kind for line in after.lines] == ["unknown", "there"]


def test_the_page_asks_about_the_first_of_several_given_names() -> None:
    listed = [Pupil(2, "Dora Maria", "Ek"), Pupil(3, "Emil", "Alm")]
    after = change(listed, ["Dora", "Emil"])
    assert [line.kind for line in after.lines] == ["unknown", "there"]


def test_full_names_are_offered_for_children_with_first_names() -> None:
    listed = [Pupil(n, name) for n, name in enumerate(("Dora Ek", "Emil Alm", "Fay Bos"))]
    after = change(listed, ["Dora", "Emil"])
    assert (names_there(after), after.new) == (["Dora", "Emil"], ["Fay Bos"])
    assert all(line.could_be for line in after.lines[:2])


# Spelling


def test_another_accent_is_the_same_child_but_changes_no_name_unasked() -> None:
    after = change(pupils("Zoë Ek"), ["Zoe"])
    assert (names_there(after), after.new, after.renamed, after.wrong) == (["Zoe"], [], [], 0)
    yes = change(pupils("Zoë Ek"), ["Zoe"], answers={0: f"Zoe{RENAMED}"})
    assert [(child.name, name) for child, name in yes.renamed] == [("Zoe", "Zoë")]
    other = change(pupils("Zoë Ek"), ["Zoe"], answers={0: NEW})
    assert (other.new, other.wrong) == (["Zoë"], 0)


def test_letters_of_the_family_name_stay() -> None:
    yes = change(pupils("Zoë Ek"), ["Zoe E."], answers={0: f"Zoe E.{RENAMED}"})
    assert [name for _child, name in yes.renamed] == ["Zoë E."]


@pytest.mark.parametrize(("listed", "was"), [("Matthijs", "Mathijs"), ("John", "Jonh")])
def test_the_page_asks_about_a_similar_spelling(listed: str, was: str) -> None:
    after = change(pupils("Dora", listed), ["Dora", was])
    assert [line.kind for line in after.lines] == ["there", "unknown"]
    yes = change(pupils("Dora", listed), ["Dora", was], answers={1: f"{was}{RENAMED}"})
    assert [name for _child, name in yes.renamed] == [listed]


# Moved


def test_a_child_missing_on_their_own_classs_list_moves() -> None:
    after = change(pupils("Ida Ek"), ["Dora"], known_children(["Ida"], "4B"), ["4A", "4B"])
    assert [(child.name, child.class_key) for child in after.moved] == [("Ida", "4B")]


def test_nobody_moves_unasked_from_a_class_that_is_not_listed() -> None:
    after = change(pupils("Ida Ek"), ["Dora"], known_children(["Ida"], "4B"), ["4A"])
    assert (after.new, after.moved) == (["Ida"], [])
    answer = change(pupils("Ida Ek"), [], known_children(["Ida"], "4B"), [], {0: "Ida"})
    assert [child.name for child in answer.moved] == ["Ida"]


def test_a_moving_child_gets_letters_if_the_name_is_taken() -> None:
    away = [KnownChild("other", "Emma", "4B", "4B")]
    listed = pupils("Emma Bakker", "Emma Dam")
    after = change(listed, ["Emma B."], away, ["4A", "4B"])
    assert [(child.key, name) for child, name in after.renamed] == []
    assert [child.key for child in after.moved] == ["other"]
    answer = change(listed, ["Emma"], away, ["4A", "4B"], {0: "Emma", 1: NEW})
    assert answer.new == ["Emma D."]


def test_a_new_pupil_is_told_apart_from_the_child_in_the_class() -> None:
    after = change(pupils("Emma Bakker", "Emma Bos"), ["Emma B."], answers={0: "Emma B."})
    assert after.new == ["Emma Bo."]


def test_a_typed_name_must_be_free() -> None:
    after = change(pupils("Dora", "Fay"), ["Dora"], typed={1: "Dora"})
    assert [line.problem for line in after.lines] == ["", "in class"]


def test_two_pupils_of_one_name_are_told_apart_by_hand() -> None:
    (first, second) = change(pupils("Fay", "Fay"), []).lines
    assert (first.problem, second.problem) == ("", "on line 2")
    after = change(pupils("Fay", "Fay"), [], typed={0: "Fay", 1: ""})
    assert after.new == ["Fay"]


@for_each(range(30))
def test_an_added_child_is_recognised_on_a_longer_list(seed: int) -> None:
    """The page asks before it takes one child for another, and offers the right child."""
    random = Random(seed)
    givens, families = ("Emma", "Zoë", "Anne Marie", "Jan"), ("Bos", "Bosman", "van Dam", "Ek")
    people = [Pupil(0, given, family) for given in givens for family in families]
    random.shuffle(people)
    names: dict[Pupil, str] = {}
    for size in (4, 8, 8, 12, 16):
        listed = random.sample(people[:size], size)
        for line in change(listed, list(names.values())).lines:
            assert line.kind != "there" or names[line.pupil] == line.name
        answers = {place: names.get(pupil, NEW) for place, pupil in enumerate(listed)}
        after = change(listed, list(names.values()), answers=answers)
        assert after.wrong == 0
        for line in after.lines:
            assert line.kind == ("there" if line.pupil in names else "new")
            names[line.pupil] = line.name
