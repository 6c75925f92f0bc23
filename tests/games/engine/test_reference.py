"""The engine agrees with the reference (reference.py) on random positions of every edition."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.engine.cards import LaidCard, cards_in
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.plays import best_points, legal_plays, plays_with_jokers
from games.engine.ruleset import EDITIONS
from games.engine.table import Line, Play
from games.engine.text.notation import hand_text, table_text
from tests.counts import PROOF, times
from tests.games.engine import reference
from tests.games.engine.random_positions import engine_position, random_position
from tests.games.engine.reference import At, Made, WrittenPlay
from tests.games.rounds import random_ruleset

POSITIONS = {0: (4, 290), 1: (4, 290), 2: (3, 200), 3: (2, 60), 4: (1, 20)}
"""The number of positions of each edition by number of jokers, in `make test` and in `make
proof`."""


def positions(
    name: str, jokers: int, count: int, lines: int = 6, cards: int = 10
) -> Iterator[tuple[At, Position]]:
    for seed in range(count):
        random = Random(f"{name} {jokers} {seed}")
        ruleset = random_ruleset(random, name)
        at = random_position(random, reference.options_of(ruleset), jokers, lines, cards)
        yield at, engine_position(at, ruleset)


def position_text(at: At) -> str:
    """A position as text, for the message of a failure."""
    state = "opened" if at.opened else "not opened"
    return f"{reference.table_text(at.lines)} {reference.hand_text(at.hand)} {state} {at.options}"


def engine_play(way: WrittenPlay) -> Play:
    return Play.of(
        (LaidCard(*lying) for lying in way.hand),
        (Line.of(LaidCard(*lying) for lying in line) for line in way.lines),
        (LaidCard(*lying) for lying in way.across),
        (LaidCard(*lying) for lying in way.swaps),
    )


def engine_result(position: Position, play: Play) -> tuple[int, list[str], list[str]] | str:
    """The engine's result of a play, as text, or the code with which it refuses it."""
    try:
        result = make_play(position, play)
    except ActionRefused as refused:
        return refused.code
    return result.points, table_text(result.table), hand_text(cards_in(result.hand))


def reference_result(at: At, way: WrittenPlay) -> tuple[int, list[str], list[str]] | str:
    """The reference's result of a play, as text."""
    verdict = reference.judge(at, way)
    if isinstance(verdict, str):
        return verdict
    return verdict.points, reference.table_text(verdict.lines), reference.hand_text(verdict.hand)


def own_jokers(at: At, way: WrittenPlay) -> int:
    """The number of jokers that the play lays from the hand, without swapped ones."""
    return sum(card > 100 and card in at.hand for card, _ in way.hand)


def difference(given: list[str], expected: set[str]) -> str:
    """The plays that are duplicated, missing or superfluous, or "" if both lists are the same."""
    twice = [play for play, count in Counter(given).items() if count > 1]
    missing, too_much = expected - set(given), set(given) - expected
    return " | ".join(
        f"{word}: {sorted(plays)[:5]}"
        for word, plays in (("twice", twice), ("missing", missing), ("not legal", too_much))
        if plays
    )


@pytest.mark.parametrize("jokers", POSITIONS)
@pytest.mark.parametrize("name", EDITIONS)
def test_the_legal_plays_are_those_of_the_rules(name: str, jokers: int) -> None:
    """All plays are compared, with the result and points of each."""
    random = Random(jokers)
    for at, position in positions(name, jokers, times(*POSITIONS[jokers])):
        expected = reference.all_plays(at)
        plays = legal_plays(position)
        assert not difference([str(play) for play in plays], set(expected)), position_text(at)
        for count in range(5):
            laying = {text for text, way in expected.items() if own_jokers(at, way) == count}
            with_jokers = [str(play) for play in plays_with_jokers(position, count)]
            assert not difference(with_jokers, laying), (count, position_text(at))
        for text in random.sample(sorted(expected), min(20, len(expected))):
            way = expected[text]
            assert engine_result(position, engine_play(way)) == reference_result(at, way), (
                text,
                position_text(at),
            )


