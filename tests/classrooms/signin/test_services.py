"""Children's sessions and known devices, and how wrong tries are counted."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from classrooms.models import Child, ChildSession, KnownDevice
from classrooms.signin import services, sessions, wrong_tries
from classrooms.signin.services import TRIES, SignedIn
from tests.classrooms.people import pictures_of, sign_in_by_card
from tests.clock import at
from tests.factories import ChildFactory, WrongTriesFactory

pytestmark = pytest.mark.django_db

WRONG = ("nothing", "is", "right")


def token_of(child: Child, device: str = "tablet") -> str:
    answer = services.sign_in(child, pictures_of(child), device)
    assert isinstance(answer, SignedIn)
    return answer.token


def test_signing_in_again_and_again_leaves_no_more_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions, "MOST_PER_CHILD", 3, raising=False)
    dora, emil = ChildFactory.create(), ChildFactory.create()
    of_emil = token_of(emil)
    tokens = [sign_in_by_card(dora, f"tablet {n}") for n in range(5)]
    assert ChildSession.objects.filter(child=dora).count() == 3
    assert KnownDevice.objects.filter(child=dora).count() == 3
    assert [sessions.child_of(token) == dora for token in tokens] == [False] * 2 + [True] * 3
    assert sessions.child_of(of_emil) == emil


def test_a_sign_in_takes_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    """Queries count, because children of a class sign in at the same time. The session that has
    ended is deleted."""
    dora = ChildFactory.create()
    sign_in_by_card(dora, "tablet")
    ChildSession.objects.update(ends_at=timezone.now())
    with django_assert_max_num_queries(12):
        sign_in_by_card(dora, "tablet")
    assert ChildSession.objects.filter(child=dora).count() == 1


def test_the_token_is_not_in_the_database() -> None:
    token = token_of(ChildFactory.create())
    assert ChildSession.objects.get().token_hash != token


def test_unknown_devices_share_their_tries() -> None:
    dora = ChildFactory.create()
    for number in range(TRIES):
        assert services.sign_in(dora, WRONG, f"strange {number}") == "wrong"
    assert services.sign_in(dora, WRONG, "one more") == "too many"
    assert services.sign_in(dora, pictures_of(dora), "one more") == "too many"


def test_a_device_the_child_has_used_counts_apart() -> None:
    dora = ChildFactory.create()
    token_of(dora, "own tablet")
    for number in range(TRIES):
        services.sign_in(dora, WRONG, f"strange {number}")
    assert isinstance(services.sign_in(dora, pictures_of(dora), "own tablet"), SignedIn)


def test_wrong_tries_on_a_known_device_are_counted() -> None:
    dora = ChildFactory.create()
    token_of(dora, "own tablet")
    for _ in range(TRIES):
        assert services.sign_in(dora, WRONG, "own tablet") == "wrong"
    assert services.sign_in(dora, pictures_of(dora), "own tablet") == "too many"
    assert isinstance(services.sign_in(dora, pictures_of(dora), "strange"), SignedIn)


def test_tries_for_one_child_keep_no_other_out() -> None:
    dora = ChildFactory.create()
    emil = ChildFactory.create(school_class=dora.school_class)
    WrongTriesFactory.create(child=dora, count=TRIES)
    assert services.sign_in(dora, pictures_of(dora), "tablet") == "too many"
    assert isinstance(services.sign_in(emil, pictures_of(emil), "tablet"), SignedIn)


def test_a_try_counts_for_24_hours_across_dates() -> None:
    dora = ChildFactory.create()
    WrongTriesFactory.create(child=dora, count=TRIES)
    with at(timezone.now() + timedelta(hours=23, minutes=59)):
        assert services.sign_in(dora, pictures_of(dora), "tablet") == "too many"
    with at(timezone.now() + timedelta(hours=24, seconds=1)):
        assert isinstance(services.sign_in(dora, pictures_of(dora), "tablet"), SignedIn)


def test_a_card_opens_a_session_and_makes_the_device_known() -> None:
    dora = ChildFactory.create()
    WrongTriesFactory.create(child=dora, count=TRIES)
    token = sign_in_by_card(dora, "tablet")
    assert sessions.child_of(token) == dora
    assert isinstance(services.sign_in(dora, pictures_of(dora), "tablet"), SignedIn)


def test_everyone_can_be_signed_out() -> None:
    dora = ChildFactory.create()
    emil = ChildFactory.create(school_class=dora.school_class)
    finn = ChildFactory.create()
    tokens = {child: token_of(child) for child in (dora, emil, finn)}
    sessions.sign_out_children([dora, emil], None)
    still_in = [child for child, token in tokens.items() if sessions.child_of(token)]
    assert still_in == [finn]


def test_the_teacher_sees_many_tries_but_not_a_few() -> None:
    dora = ChildFactory.create(name="Dora")
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    WrongTriesFactory.create(child=dora, count=TRIES)
    WrongTriesFactory.create(child=dora, count=3, device_hash="known")
    WrongTriesFactory.create(child=emil, count=wrong_tries.FEW_TRIES)
    WrongTriesFactory.create(count=TRIES)
    (tries,) = wrong_tries.children_with_many_tries(dora.school_class)
    assert (tries.child, tries.strange, tries.known) == (dora, TRIES, 3)
    assert tries.is_locked_out_on_strange
    assert not tries.is_locked_out_on_known


def test_tries_cleared_by_the_teacher_no_longer_count() -> None:
    dora = ChildFactory.create()
    WrongTriesFactory.create(child=dora, count=TRIES)
    wrong_tries.clear_tries([dora], None)
    assert isinstance(services.sign_in(dora, pictures_of(dora), "tablet"), SignedIn)


def test_a_devices_id_is_stored_as_a_hash() -> None:
    token_of(ChildFactory.create(), "own tablet")
    assert KnownDevice.objects.get().device_hash != "own tablet"


def test_a_session_ends_after_twelve_hours() -> None:
    token = token_of(ChildFactory.create())
    start = timezone.now()
    for minutes in range(0, 12 * 60, 15):
        with at(start + timedelta(minutes=minutes)):
            assert sessions.child_of(token) is not None
    with at(start + timedelta(hours=12, minutes=1)):
        assert sessions.child_of(token) is None


def test_a_session_ends_after_twenty_minutes_without_play() -> None:
    token = token_of(ChildFactory.create())
    start = timezone.now()
    with at(start + timedelta(minutes=19)):
        assert sessions.child_of(token) is not None
    with at(start + timedelta(minutes=39, seconds=1)):
        assert sessions.child_of(token) is None
