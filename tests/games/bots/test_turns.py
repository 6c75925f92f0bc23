from games.bots.turns import turns
from games.engine.best_turn import best_points
from games.engine.cards import deck, mask_of, shuffled
from games.engine.play_application import Position
from games.engine.ruleset import edition
from games.engine.table import Table
from tests.counts import for_each, times
from tests.games.positions import position

TABLES = edition("simplified", tables=range(2, 11))


def laid(at: Position, most: int = 100) -> set[tuple[str, ...]]:
    return {tuple(map(str, turn.plays)) for turn in turns(at, most)}


def test_plays_in_another_order_are_one_turn() -> None:
    plays = laid(position("10 20 30 7 14 21", ruleset=TABLES))
    both = [turn for turn in plays if set(turn) == {"10 20 30", "7 14 21"}]
    assert len(both) == 1


def test_no_more_turns_than_asked_for_come() -> None:
    assert len(laid(position("1 2 3 4 5 6 7 8 9"), most=5)) == 5


def dealt_hand(seed: int) -> Position:
    hand = mask_of(card for card in shuffled(deck(50), seed)[:9] if card <= 50)
    return Position(TABLES, Table(), hand, False)


@for_each(range(times(20, 1000)))
def test_the_best_turn_of_a_hand_is_among_them_where_every_play_is_followed(seed: int) -> None:
    at = dealt_hand(seed)
    assert max(turn.points for turn in turns(at, 1000, wide=1000)) == best_points(at)


def test_with_the_plays_that_lay_most_followed_it_is_missed_in_hardly_a_hand() -> None:
    hands = [dealt_hand(seed) for seed in range(times(20, 1000))]
    missed = sum(max(turn.points for turn in turns(at, 100)) < best_points(at) for at in hands)
    assert missed <= len(hands) / 200
