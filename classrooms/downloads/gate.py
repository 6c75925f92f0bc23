"""Which downloads are one's own, or 404; `classrooms.access` has the gate to all else."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classrooms.access import Adult, classes_of
from classrooms.downloads.models import Download
from classrooms.models import (
    Child,
)


def downloads_of(user: Adult, class_id: UUID) -> QuerySet[Download]:
    """What was asked for of a class of this adult's and has not ended, without the files. A file
    of a child that was removed or moved is as missing as the child, and so is one of the class in
    which there is something of a child that was moved: what it signs in with, say."""
    mine = Download.objects.filter(school_class=class_id, school_class__in=classes_of(user))
    here = Q(child=None) | Q(child__school_class=class_id, child__removed_at=None)
    moved = Child.everyone.filter(downloads=OuterRef("pk")).exclude(school_class=class_id)
    return mine.filter(here, ~Exists(moved), ends_at__gt=timezone.now()).defer("content")


def download_for(user: Adult, class_id: UUID, download_id: UUID) -> Download:
    """A download with its class, its child and, where it is ready, the file."""
    found = downloads_of(user, class_id).defer(None).select_related("school_class", "child")
    return get_object_or_404(found, pk=download_id)
