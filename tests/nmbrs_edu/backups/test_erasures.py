"""The file beside the backups: keys of tombstones, and never a name."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from classrooms.models import Tombstone
from classrooms.privacy import erasure
from nmbrs_edu.backups import erasures
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

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


def test_nobody_is_taken_out_of_the_file(folder: Path) -> None:
    erasure.erase_child(ChildFactory.create())
    erasures.keep(folder, NOW)
    Tombstone.objects.all().delete()  # as in a database that was restored
    erasures.keep(folder, NOW + timedelta(days=1))
    assert len(erasures.read(folder).erased) == 1


def test_the_file_is_left_alone_while_nobody_is_erased(folder: Path) -> None:
    erasures.keep(folder, NOW)
    assert not (folder / erasures.FILE).exists()


def test_an_entry_that_became_a_part_of_another_is_erased_with_whoever_that_became() -> None:
    first, second, third = (
        erasures.Merged(key, into, NOW + timedelta(days=days), "secret")
        for days, (key, into) in enumerate([("a", "b"), ("b", "c"), ("x", "y")])
    )
    record = erasures.Erasures([erasures.Erased("c", NOW, "secret")], [first, second, third])
    assert record.keys() == {"a", "b", "c"}
