"""What a person at the table sees: which plays look like one row."""

import pytest

from games.bots.sight import Sight, in_sight, noticed, numbers_of
from games.engine.cards import is_joker
from games.engine.play_application import form
from games.engine.plays import legal_plays
from games.engine.ruleset import edition
from games.engine.table import Play
from tests.counts import times
from tests.games.positions import position
from tests.games.rounds import random_match

TABLES = edition("simplified", tables=(2, 3, 5, 10))


def jokers_of_hand(play: Play, hand: int) -> int:
    return sum(is_joker(laid.card) and hand >> laid.card & 1 for laid in play.hand)


def tables_and_rows(sights: list[Sight]) -> list[tuple[int | None, set[tuple[int, ...]]]]:
    return [(sight.table, {numbers_of(play) for play in sight.plays}) for sight in sights]


def test_rows_that_share_a_card_are_seen_together() -> None:
    assert tables_and_rows(in_sight(position("10 20 30 40 1", ruleset=TABLES))) == [
        (10, {(10, 20, 30), (20, 30, 40), (10, 20, 30, 40)})
    ]


def test_rows_of_different_tables_are_seen_apart_though_they_share_a_card() -> None:
    assert tables_and_rows(in_sight(position("6 8 10 9 12", ruleset=TABLES))) == [
        (2, {(6, 8, 10), (8, 10, 12), (6, 8, 10, 12)}),
        (3, {(6, 9, 12)}),
    ]


def test_nobody_sees_rows_with_two_jokers_of_the_hand() -> None:
    sights = in_sight(position("10 a b", ruleset=TABLES))
    assert sights == []


def test_with_a_card_in_mind_only_rows_of_that_card_are_seen() -> None:
    at = position("10 20 30 2 4 6", ruleset=TABLES)
    assert tables_and_rows(in_sight(at, laying=30)) == [(10, {(10, 20, 30)})]


def test_what_is_noticed_once_stays_noticed_under_the_same_seed() -> None:
    sights = in_sight(position("2 4 6 30 32 34 5 10 15 20", ruleset=TABLES))
    looks = [list(noticed(sights, lambda _: 0.5, seed)) for seed in range(100)]
    assert looks == [list(noticed(sights, lambda _: 0.5, seed)) for seed in range(100)]
    assert list(noticed(sights, lambda _: 1, 1)) == sights
    assert list(noticed(sights, lambda _: 0, 1)) == []
    assert 30 < sum(sights[0] in look for look in looks) < 70


@pytest.mark.parametrize("seed", range(times(5, 200)))
def test_every_play_with_at_most_one_joker_is_in_one_sight(seed: int) -> None:
    for state in random_match(seed).states:
        if state.phase != "play":
            continue
        at = state.position(state.turn)
        seen = [play for sight in in_sight(at) for play in sight.plays]
        few = [play for play in legal_plays(at) if jokers_of_hand(play, at.hand) <= 1]
        assert sorted(map(str, seen)) == sorted(map(str, few))
        for play in seen:
            assert numbers_of(play) == form(at, play).line.numbers
