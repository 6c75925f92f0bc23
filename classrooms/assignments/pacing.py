"""A game that suits the child: how strong its companion is, and how kind its deals are."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from classrooms.assignments.choice import Choice
from classrooms.models import Assignment, Attempt, Child
from games.bots import companion
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.rating import START, Rating, Result, opponent_for, rated
from games.engine.ruleset import Ruleset
from games.models import Seat


@dataclass(frozen=True, slots=True)
class Pace:
    """`bot`: the name of the bots' level in the game's log. `kindness`: how kind its deals are."""

    bot: str
    kindness: Kindness


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
    """The pace of a deal that every child plays: that of a child of whom nothing is known yet."""
    return pace_at(START, ruleset, chosen.bot, kind=chosen.kind, focus=chosen.focus)


def pace_at(
    rating: float, ruleset: Ruleset, bot: str, *, kind: bool, focus: Collection[int] = ()
) -> Pace:
    """The pace that suits a player of this rating. `bot`: a fixed level, or the companion. `focus`:
    the tables of which kind deals bring most rows."""
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
