"""Whether figures are incomplete, because logs are to be read again (`ProgressLock.to_rebuild`)."""

from classrooms.models import Child, SchoolClass
from classrooms.progress.models import ProgressLock


def child_is_rebuilding(child: Child) -> bool:
    return ProgressLock.objects.filter(child=child, to_rebuild=True).exists()


def class_is_rebuilding(school_class: SchoolClass) -> bool:
    """Whether any of its children is."""
    children = school_class.children.filter(progress_lock__to_rebuild=True)
    return children.exists()
