"""Makers of downloads whose content the test sets. No message goes to a worker."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from classrooms.downloads import tasks
from classrooms.downloads.kinds import KINDS, ReportProgress
from classrooms.downloads.models import Download


@pytest.fixture(autouse=True)
def sent_keys(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The keys sent to workers. No real message is sent in these tests."""
    keys: list[UUID] = []
    monkeypatch.setattr(tasks.publisher, "enqueue", keys.append)
    return keys


@dataclass
class Maker:
    """A maker whose content and behaviour the test sets."""

    content: bytes = b"made"
    does: Callable[[Download, ReportProgress], None] | None = None
    made: list[Download] = field(default_factory=list)

    def __call__(self, download: Download, report_progress: ReportProgress) -> bytes:
        self.made.append(download)
        if self.does:
            self.does(download, report_progress)
        return self.content


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Maker:
    """The maker that replaces the one of a class's tables."""
    maker = Maker()
    kind = replace(KINDS["class-tables"], make=maker, has_languages=True)
    monkeypatch.setitem(KINDS, "class-tables", kind)
    return maker


@pytest.fixture
def maker_of_child(monkeypatch: pytest.MonkeyPatch) -> Maker:
    """The maker of an extra kind about one child."""
    maker = Maker()
    kind = replace(KINDS["class-tables"], name="of-child", make=maker, is_of_child=True)
    monkeypatch.setitem(KINDS, "of-child", kind)
    return maker
