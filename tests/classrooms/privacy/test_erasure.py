from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from time import monotonic, sleep
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.privacy import erasure
from classrooms.privacy.tasks import erase_removed
from classrooms.progress.models import ProgressLock
from classrooms.progress.pipeline import evidence
from classrooms.roster import services
from classrooms.roster.moving import services as moving
from games.models import Action, Game
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, SchoolClassFactory

pytestmark = pytest.mark.django_db


def test_a_removed_child_is_erased_after_thirty_days_and_not_before() -> None:
    dora, emil = AttemptFactory.create().child, ChildFactory.create()
    services.remove(dora)
    services.remove(emil)
    long_ago = timezone.now() - erasure.REMOVED_KEPT_FOR - timedelta(minutes=1)
    Child.everyone.filter(pk=dora.pk).update(removed_at=long_ago)
    erase_removed()
    assert Child.everyone.get() == emil
    assert not Game.objects.exists()
    erase_removed()
    assert Child.everyone.get() == emil


def test_erasing_a_class_leaves_nothing_of_it_behind() -> None:
    attempt = AttemptFactory.create()
    school_class = attempt.child.school_class
    services.remove(ChildFactory.create(school_class=school_class))
    other = AttemptFactory.create()
    erasure.erase_class(school_class)
    assert SchoolClass.objects.get() == other.child.school_class
    assert Child.everyone.get() == other.child
    assert Game.objects.get() == other.game
    assert not Action.objects.exclude(game=other.game).exists()


def test_what_a_child_that_moved_on_played_in_an_erased_class_is_erased_too() -> None:
    attempt = AttemptFactory.create()
    old, new = attempt.child.school_class, SchoolClassFactory.create()
    assert moving.move([attempt.child], new).children
    here = AttemptFactory.create(
        child=attempt.child, assignment=AssignmentFactory.create(school_class=new)
    )
    erasure.erase_class(old)
    assert Attempt.objects.get() == here
    assert Game.objects.get() == here.game
    assert Child.objects.get() == attempt.child


@pytest.mark.django_db(transaction=True)
def test_a_class_is_erased_while_a_worker_counts_its_children() -> None:
    """The worker locks children by key; the class lists them by name, here the other way round."""
    school_class = SchoolClassFactory.create()
    second = ChildFactory.create(school_class=school_class, name="Ada", pk=UUID(int=2))
    first = ChildFactory.create(school_class=school_class, name="Zoe", pk=UUID(int=1))
    for child in (second, first):
        assignment = AssignmentFactory.create(school_class=school_class)
        AttemptFactory.create(child=child, assignment=assignment)
        ProgressLock.objects.create(child=child)
    held, waits = Event(), Event()

    def count() -> None:
        try:
            with transaction.atomic():
                evidence.lock(first.pk)
                held.set()
                assert waits.wait(timeout=60)
                evidence.lock(second.pk)
        finally:
            connection.close()

    def erase() -> None:
        try:
            erasure.erase_class(school_class)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        counting = pool.submit(count)
        assert held.wait(timeout=60)
        erasing = pool.submit(erase)
        try:
            wait_until_one_waits()
        finally:
            waits.set()
        counting.result()
        erasing.result()
    assert not Child.everyone.exists()


def wait_until_one_waits() -> None:
    """Until a connection to this database waits for a lock."""
    end = monotonic() + 60
    with connection.cursor() as cursor:
        while monotonic() < end:
            cursor.execute(
                "SELECT 1 FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone():
                return
            sleep(0.05)
    raise AssertionError("nothing waits for a lock")


@pytest.mark.both_databases
def test_of_an_erased_class_all_children_are_locked_who_were_in_it() -> None:
    attempt = AttemptFactory.create()
    old = attempt.child.school_class
    removed = ChildFactory.create(school_class=old)
    services.remove(removed)
    assert moving.move([attempt.child], SchoolClassFactory.create()).children
    AttemptFactory.create()
    with transaction.atomic():
        evidence.lock_class(old)
    locked = set(ProgressLock.objects.values_list("child", flat=True))
    assert locked == {attempt.child.pk, removed.pk}
