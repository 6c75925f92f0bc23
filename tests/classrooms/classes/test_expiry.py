"""Classes and accounts long out of use are archived, and later purged."""

from collections.abc import Callable
from datetime import date, timedelta
from io import StringIO
from uuid import uuid4

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.classes import expiry, services
from classrooms.classes.tasks import keep_or_purge
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.privacy import erasure
from games.models import Game
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def class_made(days_ago: int, name: str) -> SchoolClass:
    at = timezone.now() - timedelta(days=days_ago)
    return SchoolClassFactory.create(name=name, created_at=at)


def entry_of(days_ago: int) -> None:
    """Somebody looked at a class this long ago."""
    at = timezone.now() - timedelta(days=days_ago)
    AuditEntry.objects.create(what="looked", class_id=uuid4(), at=at)


def test_an_unused_class_is_archived_then_purged() -> None:
    class_made(89, "5A"), class_made(91, "5B"), class_made(394, "5C")
    child = ChildFactory.create(school_class=class_made(396, "5D"))
    keep_or_purge()
    classes = SchoolClass.objects.order_by("name")
    assert [(school_class.name, bool(school_class.archived_at)) for school_class in classes] == [
        ("5A", False),
        ("5B", True),
        ("5C", True),
    ]
    assert not Child.all_objects.filter(pk=child.pk).exists()


def test_a_class_is_over_on_the_day_of_its_last_move() -> None:
    school_class = class_made(500, "5A")
    old = timezone.now() - timedelta(days=450)
    assignment = AssignmentFactory.create(school_class=school_class)
    assignment.created_at = old
    assignment.save()
    child = ChildFactory.create(school_class=school_class)
    attempt = AttemptFactory.create(child=child, assignment=assignment)
    Game.objects.filter(pk=attempt.game_id).update(moved_at=timezone.now() - timedelta(days=91))
    overdue = expiry.due(timezone.now())
    assert (list(overdue.archive), list(overdue.purge)) == ([school_class], [])
    Game.objects.filter(pk=attempt.game_id).update(moved_at=old)
    assert list(expiry.due(timezone.now()).purge) == [school_class]


def test_a_dry_run_lists_what_is_due_and_changes_nothing() -> None:
    class_made(91, "5B")
    class_made(396, "5D")
    entry_of(396)
    out = StringIO()
    call_command("keep_or_purge", "--dry-run", stdout=out)
    first, second = SchoolClass.objects.order_by("name")
    assert out.getvalue().splitlines() == [
        "To archive, not used for 90 days: 1",
        f"  archive  last used {first.created_at:%Y-%m-%d}  {first.pk}  5B",
        "To purge, not used for 395 days: 1",
        f"  purge    last used {second.created_at:%Y-%m-%d}  {second.pk}  5D",
        "Entries of who looked, older than 395 days: 1",
        "Nothing was changed.",
    ]
    assert not first.archived_at
    assert AuditEntry.objects.count() == 1


def test_carrying_out_does_what_the_dry_run_lists() -> None:
    purged = class_made(396, "5D")
    out = StringIO()
    call_command("keep_or_purge", stdout=out)
    assert f"{purged.pk}  5D" in out.getvalue()
    assert out.getvalue().endswith("Done.\n")
    assert not SchoolClass.objects.exists()


def test_a_restored_class_gets_its_full_time() -> None:
    school_class = class_made(200, "5B")
    keep_or_purge()
    school_class.refresh_from_db()
    assert school_class.archived_at
    services.restore(school_class, None)
    keep_or_purge()
    school_class.refresh_from_db()
    assert not school_class.archived_at
    later = timezone.now() + timedelta(days=91)
    assert list(expiry.due(later).archive) == [school_class]
    assert list(expiry.due(timezone.now() + timedelta(days=394)).purge) == []
    assert list(expiry.due(timezone.now() + timedelta(days=396)).purge) == [school_class]


def test_restoring_moves_the_last_day() -> None:
    old, young = class_made(200, "5B"), class_made(10, "5C")

    def on(days: int) -> date:
        return timezone.localdate(timezone.now() + timedelta(days=days))

    with CaptureQueriesContext(connection) as queries:
        days = expiry.purge_days([old, young])
    assert days == {old.pk: on(195), young.pk: on(385)}
    assert len(queries) == 1
    services.restore(old, None)
    assert expiry.purge_days([old]) == {old.pk: on(395)}


def test_the_view_log_is_kept_for_audit_days(settings: LazySettings) -> None:
    settings.AUDIT_DAYS = 100
    for days in (99, 101):
        entry_of(days)
    keep_or_purge()
    assert AuditEntry.objects.count() == 1


@pytest.fixture
def make_erasing_fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[Child, Exception], None]:
    """Let erasing a child fail."""

    def fail_at(stone: Child, problem: Exception) -> None:
        erase_child = erasure.erase_child

        def erase(child: Child, by: User | None) -> None:
            if child == stone:
                raise problem
            erase_child(child, by)

        monkeypatch.setattr(erasure, "erase_child", erase)

    return fail_at


def test_a_class_that_fails_stops_no_other_purge(
    make_erasing_fail: Callable[[Child, Exception], None],
) -> None:
    stone = ChildFactory.create(school_class=class_made(500, "5A"))
    class_made(396, "5B")
    entry_of(396)
    make_erasing_fail(stone, RuntimeError())
    keep_or_purge()
    assert SchoolClass.objects.get() == stone.school_class
    assert list(AuditEntry.objects.values_list("what", flat=True)) == ["erased"]


def test_a_large_class_is_purged_in_parts_and_last(
    make_erasing_fail: Callable[[Child, Exception], None],
) -> None:
    large, small = class_made(500, "5A"), class_made(396, "5B")
    ChildFactory.create_batch(2, school_class=large)
    make_erasing_fail(ChildFactory.create(school_class=large, name="Zoë"), SoftTimeLimitExceeded())
    with pytest.raises(SoftTimeLimitExceeded):
        keep_or_purge()
    assert [child.name for child in large.children.all()] == ["Zoë"]
    assert not SchoolClass.objects.filter(pk=small.pk).exists()


def test_a_failed_erasure_does_not_stop_the_next(
    make_erasing_fail: Callable[[Child, Exception], None],
) -> None:
    long_ago = timezone.now() - erasure.REMOVED_KEPT_FOR - timedelta(days=1)
    stone, _other = ChildFactory.create_batch(2, removed_at=long_ago)
    make_erasing_fail(stone, RuntimeError())
    assert erasure.erase_removed(timezone.now()) == 1
    assert Child.all_objects.get() == stone
