"""The settings of a class, from its code to the end of its year."""

import csv
import io
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, reset_tzpath

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.audit import What
from classrooms.classes import forms, services
from classrooms.credentials import decrypt_pictures
from classrooms.http import LARGEST_FORM
from classrooms.models import AuditEntry, Child, SchoolClass, Teaching, User
from classrooms.signin import services as signin
from classrooms.signin import wrong_tries
from games.models import Game
from tests.classrooms.people import (
    ELSEWHERE,
    SCHOOL,
    acts,
    client_of,
    client_of_child,
    text_on,
    url_of,
)
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, TeachingFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "zone", ["Asia/Calcutta", "Europe/Kiev", "America/Buenos_Aires", "Asia/Saigon"]
)
def test_an_unknown_time_zone_is_kept(
    alice: User, school_class: SchoolClass, zone: str, tmp_path: Path
) -> None:
    SchoolClass.objects.update(time_zone=zone)
    reset_tzpath([tmp_path])
    ZoneInfo.clear_cache()
    forms._zone_names.cache_clear()
    try:
        school_class.refresh_from_db()
        assert school_class.today()
        page = text_on(client_of(alice).get(url_of("edit_class", school_class)))
    finally:
        reset_tzpath()
        forms._zone_names.cache_clear()
    assert f'value="{zone}" selected' in page


def change_code(teacher: Client, school_class: SchoolClass, do: str) -> SchoolClass:
    teacher.post(url_of("class_code", school_class), {"do": do})
    school_class.refresh_from_db()
    return school_class


def names_at(client: Client, code: str) -> int:
    return client.get(reverse("classrooms:names", args=[code])).status_code


def sign_in(client: Client, child: Child) -> bool:
    """Whether the child gets in on this device with their three pictures."""
    address = reverse("classrooms:pictures", args=[child.school_class.code, child.pk])
    for picture in decrypt_pictures(child.pictures_encrypted):
        answer = client.post(address, {"picture": picture})
    return answer.headers.get("Location") == reverse("classrooms:me")


def test_a_new_code_opens_the_class_and_the_old_one_does_not(
    alice: User, school_class: SchoolClass, client: Client
) -> None:
    old = school_class.code
    new = change_code(client_of(alice), school_class, "rotate").code
    assert new != old
    assert (names_at(client, new), names_at(client, old)) == (200, 404)
    assert client.post(reverse("classrooms:code"), {"code": old}).status_code == 200


def test_a_new_code_can_be_undone_once(alice: User, school_class: SchoolClass) -> None:
    old, teacher = school_class.code, client_of(alice)
    change_code(teacher, school_class, "rotate")
    assert change_code(teacher, school_class, "former").code == old
    assert change_code(teacher, school_class, "former").code == old


def test_an_undo_takes_no_code_that_another_class_has_by_now(school_class: SchoolClass) -> None:
    old = school_class.code
    services.rotate_code(school_class, None)
    SchoolClass.objects.create(name="6B", code=old)
    assert not services.take_code_back(SchoolClass.objects.get(pk=school_class.pk), None)
    school_class.refresh_from_db()
    assert school_class.code != old


def test_a_closed_class_admits_known_devices(alice: User, dora: Child, emil: Child) -> None:
    device, teacher = Client(), client_of(alice)
    assert sign_in(device, dora)
    device.post(reverse("classrooms:leave"))
    change_code(teacher, dora.school_class, "close")
    page = device.get(reverse("classrooms:names", args=[dora.school_class.code]))
    assert ("Dora" in text_on(page), "Emil" in text_on(page)) == (True, False)
    assert sign_in(device, dora)
    for stranger, child in ((device, emil), (Client(), dora)):
        address = reverse("classrooms:pictures", args=[child.school_class.code, child.pk])
        assert stranger.get(address).status_code == 404
    change_code(teacher, dora.school_class, "open")
    assert sign_in(Client(), emil)


def test_an_archived_class_admits_nobody(alice: User, dora: Child) -> None:
    child, teacher = client_of_child(dora), client_of(alice)
    teacher.post(url_of("year_end", dora.school_class), {"what": "archive"})
    assert child.get(reverse("classrooms:me")).headers["Location"] == reverse("classrooms:home")
    assert names_at(child, dora.school_class.code) == 404
    dora.school_class.refresh_from_db()
    assert client_of_child(dora).get(reverse("classrooms:me")).status_code == 302


def test_an_archived_class_refuses_changes(alice: User, school_class: SchoolClass) -> None:
    teacher = client_of(alice)
    services.archive(school_class, None)
    page = teacher.post(url_of("children", school_class), {"names": "Dora"}, follow=True)
    assert "Restore it to make changes" in text_on(page)
    assert not Child.objects.exists()
    teacher.post(url_of("restore_class", school_class))
    teacher.post(url_of("children", school_class), {"names": "Dora"})
    assert Child.objects.get().name == "Dora"


