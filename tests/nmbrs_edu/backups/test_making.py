"""A backup holds the whole database of one moment, and no key; one that cannot be restored is found
before it is needed."""

import stat
from datetime import timedelta
from io import StringIO
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from classrooms.models import Child
from nmbrs_edu.backups import databases, manifest, services
from nmbrs_edu.backups.manifest import Unreadable
from nmbrs_edu.models import BACKUP, CHECKED_BACKUP, Upkeep
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

NOW = timezone.now()


def test_a_backup_counts_what_it_holds(folder: Path) -> None:
    ChildFactory.create_batch(3)
    made = manifest.read_manifest(services.back_up(folder, NOW))
    assert made.rows[Child._meta.db_table] == 3
    assert made.made == NOW
    assert "nmbrs_edu.0001_machine" in made.migrations
    assert made.size == (folder / made.file).stat().st_size > 0


def test_no_key_and_no_name_is_in_the_manifest(folder: Path, settings: LazySettings) -> None:
    dora = ChildFactory.create(name="Dora")
    record = services.back_up(folder, NOW).read_text()
    for secret in (settings.SECRET_KEY, settings.PICTURES_KEY, dora.name):
        assert secret not in record
    assert manifest.fingerprint(settings.SECRET_KEY) in record


def test_no_key_is_in_the_files(folder: Path, settings: LazySettings) -> None:
    services.back_up(folder, NOW)
    for path in folder.iterdir():
        content = path.read_bytes()
        assert settings.SECRET_KEY.encode() not in content
        assert settings.PICTURES_KEY.encode() not in content


def test_nobody_else_on_the_machine_can_read_a_backup(folder: Path) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    assert stat.S_IMODE((folder / made.file).stat().st_mode) == 0o600


def test_a_backup_that_failed_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(databases.Sqlite):
        def __init__(self) -> None:
            pass

        def save(self, path: Path) -> dict[str, int]:
            path.write_text("half of it")
            raise databases.DatabaseFailed("The disk is full.")

    monkeypatch.setattr(services, "this_database", Failing)
    with pytest.raises(CommandError, match="The disk is full"):
        call_command("back_up")
    assert list(folder.iterdir()) == []


def test_the_command_says_where_it_is_and_notes_that_it_went_well(folder: Path) -> None:
    out = StringIO()
    call_command("back_up", stdout=out)
    assert str(folder) in out.getvalue()
    assert Upkeep.objects.get(part=BACKUP).problem == ""


def test_a_folder_of_another_user_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_how: int) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(services.os, "open", refuse)
    with pytest.raises(CommandError, match=f"No backup was made.*Permission denied.*{folder}"):
        call_command("back_up")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "problem",
    [
        "aborting because of server version mismatch",
        "server version: 18.1; pg_dump version: 17.6",
        'unrecognized configuration parameter "transaction_timeout"',
    ],
)
def test_what_a_client_of_another_release_says_is_told(
    problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "pg_dump"
    client.write_text(f"#!/bin/sh\necho '{problem}' >&2\nexit 1\n")
    client.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    database = object.__new__(databases.Postgresql)
    database.params = {}
    with pytest.raises(databases.DatabaseFailed, match=f"pg_dump: {problem}"):
        database._run("pg_dump")


def test_a_file_that_was_changed_is_no_backup(folder: Path) -> None:
    path = services.back_up(folder, NOW)
    made = manifest.read_manifest(path)
    with (folder / made.file).open("ab") as dump:
        dump.write(b".")
    with pytest.raises(Unreadable, match="not as it was made"):
        manifest.dump_of(path, made)


def test_old_backups_are_deleted_and_the_newest_is_kept(
    folder: Path, settings: LazySettings
) -> None:
    settings.BACKUP_DAYS = 14
    for days in (40, 15, 13):
        services.back_up(folder, NOW - timedelta(days=days))
    assert services.forget_old(folder, NOW) == 2
    assert [record.made for _, record in manifest.all_backups(folder)] == [NOW - timedelta(days=13)]
    assert services.forget_old(folder, NOW + timedelta(days=100)) == 0
    assert len(list(folder.glob("nmbrs-*"))) == 2


def noted() -> str:
    return Upkeep.objects.get(part=CHECKED_BACKUP).problem


def databases_there() -> set[str]:
    """All but the databases of tests that run beside these."""
    if connection.vendor == "sqlite":
        return set()
    params = connection.get_connection_params()
    with psycopg.connect(**params) as open_:
        names = {name for (name,) in open_.execute("SELECT datname FROM pg_database")}
    return {name for name in names if name.startswith(params["dbname"]) or "test" not in name}


def test_the_newest_backup_is_restored_and_counted(folder: Path) -> None:
    ChildFactory.create()
    services.back_up(folder, NOW)
    before, out = databases_there(), StringIO()
    call_command("check_backup", stdout=out)
    assert "can be restored" in out.getvalue()
    assert noted() == ""
    assert databases_there() == before


def test_a_backup_that_holds_less_than_it_says_is_found(folder: Path) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    manifest.write_manifest(
        folder, msgspec.structs.replace(made, rows={**made.rows, "games_game": 7})
    )
    before = databases_there()
    with pytest.raises(CommandError, match="games_game: 7 rows"):
        call_command("check_backup")
    assert noted() == "Incomplete"
    assert databases_there() == before


def test_a_file_that_no_longer_opens_is_found(folder: Path) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    dump = folder / made.file
    dump.write_bytes(dump.read_bytes()[: made.size // 2])
    sha256 = manifest.sha256_of(dump)
    manifest.write_manifest(folder, msgspec.structs.replace(made, sha256=sha256))
    before = databases_there()
    with pytest.raises(CommandError):
        call_command("check_backup")
    assert noted() == "DatabaseFailed"
    assert databases_there() == before
