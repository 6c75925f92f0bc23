"""A guesser who tries for a day at full speed, from a school's address and with ever new devices,
does not get in, and keeps no child of the class out. The arithmetic is in docs/signing-in.md."""

import itertools
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms import tries
from classrooms.credentials import (
    CODE_LENGTH,
    CODE_LETTERS,
    PICTURES,
    PICTURES_PER_CHILD,
    codes_near,
    encrypt_pictures,
    new_code,
    pictures_match,
)
from classrooms.models import (
    AuditEntry,
    Child,
    KnownDevice,
    SchoolClass,
    User,
    WrongCodes,
    WrongTries,
)
from classrooms.signin import cards, door, services, wrong_tries
from classrooms.signin.services import SignedIn
from classrooms.tries import DAY
from tests.classrooms.people import pictures_of, sign_in_by_card, text_on
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

SECRETS = list(itertools.product(PICTURES, repeat=PICTURES_PER_CHILD))
CODES = len(CODE_LETTERS) ** CODE_LENGTH
A_DAY = timedelta(hours=24)
SCHOOLS_ADDRESS = "192.0.2.7"
GUESSER = "192.0.2.99"
OF_A_NETWORK = times(6, door.NETWORK_CODE_LIMITS[0][0])
AT_ONCE = 88 + 44
"""The number of requests with codes that the proxy passes on at a time, from known and from unknown
devices (docs/proxy.md). All of them may be answered before one is counted."""


@pytest.fixture(autouse=True)
def _few_codes_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, window),) = door.NETWORK_CODE_LIMITS
    monkeypatch.setattr(door, "NETWORK_CODE_LIMITS", ((OF_A_NETWORK, window),))


def visitor() -> Client:
    """A device without cookies, at the address of the whole school."""
    return Client(REMOTE_ADDR=SCHOOLS_ADDRESS)


def tap(client: Client, child: Child, pictures: tuple[str, ...]) -> str:
    """The URL to which the last tap redirects."""
    url = reverse("classrooms:pictures", args=[child.school_class.code, child.pk])
    for picture in pictures:
        answer = client.post(url, {"picture": picture})
    return str(answer.headers["Location"])


# A child's pictures


def guess_for_days(child: Child, clock: Traveller, days: int, pause: timedelta) -> list[datetime]:
    """The moments at which the tries of a guesser were checked. The guesser tries until they are
    refused, and again after each pause, each time on a new device and with a new combination, until
    they get in."""
    looked_at: list[datetime] = []
    secrets = iter(Random(1).sample(SECRETS, len(SECRETS)))
    end = timezone.now() + days * A_DAY
    for number in itertools.count():
        answer = services.sign_in(child, next(secrets), f"new device {number}")
        if answer == "too many":
            clock.shift(pause)
            if timezone.now() >= end:
                return looked_at
        else:
            looked_at.append(timezone.now())
            if isinstance(answer, SignedIn):
                return looked_at
    raise AssertionError


def test_no_guesser_has_half_a_percents_chance_in_24_hours(clock: Traveller) -> None:
    unguessable = encrypt_pictures(("none", "of", "these"))
    dora = ChildFactory.create(pictures_encrypted=unguessable)
    pause = timedelta(minutes=times(97, 7))
    looked_at = guess_for_days(dora, clock, days=3, pause=pause)
    most = max(sum(start <= moment < start + A_DAY for moment in looked_at) for start in looked_at)
    assert most == services.TRIES
    # With no combination tried twice, this share of all secrets would have been found.
    assert most / len(SECRETS) < 0.005


