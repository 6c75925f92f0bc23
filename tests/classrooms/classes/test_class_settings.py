"""A class through its year: its code, its doors, the archive, its end."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.classes import services
from classrooms.credentials import decrypt_pictures
from classrooms.models import AuditEntry, Child, SchoolClass, Teaching, User
from games.models import Game
from tests.classrooms.people import acts, client_of, client_of_child
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    TeachingFactory,
)

pytestmark = pytest.mark.django_db


def url(name: str, school_class: SchoolClass) -> str:
    return reverse(f"classrooms:{name}", args=[school_class.pk])


def change_code(teacher: Client, school_class: SchoolClass, do: str) -> SchoolClass:
    teacher.post(url("class_code", school_class), {"do": do})
    school_class.refresh_from_db()
    return school_class


def names_at(client: Client, code: str) -> int:
    return client.get(reverse("classrooms:names", args=[code])).status_code


def sign_in(client: Client, child: Child) -> bool:
    """Whether the child gets in on this device with its three pictures."""
    address = reverse("classrooms:pictures", args=[child.school_class.code, child.pk])
    for picture in decrypt_pictures(child.pictures_encrypted):
        answer = client.post(address, {"picture": picture})
    return answer.headers.get("Location") == reverse("classrooms:me")


def test_a_new_code_opens_the_class_and_the_old_one_nothing(
    alice: User, school_class: SchoolClass, client: Client
) -> None:
    old = school_class.code
    new = change_code(client_of(alice), school_class, "rotate").code
    assert new != old
    assert (names_at(client, new), names_at(client, old)) == (200, 404)
    assert client.post(reverse("classrooms:code"), {"code": old}).status_code == 200


def test_a_new_code_can_be_taken_back_once(alice: User, school_class: SchoolClass) -> None:
    old, teacher = school_class.code, client_of(alice)
    change_code(teacher, school_class, "rotate")
    assert change_code(teacher, school_class, "former").code == old
    assert change_code(teacher, school_class, "former").code == old


def test_a_code_that_another_class_has_by_now_stays_there(school_class: SchoolClass) -> None:
    old = school_class.code
    services.rotate_code(school_class)
    SchoolClass.objects.create(name="6B", code=old)
    assert not services.take_code_back(SchoolClass.objects.get(pk=school_class.pk))
    school_class.refresh_from_db()
    assert school_class.code != old


def test_a_closed_class_lets_in_those_who_have_been_in_on_this_device(
    alice: User, dora: Child, emil: Child
) -> None:
    device, teacher = Client(), client_of(alice)
    assert sign_in(device, dora)
    device.post(reverse("classrooms:leave"))
    change_code(teacher, dora.school_class, "close")
    page = device.get(reverse("classrooms:names", args=[dora.school_class.code]))
    assert ("Dora" in page.text, "Emil" in page.text) == (True, False)
    assert sign_in(device, dora)
    for stranger, child in ((device, emil), (Client(), dora)):
        address = reverse("classrooms:pictures", args=[child.school_class.code, child.pk])
        assert stranger.get(address).status_code == 404
    change_code(teacher, dora.school_class, "open")
    assert sign_in(Client(), emil)


def test_a_closed_class_explains_it_to_a_newcomer(alice: User, dora: Child, client: Client) -> None:
    change_code(client_of(alice), dora.school_class, "close")
    page = client.get(reverse("classrooms:names", args=[dora.school_class.code]))
    assert "cannot be opened on a new device" in page.text
    assert "Dora" not in page.text


def test_an_archived_class_signs_its_children_out_and_lets_nobody_in(
    alice: User, dora: Child
) -> None:
    child, teacher = client_of_child(dora), client_of(alice)
    teacher.post(url("year_end", dora.school_class), {"what": "archive"})
    assert child.get(reverse("classrooms:me")).headers["Location"] == reverse("classrooms:home")
    assert names_at(child, dora.school_class.code) == 404
    dora.school_class.refresh_from_db()
    assert client_of_child(dora).get(reverse("classrooms:me")).status_code == 302


def test_nothing_changes_in_an_archived_class_until_it_is_restored(
    alice: User, school_class: SchoolClass
) -> None:
    teacher = client_of(alice)
    services.archive(school_class)
    page = teacher.post(url("children", school_class), {"names": "Dora"}, follow=True)
    assert "Restore it to make changes" in page.text
    assert not Child.objects.exists()
    teacher.post(url("restore_class", school_class))
    teacher.post(url("children", school_class), {"names": "Dora"})
    assert Child.objects.get().name == "Dora"


def test_archived_classes_are_listed_apart(alice: User, school_class: SchoolClass) -> None:
    services.archive(school_class)
    page = client_of(alice).get(reverse("classrooms:classes"))
    assert page.context["classes"] == []
    assert [archived for archived, _ in page.context["archived"]] == [school_class]


def test_archiving_can_be_undone(alice: User, school_class: SchoolClass) -> None:
    page = client_of(alice).post(url("year_end", school_class), {"what": "archive"}, follow=True)
    assert f'action="{url("restore_class", school_class)}"' in page.text


def test_before_the_year_ends_one_reads_what_will_happen(
    alice: User, school_class: SchoolClass
) -> None:
    AttemptFactory.create(child=ChildFactory.create(school_class=school_class))
    page = client_of(alice).get(url("year_end", school_class)).text
    for text in ("1 child", "1 assignment", "1 game", "are deleted at once", "are signed out"):
        assert text in page


def test_erasing_needs_the_name_of_the_class_and_then_all_is_gone(
    alice: User, school_class: SchoolClass
) -> None:
    AttemptFactory.create(child=ChildFactory.create(school_class=school_class))
    teacher, end = client_of(alice), url("year_end", school_class)
    wrong = teacher.post(end, {"what": "erase", "name": "6A"})
    assert wrong.context["form"].errors["name"]
    assert SchoolClass.objects.exists()
    assert teacher.post(end, {"what": "erase", "name": "5B"}).status_code == 302
    assert not SchoolClass.objects.exists()
    assert not Child.everyone.exists()
    assert not Game.objects.exists()
    assert acts().get().what == AuditEntry.What.ERASED


@pytest.mark.parametrize(
    "data",
    [{}, {"what": "x"}, {"what": "hand-over"}, {"what": "hand-over", "to": "7"}],
)
def test_a_year_does_not_end_without_saying_how(
    alice: User, school_class: SchoolClass, data: dict[str, str]
) -> None:
    before = SchoolClass.objects.values().get()
    assert client_of(alice).post(url("year_end", school_class), data).context["form"].errors
    assert SchoolClass.objects.values().get() == before


def test_at_the_end_of_the_year_a_class_is_handed_to_a_co_teacher(
    alice: User, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(school_class=school_class, role=Teaching.Role.CO_TEACHER).user
    client_of(alice).post(url("year_end", school_class), {"what": "hand-over", "to": str(bob.pk)})
    assert school_class.teachings.get(role=Teaching.Role.OWNER).user == bob
    assert school_class.teachings.get(user=alice).role == Teaching.Role.CO_TEACHER


def test_the_export_has_a_row_for_each_child_and_is_written_down(
    alice: User, school_class: SchoolClass
) -> None:
    AssignmentFactory.create(school_class=school_class)
    ChildFactory.create(school_class=school_class, name="Zoë")
    response = client_of(alice).get(url("export_class", school_class), {"as": "csv"})
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    assert rows[0][:4] == ["Name", "Last played on", "Rounds, all time", "Hints, all time"]
    assert rows[0][4] == "2 times table: found without help, all time"
    assert rows[0][10:12] == ["Rounds, last 4 weeks", "Hints, last 4 weeks"]
    assert rows[1] == ["Zoë", "", *["0"] * 16]
    assert acts().get().what == AuditEntry.What.EXPORTED


def test_a_closed_session_stays_closed_after_restoring(alice: User, dora: Child) -> None:
    child = client_of_child(dora)
    services.archive(dora.school_class)
    services.restore(dora.school_class)
    assert child.get(reverse("classrooms:me")).status_code == 302
    assert dora.school_class.created_at - dora.created_at < timedelta(days=1)
