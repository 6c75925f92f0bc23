"""From asking to ready: who may write is decided by one UPDATE, so that it may be begun twice.

A try claims the download; with every sign of life it makes sure that the claim is its own still.
One that was killed leaves a claim without signs of life, and the next scan makes a new one.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation

from classrooms.audit import What, audit
from classrooms.models import Child, SchoolClass, User

from .kinds import Kind, kind_of
from .models import KEPT, Download

MOST_OF_A_CLASS: Final = 60
"""So many downloads a class may have at a time, waiting and ready."""
MOST_BYTES: Final = 32 * 1024 * 1024
MOST_TRIES: Final = 3
"""What kills its worker so often is not begun again by itself."""
SILENT: Final = timedelta(seconds=60)
"""A try that gave no sign of life for so long is over."""
SIGN_SECONDS: Final = 0.5

State = Download.State
Problem = Download.Problem
log = structlog.get_logger(__name__)


class TooMany(Exception):
    """The class has as many downloads as it may have."""


class NotMine(Exception):
    """The download was deleted, or another try has taken it over."""


def ask(
    school_class: SchoolClass, kind: Kind, by: User, language: str, child: Child | None = None
) -> Download:
    """Have a file made; the same one while it is under way already. Raises `TooMany`."""
    now = timezone.now()
    language = language if kind.in_languages else school_class.language
    with transaction.atomic():
        SchoolClass.objects.select_for_update().get(pk=school_class.pk)
        kept = Download.objects.filter(school_class=school_class, ends_at__gt=now).defer("content")
        same = kept.filter(kind=kind.name, child=child, language=language).filter(
            state__in=(State.WAITING, State.WORKING)
        )
        if found := same.first():
            return found
        if kept.count() >= MOST_OF_A_CLASS:
            raise TooMany
        made = Download.objects.create(
            school_class=school_class,
            child=child,
            kind=kind.name,
            language=language,
            asked_by=by,
            asked_at=now,
            ends_at=now + KEPT,
        )
        if child:
            made.children.add(child)
        audit(by, What.ASKED, child=child, school_class=school_class, file=kind.name)
    return made


def ask_again(download: Download) -> bool:
    """Begin anew with what failed; whether it had."""
    now = timezone.now()
    again = Download.objects.filter(pk=download.pk, state=State.FAILED).update(
        state=State.WAITING, problem="", tries=0, done=0, total=0, asked_at=now, ends_at=now + KEPT
    )
    return bool(again)


def due(now: datetime) -> QuerySet[Download]:
    """What nobody works at and somebody should, the longest waiting first."""
    return Download.objects.filter(_is_free(now), tries__lt=MOST_TRIES).order_by("asked_at")


def give_up(now: datetime) -> int:
    """Let fail what was begun as often as it may be and never ended; how many that were."""
    dead = Download.objects.filter(_is_free(now), tries__gte=MOST_TRIES)
    return dead.update(state=State.FAILED, problem=Problem.ERROR, claim=None)


def forget_ended(now: datetime) -> int:
    """Delete what has waited its week; how many that were."""
    ended = Download.objects.filter(ends_at__lte=now)
    found = ended.count()
    ended.delete()
    return found


def make(download_id: UUID) -> bool:
    """Make the file, unless another does or it is not wanted any more; whether it is there now."""
    download = _claimed(download_id)
    if download is None:
        return False
    try:
        with _in_its_language(download):
            content = kind_of(download).make(download, _Signs(download))
        if len(content) > MOST_BYTES:
            _fail(download, Problem.TOO_LARGE)
            return False
        return _keep(download, content)
    except NotMine:
        return False
    except SoftTimeLimitExceeded:
        log.error("download took too long", kind=download.kind, key=str(download.pk))
        _fail(download, Problem.TOO_LONG)
    except Exception:
        log.exception("download not made", kind=download.kind, key=str(download.pk))
        _fail(download, Problem.ERROR)
    return False


class _Signs:
    """Tells how far a try is, at most every `SIGN_SECONDS`, but for its first and last step."""

    def __init__(self, download: Download) -> None:
        self._own = _own(download)
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        if monotonic() - self._last < SIGN_SECONDS and 0 < done < total:
            return
        self._last = monotonic()
        if not self._own.update(done=done, total=total, alive_at=timezone.now()):
            raise NotMine


def _is_free(now: datetime) -> Q:
    abandoned = Q(state=State.WORKING, alive_at__lt=now - SILENT)
    return (Q(state=State.WAITING) | abandoned) & Q(ends_at__gt=now)


def _claimed(download_id: UUID) -> Download | None:
    """The download, if this try may make it; of whom it tells is written down with it."""
    now, claim = timezone.now(), uuid.uuid4()
    with transaction.atomic():
        free = due(now).order_by().filter(pk=download_id)
        if not free.update(
            state=State.WORKING,
            claim=claim,
            alive_at=now,
            tries=F("tries") + 1,
            done=0,
            total=0,
        ):
            return None
        found = Download.objects.select_related("school_class", "child").defer("content")
        download = found.get(pk=download_id)
        if download.child is None:
            download.children.set(download.school_class.children.all())
    return download


def _own(download: Download) -> QuerySet[Download]:
    return Download.objects.filter(pk=download.pk, claim=download.claim, state=State.WORKING)


def _keep(download: Download, content: bytes) -> bool:
    now = timezone.now()
    kept = _own(download).update(
        state=State.READY,
        content=content,
        size=len(content),
        ready_at=now,
        ends_at=now + KEPT,
        claim=None,
    )
    return bool(kept)


def _fail(download: Download, problem: Problem) -> None:
    _own(download).update(state=State.FAILED, problem=problem, claim=None)


@contextmanager
def _in_its_language(download: Download) -> Iterator[None]:
    clock = ZoneInfo(download.school_class.time_zone)
    with translation.override(download.language), timezone.override(clock):
        yield
