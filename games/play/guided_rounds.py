"""Guided first rounds. A round is kept until its player begins another one; it leaves no
evidence."""

from typing import Final
from uuid import UUID

from django.db import transaction

from games.bots import onlooker
from games.bots.registry import CAST
from games.coach.guided_lessons import lesson_ruleset
from games.engine.ruleset import Ruleset
from games.models import Game
from games.play import services
from games.play.services import NewSeat

BOT: Final = CAST[0]


def begin(
    player: UUID,
    name: str,
    edition: str,
    step: int = 1,
    face: str = "",
    like: Ruleset | None = None,
) -> Game:
    """Start the guided round of this step of an edition, to learn a game with the rules `like`, and
    delete the player's earlier one. Raises `RulesetError` for an unknown edition. The caller must
    hold a lock on the player, because otherwise two taps start two rounds."""
    ruleset = lesson_ruleset(edition, step, like)
    bot_name, bot_face = BOT
    seats = [
        NewSeat(player=player, name=name, face=face),
        NewSeat(bot=onlooker.NAME, name=bot_name, face=bot_face),
    ]
    with transaction.atomic():
        services.delete(Game.objects.filter(guided=True, seats__player=player))
        return services.start(ruleset, seats, hint_steps=0, guided=True)
