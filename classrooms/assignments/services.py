"""Assignments: making and ending them, and starting a child's game of one."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext

from classrooms.access import for_child
from classrooms.assignments.choice import SAME_EVERY_WEEK, Choice
from classrooms.bounds import LimitReached, room_for_assignment
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Attempt, Child, Group, SchoolClass, User
from games.bots import companion
from games.bots.characters import cast
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.hints import LAST_STEP
from games.coach.rating import START, Rating, Result, opponent_for, rated
from games.engine.ruleset import Ruleset
from games.models import Game, Seat
from games.play import guided_rounds, services
from games.play.posted_values import parse_uuid
from games.play.services import NewSeat
from games.screen.pictures.player_faces import own_face

# Whom an assignment is for: the whole class, or some of its groups and children.


@dataclass(frozen=True, slots=True)
class Audience:
    """Groups and single children; if empty, the whole class, with those who join it later."""

    groups: Collection[Group] = ()
    children: Collection[Child] = ()

    @property
    def everyone(self) -> bool:
        return not self.groups and not self.children

    @property
    def names(self) -> list[str]:
        return [str(each) for each in (*self.groups, *self.children)]

    def aim(self, *assignments: Assignment) -> None:
        """Store whom these assignments are for."""
        in_groups, by_name = Assignment.groups.through, Assignment.children.through
        in_groups.objects.filter(assignment__in=assignments).delete()
        by_name.objects.filter(assignment__in=assignments).delete()
        in_groups.objects.bulk_create(
            in_groups(assignment=each, group=group) for each in assignments for group in self.groups
        )
        by_name.objects.bulk_create(
            by_name(assignment=each, child=child) for each in assignments for child in self.children
        )


WHOLE_CLASS: Final = Audience()


def audience_of(assignment: Assignment) -> Audience:
    """Whom the assignment is for; uses prefetched groups and children."""
    if assignment.everyone:
        return WHOLE_CLASS
    here = assignment.school_class_id
    children = [child for child in assignment.children.all() if child.school_class_id == here]
    return Audience(list(assignment.groups.all()), children)


def requested_audience(school_class: SchoolClass, query: QueryDict) -> Audience:
    """The groups and children of the class named in a link or form; others are ignored."""
    groups = _uuids(query.getlist("groups"))
    children = _uuids(query.getlist("children"))
    return Audience(
        list(groups_of(school_class).filter(pk__in=groups)) if groups else (),
        list(school_class.children.filter(pk__in=children)) if children else (),
    )


def groups_of(school_class: SchoolClass) -> QuerySet[Group]:
    """The groups of the class that can be chosen."""
    return school_class.groups.filter(removed_at=None)


def _uuids(texts: Iterable[str]) -> set[UUID]:
    """The valid ids among these texts, each of which may hold several, separated by commas."""
    uuids = {parse_uuid(text.strip()) for text in ",".join(texts).split(",")}
    return {uuid for uuid in uuids if uuid is not None}


def leave(children: Collection[Child], at: datetime) -> dict[UUID, dict[str, list[str]]]:
    """Take these children, who leave their class, off the assignments that name them, and end
    assignments that are left without anybody. Returns by child what `come_back` needs: both."""
    by_name = Assignment.children.through.objects
    found = list(by_name.filter(child__in=children).values_list("child", "assignment"))
    by_name.filter(child__in=children).delete()
    still = Q(groups__removed_at=None, groups__isnull=False) | Q(groups__children__isnull=False)
    left = Assignment.objects.filter(pk__in={pk for _, pk in found}, everyone=False, ended_at=None)
    alone = left.filter(children=None).exclude(pk__in=left.filter(still))
    ended = set(alone.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=ended).update(ended_at=at)
    kept: dict[UUID, dict[str, list[str]]] = {}
    for child, pk in found:
        own = kept.setdefault(child, {"assignments": [], "ended": []})
        own["assignments"].append(str(pk))
        if pk in ended:
            own["ended"].append(str(pk))
    return kept


def come_back(school_class: SchoolClass, kept: Mapping[UUID, Mapping[str, Any]]) -> None:
    """Undo `leave` for these children of the class, as far as the assignments are still there."""
    wanted = {pk for own in kept.values() for pk in own.get("assignments", ())}
    there = school_class.assignments.filter(pk__in=wanted)
    keys = {str(pk) for pk in there.values_list("pk", flat=True)}
    by_name = Assignment.children.through
    by_name.objects.bulk_create(
        [
            by_name(child_id=child, assignment_id=pk)
            for child, own in kept.items()
            for pk in own.get("assignments", ())
            if pk in keys
        ],
        ignore_conflicts=True,
    )
    there.filter(pk__in={pk for own in kept.values() for pk in own.get("ended", ())}).update(
        ended_at=None
    )


def assigned_now(child: Child) -> QuerySet[Assignment]:
    """The child's assignments that can be played today, by its class's clock."""
    today = child.school_class.today()
    begun = Q(starts_on=None) | Q(starts_on__lte=today)
    not_over = Q(due_on=None) | Q(due_on__gte=today)
    return for_child(child).filter(begun, not_over, ended_at=None)


def members(assignment: Assignment, children: Iterable[Child]) -> list[Child]:
    """The children, of these in its class, whom it is for, in the same order. Uses prefetched
    groups and children."""
    if assignment.everyone:
        return list(children)
    return named(Audience(assignment.groups.all(), assignment.children.all()), children)


def named(audience: Audience, children: Iterable[Child]) -> list[Child]:
    """The children, of these, whom the audience names, in the same order."""
    keys = {child.pk for child in audience.children}
    keys |= {child.pk for group in audience.groups for child in group.children.all()}
    return [child for child in children if child.pk in keys]


# Assignments that come back every week, by the class's clock.
#
# The coming week is made ahead, so the worker may be a week late and no child waits. A constraint
# keeps a series from having a week twice.

WEEK: Final = timedelta(days=7)


@contextmanager
def lock_assignment(assignment: Assignment) -> Iterator[None]:
    """Lock the class and the assignment, which is read again; nobody begins it until the end of the
    transaction. Raises `Changed` where it was withdrawn."""
    with lock(assignment.school_class) as (school_class,):
        try:
            assignment.refresh_from_db(from_queryset=Assignment.objects.select_for_update())
        except Assignment.DoesNotExist:
            raise Changed from None
        assignment.school_class = school_class
        yield


def repeat(assignment: Assignment) -> None:
    """Repeat the assignment every week; it gets a first and a last day if it had none. Raises
    `bounds.LimitReached`."""
    with lock_assignment(assignment):
        starts_on = assignment.starts_on or assignment.school_class.today()
        due_on = assignment.due_on or starts_on + WEEK - timedelta(days=1)
        assignment.starts_on, assignment.due_on = starts_on, due_on
        assignment.series = assignment.series or uuid4()
        make_ahead(assignment)
        assignment.save(update_fields=("starts_on", "due_on", "series"))


def stop(assignment: Assignment) -> None:
    """Stop the series; coming weeks that nobody has begun are deleted."""
    if assignment.series is None:
        return
    with lock(assignment.school_class):
        weeks = Assignment.objects.filter(
            series=assignment.series, school_class=assignment.school_class
        )
        today = assignment.school_class.today()
        weeks.filter(starts_on__gt=today, attempts=None).exclude(pk=assignment.pk).delete()
        weeks.update(series=None)


def make_ahead(latest: Assignment) -> None:
    """Make the missing weeks of a series after its latest, up to the coming one. Raises
    `bounds.LimitReached`."""
    today = latest.school_class.today()
    while latest.starts_on and latest.starts_on <= today:
        try:
            latest = _next_week(latest)
        except IntegrityError:
            return  # Another worker has made it.


def make_all_ahead() -> int:
    """Make the coming week of every series that lacks it; returns how many series did. In a class
    without room for another assignment it is made once there is."""
    later = Assignment.objects.filter(
        series=OuterRef("series"), starts_on__gt=OuterRef("starts_on")
    )
    tomorrow = timezone.now().date() + timedelta(days=1)  # Somewhere it is tomorrow already.
    behind = (
        Assignment.objects.filter(~Exists(later), starts_on__lte=tomorrow)
        .filter(school_class__archived_at=None)
        .filter(Q(everyone=True) | _names("children") | _names("groups"))
        .exclude(series=None)
        .select_related("school_class")
    )
    for latest in behind:
        with suppress(LimitReached):
            make_ahead(latest)
    return len(behind)


def _names(whom: str) -> Exists:
    """Whether an assignment names any `children` or `groups`: one may be left for nobody."""
    through = (Assignment.children if whom == "children" else Assignment.groups).through
    return Exists(through.objects.filter(assignment=OuterRef("pk")))


def _next_week(latest: Assignment) -> Assignment:
    if latest.starts_on is None:
        raise ValueError("a week of a series has a first day")
    with lock(latest.school_class) as (school_class,):
        room_for_assignment(school_class)
        audience = audience_of(latest)
        following = Assignment(
            school_class=latest.school_class,
            everyone=latest.everyone,
            options=latest.options,
            series=latest.series,
            starts_on=latest.starts_on + WEEK,
            due_on=latest.due_on + WEEK if latest.due_on else None,
            **{name: getattr(latest, name) for name in SAME_EVERY_WEEK},
        )
        following.save(force_insert=True)
        audience.aim(following)
    return following


# A game that suits the child: how strong its companion is, and how kind its deals are.


@dataclass(frozen=True, slots=True)
class Pace:
    bot: str  # the name of the bots' level in the game's log
    kindness: Kindness  # how kind its deals are


def pace_for(child: Child, assignment: Assignment) -> Pace:
    """The pace that suits the child in its next game, where the teacher has not fixed it."""
    rating = rating_of(child, assignment).value
    return pace_at(
        rating,
        assignment.ruleset,
        assignment.bot,
        kind=assignment.kind,
        focus=assignment.focus,
    )


def of_one_deal(ruleset: Ruleset, chosen: Assignment | Choice) -> Pace:
    """The pace of a deal that every child plays, as for a child of whom nothing is known yet."""
    return pace_at(START, ruleset, chosen.bot, kind=chosen.kind, focus=chosen.focus)


def pace_at(
    rating: float, ruleset: Ruleset, bot: str, *, kind: bool, focus: Collection[int] = ()
) -> Pace:
    """The pace that suits a player of this rating. `bot` is a fixed level, or the companion; kind
    deals bring most rows of the tables in `focus`."""
    paced = bot == companion.NAME
    return Pace(
        companion.name_of(opponent_for(rating)) if paced else bot,
        kindness_for(ruleset, rating, focus) if kind else PLAIN,
    )


def rating_of(child: Child, assignment: Assignment) -> Rating:
    """The child's rating at this assignment, from its rounds there; it starts at the rating
    from its rounds elsewhere. Rounds against bots of a fixed level do not count."""
    attempts = list(child.attempts.select_related("game").defer("game__snapshot"))
    seats = list(Seat.objects.filter(game__attempt__child=child))
    here = [attempt for attempt in attempts if attempt.assignment_id == assignment.pk]
    elsewhere = [attempt for attempt in attempts if attempt.assignment_id != assignment.pk]
    before = rated(_results(child, elsewhere, seats))
    return rated(_results(child, here, seats), Rating(before.value))


def _results(child: Child, attempts: Iterable[Attempt], seats: Iterable[Seat]) -> Iterator[Result]:
    own = {seat.game_id: seat.number for seat in seats if seat.player == child.player}
    strengths = {seat.game_id: companion.strength_in(seat.bot) for seat in seats if seat.bot}
    for attempt in attempts:
        strength = strengths.get(attempt.game_id)
        if strength is not None:
            for winner in attempt.game.round_winners:
                yield Result(strength, won=winner == own[attempt.game_id])


BOTS: Final = (
    ("Ollie", "owl"),
    ("Fenna", "fox"),
    ("Bruno", "bear"),
    ("Hanna", "hare"),
    ("Kasper", "cat"),
    ("Filip", "frog"),
    ("Pippa", "penguin"),
)
"""The names and faces of the bots: as many as an edition can seat beside a child."""


def assign(
    school_class: SchoolClass,
    choice: Choice,
    audience: Audience = WHOLE_CLASS,
    *,
    deal_seed: int | None = None,
) -> Assignment:
    """Assign a game to the class or a part of it. `deal_seed`: of the one deal that every child
    plays first. Raises `RulesetError` for rules that contradict each other, and
    `bounds.LimitReached`."""
    choice.ruleset()  # Raises the error, which the columns would not.
    with lock(school_class) as (school_class,):
        room_for_assignment(school_class)
        assignment = Assignment.objects.create(
            school_class=school_class,
            everyone=audience.everyone,
            deal_seed=deal_seed,
            **choice.columns,
        )
        audience.aim(assignment)
        if choice.weekly:
            repeat(assignment)
    return assignment


def assign_to_classes(
    school_class: SchoolClass, others: Sequence[SchoolClass], choice: Choice, audience: Audience
) -> list[Assignment]:
    """Assign a game to a class or a part of it, and the same to these other classes: each has its
    own, or none has. Raises what `assign` raises."""
    with lock(school_class, *others) as (school_class, *others):
        return [
            assign(school_class, choice, audience),
            *(assign(other, choice) for other in others),
        ]


def end(assignment: Assignment) -> None:
    """End the assignment: it leaves the children's list; what was played stays."""
    Assignment.objects.filter(pk=assignment.pk, ended_at=None).update(ended_at=timezone.now())


