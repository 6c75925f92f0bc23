"""Files that a worker makes: which kinds there are, who may have them, and how they are made."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from time import monotonic
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.text import slugify

from classrooms.access import Adult, AdultRequest, classes_of
from classrooms.audit import What, audit
from classrooms.credentials import decrypt_file, encrypt_file
from classrooms.downloads.models import FILE_KEPT_FOR, Download, HeavyWork
from classrooms.http import marked
from classrooms.locks import lock
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.tries import DAY, Limits, wait
from classrooms.ui.processes import Busy
from classrooms.ui.typesetting import NotSet, TooLarge

# Access to downloads: one's own, or 404, as in `classrooms.access`.


def downloads_of(user: Adult, class_id: UUID) -> QuerySet[Download]:
    """The downloads of a class of this adult that have not expired, without their files. A file
    about a child who was removed or moved is left out. So is a file of the class with data of a
    child who was moved, such as their pictures to sign in with."""
    mine = Download.objects.filter(school_class=class_id, school_class__in=classes_of(user))
    here = Q(child=None) | Q(child__school_class=class_id, child__removed_at=None)
    moved = Child.everyone.filter(downloads=OuterRef("pk")).exclude(school_class=class_id)
    return mine.filter(here, ~Exists(moved), ends_at__gt=timezone.now()).defer("content")


def download_for(user: Adult, class_id: UUID, download_id: UUID) -> Download:
    """A download with its class, its child and, when ready, the file; 404 if there is none."""
    downloads = downloads_of(user, class_id).defer(None).select_related("school_class", "child")
    return get_object_or_404(downloads, pk=download_id)


# Limits on a teacher's expensive work, so that nobody occupies the whole machine.

WorkKind = HeavyWork.Kind
MINUTE: Final = timedelta(minutes=1)
LIMITS: Final[Mapping[WorkKind, Limits]] = {
    WorkKind.PAPER: ((30, MINUTE), (500, DAY)),
    WorkKind.EXPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.IMPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.JOB: ((15, MINUTE), (100, DAY)),
}
"""How many of each kind are allowed in any minute and in any 24 hours: several times what a teacher
needs to print the reports of a whole class one by one."""
BUSY_SECONDS: Final = 5

log = structlog.get_logger(__name__)


class TooOften(Exception):
    """The teacher has reached the limit. `seconds` says how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def take(user: User, kind: WorkKind) -> None:
    """Count one more piece of work for this teacher, or raise `TooOften`."""
    now = timezone.now()
    with lock(user):  # The lock keeps two requests from both taking the last place.
        earlier = HeavyWork.objects.filter(user=user, kind=kind, at__gt=now - DAY)
        times = [at.timestamp() for at in earlier.values_list("at", flat=True)]
        if seconds := wait(times, LIMITS[kind]):
            raise TooOften(seconds)
        HeavyWork.objects.create(user=user, kind=kind, at=now)


def forget_old(now: datetime) -> int:
    """Delete the entries older than any limit needs. Returns how many."""
    return HeavyWork.objects.filter(at__lte=now - DAY).delete()[0]


