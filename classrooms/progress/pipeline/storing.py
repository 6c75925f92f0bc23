"""Storing rows in place of those with the same key."""

from collections.abc import Iterable, Sequence

from django.db.models import Model


def put(rows: Iterable[Model], unique: Sequence[str]) -> None:
    """Insert these rows, or overwrite those with the same key."""
    stored = list(rows)
    if not stored:
        return
    model = type(stored[0])
    others = [
        field.name for field in model._meta.concrete_fields if field.name not in {"id", *unique}
    ]
    model._default_manager.bulk_create(
        stored, update_conflicts=True, unique_fields=list(unique), update_fields=others
    )
