"""The progress of children in their assignments, for the child and for the teacher."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal
from uuid import UUID

from django.db.models import (
    Count,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.utils.translation import gettext, ngettext, npgettext

from classrooms.assignments.audience import Audience, audience_of, current_assignments, members
from classrooms.assignments.choice import TOGETHER, details
from classrooms.assignments.playing import step_to_learn
from classrooms.assignments.presets import title_of
from classrooms.assignments.table_offers import Offer, offers
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.coach.questions.short_questions import tables_to_ask
from games.coach.times_tables import TEACHING_ORDER
from games.engine.round import MATCH_OVER, OVER_PHASES
from games.models import Game, Seat
from games.screen.card_drawing import sample_row
from games.screen.view_models import Face

When = Literal["now", "coming", "past"]


@dataclass(frozen=True, slots=True)
class AssignmentOfChild:
    assignment: Assignment
    rounds: int | None  # of the last game, or, before the first, those of the assignment
    rounds_done: int  # the most finished in any game, so that playing again takes none away
    is_open: bool  # whether the child has a match that they play alone and have not finished
    done_on: date | None  # when the child last finished a match
    is_new: bool = False  # whether it begins today and the child has not begun it
    latest_on: date = date.min  # the child's first day, or that of their open match if later
    days_left: int | None = None  # how many days after today it can be played; None for ever
    given_on: date | None = None  # its first day, if another one has the same title
    number: int = 0  # its place among those of the same title, day and size; 0 if it is alone
    has_guided_round: bool = False  # whether it comes first, as the child is new to the edition
    has_left_guided_round: bool = False  # whether the child has left it before its end
    has_missed_end: bool = False  # whether the child's last game ended while they were away
    offer: Offer | None = None  # what the child can do at its tables; None if they play it alone

    @property
    def title(self) -> str:
        name = title_of(self.assignment)
        return f"{name} ({self.number})" if self.number else name

    @property
    def is_done(self) -> bool:
        return self.done_on is not None

    @property
    def extra_details(self) -> str:
        chairs = self.assignment.chairs
        at_table = gettext("at a table for %(n)d") % {"n": chairs} if chairs > 1 else ""
        alone = str(TOGETHER[""]) if at_table and not self.assignment.together else ""
        return " · ".join(filter(None, (at_table, alone)))

    @property
    def due_on(self) -> date | None:
        return self.assignment.due_on

    @property
    def progress(self) -> str:
        """The number of finished rounds, in words; empty for the only round of a game."""
        rounds = self.rounds
        if rounds == 1:
            return ""
        if rounds is None:
            count = self.rounds_done
            return ngettext("%(n)d round done", "%(n)d rounds done", count) % {"n": count}
        return ngettext(
            "%(done)d of %(all)d round done", "%(done)d of %(all)d rounds done", rounds
        ) % {"done": self.rounds_done, "all": rounds}

    @property
    def sample(self) -> list[Face]:
        """The cards of a sample row in this game."""
        return sample_row(self.assignment.ruleset)

    @property
    def dots(self) -> list[bool]:
        """Whether each round is done. Empty for a match to a target, and for a single round that is
        not done."""
        if self.rounds == 1 and not self.rounds_done:
            return []
        return [number < self.rounds_done for number in range(self.rounds or 0)]

    @property
    def is_under_way(self) -> bool:
        """Whether the child has left something unfinished: a match, a guided round, a table."""
        return self.is_open or self.has_left_guided_round or self.has_own_table

    @property
    def is_begun(self) -> bool:
        return self.is_under_way or self.rounds_done > 0

    @property
    def is_new_at_tables(self) -> bool:
        return self.is_new and self.can_sit_down and self.assignment.chairs > 1

    @property
    def has_table(self) -> bool:
        """Whether the child has a table there, or a classmate waits for another player."""
        return bool(self.offer and self.offer.table)

    @property
    def has_own_table(self) -> bool:
        return bool(self.offer and self.offer.is_own)

    @property
    def is_first_alone(self) -> bool:
        """Whether the child first plays it alone, or learns it, rather than at a table. Nobody who
        waits at a table waits for that."""
        return not self.has_table and (self.has_guided_round or not self.can_sit_down)

    @property
    def can_sit_down(self) -> bool:
        """Whether the child can sit down at a table."""
        return self.offer is not None

    @property
    def offer_button(self) -> str:
        if self.offer is None or self.offer.is_own:
            return gettext("Go on together")
        return gettext("Sit down") if self.offer.table else gettext("Play with others")

    @property
    def is_unfinished_deal(self) -> bool:
        """Whether this is one deal for the class, and the child has not finished it."""
        return self.assignment.is_one_deal and not self.is_done

    @property
    def button(self) -> str:
        if self.has_left_guided_round or self.is_open:
            return gettext("Go on")
        if self.is_unfinished_deal:
            return gettext("Play and compare")
        if self.can_sit_down and self.has_guided_round:
            return gettext("How do you play?")
        if self.can_sit_down:
            return gettext("Play alone")
        return gettext("Play again") if self.is_done else gettext("Play")

    @property
    def label_without_guide(self) -> str:
        """The words for starting the game without the guided round."""
        return gettext("Play alone") if self.can_sit_down else gettext("I can already play")


def playable_assignments(child: Child) -> list[AssignmentOfChild]:
    """The assignments that the child may play now, in the order in which they should; among equals
    the newest comes first."""
    of_edition = child.attempts.filter(assignment__edition=OuterRef("edition"))
    current = current_assignments(child).annotate(
        is_known=Exists(of_edition), has_played=Exists(child.attempts.all())
    )
    assignments = list(current.order_by("-created_at"))
    attempts: dict[UUID, list[Attempt]] = defaultdict(list)
    missed_ends = set()
    known = [assignment for assignment in assignments if assignment.is_known]
    left = Seat.objects.filter(game=OuterRef("game"), player=child.player)
    left_before_end = left.filter(away_since__lte=OuterRef("game__finished_at"))
    played = child.attempts.filter(assignment__in=known).annotate(
        is_end_missed=Exists(left_before_end.filter(game=child.last_game_id))
    )
    for attempt in played.select_related("game__table").defer("game__snapshot"):
        attempts[attempt.assignment_id].append(attempt)
        if attempt.is_end_missed:
            missed_ends.add(attempt.assignment_id)
    titles = Counter(map(title_of, assignments))
    assigned = [
        _as_assigned(assignment, attempts[assignment.pk], child.school_class, titles)
        for assignment in assignments
    ]
    editions = {assignment.edition for assignment in known}
    assigned = _with_guided_rounds(child, _numbered(assigned), editions)
    has_never_played = not any(assignment.has_played for assignment in assignments)
    offer_of = offers(child, assignments)
    assigned = [
        replace(
            item,
            offer=offer_of.get(item.assignment.pk),
            has_missed_end=item.assignment.pk in missed_ends,
        )
        for item in assigned
    ]
    return sorted(
        assigned,
        key=lambda item: (
            not item.has_own_table,
            not item.has_table,  # a classmate waits there
            not item.is_new_at_tables,  # classmates wait for one another there
            item.is_done,  # it can be played again
            not item.is_unfinished_deal,
            0 if has_never_played else -item.latest_on.toordinal(),
            item.assignment.is_for_everyone,  # what the child or their group was given comes first
            not item.is_under_way,
            item.due_on or date.max,
            item.has_guided_round and item.assignment.ruleset.highest,  # low numbers first
            has_never_played and _last_taught(item.assignment),
        ),
    )


def _last_taught(assignment: Assignment) -> int:
    """The place, in the order of teaching, of the assignment's table that is taught last."""
    order = TEACHING_ORDER
    tables = tables_to_ask(assignment.focus or assignment.ruleset.tables)
    return max([order.index(table) if table in order else table for table in tables])