def counted(
    kind: WorkKind, *methods: str
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view that does such work with these HTTP methods. A request beyond the limit gets
    a 429, and any request gets a 503 while the machine is busy."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @marked(heavy=methods)
        @wraps(view)
        def page(request: AdultRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                if request.method in methods:
                    take(request.user, kind)
                return view(request, *args, **kwargs)
            except TooOften as problem:
                return _retry_later(request, "429.html", 429, problem.seconds)
            except Busy:
                return _retry_later(request, "503.html", 503, BUSY_SECONDS)
            except NotSet:
                log.exception("paper not set", view=view.__name__)
                return _retry_later(request, "503.html", 503, BUSY_SECONDS)

        return page

    return decorate


def _retry_later(request: HttpRequest, template: str, status: int, seconds: int) -> HttpResponse:
    response = render(request, template, status=status)
    response["Retry-After"] = str(seconds)
    return response


# Which files can be requested, and what makes them.
#
# To add a kind:
#
# 1. Write a maker, anywhere in `classrooms`: `make(download, report_progress) -> bytes`.
#    `download.school_class` and `download.child` (None for a whole class) say whose file it is.
#    Before and during its work it calls `report_progress(done, total)` with the number of steps
#    done, at least every few seconds and outside any transaction. This feeds the teacher's progress
#    bar, shows that the worker is alive, and stops the work if the download has been deleted.
#    A maker may be started several times, so it writes nothing to the database. The language and
#    time zone of the download are active while it works. The file contains data of
#    `download.child` only, or of the children in `school_class.children`.
# 2. Define a `FileKind` for it beside the maker and list it in `classrooms.apps`, which registers
#    it. Its `name` is part of URLs, database rows and file names, so it never changes.
#
# The downloads page, requests, the worker, failures and retries, expiry after a week, access
# control and the audit log work alike for all kinds. A page requests a file by posting `kind`, and
# if needed `language` and `child`, to `classrooms:downloads`.

ReportProgress = Callable[[int, int], None]
Maker = Callable[[Download, ReportProgress], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file that can be made."""

    name: str
    offered: Promise  # its label where it can be chosen
    about: Promise  # a sentence on its content
    title: Promise
    """Its label once requested; `%(name)s` is the name of the child or the class."""
    make: Maker
    content_type: str
    ending: str
    of_child: bool = False
    in_languages: bool = False  # else in that of the class
    shows: AuditEntry.Page | None = None
    """Set if the file has the children's secrets: then it is encrypted, and fetching it is logged
    as a look at this page."""
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
    """The title of the file, in the active language."""
    return str(kind_of(download).title) % {"name": _name(download)}


def file_name(download: Download) -> str:
    """The name under which the file is saved: whose it is, its kind, its day."""
    kind = kind_of(download)
    whose = slugify(_name(download), allow_unicode=True) or "nmbrs"
    day = timezone.localdate(download.ready_at)
    words = [whose, kind.name, *([download.language] if kind.in_languages else ()), str(day)]
    return f"{'-'.join(words)}.{kind.ending}"


def _name(download: Download) -> str:
    return download.child.name if download.child else download.school_class.name


# The life of a download, from request to ready. A job may be started twice: a single UPDATE decides
# which try may write.
#
# A try claims the download, and checks with every progress report that it still has the claim. A
# killed try leaves a claim without further reports, and the next scan starts a new try.

MOST_OF_A_CLASS: Final = 60
"""The most downloads of a class at the same time, waiting or ready."""
MOST_OF_A_TEACHER: Final = 3
"""The most downloads that a teacher can have waiting at the same time, in all classes."""
MOST_BYTES: Final = 32 * 1024 * 1024
MOST_TRIES: Final = 3
"""A download that kills its worker this often is not retried automatically."""
SILENT: Final = timedelta(seconds=60)
"""A try that has reported no progress for this long counts as dead."""
SIGN_SECONDS: Final = 0.5

DownloadState = Download.State
UNDER_WAY: Final = (DownloadState.WAITING, DownloadState.WORKING)
DownloadProblem = Download.Problem


class TooMany(Exception):
    """The class already has `MOST_OF_A_CLASS` downloads."""


class TooManyDownloads(Exception):
    """The teacher already waits for `MOST_OF_A_TEACHER` downloads."""


class ClaimLost(Exception):
    """The download was deleted, or another try took it over."""


def ask(
    school_class: SchoolClass,
    kind: FileKind,
    by: User,
    language: str,
    child: Child | None = None,
    options: dict[str, Any] | None = None,
) -> Download:
    """Request a file. If the same file is being made, returns that download. Raises `TooMany`,
    `TooManyDownloads` and `TooOften`."""
    now, options = timezone.now(), options or {}
    language = language if kind.in_languages else school_class.language
    with lock(by, school_class):
        existing = _unexpired(school_class, now)
        same = existing.filter(kind=kind.name, child=child, language=language, options=options)
        if running := same.filter(state__in=UNDER_WAY).first():
            return running
        if existing.count() >= MOST_OF_A_CLASS:
            raise TooMany
        _take_turn(by, now)
        return _create(school_class, kind, by, language, options, child)


def ask_of_each(
    classes: Iterable[SchoolClass],
    kind: FileKind,
    by: User,
    language: str,
    options: dict[str, Any],
    reason: str,
) -> list[Download]:
    """Request the file of each of these classes for their school; together they count as one
    request. A file that is being made with the same options is not requested again. Raises
    `TooMany` and `TooOften`; then nothing is requested."""
    now, asked = timezone.now(), []
    with lock(by, *classes) as (_by, *locked):
        take(by, WorkKind.JOB)
        prefetch_related_objects(locked, "children")
        for school_class in locked:
            existing = _unexpired(school_class, now)
            if existing.filter(kind=kind.name, options=options, state__in=UNDER_WAY).exists():
                continue
            if existing.count() >= MOST_OF_A_CLASS:
                raise TooMany
            made = _create(
                school_class, kind, by, language, options, for_school=True, reason=reason
            )
            asked.append(made)
    return asked


def _create(
    school_class: SchoolClass,
    kind: FileKind,
    by: User,
    language: str,
    options: dict[str, Any],
    child: Child | None = None,
    **logged: Any,
) -> Download:
    """Create a download of a locked class, and its entry in the audit log."""
    now = timezone.now()
    download = Download.objects.create(
        school_class=school_class,
        child=child,
        kind=kind.name,
        language=language,
        options=options,
        asked_by=by,
        asked_at=now,
        ends_at=now + FILE_KEPT_FOR,
    )
    download.children.add(*([child] if child else school_class.children.all()))
    audit(by, What.ASKED, child=child, school_class=school_class, file=kind.name, **logged)
    return download


def _unexpired(school_class: SchoolClass, now: datetime) -> QuerySet[Download]:
    return Download.objects.filter(school_class=school_class, ends_at__gt=now).defer("content")


def ask_again(download: Download, by: User) -> bool:
    """Try a failed download again. Returns whether it had failed. Raises `TooManyDownloads` and
    `TooOften`."""
    now = timezone.now()
    with lock(by):
        again = Download.objects.filter(pk=download.pk, state=DownloadState.FAILED)
        if not again.exists():
            return False
        _take_turn(by, now)
        return bool(
            again.update(
                state=DownloadState.WAITING,
                problem="",
                tries=0,
                done=0,
                total=0,
                asked_by=by,
                asked_at=now,
                ends_at=now + FILE_KEPT_FOR,
            )
        )


def _take_turn(by: User, now: datetime) -> None:
    """Count one more download for this teacher, whose row is locked."""
    under_way = Download.objects.filter(asked_by=by, state__in=UNDER_WAY, ends_at__gt=now)
    if under_way.count() >= MOST_OF_A_TEACHER:
        raise TooManyDownloads
    take(by, WorkKind.JOB)


def due(now: datetime) -> QuerySet[Download]:
    """Downloads that wait for a worker or were abandoned, oldest request first."""
    return Download.objects.filter(_is_free(now), tries__lt=MOST_TRIES).order_by("asked_at")


def give_up(now: datetime) -> int:
    """Mark downloads that have used all their tries as failed. Returns their number."""
    dead = Download.objects.filter(_is_free(now), tries__gte=MOST_TRIES)
    return dead.update(state=DownloadState.FAILED, problem=DownloadProblem.ERROR, claim=None)


def forget_ended(now: datetime) -> int:
    """Delete expired downloads. Returns how many."""
    ended = Download.objects.filter(ends_at__lte=now)
    count = ended.count()
    ended.delete()
    return count


def make(download_id: UUID) -> bool:
    """Make the file, unless another try has it or it was deleted. Returns whether it is stored
    now."""
    download = _claimed(download_id)
    if download is None:
        return False
    try:
        with _language_and_clock(download):
            content = kind_of(download).make(download, _ProgressReporter(download))
        if len(content) > MOST_BYTES:
            _fail(download, DownloadProblem.TOO_LARGE)
            return False
        return _store(download, content)
    except ClaimLost:
        return False
    except TooLarge:
        _fail(download, DownloadProblem.TOO_LARGE)
    except NotSet:
        log.exception("paper not set", kind=download.kind, key=str(download.pk))
        _fail(download, DownloadProblem.TOO_LARGE)
    except SoftTimeLimitExceeded:
        log.error("download took too long", kind=download.kind, key=str(download.pk))
        _fail(download, DownloadProblem.TOO_LONG)
    except Exception:
        log.exception("download not made", kind=download.kind, key=str(download.pk))
        _fail(download, DownloadProblem.ERROR)
    return False


class _ProgressReporter:
    """Stores a try's progress, at most every `SIGN_SECONDS` except for the first and last step."""

    def __init__(self, download: Download) -> None:
        self._claimed_row = _claimed_row(download)
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        if monotonic() - self._last < SIGN_SECONDS and 0 < done < total:
            return
        self._last = monotonic()
        if not self._claimed_row.update(done=done, total=total, alive_at=timezone.now()):
            raise ClaimLost


def _is_free(now: datetime) -> Q:
    abandoned = Q(state=DownloadState.WORKING, alive_at__lt=now - SILENT)
    return (Q(state=DownloadState.WAITING) | abandoned) & Q(ends_at__gt=now)


def _claimed(download_id: UUID) -> Download | None:
    """The download, if this try may make it, else None. Stores which children the file is about."""
    now, claim = timezone.now(), uuid.uuid4()
    with transaction.atomic():
        free = due(now).order_by().filter(pk=download_id)
        if not free.update(
            state=DownloadState.WORKING,
            claim=claim,
            alive_at=now,
            tries=F("tries") + 1,
            done=0,
            total=0,
        ):
            return None
        downloads = Download.objects.select_related("school_class", "child").defer("content")
        download = downloads.get(pk=download_id)
        if download.child is None:
            download.children.set(download.school_class.children.all())
    return download


def _claimed_row(download: Download) -> QuerySet[Download]:
    return Download.objects.filter(
        pk=download.pk, claim=download.claim, state=DownloadState.WORKING
    )


def _store(download: Download, content: bytes) -> bool:
    """Store the file, unless the claim is lost. Children who were added meanwhile count as
    included; if one has left, the file is made again."""
    now = timezone.now()
    with transaction.atomic():
        if download.child is None and _left_since(download).exists():
            _claimed_row(download).update(state=DownloadState.WAITING, claim=None)
            return False
        kept = _claimed_row(download).update(
            state=DownloadState.READY,
            content=encrypt_file(content) if kind_of(download).shows else content,
            size=len(content),
            ready_at=now,
            ends_at=now + FILE_KEPT_FOR,
            claim=None,
        )
        if kept and download.child is None:
            in_class = Child.everyone.filter(school_class=download.school_class)
            download.children.add(*in_class)
    return bool(kept)


def _left_since(download: Download) -> QuerySet[AuditEntry]:
    """The log entries of children who were erased or moved since the claim. The file may be the
    only place that still has the name of one of them."""
    return AuditEntry.objects.filter(
        what__in=(What.ERASED, What.MOVED),
        class_id=download.school_class_id,
        at__gt=download.alive_at,
    )


def content_of(download: Download) -> bytes | None:
    """The file; None while it is not ready."""
    if download.content is None:
        return None
    kept = bytes(download.content)
    return decrypt_file(kept) if kind_of(download).shows else kept


def _fail(download: Download, problem: DownloadProblem) -> None:
    _claimed_row(download).update(state=DownloadState.FAILED, problem=problem, claim=None)


@contextmanager
def _language_and_clock(download: Download) -> Iterator[None]:
    clock = ZoneInfo(download.school_class.time_zone)
    with translation.override(download.language), timezone.override(clock):
        yield


# Deleting a child or an adult deletes every file about them.


@receiver(pre_delete, sender=Child)
def delete_files_about_child(instance: Child, **kwargs: Any) -> None:
    # If a worker starts on the class now, this lock makes it wait until the child is gone.
    list(Child.everyone.select_for_update().filter(pk=instance.pk).values_list("pk"))
    Download.objects.filter(children=instance).delete()


@receiver(pre_delete, sender=User)
def delete_files_signed_by_adult(instance: User, **kwargs: Any) -> None:
    taught = Q(school_class__teachings__user=instance)
    Download.objects.filter(taught | Q(asked_by=instance)).delete()
