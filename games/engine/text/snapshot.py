"""A state as data for JSON, and back: only for speed, the log is the truth."""

from typing import Final, get_args

from games.engine.json_values import JsonObject, integer, integers, many, maybe, one_of, string
from games.engine.round import Phase, State
from games.engine.ruleset import Ruleset, ruleset_from_data
from games.engine.table import Table
from games.engine.text.notation import parse_line

_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)


def state_to_data(state: State) -> dict[str, object]:
    """All of the state but its ruleset, which a game stores separately. Hands are hexadecimal,
    since 104 bits do not fit a JSON number."""
    return {
        "seed": state.seed,
        "round": state.round,
        "starter": state.starter,
        "phase": state.phase,
        "turn": state.turn,
        "seat": state.seat,
        "hands": [f"{hand:x}" for hand in state.hands],
        "lines": [str(line) for line in state.table.lines],
        "island_of": list(state.table.island_of),
        "open": list(state.open),
        "closed": list(state.closed),
        "scores": list(state.scores),
        "opened": state.opened,
        "turns": list(state.turns),
        "idle": state.idle,
        "active": state.active,
        "passed": state.passed,
        "plays": state.plays,
        "out": list(state.out),
        "reshuffles": state.reshuffles,
        "round_winner": state.round_winner,
        "winners": None if state.winners is None else list(state.winners),
    }


def state_from_data(data: JsonObject, ruleset: Ruleset | JsonObject) -> State:
    """The state, from the data of `state_to_data`."""
    if not isinstance(ruleset, Ruleset):
        ruleset = ruleset_from_data(ruleset)
    lines = tuple(parse_line(text, ruleset) for text in many(string, data["lines"]))
    return State(
        ruleset=ruleset,
        seed=integer(data["seed"]),
        round=integer(data["round"]),
        starter=integer(data["starter"]),
        phase=one_of(_PHASES, data["phase"]),
        turn=integer(data["turn"]),
        seat=maybe(integer, data["seat"]),
        hands=tuple(int(hand, 16) for hand in many(string, data["hands"])),
        table=Table(lines, integers(data["island_of"])),
        open=integers(data["open"]),
        closed=integers(data["closed"]),
        scores=integers(data["scores"]),
        opened=integer(data["opened"]),
        turns=integers(data["turns"]),
        idle=integer(data["idle"]),
        active=bool(data["active"]),
        passed=integer(data["passed"]),
        plays=integer(data["plays"]),
        out=integers(data["out"]),
        reshuffles=integer(data["reshuffles"]),
        round_winner=maybe(integer, data["round_winner"]),
        winners=maybe(integers, data["winners"]),
    )
