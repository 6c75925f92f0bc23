"""Makes a game suit its children: the strength of the companion, the kindness of the deals, and the
goal of a table that plays together."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from uuid import UUID

from classrooms.assignments.choice import Choice, turns_of
from classrooms.models import Assignment, Attempt, Child
from games.bots import companion
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.goals import with_goal
from games.coach.rating import (
    FIRST_GAME_RATING,
    START_RATING,
    Rating,
    Result,
    opponent_for,
    rating_after,
)
from games.engine.ruleset import Ruleset
from games.models import Seat
from games.play.log import next_goal_of

GAMES_BACK: Final = 20
"""A goal can go on from one of the child's last games, so many of them."""


@dataclass(frozen=True, slots=True)
class Pace:
    bot: str  # the name of the bots' level in the game's log
    kindness: Kindness  # of the game's deals


def pace_for(child: Child, assignment: Assignment) -> Pace:
    """The pace that suits the child's next game, except for what the teacher has fixed."""
    rating = rating_of(child, assignment)
    return pace_at(
        FIRST_GAME_RATING if rating == Rating() else rating.value,
        assignment.ruleset,
        assignment.bot,
        kind=assignment.has_kind_deals,
        focus=assignment.focus,
    )


def pace_of_one_deal(ruleset: Ruleset, setting: Assignment | Choice) -> Pace:
    """The pace of one deal for all children, as for a child about whom nothing is known."""
    return pace_at(
        START_RATING, ruleset, setting.bot, kind=setting.has_kind_deals, focus=setting.focus
    )


def pace_at(
    rating: float, ruleset: Ruleset, bot: str, *, kind: bool, focus: Collection[int] = ()
) -> Pace:
    """The pace that suits a player with this rating. `bot` is a fixed level or the companion. Kind
    deals (`kind`) favour rows of the tables in `focus`."""
    level = companion.name_of(opponent_for(rating)) if bot == companion.NAME else bot
    return Pace(level, kindness_for(ruleset, rating, focus) if kind else PLAIN)


def rating_of(child: Child, assignment: Assignment) -> Rating:
    """The child's rating at this assignment. It starts at the rating from their rounds of other
    assignments, and changes with their rounds of this one. Rounds against classmates, against bots
    of a fixed level, and together do not count."""
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
    ratings = {}
    for child in children:
        tries = attempts[child.pk]
        here = [attempt for attempt in tries if attempt.assignment_id == assignment.pk]
        elsewhere = [attempt for attempt in tries if attempt.assignment_id != assignment.pk]
        all_seats = [seat for attempt in tries for seat in seats[attempt.game_id]]
        before = rating_after(_results(child, elsewhere, all_seats))
        ratings[child.pk] = rating_after(_results(child, here, all_seats), Rating(before.value))
    return ratings


def rules_for(children: Sequence[Child], assignment: Assignment, seats: int) -> Ruleset:
    """The rules of the next game of these children, at a table with this many seats. If the table
    plays together, its goal goes on from the last game of the same children by the same rules."""
    if not assignment.together:
        ruleset = assignment.ruleset
        if ruleset.piles or not ruleset.most_turns:  # With both, it is of an earlier release.
            return ruleset
        return replace(ruleset, most_turns=turns_of(ruleset, seats))
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
        goals = {name: getattr(ruleset, name) for name in ("goal", "goal_up", "goal_down")}
        if replace(game.ruleset, rounds=ruleset.rounds, **goals) == ruleset:
            return rules(next_goal=next_goal_of(game, seats))
    return ruleset


def _results(child: Child, attempts: Iterable[Attempt], seats: Iterable[Seat]) -> Iterator[Result]:
    seat_of = {seat.game_id: seat.number for seat in seats if seat.player == child.player}
    strengths = {seat.game_id: companion.strength_of(seat.bot) for seat in seats if seat.bot}
    for attempt in attempts:
        strength = strengths.get(attempt.game_id)
        if strength is not None and not attempt.game.ruleset.is_together:
            for winner in attempt.game.round_winners:
                yield Result(strength, won=winner == seat_of[attempt.game_id])
