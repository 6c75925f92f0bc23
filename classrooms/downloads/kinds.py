"""The kinds of files that can be requested, with their makers.

All kinds share the downloads page, the worker, retries, expiry after a week, access and the audit
log. A page requests a file by posting `kind`, and if needed `language` and `child`, to
`classrooms:downloads`.
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
"""Takes the number of steps done and of all steps. It moves the progress bar, shows that the worker
is alive, and stops the maker if the download was deleted."""
Maker = Callable[[Download, ReportProgress], bytes]
"""Makes a file with data of `download.child` only, or of all children of the class, in the language
and time zone of the download. It reports every few seconds, outside any transaction. It writes
nothing to the database, because it may be started several times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file."""

    name: str
    """Never changes: addresses, database rows and file names contain it."""
    label: Promise  # where it can be chosen
    about: Promise  # a sentence on its content
    title: Promise
    """Its label once requested; `%(name)s` is the name of the child or the class."""
    make: Maker
    content_type: str
    ending: str
    of_child: bool = False
    in_languages: bool = False  # else it is in the language of the class
    shows: AuditEntry.Page | None = None
    """Set if the file has the children's secrets. Then it is encrypted, and downloading it is
    logged as a view of this page."""
    chosen_elsewhere: bool = False
    """Whether another page requests it, because it needs more than a language and a child."""


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
    """The files that can be made for one child: the name of each kind, and its title."""
    values = {"name": child.name}
    return [(kind.name, str(kind.title) % values) for kind in KINDS.values() if kind.of_child]


def title_of(download: Download) -> str:
    """The title of the file, in the active language, with the language of its content if that was
    chosen."""
    kind = kind_of(download)
    title = str(kind.title) % {"name": _name(download)}
    language = dict(settings.LANGUAGES).get(download.language)
    return f"{title} · {language}" if kind.in_languages and language else title


def file_name(download: Download) -> str:
    """The name under which the file is saved: of the child or class, of its kind, and its day."""
    kind = kind_of(download)
    name = slugify(_name(download), allow_unicode=True) or "nmbrs"
    day = timezone.localdate(download.ready_at)
    words = [name, kind.name, *([download.language] if kind.in_languages else ()), str(day)]
    return f"{'-'.join(words)}.{kind.ending}"


def _name(download: Download) -> str:
    return download.child.name if download.child else download.school_class.name
