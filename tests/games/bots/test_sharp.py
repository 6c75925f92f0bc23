"""Positions with one right choice for a sharp player."""

from games.bots import sharp, steady
from games.bots.sharp import Judge
from games.engine.actions import Discard, DrawClosed, DrawOpen
from games.engine.match import apply
from games.engine.plays import best_points
from games.engine.round import State, view
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import action_text
from tests.counts import times
from tests.games.positions import after, dealt
from tests.games.rounds import play_round

TABLES = edition("simplified", tables=range(2, 11))
FOUR_TABLE = edition("simplified", tables=(4,))


def turn_of(state: State) -> tuple[State, list[str]]:
    """The actions of a sharp player until the end of its turn, and the state after it."""
    seat, done = state.to_act, list[str]()
    while state.to_act == seat and state.phase == "play":
        action = sharp.choose(view(state, state.turn), 0)
        done.append(action_text(action))
        state = apply(state, action)
    return state, done


def to_play(hand: str, rest: str = "13 17", ruleset: Ruleset = TABLES) -> State:
    """Seat 0 has drawn, and must play."""
    return after(dealt([hand, "1 11 19 23 29 31 37"], rest, ruleset=ruleset), "draw closed", "pass")


def test_a_sharp_player_lays_everything_when_that_ends_the_round() -> None:
    state, _ = turn_of(to_play("4 8 12 20 25 30 47"))
    assert state.round_winner is None
    state, done = turn_of(to_play("4 8 12 20 25 30 35"))
    assert len(done) == 3
    assert state.round_winner == 0


def test_two_short_rows_are_laid_if_they_earn_more_than_a_long_one() -> None:
    start = to_play("10 20 30 40 25 35 47", "13 43")
    state, _ = turn_of(start)
    assert state.scores[0] - start.scores[0] == best_points(start.position(0))


def test_the_discard_is_in_no_row_and_breaks_no_pair() -> None:
    _, done = turn_of(to_play("4 8 24 27 45 50 47", "13 40"))
    assert done[-1] == "discard 47"


def test_a_card_that_fits_on_the_table_is_not_discarded() -> None:
    """32 and 44 are worth the same to the hand, but 32 fits next to 20-24-28."""
    state = dealt(["20 24 28 32 44 13 17", "4 8 12 1 11 19 23"], "29 31 37", ruleset=FOUR_TABLE)
    state = after(state, "draw closed", "pass", "20 24 28", "discard 13")
    state = after(state, "draw closed", "pass", "4 8 12", "discard 1")
    judge = Judge(view(after(state, "draw closed", "pass"), 0))
    table = state.table
    assert judge.gift_worth(32, table) > judge.gift_worth(44, table)


def test_a_joker_is_never_discarded_while_there_is_a_number() -> None:
    def keeps_jokers(state: State, action: object) -> None:
        if isinstance(action, Discard) and action.card > 100:
            assert state.to_act is not None
            assert all(card > 100 for card in view(state, state.to_act).hand)

    for seed in range(times(30, 1000)):
        play_round(TABLES, ["sharp", "steady"], seed, keeps_jokers)


def test_a_card_is_drawn_that_makes_no_row_yet_but_two_pairs() -> None:
    """A steady player would leave the 24. With 12 and 32, the 24 waits for 16, 18, 28, 36, 40."""
    hands = ["12 32 1 11 13 17 19", "2 3 5 6 7 9 14"]
    state = dealt(hands, "24 41 43", ruleset=TABLES)
    assert steady.choose(view(state, 0), 0) == DrawClosed()
    assert sharp.choose(view(state, 0), 0) == DrawOpen()


def test_a_joker_is_not_spent_where_a_number_fits() -> None:
    """12-16-20 can be laid without the joker, and 16-20-24 with it."""
    _, done = turn_of(to_play("12 16 20 c 7 33 49", "13 41"))
    assert done == ["12 16 20", "discard 41"]


def test_the_first_play_is_that_of_the_best_turn() -> None:
    def planned(state: State, action: object) -> None:
        if isinstance(action, Play) and state.to_act is not None:
            seen = view(state, state.to_act)
            assert Judge(seen).best(seen.position).turn.plays[0] == action

    for seed in range(times(10, 200)):
        play_round(TABLES, ["sharp", "sharp"], seed, planned)
