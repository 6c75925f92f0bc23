"""The files of the repository, as tests read them."""

from collections.abc import Iterator
from pathlib import Path

from tests.servers import ROOT


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))
