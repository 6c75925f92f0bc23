"""A backup fills an empty database; children erased since then stay erased."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from classrooms.classes import closing_accounts, teachers
from classrooms.credentials import decrypt_pictures
from classrooms.models import Child, Merge, SchoolClass, Teaching, Tombstone, User
from classrooms.privacy import erasure
from classrooms.roster import merges
from classrooms.signin.cards import cards_of
from nmbrs_edu.backups import erasures, manifest, services
from nmbrs_edu.models import Upkeep
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory, UserFactory
from tests.second_database import inside

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

NOW = timezone.now()
LATER = NOW + timedelta(hours=1)


def restored(second: str, **options: Any) -> str:
    """What the command says that restores the newest backup into the second database."""
    out = StringIO()
    with inside(second):
        call_command("restore_backup", stdout=out, **options)
    return out.getvalue()


def children_in(second: str) -> set[str]:
    with inside(second):
        return set(Child.everyone.values_list("name", flat=True))


def sign_in(child: Child, pictures: tuple[str, ...]) -> Client:
    browser = Client(raise_request_exception=False)
    path = f"/play/{child.school_class.code}/{child.pk}/"
    browser.get(path)
    for picture in pictures:
        browser.post(path, {"picture": picture})
    return browser


def test_all_that_was_backed_up_is_restored_once(folder: Path, second_database: str) -> None:
    """And with the keys a child signs in with the same pictures."""
    dora = ChildFactory.create(name="Dora")
    pictures = decrypt_pictures(dora.pictures_encrypted)
    services.back_up(folder, NOW)
    ChildFactory.create(name="Emil")
    said = restored(second_database)
    assert "Restored." in said
    assert "_KEY is not" not in said
    assert children_in(second_database) == {"Dora"}
    with inside(second_database):
        assert "Dora" in sign_in(dora, pictures).get("/me/").content.decode()
        Child.everyone.update(name="Emil")
    with pytest.raises(CommandError, match="not empty"):
        restored(second_database)
    assert children_in(second_database) == {"Emil"}


def test_no_session_of_an_adult_is_in_a_backup(folder: Path, second_database: str) -> None:
    client_of(UserFactory.create())
    made = manifest.read_manifest(services.back_up(folder, NOW))
    assert not {"django_session", "usersessions_usersession"} & made.rows.keys()
    restored(second_database)
    with inside(second_database):
        assert not Session.objects.exists()


def test_without_the_pictures_key_it_says_what_does_not_work(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    dora = ChildFactory.create(name="Dora")
    pictures = decrypt_pictures(dora.pictures_encrypted)
    [card] = cards_of([dora])
    services.back_up(folder, NOW)
    settings.PICTURES_KEY = Fernet.generate_key().decode()
    said = restored(second_database)
    assert "PICTURES_KEY is not the one of this backup" in said
    assert "SECRET_KEY is not" not in said
    with inside(second_database):
        assert sign_in(dora, pictures).get("/me/").status_code == 302
        # A card that was printed before still opens the child's page.
        by_card = Client()
        by_card.post(f"/q/{card.token}")
        assert by_card.get("/me/").status_code == 200


def test_a_new_pictures_key_before_the_former_one_lacks_nothing(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    services.back_up(folder, NOW)
    settings.PICTURES_KEY = f"{Fernet.generate_key().decode()},{settings.PICTURES_KEY}"
    assert "_KEY is not" not in restored(second_database)


def test_a_backup_of_a_newer_release_is_refused(folder: Path, second_database: str) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    unknown = "classrooms.9999_of_tomorrow"
    manifest.write_manifest(
        folder, msgspec.structs.replace(made, migrations=[*made.migrations, unknown])
    )
    with pytest.raises(CommandError, match=unknown):
        restored(second_database)


def test_a_backup_of_the_other_kind_of_database_is_refused(
    folder: Path, second_database: str
) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    manifest.write_manifest(folder, msgspec.structs.replace(made, vendor="oracle"))
    with pytest.raises(CommandError, match="oracle"):
        restored(second_database)


def test_a_backup_that_holds_less_than_it_says_is_found(folder: Path, second_database: str) -> None:
    made = manifest.read_manifest(services.back_up(folder, NOW))
    manifest.write_manifest(
        folder, msgspec.structs.replace(made, rows={**made.rows, "games_game": 7})
    )
    with pytest.raises(CommandError, match="games_game: 7 rows"):
        restored(second_database)


def test_the_tables_of_an_older_release_are_brought_up_to_this_one(
    folder: Path, second_database: str
) -> None:
    call_command("migrate", "nmbrs_edu", "zero", verbosity=0)
    try:
        services.back_up(folder, NOW)
    finally:
        call_command("migrate", "nmbrs_edu", verbosity=0)
    restored(second_database)
    with inside(second_database):
        assert Upkeep._meta.db_table in connection.introspection.table_names()


def test_who_was_erased_after_the_backup_is_erased_again(
    folder: Path, second_database: str
) -> None:
    dora = ChildFactory.create(name="Dora")
    key = erasure.tombstone_key(dora.pk)
    ChildFactory.create(name="Emil")
    services.back_up(folder, NOW)
    erasure.erase_child(dora)
    erasures.keep(folder, LATER)
    assert "erased after the backup: 1." in restored(second_database)
    assert children_in(second_database) == {"Emil"}
    with inside(second_database):
        assert Tombstone.objects.filter(key=key).exists()


def test_a_class_that_was_erased_after_the_backup_is_erased_again(
    folder: Path, second_database: str
) -> None:
    school_class = SchoolClassFactory.create(name="5A")
    ChildFactory.create(name="Dora", school_class=school_class)
    ChildFactory.create(name="Finn")
    services.back_up(folder, NOW)
    erasure.erase_class(school_class)
    erasures.keep(folder, LATER)
    restored(second_database)
    assert children_in(second_database) == {"Finn"}
    with inside(second_database):
        assert set(SchoolClass.objects.values_list("name", flat=True)) == {"5B"}


@pytest.fixture
def alice() -> User:
    return UserFactory.create(email="alice@example.org")


def hand_over_and_delete_account(folder: Path, alice: User, school_class: SchoolClass) -> None:
    """After the backup: Bob takes the class over, then Alice's account is deleted."""
    bob, _ = User.objects.get_or_create(email="bob@example.org")
    Teaching.objects.get_or_create(school_class=school_class, user=bob, role="co-teacher")
    teachers.hand_over(school_class, bob, alice)
    teachers.remove(school_class, alice.pk)
    closing_accounts.close(alice)
    closing_accounts.delete_closed(LATER + closing_accounts.KEPT_FOR)
    assert not User.objects.filter(pk=alice.pk).exists()
    erasures.keep(folder, LATER)


