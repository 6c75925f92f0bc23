"""The migrations of earlier releases convert an existing school. They never change, so only the
proof runs these tests; `make test` upgrades an old school instead (tests/upgrade)."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from classrooms.progress.models import FactMastery, ProgressLock
from classrooms.progress.tasks import rebuild_marked
from tests.counts import PROOF
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

BEFORE = [("classrooms", "0017_who_looked")]
ONE_LOG = [("classrooms", "0020_one_log")]
AFTER = [("classrooms", "0021_who_sees_the_names")]
WITHOUT_AXES = import_module("classrooms.migrations.0018_known_devices_and_limits")
TABLES_OF_AXES = (
    "CREATE TABLE axes_accessattempt (id integer PRIMARY KEY, ip_address varchar(39))",
    "CREATE TABLE axes_accessattemptexpiration (access_attempt_id integer PRIMARY KEY"
    " REFERENCES axes_accessattempt (id), expires_at varchar(40))",
    "CREATE TABLE axes_accessfailurelog (id integer PRIMARY KEY, ip_address varchar(39))",
    "CREATE TABLE axes_accesslog (id integer PRIMARY KEY, ip_address varchar(39))",
    "INSERT INTO axes_accessattempt VALUES (1, '192.0.2.7')",
    "INSERT INTO axes_accessattemptexpiration VALUES (1, 'soon')",
)
"""Tables of django-axes, which kept addresses and locked everybody out."""


def migrate(to: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return MigrationExecutor(connection).loader.project_state(to).apps


if PROOF:

    def test_old_data_becomes_what_new_data_would_be() -> None:
        """All migrations are checked in one way back and forth, which takes far longer than the
        checks."""
        try:
            _circles_of_merges_are_broken_and_each_class_has_one_owner()
            migrate([("checks", "0001_quick_checks"), ("progress", "0004_stale")])
            _the_looks_at_pictures_are_entries_of_the_log()
            _the_children_of_a_class_from_before_are_found_by_their_typed_names()
            _earlier_facts_are_folded_again_in_the_background()
        finally:
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())

    def test_tables_records_and_permissions_of_axes_go() -> None:
        with connection.cursor() as cursor:
            for statement in TABLES_OF_AXES:
                cursor.execute(statement)
        MigrationRecorder(connection).record_applied("axes", "0001_initial")
        kind = ContentType.objects.create(app_label="axes", model="accesslog")
        permission = Permission.objects.create(content_type=kind, codename="view", name="view")
        alice = UserFactory.create()
        alice.user_permissions.add(permission)
        assert len(tables_of_axes()) == 4
        drop_axes()
        assert not tables_of_axes()
        assert not MigrationRecorder(connection).migration_qs.filter(app="axes").exists()
        assert not ContentType.objects.filter(app_label="axes").exists()
        assert not alice.user_permissions.exists()

    def test_a_database_that_never_had_axes_is_left_as_it_is() -> None:
        before = sorted(connection.introspection.table_names())
        drop_axes()
        assert sorted(connection.introspection.table_names()) == before


def tables_of_axes() -> list[str]:
    return [name for name in connection.introspection.table_names() if name.startswith("axes_")]


def drop_axes() -> None:
    with connection.schema_editor() as editor:
        WITHOUT_AXES.drop_axes(apps, editor)


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


def _the_looks_at_pictures_are_entries_of_the_log() -> None:
    """Each entry: the page, the child, whether it is part of another, details and time."""
    old = migrate(BEFORE).get_model
    alice = old("classrooms", "User").objects.create(email="alice@example.org")
    here = old("classrooms", "SchoolClass").objects.create(name="5B", code="BCDFGHJK")
    children = old("classrooms", "Child")._base_manager
    dora, emil = (children.create(school_class=here, name=name) for name in ("Dora", "Emil"))
    nine = datetime(2026, 11, 2, 9, 5, tzinfo=UTC)
    ten, tomorrow = nine + timedelta(hours=1), nine + timedelta(days=1)
    for child, where, at in (
        (dora, "cards", nine),
        (dora, "letters", ten),
        (emil, "cards", nine),
        (emil, "letters", ten),
        (dora, "child", nine),
        (emil, "cards", tomorrow),
    ):
        old("classrooms", "LookedUp").objects.create(user=alice, child=child, where=where, at=at)
    entries = old("classrooms", "AuditEntry").objects
    entries.create(user=alice, what="looked", page="letters", class_id=here.pk, at=ten)
    new = migrate(ONE_LOG).get_model
    found = new("classrooms", "AuditEntry").objects.order_by("at", "page", "pk")
    assert {(each.user_id, each.class_id) for each in found} == {(alice.pk, here.pk)}
    assert [(each.page, each.child_id, each.is_part, each.detail, each.at) for each in found] == [
        ("cards", dora.pk, True, {}, nine),
        ("cards", emil.pk, True, {}, nine),
        ("cards", None, False, {"count": 2}, nine),
        ("pictures", dora.pk, False, {}, nine),
        ("letters", None, False, {}, ten),  # This look was in the log already.
        ("letters", dora.pk, True, {}, ten),
        ("letters", emil.pk, True, {}, ten),
        ("cards", emil.pk, False, {}, tomorrow),
    ]
    found.delete()
    for name in ("Child", "SchoolClass", "User"):
        new("classrooms", name)._base_manager.all().delete()


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


def _earlier_facts_are_folded_again_in_the_background() -> None:
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
