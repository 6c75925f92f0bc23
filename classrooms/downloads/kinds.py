"""The kinds of files that teachers can request, with their makers.

All kinds share the downloads page, the worker, retries, expiry after a week, access and the audit
log. To request a file, a page posts `kind`, and `language` and `child` where the kind needs them,
to `classrooms:downloads`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify

from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Child

ReportProgress = Callable[[int, int], None]
"""Takes the number of steps done and the number of all steps. The call moves the progress bar,
shows that the worker is alive, and stops the maker if the download was deleted."""
Maker = Callable[[Download, ReportProgress], bytes]
"""Makes a file with data of `download.child` only or of all children of the class, in the language
and time zone of the download. A maker reports progress every few seconds, outside any transaction.
It writes nothing to the database, because it may be started several times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file. With a `secret_page` the file contains the children's secrets: it is
    encrypted, and a download is logged as a view of that page."""

    name: str  # never changes: addresses, database rows and file names contain it
    label: Promise  # for a file to choose
    about: Promise  # a sentence on the content
    title: Promise  # for a requested file; `%(name)s` is the name of the child or the class
    make: Maker
    ending: str = "pdf"  # also the type of the content: application/pdf
    is_of_child: bool = False
    has_languages: bool = True  # otherwise the file is in the language of the class
    secret_page: AuditEntry.Page | None = None
    is_chosen_elsewhere: bool = False  # whether another page requests it, asking for more


KINDS: Final[dict[str, FileKind]] = {}


def register(kinds: Iterable[FileKind]) -> None:
    """Make these kinds available, in this order."""
    KINDS.update({kind.name: kind for kind in kinds})


def kind_of(download: Download) -> FileKind:
    return KINDS[download.kind]


def kinds_to_choose() -> list[FileKind]:
    """The kinds that the downloads page offers."""
    return [kind for kind in KINDS.values() if not kind.is_chosen_elsewhere]


def kinds_for_child(child: Child) -> list[tuple[str, str]]:
    """The kinds of files about one child, each as its name and its title for this child."""
    values = {"name": child.name}
    return [(kind.name, str(kind.title) % values) for kind in KINDS.values() if kind.is_of_child]


def title_of(download: Download) -> str:
    """The title of the file in the active language, with the language of the content if the teacher
    chose it."""
    kind = kind_of(download)
    title = str(kind.title) % {"name": _name(download)}
    language = dict(settings.LANGUAGES).get(download.language)
    return f"{title} · {language}" if kind.has_languages and language else title


def file_name(download: Download) -> str:
    """The name under which a browser saves the file: the child or class, the kind and the day."""
    kind = kind_of(download)
    name = slugify(_name(download), allow_unicode=True) or "nmbrs"
    day = timezone.localdate(download.ready_at)
    words = [name, kind.name, *([download.language] if kind.has_languages else ()), str(day)]
    return f"{'-'.join(words)}.{kind.ending}"


def _name(download: Download) -> str:
    return download.child.name if download.child else download.school_class.name
