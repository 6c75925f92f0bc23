"""What a steady player lays, and which card it puts down."""

from games.bots.steady import choose
from games.engine.play_application import make_play
from games.engine.plays import legal_plays
from games.engine.round import State
from games.engine.ruleset import edition
from games.engine.text.notation import action_text
from games.engine.view import view
from tests.games.positions import SIMPLIFIED, after, dealt

TABLES = edition("simplified", tables=range(2, 11))


def action_in(state: State, seat: int = 0) -> str:
    return action_text(choose(view(state, seat), 1))


def to_play(hand: str) -> State:
    state = dealt([hand, "1 11 19 23 29 31 37"], "13 17", ruleset=TABLES)
    return after(state, "draw closed", "pass")


def test_a_steady_player_lays_the_play_that_earns_most() -> None:
    state = to_play("10 20 30 40 4 8 12")
    points_of = {
        str(play): make_play(state.position(0), play).points
        for play in legal_plays(state.position(0))
    }
    assert points_of[action_in(state)] == max(points_of.values())


def test_a_joker_is_laid_only_where_nothing_else_fits() -> None:
    assert "a" not in action_in(to_play("10 20 30 a 7 33 49"))
    assert "a=" in action_in(to_play("10 20 7 a 14 33 49"))


def test_the_discard_is_the_card_that_fits_fewest_others() -> None:
    assert action_in(to_play("10 20 25 47 4 12 33")) in {"discard 47", "discard 17"}


def test_the_last_card_is_kept_where_no_discard_is_required() -> None:
    rules = edition("simplified-2010", rounds=1)
    state = dealt(["10 20 30 40 50 12 47", "1 2 3 5 6 7 9"], "13 17", ruleset=rules)
    state = after(state, "draw closed", "pass")
    while len(view(state, 0).hand) > 1:
        before = len(view(state, 0).hand)
        action = action_in(state)
        state = after(state, action)
        if state.turn != 0:
            break
        assert len(view(state, 0).hand) < before
    assert SIMPLIFIED.ending != rules.ending