def _numbered(assigned: Sequence[AssignmentOfChild]) -> list[AssignmentOfChild]:
    """The assignments in the same order. Where title, day and size of table are the same, they are
    numbered from the oldest on."""
    alike: dict[tuple[str, date | None, int], list[AssignmentOfChild]] = defaultdict(list)
    for item in sorted(assigned, key=lambda item: item.assignment.created_at):
        alike[item.title, item.given_on, item.assignment.chairs].append(item)
    numbers = {
        item.assignment.pk: number
        for items in alike.values()
        if len(items) > 1
        for number, item in enumerate(items, start=1)
    }
    return [replace(item, number=numbers.get(item.assignment.pk, 0)) for item in assigned]


def _with_guided_rounds(
    child: Child, assigned: Sequence[AssignmentOfChild], known_editions: Collection[str]
) -> list[AssignmentOfChild]:
    """The assignments, each with whether a guided round comes first: never in one deal for the
    class, which all children play at the same time, nor in the `known_editions`, which the child
    has played."""
    new_editions = {
        item.assignment.edition
        for item in assigned
        if not (item.is_open or item.is_done or item.is_unfinished_deal)
    }.difference(known_editions)
    begun_editions: set[str] = set()
    if new_editions:
        guided = Game.objects.filter(is_guided=True, seats__player=child.player)
        rounds = guided.only("ruleset_data", "phase")
        steps = {game.ruleset.edition: step_to_learn(game) for game in rounds}
        begun_editions = {edition for edition, step in steps.items() if step}
        new_editions -= steps.keys() - begun_editions
    items = []
    for item in assigned:
        is_new = item.assignment.edition in new_editions and not item.is_unfinished_deal
        is_left = is_new and item.assignment.edition in begun_editions
        items.append(replace(item, has_guided_round=is_new, has_left_guided_round=is_left))
    return items