def resume(assignment: Assignment) -> None:
    """Undo an end: the assignment is on the children's list again. Raises `bounds.LimitReached`."""
    with lock_assignment(assignment):
        if assignment.ended_at:
            room_for_assignment(assignment.school_class)
            Assignment.objects.filter(pk=assignment.pk).update(ended_at=None)


def withdraw(assignment: Assignment) -> bool:
    """Undo an assignment. False where a child has begun it: then it is only ended."""
    with lock_assignment(assignment):
        stop(assignment)
        is_begun = Attempt.objects.filter(assignment=assignment).exists()
        if is_begun:
            end(assignment)
        else:
            Assignment.objects.filter(pk=assignment.pk).delete()
    return not is_begun


def go_on_or_start(child: Child, assignment: Assignment) -> Game:
    """The child's open match of this assignment, or else a new one.

    Locks the child, so that two taps do not start two games. Raises `Changed` for a child that has
    left its class.
    """
    with present(child) as child:
        begun = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None)
            .last()
        )
        if begun:
            return seat_child(begun.game, child, assignment)
        seed, ruleset = _seed_of_deal(child, assignment), assignment.ruleset
        pace = pace_for(child, assignment) if seed is None else of_one_deal(ruleset, assignment)
        game = services.start(
            ruleset,
            seats_of(child.player, child.name, assignment.bots, pace.bot, face_of(child)),
            hint_steps=hint_steps_for(child, assignment),
            seed=seed,
            kindness=pace.kindness,
            missed_rows=assignment.missed_rows,
            shared_deal=seed is not None,
        )
        Attempt.objects.create(assignment=assignment, child=child, game=game)
        return seat_child(game, child, assignment)


