"""A finished turn or round asks a worker to look, after its move is stored."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from games.signals import round_finished, turn_finished

from .publishing import Publisher
from .tasks import look_at_game

publisher = Publisher(look_at_game)


@receiver((turn_finished, round_finished))
def ask_to_look(game_id: UUID, **kwargs: Any) -> None:
    publisher.ask(game_id)