def adults_and_owners_in(second: str) -> tuple[set[str], set[str]]:
    with inside(second):
        owned = Teaching.objects.filter(role=Teaching.Role.OWNER)
        return (
            set(User.objects.values_list("email", flat=True)),
            set(owned.values_list("user__email", flat=True)),
        )


def test_an_account_that_was_deleted_after_the_backup_is_deleted_again(
    folder: Path, second_database: str, alice: User
) -> None:
    school_class = TeachingFactory.create(user=alice).school_class
    bob = UserFactory.create(email="bob@example.org")
    TeachingFactory.create(school_class=school_class, user=bob, role=Teaching.Role.CO_TEACHER)
    services.back_up(folder, NOW)
    hand_over_and_delete_account(folder, alice, school_class)
    said = restored(second_database)
    assert "erased after the backup: 1." in said
    assert "cannot sign in" not in said
    assert adults_and_owners_in(second_database) == ({bob.email}, {bob.email})


def test_a_class_whose_next_teacher_the_backup_does_not_know_waits_for_an_owner(
    folder: Path, second_database: str, alice: User
) -> None:
    school_class = TeachingFactory.create(user=alice).school_class
    ChildFactory.create(school_class=school_class, name="Dora")
    services.back_up(folder, NOW)
    hand_over_and_delete_account(folder, alice, school_class)
    assert "Classes whose owner cannot sign in: 1." in restored(second_database)
    nobody = closing_accounts.NOBODY
    assert adults_and_owners_in(second_database) == ({nobody}, {nobody})
    assert children_in(second_database) == {"Dora"}


