"""Tables at which children of a class play an assigned game together.

A child sits down at a table that waits, or opens one. The match begins after a minute, or as soon
as all chairs are taken. Bots take the empty chairs, until a classmate comes late. If children may
choose where to sit, at most one table of an assignment has a free chair, so that nobody chooses
between classmates and nothing shows who stayed away. Acts lock the class first, then the children.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext

from classrooms.assignments import playing
from classrooms.assignments.audience import current_assignments, groups_of, members
from classrooms.assignments.playing import (
    bot_seats,
    face_of,
    hint_steps_for,
    pace_at,
    ratings_of,
    rules_for,
)
from classrooms.assignments.table_offers import (
    SEEN_FOR,
    chairs_of,
    has_chair,
    is_due,
    is_waiting,
    may_meet,
    open_tables,
    seconds_to_begin,
    table_of,
    tables_for,
    waiting_at,
)
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
from games.play import shared_table, starting
from games.play.starting import NewSeat
from games.screen.player_faces import HATS, PLAIN_FACE

PRESENT_WITHIN: Final = timedelta(minutes=10)
"""A child whose device was active within this time may be given a chair."""
PLAYING_WITHIN: Final = timedelta(minutes=2)
"""A child who moved in a game within this time is playing it."""
NEAR_RATING: Final = 150.0
"""The largest difference between the ratings of children of about equal strength. At this
difference the stronger child wins 7 of 10 rounds."""


class ChairTaken(ActRefused):
    """Somebody else has taken the last chair, or the match there has begun."""

    def __init__(self) -> None:
        text = gettext("No chair is free at that table any more. Here is how it is now.")
        super().__init__(text)


class TableEnded(ActRefused):
    """The child no longer sits here: a teacher has ended the table, which has `reached` this, has
    taken the child off it (`go_on`), or has moved the child to another one (`sits`)."""

    def __init__(self, *, reached: str = "", go_on: bool = False, sits: bool = False) -> None:
        text = gettext("Your teacher has ended this table. Here are your games.")
        text = f"{text} {reached}".strip()
        if go_on:
            text = gettext("Your teacher asks you to choose another game. Here are your games.")
        if sits:
            text = gettext("Your teacher has moved you to another table. Go on together there.")
        super().__init__(text)


# Sitting down, beginning, and getting up.


def sit(child: Child, assignment_id: UUID, table_id: UUID | None = None) -> GameTable | Game:
    """Let the child sit down where their unfinished match is, at the table `table_id`, or wherever
    a chair is free. Return the table, or the game if the child can play at once. Raises
    `ChairTaken`, and `Changed` if the child cannot play the assignment."""
    now = timezone.now()
    with lock(child.school_class) as (school_class,):
        assignment = _assignment_to_play(child, assignment_id, school_class)
        tables = _remaining_tables(assignment, child, now)
        free_table = _free_table(child, assignment, tables, table_id)
        mates = [] if free_table is None or free_table.game_id else waiting_at(free_table, now)
        with lock(child, *mates) as (child, *_mates):
            _ensure_may_meet(child, assignment)
            get_up_everywhere(child, now, except_for=free_table)
            table = free_table or _new_table(child, assignment, now)
            _take_chair(child, table, now)
            if mates:
                _different_faces([*mates, child])
            if table.game:
                return _join_match(child, table.game, assignment)
            sitters = {*mates, child}
            waits = assignment.waits_for_classmates and len(sitters) < chairs_of(assignment)
            if not waits or _has_all_of_last_match(sitters, child):
                return _begin_match(table, assignment, now)
    return table


def _take_chair(child: Child, table: GameTable, now: datetime) -> None:
    Chair.objects.bulk_create(  # In one query, where update_or_create takes six.
        [Chair(table=table, child=child, seen_at=now)],
        update_conflicts=True,
        unique_fields=("table", "child"),
        update_fields=("seen_at",),
    )
    _refresh_last_table(child)


def _join_match(child: Child, game: Game, assignment: Assignment) -> Game:
    """Give a locked child, who has a chair, their seat in the match."""
    take_own_seat(child, game)
    Child.objects.filter(pk=child.pk).update(last_game=game)
    Attempt.objects.get_or_create(assignment=assignment, child=child, game=game)
    seats = Seat.objects.filter(game=game, player=child.player)
    seats.update(hint_steps=hint_steps_for(child, assignment))
    return game


def _has_all_of_last_match(sitters: Iterable[Child], child: Child) -> bool:
    """Whether all children with whom this child has played the last match want another one."""
    seats = Seat.objects.filter(game=child.last_game_id, player__isnull=False)
    players = set(seats.values_list("player", flat=True)) if child.last_game_id else set()
    return len(players) > 1 and players <= {sitter.player for sitter in sitters}


def begin(child: Child, *, if_due: bool = False) -> Game | None:
    """Begin the match at the table where the child waits, once it may begin; with `if_due`, only if
    it has waited long enough. Return the game; None if the match does not begin or the child waits
    at no table."""
    now = timezone.now()
    with lock(child.school_class) as (school_class,):
        table = table_of(child)
        if table is None:
            return None
        if table.game:
            return table.game
        if seconds_to_begin(table, now) or (if_due and not is_due(table, now)):
            return None
        with lock(child, *waiting_at(table, now)) as (child, *_mates):
            assignment = _assignment_to_play(child, table.assignment_id, school_class)
            _ensure_may_meet(child, assignment)
            Chair.objects.filter(table=table, child=child).update(seen_at=now)
            return _begin_match(table, assignment, now)


def get_up(child: Child) -> None:
    """Let the child get up from their table. In a match, a bot plays for them until they come back;
    at turn, they have a while to come back first."""
    with lock(child.school_class, child) as (_class, child):
        get_up_everywhere(child, timezone.now(), may_return=True)


def get_up_for_leaving_class(children: Iterable[Child]) -> None:
    """Let locked children who leave the class get up. Bots play for them. If the children come back
    to the class, they can go on."""
    now = timezone.now()
    for child in children:
        get_up_everywhere(child, now)
        Chair.objects.filter(child=child, table__game=None).delete()


def get_up_everywhere(
    child: Child, now: datetime, *, except_for: GameTable | None = None, may_return: bool = False
) -> None:
    """Let a locked child get up from every table but `except_for` (`may_return` as in
    `shared_table.leave`)."""
    seat = Seat.objects.filter(game=OuterRef("table__game"), player=child.player, away_since=None)
    sits = Chair.objects.filter(Q(seen_at__isnull=False) | Exists(seat), child=child)
    for chair in sits.exclude(table=except_for).select_related("table"):
        if chair.table.game_id is None:
            _refresh_last_table(child)
            chair.delete()
            if not Chair.objects.filter(table=chair.table_id, seen_at__isnull=False).exists():
                chair.table.delete()
            continue
        Chair.objects.filter(pk=chair.pk).update(seen_at=None)
        shared_table.leave(chair.table.game_id, child.player, may_return=may_return)


def _refresh_last_table(*children: Child) -> None:
    """Have the pages that still show the end of the children's last match reload, because these
    pages say who waits for another one."""
    last = {child.last_game_id for child in children if child.last_game_id}
    games = Game.objects.filter(pk__in=last, finished_at__isnull=False)
    games.update(news=F("news") + 1)


def is_barred(child: Child, game_id: UUID) -> bool:
    """Whether a teacher has removed the child from the table of this game or, while it is played,
    has ended the table or moved the child to another class."""
    tables = GameTable.objects.filter(game=game_id, game__seats__player=child.player)
    goes_on = Q(ended_at=None, assignment__school_class=child.school_class_id)
    open_to = goes_on | Q(game__finished_at__isnull=False)
    return tables.exists() and not tables.filter(open_to, chairs_taken__child=child).exists()


def _remaining_tables(assignment: Assignment, child: Child, now: datetime) -> list[GameTable]:
    """Delete the tables of the locked class where nobody waits any more. Return those of the
    assignment that wait, and those where the child sits; the child's match comes first."""
    tables = tables_for(child, [assignment.pk]).select_related("game").defer("game__snapshot")
    if any(_is_deserted(table, now) for table in tables):
        _delete_deserted(assignment.school_class, now)
        tables = tables.all()
    return sorted(tables, key=lambda table: (table.game_id is None, not has_chair(child, table)))


