"""What a migration does to a school that is there already."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from classrooms.progress.models import FactMastery, ProgressLock
from classrooms.progress.tasks import rebuild_marked
from tests.counts import PROOF

# On SQLite, which needs as long, `make test` upgrades an old school instead: tests/upgrade.
ON_BOTH = [pytest.mark.both_databases] if PROOF else []
pytestmark = [pytest.mark.django_db(transaction=True), *ON_BOTH]

BEFORE = [("classrooms", "0017_who_looked")]
AFTER = [("classrooms", "0021_who_sees_the_names")]


def migrate(to: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return MigrationExecutor(connection).loader.project_state(to).apps


def test_what_was_there_before_is_as_what_is_new() -> None:
    """In one walk back and forth: the way there takes far longer than what is asked."""
    try:
        _circles_of_merges_are_broken_and_each_class_has_one_owner()
        migrate([("checks", "0001_quick_checks"), ("progress", "0004_stale")])
        _the_children_of_a_class_from_before_are_found_by_their_typed_names()
        _facts_of_before_are_folded_again_in_the_background()
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())


def _circles_of_merges_are_broken_and_each_class_has_one_owner() -> None:
    old = migrate([("classrooms", "0040_reader_words")]).get_model
    two_owners, none = (old("classrooms", "SchoolClass").objects.create(name=n) for n in "AB")
    users = [old("classrooms", "User").objects.create(email=f"{n}@example.org") for n in "ab"]
    teachings = old("classrooms", "Teaching").objects
    for school_class, role in ((two_owners, "owner"), (none, "co-teacher")):
        for user in users:
            teachings.create(school_class=school_class, user=user, role=role)
    children = old("classrooms", "Child")._base_manager
    dora, emil, gus, hugo = (children.create(school_class=none, name=n) for n in "DEGH")
    for child, into in ((dora, emil), (emil, dora), (gus, hugo)):
        old("classrooms", "Merge").objects.create(child=child, into=into)
    new = migrate([("classrooms", "0041_one_owner_and_no_circle")]).get_model
    owned = new("classrooms", "Teaching").objects.filter(role="owner")
    assert set(owned.values_list("school_class__name", "user__email")) == {
        ("A", "a@example.org"),
        ("B", "a@example.org"),
    }
    (left,) = new("classrooms", "Merge").objects.all()
    assert left.child_id == gus.pk
    new("classrooms", "Child")._base_manager.all().delete()
    new("classrooms", "Teaching")._base_manager.all().delete()
    new("classrooms", "User")._base_manager.all().delete()
    new("classrooms", "SchoolClass")._base_manager.all().delete()


def _the_children_of_a_class_from_before_are_found_by_their_typed_names() -> None:
    old = migrate(BEFORE)
    school_class = old.get_model("classrooms", "SchoolClass").objects.create(name="5B")
    children = old.get_model("classrooms", "Child")
    for name in ("Zoë van Dam", "Emil"):
        children._base_manager.create(school_class=school_class, name=name)
    new = migrate(AFTER)
    children_after = new.get_model("classrooms", "Child")._base_manager.order_by("name")
    assert list(children_after.values_list("plain_name", flat=True)) == ["emil", "zovandam"]
    kept = new.get_model("classrooms", "SchoolClass").objects.get()
    assert (kept.names_shown, kept.networks) == ("at school", [])


def _facts_of_before_are_folded_again_in_the_background() -> None:
    old = migrate([("checks", "0001_quick_checks"), ("progress", "0004_stale"), *AFTER])
    model = old.get_model
    school_class = model("classrooms", "SchoolClass").objects.create(name="5B")
    for name, untimed in (("Dora", False), ("Emil", True)):
        child = model("classrooms", "Child").objects.create(
            school_class=school_class, name=name, untimed=untimed
        )
        sitting = model("checks", "Sitting").objects.create(
            child=child, round=1, questions=[["fact", [6, 7]]] * 3, done=3
        )
        for number in range(3):
            at = datetime(2026, 3, 2 + number, 12, tzinfo=UTC)
            model("checks", "Check").objects.create(
                sitting=sitting,
                number=number,
                child=child,
                school_class=school_class,
                kind="fact",
                first=6,
                second=7,
                answer=42,
                right=True,
                how="derived",
                asked_at=at,
                answered_at=at,
                day=at.date(),
            )
        model("progress", "SittingEvidence").objects.create(sitting=sitting, upto=3)
        model("progress", "ProgressLock").objects.create(child=child)
    new = migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())
    assert not new.get_model("progress", "FactMastery").objects.exists()
    assert ProgressLock.objects.filter(to_rebuild=True).count() == 2
    rebuild_marked()
    reached = dict(FactMastery.objects.values_list("child__name", "reached"))
    assert reached == {"Dora": "learning", "Emil": "fluent"}
    assert not ProgressLock.objects.filter(to_rebuild=True).exists()
