"""The documents of the repository, as tests read them."""

import re

from tests.servers import ROOT

_PATH = re.compile(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:py|md|yml|toml))`")


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def paths_in(text: str) -> list[str]:
    """The files and folders that a text names; an address of the site is none."""
    return [path for path in _PATH.findall(text) if not path.startswith("/")]


def missing(paths: list[str]) -> list[str]:
    return [path for path in paths if not (ROOT / path).exists()]
