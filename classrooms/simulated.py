"""Weeks of play of a whole class, as model children would have played them: for the demo school
and for benches. The same seed makes the same weeks, but for their dates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from random import Random
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from games.bots import companion
from games.bots.model_child import ModelPlayer
from games.bots.simulation import BETWEEN, DISCARDING, DRAWING, LAYING, RECALLS_A_LOOK, TRYING
from games.coach.deals import kindness_for
from games.coach.model_children import MIDDLE, STRONG, WEAK, ModelChild
from games.coach.rating import Rating, Result, opponent_for, updated
from games.engine.actions import Discard
from games.engine.cards import is_joker
from games.engine.plays import resolve
from games.engine.round import view
from games.engine.table import Play
from games.moves import AskHint, Do, Lay, Making, Move, NextRound
from games.playing_out import Past, PlayedOut, play_out, store
from games.services import SEED_BITS, NewSeat

from .assigning import BOTS, Choice
from .models import Assignment, Attempt, Child, SchoolClass

SCHOOL_DAYS: Final = (0, 2, 4)
"""Three days a week: Monday, Wednesday, Friday (learning.md, The child)."""
SPAN: Final = timedelta(weeks=3)
"""How long an assignment is what the class plays."""
PLAN: Final = ((2, 5, 10), (3, 4, 6), (2, 3, 4, 5, 6, 10), (6, 7, 8, 9), tuple(range(2, 11)))
LEARNS_A_WEEK: Final = 0.02
"""The share of what a child overlooks that it learns to notice with each week of play."""
ASKS_FOR_HINT: Final = 0.12
AFTER_HINT: Final = (0.35, 0.5, 0.65, 0.85)
"""The chance to find the row after each step of a hint."""
GAMES_A_BATCH: Final = 200
LINES: Final = (WEAK, MIDDLE, STRONG, MIDDLE)


@dataclass(frozen=True, slots=True)
class Weeks:
    """How much is played. `sittings`: how many a week a child has on average; `rounds`: of the
    match that is played in each."""

    weeks: int
    sittings: float = 2.0
    rounds: int = 1
    seed: int = 1


@dataclass(slots=True)
class Simulated:
    """A child, how it plays, and how strong it has shown itself to be."""

    child: Child
    model: ModelChild
    zeal: float
    rating: Rating = field(default_factory=Rating)

    def after(self, weeks: int) -> ModelChild:
        """The same child after so many weeks: it notices a little more."""
        left = (1 - LEARNS_A_WEEK) ** weeks

        def grown(chance: float) -> float:
            return 1 - (1 - chance) * left

        notices = {table: grown(chance) for table, chance in self.model.notices.items()}
        return replace(
            self.model,
            notices=MappingProxyType(notices),
            notices_others=grown(self.model.notices_others),
        )


@dataclass(slots=True)
class SimulatedChooser:
    """A model child that asks for hints and tries what is no row, as `play_out` has it move."""

    model: ModelChild
    seed: int
    _tried: set[tuple[int, ...]] = field(default_factory=set)

    def choose(self, making: Making, seat: int) -> tuple[Move, float]:
        state = making.state
        if state.phase == "round over":
            return NextRound(), BETWEEN
        seen = view(state, seat)
        player = ModelPlayer(self.model, self.seed)
        action = player.choose(seen)
        look = RECALLS_A_LOOK * self.model.check_seconds
        if seen.phase != "play":
            return Do(action), DRAWING
        if seen.turns not in self._tried:
            self._tried.add(seen.turns)
            wrong = self._no_row(making, seat) if player.tries_wrongly(seen) else None
            if wrong:
                return wrong, TRYING + look
        if isinstance(action, Play):
            return Do(action), LAYING + look
        return self._without_row(making, seat, Do(action), look)

    def _without_row(
        self, making: Making, seat: int, instead: Do, look: float
    ) -> tuple[Move, float]:
        """It sees no row: it may ask for a hint, and find the row after it."""
        step = making.standing.hint_step
        random = Random(f"{self.seed}/{making.state.round}/{making.state.turns}/{step}")
        hint = making.hint if step else None
        if hint and hint.play and random.random() < AFTER_HINT[step - 1]:
            return Do(hint.play), LAYING + look
        most = min(making.game.hint_steps, len(AFTER_HINT))
        chance = 0.6 if step else ASKS_FOR_HINT
        asks = step < most and random.random() < chance and isinstance(instead.action, Discard)
        return (AskHint(), DRAWING) if asks else (instead, DISCARDING + look)

    def _no_row(self, making: Making, seat: int) -> Lay | None:
        """Three cards of the hand that are no row, two of them a jump of a table apart."""
        position = making.state.position(seat)
        cards = sorted(card for card in view(making.state, seat).hand if not is_joker(card))
        for first in range(len(cards) - 2):
            three = tuple(cards[first : first + 3])
            if not resolve(position, three, ()):
                return Lay(three)
        return None


def play_weeks(school_class: SchoolClass, plan: Weeks) -> Iterator[int]:
    """Play these weeks and store them, a batch of games at a time; how many games so far.

    The children are those of the class; the assignments are made too, dated back.
    """
    random = Random(plan.seed)
    children = [
        Simulated(child, LINES[number % len(LINES)], zeal=0.6 + 0.8 * random.random())
        for number, child in enumerate(school_class.children.order_by("created_at", "name"))
    ]
    assignments = _assigned(school_class, plan)
    batch: list[tuple[Simulated, Assignment, PlayedOut]] = []
    done = 0
    for day in _school_days(school_class, plan.weeks):
        assignment = next(made for made in reversed(assignments) if made.created_at.date() <= day)
        week = (day - assignments[0].created_at.date()).days // 7
        for simulated in children:
            chance = simulated.zeal * plan.sittings / len(SCHOOL_DAYS)
            if random.random() < chance:
                out = _sitting(simulated, assignment, day, week, random)
                batch.append((simulated, assignment, out))
        if len(batch) >= GAMES_A_BATCH:
            done += _store(batch)
            yield done
    yield done + _store(batch)


def sittings_to_expect(children: int, plan: Weeks) -> int:
    """About how many games `play_weeks` will play."""
    return round(children * plan.weeks * plan.sittings)


def _assigned(school_class: SchoolClass, plan: Weeks) -> Sequence[Assignment]:
    """An assignment for each span; all but the last have ended."""
    zone = ZoneInfo(school_class.time_zone)
    begin = _monday(school_class) - timedelta(weeks=plan.weeks - 1)
    made = []
    for number in range(-(-plan.weeks * 7 // SPAN.days)):
        tables = PLAN[number % len(PLAN)]
        starts = datetime.combine(begin + number * SPAN, time(8), zone)
        choice = Choice(tables=tables, rounds=plan.rounds, due_on=(starts + SPAN).date())
        ruleset = choice.ruleset()
        made.append(
            Assignment(
                school_class=school_class,
                edition=ruleset.edition,
                options=choice.options,
                rounds=plan.rounds,
                due_on=choice.due_on,
                created_at=starts,
            )
        )
    for assignment, following in pairwise(made):
        assignment.ended_at = following.created_at
    return Assignment.objects.bulk_create(made)


def _school_days(school_class: SchoolClass, weeks: int) -> Iterator[date]:
    """The days on which the class plays, up to yesterday."""
    monday, today = _monday(school_class), school_class.today()
    for week in range(weeks - 1, -1, -1):
        for weekday in SCHOOL_DAYS:
            day = monday - timedelta(weeks=week) + timedelta(days=weekday)
            if day < today:
                yield day


def _monday(school_class: SchoolClass) -> date:
    """The Monday of the week of yesterday, so that the last of the weeks has days in it."""
    yesterday = school_class.today() - timedelta(days=1)
    return yesterday - timedelta(days=yesterday.weekday())


def _sitting(
    simulated: Simulated, assignment: Assignment, day: date, week: int, random: Random
) -> PlayedOut:
    """A match of a child on a day, against a companion that suits it."""
    zone = ZoneInfo(assignment.school_class.time_zone)
    name, face = BOTS[random.randrange(len(BOTS))]
    strength = opponent_for(simulated.rating.value)
    bot = NewSeat(bot=companion.name_of(strength), name=name, face=face)
    past = Past(
        ruleset=assignment.ruleset,
        seats=[NewSeat(player=simulated.child.player, name=simulated.child.name), bot],
        begins=datetime.combine(day, time(9), zone) + timedelta(seconds=random.randrange(18000)),
        seed=random.getrandbits(SEED_BITS),
        hint_steps=assignment.hint_steps,
        kindness=kindness_for(assignment.ruleset, simulated.rating.value),
    )
    out = play_out(past, SimulatedChooser(simulated.after(week), random.getrandbits(32)))
    for winner in out.game.round_winners:
        simulated.rating = updated(simulated.rating, Result(strength, won=winner == 0))
    return out


def _store(batch: list[tuple[Simulated, Assignment, PlayedOut]]) -> int:
    """Store a batch and empty it; how many games it had."""
    store(out for _, _, out in batch)
    attempts: list[Attempt] = [
        Attempt(
            assignment=assignment,
            child=simulated.child,
            game=out.game,
            created_at=out.game.created_at,
        )
        for simulated, assignment, out in batch
    ]
    Attempt.objects.bulk_create(attempts)
    batch.clear()
    return len(attempts)
