"""Tables at which children of a class play an assigned game together.

A child sits down at a table that waits, or opens one. The match begins after a minute, or as soon
as all chairs are taken; bots take the empty chairs, until a classmate comes late. If children may
choose where to sit, at most one table of an assignment has a free chair: so nobody chooses between
classmates, and nothing shows who stayed away. Acts lock the class first, then the children.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import (
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
)
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext

from classrooms.assignments import playing
from classrooms.assignments.audience import assigned_now, groups_of, members
from classrooms.assignments.pace import pace_at, ratings_of, rules_for
from classrooms.assignments.playing import bot_seats, face_of, hint_steps_for
from classrooms.locks import ActRefused, Changed, ensure_in_class, lock
from classrooms.models import (
    Assignment,
    Attempt,
    Chair,
    Child,
    ChildSession,
    GameTable,
    SchoolClass,
    Seating,
)
from games.models import Game, Seat
from games.play import services as play
from games.play import tables as game_tables
from games.play.services import NewSeat
from games.screen.player_faces import HATS, PLAIN
from games.screen.words import listed

MOST_CHAIRS: Final = 4
WAIT: Final = timedelta(seconds=60)
"""How long a table waits for more children before bots take the empty chairs."""
SEEN_FOR: Final = timedelta(seconds=60)
"""A child who waits at a table but was not seen there for this long has left it."""
KEPT_FOR: Final = timedelta(seconds=20)
"""The shortest time that a new table waits while a chair is kept for somebody who has played the
last match with a child there."""
SEEN_EVERY: Final = timedelta(seconds=10)
"""A child's presence is stored at most this often."""
PRESENT_WITHIN: Final = timedelta(minutes=10)
"""A child whose device was active within this time may be given a chair."""
PLAYING_WITHIN: Final = timedelta(minutes=2)
"""A child who moved in a game within this time is playing it."""
NEAR_RATING: Final = 150.0
"""The largest difference between the ratings of children of about equal strength; the stronger one
then wins 7 of 10 rounds."""


class ChairTaken(ActRefused):
    """Somebody else has taken the last chair, or the match there has begun."""

    def __init__(self) -> None:
        text = gettext("No chair is free at that table any more. Here is how it is now.")
        super().__init__(text)