def _as_assigned(
    assignment: Assignment,
    attempts: Sequence[Attempt],
    school_class: SchoolClass,
    titles: Mapping[str, int],
) -> AssignmentOfChild:
    given_on = school_class.day_of(assignment.created_at)
    since = max(given_on, assignment.starts_on or given_on)
    today = school_class.today()
    alone = [attempt for attempt in attempts if not hasattr(attempt.game, "table")]
    last = attempts[-1].game if attempts else None
    own_game = alone[-1].game if alone else None
    is_open = own_game is not None and own_game.finished_at is None
    ended = [attempt.game.finished_at for attempt in attempts]
    begun_on = school_class.day_of(own_game.created_at) if own_game and is_open else since
    return AssignmentOfChild(
        assignment,
        rounds=last.ruleset.rounds if last else assignment.rounds,
        rounds_done=max((rounds_done(attempt.game) for attempt in attempts), default=0),
        is_open=is_open,
        done_on=max(map(school_class.day_of, filter(None, ended)), default=None),
        is_new=not attempts and since == today,
        days_left=(assignment.due_on - today).days if assignment.due_on else None,
        latest_on=max(since, begun_on),
        given_on=since if since < today and titles[title_of(assignment)] > 1 else None,
    )


def rounds_done(game: Game) -> int:
    return game.round - (game.phase not in OVER_PHASES)