def _is_deserted(table: GameTable, now: datetime) -> bool:
    """Whether at a table whose match has not begun nobody waits, or somebody no longer waits."""
    chairs = [chair for chair in table.chairs_taken.all() if not chair.is_kept]
    return table.game_id is None and len(waiting_at(table, now)) < max(len(chairs), 1)


def _delete_deserted(school_class: SchoolClass, now: datetime) -> None:
    """Delete the chairs of children of a locked class who no longer wait there, and the tables
    where nobody waits."""
    tables = GameTable.objects.filter(assignment__school_class=school_class, game=None)
    chairs = Chair.objects.filter(table__in=tables, seen_at__lte=now - SEEN_FOR)
    chairs.delete()
    tables.exclude(chairs_taken__seen_at__isnull=False).delete()


def _assignment_to_play(child: Child, key: UUID, school_class: SchoolClass) -> Assignment:
    """The assignment with this key as it is now, if the child of this locked class has it today."""
    assignment = current_assignments(child).filter(pk=key).first()
    if school_class.archived_at or assignment is None:
        raise Changed
    assignment.school_class = school_class
    return assignment


def _ensure_may_meet(child: Child, assignment: Assignment) -> None:
    """Raise `Changed` unless this locked child may play the assignment at a table."""
    child.school_class = assignment.school_class
    ensure_in_class(child.school_class, child)
    if not may_meet(child, assignment):
        raise Changed


