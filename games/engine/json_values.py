"""Reading JSON back into typed values; anything that was never written is a `TypeError` or
`ValueError`."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

JsonObject = Mapping[str, object]
"""A JSON object."""


def integer(item: object) -> int:
    if not isinstance(item, int):
        raise TypeError(f"not a whole number: {item!r}")
    return item


def string(item: object) -> str:
    if not isinstance(item, str):
        raise TypeError(f"not a text: {item!r}")
    return item


def many(read: Callable[[object], T], item: object) -> tuple[T, ...]:
    """Each item of a list, read by `read`."""
    if not isinstance(item, list | tuple):
        raise TypeError(f"not a list: {item!r}")
    return tuple(read(each) for each in item)


def integers(item: object) -> tuple[int, ...]:
    return many(integer, item)


def maybe(read: Callable[[object], T], item: object) -> T | None:
    return None if item is None else read(item)


def one_of(known: Sequence[T], item: object) -> T:
    """The known value that the item equals."""
    for value in known:
        if value == item:
            return value
    raise ValueError(f"none of {known!r}: {item!r}")


def mapping(item: object) -> JsonObject:
    if not isinstance(item, dict):
        raise TypeError(f"not an object: {item!r}")
    return {string(key): value for key, value in item.items()}
