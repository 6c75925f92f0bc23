"""A backup holds the whole database of one moment and no key, is checked, and can be restored."""

import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from classrooms.classes import closing_accounts, teachers
from classrooms.credentials import decrypt_pictures
from classrooms.models import Child, Merge, SchoolClass, Teaching, Tombstone, User
from classrooms.privacy import erasure
from classrooms.roster import merges
from classrooms.signin.cards import cards_of
from nmbrs_edu.backups import databases, erasures, manifest
from nmbrs_edu.backups import services as backups
from nmbrs_edu.backups.manifest import UnreadableManifest
from nmbrs_edu.models import BACKUP, CHECKED_BACKUP, Upkeep, record_success
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory, UserFactory
from tests.plugins.second_database import inside

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def folder(pg_programs: None, settings: LazySettings, tmp_path: Path) -> Path:
    """The folder of the backups, which does not exist at first."""
    settings.BACKUPS_DIR = str(tmp_path / "backups")
    return tmp_path / "backups"


NOW = timezone.now()


def test_a_backup_counts_its_contents(folder: Path) -> None:
    ChildFactory.create_batch(3)
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    assert backup.rows[Child._meta.db_table] == 3
    assert backup.made == NOW
    assert "nmbrs_edu.0001_machine" in backup.migrations
    assert backup.size == (folder / backup.file).stat().st_size > 0


def test_the_manifest_has_no_key_and_no_name(folder: Path, settings: LazySettings) -> None:
    dora = ChildFactory.create(name="Dora")
    record = backups.back_up(folder, NOW).read_text()
    for secret in (settings.SECRET_KEY, settings.PICTURES_KEY, dora.name):
        assert secret not in record
    assert manifest.fingerprint(settings.SECRET_KEY) in record


def test_the_files_have_no_key(folder: Path, settings: LazySettings) -> None:
    backups.back_up(folder, NOW)
    for path in folder.iterdir():
        content = path.read_bytes()
        assert settings.SECRET_KEY.encode() not in content
        assert settings.PICTURES_KEY.encode() not in content


def test_nobody_else_on_the_machine_can_read_a_backup(folder: Path) -> None:
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    assert stat.S_IMODE((folder / backup.file).stat().st_mode) == 0o600


def test_a_failed_backup_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(databases.Sqlite):
        def __init__(self) -> None:
            pass

        def save(self, path: Path) -> dict[str, int]:
            path.write_text("half of it")
            raise databases.DatabaseFailed("The disk is full.")

    monkeypatch.setattr(backups, "this_database", Failing)
    with pytest.raises(CommandError, match="The disk is full"):
        call_command("back_up")
    assert list(folder.iterdir()) == []


def test_a_database_without_tables_gets_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> None:
        raise OperationalError("no such table: classrooms_tombstone")

    monkeypatch.setattr(erasures, "record", fail)
    with pytest.raises(CommandError, match="no such table"):
        call_command("back_up")


def test_the_command_prints_the_path_and_records_success(folder: Path) -> None:
    out = StringIO()
    call_command("back_up", stdout=out)
    assert str(folder) in out.getvalue()
    assert Upkeep.objects.get(part=BACKUP).problem == ""