def _free_table(
    child: Child, assignment: Assignment, tables: Sequence[GameTable], table_id: UUID | None
) -> GameTable | None:
    """The table for the child; None if they have to open one."""
    first = next((table for table in tables if has_chair(child, table)), None)
    if first and table_id in (None, first.pk):
        return first
    size = chairs_of(assignment)
    free = [table for table in tables if not table.game_id and len(table.chairs_taken.all()) < size]
    if table_id:
        for table in chain(free, _begun_tables(child, assignment)):
            if table.pk == table_id:
                return table
        raise ChairTaken
    if assignment.seating == Seating.OPEN:
        return free[0] if free else _table_of_last_mates(child, assignment)
    return _nearest(child, assignment, free) or _nearest(
        child, assignment, list(_begun_tables(child, assignment))
    )


def _begun_tables(child: Child, assignment: Assignment, **where: object) -> Iterator[GameTable]:
    """The tables of the assignment where the child, who comes late, can have the seat of a bot. No
    query is made before the first of them is read."""
    seats = shared_table.seats_to_take().filter(game=OuterRef("game"))
    tables = open_tables([assignment.pk]).filter(Exists(seats), **where)
    own_tables = tables.filter(game__seats__player=child.player)
    yield from tables.exclude(pk__in=own_tables).select_related("game")


def _table_of_last_mates(child: Child, assignment: Assignment) -> GameTable | None:
    """A table whose match has begun, where a mate of the child's last match plays and the child can
    have the seat of a bot."""
    if child.last_game_id is None:
        return None
    last = Seat.objects.filter(game=child.last_game_id, player__isnull=False)
    games = Seat.objects.filter(player__in=last.values("player")).values("game")
    return next(_begun_tables(child, assignment, game__in=games), None)


def take_own_seat(child: Child, game: Game) -> None:
    """Give a locked child who comes late a seat in the match, if they have none there yet. Raises
    `ChairTaken`."""
    if game.seats.filter(player=child.player).exists():
        return
    face = _different_faces([child], game.seats.values_list("face", flat=True))[child.pk]
    if not shared_table.take_seat(game.pk, child.player, child.name, face):
        raise ChairTaken


def _nearest(child: Child, assignment: Assignment, tables: Sequence[GameTable]) -> GameTable | None:
    """The table whose children are nearest to the child in strength. Tables with a child who is no
    mate are left out, and (except for groups) tables farther than `NEAR_RATING`."""
    if not tables:
        return None
    mates = {mate.pk for mate in _mates(child, assignment)}
    nearby = [t for t in tables if all(chair.child_id in mates for chair in t.chairs_taken.all())]
    seated = {chair.child_id: chair.child for table in nearby for chair in table.chairs_taken.all()}
    strength = ratings_of([child, *seated.values()], assignment)

    def distance(table: GameTable) -> float:
        chairs = table.chairs_taken.all()
        return max(abs(strength[chair.child_id] - strength[child.pk]) for chair in chairs)

    if assignment.seating != Seating.GROUPS:
        nearby = [table for table in nearby if distance(table) <= NEAR_RATING]
    return min(nearby, key=distance, default=None)


def _mates(child: Child, assignment: Assignment) -> list[Child]:
    """The other children with whom this child may sit."""
    classmates = child.school_class.children.filter(may_sit_at_tables=True).exclude(pk=child.pk)
    mates = members(assignment, classmates)
    if assignment.seating != Seating.GROUPS:
        return mates
    group = groups_of(child.school_class).filter(children=child).first()
    if group is None:
        in_groups = set(groups_of(child.school_class).values_list("children", flat=True))
        return [mate for mate in mates if mate.pk not in in_groups]
    group_keys = set(group.children.values_list("pk", flat=True))
    return [mate for mate in mates if mate.pk in group_keys]