def test_erasing_needs_the_name_of_the_class(alice: User, school_class: SchoolClass) -> None:
    AttemptFactory.create(child=ChildFactory.create(school_class=school_class))
    teacher, end = client_of(alice), url_of("year_end", school_class)
    wrong = teacher.post(end, {"what": "erase", "name": "6A"})
    assert wrong.context["form"].errors["name"]
    assert SchoolClass.objects.exists()
    assert teacher.post(end, {"what": "erase", "name": "5B"}).status_code == 302
    assert not SchoolClass.objects.exists()
    assert not Child.all_objects.exists()
    assert not Game.objects.exists()
    assert acts().get().what == AuditEntry.What.ERASED


def test_a_class_is_handed_over_at_the_years_end(alice: User, school_class: SchoolClass) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    client_of(alice).post(
        url_of("year_end", school_class), {"what": "hand-over", "to": str(bob.pk)}
    )
    assert school_class.teachings.get(role=Teaching.Role.OWNER).user == bob
    assert school_class.teachings.get(user=alice).role == Teaching.Role.CO_TEACHER


def test_the_export_has_a_row_for_each_child_and_is_logged(
    alice: User, school_class: SchoolClass
) -> None:
    AssignmentFactory.create(school_class=school_class)
    ChildFactory.create(school_class=school_class, name="Zoë")
    response = client_of(alice).get(url_of("export_class", school_class), {"as": "csv"})
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    assert rows[0][:4] == ["Name", "Last played on", "Rounds, all time", "Hints, all time"]
    assert rows[0][4] == "2 times table: found without help, all time"
    assert rows[0][10:12] == ["Rounds, last 4 weeks", "Hints, last 4 weeks"]
    assert rows[1] == ["Zoë", "", *["0"] * 16]
    assert acts().get().what == AuditEntry.What.EXPORTED


def test_a_closed_class_is_still_closed_after_restoring(alice: User, dora: Child) -> None:
    child = client_of_child(dora)
    services.archive(dora.school_class, None)
    services.restore(dora.school_class, None)
    assert child.get(reverse("classrooms:me")).status_code == 302
    assert dora.school_class.created_at - dora.created_at < timedelta(days=1)


# A teacher can have quiet lessons


def pages(child: Child) -> list[str]:
    """The child's list, and one of their games."""
    client = client_of_child(child)
    assignment = AssignmentFactory.create(school_class=child.school_class)
    game = client.post(reverse("classrooms:start", args=[assignment.pk])).headers["Location"]
    return [text_on(client.get(address)) for address in (reverse("classrooms:me"), game)]


@pytest.fixture
def edit_url(school_class: SchoolClass) -> str:
    return url_of("edit_class", school_class)


def settings(school_class: SchoolClass, **more: str) -> dict[str, str]:
    return {"name": school_class.name, "language": "en", "time_zone": "Europe/Amsterdam", **more}


@pytest.mark.parametrize(
    ("chosen", "quiet", "sounds"),
    [("quiet", True, False), ("child", False, False), ("sounds", False, True)],
)
def test_a_teacher_chooses_sounds_or_quiet(
    alice: User, school_class: SchoolClass, edit_url: str, chosen: str, quiet: bool, sounds: bool
) -> None:
    teacher = client_of(alice)
    for former in ("quiet", "sounds", "child"):
        teacher.post(edit_url, settings(school_class, liveliness=former))
        teacher.post(edit_url, settings(school_class, liveliness=chosen))
        school_class.refresh_from_db()
        assert (school_class.is_quiet, school_class.has_sounds) == (quiet, sounds)
        page = text_on(teacher.get(edit_url))
        assert re.search(f'value="{chosen}"[^>]*checked', page)


def test_the_log_names_what_changed(alice: User, school_class: SchoolClass, edit_url: str) -> None:
    teacher = client_of(alice)
    for chosen, names in (
        ("sounds", ["has_sounds"]),
        ("quiet", ["is_quiet", "has_sounds"]),
        ("child", ["is_quiet"]),
    ):
        teacher.post(edit_url, settings(school_class, liveliness=chosen))
        entry = AuditEntry.objects.filter(what=AuditEntry.What.CHANGED).latest("at")
        assert entry.detail["fields"] == names


