"""What admins of the school did with a class, in sentences for all its teachers."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

from classrooms.audit import Actor
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.privacy.audit_words import KnownNames, class_sentence
from classrooms.privacy.views import AuditLine

MOST: Final = 20


def acts_of_admins(school_class: SchoolClass) -> Sequence[AuditLine]:
    """The last of them, latest first, for an adult who teaches the class."""
    entries = AuditEntry.objects.filter(
        class_id=school_class.pk, actor=Actor.SCHOOL, is_part=False
    ).select_related("user", "account")[:MOST]
    of_children = {entry.child_id for entry in entries if entry.child_id}
    children = Child.everyone.filter(school_class=school_class).in_bulk(of_children)
    known = KnownNames({key: child.name for key, child in children.items()})
    clock = ZoneInfo(school_class.time_zone)
    return [
        AuditLine(entry.at.astimezone(clock), class_sentence(entry, known)) for entry in entries
    ]