@pytest.mark.parametrize("name", EDITIONS)
def test_an_illegal_play_is_refused_for_the_first_reason(name: str) -> None:
    kinds = Counter[str]()
    for at, position in positions(name, 3, times(6, 120)):
        random = Random(position_text(at))
        some_rows = random.sample(reference.rows(at.options), len(reference.rows(at.options)) // 4)
        legal = list(reference.all_plays(at, some_rows).values())
        legal = random.sample(legal, min(6, len(legal)))
        tried = [(at, position, way) for way in random_ways(random, at, legal)]
        for way in legal:
            bare = at._replace(hand=only_cards_of(way))
            closed = at._replace(opened=False)
            tried += [
                (same, engine_position(same, position.ruleset), way) for same in (bare, closed)
            ]
        for where, there, way in tried:
            expected = reference_result(where, way)
            assert engine_result(there, engine_play(way)) == expected, (way, position_text(where))
            kinds[expected if isinstance(expected, str) else "legal"] += 1
    expected_codes = set(REFUSALS)
    if EDITIONS[name].ending == "discard":
        expected_codes.add("must-keep-a-card")
    if EDITIONS[name].opening:
        expected_codes.add("not-opened")
    assert set(kinds) == expected_codes


def only_cards_of(way: WrittenPlay) -> frozenset[int]:
    """The hand that the play would empty."""
    swapped, put_in = {joker for joker, _ in way.swaps}, {number for _, number in way.swaps}
    return frozenset({card for card, _ in way.hand} - swapped | put_in)


REFUSALS = {
    "legal",
    "bad-text",
    "not-in-hand",
    "not-on-table",
    "swap-mismatch",
    "joker-not-laid",
    "already-crossed",
    "same-island",
    "out-of-range",
    "too-short",
    "not-a-sequence",
}


def random_ways(random: Random, at: At, legal: list[WrittenPlay]) -> Iterator[WrittenPlay]:
    """Plays to judge: legal, slightly changed, and arbitrary."""
    lying = sorted({card for line in at.lines for card in line})
    jokers = [card for card in lying if card[0] > 100]
    anything = [*sorted(at.hand), *(joker for joker, _ in jokers), random.randint(1, 50)]

    def hand_card(card: int) -> tuple[int, int]:
        highest = at.options.highest
        number = random.choice([0, highest + 1, random.randint(1, highest)])
        return card, card if card <= 100 else number

    def random_part(items: list[reference.T], most: int) -> tuple[reference.T, ...]:
        return tuple(random.sample(items, min(len(items), random.randint(0, most))))

    for way in legal:
        yield way
        yield way._replace(
            hand=(*way.hand, *(hand_card(card) for card in random_part(anything, 1)))
        )
        yield way._replace(hand=way.hand[1:])
        yield way._replace(lines=(*way.lines, *random_part(list(at.lines), 1)))
        yield way._replace(across=(*way.across, *random_part(lying, 1)))
        yield way._replace(swaps=(*way.swaps, *random_part(jokers, 1)))
        others = sorted(card for card in at.hand if card <= 100 and card not in dict(way.hand))
        if others:
            swaps = tuple((joker, random.choice(others)) for joker, _ in way.swaps)
            yield way._replace(swaps=swaps)
        rest = tuple(sorted(hand_card(card) for card in at.hand - dict(way.hand).keys()))
        yield way._replace(hand=(*way.hand, *rest))
    for _ in range(12):
        yield WrittenPlay(
            tuple(hand_card(card) for card in random_part(anything, 4)),
            random_part([*at.lines, *at.lines[:1]], 2),
            random_part([*lying, (random.randint(1, 50),) * 2], 2),
            tuple((joker, random.choice([number, 3])) for joker, number in random_part(jokers, 2)),
        )


@pytest.mark.parametrize("jokers", range(3))
@pytest.mark.parametrize("name", EDITIONS)
def test_the_best_turn_earns_as_much_as_the_best_of_all_turns(name: str, jokers: int) -> None:
    for at, position in positions(name, jokers, times(3, 30), lines=3, cards=6 - 2 * jokers):
        assert best_points(position) == reference.best_points(at), position_text(at)


# Tests of the reference itself: it agrees with brute force, and the comparison notices added
# faults.


def test_the_plays_are_those_found_by_brute_force() -> None:
    for at in small_positions(times(8, 100)):
        plays = reference.plays_by_brute_force(at)
        assert set(reference.all_plays(at)) == set(plays), position_text(at)


def test_a_row_out_of_reach_is_in_no_play_of_a_turn() -> None:
    for at in small_positions(times(8, 100)):
        plays = reference.all_plays(at, reference.within_reach(at))
        assert plays == reference.all_plays(at), position_text(at)


def test_a_missing_doubled_or_added_play_is_noticed() -> None:
    count = 0
    for at, position in positions("simplified", 1, 20):
        plays = [str(play) for play in legal_plays(position)]
        expected = set(reference.all_plays(at))
        assert "not legal" in difference([*plays, "1 2 4"], expected)
        for index, play in enumerate(plays[:30]):
            count += 1
            assert "missing" in difference(plays[:index] + plays[index + 1 :], expected)
            assert "twice" in difference([*plays, play], expected)
    assert count > 50


def test_wrong_points_and_tables_are_noticed() -> None:
    for at, position in positions("classic", 1, 6):
        for way in list(reference.all_plays(at).values())[:5]:
            verdict = reference.judge(at, way)
            assert isinstance(verdict, Made)
            right = engine_result(position, engine_play(way))
            lines, hand = reference.table_text(verdict.lines), reference.hand_text(verdict.hand)
            assert right == (verdict.points, lines, hand)
            assert right != (verdict.points + 1, lines, hand)
            assert right != (verdict.points, lines[1:], hand)


if PROOF:

    def test_the_positions_have_everything_that_a_table_can_have() -> None:
        """Without them, `make proof` would prove less than it claims."""
        kinds = Counter[str]()
        for name in EDITIONS:
            for jokers, (_, full) in POSITIONS.items():
                for at, _ in positions(name, jokers, max(full // 10, 5)):
                    kinds.update(features(at))
        assert min(kinds[feature] for feature in FEATURES) >= 1, kinds


FEATURES = [
    "several islands",
    "a crossing",
    "an island of three lines",
    "a joker to swap",
    "several jokers to swap",
    "a crossed joker to swap",
    "a number twice on the table",
    "not opened",
    "four jokers in the hand",
    "one card",
    "ten cards",
    "chosen tables",
    "a family",
    "back to one",
]


def features(at: At) -> Iterator[str]:
    names = reference.islands(at.lines)
    lying = [card for line in at.lines for card in line]
    numbers = [number for _, number in set(lying)]
    swappable = [card for card in set(lying) if card[0] > 100 and card[1] in at.hand]
    has = {
        "several islands": len(set(names)) > 1,
        "a crossing": len(set(names)) < len(names),
        "an island of three lines": any(names.count(name) > 2 for name in names),
        "a joker to swap": bool(swappable),
        "several jokers to swap": len(swappable) > 1,
        "a crossed joker to swap": any(lying.count(card) > 1 for card in swappable),
        "a number twice on the table": len(set(numbers)) < len(numbers),
        "not opened": not at.opened,
        "four jokers in the hand": sum(card > 100 for card in at.hand) == 4,
        "one card": len(at.hand) == 1,
        "ten cards": len(at.hand) == 10,
        "chosen tables": at.options.tables is not None,
        "a family": bool(at.options.families),
        "back to one": at.options.back_to == (1,),
    }
    return (feature for feature, holds in has.items() if holds)


def small_positions(count: int) -> Iterator[At]:
    """Positions of the numbers 1–12, few enough to try everything."""
    for seed in range(count):
        random = Random(seed)
        ruleset = random_ruleset(random)
        options = reference.options_of(ruleset)._replace(highest=12)
        if options.tables:
            options = options._replace(
                tables=tuple(step for step in options.tables if step < 5) or (1,)
            )
        yield random_position(random, options, random.choice([0, 1, 2]), lines=3, cards=4)
