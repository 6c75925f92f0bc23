"""A finished turn or round, or an answered question, asks a worker to look once it is stored."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from classrooms.checks.models import Check
from games.signals import round_finished, turn_finished

from .publishing import Publisher
from .tasks import look_at_game, look_at_sitting

publisher = Publisher(look_at_game)
publisher_of_sittings = Publisher(look_at_sitting)


@receiver((turn_finished, round_finished))
def ask_to_look(game_id: UUID, **kwargs: Any) -> None:
    publisher.ask(game_id)


@receiver(post_save, sender=Check)
def ask_to_count(instance: Check, **kwargs: Any) -> None:
    sitting_id = instance.sitting_id
    transaction.on_commit(lambda: publisher_of_sittings.ask(sitting_id), robust=True)
