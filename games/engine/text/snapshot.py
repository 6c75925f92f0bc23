"""A state as data for JSON, and back. Snapshots are only for speed; the log is the truth."""

from types import MappingProxyType
from typing import Annotated, Final, TypedDict

from msgspec import Meta

from games.engine.errors import ActionRefused, JsonError
from games.engine.json_values import JsonObject, read_as
from games.engine.round import State
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.engine.text.notation import parse_line

_Hand = Annotated[str, Meta(pattern=r"^1?[0-9a-f]{1,26}\Z")]
"""The mask of a hand as a hexadecimal number: its 105 bits do not fit into a JSON number."""
_LATER: Final = MappingProxyType({"quiet": (), "market": (), "at_start": (), "goal": None})
"""The fields that earlier releases do not know, with their empty values. An empty one is left
out."""
_STORED_AS: Final = MappingProxyType(
    {
        "to_act": "seat",
        "open_pile": "open",
        "closed_pile": "closed",
        "opened_mask": "opened",
        "turns_without_play": "quiet",
        "turns_without_change": "idle",
        "has_acted": "active",
        "passed_mask": "passed",
        "removed_cards": "out",
        "play_count": "plays",
        "scores_at_start": "at_start",
    }
)
"""The names in JSON of fields of `State` that are stored under an older name."""
_FIELDS: Final = MappingProxyType({stored_name: name for name, stored_name in _STORED_AS.items()})


class _Written(TypedDict):
    """The fields whose form in JSON differs from that in `State`."""

    hands: tuple[_Hand, ...]
    lines: tuple[str, ...]
    island_of: tuple[int, ...]


def state_to_data(state: State) -> dict[str, object]:
    """The state as data for JSON, without its ruleset, which a game stores separately."""
    table = state.table
    data: dict[str, object] = {
        _STORED_AS.get(name, name): value for name, value in vars(state).items()
    }
    data |= {
        "hands": [f"{hand:x}" for hand in state.hands],
        "lines": [str(line) for line in table.lines],
        "island_of": table.island_of,
    }
    del data["ruleset"], data["table"]
    for name in _LATER:
        if not data[name]:
            del data[name]
    return data


def state_from_data(data: JsonObject, ruleset: Ruleset) -> State:
    """The state, from the data of `state_to_data`. Raises `JsonError`."""
    values = read_as(_Written, data, partly=True)
    if len(values["lines"]) != len(values["island_of"]):
        raise JsonError("not every line has its island")
    try:
        lines = tuple(parse_line(text, ruleset) for text in values["lines"])
    except ActionRefused as refused:
        raise JsonError(f"lines: {refused}") from refused
    fields: dict[str, object] = {
        **{_FIELDS.get(name, name): value for name, value in {**_LATER, **data}.items()},
        "ruleset": ruleset,
        "hands": tuple(int(hand, 16) for hand in values["hands"]),
        "table": Table(lines, values["island_of"]),
    }
    del fields["lines"], fields["island_of"]
    state = read_as(State, fields)
    seats = {state.starter, state.turn, state.to_act, state.round_winner, *(state.winners or ())}
    if not seats <= {None, *range(state.seat_count)}:
        raise JsonError("no such seat")
    return state
