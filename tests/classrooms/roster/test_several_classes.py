"""Several classes from one file are shown first, then made or filled at once, and undone at
once."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from classrooms import bounds
from classrooms.classes import services
from classrooms.models import Child, Invitation, SchoolClass, Teaching, User
from classrooms.roster import import_preview, import_services
from tests.classrooms.people import client_of, client_of_child, text_on, undo_of, url_of
from tests.classrooms.roster.importing.corpus import ENROLLED, fields_of, one_roster
from tests.classrooms.roster.importing.lists import excel
from tests.classrooms.roster.importing.uploading import URL, add_classes, upload_classes
from tests.factories import (
    AssignmentFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    InvitationFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]
LIST = "Name;Class\nFay;4A\nGus;4B\nHugo;4A"
Plan = dict[str, tuple[str, list[str]]]


def plan(page: Any) -> Plan:
    """The destination of the children of each class: a new class, an existing one, or none."""
    return {
        class_list.name: (
            class_list.own_class.school_class.name if class_list.own_class else class_list.target,
            list(class_list.change.new),
        )
        for class_list in page.context["changes"].classes
    }


def children() -> dict[str, list[str]]:
    return {
        school_class.name: sorted(school_class.children.values_list("name", flat=True))
        for school_class in SchoolClass.objects.order_by("name")
    }


def take_back(client: Client, page: Any) -> str:
    text: str = text_on(client.post(undo_of(page), follow=True))
    return text


@pytest.fixture
def fourth(alice: User) -> SchoolClass:
    """A class of Alice's, with Ida in it."""
    school_class = TeachingFactory.create(user=alice, school_class__name="4A").school_class
    ChildFactory.create(school_class=school_class, name="Ida")
    return school_class


