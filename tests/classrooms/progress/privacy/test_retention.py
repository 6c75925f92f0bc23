"""What is long over is archived, and later purged."""

from datetime import timedelta
from io import StringIO

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.utils import timezone

from classrooms.models import Child, SchoolClass
from classrooms.progress.privacy import retention
from classrooms.progress.tasks import keep_or_purge
from games.models import Game
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def made(days_ago: int, name: str) -> SchoolClass:
    at = timezone.now() - timedelta(days=days_ago)
    return SchoolClassFactory.create(name=name, created_at=at)


def test_a_class_is_archived_after_ninety_days_and_purged_after_thirteen_months() -> None:
    made(89, "5A"), made(91, "5B"), made(394, "5C")
    gone = ChildFactory.create(school_class=made(396, "5D"))
    keep_or_purge()
    kept = SchoolClass.objects.order_by("name")
    assert [(each.name, bool(each.archived_at)) for each in kept] == [
        ("5A", False),
        ("5B", True),
        ("5C", True),
    ]
    assert not Child.everyone.filter(pk=gone.pk).exists()


def test_a_class_is_over_on_the_day_of_its_last_move() -> None:
    school_class = made(500, "5A")
    old = timezone.now() - timedelta(days=450)
    assignment = AssignmentFactory.create(school_class=school_class)
    assignment.created_at = old
    assignment.save()
    child = ChildFactory.create(school_class=school_class)
    attempt = AttemptFactory.create(child=child, assignment=assignment)
    Game.objects.filter(pk=attempt.game_id).update(moved_at=timezone.now() - timedelta(days=91))
    found = retention.due(timezone.now())
    assert (list(found.archive), list(found.purge)) == ([school_class], [])
    Game.objects.filter(pk=attempt.game_id).update(moved_at=old)
    assert list(retention.due(timezone.now()).purge) == [school_class]


def test_the_terms_are_settings(settings: LazySettings) -> None:
    made(11, "5A")
    settings.ARCHIVE_AFTER_DAYS = 10
    assert len(retention.due(timezone.now()).archive) == 1


def test_a_dry_run_tells_what_is_due_and_changes_nothing() -> None:
    made(91, "5B"), made(396, "5D")
    told = StringIO()
    call_command("keep_or_purge", "--dry-run", stdout=told)
    assert "1 to archive, 1 to purge" in told.getvalue()
    assert "5B" in told.getvalue()
    assert SchoolClass.objects.filter(archived_at=None).count() == 2


def test_twice_is_as_good_as_once() -> None:
    made(91, "5B")
    keep_or_purge()
    at = SchoolClass.objects.get().archived_at
    keep_or_purge()
    assert SchoolClass.objects.get().archived_at == at
