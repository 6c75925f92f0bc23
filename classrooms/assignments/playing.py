"""Begins games: those of a child's assignments, guided rounds, and a teacher's trial games."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext

from classrooms.assignments.audience import current_assignments
from classrooms.assignments.choice import Choice
from classrooms.locks import ensure_in_class, lock
from classrooms.models import Assignment, Attempt, Child, User
from games.bots import companion
from games.bots.registry import CAST, cast_of
from games.coach.begun_rounds import BegunRound
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.goals import bridges_between, turns_of, with_goal
from games.coach.guided_rounds import STEPS, guided_step
from games.coach.hints import LAST_STEP
from games.coach.rating import (
    FIRST_GAME_RATING,
    START_RATING,
    Rating,
    Result,
    opponent_for,
    rating_after,
)
from games.engine.round import OVER_PHASES
from games.engine.ruleset import Ruleset
from games.models import Game, Seat
from games.play import services as play
from games.play import starting
from games.play.log import next_goal_of
from games.play.starting import NewSeat
from games.screen.player_faces import own_face

# Makes a game suit its children: the strength of the companion, the kindness of the deals, and the
# goal of a table that plays together.

GAMES_BACK: Final = 20
"""A goal can go on from one of this many last games of the child."""


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
    """The pace of one deal for all children: that of a child about whom nothing is known."""
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
        if ruleset.most_turns:
            return replace(ruleset, most_turns=turns_of(ruleset, seats))
        return ruleset
    rules = partial(
        with_goal, assignment.ruleset, seats, assignment.together, children=len(children)
    )
    ruleset = rules()
    last = next(_games_of_table({child.pk for child in children}, assignment, ruleset, seats), None)
    return rules(next_goal=next_goal_of(last, seats)) if last else ruleset


def _games_of_table(
    children: Collection[UUID], assignment: Assignment, ruleset: Ruleset, seats: int
) -> Iterator[Game]:
    """The last games of a table of these children by the same rules, the newest first."""
    child, same = next(iter(children)), ("rounds", "goal", "goal_up", "goal_down", "builds_on")
    earlier = Attempt.objects.filter(child=child, assignment__together=assignment.together)
    recent = earlier.select_related("game").prefetch_related("game__attempts", "game__seats")
    for attempt in recent.order_by("-created_at")[:GAMES_BACK]:
        game = attempt.game
        same_table = {attempt.child_id for attempt in game.attempts.all()} == children
        if same_table and len(game.seats.all()) == seats:
            rules = replace(game.ruleset, **{name: getattr(ruleset, name) for name in same})
            if rules == ruleset:
                yield game


def bridges_before(attempt: Attempt) -> int:
    """How many bridges the table of a match that plays together has crossed in its last matches by
    the same rules."""
    game, goal, bridges = attempt.game, attempt.game.ruleset.goal, 0
    children = {each.child_id for each in game.attempts.all()}
    rules = (attempt.assignment, game.ruleset, game.seats.count())
    for before in _games_of_table(children, *rules):
        if goal and before.created_at < game.created_at:
            bridges += bridges_between(before.ruleset, len(before.round_winners), goal)
            goal = before.ruleset.goal
    return bridges


def _results(child: Child, attempts: Iterable[Attempt], seats: Iterable[Seat]) -> Iterator[Result]:
    seat_of = {seat.game_id: seat.number for seat in seats if seat.player == child.player}
    strengths = {seat.game_id: companion.strength_of(seat.bot) for seat in seats if seat.bot}
    for attempt in attempts:
        strength = strengths.get(attempt.game_id)
        if strength is not None and not attempt.game.ruleset.is_together:
            for winner in attempt.game.round_winners:
                yield Result(strength, won=winner == seat_of[attempt.game_id])


def continue_or_start(child: Child, assignment: Assignment) -> Game:
    """The open match of this assignment that the child plays alone, or else a new one. The child is
    locked, so that two taps do not begin two games. Raises `Changed` if the child has left the
    class."""
    with lock_in_class(child) as child:
        attempt = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None, game__table=None)
            .last()
        )
        if attempt:
            return seat_child(attempt.game, child, assignment)
        return begin_alone(child, assignment)


def begin_alone(child: Child, assignment: Assignment, *, bots: int | None = None) -> Game:
    """Begin a match of a locked child with this many bots, by default with as many as the
    assignment has."""
    bots = bots or assignment.bots
    is_first = not Attempt.objects.filter(child=child, assignment=assignment).exists()
    seed = assignment.deal_seed if is_first else None  # later matches have other deals
    is_shared = seed is not None
    ruleset = assignment.ruleset if is_shared else rules_for([child], assignment, bots + 1)
    pace = pace_of_one_deal(ruleset, assignment) if is_shared else pace_for(child, assignment)
    game = starting.start(
        ruleset,
        seats_of(child, bots, pace.bot),
        after=[child.last_game_id] if child.last_game_id and not is_shared else (),
        hint_steps=hint_steps_for(child, assignment),
        seed=seed,
        kindness=pace.kindness,
        shows_missed_rows=assignment.shows_missed_rows,
        has_shared_deal=is_shared,
    )
    Attempt.objects.create(assignment=assignment, child=child, game=game)
    return seat_child(game, child, assignment)


def start_guided_round(child: Child, edition: str, step: int | None) -> Game:
    """Begin a guided round for the child, which teaches the rules of their newest game of this
    edition as far as it can. Without a `step`, continue the round that they left, or begin the step
    after it, or else the first. Raises `Changed` if the child has left the class, and
    `RulesetError` for an unknown edition."""
    with lock_in_class(child) as child:
        last = Game.objects.filter(is_guided=True, seats__player=child.player).first()
        game = None
        if step is None and last and last.ruleset.edition == edition:
            game = None if last.phase in OVER_PHASES else last
            step = step_to_learn(last)
        if game is None:
            given = current_assignments(child).filter(edition=edition)
            newest = given.order_by("-created_at").first()
            game = starting.start_guided_game(
                child.player,
                child.name,
                edition,
                step or 1,
                face=face_of(child),
                game_ruleset=newest.ruleset if newest else None,
            )
        Child.objects.filter(pk=child.pk).update(last_game=game)
        return game


def step_to_learn(last: Game) -> int | None:
    """The step at which a child goes on after their `last` guided round, which they have finished
    or left. None after the last step."""
    step = guided_step(last.ruleset) + (last.phase in OVER_PHASES)
    return step if step <= STEPS else None


@contextmanager
def lock_in_class(child: Child) -> Iterator[Child]:
    """Lock the child and yield their current state. Raises `Changed` if they have left the
    class."""
    with lock(child) as (now,):
        ensure_in_class(child.school_class, now)
        now.school_class = child.school_class
        yield now


def hint_steps_for(child: Child, assignment: Assignment) -> int:
    """The last hint step that this child gets in this assignment."""
    own_steps = {Child.Hints.ALL: LAST_STEP, Child.Hints.NONE: 0}
    return own_steps.get(Child.Hints(child.hints), assignment.hint_steps)


def seat_child(game: Game, child: Child, assignment: Assignment) -> Game:
    """Seat the child at the game, with their current face and hint setting."""
    face = face_of(child)
    Child.objects.filter(pk=child.pk).exclude(last_game=game).update(last_game=game)
    Seat.objects.filter(game=game, player=child.player).exclude(face=face).update(face=face)
    hint_steps = hint_steps_for(child, assignment)
    if game.hint_steps != hint_steps:
        Game.objects.filter(pk=game.pk).update(hint_steps=hint_steps)
    return game


def face_of(child: Child) -> str:
    """The child's face as a seat stores it: as they dressed it, or else plain."""
    return own_face(child.face).text


