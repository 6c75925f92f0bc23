"""The service that makes a backup each day, checks one each week, deletes old ones, and keeps a
file beside them: keys of tombstones, and never a name."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.utils import timezone

from classrooms.privacy import erasure
from nmbrs_edu.backups import erasures, manifest, services
from nmbrs_edu.models import BACKUP, CHECKED_BACKUP, Upkeep, went_well
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db(transaction=True)

NIGHT = datetime(2026, 3, 2, 1, 30, tzinfo=UTC)  # half past two in Amsterdam


@pytest.fixture
def made(folder: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done beside the file of the erased, in order; backups of nothing, at once."""
    settings.BACKUP_HOUR = 2
    done: list[str] = []

    def back_up(folder: Path, now: datetime) -> None:
        done.append(f"backup {now:%a %H:%M}")
        record = manifest.Manifest(
            now, "none", f"{manifest.name_at(now)}.dump", 0, "", "", [], [], {}
        )
        (folder / record.file).touch()
        manifest.write_manifest(folder, record)

    folder.mkdir()
    monkeypatch.setattr(services, "back_up", back_up)
    monkeypatch.setattr(services, "check_newest", lambda folder: done.append("check"))
    return done


def test_the_first_round_makes_a_backup_and_checks_it(folder: Path, made: list[str]) -> None:
    services.keep_backups(folder, NIGHT + timedelta(hours=7))
    assert made == ["backup Mon 08:30", "check"]


def test_there_is_one_each_night_and_a_check_each_week(folder: Path, made: list[str]) -> None:
    for minutes in range(0, 7 * 24 * 60 + 60, 120):
        services.keep_backups(folder, NIGHT + timedelta(minutes=minutes))
    assert [each.partition(" ")[0] for each in made].count("backup") == 8
    assert {"backup Mon 01:30", "backup Tue 01:30"} <= set(made)
    assert made.count("check") == 2


def test_what_failed_is_noted_and_tried_again_after_an_hour(
    folder: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path, now: datetime) -> None:
        made.append("failed")
        raise OSError("no room")

    monkeypatch.setattr(services, "back_up", fail)
    for minutes in (0, 1, 59, 61):
        services.keep_backups(folder, NIGHT + timedelta(minutes=minutes))
    assert made == ["failed", "failed"]
    noted = Upkeep.objects.get(part=BACKUP)
    assert (noted.problem, noted.went_well_at) == ("OSError", None)


def test_a_failed_check_is_made_again(folder: Path, made: list[str]) -> None:
    went_well(CHECKED_BACKUP, NIGHT - timedelta(days=7))
    services.back_up(folder, NIGHT)
    assert services.check_is_due(folder, NIGHT)
    went_well(CHECKED_BACKUP, NIGHT)
    assert not services.check_is_due(folder, NIGHT)


def test_who_is_erased_is_noted_in_each_round(folder: Path, made: list[str]) -> None:
    services.keep_backups(folder, NIGHT)
    erasure.erase_child(ChildFactory.create())
    services.keep_backups(folder, NIGHT + timedelta(minutes=1))
    assert len(erasures.read(folder).erased) == 1


def test_one_round_of_the_command_makes_a_real_backup(folder: Path) -> None:
    call_command("keep_backups", "--once")
    assert manifest.newest_backup(folder) is not None
    assert set(Upkeep.objects.values_list("problem", flat=True)) == {""}
    assert Upkeep.objects.count() == 3


NOW = timezone.now()


def test_who_was_erased_is_in_the_file_without_name_and_id(folder: Path) -> None:
    dora = ChildFactory.create(name="Dora")
    child_id, key = str(dora.pk), str(erasure.tombstone_key(dora.pk))
    erasure.erase_child(dora)
    erasures.keep(folder, NOW)
    record = (folder / erasures.FILE).read_text()
    assert key in record
    assert "Dora" not in record
    assert child_id not in record


def test_merged_entries_are_erased_with_the_last_one() -> None:
    first, second, third = (
        erasures.MergedEntry(key, into, NOW + timedelta(days=days), "secret")
        for days, (key, into) in enumerate([("a", "b"), ("b", "c"), ("x", "y")])
    )
    record = erasures.Erasures([erasures.ErasedEntry("c", NOW, "secret")], [first, second, third])
    assert record.keys() == {"a", "b", "c"}