def _new_table(child: Child, assignment: Assignment, now: datetime) -> GameTable:
    """A new table, with chairs kept for mates who are present. If children choose where to sit,
    these are the mates who still look at the end of the match that they played with this child."""
    is_open = assignment.seating == Seating.OPEN
    keeps_chairs = not is_open or child.last_game_id is not None
    if keeps_chairs:
        _delete_deserted(child.school_class, now)
    table = GameTable.objects.create(assignment=assignment, opened_at=now)
    if not keeps_chairs:
        return table
    mates = {mate.pk: mate for mate in _mates(child, assignment)}
    if is_open:
        mates = {mate.pk: mate for mate in _still_looking([child], mates.values(), now)}
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
        own_rating = strength[child.pk]
        free = [mate for mate in free if abs(strength[mate.pk] - own_rating) <= NEAR_RATING]
    chairs = [Chair(table=table, child=mate) for mate in free[: chairs_of(assignment) - 1]]
    Chair.objects.bulk_create(chairs)
    return table


def _is_taken() -> Q:
    """The condition that a child sits on a chair, perhaps in a match, or that it is kept for them
    at a waiting table."""
    plays = Q(seen_at__isnull=False, table__game__finished_at=None)
    return plays | Q(table__game=None, table__ended_at=None)


def _begin_match(table: GameTable, assignment: Assignment, now: datetime) -> Game:
    """Begin the match with the locked children who are present. Bots take the empty chairs, and
    those that the teacher has kept until their children come."""
    children, expected = _present_and_expected(table, assignment, now)
    seated = [*children, *expected]
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
    pace = pace_at(
        weakest, ruleset, assignment.bot, kind=assignment.has_kind_deals, focus=assignment.focus
    )
    faces = _different_faces(seated)
    hints = {child.pk: hint_steps_for(child, assignment) for child in seated}
    new_seats = [
        NewSeat(child.player, name=child.name, face=faces[child.pk], hint_steps=hints[child.pk])
        for child in seated
    ]
    game = starting.start(
        ruleset,
        [*new_seats, *bot_seats(bots, pace.bot, " ".join(faces.values()))],
        after=[child.last_game_id for child in seated if child.last_game_id],
        hint_steps=max(hints.values()),
        kindness=pace.kindness,
        shows_missed_rows=assignment.shows_missed_rows,
        answer_seconds=assignment.answer_seconds,
        turn_seconds=assignment.turn_seconds,
    )
    Attempt.objects.bulk_create(
        Attempt(assignment=assignment, child=child, game=game) for child in children
    )
    GameTable.objects.filter(pk=table.pk).update(game=game)
    _refresh_last_table(*children)
    Child.objects.filter(pk__in=[child.pk for child in children]).update(last_game=game)
    table.chairs_taken.exclude(child__in=seated).delete()
    for child in expected:
        shared_table.leave(game.pk, child.player)
    return game


def _present_and_expected(
    table: GameTable, assignment: Assignment, now: datetime
) -> tuple[list[Child], list[Child]]:
    """The children who wait at the table, and those for whom the teacher keeps a chair there and
    who sit nowhere else."""
    chairs = list(table.chairs_taken.select_related("child"))
    present = [chair.child for chair in chairs if is_waiting(chair, now)]
    is_open = assignment.seating == Seating.OPEN
    kept_for = [chair.child for chair in chairs if is_open and chair.is_kept]
    return present, [child for child in kept_for if child.last_game_id is None]


def _different_faces(seated: Sequence[Child], faces_taken: Iterable[str] = ()) -> dict[UUID, str]:
    """The face of each child at a table where others have the faces `faces_taken`. Of the children
    with plain faces, all but the first get a hat that nobody else has, as long as there are
    hats."""
    faces = {child.pk: face_of(child) for child in seated}
    plain = [child for child in seated if not child.face]
    hats = [PLAIN_FACE.with_part("hat", hat).text for hat in HATS]
    free = [face for face in hats if face not in {*faces.values(), *faces_taken}]
    first = int(PLAIN_FACE.text not in faces_taken)
    for child, face in zip(plain[first:], free, strict=False):
        faces[child.pk] = child.face = face
    Child.objects.bulk_update(plain[first:], ["face"])
    return faces


def _still_looking(
    children: Sequence[Child], expected: Iterable[Child], now: datetime
) -> list[Child]:
    """The `expected` children who still have open the last page of a match that they played with
    one of `children`."""
    last = {child.last_game_id for child in children} - {None}
    seats_here = Seat.objects.filter(game__in=last, away_since=None, here_until__gt=now)
    looks = set(seats_here.filter(game__finished_at__isnull=False).values_list("player", flat=True))
    return [other for other in expected if other.last_game_id in last and other.player in looks]
