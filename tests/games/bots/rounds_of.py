"""Rounds between bots, for tests that watch them."""

from collections.abc import Callable, Sequence

from games.bots.registry import Bot, bot_called
from games.engine.actions import Action
from games.engine.cards import shuffled
from games.engine.match import apply, first_starter, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import Ruleset
from games.engine.text.notation import action_text

Watch = Callable[[State, Action], None]


def play_round(
    ruleset: Ruleset, levels: Sequence[str | Bot], seed: int, watch: Watch | None = None
) -> State:
    """A round among these levels; `watch` gets each state with its action."""
    seats = len(levels)
    bots = [bot_called(level) if isinstance(level, str) else level for level in levels]
    cards = shuffled(ruleset.cards, seed)
    state = new_match(ruleset, seats, cards, first_starter(ruleset, seats, seed), seed)
    moment = 0
    while state.seat is not None:
        moment += 1
        action = bots[state.seat](view(state, state.seat), seed * 1000 + moment)
        if watch is not None:
            watch(state, action)
        state = apply(state, action)
    return state


def allowed(state: State, action: Action) -> None:
    """Checks that each action is legal for the seat."""
    assert state.seat is not None
    actions = legal_actions(view(state, state.seat))
    assert action_text(action) in map(action_text, actions)
