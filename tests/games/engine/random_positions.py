"""Random positions with everything that a table can have: crossings, islands, jokers to swap.

They are made without the engine, line by line. Each line is made of free cards, crossed cards and
jokers. Half of the cards of the hand fit the table; the other half are arbitrary.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from games.engine.cards import JOKERS, Card, cards_in, mask_of
from games.engine.play_application import Position
from games.engine.plays import TapTarget, plays_of_tap
from games.engine.ruleset import Ruleset
from games.engine.text.notation import parse_table
from tests.games.engine import reference
from tests.games.engine.reference import At, CardLine, Lying, Options, options_of

FEW_ROWS = 700


def random_position(
    random: Random, options: Options, jokers: int, lines: int = 6, cards: int = 10
) -> At:
    """A position with at most this many jokers in all, lines and hand cards.

    With more than two jokers in the hand and many rows allowed, there are tens of thousands of
    plays, so this is rare.
    """
    free = set(range(1, options.highest + 1))
    for_table = random.sample([101, 102, 103, 104], random.randint(0, jokers))
    other_jokers = [joker for joker in (101, 102, 103, 104) if joker not in for_table]
    table: list[CardLine] = []
    possible = reference.rows(options)
    for _ in range(random.choice([0, *range(1, lines + 1)]) if possible else 0):
        line = _line(random, possible, table, free, for_table)
        if line:
            table.append(line)
            free -= {card for card, _ in line}
            for_table = [joker for joker in for_table if joker not in dict(line)]
    on_table = {card for line in table for card, _ in line if card > 100}
    in_hand = other_jokers[: jokers - len(on_table)]
    if len(in_hand) > 2 and len(possible) > FEW_ROWS and random.random() < 0.97:
        in_hand = in_hand[:2]
    wanted = [*_of_use(table, free), *_of_use(table, free)]
    size = max(random.randint(1, cards), len(in_hand))
    hand = set(in_hand)
    while len(hand) < size:
        useful = [card for card in wanted if card not in hand]
        rest_of_deck = sorted(free - hand)
        if not rest_of_deck:
            break
        hand.add(random.choice(useful if useful and random.random() < 0.5 else rest_of_deck))
    has_opened = not table or random.random() < 0.85
    return At(options, tuple(table), frozenset(hand), has_opened)


def _line(
    random: Random,
    possible: list[tuple[int, ...]],
    table: list[CardLine],
    free: set[int],
    jokers: list[int],
) -> CardLine | None:
    """A row that can be laid beside the other lines or across them, or None after a few failed
    attempts."""
    names = reference.islands(tuple(table))
    table_cards = [lying for line in table for lying in line]
    table_cards = [lying for lying in table_cards if table_cards.count(lying) == 1]
    island = {lying: name for line, name in zip(table, names, strict=True) for lying in line}
    crossing = bool(table_cards) and random.random() < 0.6
    target = random.choice(table_cards)[1] if crossing else 0
    for row in random.sample(possible, min(60, len(possible))):
        if len(row) > random.choice([3, 3, 4, 5, 7]) or (crossing and target not in row):
            continue
        jokers_left, met = list(jokers), set[int]()
        cards: list[Lying] = []
        for number in row:
            there = [card for card in table_cards if card[1] == number and island[card] not in met]
            if there and (number == target or number not in free):
                cards.append(random.choice(there))
                met.add(island[cards[-1]])
            elif jokers_left and (number not in free or random.random() < 0.3):
                cards.append((jokers_left.pop(), number))
            elif number in free:
                cards.append((number, number))
        if len(cards) == len(row) and not set(cards) <= set(table_cards):
            return tuple(cards)
    return None


def _of_use(table: Iterable[CardLine], free: set[int]) -> list[int]:
    """Free cards that a joker stands for, that extend a line, or that lie beside one of its
    cards."""
    useful: list[int] = []
    for line in table:
        numbers = [number for _, number in line]
        step = numbers[1] - numbers[0]
        useful += [number for card, number in line if card > 100] * 4
        useful += [numbers[0] - step, numbers[-1] + step, numbers[-1] + 2 * step]
        useful += [number + beside for number in numbers for beside in (-1, 1)]
    return sorted(number for number in useful if number in free)


def engine_position(at: At, ruleset: Ruleset) -> Position:
    table = parse_table([reference.line_text(line) for line in at.lines], ruleset)
    return Position(ruleset, table, mask_of(at.hand), at.opened)


PLAYS_OF_A_POSITION = 5


@dataclass(frozen=True)
class Tapped:
    """Cards of the hand and places of the table that make no play."""

    at: Position
    cards: tuple[Card, ...]
    places: tuple[TapTarget, ...]


def wrong_plays(seed: int, ruleset: Ruleset) -> Iterator[Tapped]:
    """Wrong plays in a random position with more jokers than a deal has."""
    random = Random(seed)
    at = engine_position(
        random_position(random, options_of(ruleset), jokers=3, lines=4, cards=7), ruleset
    )
    for _ in range(PLAYS_OF_A_POSITION):
        tapped = Tapped(at, tuple(_some_of(at, random)), tuple(_some_places(at, random)))
        if not plays_of_tap(at, tapped.cards, tapped.places):
            yield tapped


def _some_of(at: Position, random: Random) -> list[Card]:
    cards = cards_in(at.hand)
    jokers = [card for card in cards if card in JOKERS]
    if jokers and random.random() < 0.4:
        numbers = [card for card in cards if card not in JOKERS]
        return [*random.sample(numbers, min(1, len(numbers))), *jokers]
    return random.sample(cards, random.randint(1, min(5, len(cards))))


def _some_places(at: Position, random: Random) -> list[TapTarget]:
    if not at.table.lines or random.random() < 0.5:
        return []
    lines: list[TapTarget] = random.sample(at.table.lines, random.randint(0, 1))
    cards = sorted(at.table.laid_cards.values())
    return [*lines, *random.sample(cards, random.randint(0, min(2, len(cards))))]