class TableEnded(ActRefused):
    """A teacher has ended the table, or removed the child from it while the others `go_on`. `sits`:
    whether the child now has a chair elsewhere."""

    def __init__(self, *, go_on: bool = False, sits: bool = False) -> None:
        text = gettext("Your teacher has ended this table. Here are your games.")
        if go_on:
            text = gettext("Your teacher has taken you off this table. Here are your games.")
        if sits:
            text = gettext("Your chair is now at another table.")
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a child can do at the tables of an assignment: go on where they sit or play (`is_own`),
    sit down at the `table` where `others` are, or open a table (`table` is None)."""

    table: UUID | None = None
    others: Sequence[Child] = ()
    is_own: bool = False
    is_again: bool = False
    """Whether the others have just played with the child, and wait for another match."""

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
    is_on = assignment.chairs > 1 or child.school_class.has_tables
    return is_on and child.tables and not assignment.is_one_deal


def chairs_of(assignment: Assignment) -> int:
    """How many children can sit at one of its tables."""
    chosen = assignment.chairs if assignment.chairs > 1 else MOST_CHAIRS
    return min(chosen, assignment.ruleset.most_players)


# What a child sees of the tables.


def offers(child: Child, assignments: Collection[Assignment]) -> Mapping[UUID, Offer]:
    """What the child can do at tables, by assignment that they may play there. Two queries."""
    where = {assigned.pk: assigned for assigned in assignments if may_meet(child, assigned)}
    if not where:
        return {}
    own = Q(chairs_taken__child=child, game__finished_at=None)
    tables = _open_tables(where).filter(Q(game=None) | own).distinct()
    now, found = timezone.now(), dict.fromkeys(where, Offer())
    for table in sorted(tables, key=lambda table: _has_chair(child, table)):
        table.assignment = where[table.assignment_id]
        if offer := _offer(child, table, now):
            found[table.assignment_id] = offer
    return found


def _has_chair(child: Child, table: GameTable) -> bool:
    return any(chair.child_id == child.pk for chair in table.chairs_taken.all())


def _offer(child: Child, table: GameTable, now: datetime) -> Offer | None:
    """What the child can do at this table; None if nothing."""
    has_chair = _has_chair(child, table)
    others = [other for other in waiting_at(table, now) if other.pk != child.pk]
    if table.game_id:
        mates = [mate for mate in present(table) if mate.pk != child.pk]
        return Offer(table.pk, mates, is_own=True) if has_chair else None
    if any(
        chair.child_id == child.pk and is_waiting(chair, now) for chair in table.chairs_taken.all()
    ):
        return Offer(table.pk, others, is_own=True)
    if not others or not (has_chair or len(table.chairs_taken.all()) < chairs_of(table.assignment)):
        return None
    if not (has_chair or table.assignment.seating == Seating.OPEN):
        return None
    last = {other.last_game_id for other in others} - {None}
    return Offer(table.pk, others, is_again=child.last_game_id in last)


def waiting_at(table: GameTable, now: datetime) -> list[Child]:
    """The children at a table whose match has not begun, in the order in which they came."""
    return [chair.child for chair in table.chairs_taken.all() if is_waiting(chair, now)]


def present(table: GameTable) -> list[Child]:
    """The children at a table who are still in the class; before the match, those who wait."""
    if table.game_id is None:
        return waiting_at(table, timezone.now())
    school_class = table.assignment.school_class_id
    chairs = [chair.child for chair in table.chairs_taken.all()]
    return [c for c in chairs if c.removed_at is None and c.school_class_id == school_class]


def expected_at(table: GameTable) -> list[Child]:
    """The children for whom a chair is kept at a table whose match has not begun."""
    chairs = table.chairs_taken.all() if table.game_id is None else ()
    return [chair.child for chair in chairs if chair.seen_at is None]


def has_just_ended(child: Child, now: datetime) -> bool:
    """Whether a teacher has just ended the table at which the child waited."""
    ended = Q(table__game=None, table__ended_at__gt=now - SEEN_FOR)
    return Chair.objects.filter(ended, child=child).exists()


def may_begin(table: GameTable, now: datetime) -> bool:
    """Whether a child at a waiting table may begin the match."""
    chairs = table.chairs_taken.all()
    kept = {chair.child.last_game_id for chair in chairs if chair.seen_at is None} - {None}
    last = {chair.child.last_game_id for chair in chairs if chair.seen_at}
    return not kept & last or now >= table.opened_at + KEPT_FOR


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
    return _with_chairs(tables).first()


class _ChairRow(NamedTuple):
    pk: int
    child: UUID
    last_game: UUID | None
    seen_at: datetime | None
    table: UUID
    game: UUID | None
    opened_at: datetime


def waiting_mark(child: Child, now: datetime) -> str:
    """A short text that changes whenever the child's own table changes, or a table at which they
    could sit down. One query."""
    plays = Q(child=child, table__game__isnull=False, table__game__finished_at=None)
    there = Chair.objects.filter(
        plays | Q(table__game=None),
        table__assignment__school_class=child.school_class_id,
        table__ended_at=None,
    ).order_by("pk")
    columns = ("pk", "child", "child__last_game", "seen_at")
    of_table = ("table", "table__game", "table__opened_at")
    rows = list(map(_ChairRow._make, there.values_list(*columns, *of_table)))
    # In Python, because each open page asks this every few seconds, and a subquery takes longer.
    kept_for = {(row.table, row.last_game) for row in rows if row.last_game and not row.seen_at}
    chairs, is_at_table = [], False
    for row in rows:
        if row.game or (row.seen_at and row.seen_at > now - SEEN_FOR):
            sits, is_kept = row.child == child.pk, (row.table, row.last_game) in kept_for
            may_begin = now >= row.opened_at + WAIT
            must_wait = is_kept and now < row.opened_at + KEPT_FOR
            chairs.append(f"{row.pk} {row.game or (sits and (may_begin, must_wait))}")
            is_at_table |= sits
    text = f"{is_at_table} {chairs}"
    return salted_hmac("classrooms.tables", text).hexdigest()[:12] if chairs else "-"


def note_seen(child: Child, now: datetime) -> None:
    """Store that the child is still at the table where they wait."""
    sits = Chair.objects.filter(child=child, seen_at__lt=now - SEEN_EVERY, table__game=None)
    sits.filter(seen_at__isnull=False).update(seen_at=now)


# Sitting down, beginning, and getting up.


def sit(child: Child, assignment_id: UUID, wanted: UUID | None = None) -> GameTable | Game:
    """Let the child sit down: where their unfinished match is, at the table `wanted`, or wherever a
    chair is free. Returns the table, or the child's game if that begins now. Raises `ChairTaken` if
    the chair is no longer free, and `Changed` if the child cannot play the assignment."""
    now = timezone.now()
    with lock(child.school_class) as (school_class,):
        assignment = _assignment_to_play(child, assignment_id, school_class)
        tables = _tables(assignment, child)
        if any(_is_deserted(table, now) for table in tables):
            _delete_deserted(school_class, now)
            tables = _tables(assignment, child)
        chosen = _free_table(child, assignment, tables, wanted)
        sitting = [] if chosen is None or chosen.game_id else waiting_at(chosen, now)
        with lock(child, *sitting) as (child, *_sitting):
            _ensure_may_meet(child, assignment)
            get_up_everywhere(child, now, except_for=chosen)
            table = chosen or _new_table(child, assignment, now)
            Chair.objects.bulk_create(  # In one query, where update_or_create takes six.
                [Chair(table=table, child=child, seen_at=now)],
                update_conflicts=True,
                unique_fields=("table", "child"),
                update_fields=("seen_at",),
            )
            _tell_last_table(child)
            if table.game:
                _take_own_seat(child, table.game)
                Child.objects.filter(pk=child.pk).update(last_game=table.game)
                Attempt.objects.get_or_create(assignment=assignment, child=child, game=table.game)
                own = Seat.objects.filter(game=table.game, player=child.player)
                own.update(hint_steps=hint_steps_for(child, assignment))
                return table.game
            taken = {mate.pk for mate in sitting} | {child.pk}
            if len(taken) >= chairs_of(assignment) or not assignment.waits:
                return _begin_match(table, assignment, now)
    return table


def begin(child: Child, *, if_due: bool = False) -> Game | None:
    """Begin the match at the table where the child waits, if it `may_begin`; with `if_due`, only
    after the wait. Returns None if it does not begin or the child waits at no table."""
    now = timezone.now()
    with lock(child.school_class) as (school_class,):
        table = table_of(child)
        if table is None:
            return None
        if table.game:
            return table.game
        if not may_begin(table, now) or (if_due and not is_due(table, now)):
            return None
        with lock(child, *waiting_at(table, now)) as (child, *_others):
            assignment = _assignment_to_play(child, table.assignment_id, school_class)
            _ensure_may_meet(child, assignment)
            Chair.objects.filter(table=table, child=child).update(seen_at=now)
            return _begin_match(table, assignment, now)


def get_up(child: Child) -> None:
    """Let the child get up from their table. In a match, a bot plays for them until they come
    back."""
    with lock(child.school_class, child) as (_class, child):
        get_up_everywhere(child, timezone.now())


def get_up_for_leaving_class(children: Iterable[Child]) -> None:
    """Let locked children who leave the class get up. Bots play for them; if the children come
    back, they can go on."""
    now = timezone.now()
    for child in children:
        get_up_everywhere(child, now)
        Chair.objects.filter(child=child, table__game=None).delete()


def get_up_everywhere(child: Child, now: datetime, *, except_for: GameTable | None = None) -> None:
    """Let a locked child get up from every table but `except_for`."""
    seat = Seat.objects.filter(game=OuterRef("table__game"), player=child.player, away=None)
    sits = Chair.objects.filter(Q(seen_at__isnull=False) | Exists(seat), child=child)
    for chair in sits.select_related("table"):
        if except_for and chair.table_id == except_for.pk:
            continue
        if chair.table.game_id is None:
            _tell_last_table(child)
            chair.delete()
            if not Chair.objects.filter(table=chair.table_id, seen_at__isnull=False).exists():
                chair.table.delete()
            continue
        Chair.objects.filter(pk=chair.pk).update(seen_at=None)
        game_tables.leave(chair.table.game_id, child.player)


def _tell_last_table(*children: Child) -> None:
    """Have the pages that still show the end of the children's last match look again, because these
    say who waits for another one."""
    last = {child.last_game_id for child in children if child.last_game_id}
    ended = Game.objects.filter(pk__in=last, finished_at__isnull=False)
    ended.update(news=F("news") + 1)


def is_barred(child: Child, game_id: UUID) -> bool:
    """Whether a teacher has removed the child from the table of this game or, while it is played,
    has ended the table or moved the child to another class."""
    own = GameTable.objects.filter(game=game_id, game__seats__player=child.player)
    goes_on = Q(ended_at=None, assignment__school_class=child.school_class_id)
    open_to = goes_on | Q(game__finished_at__isnull=False)
    return own.exists() and not own.filter(open_to, chairs_taken__child=child).exists()


def _with_chairs(tables: QuerySet[GameTable]) -> QuerySet[GameTable]:
    return tables.prefetch_related(Prefetch("chairs_taken", Chair.objects.select_related("child")))


def _open_tables(assignments: Iterable[UUID]) -> QuerySet[GameTable]:
    return _with_chairs(GameTable.objects.filter(assignment__in=list(assignments), ended_at=None))


def _tables(assignment: Assignment, child: Child) -> list[GameTable]:
    """The tables of the assignment that wait, and those where the child sits, the child's match
    first."""
    own = Q(chairs_taken__child=child, game__finished_at=None)
    found = _open_tables([assignment.pk]).filter(Q(game=None) | own).distinct()
    tables = found.select_related("game").defer("game__snapshot")
    return sorted(tables, key=lambda table: (table.game_id is None, not _has_chair(child, table)))


def _is_deserted(table: GameTable, now: datetime) -> bool:
    """Whether nobody waits at a table whose match has not begun, or somebody waits no more."""
    came = [chair for chair in table.chairs_taken.all() if chair.seen_at]
    return table.game_id is None and len(waiting_at(table, now)) < max(len(came), 1)


def _delete_deserted(school_class: SchoolClass, now: datetime) -> None:
    """Delete the chairs of children of a locked class who wait there no more, and the tables where
    nobody waits."""
    waiting = GameTable.objects.filter(assignment__school_class=school_class, game=None)
    gone = Chair.objects.filter(table__in=waiting, seen_at__lte=now - SEEN_FOR)
    gone.delete()
    waiting.exclude(chairs_taken__seen_at__isnull=False).delete()


def _assignment_to_play(child: Child, key: UUID, school_class: SchoolClass) -> Assignment:
    """The assignment with this key as it is now, if the child of this locked class has it today."""
    found = assigned_now(child).filter(pk=key).first()
    if school_class.archived_at or found is None:
        raise Changed
    found.school_class = school_class
    return found


def _ensure_may_meet(child: Child, assignment: Assignment) -> None:
    """Raise `Changed` unless this locked child may play the assignment at a table."""
    child.school_class = assignment.school_class
    ensure_in_class(child.school_class, child)
    if not may_meet(child, assignment):
        raise Changed


def _free_table(
    child: Child, assignment: Assignment, tables: Sequence[GameTable], wanted: UUID | None
) -> GameTable | None:
    """The table for the child; None if they have to open one."""
    first = next((table for table in tables if _has_chair(child, table)), None)
    if first and wanted in (None, first.pk):
        return first
    size = chairs_of(assignment)
    free = [table for table in tables if not table.game_id and len(table.chairs_taken.all()) < size]
    if wanted:
        for table in chain(free, _begun_tables(child, assignment)):
            if table.pk == wanted:
                return table
        raise ChairTaken
    if assignment.seating == Seating.OPEN:
        return free[0] if free else None
    return _nearest(child, assignment, free) or _nearest(
        child, assignment, list(_begun_tables(child, assignment))
    )


def _begun_tables(child: Child, assignment: Assignment) -> Iterator[GameTable]:
    """The tables of the assignment where the child, who comes late, can have the seat of a bot.
    Reads nothing before the first is taken."""
    seats = game_tables.seats_to_take().filter(game=OuterRef("game"))
    tables = _open_tables([assignment.pk]).filter(Exists(seats))
    own = tables.filter(game__seats__player=child.player)
    yield from tables.exclude(pk__in=own).select_related("game")


def _take_own_seat(child: Child, game: Game) -> None:
    """Give a locked child who comes late a seat in the match, if they have none there yet. Raises
    `ChairTaken`."""
    if game.seats.filter(player=child.player).exists():
        return
    taken = game.seats.values_list("face", flat=True)
    face = _different_faces([child], taken)[child.pk]
    if not game_tables.take_seat(game.pk, child.player, child.name, face):
        raise ChairTaken


def _nearest(child: Child, assignment: Assignment, tables: Sequence[GameTable]) -> GameTable | None:
    """The one of these tables where only mates of the child sit, as near in strength as
    possible."""
    if not tables:
        return None
    mates = {mate.pk for mate in _mates(child, assignment)}
    near = [t for t in tables if all(chair.child_id in mates for chair in t.chairs_taken.all())]
    seated = {chair.child_id: chair.child for table in near for chair in table.chairs_taken.all()}
    strength = ratings_of([child, *seated.values()], assignment)

    def distance(table: GameTable) -> float:
        chairs = table.chairs_taken.all()
        return max(abs(strength[chair.child_id] - strength[child.pk]) for chair in chairs)

    if assignment.seating != Seating.GROUPS:
        near = [table for table in near if distance(table) <= NEAR_RATING]
    return min(near, key=distance, default=None)


def _mates(child: Child, assignment: Assignment) -> list[Child]:
    """The other children with whom this one may sit."""
    here = child.school_class.children.filter(tables=True).exclude(pk=child.pk)
    mates = members(assignment, here)
    if assignment.seating != Seating.GROUPS:
        return mates
    group = groups_of(child.school_class).filter(children=child).first()
    if group is None:
        in_one = set(groups_of(child.school_class).values_list("children", flat=True))
        return [mate for mate in mates if mate.pk not in in_one]
    of_group = set(group.children.values_list("pk", flat=True))
    return [mate for mate in mates if mate.pk in of_group]


def _new_table(child: Child, assignment: Assignment, now: datetime) -> GameTable:
    """A new table, with chairs for mates who are present. If children choose, these are the mates
    who still look at the end of the match that they have played with this child."""
    is_open = assignment.seating == Seating.OPEN
    keeps = not is_open or child.last_game_id is not None
    if keeps:
        _delete_deserted(child.school_class, now)
    table = GameTable.objects.create(assignment=assignment, opened_at=now)
    if not keeps:
        return table
    mates = {mate.pk: mate for mate in _mates(child, assignment)}
    if is_open:
        mates = {mate.pk: mate for mate in _still_at_the_end([child], mates.values(), now)}
    present = ChildSession.objects.filter(
        child__in=mates, seen_at__gt=now - PRESENT_WITHIN, ends_at__gt=now
    )
    keys = set(present.values_list("child", flat=True))
    keys -= set(Chair.objects.filter(_is_taken(), child__in=keys).values_list("child", flat=True))
    plays = Child.objects.filter(pk__in=keys, last_game__moved_at__gt=now - PLAYING_WITHIN)
    keys -= set(plays.filter(last_game__finished_at=None).values_list("pk", flat=True))
    free = [mates[key] for key in keys]
    if not free:
        return table
    strength = ratings_of([child, *free], assignment)
    free.sort(key=lambda mate: (abs(strength[mate.pk] - strength[child.pk]), mate.pk))
    if assignment.seating == Seating.LEVEL:
        own = strength[child.pk]
        free = [mate for mate in free if abs(strength[mate.pk] - own) <= NEAR_RATING]
    chairs = [Chair(table=table, child=mate) for mate in free[: chairs_of(assignment) - 1]]
    Chair.objects.bulk_create(chairs)
    return table


def _is_taken() -> Q:
    """The condition that a chair is taken: the child sits there, perhaps in a match, or it is kept
    for them at a waiting table."""
    plays = Q(seen_at__isnull=False, table__game__finished_at=None)
    return plays | Q(table__game=None, table__ended_at=None)


def _begin_match(table: GameTable, assignment: Assignment, now: datetime) -> Game:
    """Begin the match with the locked children who are present, and bots in the empty chairs and in
    those of the late children until they come."""
    children, late = _present_and_expected(table, assignment, now)
    seated = [*children, *late]
    for child in seated:
        child.school_class = assignment.school_class
    seats = assignment.chairs if assignment.chairs > 1 else assignment.bots + 1
    seats = min(seats, assignment.ruleset.most_players)
    bots = max(0 if len(seated) > 1 else 1, seats - len(seated))
    if len(seated) == 1:
        table.delete()
        return playing.begin_alone(children[0], assignment, bots=bots)
    ruleset = rules_for(children, assignment, len(seated) + bots)
    weakest = min(ratings_of(children, assignment).values())
    pace = pace_at(weakest, ruleset, assignment.bot, kind=assignment.kind, focus=assignment.focus)
    faces = _different_faces(seated)
    hints = {child.pk: hint_steps_for(child, assignment) for child in seated}
    new = [
        NewSeat(child.player, name=child.name, face=faces[child.pk], hint_steps=hints[child.pk])
        for child in seated
    ]
    game = play.start(
        ruleset,
        [*new, *bot_seats(bots, pace.bot, " ".join(faces.values()))],
        hint_steps=max(hints.values()),
        kindness=pace.kindness,
        missed_rows=assignment.missed_rows,
        answer_seconds=assignment.answer_seconds,
        turn_seconds=assignment.turn_seconds,
    )
    Attempt.objects.bulk_create(
        Attempt(assignment=assignment, child=child, game=game) for child in children
    )
    GameTable.objects.filter(pk=table.pk).update(game=game)
    _tell_last_table(*children)
    Child.objects.filter(pk__in=[child.pk for child in children]).update(last_game=game)
    table.chairs_taken.exclude(child__in=seated).delete()
    for child in late:
        game_tables.leave(game.pk, child.player)
    return game


def _present_and_expected(
    table: GameTable, assignment: Assignment, now: datetime
) -> tuple[list[Child], list[Child]]:
    """The children who are present, and those who have a seat although they are not: who still look
    at the end of their match with these children, and for whom the teacher has kept a chair."""
    chairs = list(table.chairs_taken.select_related("child"))
    present = [chair.child for chair in chairs if is_waiting(chair, now)]
    expected = [chair.child for chair in chairs if chair.child not in present]
    late = _still_at_the_end(present, expected, now)
    if assignment.seating == Seating.OPEN:
        # A child who was taken off a table for this chair sits at none.
        kept = [chair.child for chair in chairs if chair.seen_at is None]
        late += [child for child in kept if child.last_game_id is None]
    return present, late


def _different_faces(seated: Sequence[Child], taken: Iterable[str] = ()) -> dict[UUID, str]:
    """The face of each child, at a table where others have the faces `taken`. Of those who have not
    dressed theirs, all but the first get a hat that nobody else has, as long as there are hats."""
    faces = {child.pk: face_of(child) for child in seated}
    plain = [child for child in seated if not child.face]
    hats = [PLAIN.changed("hat", hat).text for hat in HATS]
    free = [face for face in hats if face not in {*faces.values(), *taken}]
    first = int(PLAIN.text not in taken)
    for child, face in zip(plain[first:], free, strict=False):
        faces[child.pk] = child.face = face
    Child.objects.bulk_update(plain[first:], ["face"])
    return faces


def _still_at_the_end(
    children: Sequence[Child], others: Iterable[Child], now: datetime
) -> list[Child]:
    """The children among the others who still look at the end of a match that they have played with
    one of these children."""
    last = {child.last_game_id for child in children} - {None}
    here = Seat.objects.filter(game__in=last, away=None, here_until__gt=now)
    looks = set(here.filter(game__finished_at__isnull=False).values_list("player", flat=True))
    return [other for other in others if other.last_game_id in last and other.player in looks]


# A teacher ends and restores tables, and removes children from them.


def end(table: GameTable) -> None:
    """End a table: no child can sit there any more, and its children return to their own page. The
    match stays as it is, so that the table can be restored."""
    with _lock_with_children(table) as children:
        GameTable.objects.filter(pk=table.pk, ended_at=None).update(ended_at=timezone.now())
        for child in children:
            _send_off(child, table)
        Chair.objects.filter(table=table).update(seen_at=None)


def bring_back(table: GameTable) -> None:
    """Undo `end`: the children can go on with their match."""
    with lock(table.assignment.school_class):
        GameTable.objects.filter(pk=table.pk).update(ended_at=None)


def take_off(child: Child, table: GameTable, to: UUID | None = None) -> None:
    """Remove a child from a table; a bot plays on for them. With `to`, give them a chair at that
    one of the `other_tables`: where nobody has begun, at once if they had sat down, or else it is
    kept for them. Raises `ChairTaken` if the table has none left."""
    with _lock_with_children(table):
        own = Chair.objects.filter(table=table, child=child).first()
        if own is None:
            raise Changed
        _send_off(child, table)
        Chair.objects.filter(table=table, child=child).delete()
        if table.game_id is None and not table.chairs_taken.filter(seen_at__isnull=False).exists():
            GameTable.objects.filter(pk=table.pk, game=None).delete()
        if to is None:
            return
        others = GameTable.objects.filter(assignment=table.assignment, ended_at=None)
        other = others.exclude(pk=table.pk).filter(pk=to).select_related("game").first()
        seen_at = timezone.now() if own.seen_at else None
        if other and other.game:
            _take_own_seat(child, other.game)
            game_tables.leave(other.game.pk, child.player)
            seen_at = None
        elif other is None or other.chairs_taken.count() >= chairs_of(table.assignment):
            raise ChairTaken
        Chair.objects.update_or_create(table=other, child=child, defaults={"seen_at": seen_at})


def other_tables(table: GameTable) -> QuerySet[GameTable]:
    """The other tables of the assignment where a child can be given a chair: those that wait, and
    those where a bot has a seat for them."""
    others = GameTable.objects.filter(assignment=table.assignment, ended_at=None).exclude(
        pk=table.pk
    )
    seats = game_tables.seats_to_take().filter(game=OuterRef("game"))
    return others.filter(Q(game=None) | Exists(seats)).select_related("assignment", "game")


def seat_again(school_class: SchoolClass, child_id: UUID, table_id: UUID) -> Child:
    """Undo `take_off`: the child can go on with the match. Returns the child. Raises `Changed` if
    the table is gone, or the child has left the class."""
    with lock(school_class):
        played = Attempt.objects.filter(child=child_id, game__table=table_id)
        child = school_class.children.filter(pk__in=played.values("child")).first()
        if child is None:
            raise Changed
        with lock(child):
            moved_to = Attempt.objects.filter(child=child, game=OuterRef("table__game"))
            Chair.objects.filter(~Exists(moved_to), child=child).delete()
            Chair.objects.get_or_create(table_id=table_id, child=child)
    return child


def _send_off(child: Child, table: GameTable) -> None:
    if table.game_id:
        game_tables.leave(table.game_id, child.player)
        Child.objects.filter(pk=child.pk, last_game=table.game_id).update(last_game=None)


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
