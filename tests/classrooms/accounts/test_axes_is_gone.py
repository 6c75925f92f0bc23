"""django-axes kept addresses and locked everyone out: after migrating nothing of it is left."""

from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

MIGRATION = import_module("classrooms.migrations.0018_known_devices_and_limits")
CREATE = (
    "CREATE TABLE axes_accessattempt (id integer PRIMARY KEY, ip_address varchar(39))",
    "CREATE TABLE axes_accessattemptexpiration (access_attempt_id integer PRIMARY KEY"
    " REFERENCES axes_accessattempt (id), expires_at varchar(40))",
    "CREATE TABLE axes_accessfailurelog (id integer PRIMARY KEY, ip_address varchar(39))",
    "CREATE TABLE axes_accesslog (id integer PRIMARY KEY, ip_address varchar(39))",
    "INSERT INTO axes_accessattempt VALUES (1, '192.0.2.7')",
    "INSERT INTO axes_accessattemptexpiration VALUES (1, 'soon')",
)


def tables_of_axes() -> list[str]:
    return [name for name in connection.introspection.table_names() if name.startswith("axes_")]


def drop() -> None:
    with connection.schema_editor() as editor:
        MIGRATION.drop_axes(apps, editor)


def test_tables_records_and_permissions_of_axes_go() -> None:
    with connection.cursor() as cursor:
        for statement in CREATE:
            cursor.execute(statement)
    MigrationRecorder(connection).record_applied("axes", "0001_initial")
    kind = ContentType.objects.create(app_label="axes", model="accesslog")
    permission = Permission.objects.create(content_type=kind, codename="view", name="view")
    alice = UserFactory.create()
    alice.user_permissions.add(permission)
    assert len(tables_of_axes()) == 4
    drop()
    assert not tables_of_axes()
    assert not MigrationRecorder(connection).migration_qs.filter(app="axes").exists()
    assert not ContentType.objects.filter(app_label="axes").exists()
    assert not alice.user_permissions.exists()


def test_a_database_that_never_had_axes_is_left_as_it_is() -> None:
    before = sorted(connection.introspection.table_names())
    drop()
    assert sorted(connection.introspection.table_names()) == before


def test_the_site_asks_it_nothing() -> None:
    asked = [*settings.INSTALLED_APPS, *settings.MIDDLEWARE, *settings.AUTHENTICATION_BACKENDS]
    assert not [name for name in asked if "axes" in name]
