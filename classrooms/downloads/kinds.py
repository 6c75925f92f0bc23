"""Which files can be asked for, and who makes them.

To add a kind:

1. Write a maker, anywhere in `classrooms`: `make(download, tell) -> bytes`. It reads whose file it
   is from `download.school_class` and `download.child` (None for a whole class). Before and during
   its work it calls `tell(done, total)` with the steps that are behind it, at least every few
   seconds and in no transaction: this is the bar that the teacher sees, the sign of life of the
   worker, and where it stops when the download was deleted meanwhile. It may be begun several
   times, so it writes nothing to the database. The language and the time zone of the download are
   active while it works. It tells of no child but `download.child`, or of those that
   `school_class.children` has.
2. Make a `Kind` of it beside the maker and name that in `classrooms.apps`, which registers it. Its
   `name` is in addresses, rows and file names: it never changes.

The page of downloads, asking, the worker, failing and trying again, the end after a week, the gate
and the audit log are then the same for all kinds. A page asks for one by a post of `kind`, and
`language` and `child` where there are any, to `classrooms:downloads`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify

from classrooms.models import AuditEntry, Child

from .models import Download

Tell = Callable[[int, int], None]
Maker = Callable[[Download, Tell], bytes]


@dataclass(frozen=True, slots=True)
class Kind:
    """A file that can be made. `offered`: what it is called where it can be chosen, `about`: a
    sentence on what is in it; `title`: what it is called once it was asked for, where `%(name)s`
    is the child's name, or the class's. `in_languages`: whether the teacher chooses a language;
    else the file has the class's. `shows`: the file has what children sign in with, so it is
    encrypted, and whoever fetches it has looked at that. `chosen_elsewhere`: it takes more than a
    language and a child, so a page of its own asks for it."""

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


KINDS: Final[dict[str, Kind]] = {}


def register(kinds: Iterable[Kind]) -> None:
    """From now on these can be asked for, in this order."""
    KINDS.update({kind.name: kind for kind in kinds})


def kind_of(download: Download) -> Kind:
    return KINDS[download.kind]


def offered() -> list[Kind]:
    """What can be chosen on the page of downloads."""
    return [kind for kind in KINDS.values() if not kind.chosen_elsewhere]


def made_of(child: Child) -> list[tuple[str, str]]:
    """What can be made of one child: names of kinds, and what they are called."""
    told = {"name": child.name}
    return [(kind.name, str(kind.title) % told) for kind in KINDS.values() if kind.of_child]


def title_of(download: Download) -> str:
    """What the file is, in the language of the page."""
    return str(kind_of(download).title) % {"name": _name(download)}


def file_name(download: Download) -> str:
    """What the file is called on the teacher's machine, by whose it is, its kind and its day."""
    kind = kind_of(download)
    whose = slugify(_name(download), allow_unicode=True) or "nmbrs"
    day = timezone.localdate(download.ready_at)
    parts = [whose, kind.name, *([download.language] if kind.in_languages else ()), str(day)]
    return f"{'-'.join(parts)}.{kind.ending}"


def _name(download: Download) -> str:
    return download.child.name if download.child else download.school_class.name