def test_a_folder_of_another_user_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_how: int) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(backups.os, "open", refuse)
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
def test_a_message_from_a_client_of_another_release_is_shown(
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


def test_a_changed_file_is_not_a_backup(folder: Path) -> None:
    path = backups.back_up(folder, NOW)
    backup = manifest.read_manifest(path)
    with (folder / backup.file).open("ab") as dump:
        dump.write(b".")
    with pytest.raises(UnreadableManifest, match="not as it was made"):
        manifest.dump_of(path, backup)


def test_old_backups_are_deleted_and_the_newest_is_kept(
    folder: Path, settings: LazySettings
) -> None:
    settings.BACKUP_DAYS = 14
    for days in (40, 15, 13):
        backups.back_up(folder, NOW - timedelta(days=days))
    assert backups.delete_old(folder, NOW) == 2
    assert [record.made for _, record in manifest.all_backups(folder)] == [NOW - timedelta(days=13)]
    assert backups.delete_old(folder, NOW + timedelta(days=100)) == 0
    assert len(list(folder.glob("nmbrs-*"))) == 2


def stored_problem() -> str:
    return Upkeep.objects.get(part=CHECKED_BACKUP).problem


def databases_there() -> set[str]:
    """All databases except those of tests that run beside these."""
    if connection.vendor == "sqlite":
        return set()
    params = connection.get_connection_params()
    with psycopg.connect(**params) as open_:
        names = {name for (name,) in open_.execute("SELECT datname FROM pg_database")}
    return {name for name in names if name.startswith(params["dbname"]) or "test" not in name}


def test_the_newest_backup_is_restored_and_counted(folder: Path) -> None:
    ChildFactory.create()
    backups.back_up(folder, NOW)
    before, out = databases_there(), StringIO()
    call_command("check_backup", stdout=out)
    assert "can be restored" in out.getvalue()
    assert stored_problem() == ""
    assert databases_there() == before


def test_a_backup_with_fewer_rows_than_it_states_is_noticed(folder: Path) -> None:
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    manifest.write_manifest(
        folder, msgspec.structs.replace(backup, rows={**backup.rows, "games_game": 7})
    )
    before = databases_there()
    with pytest.raises(CommandError, match="games_game: 7 rows"):
        call_command("check_backup")
    assert stored_problem() == "Incomplete"
    assert databases_there() == before


def test_a_file_that_no_longer_opens_is_noticed(folder: Path) -> None:
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    dump = folder / backup.file
    dump.write_bytes(dump.read_bytes()[: backup.size // 2])
    sha256 = manifest.sha256_of(dump)
    manifest.write_manifest(folder, msgspec.structs.replace(backup, sha256=sha256))
    before = databases_there()
    with pytest.raises(CommandError):
        call_command("check_backup")
    assert stored_problem() == "DatabaseFailed"
    assert databases_there() == before


# The service that makes a backup each day and checks one each week


NIGHT = datetime(2026, 3, 2, 1, 30, tzinfo=UTC)  # half past two in Amsterdam


@pytest.fixture
def steps_done(folder: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps of the service besides the file of erased people, in order. Backups are empty and
    immediate."""
    settings.BACKUP_HOUR = 2
    steps: list[str] = []

    def back_up(folder: Path, now: datetime) -> None:
        steps.append(f"backup {now:%a %H:%M}")
        record = manifest.Manifest(
            now, "none", f"{manifest.name_at(now)}.dump", 0, "", "", [], [], {}
        )
        (folder / record.file).touch()
        manifest.write_manifest(folder, record)

    folder.mkdir()
    monkeypatch.setattr(backups, "back_up", back_up)
    monkeypatch.setattr(backups, "check_newest", lambda folder: steps.append("check"))
    return steps


def test_the_first_round_makes_a_backup_and_checks_it(folder: Path, steps_done: list[str]) -> None:
    backups.keep_backups(folder, NIGHT + timedelta(hours=7))
    assert steps_done == ["backup Mon 08:30", "check"]


def test_there_is_a_backup_each_night_and_a_check_each_week(
    folder: Path, steps_done: list[str]
) -> None:
    for minutes in range(0, 7 * 24 * 60 + 60, 120):
        backups.keep_backups(folder, NIGHT + timedelta(minutes=minutes))
    assert [step.partition(" ")[0] for step in steps_done].count("backup") == 8
    assert {"backup Mon 01:30", "backup Tue 01:30"} <= set(steps_done)
    assert steps_done.count("check") == 2


def test_a_failure_is_recorded_and_retried_after_an_hour(
    folder: Path, steps_done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path, now: datetime) -> None:
        steps_done.append("failed")
        raise OSError("no room")

    monkeypatch.setattr(backups, "back_up", fail)
    for minutes in (0, 1, 59, 61):
        backups.keep_backups(folder, NIGHT + timedelta(minutes=minutes))
    assert steps_done == ["failed", "failed"]
    noted = Upkeep.objects.get(part=BACKUP)
    assert (noted.problem, noted.went_well_at) == ("OSError", None)


def test_a_failed_check_is_repeated(folder: Path, steps_done: list[str]) -> None:
    record_success(CHECKED_BACKUP, NIGHT - timedelta(days=7))
    backups.back_up(folder, NIGHT)
    assert backups.check_is_due(folder, NIGHT)
    record_success(CHECKED_BACKUP, NIGHT)
    assert not backups.check_is_due(folder, NIGHT)


def test_each_round_records_erased_people(folder: Path, steps_done: list[str]) -> None:
    backups.keep_backups(folder, NIGHT)
    erasure.erase_child(ChildFactory.create(), None)
    backups.keep_backups(folder, NIGHT + timedelta(minutes=1))
    assert len(erasures.read(folder).erased) == 1


def test_one_round_of_the_command_makes_a_real_backup(folder: Path) -> None:
    call_command("keep_backups", "--once")
    assert manifest.newest_backup(folder) is not None
    assert set(Upkeep.objects.values_list("problem", flat=True)) == {""}
    assert Upkeep.objects.count() == 3


def test_erased_people_are_recorded_without_name_and_id(folder: Path) -> None:
    dora = ChildFactory.create(name="Dora")
    child_id, key = str(dora.pk), str(erasure.tombstone_key(dora.pk))
    erasure.erase_child(dora, None)
    erasures.record(folder, NOW)
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


# Restoring; children erased since the backup stay erased


LATER = NOW + timedelta(hours=1)


def restored(second: str, **options: Any) -> str:
    """Restore the newest backup into the second database, and return the output of the command."""
    out = StringIO()
    with inside(second):
        call_command("restore_backup", stdout=out, **options)
    return out.getvalue()


def children_in(second: str) -> set[str]:
    with inside(second):
        return set(Child.all_objects.values_list("name", flat=True))


def sign_in(child: Child, pictures: tuple[str, ...]) -> Client:
    browser = Client(raise_request_exception=False)
    path = f"/play/{child.school_class.code}/{child.pk}/"
    browser.get(path)
    for picture in pictures:
        browser.post(path, {"picture": picture})
    return browser


def test_everything_in_a_backup_is_restored_once(folder: Path, second_database: str) -> None:
    """With the same keys, a child signs in with the same pictures."""
    dora = ChildFactory.create(name="Dora")
    pictures = decrypt_pictures(dora.pictures_encrypted)
    backups.back_up(folder, NOW)
    ChildFactory.create(name="Emil")
    report = restored(second_database)
    assert "Restored." in report
    assert "_KEY is not" not in report
    assert children_in(second_database) == {"Dora"}
    with inside(second_database):
        assert "Dora" in sign_in(dora, pictures).get("/me/").content.decode()
        Child.all_objects.update(name="Emil")
    with pytest.raises(CommandError, match="not empty"):
        restored(second_database)
    assert children_in(second_database) == {"Emil"}


def test_no_session_of_an_adult_is_in_a_backup(folder: Path, second_database: str) -> None:
    client_of(UserFactory.create())
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    assert not {"django_session", "usersessions_usersession"} & backup.rows.keys()
    restored(second_database)
    with inside(second_database):
        assert not Session.objects.exists()


def test_a_backup_with_sessions_is_restored_without_them(
    folder: Path, second_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier releases made backups with sessions."""
    client_of(UserFactory.create())
    with monkeypatch.context() as earlier:
        earlier.setattr(databases, "TABLES_SAVED_EMPTY", ())
        backups.back_up(folder, NOW)
    assert "Restored." in restored(second_database)
    with inside(second_database):
        assert not Session.objects.exists()
    backups.check_newest(folder)


def test_without_the_pictures_key_the_command_says_what_fails(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    dora = ChildFactory.create(name="Dora")
    pictures = decrypt_pictures(dora.pictures_encrypted)
    [card] = cards_of([dora])
    backups.back_up(folder, NOW)
    settings.PICTURES_KEY = Fernet.generate_key().decode()
    report = restored(second_database)
    assert "PICTURES_KEY is not the one of this backup" in report
    assert "SECRET_KEY is not" not in report
    with inside(second_database):
        assert sign_in(dora, pictures).get("/me/").status_code == 302
        # An old card still opens the child's page.
        by_card = Client()
        by_card.post(f"/q/{card.token}")
        assert by_card.get("/me/").status_code == 200


def test_a_new_pictures_key_before_the_former_one_loses_nothing(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    backups.back_up(folder, NOW)
    settings.PICTURES_KEY = f"{Fernet.generate_key().decode()},{settings.PICTURES_KEY}"
    assert "_KEY is not" not in restored(second_database)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        *(
            (lambda made, name=name: {"migrations": [*made.migrations, name]}, name)
            for name in ("classrooms.9999_of_tomorrow", "lti.9999_of_tomorrow")
        ),
        (lambda made: {"vendor": "oracle"}, "oracle"),
        (lambda made: {"rows": {**made.rows, "games_game": 7}}, "games_game: 7 rows"),
    ],
    ids=["a newer release", "a newer package", "another database", "incomplete"],
)
def test_a_backup_that_does_not_fit_is_refused(
    folder: Path, second_database: str, change: Callable[..., dict[str, Any]], words: str
) -> None:
    backup = manifest.read_manifest(backups.back_up(folder, NOW))
    manifest.write_manifest(folder, msgspec.structs.replace(backup, **change(backup)))
    with pytest.raises(CommandError, match=words):
        restored(second_database)


def test_a_backup_of_code_that_is_too_old_is_not_migrated(
    folder: Path, second_database: str
) -> None:
    migrations = MigrationRecorder(connection)
    migrations.record_unapplied("classrooms", "0040_reader_words")
    backups.back_up(folder, NOW)
    migrations.record_applied("classrooms", "0040_reader_words")
    with pytest.raises(CommandError, match="too old"):
        restored(second_database)


def test_the_tables_of_an_older_release_are_upgraded(folder: Path, second_database: str) -> None:
    call_command("migrate", "nmbrs_edu", "zero", verbosity=0)
    try:
        backups.back_up(folder, NOW)
    finally:
        call_command("migrate", "nmbrs_edu", verbosity=0)
    restored(second_database)
    with inside(second_database):
        assert Upkeep._meta.db_table in connection.introspection.table_names()


def test_children_erased_after_the_backup_are_erased_again(
    folder: Path, second_database: str
) -> None:
    dora = ChildFactory.create(name="Dora")
    key = erasure.tombstone_key(dora.pk)
    ChildFactory.create(name="Emil")
    backups.back_up(folder, NOW)
    erasure.erase_child(dora, None)
    erasures.record(folder, LATER)
    assert "erased after the backup: 1." in restored(second_database)
    assert children_in(second_database) == {"Emil"}
    with inside(second_database):
        assert Tombstone.objects.filter(key=key).exists()


def test_a_class_erased_after_the_backup_is_erased_again(
    folder: Path, second_database: str
) -> None:
    school_class = SchoolClassFactory.create(name="5A")
    ChildFactory.create(name="Dora", school_class=school_class)
    ChildFactory.create(name="Finn")
    backups.back_up(folder, NOW)
    erasure.erase_class(school_class, None)
    erasures.record(folder, LATER)
    restored(second_database)
    assert children_in(second_database) == {"Finn"}
    with inside(second_database):
        assert set(SchoolClass.objects.values_list("name", flat=True)) == {"5B"}


def hand_over_and_delete_account(folder: Path, alice: User, school_class: SchoolClass) -> None:
    """Let Bob take the class over after the backup. Then delete Alice's account."""
    bob, _ = User.objects.get_or_create(email="bob@example.org")
    Teaching.objects.get_or_create(school_class=school_class, user=bob, role="co-teacher")
    teachers.hand_over(school_class, bob, alice)
    teachers.remove(school_class, alice.pk, None)
    closing_accounts.close(alice)
    closing_accounts.delete_closed(LATER + closing_accounts.ACCOUNT_KEPT_FOR)
    assert not User.objects.filter(pk=alice.pk).exists()
    erasures.record(folder, LATER)


def adults_and_owners_in(second: str) -> tuple[set[str], set[str]]:
    with inside(second):
        owned = Teaching.objects.filter(role=Teaching.Role.OWNER)
        return (
            set(User.objects.values_list("email", flat=True)),
            set(owned.values_list("user__email", flat=True)),
        )


def test_an_account_deleted_after_the_backup_is_deleted_again(
    folder: Path, second_database: str, alice: User
) -> None:
    school_class = TeachingFactory.create(user=alice).school_class
    bob = UserFactory.create(email="bob@example.org")
    TeachingFactory.create(school_class=school_class, user=bob)
    backups.back_up(folder, NOW)
    hand_over_and_delete_account(folder, alice, school_class)
    report = restored(second_database)
    assert "erased after the backup: 1." in report
    assert "cannot sign in" not in report
    assert adults_and_owners_in(second_database) == ({bob.email}, {bob.email})


def test_a_class_of_an_unknown_teacher_waits_for_an_owner(
    folder: Path, second_database: str, alice: User
) -> None:
    school_class = TeachingFactory.create(user=alice).school_class
    ChildFactory.create(school_class=school_class, name="Dora")
    backups.back_up(folder, NOW)
    hand_over_and_delete_account(folder, alice, school_class)
    assert "Classes whose owner cannot sign in: 1." in restored(second_database)
    nobody = closing_accounts.NOBODY
    assert adults_and_owners_in(second_database) == ({nobody}, {nobody})
    assert children_in(second_database) == {"Dora"}


def test_a_new_account_with_a_deleted_accounts_id_is_kept(
    folder: Path, second_database: str, alice: User
) -> None:
    """After a restore, new accounts get ids that deleted accounts had."""
    number = alice.pk
    alice.delete()
    erasures.record(folder, LATER)
    UserFactory.create(pk=number, email="bob@example.org")
    backups.back_up(folder, LATER)
    restored(second_database)
    assert adults_and_owners_in(second_database)[0] == {"bob@example.org"}


def test_a_failed_erasure_does_not_stop_the_others(
    folder: Path, second_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = [ChildFactory.create(name=name) for name in ("Dora", "Emil", "Finn")]
    backups.back_up(folder, NOW)
    for child in children:
        erasure.erase_child(child, None)
    erasures.record(folder, LATER)
    erase = erasure.erase_child

    def not_emil(child: Child, by: User | None) -> None:
        if child.name == "Emil":
            raise RuntimeError
        erase(child, by)

    monkeypatch.setattr(erasure, "erase_child", not_emil)
    with pytest.raises(CommandError, match="1 that were erased after the backup could not"):
        restored(second_database)
    assert children_in(second_database) == {"Emil"}


def merged(folder: Path) -> tuple[Child, Child]:
    """Two entries of Dora in the backup. Since then, one has been merged into the other."""
    dora = ChildFactory.create(name="Dora")
    twice = ChildFactory.create(name="Dora 2", school_class=dora.school_class)
    backups.back_up(folder, NOW)
    merges.merge(twice, dora, None)
    Merge.objects.update(at=NOW)
    erasures.record(folder, LATER)
    return dora, twice


def test_a_merged_entry_is_erased_with_the_child_it_became(
    folder: Path, second_database: str
) -> None:
    dora, _ = merged(folder)
    later = NOW + erasure.MERGE_KEPT_FOR + timedelta(minutes=1)
    erasure.finish_merges(later)
    erasures.record(folder, later)
    erasure.erase_child(dora, None)
    erasures.record(folder, later)
    restored(second_database)
    assert children_in(second_database) == set()


def test_an_entry_whose_merge_was_undone_is_not_erased(folder: Path, second_database: str) -> None:
    dora, _ = merged(folder)
    merges.undo(Merge.objects.get(), None)
    erasures.record(folder, LATER)
    erasure.erase_child(dora, None)
    erasures.record(folder, LATER + erasure.MERGE_KEPT_FOR)
    restored(second_database)
    assert children_in(second_database) == {"Dora 2"}


def lost_key(folder: Path, settings: LazySettings) -> str:
    """The lost key. Dora was erased after the backup."""
    former = settings.SECRET_KEY
    dora = ChildFactory.create(name="Dora")
    backups.back_up(folder, NOW)
    erasure.erase_child(dora, None)
    erasures.record(folder, LATER)
    settings.SECRET_KEY = "another key " * 5
    return former


def test_without_the_key_an_erased_child_does_not_return_silently(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    lost_key(folder, settings)
    with pytest.raises(CommandError, match="would come back: 1"):
        restored(second_database)
    with inside(second_database):
        assert connection.introspection.table_names() == []


def test_with_the_former_key_erased_people_are_recognised(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    former = lost_key(folder, settings)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert "_KEY is not" not in restored(second_database)
    assert children_in(second_database) == set()
