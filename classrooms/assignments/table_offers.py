"""What a child sees of tables of several children (`tables`), and who waits there."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext

from classrooms.models import Assignment, Chair, Child, GameTable, Seating
from games.screen.words import listed

MOST_CHAIRS: Final = 4

WAIT: Final = timedelta(seconds=60)
"""How long a table waits for more children before bots take the empty chairs."""

SEEN_FOR: Final = timedelta(seconds=60)
"""A child who has not been seen at a waiting table for this long has left it."""

OTHERS_COME_WITHIN: Final = timedelta(seconds=20)
"""For how long nobody can begin the match at a new table with a free chair, so that others who see
that somebody waits there can come."""

SEEN_EVERY: Final = timedelta(seconds=10)
"""A child's presence is stored at most this often."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a child can do at the tables of an assignment: go on where they sit or play (`is_own`),
    sit down at the `table` where `others` are, or open a table (`table` is None)."""

    table: UUID | None = None
    others: Sequence[Child] = ()
    is_own: bool = False
    is_again: bool = False  # whether they have just played with the child, and want another match

    @property
    def words(self) -> str:
        """Who is at the table, in words."""
        names = {"names": listed([child.name for child in self.others])}
        if self.is_own:
            return gettext("Your table with %(names)s") % names
        text = ngettext("%(names)s is waiting", "%(names)s are waiting", len(self.others))
        if self.is_again:
            text = ngettext(
                "%(names)s waits for another game: come along",
                "%(names)s wait for another game: come along",
                len(self.others),
            )
        return text % names


def may_meet(child: Child, assignment: Assignment) -> bool:
    """Whether this child may play the assignment at a table."""
    is_on = assignment.chairs > 1 or child.school_class.may_sit_at_tables
    return is_on and child.may_sit_at_tables and not assignment.is_one_deal


def chairs_of(assignment: Assignment) -> int:
    """How many children can sit at one of its tables."""
    chair_count = assignment.chairs if assignment.chairs > 1 else MOST_CHAIRS
    return min(chair_count, assignment.ruleset.most_players)


def offers(child: Child, assignments: Collection[Assignment]) -> Mapping[UUID, Offer]:
    """What the child can do at tables, by assignment that they may play there. Two queries."""
    by_key = {assigned.pk: assigned for assigned in assignments if may_meet(child, assigned)}
    if not by_key:
        return {}
    now, offer_of = timezone.now(), dict.fromkeys(by_key, Offer())
    for table in sorted(tables_for(child, by_key), key=lambda table: has_chair(child, table)):
        table.assignment = by_key[table.assignment_id]
        if offer := _offer(child, table, now):
            offer_of[table.assignment_id] = offer
    return offer_of


def has_chair(child: Child, table: GameTable) -> bool:
    return any(chair.child_id == child.pk for chair in table.chairs_taken.all())


def _offer(child: Child, table: GameTable, now: datetime) -> Offer | None:
    """What the child can do at this table; None if nothing."""
    has_own_chair = has_chair(child, table)
    children = [other for other in waiting_at(table, now) if other.pk != child.pk]
    if table.game_id:
        mates = [mate for mate in present(table) if mate.pk != child.pk]
        return Offer(table.pk, mates, is_own=True) if has_own_chair else None
    if any(
        chair.child_id == child.pk and is_waiting(chair, now) for chair in table.chairs_taken.all()
    ):
        return Offer(table.pk, children, is_own=True)
    is_full = len(table.chairs_taken.all()) >= chairs_of(table.assignment)
    is_choosable = table.assignment.seating == Seating.OPEN and not is_full
    if not children or not (has_own_chair or is_choosable):
        return None
    last = {other.last_game_id for other in children} - {None}
    return Offer(table.pk, children, is_again=child.last_game_id in last)


def waiting_at(table: GameTable, now: datetime) -> list[Child]:
    """The children at a table whose match has not begun, in the order in which they came."""
    return [chair.child for chair in table.chairs_taken.all() if is_waiting(chair, now)]


def present(table: GameTable) -> list[Child]:
    """The children at a table who are still in the class; before the match, those who wait
    there."""
    if table.game_id is None:
        return waiting_at(table, timezone.now())
    school_class = table.assignment.school_class_id
    chairs = [chair.child for chair in table.chairs_taken.all()]
    return [c for c in chairs if c.removed_at is None and c.school_class_id == school_class]


def expected_at(table: GameTable) -> list[Child]:
    """The children for whom a chair is kept at a table whose match has not begun."""
    chairs = table.chairs_taken.all() if table.game_id is None else ()
    return [chair.child for chair in chairs if chair.is_kept]


def has_just_ended(child: Child, now: datetime) -> bool:
    """Whether a teacher has just ended the table at which the child waited."""
    has_ended = Q(table__game=None, table__ended_at__gt=now - SEEN_FOR)
    return Chair.objects.filter(has_ended, child=child).exists()


def seconds_to_begin(table: GameTable, now: datetime) -> int:
    """The seconds until a child at a waiting table may begin the match; 0 if they may now."""
    return max(0, ceil((table.opened_at + OTHERS_COME_WITHIN - now).total_seconds()))


def is_due(table: GameTable, now: datetime) -> bool:
    """Whether a waiting table has waited long enough for more children."""
    return now >= table.opened_at + WAIT


def is_waiting(chair: Chair, now: datetime) -> bool:
    return chair.seen_at is not None and chair.seen_at > now - SEEN_FOR


def table_of(child: Child) -> GameTable | None:
    """The table at which the child sits."""
    own = GameTable.objects.filter(
        chairs_taken__child=child, chairs_taken__seen_at__isnull=False, ended_at=None
    )
    tables = own.select_related("assignment", "game").defer("game__snapshot")
    return with_chairs(tables).first()


def lobby_version(child: Child, now: datetime) -> str:
    """A short text that changes whenever the child's own table changes, or one at which they could
    sit down. One query."""
    plays = Q(child=child, table__game__isnull=False, table__game__finished_at=None)
    chairs_there = Chair.objects.filter(
        plays | Q(table__game=None),
        table__assignment__school_class=child.school_class_id,
        table__ended_at=None,
    ).order_by("pk")
    columns = ("pk", "child", "seen_at", "table__game", "table__opened_at")
    chairs, is_at_table = [], False
    for row in chairs_there.values_list(*columns, named=True):
        if row.table__game or (row.seen_at and row.seen_at > now - SEEN_FOR):
            sits = row.child == child.pk
            waited = now - row.table__opened_at
            stage = sits and (waited >= OTHERS_COME_WITHIN, waited >= WAIT)
            chairs.append(f"{row.pk} {row.table__game or stage}")
            is_at_table |= sits
    text = f"{is_at_table} {chairs}"
    return salted_hmac("classrooms.tables", text).hexdigest()[:12] if chairs else "-"


def note_seen(child: Child, now: datetime) -> None:
    """Store that the child is still at the table where they wait."""
    sits = Chair.objects.filter(child=child, seen_at__lt=now - SEEN_EVERY, table__game=None)
    sits.filter(seen_at__isnull=False).update(seen_at=now)


def with_chairs(tables: QuerySet[GameTable]) -> QuerySet[GameTable]:
    return tables.prefetch_related(Prefetch("chairs_taken", Chair.objects.select_related("child")))


def open_tables(assignments: Iterable[UUID]) -> QuerySet[GameTable]:
    return with_chairs(GameTable.objects.filter(assignment__in=list(assignments), ended_at=None))


def tables_for(child: Child, assignments: Iterable[UUID]) -> QuerySet[GameTable]:
    """The tables of these assignments that wait, and those of the child's unfinished matches."""
    is_own = Q(chairs_taken__child=child, game__finished_at=None)
    return open_tables(assignments).filter(Q(game=None) | is_own).distinct()
