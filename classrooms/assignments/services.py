"""Creates and ends assignments, and begins children's games of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext

from classrooms.access import assignments_given_to
from classrooms.assignments.choice import SAME_EVERY_WEEK, Choice
from classrooms.bounds import ensure_room_for_assignment
from classrooms.locks import ActRefused, Changed, demand, lock
from classrooms.models import Assignment, Attempt, Child, Group, SchoolClass, User
from games.bots import companion
from games.bots.registry import CAST, cast
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.goals import with_goal
from games.coach.guided_rounds import STEPS, guided_step
from games.coach.hints import LAST_STEP
from games.coach.rating import FIRST_GAME, START, Rating, Result, opponent_for, rating_after
from games.engine.round import OVER
from games.engine.ruleset import Ruleset
from games.models import Game, Seat
from games.play import services
from games.play.log import goal_to_go_on
from games.play.posted_values import parse_uuid
from games.play.services import NewSeat
from games.screen.player_faces import own_face

# Who gets an assignment: the whole class, or some of its groups and children.


@dataclass(frozen=True, slots=True)
class Audience:
    """Groups and single children who get an assignment. Empty means the whole class, with children
    who join later."""

    groups: Collection[Group] = ()
    children: Collection[Child] = ()

    @property
    def everyone(self) -> bool:
        return not self.groups and not self.children

    @property
    def names(self) -> list[str]:
        return [str(key) for key in (*self.groups, *self.children)]

    def aim(self, *assignments: Assignment) -> None:
        """Make these assignments name exactly the groups and children of this audience."""
        in_groups, by_name = Assignment.groups.through, Assignment.children.through
        in_groups.objects.filter(assignment__in=assignments).delete()
        by_name.objects.filter(assignment__in=assignments).delete()
        in_groups.objects.bulk_create(
            in_groups(assignment=assignment, group=group)
            for assignment in assignments
            for group in self.groups
        )
        by_name.objects.bulk_create(
            by_name(assignment=assignment, child=child)
            for assignment in assignments
            for child in self.children
        )


WHOLE_CLASS: Final = Audience()


def audience_of(assignment: Assignment) -> Audience:
    """Who gets the assignment. Uses prefetched groups and children."""
    if assignment.everyone:
        return WHOLE_CLASS
    here = assignment.school_class_id
    children = [child for child in assignment.children.all() if child.school_class_id == here]
    return Audience(list(assignment.groups.all()), children)


def requested_audience(school_class: SchoolClass, query: QueryDict) -> Audience:
    """The groups and children of the class that a link or form names. Ignores ids from
    elsewhere."""
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
    """The valid ids in these texts. A text may have several, separated by commas."""
    uuids = {parse_uuid(text.strip()) for text in ",".join(texts).split(",")}
    return {uuid for uuid in uuids if uuid is not None}


def leave(children: Collection[Child], at: datetime) -> dict[UUID, dict[str, list[str]]]:
    """Take these children, who leave their class, off the assignments that name them, and end
    assignments that then name nobody. For each child returns what `come_back` needs: the ids of the
    `assignments`, and of those that were `ended`."""
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
    """Undo `leave` for these children of the class, as far as the assignments still exist."""
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
    """The child's assignments that can be played today, by the class's clock."""
    today = child.school_class.today()
    begun = Q(starts_on=None) | Q(starts_on__lte=today)
    not_over = Q(due_on=None) | Q(due_on__gte=today)
    return assignments_given_to(child).filter(begun, not_over, ended_at=None)


def members(assignment: Assignment, children: Iterable[Child]) -> list[Child]:
    """Those of these children of the class who get the assignment, in the given order. Uses
    prefetched groups and children."""
    if assignment.everyone:
        return list(children)
    return named_children(Audience(assignment.groups.all(), assignment.children.all()), children)


def named_children(audience: Audience, children: Iterable[Child]) -> list[Child]:
    """The children among these whom the audience names, themselves or by a group, in the given
    order."""
    keys = {child.pk for child in audience.children}
    keys |= {child.pk for group in audience.groups for child in group.children.all()}
    return [child for child in children if child.pk in keys]


# Assignments that are repeated each week, by the class's clock. The coming week is created in
# advance, so no child waits even if the worker is a week late. A database constraint prevents a
# second assignment for the same week of a series.

ONE_WEEK: Final = timedelta(days=7)


@contextmanager
def lock_assignment(assignment: Assignment) -> Iterator[None]:
    """Lock the class and the assignment, and read both again. No child begins it until the end of
    the transaction. Raises `Changed` if it was withdrawn."""
    with lock(assignment.school_class) as (school_class,):
        try:
            assignment.refresh_from_db(from_queryset=Assignment.objects.select_for_update())
        except Assignment.DoesNotExist:
            raise Changed from None
        assignment.school_class = school_class
        yield


def repeat(assignment: Assignment) -> None:
    """Repeat the assignment every week, and give it a first and a last day if it has none. Raises
    `bounds.LimitReached`."""
    with lock_assignment(assignment):
        starts_on = assignment.starts_on or assignment.school_class.today()
        due_on = assignment.due_on or starts_on + ONE_WEEK - timedelta(days=1)
        assignment.starts_on, assignment.due_on = starts_on, due_on
        assignment.series = assignment.series or uuid4()
        assignment.save(update_fields=("starts_on", "due_on", "series"))
        make_ahead(assignment)


def stop(assignment: Assignment) -> None:
    """Stop the series of this assignment, and delete its coming weeks that nobody has begun."""
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
    """Create the weeks of a series after its latest one, up to the coming week. Raises
    `bounds.LimitReached`, and `Changed` if the series was stopped or the class is gone."""
    today = latest.school_class.today()
    while latest.starts_on and latest.starts_on <= today:
        try:
            latest = _next_week(latest)
        except IntegrityError:
            return  # Another worker was faster.


def make_all_ahead() -> int:
    """Create the coming week of each series that lacks it. Returns how many lacked it. In a class
    without room for another assignment, a later call creates it."""
    later = Assignment.objects.filter(
        series=OuterRef("series"), starts_on__gt=OuterRef("starts_on")
    )
    tomorrow = timezone.now().date() + timedelta(days=1)  # Somewhere it is already tomorrow.
    behind = (
        Assignment.objects.filter(~Exists(later), starts_on__lte=tomorrow)
        .filter(school_class__archived_at=None)
        .filter(Q(everyone=True) | _names("children") | _names("groups"))
        .exclude(series=None)
        .select_related("school_class")
    )
    for latest in behind:
        with suppress(ActRefused):
            make_ahead(latest)
    return len(behind)


def _names(whom: str) -> Exists:
    """The condition that an assignment names any `children` or `groups`. It names none when all of
    them have left."""
    through = (Assignment.children if whom == "children" else Assignment.groups).through
    return Exists(through.objects.filter(assignment=OuterRef("pk")))


def _next_week(latest: Assignment) -> Assignment:
    with lock_assignment(latest):
        if latest.series is None or latest.starts_on is None:
            raise Changed
        ensure_room_for_assignment(latest.school_class)
        audience = audience_of(latest)
        following = Assignment(
            school_class=latest.school_class,
            everyone=latest.everyone,
            options=latest.options,
            series=latest.series,
            starts_on=latest.starts_on + ONE_WEEK,
            due_on=latest.due_on + ONE_WEEK if latest.due_on else None,
            **{name: getattr(latest, name) for name in SAME_EVERY_WEEK},
        )
        following.save(force_insert=True)
        audience.aim(following)
    return following


# A game that suits the child: the strength of the companion, and the kindness of the deals.


GAMES_BACK: Final = 20
"""A goal goes on from a game at most this many games back."""


@dataclass(frozen=True, slots=True)
class Pace:
    bot: str  # the name of the bots' level in the game's log
    kindness: Kindness  # of the game's deals


def pace_for(child: Child, assignment: Assignment) -> Pace:
    """The pace of the child's next game: the one that suits them, unless the teacher has fixed
    it."""
    rating = rating_of(child, assignment)
    return pace_at(
        FIRST_GAME if rating == Rating() else rating.value,
        assignment.ruleset,
        assignment.bot,
        kind=assignment.kind,
        focus=assignment.focus,
    )


def pace_of_one_deal(ruleset: Ruleset, chosen: Assignment | Choice) -> Pace:
    """The pace of one deal that all children play: that of a child about whom nothing is known."""
    return pace_at(START, ruleset, chosen.bot, kind=chosen.kind, focus=chosen.focus)


def pace_at(
    rating: float, ruleset: Ruleset, bot: str, *, kind: bool, focus: Collection[int] = ()
) -> Pace:
    """The pace that suits a player with this rating. `bot` is a fixed level or the companion. Kind
    deals (`kind`) favour rows of the tables in `focus`."""
    paced = bot == companion.NAME
    return Pace(
        companion.name_of(opponent_for(rating)) if paced else bot,
        kindness_for(ruleset, rating, focus) if kind else PLAIN,
    )


def rating_of(child: Child, assignment: Assignment) -> Rating:
    """The child's rating at this assignment, from their rounds of it. It starts at the rating from
    their rounds of other assignments. Rounds against classmates, against bots of a fixed level, and
    together do not count."""
    return _ratings([child], assignment)[child.pk]


def ratings_of(children: Collection[Child], assignment: Assignment) -> dict[UUID, float]:
    """The rating of each of these children (`rating_of`). Two queries."""
    return {key: rating.value for key, rating in _ratings(children, assignment).items()}


def _ratings(children: Collection[Child], assignment: Assignment) -> dict[UUID, Rating]:
    alone = Attempt.objects.filter(child__in=children, game__table=None)
    attempts: dict[UUID, list[Attempt]] = defaultdict(list)
    for attempt in alone.select_related("game").defer("game__snapshot"):
        attempts[attempt.child_id].append(attempt)
    seats: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__attempt__in=alone).order_by("number"):
        seats[seat.game_id].append(seat)
    found = {}
    for child in children:
        own = attempts[child.pk]
        here = [attempt for attempt in own if attempt.assignment_id == assignment.pk]
        elsewhere = [attempt for attempt in own if attempt.assignment_id != assignment.pk]
        of_child = [seat for attempt in own for seat in seats[attempt.game_id]]
        before = rating_after(_results(child, elsewhere, of_child))
        found[child.pk] = rating_after(_results(child, here, of_child), Rating(before.value))
    return found


def rules_for(children: Sequence[Child], assignment: Assignment, seats: int) -> Ruleset:
    """The rules of the next game of these children with this many seats. If the table plays
    together, its goal goes on from the last game of the same children by the same rules."""
    if not assignment.together:
        return assignment.ruleset
    rules = partial(
        with_goal, assignment.ruleset, seats, assignment.together, children=len(children)
    )
    ruleset = rules()
    earlier = Attempt.objects.filter(child=children[0], assignment__together=assignment.together)
    recent = earlier.select_related("game").prefetch_related("game__attempts", "game__seats")
    keys = {child.pk for child in children}
    for attempt in recent.order_by("-created_at")[:GAMES_BACK]:
        game = attempt.game
        same_table = {attempt.child_id for attempt in game.attempts.all()} == keys
        if not same_table or len(game.seats.all()) != seats:
            continue
        of_goal = {name: getattr(ruleset, name) for name in ("goal", "goal_up", "goal_down")}
        if replace(game.ruleset, rounds=ruleset.rounds, **of_goal) == ruleset:
            return rules(before=goal_to_go_on(game, seats))
    return ruleset


def _results(child: Child, attempts: Iterable[Attempt], seats: Iterable[Seat]) -> Iterator[Result]:
    own = {seat.game_id: seat.number for seat in seats if seat.player == child.player}
    strengths = {seat.game_id: companion.strength_of(seat.bot) for seat in seats if seat.bot}
    for attempt in attempts:
        strength = strengths.get(attempt.game_id)
        if strength is not None and not attempt.game.ruleset.is_together:
            for winner in attempt.game.round_winners:
                yield Result(strength, won=winner == own[attempt.game_id])


# No child is given the same game twice while it can be played. This is checked only here.

SAME_GAME_FIELDS: Final = (*(name for name in SAME_EVERY_WEEK if name != "note"), "options")
"""Two assignments are the same game if these fields are equal."""


class GivenAlready(ActRefused):
    """All children for whom the game is meant already have it."""

    def __init__(self) -> None:
        super().__init__(gettext("They already have this game. Nothing was given twice."))


def _playable_now(school_class: SchoolClass) -> list[Assignment]:
    """The assignments of a locked class that can still be played, each with its audience."""
    demand(school_class)
    not_over = Q(due_on=None) | Q(due_on__gte=school_class.today())
    there = Assignment.objects.filter(
        not_over, school_class=school_class, ended_at=None, deal_seed=None
    )
    return list(there.prefetch_related("children", "groups__children"))


def _children_without(
    assignment: Assignment, children: Sequence[Child], there: Iterable[Assignment]
) -> list[Child]:
    """The children among these who have not got the same game by another assignment. Raises
    `GivenAlready` if all have."""
    same = [other for other in there if other.pk != assignment.pk and _is_same(other, assignment)]
    have = {child.pk for other in same for child in members(other, children)}
    lacking = [child for child in children if child.pk not in have]
    if same and not lacking:
        raise GivenAlready
    return lacking


def _is_same(one: Assignment, other: Assignment) -> bool:
    """Whether two assignments are the same game, on days that overlap. Weeks of one series are not:
    each child should get all of them."""
    if one.series and one.series == other.series:
        return False
    meet = all(
        first.due_on is None or second.starts_on is None or second.starts_on <= first.due_on
        for first, second in ((one, other), (other, one))
    )
    return meet and all(getattr(one, name) == getattr(other, name) for name in SAME_GAME_FIELDS)


def _audience_without_game(assignment: Assignment, audience: Audience) -> Audience:
    """The audience of a new assignment of a locked class, without children who have the game
    already."""
    children = list(Child.objects.filter(school_class=assignment.school_class))
    prefetch_related_objects(list(audience.groups), "children")
    meant = children if audience.everyone else named_children(audience, children)
    lacking = _children_without(assignment, meant, _playable_now(assignment.school_class))
    return audience if len(lacking) == len(meant) else Audience(children=lacking)


def ensure_given_once(assignment: Assignment) -> None:
    """Raise `GivenAlready` if a child of the assignment has the same game from another one. One
    deal never counts as the same."""
    if assignment.is_one_deal:
        return
    prefetch_related_objects([assignment], "children", "groups__children")
    children = members(assignment, assignment.school_class.children.all())
    if len(_children_without(assignment, children, _playable_now(assignment.school_class))) < len(
        children
    ):
        raise GivenAlready


def assign(
    school_class: SchoolClass,
    choice: Choice,
    audience: Audience = WHOLE_CLASS,
    *,
    deal_seed: int | None = None,
) -> Assignment:
    """Assign a game to the class or a part of it, except to children who have it already.
    `deal_seed` is the seed of the one deal that all children play first, if there is one. Raises
    `RulesetError` for rules that contradict each other, `GivenAlready` and
    `bounds.LimitReached`."""
    choice.ruleset()  # This raises the error; `columns` would not.
    with lock(school_class) as (school_class,):
        ensure_room_for_assignment(school_class)
        assignment = Assignment(school_class=school_class, deal_seed=deal_seed, **choice.columns)
        if deal_seed is None:
            audience = _audience_without_game(assignment, audience)
        assignment.everyone = audience.everyone
        assignment.save(force_insert=True)
        audience.aim(assignment)
        if choice.weekly:
            repeat(assignment)
    return assignment


def assign_to_classes(
    school_class: SchoolClass, others: Sequence[SchoolClass], choice: Choice, audience: Audience
) -> list[Assignment]:
    """Assign a game to a class or a part of it, and to each of these other classes, except to
    children who have it already. If it cannot be assigned in one class, it is assigned in none.
    Raises what `assign` raises."""
    made = []
    with lock(school_class, *others) as (school_class, *others):
        for other_class in (school_class, *others):
            with suppress(GivenAlready):
                made.append(
                    assign(other_class, choice, WHOLE_CLASS if other_class in others else audience)
                )
        if not made:
            raise GivenAlready
    return made


def give(
    school_class: SchoolClass, steps: Mapping[Choice, Collection[Child]]
) -> list[tuple[Assignment, list[Child]]]:
    """Give each of these games to its children for a week, except to those who have it already; all
    of them or none. Returns each assignment with the children who got it. Raises `GivenAlready` if
    nobody got one, and `bounds.LimitReached`."""
    with lock(school_class) as (school_class,):
        children, there = list(school_class.children.all()), _playable_now(school_class)
        due_on, at = school_class.today() + ONE_WEEK - timedelta(days=1), timezone.now()
        made = []
        for choice, meant in steps.items():
            new = Assignment(
                school_class=school_class,
                everyone=False,
                created_at=at,
                **choice.columns | {"due_on": due_on},
            )
            with suppress(GivenAlready):
                keys = {child.pk for child in meant}
                present = [child for child in children if child.pk in keys]
                if lacking := _children_without(new, present, there):
                    made.append((new, lacking))
        if not made:
            raise GivenAlready
        ensure_room_for_assignment(school_class, count=len(made))
        Assignment.objects.bulk_create(new for new, _children in made)
        by_name = Assignment.children.through
        by_name.objects.bulk_create(
            by_name(assignment=new, child=child) for new, got in made for child in got
        )
    return made


def end(assignment: Assignment) -> None:
    """End the assignment. The children no longer see it; what they played is kept."""
    Assignment.objects.filter(pk=assignment.pk, ended_at=None).update(ended_at=timezone.now())


def skip(week: Assignment) -> Assignment:
    """End a coming week of a series, and return the next one, which is made if it is not there.
    Raises `Changed` if the week cannot be skipped, and `bounds.LimitReached`."""
    with lock_assignment(week):
        if week.series is None or week.ended_at:
            raise Changed
        end(week)
        weeks = week.school_class.assignments.filter(series=week.series, ended_at=None)
        later = weeks.filter(starts_on__gt=week.starts_on).order_by("starts_on")
        return later.first() or _next_week(week)


def resume(assignment: Assignment) -> None:
    """Undo `end`: the children see the assignment again. Raises `GivenAlready` and
    `bounds.LimitReached`."""
    with lock_assignment(assignment):
        if assignment.ended_at:
            ensure_room_for_assignment(assignment.school_class)
            ensure_given_once(assignment)
            assignment.ended_at = None
            assignment.save(update_fields=("ended_at",))


def withdraw(assignment: Assignment, child: Child | None = None) -> bool:
    """Take the assignment back from a `child` whom it names, or from all if it names nobody else:
    delete it, or only end it if a child has begun it. Returns whether nobody had."""
    with lock_assignment(assignment):
        if child and (
            assignment.children.exclude(pk=child.pk).exists() or assignment.groups.exists()
        ):
            assignment.children.remove(child)
            return not Attempt.objects.filter(assignment=assignment, child=child).exists()
        stop(assignment)
        is_begun = Attempt.objects.filter(assignment=assignment).exists()
        if is_begun:
            end(assignment)
        else:
            Assignment.objects.filter(pk=assignment.pk).delete()
    return not is_begun


def continue_or_start(child: Child, assignment: Assignment) -> Game:
    """The child's open match of this assignment, if they play it alone, or else a new one. Locks
    the child, so that two taps do not begin two games. Raises `Changed` if the child has left the
    class."""
    with lock_present(child) as child:
        begun = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None, game__table=None)
            .last()
        )
        if begun:
            return seat_child(begun.game, child, assignment)
        return begin_alone(child, assignment)


def begin_alone(child: Child, assignment: Assignment, *, bots: int | None = None) -> Game:
    """A new match of a locked child with bots: `bots` of them, by default as many as the assignment
    has."""
    bots, seed = bots or assignment.bots, _seed_of_deal(child, assignment)
    ruleset = assignment.ruleset
    if seed is None:
        ruleset = rules_for([child], assignment, bots + 1)
    pace = pace_for(child, assignment) if seed is None else pace_of_one_deal(ruleset, assignment)
    game = services.start(
        ruleset,
        seats_of(child, bots, pace.bot),
        hint_steps=hint_steps_for(child, assignment),
        seed=seed,
        kindness=pace.kindness,
        missed_rows=assignment.missed_rows,
        shared_deal=seed is not None,
    )
    Attempt.objects.create(assignment=assignment, child=child, game=game)
    return seat_child(game, child, assignment)


def learn(child: Child, edition: str, step: int | None) -> Game:
    """Begin a guided round for the child, as far as it can teach the rules of their newest game of
    this edition. Without a `step`: the one that they left or the one after it, or else the first.
    Raises `Changed` if the child has left the class, and `RulesetError` for an unknown edition."""
    with lock_present(child) as child:
        last = Game.objects.filter(guided=True, seats__player=child.player).first()
        if step is None and last and last.ruleset.edition == edition:
            if last.phase not in OVER:
                return last
            step = step_to_learn(last)
        newest = assigned_now(child).filter(edition=edition).order_by("-created_at").first()
        like = newest.ruleset if newest else None
        return services.start_guided(
            child.player, child.name, edition, step or 1, face=face_of(child), like=like
        )


def step_to_learn(last: Game) -> int | None:
    """The step at which a child goes on after their last guided round, whether they finished it or
    left it. None after the last step."""
    step = guided_step(last.ruleset) + (last.phase in OVER)
    return step if step <= STEPS else None


@contextmanager
def lock_present(child: Child) -> Iterator[Child]:
    """Lock the child and yield their current state. Raises `Changed` if they have left the
    class."""
    with lock(child) as (now,):
        if now.removed_at is not None or now.school_class_id != child.school_class_id:
            raise Changed
        now.school_class = child.school_class
        yield now


def _seed_of_deal(child: Child, assignment: Assignment) -> int | None:
    """The seed of the one deal; None if there is none or the child has begun it. After that, each
    child practises with other cards."""
    if (
        assignment.is_one_deal
        and Attempt.objects.filter(child=child, assignment=assignment).exists()
    ):
        return None
    return assignment.deal_seed


def hint_steps_for(child: Child, assignment: Assignment) -> int:
    """The last hint step that this child gets in this assignment."""
    own_steps = {Child.Hints.ALL: LAST_STEP, Child.Hints.NONE: 0}
    return own_steps.get(Child.Hints(child.hints), assignment.hint_steps)


def seat_child(game: Game, child: Child, assignment: Assignment) -> Game:
    """Seat the child at the game, with their current face and hint setting."""
    face = face_of(child)
    Child.objects.filter(pk=child.pk).exclude(at_table=game).update(at_table=game)
    Seat.objects.filter(game=game, player=child.player).exclude(face=face).update(face=face)
    hint_steps = hint_steps_for(child, assignment)
    if game.hint_steps != hint_steps:
        Game.objects.filter(pk=game.pk).update(hint_steps=hint_steps)
    return game


def face_of(child: Child) -> str:
    """The child's face in the form that a seat stores: as they dressed it, or else plain."""
    return own_face(child.face).text


