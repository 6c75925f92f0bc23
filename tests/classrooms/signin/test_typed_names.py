"""Away from school, the code of a class reveals nobody's name: a name is typed, and name and
pictures are answered together. The arithmetic is in docs/signing-in.md."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms import tries
from classrooms.access import child_by_name
from classrooms.classes import services as classes
from classrooms.credentials import encrypt_pictures
from classrooms.models import Child, SchoolClass, WrongCodes, WrongNames, WrongTries
from classrooms.roster.services import remove
from classrooms.signin import door, wrong_tries
from classrooms.signin import services as signin_services
from classrooms.tries import DAY
from tests.classrooms.people import (
    AT_NIGHT,
    AT_THE_WEEKEND,
    ELSEWHERE,
    IN_SCHOOL,
    SCHOOL,
    pictures_of,
    sign_in_by_card,
    text_on,
)
from tests.clock import at
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

WRONG = ("cup", "cup", "cup")


@pytest.fixture
def school_class() -> SchoolClass:
    """A new class, with the default settings of its door."""
    return SchoolClass.objects.create(name="5B")


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    right = encrypt_pictures(("sun", "moon", "drum"))
    return ChildFactory.create(school_class=school_class, name="Dora", pictures_encrypted=right)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with at(AT_THE_WEEKEND) as clock:
        yield clock


def set_door(school_class: SchoolClass, **settings: Any) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(**settings)


def device(address: str = ELSEWHERE) -> Client:
    """A device without cookies."""
    return Client(REMOTE_ADDR=address)


def names_of(school_class: SchoolClass) -> str:
    return reverse("classrooms:names", args=[school_class.code])


def lists_names(client: Client, child: Child) -> bool:
    page = client.get(names_of(child.school_class), follow=True)
    assert page.status_code == 200
    return child.name in text_on(page)


def knock_by_name(client: Client, child: Child, name: str, pictures: tuple[str, ...]) -> Any:
    """The answer to the last tap of somebody who has only the code and types this name."""
    page = client.post(
        reverse("classrooms:code"), {"code": child.school_class.code.lower()}, follow=True
    )
    assert 'name="name"' in text_on(page)
    url = reverse("classrooms:typed_name", args=[child.school_class.code])
    client.post(url, {"name": name})
    for step, picture in enumerate(pictures, start=1):
        answer = client.post(url, {"picture": picture, "step": step})
    return answer


def is_in(answer: Any) -> bool:
    return answer.headers.get("Location") == reverse("classrooms:me")


# Where the names are listed


def test_a_stranger_with_the_code_sees_no_name(clock: Traveller, dora: Child) -> None:
    stranger = device()
    text = text_on(
        stranger.post(reverse("classrooms:code"), {"code": dora.school_class.code}, follow=True)
    )
    text += text_on(stranger.get(names_of(dora.school_class), follow=True))
    assert dora.name not in text
    assert str(dora.pk) not in text


@pytest.mark.parametrize(
    ("now", "listed"), [(IN_SCHOOL, True), (AT_NIGHT, False), (AT_THE_WEEKEND, False)]
)
def test_a_new_class_lists_its_names_in_school_hours(
    dora: Child, now: datetime, listed: bool
) -> None:
    with at(now):
        assert lists_names(device(), dora) is listed


@pytest.mark.parametrize("choice", [{"in_school_hours": False}, {"names_shown": "never"}])
def test_without_school_hours_no_names_are_listed_at_school(
    dora: Child, choice: dict[str, Any]
) -> None:
    set_door(dora.school_class, **choice)
    with at(IN_SCHOOL):
        assert not lists_names(device(), dora)


def test_the_hours_are_those_of_the_classs_own_clock(dora: Child) -> None:
    set_door(dora.school_class, time_zone="America/New_York")
    with at(IN_SCHOOL):
        assert not lists_names(device(), dora)
    with at(AT_NIGHT):
        assert lists_names(device(), dora)


def test_the_hours_include_the_first_but_not_the_last(clock: Traveller, dora: Child) -> None:
    set_door(dora.school_class, school_from=8, school_until=9, time_zone="UTC")
    clock.move_to(IN_SCHOOL.replace(hour=7, minute=59, second=59))
    assert not lists_names(device(), dora)
    clock.shift(timedelta(seconds=1))
    assert lists_names(device(), dora)
    clock.shift(timedelta(minutes=59, seconds=59))
    assert lists_names(device(), dora)
    clock.shift(timedelta(seconds=1))
    assert not lists_names(device(), dora)


@pytest.mark.usefixtures("clock")
def test_the_schools_network_lists_the_names_at_any_hour(dora: Child) -> None:
    set_door(dora.school_class, networks=[f"{SCHOOL}/32"])
    assert lists_names(device(SCHOOL), dora)
    assert not lists_names(device(ELSEWHERE), dora)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("names_shown", ["at school", "never"])
def test_a_device_used_by_a_child_of_the_class_lists_the_names(
    dora: Child, names_shown: str
) -> None:
    set_door(dora.school_class, names_shown=names_shown)
    tablet = device()
    assert is_in(knock_by_name(tablet, dora, "Dora", pictures_of(dora)))
    tablet.post(reverse("classrooms:leave"))
    assert lists_names(tablet, dora)


@pytest.mark.usefixtures("clock")
def test_a_device_of_another_class_does_not_list_the_names(dora: Child) -> None:
    finn = ChildFactory.create(name="Finn")
    sign_in_by_card(finn, "a device")
    assert not door.is_known("a device", dora.school_class.code)
    assert door.is_known("a device", finn.school_class.code)
    remove(finn, None)
    assert not door.is_known("a device", finn.school_class.code)


@pytest.mark.usefixtures("clock")
def test_a_closed_class_says_that_it_is_closed_and_names_nobody(dora: Child) -> None:
    classes.set_closed(dora.school_class, True, None)
    page = device().get(names_of(dora.school_class))
    assert page.status_code == 200
    assert "cannot be opened on a new device" in text_on(page)
    assert dora.name not in text_on(page)


def test_a_saved_address_of_the_pictures_asks_for_the_name(dora: Child) -> None:
    pictures = reverse("classrooms:pictures", args=[dora.school_class.code, dora.pk])
    stranger = device()
    with at(IN_SCHOOL):
        assert stranger.get(pictures).status_code == 200
    with at(AT_NIGHT):
        answer = stranger.get(pictures)
        assert (answer.status_code, dora.name in text_on(answer)) == (302, False)
        tapped = stranger.post(pictures, {"picture": "sun"})
        assert tapped.headers["Location"] == answer.headers["Location"]


# A child gets in


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("typed", ["Dora", " dora ", "DÓRA", "do-ra"])
def test_a_childs_name_may_be_spelled_freely(dora: Child, typed: str) -> None:
    assert is_in(knock_by_name(device(), dora, typed, pictures_of(dora)))


@pytest.mark.usefixtures("clock")
def test_two_similar_names_are_each_found_as_spelled(dora: Child) -> None:
    other = ChildFactory.create(school_class=dora.school_class, name="Dóra")
    for child in (dora, other):
        assert is_in(knock_by_name(device(), dora, child.name.lower(), pictures_of(child)))
    answer = knock_by_name(device(), dora, "do ra", pictures_of(dora))
    assert not is_in(answer)


@pytest.mark.usefixtures("clock")
def test_a_renamed_child_is_found_by_the_new_name(dora: Child) -> None:
    dora.name = "Dorothea"
    dora.save(update_fields=("name",))
    assert is_in(knock_by_name(device(), dora, "dorothea", pictures_of(dora)))
    assert not is_in(knock_by_name(device(), dora, "Dora", pictures_of(dora)))


@pytest.mark.usefixtures("clock")
def test_a_removed_child_and_one_of_another_class_are_not_found(dora: Child) -> None:
    finn = ChildFactory.create(name="Finn")
    assert not is_in(knock_by_name(device(), dora, "Finn", pictures_of(finn)))
    Child.objects.filter(pk=dora.pk).update(removed_at=AT_NIGHT)
    assert not is_in(knock_by_name(device(), dora, "Dora", pictures_of(dora)))


@pytest.mark.usefixtures("clock")
def test_a_tap_on_a_name_counts_once(dora: Child) -> None:
    client = device()
    url = reverse("classrooms:typed_name", args=[dora.school_class.code])
    client.post(url, {"name": "Dora"})
    for step, picture in [(1, "sun"), (1, "sun"), (2, "moon"), (3, "drum")]:
        answer = client.post(url, {"picture": picture, "step": step})
    assert is_in(answer)


# A stranger learns nothing


def full_answer(client: Client, child: Child, name: str, pictures: tuple[str, ...]) -> Any:
    """Everything in which two answers could differ: status, headers, cookies, page and queries."""
    url = reverse("classrooms:typed_name", args=[child.school_class.code])
    knock_by_name(client, child, name, pictures[:-1])
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(url, {"picture": pictures[-1], "step": 3})
    cookies = {key: morsel["max-age"] for key, morsel in answer.cookies.items()}
    page = text_on(client.get(url)).replace(name, "NAME")
    return (
        answer.status_code,
        dict(answer.headers),
        cookies,
        re.sub('value="[^"]{40,}"', "", page),
        [query["sql"].split()[0] for query in queries],
    )


@pytest.mark.usefixtures("clock")
def test_known_and_unknown_names_get_the_same_answers(dora: Child) -> None:
    answers = [
        full_answer(device(), dora, name, WRONG) for name in ("Nobody", "Dora", "Dora", "Nobody")
    ]
    assert answers[1:] == answers[:-1]
    assert wrong_tries.tries_of(dora).strange == 2


@pytest.mark.usefixtures("clock")
def test_too_many_tries_at_a_name_do_not_betray_the_child(dora: Child) -> None:
    for number in range(signin_services.TRIES):
        signin_services.sign_in(dora, WRONG, f"device {number}")
    answers = [full_answer(device(), dora, name, pictures_of(dora)) for name in ("Dora", "Nobody")]
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("clock")
def test_a_strangers_tries_at_a_child_are_limited_in_any_spelling(
    dora: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = times(8, 60)
    monkeypatch.setattr(signin_services, "CHILD_LIMITS", ((tries, DAY),))
    for spelled in ["Dora", "DORA", "dóra", "d o r a"] * (tries // 4):
        assert not is_in(knock_by_name(device(), dora, spelled, WRONG))
    assert wrong_tries.tries_of(dora).strange == tries
    assert not is_in(knock_by_name(device(), dora, "Dora", pictures_of(dora)))


def test_tried_names_lock_nobody_out_and_make_no_door_careful(
    clock: Traveller, dora: Child
) -> None:
    for number in range(times(6, door.OPEN_CODES + 1)):
        network = f"198.41.{number % 8}.9"  # A single visitor may try fewer names than that.
        assert not is_in(knock_by_name(device(network), dora, f"Nobody {number}", WRONG))
    assert tries.wrong_codes() == 0
    assert is_in(knock_by_name(device(), dora, "Dora", pictures_of(dora)))


@pytest.mark.usefixtures("clock")
def test_neither_a_tried_name_nor_an_address_is_stored(dora: Child) -> None:
    for _ in range(signin_services.TRIES + 3):
        signin_services.reject_unknown_name(dora.school_class, WRONG, "a device")
    knock_by_name(device(ELSEWHERE), dora, "Nobody", WRONG)
    row = WrongNames.objects.get()
    assert len(row.times) == signin_services.TRIES
    tables = (WrongNames, WrongTries, WrongCodes)
    rows = str([list(table._default_manager.values()) for table in tables])
    assert "Nobody" not in rows
    assert ELSEWHERE not in rows


def test_a_code_of_no_class_is_counted_when_a_name_is_typed(clock: Traveller, dora: Child) -> None:
    assert device().get(reverse("classrooms:typed_name", args=["BCDFGHJK"])).status_code == 404
    assert tries.wrong_codes() == 1


def test_the_pictures_page_without_a_child_reveals_no_code(clock: Traveller, dora: Child) -> None:
    finn = ChildFactory.create(name="Finn")
    for code in (dora.school_class.code, "BCDFGHJK"):
        assert device().get(reverse("classrooms:pictures", args=[code, finn.pk])).status_code == 404


@pytest.mark.usefixtures("clock")
def test_the_door_may_become_careful_between_two_taps(clock: Traveller, dora: Child) -> None:
    client = device()
    url = reverse("classrooms:typed_name", args=[dora.school_class.code])
    client.post(url, {"name": "Dora"})
    client.post(url, {"picture": "sun", "step": 1})
    WrongCodes.objects.create(hour=timezone.now().replace(minute=0), count=door.OPEN_CODES)
    client.post(url, {"picture": "moon", "step": 2})
    assert is_in(client.post(url, {"picture": "drum", "step": 3}))


def test_a_child_is_recognised_by_the_letters_of_another_keyboard(
    school_class: SchoolClass,
) -> None:
    """This holds even for a name that was stored before the site knew that these letters are the
    same."""
    child = ChildFactory.create(school_class=school_class, name="مریم")
    Child.objects.update(plain_name="مریم")
    assert child_by_name(school_class.code, "مريم", "a new device") == child
    assert child_by_name(school_class.code, "علی", "a new device") is None
