"""A row left out of a list is shown with the reason, and one tick includes it."""

import pytest
from django.test import Client

from classrooms.models import Child, SchoolClass, User
from classrooms.roster.importing.reading import read_pasted
from tests.classrooms.people import client_of, names_in, text_on
from tests.classrooms.roster.importing.uploading import (
    add_classes,
    post,
    upload,
    upload_classes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]
LIST = "First name;Last name;Class\nDora;Ek;4A\nTotal;;\nGus;Alm;4A (left)\nMs Ask;;4A\n"


def reasons(text: str) -> dict[str, str]:
    """The reason for leaving out each row of a list."""
    return {row.text: row.reason for rows in read_pasted(text).passed.values() for row in rows}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Total;;", "a title, a sum or a note"),
        ("4B;;", "a class"),
        ("printed in Berlin today;;", "a title, a sum or a note"),
        ("Ms Ask;;4A", "an adult"),
        ("Gus (left);;4A", "has left, or is not here yet"),
        ("Test Pupil;;", "an account for tests"),
        (";;;7", "has no name"),
    ],
)
def test_each_row_left_out_has_its_reason(row: str, reason: str) -> None:
    list_ = f"First name;Last name;Class;Points\nDora;Ek;4A;1\n{row}\nEmil;Alm;4A;2"
    assert list(reasons(list_).values()) == [reason]


def test_the_heading_of_a_plain_list_can_be_a_name() -> None:
    assert reasons("Ad\nDora\nEmil") == {"Ad": "headings"}


def page_and_ticks(
    client: Client, school_class: SchoolClass, text: str
) -> tuple[object, dict[str, str]]:
    """The page, and the checkbox value of each row that was left out, by the row's text."""
    page = upload(client, school_class, text.encode())
    passed_over = page.context["chosen"].sheet.passed
    return page, {row.text: f"{row.number}" for rows in passed_over.values() for row in rows}


def test_a_tick_adds_a_row_left_out(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    page, ticks = page_and_ticks(client, school_class, "Name\nDora\nMax\nMs Ask\nSumma")
    assert set(ticks) == {"Name", "Ms Ask", "Summa"}
    assert post(client, school_class, page, do="add", pupil=ticks["Summa"]).status_code == 302
    assert names_in(school_class) == ["Dora", "Max", "Summa"]


def test_ticks_stay_while_another_line_is_corrected_and_can_be_removed(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    page, ticks = page_and_ticks(client, school_class, "Name\nEmma\nEmma\nTotal\nSumma")
    again = post(client, school_class, page, do="add", pupil=[ticks["Total"], ticks["Summa"]])
    assert text_on(again).count("checked") == 2
    assert [pupil.name for pupil in again.context["chosen"].sheet.pupils[-2:]] == ["Total", "Summa"]
    post(client, school_class, again, do="add", pupil=ticks["Summa"], **{"name-2": "Emma B."})
    assert names_in(school_class) == ["Emma", "Emma B.", "Summa"]


def test_a_list_with_a_title_can_still_be_saved(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    page, ticks = page_and_ticks(client, school_class, "Name\nDora\nSumma")
    post(client, school_class, page, do="add")
    page, ticks = page_and_ticks(client, school_class, "Name\nDora\nSumma")
    post(client, school_class, page, do="add", pupil=ticks["Summa"])
    assert names_in(school_class) == ["Dora", "Summa"]


def test_a_ticked_row_without_a_class_goes_to_the_class_above(alice: User) -> None:
    client = client_of(alice)
    page = upload_classes(client, LIST.replace(" (left)", "").replace("Gus;Alm;4A", "Gus;Alm;4B"))
    (total,) = (
        e
        for rows in page.context["chosen"].sheet.passed.values()
        for e in rows
        if e.text == "Total"
    )
    add_classes(client, page, pupil=f"{total.number}")
    assert set(Child.objects.values_list("name", "school_class__name")) == {
        ("Dora", "4A"),
        ("Total", "4A"),
        ("Gus", "4B"),
    }


@pytest.mark.parametrize("number", ["0", "-1", "99999", "x", "١"])
def test_only_a_row_left_out_can_be_ticked(
    alice: User, school_class: SchoolClass, number: str
) -> None:
    client = client_of(alice)
    page, _ticks = page_and_ticks(client, school_class, "Dora\nEmil\nSumma")
    post(client, school_class, page, do="add", pupil=number)
    assert names_in(school_class) == ["Dora", "Emil"]
