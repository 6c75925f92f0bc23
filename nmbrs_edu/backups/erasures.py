"""Keeps a file beside the backups that says who was erased, so that they can be erased again after
a restore.

The file has only the keys of tombstones, so it does not tell who these people were. Only a site
with the same SECRET_KEY can recognise them.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
import structlog

from classrooms.classes import closing_accounts
from classrooms.models import Merge, Tombstone
from classrooms.privacy import erasure
from nmbrs_edu.backups import manifest

FILE: Final = "erased.json"

log = structlog.get_logger(__name__)


class ErasedEntry(msgspec.Struct, frozen=True):
    """An erased child, class or account: the key of its tombstone, and the fingerprint of the
    SECRET_KEY from which the key was computed."""

    key: str
    at: datetime
    secret: str


class MergedEntry(msgspec.Struct, frozen=True):
    """A child who was merged into another and is erased with them."""

    key: str
    into: str
    at: datetime
    secret: str


class Erasures(msgspec.Struct, frozen=True):
    erased: list[ErasedEntry] = []
    merged: list[MergedEntry] = []

    def since(self, moment: datetime) -> list[ErasedEntry]:
        return [entry for entry in self.erased if entry.at >= moment]

    def keys(self) -> set[str]:
        """The keys of all who must be erased, including children who were merged into them."""
        keys = {entry.key for entry in self.erased}
        for entry in sorted(self.merged, key=lambda merged: merged.at, reverse=True):
            if entry.into in keys:
                keys.add(entry.key)
        return keys


def read(folder: Path) -> Erasures:
    path = folder / FILE
    return msgspec.json.decode(path.read_bytes(), type=Erasures) if path.exists() else Erasures()


def record(folder: Path, now: datetime) -> None:
    """Add everyone whom the database knows as erased to the file. An entry is removed only if its
    merge was undone."""
    recorded, secret = read(folder), manifest.fingerprint_of_secret()
    erased = {entry.key: entry for entry in recorded.erased}
    for key, at in Tombstone.objects.values_list("key", "at"):
        erased.setdefault(str(key), ErasedEntry(str(key), at, secret))
    erasures = Erasures(list(erased.values()), list(_merge_entries(recorded.merged, secret, now)))
    if erasures != recorded:
        _write(folder / FILE, erasures)


def _merge_entries(
    recorded: Iterable[MergedEntry], secret: str, now: datetime
) -> Iterable[MergedEntry]:
    """The entries of all merges: those in the database, and recorded ones that are final by now."""
    current = {}
    for child, into, at in Merge.objects.values_list("child", "into", "at"):
        key = str(erasure.tombstone_key(child))
        current[key] = MergedEntry(key, str(erasure.tombstone_key(into)), at, secret)
    for entry in recorded:
        # A recent merge that is not in the database was undone.
        is_final = now - entry.at >= erasure.MERGE_KEPT_FOR
        if entry.key not in current and is_final:
            yield entry
    yield from current.values()


def _write(path: Path, erasures: Erasures) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(erasures))
    part.replace(path)


def count_unrecognised(erasures: Erasures, made_at: datetime) -> int:
    """How many children, classes and accounts were erased after a backup and cannot be recognised
    with this site's keys."""
    return sum(manifest.lacks_secret(entry.secret) for entry in erasures.since(made_at))


def erase_again(erasures: Erasures) -> tuple[int, int]:
    """Erase everyone in the file from the database. Return how many were erased, and how many could
    not be. A failure is logged and does not stop the others."""
    keys = erasures.keys()
    secrets = manifest.secret_keys()

    def was_erased(pk: UUID) -> bool:
        return any(str(erasure.tombstone_key(pk, secret)) in keys for secret in secrets)

    count = failed = 0
    classes_and_children = erasure.erasures_after_restore(was_erased)
    for erase in chain(classes_and_children, closing_accounts.to_delete_again(was_erased)):
        try:
            erase()
            count += 1
        except Exception:
            log.exception("not erased again")
            failed += 1
    return count, failed