def test_the_pages_of_a_quiet_class_say_so(school_class: SchoolClass) -> None:
    dora = ChildFactory.create(name="Dora", school_class=school_class)
    assert not any('class="quiet' in text for text in pages(dora))
    SchoolClass.objects.filter(pk=school_class.pk).update(is_quiet=True)
    assert all('class="quiet' in text for text in pages(dora))


# A class with as many children as it may have can still be changed


def test_the_settings_of_every_child_of_a_full_class_are_saved(
    alice: User, school_class: SchoolClass
) -> None:
    names = (f"Child {number}" for number in range(bounds.MOST_CHILDREN))
    Child.objects.bulk_create(Child(school_class=school_class, name=name) for name in names)
    keys = [str(key) for key in school_class.children.values_list("pk", flat=True)]
    ticks = dict.fromkeys(("child", "untimed", "larger", "checks"), keys)
    hints = {f"hints-{key}": Child.Hints.ALL for key in keys}
    body = urlencode(ticks | hints, doseq=True)
    assert len(body) < LARGEST_FORM
    answer = client_of(alice).post(
        url_of("child_settings", school_class),
        body,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 302
    assert (
        school_class.children.filter(has_larger_cards=True, hints="all").count()
        == bounds.MOST_CHILDREN
    )


# A teacher chooses who sees the names behind the class code


FORM = {
    "do": "save",
    "names_shown": "at school",
    "in_school_hours": "on",
    "school_from": "7",
    "school_until": "17",
}


def post(teacher: Client, school_class: SchoolClass, at: str = SCHOOL, **data: Any) -> str:
    """The text of the page after the post."""
    answer = teacher.post(url_of("who_sees_names", school_class), data, REMOTE_ADDR=at, follow=True)
    school_class.refresh_from_db()
    assert answer.status_code == 200
    return text_on(answer)


def logged() -> int:
    return AuditEntry.objects.filter(what=What.NAMES_SHOWN).count()


def test_a_class_lists_its_names_at_school_by_default(alice: User) -> None:
    client_of(alice).post(reverse("classrooms:new_class"), {"name": "5B", "language": "en"})
    new_class = SchoolClass.objects.get()
    assert (new_class.names_shown, new_class.in_school_hours) == ("at school", True)
    assert (new_class.school_from, new_class.school_until, new_class.networks) == (7, 17, [])


def test_the_door_can_be_changed_and_the_change_is_logged(
    alices_client: Client, school_class: SchoolClass
) -> None:
    values = {
        "names_shown": "never",
        "in_school_hours": "",
        "school_from": "8",
        "school_until": "16",
    }
    assert "Saved." in post(alices_client, school_class, **{**FORM, **values})
    assert (school_class.names_shown, school_class.in_school_hours) == ("never", False)
    assert (school_class.school_from, school_class.school_until) == (8, 16)
    entry = AuditEntry.objects.get(what=What.NAMES_SHOWN)
    assert entry.class_id == school_class.pk


@pytest.mark.parametrize(
    "wrong",
    [
        {"school_from": "17", "school_until": "7"},
        {"school_until": "25"},
        {"school_from": "9" * 4301},
        {"names_shown": "x"},
    ],
)
def test_invalid_settings_are_not_saved(
    alices_client: Client, school_class: SchoolClass, wrong: dict[str, str]
) -> None:
    page = post(alices_client, school_class, **FORM | wrong)
    assert 'class="errors"' in page
    assert (school_class.names_shown, school_class.school_from) == ("always", 7)
    assert logged() == 0


def test_saving_the_door_keeps_a_changed_code(
    alices_client: Client, school_class: SchoolClass
) -> None:
    form_open_since = SchoolClass.objects.get(pk=school_class.pk)
    SchoolClass.objects.filter(pk=school_class.pk).update(code="BCDFGHJK")
    post(alices_client, form_open_since, **FORM)
    assert form_open_since.code == "BCDFGHJK"


def test_the_teachers_own_network_can_be_added_and_removed(
    alices_client: Client, school_class: SchoolClass
) -> None:
    post(alices_client, school_class, **FORM)
    assert "You are on it now" in post(alices_client, school_class, do="add-network")
    assert school_class.networks == [f"{SCHOOL}/32"]
    assert "You are on it now" not in post(alices_client, school_class, ELSEWHERE, do="")
    assert "Removed." in post(
        alices_client, school_class, do="remove-network", network=f"{SCHOOL}/32"
    )
    assert school_class.networks == []
    assert logged() == 3


def test_behind_a_proxy_the_added_network_is_the_one_that_the_proxy_saw(
    alices_client: Client, school_class: SchoolClass, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1
    url = url_of("who_sees_names", school_class)
    alices_client.post(url, {"do": "add-network"}, HTTP_X_FORWARDED_FOR=f"9.9.9.9, {SCHOOL}")
    school_class.refresh_from_db()
    assert school_class.networks == [f"{SCHOOL}/32"]


@pytest.mark.parametrize("inner", ["127.0.0.1", "172.18.0.5", "", "unknown"])
def test_an_address_that_anybody_may_have_is_not_added(
    alices_client: Client, school_class: SchoolClass, inner: str
) -> None:
    assert "cannot tell" in post(alices_client, school_class, inner, do="add-network")
    assert school_class.networks == []
    assert logged() == 0


def test_a_class_has_four_networks_at_most_and_none_twice(
    alices_client: Client, school_class: SchoolClass
) -> None:
    for last in (1, 2, 2, 3, 4, 5):
        text = post(alices_client, school_class, f"198.41.0.{last}", do="add-network")
    assert "four" in text
    assert school_class.networks == [f"198.41.0.{last}/32" for last in (1, 2, 3, 4)]


@pytest.mark.parametrize("page", ["cards", "letters", "signing_in"])
@pytest.mark.parametrize(
    ("names_shown", "text"), [("at school", "outside school"), ("never", "On a new device,")]
)
def test_pages_about_getting_in_say_that_names_are_typed(
    alices_client: Client, dora: Child, page: str, names_shown: str, text: str
) -> None:
    url = url_of(page, dora.school_class)
    assert "type the name" not in text_on(alices_client.get(url))
    SchoolClass.objects.update(names_shown=names_shown)
    assert f"{text}" in text_on(alices_client.get(url))


def test_many_wrong_names_are_shown_to_the_teacher(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    url = url_of("signing_in", school_class)
    for is_warning, count in (False, wrong_tries.FEW_TRIES), (True, 1):
        for _ in range(count):
            signin.reject_unknown_name(school_class, ("cup",) * 3, "a device")
        assert ("Many wrong names" in text_on(alices_client.get(url))) is is_warning


def test_a_new_class_has_the_chosen_time_zone(alice: User) -> None:
    url, client = reverse("classrooms:new_class"), client_of(alice)
    assert "data-own-zone" in text_on(client.get(url))
    for name, chosen, zone in (
        ("5A", "Europe/London", "Europe/London"),
        ("5B", "", "Europe/Amsterdam"),
        ("5C", "Nowhere", None),
    ):
        client.post(url, {"name": name, "language": "en", "time_zone": chosen})
        new_class = SchoolClass.objects.filter(name=name).first()
        assert (new_class.time_zone if new_class else None) == zone


def test_a_new_class_belongs_to_its_creator(alice: User) -> None:
    response = client_of(alice).post(
        reverse("classrooms:new_class"), {"name": "5B", "language": "nl"}
    )
    new_class = SchoolClass.objects.get()
    assert response.headers["Location"] == url_of("children", new_class)
    assert (new_class.name, new_class.language) == ("5B", "nl")
    assert new_class.teachings.get().user == alice
    assert new_class.teachings.get().role == Teaching.Role.OWNER


@pytest.mark.parametrize("data", [{"name": "", "language": "en"}, {"name": "5B", "language": "xx"}])
def test_a_class_needs_a_name_and_a_supported_language(alice: User, data: dict[str, str]) -> None:
    response = client_of(alice).post(reverse("classrooms:new_class"), data)
    assert response.context["form"].errors
    assert not SchoolClass.objects.exists()


def test_the_list_counts_assignments_that_can_be_played_now(
    alice: User, school_class: SchoolClass
) -> None:
    today = school_class.today()
    day = timedelta(days=1)
    for dates in ({}, {"starts_on": today + day}, {"due_on": today - day}, {"due_on": today}):
        AssignmentFactory.create(school_class=school_class, **dates)
    AssignmentFactory.create(school_class=school_class, ended_at=timezone.now())
    client = client_of(alice)
    listed = client.get(url_of("assignments", school_class))
    assert len(listed.context["overviews"]) == 2
    AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    assert "2 open assignments" in text_on(client.get(reverse("classrooms:classes")))


def test_a_class_can_be_renamed(alice: User, school_class: SchoolClass) -> None:
    url = url_of("edit_class", school_class)
    client_of(alice).post(url, {"name": "6B", "language": "de", "time_zone": "Europe/Berlin"})
    school_class.refresh_from_db()
    assert (school_class.name, school_class.language) == ("6B", "de")
    assert school_class.time_zone == "Europe/Berlin"


def test_a_class_with_children_but_nothing_to_play_says_so(
    alice: User, school_class: SchoolClass
) -> None:
    ChildFactory.create(school_class=school_class)
    response = client_of(alice).get(url_of("class", school_class))
    assert url_of("assign", school_class) in text_on(response)
