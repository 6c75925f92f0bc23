"""A backup that cannot be restored is found before it is needed."""

from io import StringIO
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from nmbrs_edu.backups import manifest, services
from nmbrs_edu.models import CHECKED_BACKUP, Upkeep
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

NOW = timezone.now()


def noted() -> str:
    return Upkeep.objects.get(part=CHECKED_BACKUP).problem


def databases() -> set[str]:
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
    before, out = databases(), StringIO()
    call_command("check_backup", stdout=out)
    assert "can be restored" in out.getvalue()
    assert noted() == ""
    assert databases() == before


def test_a_backup_that_holds_less_than_it_says_is_found(folder: Path) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    manifest.write_manifest(
        folder, msgspec.structs.replace(made, rows={**made.rows, "games_game": 7})
    )
    before = databases()
    with pytest.raises(CommandError, match="games_game: 7 rows"):
        call_command("check_backup")
    assert noted() == "Incomplete"
    assert databases() == before


def test_a_file_that_no_longer_opens_is_found(folder: Path) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    dump = folder / made.file
    dump.write_bytes(dump.read_bytes()[: made.size // 2])
    sha256 = manifest.sha256_of(dump)
    manifest.write_manifest(folder, msgspec.structs.replace(made, sha256=sha256))
    before = databases()
    with pytest.raises(CommandError):
        call_command("check_backup")
    assert noted() == "Failed"
    assert databases() == before


def test_without_a_backup_there_is_nothing_to_check(folder: Path) -> None:
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("check_backup")
    assert noted() == "Unreadable"
