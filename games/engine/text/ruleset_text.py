"""A ruleset as text: its edition, then the options in which it differs (docs/notation.md)."""

import re
from types import NoneType
from typing import Final, Literal, get_args, get_origin, get_type_hints

from games.engine.errors import RulesetError, TextError
from games.engine.ruleset import EDITIONS, Ruleset, ruleset_from_data, ruleset_to_data

JOINING_SIGNS: Final = re.compile(r"\s*([-=,])\s*")
"""The signs within a word, with any spaces around them."""
_TYPES: Final = {name: kind for name, kind in get_type_hints(Ruleset).items() if name != "edition"}
_MAY_BE_NEGATIVE: Final = ("start", "target")


def ruleset_text(ruleset: Ruleset) -> str:
    """The ruleset as text, such as `simplified tables=2,5,10 offers=no`.

    Raises `RulesetError` for a ruleset of no known edition.
    """
    if ruleset.edition not in EDITIONS:
        raise RulesetError("edition-unknown")
    base = ruleset_to_data(EDITIONS[ruleset.edition])
    options = ruleset_to_data(ruleset)
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
        if field not in _TYPES:
            raise TextError(line, key, "option-unknown")
        if field in fields:
            raise TextError(line, key, "option-twice")
        fields.add(field)
        try:
            if field in _MAY_BE_NEGATIVE and value.startswith("-"):
                data[field] = -_parse_number(value[1:])
            else:
                data[field] = _parse(_TYPES[field], value)
        except ValueError as problem:
            raise TextError(line, option, "option-unreadable") from problem
    try:
        return ruleset_from_data(data)
    except RulesetError as problem:
        raise TextError(line, " ".join(options), problem.reason) from problem


def _text(item: object) -> str:
    if item is None:
        return "any"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, tuple):
        return ",".join(map(str, item)) or "none"
    return str(item).replace(" ", "-")


def _parse(kind: object, text: str) -> object:
    """Parse the value of an option of this type. Raises `ValueError`."""
    kinds = get_args(kind)
    if kind is bool:
        return _parse(Literal["no", "yes"], text) == "yes"
    if get_origin(kind) is Literal:
        return kinds[kinds.index(text.replace("-", " "))]
    if get_origin(kind) is tuple:
        return [] if text == "none" else [_parse(kinds[0], part) for part in text.split(",")]
    if NoneType in kinds:
        return None if text == "any" else _parse(kinds[0], text)
    return _parse_number(text)


def _parse_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise ValueError(text)
    return int(text)
