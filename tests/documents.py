"""The documents of the repository, as tests read them."""

from tests.servers import ROOT


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def missing(paths: list[str]) -> list[str]:
    return [path for path in paths if not (ROOT / path).exists()]
