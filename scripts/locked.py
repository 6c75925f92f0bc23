"""Reads which packages a lock file (`requirements/*.txt`, as uv writes it) pins, and why.

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
OF_PROJECT: Final = re.compile(r"nmbrs-edu\b.*\(pyproject\.toml\)")


class LockError(Exception):
    """A line that a lock may not have."""


@dataclass(frozen=True, slots=True)
class PinnedPackage:
    name: str
    version: str
    hashes: int
    via: frozenset[str]  # the packages that need this one
    direct: bool  # whether pyproject.toml names it
    text: str


def normal(name: str) -> str:
    """A package's name in the form in which all its spellings are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read(text: str) -> dict[str, PinnedPackage]:
    """The packages of a lock by name. Raises `LockError` for a line that is neither a pin nor a
    comment, such as an address or an option that names where packages come from."""
    packages = {}
    for block in _blocks(text):
        pinned = _pinned(block)
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


def _pinned(block: list[str]) -> PinnedPackage:
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
        via=frozenset(normal(name) for name in via if re.fullmatch(r"[\w.-]+", name)),
        direct=any(OF_PROJECT.match(name) for name in via),
        text="\n".join(line for line in block if not line.strip().startswith("#")).rstrip("\\ "),
    )


def needed_by(name: str, lock: Mapping[str, PinnedPackage]) -> dict[str, PinnedPackage]:
    """The package and everything that it needs, from the lock's own comments."""
    if normal(name) not in lock:
        raise LockError(f"not in the lock: {name}")
    names = {normal(name)}
    while True:
        new_names = {name_ for name_, pinned in lock.items() if pinned.via & names} - names
        if not new_names:
            return {each: lock[each] for each in sorted(names)}
        names |= new_names


if __name__ == "__main__":
    path, package = sys.argv[1:]
    part = needed_by(package, read(Path(path).read_text(encoding="utf-8")))
    print("\n".join(pinned.text for pinned in part.values()))