FILES = {
    "csv": (LIST.encode(), "school.csv"),
    "Excel": (
        excel([("Name", "Class"), ("Fay", "4A"), ("Gus", "4B"), ("Hugo", "4A")]),
        "school.xlsx",
    ),
    "OneRoster": (
        one_roster(
            users="sourcedId,givenName\nu1,Fay\nu2,Gus\nu3,Hugo\n",
            classes="sourcedId,title\nc1,4A\nc2,4B\n",
            enrollments=ENROLLED.split("\n")[0]
            + "\ne1,,,c1,s,u1,student\ne2,,,c2,s,u2,student\ne3,,,c1,s,u3,student\n",
        ),
        "school.zip",
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_two_classes_of_a_file_are_made_if_there_are_none(kind: str, alice: User) -> None:
    client = client_of(alice)
    page = upload_classes(client, *FILES[kind])
    assert plan(page) == {"4A": ("new", ["Fay", "Hugo"]), "4B": ("new", ["Gus"])}
    assert children() == {}
    answer = add_classes(client, page)
    assert children() == {"4A": ["Fay", "Hugo"], "4B": ["Gus"]}
    assert "2 classes created. 3 children added." in text_on(answer)
    assert {school_class.language for school_class in SchoolClass.objects.all()} == {"nl"}
    assert Teaching.objects.filter(user=alice, role=Teaching.Role.OWNER).count() == 2


def test_an_existing_class_gets_the_missing_children(alice: User, fourth: SchoolClass) -> None:
    client = client_of(alice)
    page = upload_classes(client, LIST.replace("4A", "4a") + "\nida;4a")
    (first, _) = page.context["changes"].classes
    assert plan(page) == {"4a": ("4A", ["Fay", "Hugo"]), "4B": ("new", ["Gus"])}
    assert [child.name for child in first.change.there] == ["Ida"]
    assert "2 will be added:" in " ".join(text_on(page).split())
    add_classes(client, page)
    assert children() == {"4A": ["Fay", "Hugo", "Ida"], "4B": ["Gus"]}


def test_a_class_of_a_colleague_is_never_touched(alice: User) -> None:
    charlies = TeachingFactory.create(school_class__name="4A").school_class
    client = client_of(alice)
    page = upload_classes(client, LIST)
    assert plan(page)["4A"] == ("new", ["Fay", "Hugo"])
    assert str(charlies.pk) not in text_on(page)
    (number, _) = (class_list.number for class_list in page.context["changes"].classes)
    posted = dict.fromkeys((f"target-{number}", f"seen-{number}"), str(charlies.pk))
    again = add_classes(client, page, **posted)
    assert "Choose where these children go." in text_on(again)
    assert not Child.objects.exists()
    add_classes(client, page)
    assert not charlies.children.exists()


def test_an_archived_class_of_the_same_name_stays_as_it_is(
    alice: User, fourth: SchoolClass
) -> None:
    services.archive(fourth, None)
    client = client_of(alice)
    add_classes(client, upload_classes(client, LIST))
    assert fourth.children.get().name == "Ida"
    assert SchoolClass.objects.filter(name="4A", archived_at=None).get().children.count() == 2


def test_the_teacher_chooses_between_two_classes_of_the_name(
    alice: User, fourth: SchoolClass
) -> None:
    TeachingFactory.create(user=alice, school_class__name="4A")
    client = client_of(alice)
    page = upload_classes(client, LIST)
    assert plan(page)["4A"][0] == ""
    assert fourth.spaced_code in text_on(page)
    assert "Choose where these children go." in text_on(add_classes(client, page))
    assert Child.objects.count() == 1


def test_the_teachers_own_class_comes_before_a_co_taught_one(
    alice: User, fourth: SchoolClass
) -> None:
    along = TeachingFactory.create(school_class__name="4A").school_class
    TeachingFactory.create(user=alice, school_class=along)
    client = client_of(alice)
    add_classes(client, upload_classes(client, LIST))
    assert not along.children.exists()
    assert fourth.children.count() == 3


def test_a_class_included_by_a_tick_changes_no_other(alice: User, fourth: SchoolClass) -> None:
    client = client_of(alice)
    page = upload_classes(client, LIST + "\nMs Ask;3Z")
    (skipped,) = page.context["chosen"].sheet.passed["teacher"]
    again = add_classes(client, page, pupil=f"{skipped.number}")
    assert plan(again) == {
        "3Z": ("new", ["Ask"]),
        "4A": ("4A", ["Fay", "Hugo"]),
        "4B": ("new", ["Gus"]),
    }
    assert children() == {"4A": ["Ida"]}


def test_another_choice_is_shown_before_it_is_saved(alice: User, fourth: SchoolClass) -> None:
    """4B goes to 4A too, where Ida is already."""
    client = client_of(alice)
    page = upload_classes(client, LIST + "\nIda;4B")
    assert plan(page)["4B"] == ("new", ["Gus"])
    (_, of_4b) = page.context["changes"].classes
    again = add_classes(client, page, **{f"target-{of_4b.number}": str(fourth.pk)})
    assert "nothing has been saved yet" in text_on(again)
    assert [c.name for c in again.context["changes"].classes[1].change.there] == ["Ida"]
    assert children() == {"4A": ["Ida"]}
    add_classes(client, again)
    assert children() == {"4A": ["Fay", "Gus", "Hugo", "Ida"]}


def test_a_child_on_another_classs_list_moves_to_that_class(
    alice: User, fourth: SchoolClass
) -> None:
    ida = fourth.children.get()
    client = client_of(alice)
    page = upload_classes(client, "Name;Class\nFay;4A\nIda;4B")
    assert "1 comes from another class of yours" in " ".join(text_on(page).split())
    answer = add_classes(client, page)
    assert children() == {"4A": ["Fay"], "4B": ["Ida"]}
    assert Child.objects.get(name="Ida") == ida
    assert "1 class created. 1 child added. 1 child moved." in text_on(answer)
    take_back(client, answer)
    assert children() == {"4A": ["Ida"]}


def test_a_namesake_may_be_a_new_child(alice: User, fourth: SchoolClass) -> None:
    client = client_of(alice)
    add_classes(client, upload_classes(client, "Name;Class\nFay;4A\nIda;4B"), **{"is-2": "new"})
    assert children() == {"4A": ["Fay", "Ida"], "4B": ["Ida"]}


def test_a_list_takes_nobody_out_of_another_class(alice: User, fourth: SchoolClass) -> None:
    """Many classes have an Ida. The page asks, and assumes that she is new."""
    client = client_of(alice)
    page = upload_classes(client, "Name;Class\nFay;4C\nIda;4B")
    assert plan(page)["4B"] == ("new", ["Ida"])
    assert "Ida from 4A, who comes here" in text_on(page)
    add_classes(client, page)
    assert children() == {"4A": ["Ida"], "4B": ["Ida"], "4C": ["Fay"]}


def test_a_bundle_makes_home_groups_only(alice: User) -> None:
    client = client_of(alice)
    data = one_roster(
        users="sourcedId,givenName\nu1,Fay\nu2,Gus\n",
        classes="sourcedId,title,classType\nc1,Maths,scheduled\nc2,4A,homeroom\n",
        enrollments="classSourcedId,userSourcedId,role\nc1,u1,student\nc2,u1,student\n"
        "c2,u2,student\n",
    )
    page = upload_classes(client, data, "school.zip")
    assert plan(page) == {"4A": ("new", ["Fay", "Gus"]), "Maths": ("out", [])}
    add_classes(client, page)
    assert children() == {"4A": ["Fay", "Gus"]}


def test_children_without_a_class_are_left_out_and_reported(alice: User) -> None:
    client = client_of(alice)
    page = upload_classes(client, LIST + "\nKim;")
    assert plan(page)[""] == ("out", [])
    assert "1 child is left out, as no class is given:" in text_on(page)
    add_classes(client, page)
    assert not Child.objects.filter(name="Kim").exists()


def test_a_duplicate_name_is_corrected_and_stays_corrected(alice: User) -> None:
    """Two lines need a correction. A line that is corrected keeps the typed name."""
    client = client_of(alice)
    page = upload_classes(client, LIST + "\nFay;4A\nGus;4B\n;4B")
    assert page.context["changes"].wrong == 3
    first = add_classes(client, page, **{"name-4": "Fay B", "name-6": ""})
    assert first.context["changes"].wrong == 1
    assert not Child.objects.exists()
    add_classes(client, first, **{"name-5": "Gus B"})
    assert children() == {"4A": ["Fay", "Fay B", "Hugo"], "4B": ["Gus", "Gus B"]}


def test_a_list_too_long_for_a_class_adds_nobody(
    alice: User, fourth: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_CHILDREN", 2)
    client = client_of(alice)
    page = upload_classes(client, LIST)
    assert "A class has at most 2 children." in text_on(page)
    assert "A class has at most 2 children." in text_on(add_classes(client, page))
    assert children() == {"4A": ["Ida"]}


def test_more_classes_than_a_teacher_may_have_are_refused(
    alice: User, fourth: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(alice)
    rows = "Name;Class\n" + "\n".join(f"Fay;C{n}" for n in range(3))
    monkeypatch.setattr(bounds, "MOST_CLASSES", 3)
    page = upload_classes(client, rows)
    sentence = "A teacher can have at most 3 classes, and you already have 1."
    assert sentence in text_on(page)
    assert sentence in text_on(add_classes(client, page))
    new = [import_services.ClassUpdate(SchoolClass(name=f"C{n}"), ["Fay"]) for n in range(3)]
    with pytest.raises(bounds.LimitReached, match="at most 3 classes"):
        import_services.carry_out(new, alice)
    assert SchoolClass.objects.count() == 1


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [f"Fay;C{n}" for n in range(3)],
            "at most 2 classes at once, and 3 are chosen.",
        ),
        (["Fay;4A", "Gus;4A", "Hugo;4B"], "You can add at most 2 children at once."),
    ],
)
def test_a_file_has_a_limited_number_of_classes_and_children(
    alice: User, rows: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST_CLASSES", "MOST_NEW_CHILDREN"):
        monkeypatch.setattr(import_preview, name, 2)
    client = client_of(alice)
    page = upload_classes(client, "Name;Class\n" + "\n".join(rows))
    assert sentence in text_on(page)
    assert sentence in text_on(add_classes(client, page))
    assert not SchoolClass.objects.exists()


def test_the_column_of_the_class_can_be_chosen(alice: User) -> None:
    client = client_of(alice)
    page = upload_classes(client, "Vorname;Farbe\nFay;rot\nGus;blau")
    assert "Choose the column with the class" in text_on(page)
    again = client.post(URL, fields_of(page) | {"do": "add", "group": "1"})
    assert plan(again) == {"blau": ("new", ["Gus"]), "rot": ("new", ["Fay"])}
    assert not SchoolClass.objects.exists(), "another column is shown before anybody is added"


def test_the_preview_of_one_class_has_a_button_for_all(alice: User, fourth: SchoolClass) -> None:
    client = client_of(alice)
    preview = client.post(
        url_of("upload_children", fourth),
        {"file": SimpleUploadedFile("school.csv", LIST.encode())},
    )
    assert f'formaction="{URL}"' in text_on(preview)
    posted = dict(
        re.findall(r'<input type="hidden" name="(sheet)" value="([^"]+)"', text_on(preview))
    )
    page = client.post(URL, posted | {"do": "again"})
    assert plan(page) == {"4A": ("4A", ["Fay", "Hugo"]), "4B": ("new", ["Gus"])}


# Undo


def test_an_undo_removes_new_classes_and_new_children(alice: User, fourth: SchoolClass) -> None:
    client = client_of(alice)
    assert "Undone for 3 children." in take_back(
        client, add_classes(client, upload_classes(client, LIST))
    )
    assert children() == {"4A": ["Ida"]}


def test_nothing_is_left_to_undo_once_all_classes_are_gone(
    alice: User, fourth: SchoolClass
) -> None:
    client = client_of(alice)
    page = add_classes(client, upload_classes(client, LIST))
    SchoolClass.objects.exclude(pk=fourth.pk).delete()
    fourth.children.exclude(name="Ida").delete()
    assert "can no longer be undone" in take_back(client, page)


@pytest.mark.parametrize(
    "use", ["assignment", "check-up", "group", "child", "invitation", "teacher", "device"]
)
def test_an_undo_keeps_a_new_class_in_use(alice: User, fourth: SchoolClass, use: str) -> None:
    client = client_of(alice)
    page = add_classes(client, upload_classes(client, LIST))
    new = SchoolClass.objects.get(name="4B")
    match use:
        case "assignment":
            AssignmentFactory.create(school_class=new)
        case "check-up":
            CheckUpFactory.create(school_class=new)
        case "group":
            GroupFactory.create(school_class=new)
        case "child":
            ChildFactory.create(school_class=new)
        case "invitation":
            InvitationFactory.create(school_class=new, invited_by=alice)
            assert Invitation.objects.count() == 1
        case "teacher":
            TeachingFactory.create(school_class=new)
        case "device":
            client_of_child(new.children.get())
    assert "4B has been used or changed since, and stays as it is." in take_back(client, page)
    assert "Gus" in children()["4B"]
    assert children()["4A"] == ["Ida"]


@pytest.mark.usefixtures("stopped_clock")
def test_the_preview_needs_no_more_queries_for_more_classes(alice: User) -> None:
    TeachingFactory.create(user=alice)
    client = client_of(alice)

    def queries(classes: int) -> int:
        rows = "\n".join(f"Fay {n};C{n}" for n in range(classes))
        with CaptureQueriesContext(connection) as captured:
            assert upload_classes(client, f"Name;Class\n{rows}").status_code == 200
        return len(captured)

    queries(1)
    few = queries(2)
    for teaching in TeachingFactory.create_batch(3, user=alice, school_class__name="C1"):
        ChildFactory.create_batch(2, school_class=teaching.school_class)
    assert queries(20) == few <= 15
