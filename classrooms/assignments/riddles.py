"""The riddle of the day, which is the same for the whole class. A worker makes it after midnight
from a random seed, so that nobody can know it earlier. A child has three tries, each a game of its
own. Earlier riddles stay open."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from secrets import randbits
from typing import Final
from uuid import UUID

from django.db.models import Count, Exists, FilteredRelation, Max, OuterRef, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from classrooms.access import riddles_of
from classrooms.assignments.playing import (
    columns_of_turn,
    hint_steps_for,
    lock_in_class,
    seat_child,
    seats_of,
)
from classrooms.assignments.presets import EASY_TABLE, with_enough_rows
from classrooms.locks import lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.bots.riddles import TRIES, Riddle, find_riddle, riddle_ruleset
from games.coach.times_tables import FIRST_TABLES
from games.engine.sequences import SHORTEST
from games.models import Entry, Game
from games.play import starting
from games.play.hooks import RiddleResult
from games.play.log import SEED_BITS, plays_by_game

SOLUTIONS_SHOWN: Final = 3
"""How many solutions of the class are shown."""
ACTIVE_WITHIN: Final = timedelta(days=14)
"""A class in which nobody has played for longer than this gets a riddle only on request."""


@dataclass(slots=True)
class Try:
    """A child's try at a riddle: the numbers of each row in it, and how many cards they laid."""

    game: UUID
    most: int
    is_over: bool
    rows: list[tuple[int, ...]] = field(default_factory=list)
    laid: int = 0

    @property
    def is_solved(self) -> bool:
        return self.is_over and self.laid >= self.most


Tries = Mapping[tuple[UUID, UUID], list[Try]]
"""The tries by riddle and child."""


@dataclass(frozen=True, slots=True)
class OwnRiddle:
    riddle: Assignment
    tries: Sequence[Try]

    @property
    def is_open(self) -> bool:
        """Whether a try has begun and is not over."""
        return not all(attempt.is_over for attempt in self.tries)

    @property
    def is_solved(self) -> bool:
        return any(attempt.is_solved for attempt in self.tries)

    @property
    def is_done(self) -> bool:
        return self.is_solved or sum(attempt.is_over for attempt in self.tries) >= TRIES

    @property
    def aim(self) -> str:
        count = self.riddle.turn.most_cards
        return gettext("Can you lay %(n)d of your 7 cards in one turn?") % {"n": count}

    @property
    def button(self) -> str:
        if self.is_done:
            return gettext("Look at it")
        if self.is_open:
            return gettext("Go on")
        return gettext("Try again") if self.tries else gettext("Play")

    @property
    def result(self) -> RiddleResult:
        return result(self.tries)


def result(tries: Iterable[Try], of_others: str = "") -> RiddleResult:
    over = [attempt for attempt in tries if attempt.is_over]
    lines = [
        (
            gettext("Try %(number)d: %(laid)d of %(most)d cards")
            % {"number": number, "laid": attempt.laid, "most": attempt.most},
            [card < attempt.laid for card in range(attempt.most)],
        )
        for number, attempt in enumerate(over, start=1)
    ]
    return RiddleResult(lines, of_others)


def todays_riddle(school_class: SchoolClass) -> Assignment | None:
    """The riddle of this day, by the clock of the class; None if it is not made yet."""
    return riddles_of(school_class).filter(riddle_on=school_class.today()).first()


def classes_without_riddle() -> list[SchoolClass]:
    """The classes that play but have no riddle of this day yet."""
    since = timezone.now() - ACTIVE_WITHIN
    lately = Attempt.objects.filter(
        assignment__school_class=OuterRef("pk"), game__moved_at__gt=since
    )
    classes = SchoolClass.objects.filter(Exists(lately), has_riddles=True, archived_at=None)
    newest = classes.annotate(newest=Max("assignments__riddle_on"))
    return [
        school_class
        for school_class in newest
        if school_class.newest is None or school_class.newest < school_class.today()
    ]


def make_riddle(school_class: SchoolClass) -> Assignment:
    """The riddle of this day, which is made if there is none yet. That takes seconds, during which
    nothing is locked. Raises `Changed` if the class is gone."""
    if todays := todays_riddle(school_class):
        return todays
    new_riddle = _new_riddle(school_class)
    with lock(school_class) as (school_class,):
        riddle, _is_new = Assignment.all_objects.get_or_create(
            school_class=school_class,
            riddle_on=school_class.today(),
            defaults={
                **columns_of_turn(new_riddle.round),
                "one_turn": new_riddle.to_data(),
                # Otherwise an older web process would give it to children during an upgrade.
                "ended_at": timezone.now(),
            },
        )
    return riddle


def _new_riddle(school_class: SchoolClass) -> Riddle:
    """A riddle with the tables that the class last practised, as far as its cards allow. If these
    give no riddle that is hard enough, the easy table is added, or else the first tables are
    used."""
    last = school_class.assignments.filter(options__has_key="tables").first()
    highest = riddle_ruleset(FIRST_TABLES).highest // SHORTEST
    chosen = {table for table in last.options["tables"] if table <= highest} if last else set()
    for tables in (chosen or FIRST_TABLES, chosen | {EASY_TABLE}, FIRST_TABLES):
        if riddle := find_riddle(with_enough_rows(tables), randbits(SEED_BITS)):
            return riddle
    raise AssertionError("the first tables have riddles")


