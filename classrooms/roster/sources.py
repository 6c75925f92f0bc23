"""Reads a school's source of lists each night, and changes the linked classes.

Safe changes (`source_changes`) are made at once. All others wait for an answer on a page. Nobody is
removed or moved without an answer.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken
from django.db import DataError, IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from classrooms.access import classes_in, classes_of, classes_to_move_to
from classrooms.audit import What, audit
from classrooms.child_names import name_key
from classrooms.credentials import decrypt, encrypt
from classrooms.locks import ActRefused, Changed, lock
from classrooms.models import (
    Child,
    Connection,
    RosterSource,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    User,
)
from classrooms.roster import import_services, oneroster
from classrooms.roster.import_services import ClassUpdate
from classrooms.roster.importing.changes import NEW, KnownChild, listed_spelling
from classrooms.roster.importing.pupils import Pupil
from classrooms.roster.oneroster import SourceNotRead, SourceReading
from classrooms.roster.source_changes import (
    GONE,
    LATER,
    NOW_CALLED,
    OUT,
    ClassChanges,
    ListQuestion,
    changes_of,
    linked_classes,
)

Problem = RosterSource.Problem
NIGHT_BEGINS: Final = 3
"""The hour after which each source is read, once a night."""
RETRY_AFTER: Final = timedelta(minutes=1)

log = structlog.get_logger(__name__)


def save_source(school: School, by: User, connection: Connection, secret: str) -> RosterSource:
    """Store the school's source. An empty `secret` keeps the stored one. The next reading reads
    everything. Raises `Changed` if there is no stored secret, or if it belongs to another address
    or client."""
    with lock(school):
        source = RosterSource.objects.filter(school=school).first()
        if not secret and (source is None or needs_secret(source, connection)):
            raise Changed
        source = source or RosterSource(school=school)
        if (source.address, source.org) != (connection.address, connection.org):
            SourceClass.objects.filter(source=source.pk, school_class=None).delete()
        for name, value in connection._asdict().items():
            setattr(source, name, value)
        source.added_by = by
        source.problem = ""
        source.not_before = source.read_all_at = source.tried_at = None
        if secret:
            source.secret_encrypted = encrypt(secret)
        source.save()
        audit(by, What.SOURCE, account=by, for_school=True, school=school.name)
    return source


def needs_secret(source: RosterSource, connection: Connection) -> bool:
    """Whether the secret must be typed again, because more than the ID of the school has changed.
    Otherwise an admin could make the site send the stored secret to their own address."""
    return source.connection._replace(org=connection.org) != connection


def end_source(source: RosterSource, by: User) -> None:
    """Delete the source and its lists. The children stay as they are."""
    with lock(source.school):
        RosterSource.objects.filter(pk=source.pk).delete()
        audit(by, What.SOURCE_GONE, account=by, for_school=True, school=source.school.name)


def link_classes(source: RosterSource, targets: Mapping[int, SchoolClass | None]) -> int:
    """Link classes of the source, given by their keys, with classes of the school, and return the
    number of changed links. None removes a link. Raises `ActRefused` if a class of the site would
    have two links, and `Changed` if it is not in the school."""
    with lock(source.school):
        classes = {
            source_class.pk: source_class for source_class in source.classes.filter(pk__in=targets)
        }
        changed_links = [
            (classes[key], to)
            for key, to in targets.items()
            if key in classes and classes[key].school_class_id != (to.pk if to else None)
        ]
        target_keys = [to.pk for _each, to in changed_links if to]
        if classes_in(source.school).filter(pk__in=target_keys).count() < len(set(target_keys)):
            raise Changed
        freed = [source_class.pk for source_class, _to in changed_links]
        other_links = source.classes.exclude(pk__in=freed).filter(school_class__in=target_keys)
        if other_links.exists() or max(Counter(target_keys).values(), default=0) > 1:
            raise ActRefused(_("Link each class of this site once."))
        source.classes.filter(pk__in=freed).update(school_class=None, agreed_at=None)
        SourcePupil.objects.filter(source_class__in=freed).delete()
        for source_class, to in changed_links:
            if to:
                SourceClass.objects.filter(pk=source_class.pk).update(
                    school_class=to, is_empty=False
                )
        if changed_links:
            # Read the source now, even if it was read a moment ago.
            RosterSource.objects.filter(pk=source.pk).update(read_all_at=None, tried_at=None)
    return len(changed_links)


def due_sources(now: datetime) -> QuerySet[RosterSource]:
    """The sources to read: they were not tried this night, and have not asked us to wait."""
    local = timezone.localtime(now)
    night = local.replace(hour=NIGHT_BEGINS, minute=0, second=0, microsecond=0)
    if local < night:
        night -= timedelta(days=1)
    untried = RosterSource.objects.exclude(tried_at__gte=night)
    return untried.exclude(not_before__gt=now).order_by("pk")


def reason_to_wait(source: RosterSource, now: datetime) -> str:
    """Why the source cannot be read now, for the admin; "" if it can."""
    if source.not_before and source.not_before > now:
        return _("The source has asked us to wait. It will be read in the night.")
    if source.tried_at and now - source.tried_at < RETRY_AFTER:
        return _("The source was read less than a minute ago.")
    return ""


def read(source_id: int) -> None:
    """Read the source, store its lists, and make the safe changes. A failure is stored for the
    page, and the children and the stored lists stay as they were."""
    source = RosterSource.objects.select_related("school").filter(pk=source_id).first()
    now = timezone.now()
    if source is None or reason_to_wait(source, now):
        return
    try:
        reading = _reading_of(source)
        _store(source, reading, now)
    except (SourceNotRead, ValueError, OverflowError, DataError) as error:
        problem = error if isinstance(error, SourceNotRead) else SourceNotRead(Problem.UNREADABLE)
        wait = now + problem.wait if problem.wait else None
        changes = {"read_all_at": None} if problem.problem == Problem.NOBODY else {}
        _if_unchanged(source).update(
            tried_at=timezone.now(), problem=problem.problem, not_before=wait, **changes
        )
        log.warning("source not read", problem=str(problem.problem.value))


def _reading_of(source: RosterSource) -> SourceReading:
    try:
        secret = decrypt(source.secret_encrypted)
    except InvalidToken:
        raise SourceNotRead(Problem.SECRET) from None
    class_keys = source.classes.exclude(school_class=None).values_list("key_hash", flat=True)
    pupils = SourcePupil.objects.filter(source_class__source=source).exclude(name="")
    return oneroster.fetch(
        source, secret, set(class_keys), set(pupils.values_list("key_hash", flat=True))
    )


def _if_unchanged(source: RosterSource) -> QuerySet[RosterSource]:
    """The source, unless somebody has changed its connection since this row was read."""
    return RosterSource.objects.filter(
        pk=source.pk, secret_encrypted=source.secret_encrypted, **source.connection._asdict()
    )


def _store(before: RosterSource, reading: SourceReading, began_at: datetime) -> None:
    """Store a reading, link the pupils who certainly are children of the class, and make the safe
    changes. Ignore a reading that began before another one ended. Raises `SourceNotRead` if the
    source suddenly lists nobody."""
    with lock(before.school, *linked_classes(before)):
        source = _if_unchanged(before).select_for_update().first()
        if source is None or (source.reached_at and source.reached_at > began_at):
            return
        _unlink_lost(source)
        _store_classes(source, reading)
        rows = SourcePupil.objects.filter(source_class__source=source)
        rows = rows.order_by(F("child").asc(nulls_last=True), "pk")
        by_key = {row.key_hash: row for row in reversed(rows)}  # A pupil with a child comes first.
        links = source.classes.exclude(school_class=None)
        are_listed = [_store_pupils(source_class, reading, by_key) for source_class in links]
        had_pupils = any(row.is_here for row in rows)
        is_empty = reading.is_whole and not any(reading.pupils.values())
        if is_empty or (had_pupils and not any(are_listed)):
            raise SourceNotRead(Problem.NOBODY)
        now = timezone.now()
        source.tried_at = source.reached_at = now
        source.problem = ""
        source.not_before = None
        days = [reading.next_day, None if reading.is_whole else source.read_all_on]
        source.read_all_on = min((day for day in days if day), default=None)
        if reading.is_whole:
            source.read_all_at = now
            source.changed_since = reading.latest
        elif reading.latest:
            source.changed_since = max(source.changed_since or reading.latest, reading.latest)
        source.save()
        for changes in changes_of(source):
            _make_safe_changes(source, changes)


def _unlink_lost(source: RosterSource) -> None:
    """Delete the lists of classes that are no longer in the school, because their owners left."""
    lost = source.classes.exclude(school_class=None).exclude(
        school_class__in=classes_in(source.school)
    )
    SourcePupil.objects.filter(source_class__in=lost).delete()
    lost.update(school_class=None, agreed_at=None)


def _store_classes(source: RosterSource, reading: SourceReading) -> None:
    class_by_key = {source_class.key_hash: source_class for source_class in source.classes.all()}
    for source_class in class_by_key.values():
        title = reading.classes.get(
            source_class.key_hash, "" if reading.is_whole else source_class.title
        )
        source_class.is_here = bool(title)
        source_class.title = title or source_class.title
    SourceClass.objects.bulk_update(class_by_key.values(), ("is_here", "title"))
    SourceClass.objects.bulk_create(
        SourceClass(source=source, key_hash=key, title=title)
        for key, title in reading.classes.items()
        if title and key not in class_by_key
    )
    source.classes.filter(is_here=False, school_class=None).delete()


def _store_pupils(
    source_class: SourceClass, reading: SourceReading, row_by_key: Mapping[str, SourcePupil]
) -> bool:
    """Store the pupils of this linked class, and return whether there are any. If all of them
    disappear at once, or the class itself, the stored ones stay. `row_by_key` has the stored row of
    each pupil of the source."""
    own_rows = {row.key_hash: row for row in source_class.pupils.select_related("child")}
    present_keys = {key for key, row in own_rows.items() if row.is_here}
    now = set() if reading.is_whole else set(present_keys)
    for (class_key, key), is_in in reading.enrolled.items():
        if class_key == source_class.key_hash:
            if is_in:
                now.add(key)
            else:
                now.discard(key)
    now -= {key for key, name in reading.pupils.items() if name is None}
    is_empty = bool(present_keys) and not now
    if source_class.is_empty != is_empty:
        SourceClass.objects.filter(pk=source_class.pk).update(is_empty=is_empty)
    if is_empty or not source_class.is_here:
        return bool(now)
    new_rows: list[SourcePupil] = []
    for key in now - own_rows.keys():
        before = row_by_key.get(key)
        if before or reading.pupils.get(key):
            new_rows.append(_new_pupil(source_class, key, before))
    for row in (*own_rows.values(), *new_rows):
        row.is_here = row.key_hash in now
        name = reading.pupils.get(row.key_hash)
        if name and not (row.is_left_out and not row.child_id):
            row.name, row.family = name.given, name.family
    rows_gone = [
        row
        for row in own_rows.values()
        if not row.is_here
        and (row.child is None or row.child.school_class_id != source_class.school_class_id)
    ]
    SourcePupil.objects.filter(pk__in=[row.pk for row in rows_gone]).delete()
    SourcePupil.objects.bulk_create(new_rows)
    rows_kept = [row for row in own_rows.values() if row not in rows_gone]
    SourcePupil.objects.bulk_update(rows_kept, ("is_here", "name", "family"))
    return bool(now)


def _new_pupil(source_class: SourceClass, key: str, before: SourcePupil | None) -> SourcePupil:
    """A pupil who is new in the class. `before` is their row in another class of the source, which
    may have a child; without a name, that child was erased."""
    row = SourcePupil(source_class=source_class, key_hash=key)
    if before:
        row.child_id, row.known_name = before.child_id, before.known_name
        row.name, row.family = before.name, before.family
        row.is_left_out = not before.name
    return row


def _make_safe_changes(source: RosterSource, changes: ClassChanges) -> None:
    for row, key in changes.matched:
        _link_child(row, key)
    for row in changes.seen_pupils:
        SourcePupil.objects.filter(pk=row.pk).update(known_name=F("name"))
    update = ClassUpdate(changes.school_class)
    update.new = [name for _row, name in changes.new_pupils]
    update.renamed = [(_known_child(child), name) for _row, child, name in changes.renamed]
    if not update.new and not update.renamed:
        return
    try:
        with transaction.atomic():
            undo = import_services.carry_out([update], None, linked_classes(source))
    except (ActRefused, IntegrityError):
        return  # For example, the class is full. The change waits on the page.
    _link_added(changes.school_class, {name: row for row, name in changes.new_pupils}, undo.at)
    for row, _child, _name in changes.renamed:
        SourcePupil.objects.filter(pk=row.pk).update(known_name=F("name"))


def apply_answers(
    source: RosterSource, by: User, answers: Mapping[str, str], only: SchoolClass | None = None
) -> Mapping[str, int]:
    """Carry out the answers, and return how many children were added, renamed, moved and removed.

    `answers` has the values by the fields of the questions. An admin of the school answers for all
    linked classes, a teacher for the class `only`. Raises `Changed` if a question has changed,
    `IntegrityError` if a name has just been added, and `bounds.LimitReached`.
    """
    classes = [only] if only else list(linked_classes(source))
    with lock(source.school, by, *classes):
        movable = movable_to(only, by) if only else None
        compared = changes_of(source, only, movable)
        fields = {question.field for changes in compared for question in changes.questions}
        if not answers.keys() <= fields:
            raise Changed
        pairs = [_update_from(changes, answers) for changes in compared]
        updates = [update for update, _new in pairs]
        undo = import_services.carry_out(updates, by, None if only else linked_classes(source))
        for changes, (update, new_pupils) in zip(compared, pairs, strict=True):
            SourceClass.objects.filter(pk=changes.source_class.pk).update(agreed_at=timezone.now())
            _link_added(update.school_class, new_pupils, undo.at)
            audit(by, What.LIST_AGREED, school_class=update.school_class, for_school=only is None)
    kinds = ("new", "renamed", "moved", "gone")
    return {kind: sum(len(getattr(update, kind)) for update in updates) for kind in kinds}


def _update_from(
    changes: ClassChanges, answers: Mapping[str, str]
) -> tuple[ClassUpdate, dict[str, SourcePupil]]:
    """The update that follows from these answers, and the pupils who become new children, by their
    names."""
    update = ClassUpdate(changes.school_class)
    new_pupils: dict[str, SourcePupil] = {}
    for question in changes.questions:
        if question.field in answers:
            _apply_answer(question, answers[question.field], update, new_pupils)
    update.new = list(new_pupils)
    return update, new_pupils


def movable_to(school_class: SchoolClass, by: User) -> set[UUID]:
    """The classes whose children this teacher may move to their own class."""
    return {
        other.pk
        for other in classes_of(by).filter(archived_at=None).exclude(pk=school_class.pk)
        if classes_to_move_to(by, other).filter(pk=school_class.pk).exists()
    }


def _apply_answer(
    question: ListQuestion, value: str, update: ClassUpdate, new_pupils: dict[str, SourcePupil]
) -> None:
    """Add the changes of this answer to `update` and `new_pupils`, and store it on the row of the
    pupil. Raises `Changed` if the question does not have this option."""
    if value not in dict(question.options):
        raise Changed
    row, child = question.pupil, question.pupil.child
    is_here = child is not None and child.school_class_id == update.school_class.pk
    answer, _space, key = value.partition(" ")
    if value == LATER:
        return
    if value == NEW:
        if name_key(question.name) in map(name_key, new_pupils):
            raise Changed
        new_pupils[question.name] = row
    elif value == GONE and child:
        update.gone.append(_known_child(child))
        SourcePupil.objects.filter(pk=row.pk).delete()
    elif value == OUT and child and not row.is_here:
        SourcePupil.objects.filter(pk=row.pk).delete()  # The child stays here.
    elif value == OUT and is_here and row.name != row.known_name:
        SourcePupil.objects.filter(pk=row.pk).update(known_name=F("name"))
    elif value == OUT:
        SourcePupil.objects.filter(pk=row.pk).update(is_left_out=True)
    elif value == NOW_CALLED and child:
        update.renamed.append((_known_child(child), question.name))
        SourcePupil.objects.filter(pk=row.pk).update(known_name=F("name"))
    else:
        chosen_child = Child.objects.select_related("school_class").filter(pk=key).first()
        if chosen_child is None:
            raise Changed
        known_child = _known_child(chosen_child)
        if answer == "renamed":
            pupil = Pupil(0, row.name, row.family)
            update.renamed.append((known_child, listed_spelling(pupil, known_child)))
        elif answer == "move":
            update.moved.append(known_child)
        _link_child(row, key)


def _link_child(row: SourcePupil, key: str) -> None:
    SourcePupil.objects.filter(pk=row.pk).update(child=key, known_name=F("name"))


def _known_child(child: Child) -> KnownChild:
    return KnownChild(str(child.pk), child.name, str(child.school_class_id), "")


def _link_added(school_class: SchoolClass, new: Mapping[str, SourcePupil], at: str) -> None:
    """Link the pupils, given by their names, with the children who were added for them."""
    added = Child.objects.filter(school_class=school_class, created_at=datetime.fromisoformat(at))
    for child in added.filter(name__in=new):
        _link_child(new[child.name], str(child.pk))


def question_count(school_class: SchoolClass, by: User) -> int:
    """The number of questions about the class that wait for its teachers."""
    rows = SourcePupil.objects.filter(source_class__school_class=school_class, is_left_out=False)
    settled = rows.filter(is_here=True, name=F("known_name"), child__school_class=school_class)
    if not rows.exclude(pk__in=settled).exists():
        return 0
    source = RosterSource.objects.get(classes__school_class=school_class)
    compared = changes_of(source, school_class, movable_to(school_class, by))
    return sum(len(changes.questions) for changes in compared)
