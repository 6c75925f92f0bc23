"""The acts of the school's admins on a class, as sentences for all of its teachers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from classrooms.audit import Actor
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.privacy.words import KnownNames, class_sentence


class AuditLine(NamedTuple):
    """The sentence of an entry, and its time in the time zone of the page."""

    at: datetime
    words: str


MOST_ACTS: Final = 20


def acts_of_admins(school_class: SchoolClass) -> Sequence[AuditLine]:
    """The last acts of the school's admins on the class, the latest first. The reader teaches the
    class."""
    entries = AuditEntry.objects.filter(
        class_id=school_class.pk, actor=Actor.SCHOOL, is_part=False
    ).select_related("user", "account")[:MOST_ACTS]
    child_ids = {entry.child_id for entry in entries if entry.child_id}
    children = Child.all_objects.filter(school_class=school_class).in_bulk(child_ids)
    names = KnownNames({key: child.name for key, child in children.items()})
    clock = ZoneInfo(school_class.time_zone)
    return [
        AuditLine(entry.at.astimezone(clock), class_sentence(entry, names)) for entry in entries
    ]
