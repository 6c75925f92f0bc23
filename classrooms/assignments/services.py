"""Assignments: making and ending them, and starting a child's game of one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from django.utils import timezone

from classrooms.assignments import pacing, weekly_series
from classrooms.assignments.audience import WHOLE_CLASS, Audience
from classrooms.assignments.choice import Choice
from classrooms.assignments.weekly_series import lock_assignment
from classrooms.bounds import room_for_assignment
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.bots.characters import cast
from games.coach.hints import LAST_STEP
from games.models import Game, Seat
from games.play import guided_rounds, services
from games.play.services import NewSeat
from games.screen.pictures.player_faces import own_face

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
    plays first. Raises `RulesetError` for rules that contradict each other, and `bounds.Full`."""
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
            weekly_series.repeat(assignment)
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
    """Undo an end: the assignment is on the children's list again. Raises `bounds.Full`."""
    with lock_assignment(assignment):
        if assignment.ended_at:
            room_for_assignment(assignment.school_class)
            Assignment.objects.filter(pk=assignment.pk).update(ended_at=None)


def withdraw(assignment: Assignment) -> bool:
    """Undo an assignment. False where a child has begun it: then it is only ended."""
    with lock_assignment(assignment):
        weekly_series.stop(assignment)
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
    with _present(child) as child:
        begun = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None)
            .last()
        )
        if begun:
            return _seat_child(begun.game, child, assignment)
        seed, ruleset = _seed_of_deal(child, assignment), assignment.ruleset
        if seed is None:
            pace = pacing.pace_for(child, assignment)
        else:
            pace = pacing.of_one_deal(ruleset, assignment)
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
        return _seat_child(game, child, assignment)


def learn(child: Child, edition: str, step: int) -> Game:
    """A new guided round of the child. Raises `Changed`, and what `guided_rounds.begin` raises."""
    with _present(child) as child:
        return guided_rounds.begin(child.player, child.name, edition, step, face_of(child))


@contextmanager
def _present(child: Child) -> Iterator[Child]:
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


def _seat_child(game: Game, child: Child, assignment: Assignment) -> Game:
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
