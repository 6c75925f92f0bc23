"""Reading a file is bounded, whatever is in it, and a refusal gives the reason."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Final

import pytest

from classrooms.bounds import MOST_CHILDREN
from classrooms.child_names import tidy
from classrooms.models import SchoolClass, User
from classrooms.roster import import_preview, import_views
from classrooms.roster.importing import file_process
from classrooms.roster.importing.bundle import MOST_CLASSES
from classrooms.roster.importing.cells import without_date
from classrooms.roster.importing.changes import letters_for
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.grid import grid_of_text
from classrooms.roster.importing.pupils import NameSheet, Pupil
from classrooms.roster.importing.reading import read_pasted
from classrooms.ui import processes
from classrooms.ui.sortable_table import plain
from tests.classrooms.people import client_of, names_in, url_of
from tests.classrooms.roster.importing.corpus import bundle
from tests.classrooms.roster.importing.uploading import lines, post, upload
from tests.counts import for_each
from tests.factories import ChildFactory, TeachingFactory

LIST = b"Name;Family\nDora;Bos"


def read_file(data: bytes) -> NameSheet:
    return file_process.read_file(data, date(2026, 11, 27))


def seconds(work: Callable[[], object]) -> float:
    """The processor seconds of the work: the least of three runs, because others use the machine
    too."""
    times = []
    for _ in range(3):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


def many_pupils(count: int, classes: int = 1) -> bytes:
    users = "sourcedId,givenName\n" + "".join(f"u{n},Emma\n" for n in range(count))
    enrolled = "".join(f"c{n % classes},u{n},student\n" for n in range(count))
    return bundle(
        users=users,
        classes="sourcedId,title\n" + "".join(f"c{n},Class {n}\n" for n in range(classes)),
        enrollments="classSourcedId,userSourcedId,role\n" + enrolled,
    )


def test_a_bundle_has_a_limited_number_of_classes_with_pupils() -> None:
    assert len(read_file(many_pupils(1_000, MOST_CLASSES)).groups()) == MOST_CLASSES
    with pytest.raises(UnreadableFile, match="many classes"):
        read_file(many_pupils(1_000, MOST_CLASSES + 1))


@pytest.mark.parametrize("clean", [tidy, plain])
def test_many_accents_on_one_letter_are_little_work(clean: Callable[[str], str]) -> None:
    """Joining accents takes quadratic time: 50,000 took two seconds, a million a quarter of an
    hour."""
    tower = "a" + "\u0301\u0316" * 60_000
    assert seconds(lambda: clean(tower)) < 3
    assert tidy("  Zoe\u0308   B. ") == "Zoë B."


def test_accents_in_every_line_and_cell_are_read_in_time() -> None:
    tower = "a" + "\u0301\u0316" * 24_000
    start = time.thread_time()
    for text in (tower, f"{tower[:15_000]}\tb", f"b\n{tower}"):
        read_pasted(text)
    assert time.thread_time() - start < 6


@pytest.mark.parametrize("before", ["", "Dora, Emil, ", "<", "Dora <d@x.example>, "])
def test_a_long_line_of_any_characters_is_read_in_time(before: str) -> None:
    """8,000 letters on one line once took 3 seconds, and twice as many took four times as long."""
    signs = ("a", " a", "a.", "a,", "1", "1 ", "a@", "<a@", "<", '"', "( ", "[", "- ", " " * 9)
    start = time.thread_time()
    for sign in signs:
        with suppress(UnreadableFile):
            grid_of_text(before + sign * (10_000 // len(sign)) + "!")
    assert time.thread_time() - start < 3


@pytest.mark.parametrize("sign", [",", "-", "("])
def test_characters_behind_a_name_are_read_in_time(sign: str) -> None:
    assert seconds(lambda: without_date("a" + sign * 4_000 + "b")) < 1


def test_a_number_of_many_digits_is_not_a_year() -> None:
    names = read_pasted("Emma 1 2 99999999999-1\nDora")
    assert len(names.pupils) == 2


LONG: Final[dict[str, Callable[[int], bytes]]] = {
    "a bundle": lambda count: many_pupils(count, 100),
    "classes in two columns": lambda count: (
        "Name;Year;Class\n" + "".join(f"Dora {n};{n % 9};A\n" for n in range(count))
    ).encode(),
    "headings written differently": lambda count: (
        b"Name;Class\n" + b"".join(b"Dora %d;4A\nname;class\n" % n for n in range(count))
    ),
    "marks of quotes": lambda count: "Name\nZoë\n{}".format(" „a" * count * 2).encode("cp1252"),
}


@for_each(LONG)
def test_the_work_is_proportional_to_the_list(kind: str) -> None:
    """The rows of a bundle were counted again for each row: 5,400 took 1.1 s, 10,800 four times as
    long."""
    short, long = (seconds(partial(read_file, LONG[kind](n))) for n in (1_500, 6_000))
    assert long < 8 * short


def test_headings_on_each_page_are_little_more_work() -> None:
    head = "First name;Last name;Class\n"
    pages = ["".join(f"Dora {n};Ek;4A\n" for n in range(k, k + 10)) for k in range(0, 5_000, 10)]
    on_each, on_first = ((head + s.join(pages)).encode() for s in (head, ""))
    assert seconds(lambda: read_file(on_each)) < 3 * seconds(lambda: read_file(on_first))


# Through the page

through_the_page = pytest.mark.usefixtures("db", "read_here")


@through_the_page
def test_a_list_longer_than_a_class_is_not_shown_line_by_line(
    alice: User, school_class: SchoolClass
) -> None:
    preview = upload(client_of(alice), school_class, many_pupils(MOST_CHILDREN + 1))
    assert lines(preview) == []
    assert f"at most {MOST_CHILDREN} children" in preview.content.decode()


@through_the_page
def test_a_full_class_is_shown_and_added(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    data = "Name\n" + "\n".join(f"Child {n}" for n in range(MOST_CHILDREN - 1))
    preview = upload(client, school_class, data.encode())
    assert post(client, school_class, preview, do="add").status_code == 302
    assert len(names_in(school_class)) == MOST_CHILDREN - 1


@pytest.mark.parametrize("role", ["name", "family", "group"])
@pytest.mark.parametrize("column", ["9" * 4_301, "0" * 4_301, "9" * 4_300, "٣", "-1"])
@through_the_page
def test_an_unknown_column_counts_as_none(
    alice: User, school_class: SchoolClass, role: str, column: str
) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, b"Name;Family\nEmma;Bakker\nDora;Dam")
    answer = post(client, school_class, preview, do="again", **{role: column})
    assert answer.status_code == 200
    assert getattr(answer.context["chosen"].sheet.columns, role) is None


@through_the_page
def test_fifty_thousand_lines_are_one_problem(alice: User, school_class: SchoolClass) -> None:
    answer = client_of(alice).post(url_of("children", school_class), {"names": "1\n" * 24_000})
    assert len(answer.context["form"].errors["names"]) == 1
    assert len(answer.content) < 200_000


@through_the_page
def test_a_comparison_of_lists_waits_briefly_for_its_turn(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
    with import_views.PREVIEWS.turn(0):
        assert upload(client_of(alice), school_class, b"Dora").status_code == 503
    preview = upload(client_of(alice), school_class, b"Dora")
    with import_views.PREVIEWS.turn(0):
        assert post(client_of(alice), school_class, preview, do="add").status_code == 503
    assert post(client_of(alice), school_class, preview, do="add").status_code == 302


@through_the_page
def test_very_many_children_are_not_looked_for_in_other_classes(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = TeachingFactory.create(user=alice, school_class__name="6A").school_class
    ChildFactory.create(school_class=other, name="Dora Bos")
    client = client_of(alice)
    (line,) = lines(upload(client, school_class, LIST))
    assert [child.class_name for child in line.could_be] == ["6A"]
    monkeypatch.setattr(import_preview, "MOST_KNOWN_CHILDREN", 0)
    (line,) = lines(upload(client, school_class, LIST))
    assert not line.could_be


def test_a_name_can_have_enough_letters_to_tell_twins_apart() -> None:
    twins = [Pupil(line, "Emma", "a" * 60 + letter) for line, letter in enumerate("bc")]
    assert letters_for(dict(enumerate(twins)), {0, 1}, ()) == {}
