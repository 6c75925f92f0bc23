"""A teacher tries out a game, as a child would play it. Nothing of it is counted: there is no
attempt, and its player belongs to no child."""

from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext

from classrooms.assignments import pacing
from classrooms.assignments.choice import Choice
from classrooms.assignments.services import seats_of
from classrooms.models import User
from games.coach.rating import START
from games.models import Game
from games.play import services

_TEACHERS: Final = UUID("6d0a1c1e-5a3b-4c55-9b3a-7f6f1f0c2a41")


def player_of(user: User) -> UUID:
    """The player id of this adult when trying out a game."""
    return uuid5(_TEACHERS, str(user.pk))


def try_out(user: User, choice: Choice) -> Game:
    """Start a game by these rules for the adult alone; an earlier trial game is deleted. Raises
    `RulesetError` for rules that contradict each other."""
    ruleset, player = choice.ruleset(), player_of(user)
    pace = pacing.pace_at(START, ruleset, choice.bot, kind=choice.kind, focus=choice.focus)
    with transaction.atomic():
        Game.objects.filter(seats__player=player).delete()
        return services.start(
            ruleset,
            seats_of(player, gettext("You"), choice.bots, pace.bot),
            hint_steps=choice.hint_steps,
            kindness=pace.kindness,
            missed_rows=choice.missed_rows,
        )