def columns_of_turn(begun: BegunRound) -> dict[str, Any]:
    """The fields of a hand or a riddle, an assignment in which each child plays one turn of this
    round."""
    return {
        "edition": begun.ruleset.edition,
        "options": {"tables": list(begun.ruleset.tables or ())},
        "bots": begun.seats - 1,
        "bot": "steady",
        "has_kind_deals": False,
        "hint_steps": 0,
        "shows_missed_rows": False,
        "has_questions": False,
        "rounds": 1,
    }


def seats_of(child: Child, bots: int, bot: str) -> list[NewSeat]:
    """The seats of a game: first the child, at the bottom of the screen, then the bots."""
    face = face_of(child)
    return [NewSeat(child.player, name=child.name, face=face), *bot_seats(bots, bot, face)]


def bot_seats(count: int, bot: str, face: str = "") -> list[NewSeat]:
    """The seats of bots. Characters that look like a player with this `face` come last."""
    order = sorted(CAST, key=lambda character: character[1] in face.split())
    return [NewSeat(bot=bot, name=name, face=symbol) for name, symbol in cast_of(bot, order, count)]


def start_trial_game(user: User, choice: Choice) -> Game:
    """Start a trial game with these settings, which the adult plays as a child would, and delete
    their earlier one. It is no evidence, because it has no attempt and its player is not a child.
    Raises `RulesetError` for rules that contradict each other, and `Changed` if the account is
    gone."""
    ruleset = choice.ruleset()
    pace = pace_at(
        FIRST_GAME_RATING, ruleset, choice.bot, kind=choice.has_kind_deals, focus=choice.focus
    )
    with lock(user) as (user,):
        play.erase(user.player)
        return starting.start(
            ruleset,
            [NewSeat(user.player, name=gettext("You")), *bot_seats(choice.bots, pace.bot)],
            hint_steps=choice.hint_steps,
            kindness=pace.kindness,
            shows_missed_rows=choice.shows_missed_rows,
        )
