"""The manifest of a backup: what it holds, so that a copy can be checked, and no secret."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

BEGINNING: Final = "nmbrs-"


class Manifest(msgspec.Struct, frozen=True):
    """`file`: the database's file, beside the manifest; `secret` and `pictures`: fingerprints of
    the keys; `migrations`: what the database had been through, as "app.name"; `rows`: how many
    rows each table had."""

    made: datetime
    vendor: str
    file: str
    size: int
    sha256: str
    secret: str
    pictures: list[str]
    migrations: list[str]
    rows: dict[str, int]


class Unreadable(Exception):
    """A backup that is not as it was made."""


def name_at(made: datetime) -> str:
    return f"{BEGINNING}{made:%Y%m%d-%H%M%S}"


def write(folder: Path, manifest: Manifest) -> Path:
    """Written last and at once: a backup without it does not exist."""
    path = (folder / manifest.file).with_suffix(".json")
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    return part.replace(path)


def read(path: Path) -> Manifest:
    """Of a backup, by the path of either of its files. Raises `Unreadable`."""
    try:
        return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as problem:
        raise Unreadable(f"{path.with_suffix('.json')}: {type(problem).__name__}") from problem


def all_in(folder: Path) -> Iterator[tuple[Path, Manifest]]:
    """Every backup in the folder with the path of its manifest, the newest first."""
    found = []
    for path in folder.glob(f"{BEGINNING}*.json"):
        try:
            found.append((path, read(path)))
        except Unreadable:
            continue
    yield from sorted(found, key=lambda each: each[1].made, reverse=True)


def newest_in(folder: Path) -> tuple[Path, Manifest] | None:
    return next(all_in(folder), None)


def sha256_of(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def dump_of(path: Path, manifest: Manifest) -> Path:
    """The database's file of the backup. Raises `Unreadable` unless it is as it was made."""
    dump = path.parent / manifest.file
    if not dump.is_file():
        raise Unreadable(f"{dump} is missing.")
    if sha256_of(dump) != manifest.sha256:
        raise Unreadable(f"{dump} is not as it was made.")
    return dump
