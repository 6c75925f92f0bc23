"""What is stored of progress, as plain values that two ways of making it can be compared by."""

from django.db.models import Model

from classrooms.progress.models import GameEvidence, SittingEvidence
from classrooms.progress.rebuild import REBUILT_MODELS

MODELS: tuple[type[Model], ...] = (*REBUILT_MODELS, GameEvidence, SittingEvidence)


def everything() -> dict[str, list[str]]:
    """All rows of all tables, without their ids."""
    return {
        model.__name__: sorted(
            repr([(key, value) for key, value in sorted(row.items()) if key != "id"])
            for row in model._default_manager.values()
        )
        for model in MODELS
    }
