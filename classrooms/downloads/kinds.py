"""Which files can be requested, and what makes them.

To add a kind:

1. Write a maker, anywhere in `classrooms`: `make(download, report_progress) -> bytes`. Whose file
   it is stands in `download.school_class` and `download.child` (None for a whole class). Before and
   during its work it calls `report_progress(done, total)` with the number of steps done, at least
   every few seconds and outside any transaction. This feeds the teacher's progress bar, shows that
   the worker is alive, and stops the work if the download was deleted meanwhile. A maker may be
   started several times, so it writes nothing to the database. The language and time zone of the
   download are active while it works. The file contains data of `download.child` only, or of the
   children in `school_class.children`.
2. Define a `FileKind` for it beside the maker and list it in `classrooms.apps`, which registers it.
   Its `name` is part of URLs, database rows and file names, so it never changes.

The downloads page, requests, the worker, failures and retries, expiry after a week, access control
and the audit log work the same for all kinds. A page requests a file by posting `kind`, and
`language` and `child` where needed, to `classrooms:downloads`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify

from classrooms.models import AuditEntry, Child

from .models import Download

ReportProgress = Callable[[int, int], None]
Maker = Callable[[Download, ReportProgress], bytes]


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file that can be made.

    `offered`: its label where it can be chosen; `about`: a sentence on its content; `title`: its
    label once requested, where `%(name)s` is the name of the child or the class. `in_languages`:
    the teacher chooses the language, otherwise it is the class's. `shows`: the file contains what
    children sign in with, so it is encrypted and fetching it is logged as a look at that page.
    `chosen_elsewhere`: it needs more than a language and a child, so another page requests it.
    """

    name: str
    offered: Promise
    about: Promise
    title: Promise
    make: Maker
    content_type: str
    ending: str
    of_child: bool = False
    in_languages: bool = False
    shows: AuditEntry.Page | None = None
    chosen_elsewhere: bool = False


KINDS: Final[dict[str, FileKind]] = {}


def register(kinds: Iterable[FileKind]) -> None:
    """Make these kinds available, in this order."""
    KINDS.update({kind.name: kind for kind in kinds})


def kind_of(download: Download) -> FileKind:
    return KINDS[download.kind]


def offered() -> list[FileKind]:
    """The kinds that can be chosen on the downloads page."""
    return [kind for kind in KINDS.values() if not kind.chosen_elsewhere]


def kinds_for_child(child: Child) -> list[tuple[str, str]]:
    """The files that can be made for one child: names of kinds, and titles."""
    values = {"name": child.name}
    return [(kind.name, str(kind.title) % values) for kind in KINDS.values() if kind.of_child]


def title_of(download: Download) -> str:
    """The title of the file, in the language of the page."""
    return str(kind_of(download).title) % {"name": _name(download)}


def file_name(download: Download) -> str:
    """The name under which it is saved: whose it is, its kind and its day."""
    kind = kind_of(download)
    whose = slugify(_name(download), allow_unicode=True) or "nmbrs"
    day = timezone.localdate(download.ready_at)
    words = [whose, kind.name, *([download.language] if kind.in_languages else ()), str(day)]
    return f"{'-'.join(words)}.{kind.ending}"


def _name(download: Download) -> str:
    return download.child.name if download.child else download.school_class.name