def seats_of(child: Child, bots: int, bot: str) -> list[NewSeat]:
    """The seats of a game: first the child, at the bottom of the screen, then the bots."""
    face = face_of(child)
    return [NewSeat(child.player, name=child.name, face=face), *bot_seats(bots, bot, face)]


def bot_seats(count: int, bot: str, face: str = "") -> list[NewSeat]:
    """The seats of bots. Bots that look like the player with this `face` come last."""
    known = sorted(CAST, key=lambda one: one[1] in face.split())
    return [NewSeat(bot=bot, name=name, face=symbol) for name, symbol in cast(bot, known, count)]


# A teacher tries a game out as a child would play it. This leaves no evidence: the game has no
# attempt, and its player is not a child.


def try_out(user: User, choice: Choice) -> Game:
    """Start a trial game with these settings for the adult, and delete their earlier one. Raises
    `RulesetError` for rules that contradict each other, and `Changed` if the account is gone."""
    ruleset = choice.ruleset()
    pace = pace_at(FIRST_GAME, ruleset, choice.bot, kind=choice.kind, focus=choice.focus)
    with lock(user) as (user,):
        services.erase(user.player)
        return services.start(
            ruleset,
            [NewSeat(user.player, name=gettext("You")), *bot_seats(choice.bots, pace.bot)],
            hint_steps=choice.hint_steps,
            kindness=pace.kindness,
            missed_rows=choice.missed_rows,
        )