def test_the_pages_refuse_the_guesser(
    clock: Traveller, dora: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = times(6, services.TRIES)
    monkeypatch.setattr(services, "CHILD_LIMITS", ((tries, DAY),))
    Child.objects.filter(pk=dora.pk).update(pictures_encrypted=encrypt_pictures(("sun",) * 3))
    for number in range(tries + 5):
        assert tap(visitor(), dora, ("moon", "moon", list(PICTURES)[number % 24])) != "/me/"
    assert wrong_tries.tries_of(dora).strange == tries
    assert tap(visitor(), dora, ("sun", "sun", "sun")) != "/me/"


def test_guessing_keeps_no_child_out_on_their_device_or_by_card(
    clock: Traveller, alice: User, school_class: SchoolClass
) -> None:
    children = ChildFactory.create_batch(times(2, 30), school_class=school_class)
    usual = {child: visitor() for child in children}
    for child, device in usual.items():
        assert tap(device, child, pictures_of(child)) == reverse("classrooms:me")
    for child in children:
        moments = [int(timezone.now().timestamp())] * services.TRIES
        WrongTries.objects.filter(child=child, device_hash=WrongTries.STRANGE).update(times=moments)
        assert services.sign_in(child, pictures_of(child), "new device") == "too many"
    WrongCodes.objects.create(hour=timezone.now().replace(minute=0), count=door.CAREFUL_TRIES)
    clock.shift(timedelta(hours=1))

    printed = {
        card.child: card for card in cards.view_cards(alice, children, AuditEntry.Page.CARDS)
    }
    for child, device in usual.items():
        names = device.get(reverse("classrooms:names", args=[school_class.code]))
        assert child.name in text_on(names)
        tap(device, child, ("sun", "drum", "cup"))
        assert tap(device, child, pictures_of(child)) == reverse("classrooms:me")
        card = reverse("classrooms:card", args=[printed[child].token])
        assert visitor().post(card).headers["Location"] == reverse("classrooms:me")


# Codes of classes


def test_hitting_one_of_10_000_codes_in_a_day_is_unlikely() -> None:
    plainly = door.OPEN_CODES + AT_ONCE
    # Even if every typed name were the name of a child of the class.
    with_pictures = (door.CAREFUL_TRIES + AT_ONCE) / len(SECRETS)
    assert (plainly + with_pictures) * door.MOST_CLASSES / CODES < 1e-4


def test_after_many_wrong_codes_no_answer_betrays_a_code(
    clock: Traveller, school_class: SchoolClass
) -> None:
    few = times(3, door.OPEN_CODES)
    count_codes(door.OPEN_CODES - few)
    answers = [door.try_code(code, "").state for code in strange_codes(school_class, few + 5)]
    assert answers == ["wrong"] * few + ["careful"] * 5
    assert door.try_code(school_class.code, "").state == "careful"


def strange_codes(school_class: SchoolClass, how_many: int) -> list[str]:
    """Codes of no class, and not close to any."""
    codes = (new_code() for _ in itertools.count())
    near = codes_near(school_class.code) | {school_class.code}
    return list(itertools.islice((code for code in codes if code not in near), how_many))


def count_codes(count: int) -> None:
    WrongCodes.objects.create(hour=timezone.now().replace(minute=0), count=count)


def test_a_guessing_network_makes_only_its_own_door_careful(
    clock: Traveller, school_class: SchoolClass
) -> None:
    codes = strange_codes(school_class, OF_A_NETWORK + 5)
    states = [door.try_code(code, "", GUESSER).state for code in codes]
    assert states == ["wrong"] * OF_A_NETWORK + ["careful"] * 5
    for code in codes[:5]:
        door.sign_in_typed(code, None, None, ("sun",), "", GUESSER)
    assert tries.wrong_codes() == OF_A_NETWORK < door.OPEN_CODES
    assert door.try_code(school_class.code, "", GUESSER).state == "careful"
    assert door.try_code(school_class.code, "", SCHOOLS_ADDRESS).state == "open"
    clock.shift(timedelta(hours=23))
    assert door.try_code(codes[0], "", GUESSER).state == "careful"
    clock.shift(timedelta(hours=2))
    assert door.try_code(school_class.code, "", GUESSER).state == "open"


@pytest.mark.usefixtures("clock")
def test_typing_errors_do_not_make_a_networks_door_careful(school_class: SchoolClass) -> None:
    for typed in sorted(codes_near(school_class.code))[: OF_A_NETWORK + 1]:
        assert door.try_code(typed, "", SCHOOLS_ADDRESS).state == "wrong"
    assert door.try_code(school_class.code, "", SCHOOLS_ADDRESS).state == "open"


@pytest.mark.usefixtures("clock")
def test_the_names_tried_in_a_network_are_limited(
    monkeypatch: pytest.MonkeyPatch, dora: Child
) -> None:
    monkeypatch.setattr(door, "CLASS_SIGN_IN_LIMITS", ((3, timedelta(hours=1)),))
    monkeypatch.setattr(door, "NETWORK_SIGN_IN_LIMITS", ((5, timedelta(hours=1)),))
    code = dora.school_class.code

    def try_name(code: str, child: Child | None, network: str) -> Any:
        picked = pictures_of(child) if child else ("sun", "sun", "sun")
        return door.sign_in_typed(code, None, child, picked, "new device", network)

    assert isinstance(try_name(code, dora, GUESSER), SignedIn), "what is right does not count"
    KnownDevice.objects.all().delete()
    assert [try_name(code, None, GUESSER) for _ in range(4)] == ["wrong"] * 3 + ["too many"]
    assert try_name(code, dora, GUESSER) == "too many", "no answer shows what is right"
    others = [try_name(strange, None, GUESSER) for strange in strange_codes(dora.school_class, 3)]
    assert others == ["wrong"] * 2 + ["too many"]
    assert isinstance(try_name(code, dora, SCHOOLS_ADDRESS), SignedIn)


@pytest.mark.usefixtures("clock")
def test_known_devices_and_cards_work_in_a_guessing_network(alice: User, dora: Child) -> None:
    usual, card = visitor(), cards.view_cards(alice, [dora], AuditEntry.Page.CARDS)[0]
    assert tap(usual, dora, pictures_of(dora)) == reverse("classrooms:me")
    stranger = visitor()
    for code in strange_codes(dora.school_class, OF_A_NETWORK):
        stranger.post(reverse("classrooms:code"), {"code": code})
    names = reverse("classrooms:names", args=[dora.school_class.code])
    assert stranger.get(names).status_code == 302
    assert "Dora" in text_on(usual.get(names))
    assert tap(usual, dora, pictures_of(dora)) == reverse("classrooms:me")
    card_page = reverse("classrooms:card", args=[card.token])
    assert visitor().post(card_page).headers["Location"] == reverse("classrooms:me")


def test_one_network_adds_little_to_the_guesses_of_a_day() -> None:
    ((most, window),) = door.NETWORK_SIGN_IN_LIMITS
    in_a_day = most * (A_DAY / window)
    assert in_a_day < door.CAREFUL_TRIES / 100
    assert in_a_day / len(SECRETS) * door.MOST_CLASSES / CODES < 1.4e-7


def test_wrong_codes_count_for_at_least_24_hours(
    clock: Traveller, school_class: SchoolClass
) -> None:
    clock.move_to(timezone.now().replace(minute=59))
    count_codes(door.OPEN_CODES)
    clock.shift(A_DAY - timedelta(seconds=1))
    assert door.try_code(school_class.code, "").state == "careful"
    clock.shift(timedelta(hours=1))
    assert door.try_code(school_class.code, "").state == "open"


def test_a_typing_error_takes_the_same_steps_as_an_unknown_code(school_class: SchoolClass) -> None:
    steps = []
    for typed in (*strange_codes(school_class, 2), min(codes_near(school_class.code))):
        with CaptureQueriesContext(connection) as queries:
            door.try_code(typed, "")
        # A list of values counts as one. A code with a repeated letter has fewer codes close to it.
        values = re.compile(r"(?:'[^']*'|\d+)(?:, (?:'[^']*'|\d+))*")
        steps.append([values.sub("?", query["sql"]) for query in queries])
    _first, strange, slip = steps
    assert strange == slip


def test_a_device_that_got_in_finds_its_own_class_open(clock: Traveller, dora: Child) -> None:
    sign_in_by_card(dora, "tablet")
    count_codes(door.CAREFUL_TRIES)
    assert door.try_code(dora.school_class.code, "tablet").state == "open"
    assert door.try_code(ChildFactory.create().school_class.code, "tablet").state == "shut"


# While the door is careful


def sign_in_by_name(client: Client, code: str, name: str, pictures: tuple[str, ...]) -> Any:
    """The answer to the last tap of a child who types their name."""
    url = reverse("classrooms:typed_name", args=[code])
    client.post(url, {"name": name})
    for picture in pictures:
        answer = client.post(url, {"picture": picture})
    return answer


@pytest.fixture
def careful_door(clock: Traveller) -> None:
    count_codes(door.OPEN_CODES)


@pytest.mark.usefixtures("careful_door")
def test_a_child_on_a_new_device_still_signs_in_by_name(dora: Child) -> None:
    client = visitor()
    typed = client.post(reverse("classrooms:code"), {"code": dora.school_class.code})
    assert typed.headers["Location"] == reverse(
        "classrooms:typed_name", args=[dora.school_class.code]
    )
    answer = sign_in_by_name(client, dora.school_class.code, " dora", pictures_of(dora))
    assert answer.headers["Location"] == reverse("classrooms:me")
    assert client.get(reverse("classrooms:me")).wsgi_request.child == dora  # type: ignore[attr-defined]


Wrong = Callable[[Child], tuple[str, str, tuple[str, ...]]]
WRONGS: dict[str, Wrong] = {
    "code": lambda dora: ("BCDFGHJK", "Dora", pictures_of(dora)),
    "name": lambda dora: (dora.school_class.code, "Emil", pictures_of(dora)),
    "pictures": lambda dora: (dora.school_class.code, "Dora", ("sun", "sun", "sun")),
}


@pytest.mark.usefixtures("careful_door")
def test_a_wrong_code_name_or_picture_gets_the_same_answer(dora: Child) -> None:
    Child.objects.filter(pk=dora.pk).update(pictures_encrypted=encrypt_pictures(("cup",) * 3))
    dora.refresh_from_db()
    answers = {}
    for what, wrong in [*WRONGS.items(), *WRONGS.items()]:
        code, name, pictures = wrong(dora)
        client = visitor()
        sign_in_by_name(client, code, name, pictures[:-1])
        url = reverse("classrooms:typed_name", args=[code])
        compared = mock.Mock(wraps=pictures_match)
        with (
            CaptureQueriesContext(connection) as queries,
            mock.patch.object(services, "pictures_match", compared),
            mock.patch.object(door, "pictures_match", compared),
        ):
            answer = client.post(url, {"picture": pictures[-1]})
        page = text_on(client.get(url)).replace(code, "").replace(name, "")
        answers[what] = (
            answer.status_code,
            re.sub('value="[^"]{40,}"', "", page),
            [query["sql"].split()[0] for query in queries],
            compared.call_count,
        )
    assert answers["code"] == answers["name"] == answers["pictures"]
    assert answers["code"][3] == 1


@pytest.mark.usefixtures("careful_door")
def test_too_many_tries_do_not_reveal_that_the_child_exists(dora: Child) -> None:
    for number in range(services.TRIES):
        services.sign_in(dora, ("no", "no", "no"), f"new device {number}")
    texts = []
    for name in ("Dora", "Nobody"):
        client = visitor()
        answer = sign_in_by_name(client, dora.school_class.code, name, pictures_of(dora))
        page = client.get(answer.headers["Location"])
        texts.append([str(message) for message in page.context["messages"]])
    assert texts[0] == texts[1] != []


@pytest.mark.usefixtures("careful_door")
def test_codes_and_names_tried_together_count_as_codes(dora: Child) -> None:
    before = tries.wrong_codes()
    sign_in_by_name(visitor(), "BCDFGHJK", "Dora", ("sun", "sun", "sun"))
    sign_in_by_name(visitor(), dora.school_class.code, "Nobody", ("sun", "sun", "sun"))
    assert tries.wrong_codes() == before + 2


def test_a_closed_door_says_what_still_works(clock: Traveller, dora: Child) -> None:
    count_codes(door.CAREFUL_TRIES)
    code = dora.school_class.code
    answer = visitor().post(reverse("classrooms:code"), {"code": code})
    assert "QR code" in text_on(answer)
    client = visitor()
    answer = client.get(reverse("classrooms:names", args=[code]), follow=True)
    assert answer.redirect_chain[-1][0] == "/"
    assert "QR code" in text_on(answer)


# While the door is open


def test_a_wrong_name_and_a_wrong_picture_take_the_same_steps(dora: Child, emil: Child) -> None:
    """The two tries are Emil's name with Dora's pictures, and Dora's name with one wrong
    picture."""
    for child in (dora, emil):
        services.sign_in(child, ("no", "no", "no"), "a first time")
    steps = []
    for child, pictures in ((emil, pictures_of(dora)), (dora, (*pictures_of(dora)[:2], "wrong"))):
        with CaptureQueriesContext(connection) as queries:
            assert services.sign_in(child, pictures, "new device") == "wrong"
        steps.append([re.sub(r"'[^']*'|\d+", "", query["sql"]) for query in queries])
    assert steps[0] == steps[1]
    assert WrongTries.objects.count() == 2


def test_no_record_of_a_try_says_where_it_came_from(clock: Traveller, dora: Child) -> None:
    tap(visitor(), dora, ("sun", "sun", "drum"))
    rows = str(list(WrongTries.objects.values())) + str(list(WrongCodes.objects.values()))
    assert SCHOOLS_ADDRESS not in rows


def test_no_typing_error_leads_to_another_class() -> None:
    codes = iter(["BCDFGHJK", "BCDFGHJM", "BCDFGHKJ", "MNPRSTVW"])
    with mock.patch("classrooms.models.classes.new_code", side_effect=lambda: next(codes)):
        new_codes = [SchoolClass.objects.create(name="5B").code for _ in range(2)]
    assert new_codes == ["BCDFGHJK", "MNPRSTVW"]