def continue_or_try(child: Child, riddle: Assignment) -> Game:
    """The child's open try, or else a new one. If they have solved the riddle or used all tries,
    the last one. Raises `Changed` if the child has left the class."""
    with lock_in_class(child) as child:
        attempts = list(_attempts([riddle]).filter(child=child))
        own_riddle = OwnRiddle(riddle, tries_of(attempts).get((riddle.pk, child.pk), ()))
        begun = next(
            (attempt.game for attempt in attempts if attempt.game.finished_at is None), None
        )
        if begun or own_riddle.is_done:
            return seat_child(begun or attempts[-1].game, child, riddle)
        game = starting.start_begun(
            riddle.turn.begun,
            seats_of(child, riddle.bots, riddle.bot),
            hint_steps=hint_steps_for(child, riddle),
            riddle_cards=riddle.turn.most_cards,
        )
        Attempt.objects.create(assignment=riddle, child=child, game=game, is_repeat=bool(attempts))
        return seat_child(game, child, riddle)


def tries_of(attempts: Iterable[Attempt]) -> Tries:
    """The tries in these attempts, which are in order and have their games. One query."""
    tries: dict[tuple[UUID, UUID], list[Try]] = defaultdict(list)
    by_game: dict[UUID, Try] = {}
    for attempt in attempts:
        over = attempt.game.finished_at is not None
        by_game[attempt.game_id] = Try(attempt.game_id, attempt.game.riddle_cards, over)
        tries[attempt.assignment_id, attempt.child_id].append(by_game[attempt.game_id])
    for game, plays in plays_by_game(Entry.objects.filter(game__in=by_game)).items():
        by_game[game].rows = [tuple(data["numbers"]) for _, data in plays]
        by_game[game].laid = sum(len(data["laid"]) for _, data in plays)
    return tries


def own_riddles(child: Child, riddles: Sequence[Assignment]) -> list[OwnRiddle]:
    """These riddles of the child's class as the child sees them."""
    tries = tries_of(_attempts(riddles).filter(child=child)) if riddles else {}
    return [OwnRiddle(riddle, tries.get((riddle.pk, child.pk), ())) for riddle in riddles]


def riddle_results(child: Child, riddle: Assignment) -> tuple[OwnRiddle, "ClassResult"]:
    """A riddle of the child's class as the child sees it, and how the class has done."""
    (own_riddle,) = own_riddles(child, [riddle])
    return own_riddle, class_result(riddle)


def _attempts(riddles: Iterable[Assignment]) -> QuerySet[Attempt]:
    return _with_games(Attempt.objects.filter(assignment__in=riddles))


def _with_games(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    games = attempts.select_related("game").defer("game__snapshot")
    return games.order_by("created_at", "pk")


Solution = Sequence[tuple[int, ...]]
"""The rows of a solution."""


@dataclass(frozen=True, slots=True)
class ClassResult:
    """How many children of the class have solved a riddle, and some of their solutions, each as the
    rows that were laid, without names."""

    solved: int
    children: int
    solutions: Sequence[Solution]

    @property
    def text(self) -> str:
        if not self.solved:
            return gettext("Nobody has solved it yet.")
        return ngettext(
            "%(solved)d of %(n)d children has solved it.",
            "%(solved)d of %(n)d children have solved it.",
            self.solved,
        ) % {"solved": self.solved, "n": self.children}


def class_result(riddle: Assignment) -> ClassResult:
    finished = Q(own__game__finished_at__isnull=False)
    of_riddle = FilteredRelation("attempts", condition=Q(attempts__assignment=riddle.pk))
    of_class = Child.objects.filter(school_class=riddle.school_class_id).annotate(own=of_riddle)
    counts = of_class.aggregate(
        tries=Count("own", filter=finished),
        keys=Sum("own__pk", filter=finished),
        children=Count("pk", filter=finished, distinct=True),
        all=Count("pk", distinct=True),
    )
    children = counts.pop("all")
    solved, solutions = _solvers_and_solutions(riddle.pk, **counts)
    return ClassResult(solved, children, solutions)


@lru_cache(maxsize=500)
def _solvers_and_solutions(
    riddle: UUID, *, tries: int, keys: int | None, children: int
) -> tuple[int, Sequence[Solution]]:
    """How many children have solved this riddle, and their most frequent solutions. Cached until a
    child finishes another try, which changes the number of tries, the sum of their keys, or the
    number of children."""
    present = Child.objects.filter(school_class__assignments=riddle).order_by().values("pk")
    finished = Attempt.objects.filter(
        assignment=riddle, child__in=present, game__finished_at__isnull=False
    )
    by_child = tries_of(_with_games(finished))
    solving = [next((t for t in ts if t.is_solved), None) for ts in by_child.values()]
    counts = Counter(tuple(sorted(t.rows)) for t in solving if t is not None)
    solutions = [rows for rows, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    return counts.total(), solutions[:SOLUTIONS_SHOWN]
