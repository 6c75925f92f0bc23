from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from time import monotonic, sleep

import pytest
from django.db import connection, transaction
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.privacy import erasure
from classrooms.privacy.tasks import erase_removed
from classrooms.progress.models import ProgressLock
from classrooms.progress.pipeline import evidence
from classrooms.roster import services
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
    assert services.move(attempt.child, new)
    here = AttemptFactory.create(
        child=attempt.child, assignment=AssignmentFactory.create(school_class=new)
    )
    erasure.erase_class(old)
    assert Attempt.objects.get() == here
    assert Game.objects.get() == here.game
    assert Child.objects.get() == attempt.child


@pytest.mark.django_db(transaction=True)
def test_erasing_a_class_and_counting_its_children_do_not_wait_for_each_other() -> None:
    """A worker has the first of two children and takes the second, which is the first by name."""
    school_class = SchoolClassFactory.create()
    children = ChildFactory.create_batch(2, school_class=school_class)
    first, second = sorted(children, key=lambda child: child.pk)
    for name, child in (("Zoë", first), ("Anna", second)):
        AttemptFactory.create(child=child)
        services.rename(child, name)
        ProgressLock.objects.create(child=child)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            evidence.lock(first.pk)
            erasing = pool.submit(erase, school_class)
            wait_until_blocked()
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '5s'")
            evidence.lock(second.pk)
        erasing.result(timeout=60)
    assert not Child.everyone.exists()


def erase(school_class: SchoolClass) -> None:
    try:
        erasure.erase_class(school_class)
    finally:
        connection.close()


def wait_until_blocked() -> None:
    end = monotonic() + 30
    while monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT 1 FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone():
                return
        sleep(0.01)
    raise AssertionError("nobody waits")
