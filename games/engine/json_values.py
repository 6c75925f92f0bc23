"""Converts JSON back to the types from which it was made."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec import ValidationError, convert

from games.engine.errors import JsonError, RulesetError

T = TypeVar("T")

JsonObject = Mapping[str, object]


def read_as(kind: type[T], data: JsonObject, *, partly: bool = False) -> T:
    """Convert a JSON object to a dataclass or typed dict that has exactly its fields. With
    `partly`, the object may have further fields, which are ignored.

    Raises `JsonError`, and `RulesetError` for a ruleset that contradicts itself.
    """
    if isinstance(data, dict) and not partly and data.keys() != kind.__annotations__.keys():
        wrong = sorted(data.keys() ^ kind.__annotations__.keys())
        raise JsonError(f"missing or unknown: {', '.join(wrong)}")
    try:
        return convert(data, kind)
    except (ValidationError, UnicodeEncodeError) as problem:
        # msgspec cannot compare a lone surrogate with the words of a `Literal`.
        if isinstance(problem.__cause__, RulesetError):
            raise problem.__cause__ from None
        raise JsonError(str(problem)) from problem
