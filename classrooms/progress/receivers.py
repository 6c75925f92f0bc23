"""Ask a worker to count a finished round, or a finished sitting of short questions, once it is
stored."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from classrooms.models import SchoolClass
from classrooms.progress.models import ProgressLock
from classrooms.progress.tasks import look_at_game, look_at_sitting
from classrooms.publishing import Publisher
from classrooms.questions.models import Check
from games.models import Game
from games.signals import round_finished

publisher = Publisher(look_at_game)
publisher_of_sittings = Publisher(look_at_sitting)


@receiver(round_finished)
def enqueue_game(game_id: UUID, **kwargs: Any) -> None:
    publisher.enqueue(game_id)


@receiver(post_save, sender=Check)
def enqueue_sitting(instance: Check, **kwargs: Any) -> None:
    """Ask a worker after the last question. A scan finds the sittings that ended before it."""
    sitting_id, questions = instance.sitting_id, instance.sitting.questions
    if instance.number + 1 < len(questions):
        return
    transaction.on_commit(lambda: publisher_of_sittings.enqueue(sitting_id), robust=True)


@receiver(pre_delete, sender=Game)
def mark_child_stale(instance: Game, **kwargs: Any) -> None:
    """Have the progress of a deleted game's children counted again without it."""
    ProgressLock.objects.filter(child__attempts__game=instance).update(stale=True)


@receiver(pre_delete, sender=SchoolClass)
def mark_children_stale(instance: SchoolClass, **kwargs: Any) -> None:
    """Have the progress of children who played or answered in a deleted class counted again without
    that class."""
    days = Q(child__table_days__school_class=instance) | Q(child__fact_days__school_class=instance)
    locks = ProgressLock.objects.filter(days).values("pk")
    ProgressLock.objects.filter(pk__in=locks).update(stale=True)
