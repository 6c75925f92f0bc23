"""A teacher tries out a game, as a child would play it. Nothing of it is counted: there is no
attempt, and its player belongs to no child."""

from django.utils.translation import gettext

from classrooms.assignments import pacing
from classrooms.assignments.choice import Choice
from classrooms.assignments.services import seats_of
from classrooms.locks import lock
from classrooms.models import User
from games.coach.rating import START
from games.models import Game
from games.play import services


def try_out(user: User, choice: Choice) -> Game:
    """Start a game by these rules for the adult alone; an earlier trial game is deleted. Raises
    `RulesetError` for rules that contradict each other, and `Changed`."""
    ruleset = choice.ruleset()
    pace = pacing.pace_at(START, ruleset, choice.bot, kind=choice.kind, focus=choice.focus)
    with lock(user) as (user,):
        services.erase(user.player)
        return services.start(
            ruleset,
            seats_of(user.player, gettext("You"), choice.bots, pace.bot),
            hint_steps=choice.hint_steps,
            kindness=pace.kindness,
            missed_rows=choice.missed_rows,
        )
