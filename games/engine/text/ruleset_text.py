"""A ruleset as text: its edition, then the options in which it differs (docs/notation.md)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from games.engine.errors import RulesetError, TextError
from games.engine.ruleset import (
    DECKS,
    DOUBLINGS,
    DRAWINGS,
    EARNINGS,
    EDITIONS,
    ENDINGS,
    SCORINGS,
    Ruleset,
    ruleset_from_data,
    ruleset_to_data,
)
from games.engine.sequences import FAMILIES

T = TypeVar("T")
JOINING_SIGNS: Final = re.compile(r"\s*([-=,])\s*")
"""The signs within a word, with any spaces around them."""


def ruleset_text(ruleset: Ruleset) -> str:
    """The ruleset as text, such as `simplified tables=2,5,10 offers=no`.

    Raises `RulesetError` for a ruleset of no known edition.
    """
    if ruleset.edition not in EDITIONS:
        raise RulesetError("edition-unknown")
    base = ruleset_to_data(EDITIONS[ruleset.edition])
    options = ruleset_to_data(canonical(ruleset))
    differences = (
        f"{field.replace('_', '-')}={_text(options[field])}"
        for field in options
        if options[field] != base.get(field)
    )
    return " ".join((ruleset.edition, *differences))


def parse_ruleset(text: str, line: int = 1) -> Ruleset:
    """Parse a lower-case text like that of `ruleset_text`. Options and lists may be in any order.

    Raises `TextError` with this line: `edition-unknown`, `option-unknown`, `option-twice`,
    `option-unreadable`, or the reason of the `RulesetError` of these options.
    """
    name, *options = JOINING_SIGNS.sub(r"\1", text).split() or [""]
    if name not in EDITIONS:
        raise TextError(line, name, "edition-unknown")
    data = ruleset_to_data(EDITIONS[name])
    fields = set()
    for option in options:
        key, _, value = option.partition("=")
        field = key.replace("-", "_")
        if field not in _PARSERS:
            raise TextError(line, key, "option-unknown")
        if field in fields:
            raise TextError(line, key, "option-twice")
        fields.add(field)
        try:
            data[field] = _PARSERS[field](value)
        except ValueError as problem:
            raise TextError(line, option, "option-unreadable") from problem
    try:
        return canonical(ruleset_from_data(data))
    except RulesetError as problem:
        raise TextError(line, " ".join(options), problem.reason) from problem


def canonical(ruleset: Ruleset) -> Ruleset:
    """The ruleset with its lists in order, as `ruleset.edition` makes them."""
    counts_back_to, tables = ruleset.counts_back_to, ruleset.tables
    return replace(
        ruleset,
        counts_back_to=None if counts_back_to is None else tuple(sorted(set(counts_back_to))),
        tables=None if tables is None else tuple(sorted(set(tables))),
        families=tuple(sorted(set(ruleset.families))),
        doubling=tuple(sorted(set(ruleset.doubling))),
    )


def _text(item: object) -> str:
    if item is None:
        return "any"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, tuple):
        return ",".join(map(str, item)) or "none"
    return str(item).replace(" ", "-")


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise ValueError(text)
    return int(text)


def _points(text: str) -> int:
    """Parse a number that may be negative."""
    return -_number(text[1:]) if text.startswith("-") else _number(text)


def _flag(text: str) -> bool:
    return _one_of(("no", "yes"), text) == "yes"


def _any_or(read: Callable[[str], T], text: str) -> T | None:
    return None if text == "any" else read(text)


def _many(read: Callable[[str], T], text: str) -> list[T]:
    return [] if text == "none" else [read(part) for part in text.split(",")]


def _one_of(values: tuple[str, ...], text: str) -> str:
    word = text.replace("-", " ")
    if word not in values:
        raise ValueError(text)
    return word


_PARSERS: Final[Mapping[str, Callable[[str], object]]] = {
    "highest": _number,
    "most_players": _number,
    "hand": _number,
    "hand_of_two": _number,
    "start": _points,
    "earning": partial(_one_of, EARNINGS),
    "doubling": partial(_many, partial(_one_of, DOUBLINGS)),
    "counts_back_to": partial(_any_or, partial(_many, _number)),
    "tables": partial(_any_or, partial(_many, _number)),
    "families": partial(_many, partial(_one_of, FAMILIES)),
    "opening": _flag,
    "ending": partial(_one_of, ENDINGS),
    "drawing": partial(_one_of, DRAWINGS),
    "offers": _flag,
    "scoring": partial(_one_of, SCORINGS),
    "target": _points,
    "rounds": partial(_any_or, _number),
    "deck": partial(_one_of, DECKS),
    "market": _number,
    "refill": _flag,
    "least_fitting": _number,
    "piles": partial(_any_or, _number),
    "most_rows": partial(_any_or, _number),
    "most_turns": partial(_any_or, _number),
    "goal": partial(_any_or, _number),
    "goal_up": _number,
    "goal_down": _number,
}