def learn(child: Child, edition: str, step: int) -> Game:
    """A new guided round of the child. Raises `Changed`, and what `guided_rounds.begin` raises."""
    with present(child) as child:
        return guided_rounds.begin(child.player, child.name, edition, step, face_of(child))


@contextmanager
def present(child: Child) -> Iterator[Child]:
    """Nobody changes the child within. Raises `Changed` for a child that has left its class."""
    with lock(child) as (now,):
        if now.removed_at is not None or now.school_class_id != child.school_class_id:
            raise Changed
        now.school_class = child.school_class
        yield now


def _seed_of_deal(child: Child, assignment: Assignment) -> int | None:
    """The seed of the one deal, if the child has not played it yet: after that it practises with
    cards of its own."""
    if (
        assignment.is_one_deal
        and Attempt.objects.filter(child=child, assignment=assignment).exists()
    ):
        return None
    return assignment.deal_seed


def hint_steps_for(child: Child, assignment: Assignment) -> int:
    """The last step of the hints that this child gets in this assignment."""
    own_steps = {Child.Hints.ALL: LAST_STEP, Child.Hints.NONE: 0}
    return own_steps.get(Child.Hints(child.hints), assignment.hint_steps)


def seat_child(game: Game, child: Child, assignment: Assignment) -> Game:
    """Seat the child at the game, with its present face, and hints by its present settings."""
    face = face_of(child)
    Child.objects.filter(pk=child.pk).exclude(at_table=game).update(at_table=game)
    Seat.objects.filter(game=game, player=child.player).exclude(face=face).update(face=face)
    hint_steps = hint_steps_for(child, assignment)
    if game.hint_steps != hint_steps:
        Game.objects.filter(pk=game.pk).update(hint_steps=hint_steps)
    return game


