"""Requests files and has a worker make them.

A job may be started twice. A try claims the download, and checks with every progress report that it
still has the claim; a single UPDATE decides which try may store the file. A try that was killed
leaves a claim but no more reports, and the next scan starts another try.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
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
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation

from classrooms.access import Adult, classes_of
from classrooms.audit import What, audit
from classrooms.credentials import fernet
from classrooms.downloads.kinds import FileKind, kind_of
from classrooms.downloads.limits import WorkKind, count_work
from classrooms.downloads.models import FILE_KEPT_FOR, Download
from classrooms.locks import lock
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.ui.typesetting import PdfFailed, TooLarge

MOST_OF_A_CLASS: Final = 60
"""The most downloads that a class can have at the same time, waiting or ready."""
MOST_OF_A_TEACHER: Final = 3
"""The most downloads that a teacher can have waiting at the same time, in all classes."""
MOST_BYTES: Final = 32 * 1024 * 1024
MOST_TRIES: Final = 3
"""A download that kills its worker this often is not retried automatically."""
LONGEST_SILENCE: Final = timedelta(seconds=60)
"""A try that has reported no progress for this long counts as dead."""
REPORT_SECONDS: Final = 0.5

DownloadState = Download.State
STATES_UNDER_WAY: Final = (DownloadState.WAITING, DownloadState.WORKING)
DownloadProblem = Download.Problem

log = structlog.get_logger(__name__)


class TooManyOfClass(Exception):
    """The class already has `MOST_OF_A_CLASS` downloads."""


class TooManyOfTeacher(Exception):
    """The teacher already waits for `MOST_OF_A_TEACHER` downloads."""


class ClaimLost(Exception):
    """The download was deleted, or another try took it over."""


def downloads_of(user: Adult, class_id: UUID) -> QuerySet[Download]:
    """The downloads of a class of this adult that have not expired, without their files. Left out
    are files about a child who was removed or moved, and files of the class with data of a child
    who was moved, such as their sign-in pictures."""
    mine = Download.objects.filter(school_class=class_id, school_class__in=classes_of(user))
    of_class = Q(child=None) | Q(child__school_class=class_id, child__removed_at=None)
    elsewhere = Child.all_objects.filter(downloads=OuterRef("pk")).exclude(school_class=class_id)
    return mine.filter(of_class, ~Exists(elsewhere), ends_at__gt=timezone.now()).defer("content")


def download_for(user: Adult, class_id: UUID, download_id: UUID) -> Download:
    """A download with its class, its child and, once ready, its file; 404 if there is none."""
    downloads = downloads_of(user, class_id).defer(None).select_related("school_class", "child")
    return get_object_or_404(downloads, pk=download_id)


def request_download(
    school_class: SchoolClass,
    kind: FileKind,
    by: User,
    language: str,
    child: Child | None = None,
    options: dict[str, Any] | None = None,
) -> Download:
    """Request a file. If the same file is being made, return that download. Raises
    `TooManyOfClass`, `TooManyOfTeacher` and `TooOften`."""
    now = timezone.now()
    options = options or {}
    language = language if kind.has_languages else school_class.language
    with lock(by, school_class):
        existing = _unexpired(school_class, now)
        same = existing.filter(kind=kind.name, child=child, language=language, options=options)
        if running := same.filter(state__in=STATES_UNDER_WAY).first():
            return running
        if existing.count() >= MOST_OF_A_CLASS:
            raise TooManyOfClass
        _count_request(by, now)
        return _create(school_class, kind, by, language, options, child)


def request_for_school(
    classes: Iterable[SchoolClass],
    kind: FileKind,
    by: User,
    language: str,
    options: dict[str, Any],
    reason: str,
) -> list[Download]:
    """Request the file of each of these classes for their school. Together they count as one
    request. A file that is being made with the same options is not requested again. Requests
    nothing if it raises `TooManyOfClass` or `TooOften`."""
    now = timezone.now()
    downloads = []
    with lock(by, *classes) as (_by, *locked):
        count_work(by, WorkKind.JOB)
        prefetch_related_objects(locked, "children")
        for school_class in locked:
            existing = _unexpired(school_class, now)
            if existing.filter(
                kind=kind.name, options=options, state__in=STATES_UNDER_WAY
            ).exists():
                continue
            if existing.count() >= MOST_OF_A_CLASS:
                raise TooManyOfClass
            download = _create(
                school_class, kind, by, language, options, for_school=True, reason=reason
            )
            downloads.append(download)
    return downloads


def _create(
    school_class: SchoolClass,
    kind: FileKind,
    by: User,
    language: str,
    options: dict[str, Any],
    child: Child | None = None,
    **details: Any,
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
    audit(by, What.ASKED, child=child, school_class=school_class, file=kind.name, **details)
    return download


def _unexpired(school_class: SchoolClass, now: datetime) -> QuerySet[Download]:
    return Download.objects.filter(school_class=school_class, ends_at__gt=now).defer("content")


def retry(download: Download, by: User) -> bool:
    """Try a failed download again. Returns False if it has not failed. Raises `TooManyOfTeacher`
    and `TooOften`."""
    now = timezone.now()
    with lock(by):
        failed = Download.objects.filter(pk=download.pk, state=DownloadState.FAILED)
        if not failed.exists():
            return False
        _count_request(by, now)
        return bool(
            failed.update(
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


def _count_request(by: User, now: datetime) -> None:
    """Count one more download for this teacher, whose row is locked."""
    under_way = Download.objects.filter(asked_by=by, state__in=STATES_UNDER_WAY, ends_at__gt=now)
    if under_way.count() >= MOST_OF_A_TEACHER:
        raise TooManyOfTeacher
    count_work(by, WorkKind.JOB)


def due_downloads(now: datetime) -> QuerySet[Download]:
    """The downloads that wait for a worker or were abandoned, oldest request first."""
    return Download.objects.filter(_is_free(now), tries__lt=MOST_TRIES).order_by("asked_at")


def fail_exhausted(now: datetime) -> int:
    """Mark the downloads that have used all their tries as failed, and return their number."""
    dead = Download.objects.filter(_is_free(now), tries__gte=MOST_TRIES)
    return dead.update(state=DownloadState.FAILED, problem=DownloadProblem.ERROR, claim=None)


def delete_expired(now: datetime) -> int:
    """Delete expired downloads, and return their number."""
    expired = Download.objects.filter(ends_at__lte=now)
    count = expired.count()
    expired.delete()
    return count


def make(download_id: UUID) -> bool:
    """Make the file, unless another try has claimed it or it was deleted. Returns whether this try
    has stored it."""
    download = _claim(download_id)
    if download is None:
        return False
    try:
        clock = ZoneInfo(download.school_class.time_zone)
        with translation.override(download.language), timezone.override(clock):
            content = kind_of(download).make(download, _ProgressReporter(download))
        if len(content) > MOST_BYTES:
            _fail(download, DownloadProblem.TOO_LARGE)
            return False
        return _store(download, content)
    except ClaimLost:
        return False
    except TooLarge:
        _fail(download, DownloadProblem.TOO_LARGE)
    except PdfFailed:
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
    """Stores a try's progress: the first step, the last one, and in between at most one each
    `REPORT_SECONDS`."""

    def __init__(self, download: Download) -> None:
        self._claimed_row = _claimed_row(download)
        self._last = 0.0

    def __call__(self, steps_done: int, total: int) -> None:
        if monotonic() - self._last < REPORT_SECONDS and 0 < steps_done < total:
            return
        self._last = monotonic()
        if not self._claimed_row.update(done=steps_done, total=total, alive_at=timezone.now()):
            raise ClaimLost


def _is_free(now: datetime) -> Q:
    abandoned = Q(state=DownloadState.WORKING, alive_at__lt=now - LONGEST_SILENCE)
    return (Q(state=DownloadState.WAITING) | abandoned) & Q(ends_at__gt=now)


def _claim(download_id: UUID) -> Download | None:
    """Claim the download for a new try, and store whose data the file has. None if the download is
    not free."""
    now = timezone.now()
    claim = uuid.uuid4()
    with transaction.atomic():
        free = due_downloads(now).order_by().filter(pk=download_id)
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
    """Store the file, unless the claim is lost. If a child has left meanwhile, the file is made
    again. Children who were added meanwhile count as included."""
    now = timezone.now()
    with transaction.atomic():
        if download.child is None and _departures(download).exists():
            _claimed_row(download).update(state=DownloadState.WAITING, claim=None)
            return False
        updated = _claimed_row(download).update(
            state=DownloadState.READY,
            content=fernet().encrypt(content) if kind_of(download).secret_page else content,
            size=len(content),
            ready_at=now,
            ends_at=now + FILE_KEPT_FOR,
            claim=None,
        )
        if updated and download.child is None:
            in_class = Child.all_objects.filter(school_class=download.school_class)
            download.children.add(*in_class)
    return bool(updated)


def _departures(download: Download) -> QuerySet[AuditEntry]:
    """The log entries of children who were erased or moved since the claim. Nothing else may know
    that they were in the class."""
    return AuditEntry.objects.filter(
        what__in=(What.ERASED, What.MOVED),
        class_id=download.school_class_id,
        at__gt=download.alive_at,
    )


def content_of(download: Download) -> bytes | None:
    """The file; None while it is not ready."""
    if download.content is None:
        return None
    content = bytes(download.content)
    return fernet().decrypt(content) if kind_of(download).secret_page else content


def _fail(download: Download, problem: DownloadProblem) -> None:
    _claimed_row(download).update(state=DownloadState.FAILED, problem=problem, claim=None)


@receiver(pre_delete, sender=Child)
def delete_files_about_child(instance: Child, **kwargs: Any) -> None:
    # If a worker starts on the class now, this lock makes it wait until the child is gone.
    list(Child.all_objects.select_for_update().filter(pk=instance.pk).values_list("pk"))
    Download.objects.filter(children=instance).delete()


@receiver(pre_delete, sender=User)
def delete_files_signed_by_adult(instance: User, **kwargs: Any) -> None:
    is_teacher = Q(school_class__teachings__user=instance)
    Download.objects.filter(is_teacher | Q(asked_by=instance)).delete()
