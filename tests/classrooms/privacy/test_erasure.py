"""Erasing a child, a class or an account: what goes, what stays, and who has to wait."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Event
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.assignments.choice import Choice
from classrooms.assignments.playing import start_guided_round, start_trial_game
from classrooms.classes import services as classes_services
from classrooms.classes import teachers
from classrooms.models import (
    Attempt,
    Child,
    ChildSession,
    Invitation,
    KeptAct,
    KnownDevice,
    Merge,
    NewYear,
    SchoolClass,
    User,
    WrongTries,
)
from classrooms.privacy import erasure
from classrooms.privacy.tasks import erase_removed, forget_old_sign_ins
from classrooms.progress import evidence
from classrooms.progress.models import ProgressLock
from classrooms.roster import merges, moves
from classrooms.roster import services as roster
from classrooms.signin import sessions
from games.models import Entry, Game, Seat
from games.play import starting, stored_game
from tests.classrooms.people import client_of, client_of_child, sign_in_by_card, url_of
from tests.clock import at
from tests.counts import at_once
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    InvitationFactory,
    SchoolClassFactory,
    TeachingFactory,
    UserFactory,
    WrongTriesFactory,
)
from tests.games.players import DORA, new_game

pytestmark = pytest.mark.django_db
WAITING = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def test_a_removed_child_is_erased_after_thirty_days() -> None:
    dora, emil = AttemptFactory.create().child, ChildFactory.create()
    roster.remove(dora, None)
    roster.remove(emil, None)
    long_ago = timezone.now() - erasure.REMOVED_KEPT_FOR - timedelta(minutes=1)
    Child.all_objects.filter(pk=dora.pk).update(removed_at=long_ago)
    erase_removed()
    assert Child.all_objects.get() == emil
    assert not Game.objects.exists()
    erase_removed()
    assert Child.all_objects.get() == emil


def test_erasing_a_class_leaves_nothing_of_it_behind() -> None:
    attempt = AttemptFactory.create()
    school_class = attempt.child.school_class
    roster.remove(ChildFactory.create(school_class=school_class), None)
    other = AttemptFactory.create()
    erasure.erase_class(school_class, None)
    assert SchoolClass.objects.get() == other.child.school_class
    assert Child.all_objects.get() == other.child
    assert Game.objects.get() == other.game
    assert not Entry.objects.exclude(game=other.game).exists()


@pytest.mark.django_db(transaction=True)
def test_no_request_of_a_child_waits_while_their_class_is_erased(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempt = AttemptFactory.create()
    client, erase, led_to = client_of_child(attempt.child), erasure._erase, list[str]()

    def start() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '1s'")
            url = reverse("classrooms:start", args=[attempt.assignment_id])
            led_to.append(client.post(url)["Location"])
        finally:
            connection.close()

    def erase_meanwhile(children: Any) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(start).result(timeout=60)
        erase(children)

    monkeypatch.setattr(erasure, "_erase", erase_meanwhile)
    erasure.erase_class(attempt.child.school_class, None)
    assert led_to == [reverse("classrooms:home")]


def test_games_of_a_moved_child_are_erased_with_the_old_class() -> None:
    attempt = AttemptFactory.create()
    old, new = attempt.child.school_class, SchoolClassFactory.create()
    assert moves.move([attempt.child], new, None).children
    attempt.child.refresh_from_db()
    here = AttemptFactory.create(
        child=attempt.child, assignment=AssignmentFactory.create(school_class=new)
    )
    erasure.erase_class(old, None)
    assert Attempt.objects.get() == here
    assert Game.objects.get() == here.game
    assert Child.objects.get() == attempt.child


@pytest.mark.django_db(transaction=True)
def test_a_class_is_erased_while_a_worker_counts_its_children() -> None:
    """A worker locks children by key, and a class lists them by name. Here the two orders are
    opposite."""
    school_class = SchoolClassFactory.create()
    second = ChildFactory.create(school_class=school_class, name="Ada", pk=UUID(int=2))
    first = ChildFactory.create(school_class=school_class, name="Zoe", pk=UUID(int=1))
    for child in (second, first):
        assignment = AssignmentFactory.create(school_class=school_class)
        AttemptFactory.create(child=child, assignment=assignment)
        ProgressLock.objects.create(child=child)
    has_lock, waits = Event(), Event()

    def count() -> None:
        try:
            with transaction.atomic():
                evidence.lock_progress(first.pk)
                has_lock.set()
                assert waits.wait(timeout=60)
                evidence.lock_progress(second.pk)
        finally:
            connection.close()

    def erase() -> None:
        try:
            erasure.erase_class(school_class, None)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        counting = pool.submit(count)
        assert has_lock.wait(timeout=60)
        erasing = pool.submit(erase)
        try:
            wait_until_one_waits()
        finally:
            waits.set()
        counting.result()
        erasing.result()
    assert not Child.all_objects.exists()


def wait_until_one_waits() -> None:
    """Wait until a connection to this database waits for a lock."""
    end = monotonic() + 60
    with connection.cursor() as cursor:
        while monotonic() < end:
            cursor.execute(WAITING)
            if cursor.fetchone():
                return
            sleep(0.05)
    raise AssertionError("nothing waits for a lock")


@pytest.mark.both_databases
def test_erasing_a_class_locks_all_its_children() -> None:
    attempt = AttemptFactory.create()
    old = attempt.child.school_class
    removed = ChildFactory.create(school_class=old)
    roster.remove(removed, None)
    assert moves.move([attempt.child], SchoolClassFactory.create(), None).children
    AttemptFactory.create()
    with transaction.atomic():
        evidence.lock_progress_of_class(old)
    locked = set(ProgressLock.objects.values_list("child", flat=True))
    assert locked == {attempt.child.pk, removed.pk}


def test_finishing_a_merge_leaves_no_game_of_the_merged_child() -> None:
    dora = ChildFactory.create(name="Dora")
    twice = ChildFactory.create(name="Dora again", school_class=dora.school_class)
    played = AttemptFactory.create(child=twice).game
    start_guided_round(twice, "classic", 1)
    merges.merge(twice, dora, None)
    erasure.finish_merges(timezone.now() + erasure.MERGE_KEPT_FOR + timedelta(minutes=1))
    assert not Child.all_objects.filter(pk=twice.pk).exists()
    assert Game.objects.get() == played  # It is Dora's now.
    erasure.erase_child(dora, None)
    assert not Seat.objects.exists()


def test_finishing_a_merge_leaves_no_act_with_a_name_of_the_merged_child() -> None:
    dora = ChildFactory.create(name="Dora")
    twice = ChildFactory.create(name="Dora again", school_class=dora.school_class)
    alice = TeachingFactory.create(school_class=dora.school_class).user
    client_of(alice).post(url_of("child", dora.school_class, twice.pk), {"name": "Dora too"})
    assert KeptAct.objects.exists()
    merges.merge(twice, dora, None)
    erasure.finish_merges(timezone.now() + erasure.MERGE_KEPT_FOR + timedelta(minutes=1))
    assert not KeptAct.objects.exists()


def test_games_go_with_a_class_and_with_an_adult() -> None:
    alice, dora = UserFactory.create(), ChildFactory.create()
    start_guided_round(dora, "classic", 1)
    start_trial_game(alice, Choice())
    SchoolClass.objects.all().delete()
    assert Seat.objects.get(bot="").player == alice.player
    User.objects.all().delete()
    assert not Game.objects.exists()


def test_games_that_belong_to_nobody_are_erased_at_night() -> None:
    alice, dora = UserFactory.create(), ChildFactory.create()
    own = [start_guided_round(dora, "classic", 1), start_trial_game(alice, Choice())]
    removed = AttemptFactory.create()
    roster.remove(removed.child, None)
    new_game(DORA)
    erase_removed()
    assert set(Game.objects.all()) == {*own, removed.game}


def test_children_merged_in_a_circle_are_erased_together() -> None:
    """The database itself refuses only a circle of two."""
    dora = ChildFactory.create()
    others = ChildFactory.create_batch(2, school_class=dora.school_class)
    for child, into in zip([dora, *others], [*others, dora], strict=True):
        Merge.objects.create(child=child, into=into)
    erasure.erase_child(dora, None)
    assert not Child.all_objects.exists()


def test_an_erased_class_has_no_name_in_a_new_years_undo() -> None:
    alice = UserFactory.create()
    classes = [TeachingFactory.create(user=alice).school_class for _ in range(2)]
    steps = [
        classes_services.YearStep(school_class.pk, f"6{letter}")
        for school_class, letter in zip(classes, "AB", strict=True)
    ]
    classes_services.begin_year(SchoolClass.objects.all(), steps, alice)
    erasure.erase_class(classes[0], None)
    assert [names[1:3] for names in NewYear.objects.get().classes] == [["5B", "6B"]]


@contextmanager
def stopped(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Iterator[Event]:
    """Within the context, every call of this function waits. Yields the event that is set at the
    first call."""
    does, waits, goes_on = getattr(module, name), Event(), Event()

    def first_wait(*args: Any, **kwargs: Any) -> Any:
        waits.set()
        assert goes_on.wait(60)
        return does(*args, **kwargs)

    monkeypatch.setattr(module, name, first_wait)
    try:
        yield waits
    finally:
        goes_on.set()


def submit(pool: ThreadPoolExecutor, act: Callable[..., Any], *args: Any) -> Future[Any]:
    def do() -> Any:
        try:
            return act(*args)
        finally:
            connection.close()

    return pool.submit(do)


def wait_until_done_or_waiting(erasing: Future[Any]) -> None:
    end = monotonic() + 60
    while not erasing.done() and monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone():
                return
        sleep(0.05)


@pytest.mark.django_db(transaction=True)
def test_a_round_begun_during_an_erasure_is_erased(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dora = ChildFactory.create(name="Dora")
    browser = client_of_child(dora)
    with ThreadPoolExecutor(2) as pool:
        with stopped(monkeypatch, starting, "start_guided_game") as waits:
            url = reverse("classrooms:learn")
            response = submit(pool, browser.post, url, {"edition": "classic"})
            assert waits.wait(60)
            erasing = submit(pool, erasure.erase_child, dora, None)
            wait_until_done_or_waiting(erasing)
        erasing.result()
        assert response.result().status_code == 302
    assert not Seat.objects.filter(name="Dora").exists()


@pytest.mark.django_db(transaction=True)
def test_a_move_stored_during_an_erasure_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = AttemptFactory.create()
    browser = client_of_child(attempt.child)
    move = {"seen": attempt.game.version, "key": uuid4(), "move": "draw-closed"}
    with ThreadPoolExecutor(2) as pool:
        with stopped(monkeypatch, stored_game, "insert_entries") as waits:
            moved = submit(pool, browser.post, reverse("games:act", args=[attempt.game_id]), move)
            assert waits.wait(60)
            erasing = submit(pool, erasure.erase_child, attempt.child, None)
            wait_until_done_or_waiting(erasing)
        erasing.result()
        assert moved.result().status_code == 302
    assert not Entry.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_eight_rounds_begun_at_once_leave_one() -> None:
    dora = ChildFactory.create()
    browsers = [client_of_child(dora) for _ in range(8)]

    def begin(number: int) -> int:
        url = reverse("classrooms:learn")
        return browsers[number].post(url, {"edition": "classic"}).status_code

    assert at_once(begin, 8) == [302] * 8
    assert Game.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("view", ["start", "learn", "take_check_up", "speed", "act"])
def test_a_child_erased_during_their_request_is_led_to_the_door(
    view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = AttemptFactory.create()
    dora, school_class = attempt.child, attempt.child.school_class
    urls = {
        "start": reverse("classrooms:start", args=[attempt.assignment_id]),
        "take_check_up": reverse(
            "classrooms:take_check_up", args=[CheckUpFactory.create(school_class=school_class).pk]
        ),
        "act": reverse("games:act", args=[attempt.game_id]),
    }
    browser = client_of_child(dora)
    signed_in = sessions.child_of

    def then_erase(token: str) -> Child | None:
        child = signed_in(token)
        erasure.erase_child(dora, None)
        return child

    monkeypatch.setattr(sessions, "child_of", then_erase)
    data = {"edition": "classic", "do": "begin", "seen": 1, "key": uuid4(), "move": "draw-closed"}
    answer = browser.post(urls.get(view) or reverse(f"classrooms:{view}"), data)
    assert answer.status_code == 302
    assert Client().get(answer.headers["Location"], follow=True).status_code == 200
    assert not Seat.objects.filter(name=dora.name).exists()


def forget_after(time: timedelta) -> None:
    with at(timezone.now() + time):
        forget_old_sign_ins()


def test_links_and_sessions_that_are_still_valid_are_kept() -> None:
    dora = ChildFactory.create()
    token = sign_in_by_card(dora, "tablet")
    WrongTriesFactory.create(child=dora)
    forget_old_sign_ins()
    assert sessions.child_of(token) == dora
    assert KnownDevice.objects.exists()
    assert WrongTries.objects.exists()


def test_after_a_day_only_the_known_device_is_left() -> None:
    dora = ChildFactory.create()
    sign_in_by_card(dora, "tablet")
    WrongTriesFactory.create(child=dora)
    forget_after(timedelta(hours=25))
    assert not ChildSession.objects.exists()
    assert not WrongTries.objects.exists()
    assert KnownDevice.objects.exists()


def test_an_invitation_is_kept_as_long_as_its_log_entries() -> None:
    InvitationFactory.create()
    forget_after(timedelta(days=settings.AUDIT_DAYS))
    assert Invitation.objects.exists()
    forget_after(timedelta(days=settings.AUDIT_DAYS) + teachers.INVITATION_LASTS)
    assert not Invitation.objects.exists()