def face_of(child: Child) -> str:
    """The face as the child dressed it, or else the plain one, as a seat keeps it."""
    return own_face(child.face).text


def seats_of(player: UUID, name: str, bots: int, bot: str, face: str = "") -> list[NewSeat]:
    """The seats of a game: the player first, at the bottom of its own screen, then the bots. Those
    that look like the player come last."""
    known = sorted(BOTS, key=lambda one: one[1] in face.split())
    others = [
        NewSeat(bot=bot, name=bot_name, face=bot_face)
        for bot_name, bot_face in cast(bot, known, bots)
    ]
    return [NewSeat(player=player, name=name, face=face), *others]


# A teacher tries out a game, as a child would play it. Nothing of it is counted: there is no
# attempt, and its player belongs to no child.


def try_out(user: User, choice: Choice) -> Game:
    """Start a game by these rules for the adult alone; an earlier trial game is deleted. Raises
    `RulesetError` for rules that contradict each other, and `Changed`."""
    ruleset = choice.ruleset()
    pace = pace_at(START, ruleset, choice.bot, kind=choice.kind, focus=choice.focus)
    with lock(user) as (user,):
        services.erase(user.player)
        return services.start(
            ruleset,
            seats_of(user.player, gettext("You"), choice.bots, pace.bot),
            hint_steps=choice.hint_steps,
            kindness=pace.kindness,
            missed_rows=choice.missed_rows,
        )
