"""What a teacher does about tables (`tables`): ends and restores them, and removes children."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from classrooms.assignments.table_offers import chairs_of
from classrooms.assignments.tables import ChairTaken, take_own_seat
from classrooms.locks import Changed, lock
from classrooms.models import Attempt, Chair, Child, GameTable, SchoolClass
from games.play import shared_table


def end(table: GameTable) -> None:
    """End a table, so that no child can sit there any more. Its children return to their own pages.
    The match stays as it is, so that the table can be restored."""
    with _lock_with_children(table) as children:
        GameTable.objects.filter(pk=table.pk, ended_at=None).update(ended_at=timezone.now())
        _send_off(table, *children)
        Chair.objects.filter(table=table).update(seen_at=None)


def bring_back(school_class: SchoolClass, table_id: UUID) -> None:
    """Undo `end`: the children can go on. Raises `Changed` if the table is gone."""
    with lock(school_class):
        if not GameTable.objects.filter(pk=table_id).update(ended_at=None):
            raise Changed


def take_off(
    child: Child, table: GameTable, to: UUID | None = None, *, to_new: bool = False
) -> None:
    """Take a child off a table; a bot plays on. With `to` or `to_new`, keep a chair for them at
    another table; there they sit at once if neither match has begun. Raises `ChairTaken`."""
    with _lock_with_children(table):
        chair = Chair.objects.filter(table=table, child=child).first()
        if chair is None:
            raise Changed
        _send_off(table, child)
        Chair.objects.filter(table=table, child=child).delete()
        if table.game_id is None and not table.chairs_taken.filter(seen_at__isnull=False).exists():
            GameTable.objects.filter(pk=table.pk, game=None).delete()
        if to is None and not to_new:
            return
        open_tables = GameTable.objects.filter(assignment=table.assignment, ended_at=None)
        seen_at = timezone.now() if chair.seen_at else None
        others = open_tables.exclude(pk=table.pk).select_related("game")
        target = others.filter(pk=to).first() if to else None
        if to_new:
            target = open_tables.create(assignment=table.assignment, opened_at=timezone.now())
        if target and target.game:
            take_own_seat(child, target.game)
            shared_table.leave(target.game.pk, child.player)
            seen_at = None
        elif target is None or target.chairs_taken.count() >= chairs_of(table.assignment):
            raise ChairTaken
        Chair.objects.update_or_create(table=target, child=child, defaults={"seen_at": seen_at})


def other_tables(table: GameTable) -> QuerySet[GameTable]:
    """The other tables of the assignment where a child can be given a chair: tables that wait, and
    tables where they can have the seat of a bot."""
    tables = GameTable.objects.filter(~Q(pk=table.pk), assignment=table.assignment, ended_at=None)
    seats = shared_table.seats_to_take().filter(game=OuterRef("game"))
    return tables.filter(Q(game=None) | Exists(seats)).select_related("assignment", "game")


def seat_again(school_class: SchoolClass, child_id: UUID, table_id: UUID) -> Child:
    """Undo `take_off`: the child can go on with the match. Return the child. Raises `Changed` if
    the table is gone or the child has left the class."""
    with lock(school_class):
        attempts = Attempt.objects.filter(child=child_id, game__table=table_id)
        child = school_class.children.filter(pk__in=attempts.values("child")).first()
        if child is None:
            raise Changed
        with lock(child):
            moved_to = Attempt.objects.filter(child=child, game=OuterRef("table__game"))
            Chair.objects.filter(~Exists(moved_to), child=child).delete()
            Chair.objects.get_or_create(table_id=table_id, child=child)
    return child


def _send_off(table: GameTable, *children: Child) -> None:
    if table.game_id and children:
        players = [child.player for child in children]
        shared_table.leave(table.game_id, *players)
        Child.objects.filter(player__in=players, last_game=table.game_id).update(last_game=None)


@contextmanager
def _lock_with_children(table: GameTable) -> Iterator[list[Child]]:
    """Lock the class and the children of a table, and read the table again."""
    with lock(table.assignment.school_class):
        try:
            table.refresh_from_db(fields=("game", "ended_at"))
        except GameTable.DoesNotExist:
            raise Changed from None
        children = Child.all_objects.filter(chairs__table=table)
        with lock(*children) as locked:
            yield list(locked)
