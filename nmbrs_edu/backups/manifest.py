"""The manifest of a backup: what the backup contains, and which keys can read its secrets."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings

# The fingerprints tell, without storing a key, whether the site still has the keys that it had when
# a backup was made.

FINGERPRINT_LENGTH: Final = 16


def fingerprint(key: str) -> str:
    """A text with which keys can be compared. The key cannot be computed from it: keys are long and
    random."""
    return hashlib.sha256(f"nmbrs_edu.backups:{key}".encode()).hexdigest()[:FINGERPRINT_LENGTH]


def secret_keys() -> list[str]:
    """This site's SECRET_KEY and the earlier ones."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def fingerprint_of_secret() -> str:
    return fingerprint(settings.SECRET_KEY)


def fingerprints_of_pictures() -> list[str]:
    return [fingerprint(key.strip()) for key in settings.PICTURES_KEY.split(",")]


def lacks_secret(key_print: str) -> bool:
    return key_print not in [fingerprint(key) for key in secret_keys()]


def lacks_pictures(fingerprints: Iterable[str]) -> bool:
    return not set(fingerprints) <= set(fingerprints_of_pictures())


def missing_keys_message(secret: str, pictures: Sequence[str]) -> list[str]:
    """A paragraph for each key of a backup that this site lacks: what does not work without it."""
    paragraphs = []
    if lacks_secret(secret):
        paragraphs.append(
            "SECRET_KEY is not the one of this backup. Without it nobody can tell which of "
            "these people were erased after the backup; adults must sign in again; and "
            "links in mails that were sent before (invitations, new passwords, stopping the "
            "weekly mail) lead nowhere. If a copy of it exists, put it into .env as "
            "SECRET_KEY, or as SECRET_KEY_FALLBACKS beside a new one."
        )
    if lacks_pictures(pictures):
        paragraphs.append(
            "PICTURES_KEY is not the one of this backup. Without it no child can sign in "
            "with the pictures, and cards cannot be printed again: give each class new "
            "pictures and print the cards. QR codes on cards that were printed before still "
            "work. Adults must set up their second step again, and files that were made for "
            "download cannot be opened. If a copy of the key exists, put it into .env."
        )
    return paragraphs


# The manifest says what the backup contains, so that a copy can be checked. It has no secrets.

NAME_PREFIX: Final = "nmbrs-"


class Manifest(msgspec.Struct, frozen=True):
    """Describes a backup. `secret` and `pictures` are fingerprints of the keys."""

    made: datetime
    vendor: str
    file: str  # the dump of the database, beside the manifest
    size: int
    sha256: str
    secret: str
    pictures: list[str]
    migrations: list[str]  # the migrations that the database had, as "app.name"
    rows: dict[str, int]  # the number of rows of each table


class UnreadableManifest(Exception):
    """A backup that is damaged or incomplete."""


def name_at(made_at: datetime) -> str:
    return f"{NAME_PREFIX}{made_at:%Y%m%d-%H%M%S}"


def write_manifest(folder: Path, manifest: Manifest) -> Path:
    """Write the manifest atomically and return its path. It is written last, because a backup
    without one does not count."""
    path = (folder / manifest.file).with_suffix(".json")
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    return part.replace(path)


def read_manifest(path: Path) -> Manifest:
    """The manifest of the backup of which `path` is one of the two files. Raises
    `UnreadableManifest`."""
    try:
        return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as problem:
        raise UnreadableManifest(
            f"{path.with_suffix('.json')}: {type(problem).__name__}"
        ) from problem


def all_backups(folder: Path) -> Iterator[tuple[Path, Manifest]]:
    """Each backup in the folder, as the path of its manifest and the manifest, newest first."""
    backups = []
    for path in folder.glob(f"{NAME_PREFIX}*.json"):
        try:
            backups.append((path, read_manifest(path)))
        except UnreadableManifest:
            continue
    yield from sorted(backups, key=lambda backup: backup[1].made, reverse=True)


def newest_backup(folder: Path) -> tuple[Path, Manifest] | None:
    return next(all_backups(folder), None)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def dump_of(path: Path, manifest: Manifest) -> Path:
    """The path of the dump in a backup. Raises `UnreadableManifest` if the dump is missing or was
    changed."""
    dump = path.parent / manifest.file
    if not dump.is_file():
        raise UnreadableManifest(f"{dump} is missing.")
    if sha256_of(dump) != manifest.sha256:
        raise UnreadableManifest(f"{dump} is not as it was made.")
    return dump