@dataclass(frozen=True, slots=True)
class Overview:
    """An assignment as its teacher sees it, with its children by progress. Those in `done` have
    finished a match; those in `playing` have only begun one."""

    assignment: Assignment
    today: date
    done: list[Child] = field(default_factory=list)
    playing: list[Child] = field(default_factory=list)
    not_begun: list[Child] = field(default_factory=list)

    @property
    def title(self) -> str:
        return title_of(self.assignment)

    @property
    def details(self) -> str:
        return details(self.assignment)

    @property
    def audience(self) -> Audience:
        return audience_of(self.assignment)

    @property
    def when(self) -> When:
        """Whether the assignment can be played now, later or no longer."""
        return when(self.assignment, self.today)

    @property
    def all(self) -> int:
        return len(self.done) + len(self.playing) + len(self.not_begun)

    @property
    def parts(self) -> list[tuple[str, str, list[Child]]]:
        """The CSS class, the label and the children of each of the bar's three parts."""
        return [
            ("done", npgettext("so many children", "done", "done", len(self.done)), self.done),
            ("playing", gettext("started"), self.playing),
            ("waiting", gettext("not started"), self.not_begun),
        ]

    @property
    def bars(self) -> list[dict[str, object]]:
        """The name, start and width of each part of the bar, which is 100 units long."""
        counts = [(name, len(children)) for name, _, children in self.parts]
        bars: list[dict[str, object]] = []
        before = 0
        for name, count in counts:
            start, end = (100 * n // max(1, self.all) for n in (before, before + count))
            bars.append({"name": name, "start": start, "width": end - start})
            before += count
        return bars


def when(assignment: Assignment, today: date) -> When:
    """Whether the assignment can be played on this day, later or no longer."""
    if assignment.ended_at or (assignment.due_on and assignment.due_on < today):
        return "past"
    if assignment.starts_on and assignment.starts_on > today:
        return "coming"
    return "now"


def may_be_played_again(attempt: Attempt) -> bool:
    """Whether the match is over and the child can begin another one. The attempt has its game,
    assignment and class."""
    today = attempt.assignment.school_class.today()
    return attempt.game.phase == MATCH_OVER and when(attempt.assignment, today) == "now"


def assignments_of(school_class: SchoolClass, period: When) -> QuerySet[Assignment]:
    """The assignments of the class that can be played now, later, or no longer."""
    today = school_class.today()
    over = Q(ended_at__isnull=False) | Q(due_on__lt=today)
    assignments = school_class.assignments.all()
    if period == "past":
        return assignments.filter(over).order_by("-created_at")
    later = Q(starts_on__gt=today)
    if period == "coming":
        return assignments.exclude(over).filter(later).order_by("starts_on", "-created_at")
    return assignments.exclude(over).exclude(later).order_by("-created_at")


def count_playable(classes: Iterable[SchoolClass]) -> Mapping[UUID, int]:
    """For each of these classes, the number of assignments for the whole class that can be played
    now. One query."""
    by_key = {school_class.pk: school_class for school_class in classes}
    today = {key: each.today() for key, each in by_key.items()}
    not_ended = Assignment.objects.filter(
        school_class__in=by_key, is_for_everyone=True, ended_at=None
    )
    dated = not_ended.only("school_class", "starts_on", "due_on", "ended_at").order_by()
    return Counter(
        assignment.school_class_id
        for assignment in dated
        if when(assignment, today[assignment.school_class_id]) == "now"
    )


def children_with_more_to_play(school_class: SchoolClass, children: Collection[UUID]) -> set[UUID]:
    """The keys of the children among these who can play an assignment now and have not finished it.
    One query."""
    given = (
        Q(is_for_everyone=True) | Q(children=OuterRef("pk")) | Q(groups__children=OuterRef("pk"))
    )
    finished = Attempt.objects.filter(
        assignment=OuterRef("pk"), child=OuterRef(OuterRef("pk")), game__finished_at__isnull=False
    )
    unfinished = assignments_of(school_class, "now").filter(given, ~Exists(finished)).order_by()
    with_one = Child.objects.filter(Exists(unfinished), pk__in=children)
    return set(with_one.values_list("pk", flat=True))


def overview(school_class: SchoolClass, assignments: Sequence[Assignment]) -> list[Overview]:
    """The progress of the children in these assignments of the class. Takes a fixed number of
    queries, and reads at most one row for each child and assignment."""
    prefetch_related_objects(assignments, "groups__children", "children")
    children = list(school_class.children.all())
    stages = _stages(assignments)
    today = school_class.today()
    overviews = []
    for assignment in assignments:
        item = Overview(assignment, today)
        for child in members(assignment, children):
            getattr(item, stages.get((assignment.pk, child.pk), "not_begun")).append(child)
        overviews.append(item)
    return overviews


def _stages(assignments: Sequence[Assignment]) -> Mapping[tuple[UUID, UUID], str]:
    rows = (
        Attempt.objects.filter(assignment__in=assignments)
        .order_by()
        .values_list("assignment", "child")
        .annotate(finished=Count("game__finished_at"))
    )
    return {
        (assignment, child): "done" if finished else "playing"
        for assignment, child, finished in rows
    }
