"""Access to downloads: one's own, or 404. `classrooms.access` does this for everything else."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classrooms.access import Adult, classes_of
from classrooms.downloads.models import Download
from classrooms.models import Child


def downloads_of(user: Adult, class_id: UUID) -> QuerySet[Download]:
    """The downloads of a class of this adult that have not expired, without their files. A file
    about a removed or moved child is missing like the child, and so is a file of the class with
    data of a child that was moved, such as what it signs in with."""
    mine = Download.objects.filter(school_class=class_id, school_class__in=classes_of(user))
    here = Q(child=None) | Q(child__school_class=class_id, child__removed_at=None)
    moved = Child.everyone.filter(downloads=OuterRef("pk")).exclude(school_class=class_id)
    return mine.filter(here, ~Exists(moved), ends_at__gt=timezone.now()).defer("content")


def download_for(user: Adult, class_id: UUID, download_id: UUID) -> Download:
    """A download with its class, its child and, when ready, the file."""
    downloads = downloads_of(user, class_id).defer(None).select_related("school_class", "child")
    return get_object_or_404(downloads, pk=download_id)