def test_somebody_who_gets_the_number_of_a_deleted_account_is_not_deleted(
    folder: Path, second_database: str, alice: User
) -> None:
    """After a restore, new accounts get ids that deleted ones had."""
    number = alice.pk
    alice.delete()
    erasures.keep(folder, LATER)
    UserFactory.create(pk=number, email="bob@example.org")
    services.back_up(folder, LATER)
    restored(second_database)
    assert adults_and_owners_in(second_database)[0] == {"bob@example.org"}


def test_one_that_cannot_be_erased_again_does_not_keep_the_others(
    folder: Path, second_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = [ChildFactory.create(name=name) for name in ("Dora", "Emil", "Finn")]
    services.back_up(folder, NOW)
    for child in children:
        erasure.erase_child(child)
    erasures.keep(folder, LATER)
    erase = erasure.erase_child

    def not_emil(child: Child) -> None:
        if child.name == "Emil":
            raise RuntimeError
        erase(child)

    monkeypatch.setattr(erasure, "erase_child", not_emil)
    with pytest.raises(CommandError, match="1 that were erased after the backup could not"):
        restored(second_database)
    assert children_in(second_database) == {"Emil"}


def merged(folder: Path) -> tuple[Child, Child]:
    """Dora has two entries in the backup; afterwards one became a part of the other."""
    dora = ChildFactory.create(name="Dora")
    twice = ChildFactory.create(name="Dora 2", school_class=dora.school_class)
    services.back_up(folder, NOW)
    merges.merge(twice, dora)
    Merge.objects.update(at=NOW)
    erasures.keep(folder, LATER)
    return dora, twice


def test_a_merged_entry_is_erased_with_the_child_it_became(
    folder: Path, second_database: str
) -> None:
    dora, _ = merged(folder)
    later = NOW + erasure.MERGE_KEPT_FOR + timedelta(minutes=1)
    erasure.finish_merges(later)
    erasures.keep(folder, later)
    erasure.erase_child(dora)
    erasures.keep(folder, later)
    restored(second_database)
    assert children_in(second_database) == set()


def test_an_entry_whose_merge_was_undone_is_not_erased(folder: Path, second_database: str) -> None:
    dora, _ = merged(folder)
    merges.undo(Merge.objects.get())
    erasures.keep(folder, LATER)
    erasure.erase_child(dora)
    erasures.keep(folder, LATER + erasure.MERGE_KEPT_FOR)
    restored(second_database)
    assert children_in(second_database) == {"Dora 2"}


def erased_with_a_key_that_is_lost(folder: Path, settings: LazySettings) -> str:
    """The key. Dora was erased after the backup."""
    former = settings.SECRET_KEY
    dora = ChildFactory.create(name="Dora")
    services.back_up(folder, NOW)
    erasure.erase_child(dora)
    erasures.keep(folder, LATER)
    settings.SECRET_KEY = "another key " * 5
    return former


def test_without_the_key_no_erased_child_comes_back_unsaid(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    erased_with_a_key_that_is_lost(folder, settings)
    with pytest.raises(CommandError, match="would come back: 1"):
        restored(second_database)
    with inside(second_database):
        assert connection.introspection.table_names() == []


def test_with_the_former_key_beside_the_new_one_the_erased_are_known_again(
    folder: Path, second_database: str, settings: LazySettings
) -> None:
    former = erased_with_a_key_that_is_lost(folder, settings)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert "_KEY is not" not in restored(second_database)
    assert children_in(second_database) == set()
