"""A list read again for a class: safe changes need one confirmation, removals need a tick, and
everything can be undone."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from classrooms.audit import What
from classrooms.locks import Changed
from classrooms.models import AuditEntry, Child, KeptAct, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.roster import import_views, moves, services
from classrooms.roster.import_services import ClassUpdate, carry_out
from classrooms.roster.importing.changes import KnownChild
from tests.classrooms.people import client_of, client_of_child, names_in, text_on, undo_of
from tests.classrooms.roster.importing.corpus import fields_of
from tests.classrooms.roster.importing.uploading import post, upload
from tests.factories import ChildFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


def add(client: Client, school_class: SchoolClass, text: str, **more: Any) -> Any:
    preview = upload(client, school_class, text.encode())
    return post(client, school_class, preview, do="add", **more)


def undo(client: Client, school_class: SchoolClass) -> str:
    page = client.get(f"/classes/{school_class.pk}/children/")
    text: str = text_on(client.post(undo_of(page), follow=True))
    return text


def child_named(school_class: SchoolClass, name: str) -> Child:
    return Child.all_objects.get(school_class=school_class, name=name)


# The same list again


def test_the_same_list_needs_no_correction_and_adds_new_pupils(
    alices_client: Client, school_class: SchoolClass
) -> None:
    people = [f"Child {chr(97 + n)}{chr(97 + n)};Ek" for n in range(24)]
    add(alices_client, school_class, "Name;Family name\n" + "\n".join(people))
    before = set(school_class.children.values_list("pk", flat=True))
    add(alices_client, school_class, "Name;Family name\nNieuw;Bos\n" + "\n".join(people))
    assert len(names_in(school_class)) == 25
    assert before < set(school_class.children.values_list("pk", flat=True))


def test_without_changes_there_is_nothing_to_confirm(
    alices_client: Client, school_class: SchoolClass
) -> None:
    add(alices_client, school_class, "Name\nDora\nEmil")
    again = upload(alices_client, school_class, b"Name\nEmil\nDora")
    assert 'value="add"' not in text_on(again)
    assert "Nobody on this list is new" in text_on(again)


def test_a_list_that_only_adds_says_how_many_on_its_button(
    alices_client: Client, school_class: SchoolClass
) -> None:
    assert "Add 2 children" in text_on(upload(alices_client, school_class, b"Name\nDora\nEmil"))
    add(alices_client, school_class, "Name\nDora\nEmil")
    without_dora = text_on(upload(alices_client, school_class, b"Name\nEmil\nFay"))
    assert "Add 1 child" not in without_dora
    assert "Save the list" in without_dora
    twins = text_on(upload(alices_client, school_class, b"Name\nDora\nEmil\nFay\nFay"))
    assert "Add 2 children" in twins


# Gone


def test_a_child_missing_on_the_list_stays_unless_ticked(
    alices_client: Client, school_class: SchoolClass
) -> None:
    add(alices_client, school_class, "Name\nDora\nEmil\nGus")
    add(alices_client, school_class, "Name\nDora\nEmil\nFay")
    assert names_in(school_class) == ["Dora", "Emil", "Fay", "Gus"]
    gus = child_named(school_class, "Gus")
    page = add(alices_client, school_class, "Name\nDora\nEmil\nFay", **{"gone-1": str(gus.pk)})
    assert names_in(school_class) == ["Dora", "Emil", "Fay"]
    assert page.status_code == 302
    assert "Undone for 1 child." in undo(alices_client, school_class)
    assert names_in(school_class) == ["Dora", "Emil", "Fay", "Gus"]


def test_a_child_on_the_list_cannot_be_removed(
    alices_client: Client, school_class: SchoolClass
) -> None:
    add(alices_client, school_class, "Name\nDora\nEmil")
    dora = child_named(school_class, "Dora")
    add(alices_client, school_class, "Name\nDora\nEmil\nFay", **{"gone-1": str(dora.pk)})
    assert names_in(school_class) == ["Dora", "Emil", "Fay"]


# Renamed


def test_a_name_is_corrected_only_by_a_yes(
    alices_client: Client, school_class: SchoolClass
) -> None:
    zoe = ChildFactory.create(school_class=school_class, name="Zoe")
    add(alices_client, school_class, "Name\nZoë\nDora")
    assert names_in(school_class) == ["Dora", "Zoe"]
    add(alices_client, school_class, "Name\nZoë\nDora", **{"is-1": f"{zoe.pk}-renamed"})
    assert names_in(school_class) == ["Dora", "Zoë"]
    assert AuditEntry.objects.filter(what=What.RENAMED, child_id=zoe.pk).exists()
    undo(alices_client, school_class)
    assert names_in(school_class) == ["Dora", "Zoe"]


def test_a_child_renamed_again_keeps_the_later_name(
    alices_client: Client, school_class: SchoolClass, alice: User
) -> None:
    zoe = ChildFactory.create(school_class=school_class, name="Zoe")
    add(alices_client, school_class, "Name\nZoë\nDora", **{"is-1": f"{zoe.pk}-renamed"})
    services.rename(zoe, "Zora", alice)
    undo(alices_client, school_class)
    assert names_in(school_class) == ["Zora"]


# Moved


def test_a_list_moves_a_child_and_the_undo_moves_them_back(
    alices_client: Client, alice: User, school_class: SchoolClass
) -> None:
    other = TeachingFactory.create(user=alice, school_class__name="4B").school_class
    ida = ChildFactory.create(school_class=other, name="Ida")
    add(alices_client, school_class, "Name\nIda\nDora", **{"is-1": str(ida.pk)})
    assert (names_in(school_class), names_in(other)) == (["Dora", "Ida"], [])
    assert child_named(school_class, "Ida") == ida
    assert "Undone for 2 children." in undo(alices_client, school_class)
    assert (names_in(school_class), names_in(other)) == ([], ["Ida"])


def test_a_child_of_a_colleague_is_never_offered(
    alices_client: Client, school_class: SchoolClass
) -> None:
    other = TeachingFactory.create(school_class__name="4B").school_class
    ida = ChildFactory.create(school_class=other, name="Ida")
    preview = upload(alices_client, school_class, b"Name\nIda\nDora")
    assert str(ida.pk) not in text_on(preview)
    post(alices_client, school_class, preview, do="add", **{"is-1": str(ida.pk)})
    assert names_in(other) == ["Ida"]


@pytest.mark.parametrize("into_a_new_class", [False, True])
def test_nobody_moves_a_child_out_of_the_owners_sight(
    alices_client: Client, alice: User, school_class: SchoolClass, into_a_new_class: bool
) -> None:
    """Alice is a co-teacher of 4B. The owner of 4B does not teach the class to which Ida would
    go."""
    other = TeachingFactory.create(school_class__name="4B").school_class
    TeachingFactory.create(user=alice, school_class=other)
    ida = ChildFactory.create(school_class=other, name="Ida")
    to = "9Z" if into_a_new_class else school_class.name
    page = alices_client.post("/classes/from-file/", {"names": f"Name\tClass\nIda\t{to}\nFay\t4B"})
    assert "who comes here" not in text_on(page)
    alices_client.post("/classes/from-file/", fields_of(page) | {"is-1": str(ida.pk)})
    assert names_in(other) == ["Fay", "Ida"]
    update = ClassUpdate(SchoolClass(name="9Y") if into_a_new_class else school_class)
    update.moved = [known_child(ida)]
    with pytest.raises(Changed):
        carry_out([update], alice)


def test_a_child_moved_on_meanwhile_is_shown_again(
    alices_client: Client, alice: User, school_class: SchoolClass
) -> None:
    """The page showed Ida in this class, and a colleague has moved her: she does not come back
    unseen."""
    ida = ChildFactory.create(school_class=school_class, name="Ida")
    page = alices_client.post(
        "/classes/from-file/", {"names": "Name\tClass\nIda\t5B\nDora\t5B\nFay\t4B"}
    )
    other = TeachingFactory.create(user=alice, school_class__name="4B").school_class
    moves.move([ida], other, alice)
    alices_client.post("/classes/from-file/", fields_of(page))
    assert names_in(other) == ["Ida"]
    assert names_in(school_class) == []


def known_child(child: Child, name: str = "") -> KnownChild:
    return KnownChild(str(child.pk), name or child.name, str(child.school_class_id), "5B")


ACTS: dict[str, Callable[[SchoolClass, Child], ClassUpdate]] = {
    "gone": lambda to, child: ClassUpdate(to, ["Dora"], gone=[known_child(child)]),
    "renamed": lambda to, child: ClassUpdate(
        to, ["Dora"], renamed=[(known_child(child), "Gustav")]
    ),
    "moved": lambda to, child: ClassUpdate(
        TeachingFactory.create(user=to.teachers.get()).school_class,
        ["Dora"],
        moved=[known_child(child)],
    ),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("meanwhile", ["removed", "renamed", "elsewhere"])
def test_a_child_changed_since_the_preview_stops_the_list(
    act: str, meanwhile: str, alice: User, school_class: SchoolClass
) -> None:
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    update = ACTS[act](school_class, gus)
    match meanwhile:
        case "removed":
            services.remove(gus, alice)
        case "renamed":
            services.rename(gus, "Gustaf", alice)
        case "elsewhere":
            moves.move([gus], TeachingFactory.create(user=alice).school_class, alice)
    with pytest.raises(Changed):
        carry_out([update], alice)
    assert not Child.all_objects.filter(name__in=("Dora", "Gustav")).exists()


def test_a_former_teacher_of_the_class_changes_nothing(school_class: SchoolClass) -> None:
    with pytest.raises(Changed):
        carry_out([ClassUpdate(school_class, ["Dora"])], UserFactory.create())
    assert names_in(school_class) == []


# Taken back


def test_the_page_names_changes_that_cannot_be_undone(
    alices_client: Client, school_class: SchoolClass
) -> None:
    add(alices_client, school_class, "Name\nDora\nGus")
    gus = child_named(school_class, "Gus")
    add(alices_client, school_class, "Name\nDora\nFay", **{"gone-1": str(gus.pk)})
    ChildFactory.create(school_class=school_class, name="Gus")
    assert "Gus has been used or changed since" in undo(alices_client, school_class)
    assert names_in(school_class) == ["Dora", "Gus"]


def test_adding_a_child_who_has_played_since_is_undone(
    alices_client: Client, school_class: SchoolClass
) -> None:
    zoe = ChildFactory.create(school_class=school_class, name="Zoe")
    add(alices_client, school_class, "Name\nZoë\nDora", **{"is-1": f"{zoe.pk}-renamed"})
    client_of_child(child_named(school_class, "Zoë"))
    undo(alices_client, school_class)
    assert names_in(school_class) == ["Zoe"]


def test_an_act_of_a_co_teacher_cannot_be_undone(
    alices_client: Client, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    add(alices_client, school_class, "Name\nDora")
    page = alices_client.get(f"/classes/{school_class.pk}/children/")
    assert "can no longer be undone" in text_on(client_of(bob).post(undo_of(page), follow=True))
    assert names_in(school_class) == ["Dora"]


def test_an_old_name_is_erased_with_the_child(
    alices_client: Client, school_class: SchoolClass
) -> None:
    zoe = ChildFactory.create(school_class=school_class, name="Zoe")
    add(alices_client, school_class, "Name\nZoë\nDora", **{"is-1": f"{zoe.pk}-renamed"})
    erasure.erase_child(child_named(school_class, "Zoë"), None)
    assert "can no longer be undone" in undo(alices_client, school_class)
    assert not KeptAct.objects.exists()


def test_a_list_is_carried_out_together_with_its_undo(
    alices_client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until both are stored, nobody erases a child whose name the undo keeps."""

    def refuse(*args: Any, **kept: Any) -> None:
        raise Changed

    monkeypatch.setattr(import_views, "keep_act", refuse)
    add(alices_client, school_class, "Name\nDora")
    assert names_in(school_class) == []
