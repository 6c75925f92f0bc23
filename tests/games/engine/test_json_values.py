"""JSON of another form (a field of another type, a missing or unknown field) is refused, and never
causes an error of Python's own."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.coach.statements.table_levels import KnownTable
from games.engine.errors import JsonError, RulesetError
from games.engine.json_values import read_as
from games.engine.layout.table_layout import layout, layout_from_data, layout_to_data
from games.engine.ruleset import edition, ruleset_from_data, ruleset_to_data
from games.engine.text.snapshot import state_from_data, state_to_data
from tests.counts import for_each
from tests.games.positions import after, dealt
from tests.games.rounds import SEEDS, tries

RULES: Final = edition("simplified", tables=[2, 5, 10], counts_back_to=[0])
STATE: Final = after(
    dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 a"], "11 12 13"),
    *("draw open", "1 2 3", "discard 40", "draw open", "6 7 a=8", "5 9 across 7"),
)
KNOWN: Final = {
    "chances": 3,
    "days": 2,
    "last": 739942,
    "weight": 2.9,
    "found": 1.0,
    "at_once": 0.9,
    "was_secure": False,
    "secure_since_break": False,
    "lately": [[739942, 1, 3]],
}
Read = Callable[[Any], object]
WRITTEN: Final[Mapping[str, tuple[Mapping[str, Any], Read]]] = {
    "ruleset": (ruleset_to_data(RULES), ruleset_from_data),
    "state": (state_to_data(STATE), lambda data: state_from_data(data, STATE.ruleset)),
    "layout": (
        layout_to_data(layout(STATE.table)),
        lambda data: layout_from_data(data, STATE.table),
    ),
    "knowledge": (KNOWN, partial(read_as, KnownTable)),
}


def data_and_reader(name: str) -> tuple[dict[str, Any], Read]:
    value, reader = WRITTEN[name]
    return json.loads(json.dumps(value)), reader


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


DEEP: Final = nested(5_000)
"""A list nested deeper than Python can write or compare."""


@pytest.mark.parametrize("name", WRITTEN)
def test_a_written_value_is_read_as_it_was(name: str) -> None:
    data, reader = data_and_reader(name)
    assert reader(data) == reader(WRITTEN[name][0])


FIELDS: Final = [(name, field) for name, (data, _) in WRITTEN.items() for field in data]
SINCE_0_2: Final = {("state", "quiet")}
"""Fields that the snapshots of earlier releases lack."""
NEW_NAMES: Final = {
    "seat": "to_act",
    "plays": "play_count",
    "active": "has_acted",
    "idle": "turns_without_change",
    "out": "removed",
}
"""Fields that are stored under an older name, which errors do not contain."""


@for_each([field for field in FIELDS if field not in SINCE_0_2])
def test_no_field_may_be_missing(name: str, field: str) -> None:
    data, reader = data_and_reader(name)
    del data[field]
    with pytest.raises(JsonError, match=NEW_NAMES.get(field, field)):
        reader(data)


@pytest.mark.parametrize("name", WRITTEN)
def test_no_field_may_be_unknown(name: str) -> None:
    data, reader = data_and_reader(name)
    with pytest.raises(JsonError, match="colour"):
        reader({**data, "colour": "red"})


@for_each(FIELDS)
def test_no_field_may_be_of_another_type(name: str, field: str) -> None:
    data, reader = data_and_reader(name)
    right = float if isinstance(data[field], float) else str
    wrong = [word for word in ("tea", 1.5) if not isinstance(word, right)]
    for nonsense in (*wrong, {"a": 1}, [{"a": 1}], DEEP):
        with pytest.raises(JsonError):
            reader({**data, field: nonsense})


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("wrong", [None, 1, "tea", [], {}, DEEP], ids=lambda it: str(type(it)))
def test_a_stored_value_must_be_an_object_with_fields(name: str, wrong: Any) -> None:
    with pytest.raises(JsonError):
        data_and_reader(name)[1](wrong)


@for_each(
    [
        ("ruleset", {"highest": "50"}, r"Expected `int`, got `str` - at `\$\.highest`"),
        ("ruleset", {"offers": 1}, r"Expected `bool`, got `int` - at `\$\.offers`"),
        ("ruleset", {"scoring": "applause"}, r"'applause' - at `\$\.scoring`"),
        ("ruleset", {"families": ["cubes"]}, r"'cubes' - at `\$\.families\[0\]`"),
        ("state", {"phase": "tea"}, r"'tea' - at `\$\.phase`"),
        ("state", {"round": True}, r"Expected `int`, got `bool` - at `\$\.round`"),
        ("state", {"scores": [1, None]}, r"Expected `int`, got `null` - at `\$\.scores\[1\]`"),
        ("state", {"closed": [3, 10**30]}, r"Expected `int` <= 104 - at `\$\.closed_pile\[1\]`"),
        ("state", {"open": [0]}, r"Expected `int` >= 1 - at `\$\.open_pile\[0\]`"),
        ("state", {"hands": ["0", "2" + 26 * "0"]}, r"`\$\.hands\[1\]`"),
        ("state", {"hands": ["0x1f", "0"]}, r"`\$\.hands\[0\]`"),
        ("state", {"lines": ["tea"], "island_of": [0]}, "no-card"),
        ("state", {"lines": ["1-2-3"], "island_of": [0, 0]}, "island"),
        ("state", {"phase": "\ud800"}, "surrogates not allowed"),
        ("state", {"turn": 10**30}, "no such seat"),
        ("state", {"winners": [0, 2]}, "no such seat"),
        ("layout", {"cells": {"tea": [0, 0]}}, "another table"),
        ("layout", {"cells": {"9" * 5000: [0, 0]}}, "another table"),
        ("layout", {"cells": {"3": [0, 0, 0]}}, "length 2"),
        ("layout", {"wide": [[0, -1]]}, r"Expected `int` >= 0 - at `\$\.wide\[0\]\[1\]`"),
        ("layout", {"narrow": [[10**9, 0]]}, r"Expected `int` <= 1000 - at `\$\.narrow"),
        ("layout", {"cells": {"3": [0, 10**9]}}, r"Expected `int` <= 1000 - at `\$\.cells"),
        ("knowledge", {"weight": "1"}, r"Expected `float`, got `str` - at `\$\.weight`"),
        ("knowledge", {"weight": 10**400}, "weight"),
    ]
)
def test_the_error_says_what_is_wrong_and_where(name: str, wrong: dict[str, Any], why: str) -> None:
    data, reader = data_and_reader(name)
    with pytest.raises(JsonError, match=why):
        reader({**data, **wrong})


NONSENSE: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(10**400), 2**64])
    | st.floats()
    | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def spoil(data: Any, nonsense: Any, random: Random) -> Any:
    """The data with one of its values, at any depth, replaced."""
    if isinstance(data, dict) and data:
        key = random.choice([*data])
        return {**data, key: spoil(data[key], nonsense, random)}
    if isinstance(data, list) and data and random.random() < 0.5:
        at = random.randrange(len(data))
        return [*data[:at], spoil(data[at], nonsense, random), *data[at + 1 :]]
    return nonsense


@pytest.mark.parametrize("name", WRITTEN)
@tries(100, 10_000)
@given(SEEDS, NONSENSE)
def test_nonsense_is_refused_or_read_as_the_same_type(name: str, seed: int, nonsense: Any) -> None:
    data, reader = data_and_reader(name)
    try:
        value = reader(spoil(data, nonsense, Random(seed)))
    except (JsonError, RulesetError):
        return
    assert type(value) is type(reader(data))
