"""Reads which packages a lock file of uv (`requirements/*.txt`) pins, and which packages need them.

`python -m scripts.locked requirements/dev.txt cyclonedx-bom` prints the part of a lock that one
package needs, with its hashes: enough for `pip install --require-hashes`.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LOCKS: Final = ("requirements/run.txt", "requirements/dev.txt")
PIN: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")
HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")
PROJECT_REMARK: Final = re.compile(r"nmbrs-edu\b.*\(pyproject\.toml\)")


class LockError(Exception):
    """A line that a lock may not have."""


@dataclass(frozen=True, slots=True)
class PinnedPackage:
    name: str
    version: str
    hashes: int
    needed_by: frozenset[str]  # the packages that need this one
    is_direct: bool  # whether pyproject.toml names it
    text: str


def normal(name: str) -> str:
    """The name of a package in a form that all its spellings share."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read(text: str) -> dict[str, PinnedPackage]:
    """The packages of a lock by name. Raises `LockError` for a line that is neither a pin nor a
    comment, such as an address or an option that names where packages come from."""
    packages = {}
    for block in _blocks(text):
        pinned = _read_block(block)
        packages[pinned.name] = pinned
    return packages


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each package: its pin, its hashes, its remarks."""
    block: list[str] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace() and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _read_block(block: list[str]) -> PinnedPackage:
    pin = PIN.match(block[0])
    if not pin:
        raise LockError(f"not pinned: {block[0]}")
    remarks = [line.strip().lstrip("# ") for line in block[1:] if line.strip().startswith("#")]
    for line in block[1:]:
        text = line.strip().rstrip("\\").strip()
        if text and not text.startswith("#") and not HASH.fullmatch(text):
            raise LockError(f"neither a hash nor a remark: {text}")
    via = [remark.removeprefix("via").strip() for remark in remarks]
    return PinnedPackage(
        name=normal(pin["name"]),
        version=pin["version"],
        hashes=sum(bool(HASH.search(line)) for line in block[1:]),
        needed_by=frozenset(normal(name) for name in via if re.fullmatch(r"[\w.-]+", name)),
        is_direct=any(PROJECT_REMARK.match(name) for name in via),
        text="\n".join(line for line in block if not line.strip().startswith("#")).rstrip("\\ "),
    )


def needed_by(name: str, lock: Mapping[str, PinnedPackage]) -> dict[str, PinnedPackage]:
    """The package and everything that it needs, from the lock's own comments."""
    if normal(name) not in lock:
        raise LockError(f"not in the lock: {name}")
    names = {normal(name)}
    while True:
        new_names = {other for other, pinned in lock.items() if pinned.needed_by & names} - names
        if not new_names:
            return {needed: lock[needed] for needed in sorted(names)}
        names |= new_names


if __name__ == "__main__":
    path, package = sys.argv[1:]
    part = needed_by(package, read(Path(path).read_text(encoding="utf-8")))
    print("\n".join(pinned.text for pinned in part.values()))
