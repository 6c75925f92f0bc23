"""A state as what JSON can hold, and back: for speed only, the log is the truth."""

from collections.abc import Mapping
from typing import Any

from .notation import parse_line
from .round import State
from .ruleset import Ruleset, ruleset_from_data
from .table import Table

_PLAIN = (
    "seed",
    "round",
    "starter",
    "phase",
    "turn",
    "seat",
    "opened",
    "idle",
    "active",
    "passed",
    "plays",
    "reshuffles",
    "round_winner",
)
_TUPLES = ("open", "closed", "scores", "turns", "out")


def state_to_data(state: State) -> dict[str, Any]:
    """All of the state but its ruleset, which a game keeps beside it. Hands are hexadecimal,
    since 104 bits do not fit the numbers of JSON."""
    return {
        **{key: getattr(state, key) for key in _PLAIN},
        **{key: list(getattr(state, key)) for key in _TUPLES},
        "hands": [f"{hand:x}" for hand in state.hands],
        "lines": [str(line) for line in state.table.lines],
        "island_of": list(state.table.island_of),
        "winners": None if state.winners is None else list(state.winners),
    }


def state_from_data(data: Mapping[str, Any], ruleset: Ruleset | Mapping[str, Any]) -> State:
    """The state that `state_to_data` told."""
    if not isinstance(ruleset, Ruleset):
        ruleset = ruleset_from_data(ruleset)
    lines = tuple(parse_line(text, ruleset) for text in data["lines"])
    return State(
        ruleset=ruleset,
        hands=tuple(int(hand, 16) for hand in data["hands"]),
        table=Table(lines, tuple(data["island_of"])),
        winners=None if data["winners"] is None else tuple(data["winners"]),
        **{key: data[key] for key in _PLAIN},
        **{key: tuple(data[key]) for key in _TUPLES},
    )
