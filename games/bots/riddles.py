"""Riddles: a board and seven cards, of which a child lays as many as possible in one turn. The
board is that of a round that bots have begun (docs/bots.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Final

from games.bots import steady
from games.bots.sight import Sight, noticed_sights, sights_of
from games.coach.begun_rounds import STARTER, BegunRound
from games.engine.actions import Action, DrawClosed
from games.engine.cards import Card, is_joker, shuffled
from games.engine.match import apply, new_match
from games.engine.play_application import Position, make_play
from games.engine.plays import best_points
from games.engine.round import OVER_PHASES
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Line, Table
from games.engine.view import view

SEATS: Final = 4
CARDS_DEALT: Final = 6
TRIES: Final = 3
CARDS_TO_LAY: Final = (4, CARDS_DEALT + 1)  # the least and the most cards that can be laid
ROWS_ON_BOARD: Final = (2, 5)  # the fewest and the most rows on the board
GRADING: Final = ((8, 0.5, 0.92), (100, 0.67, 0.78), (300, 0.67, 0.78))
"""Groups of readers who look at a board, one group after the other: how many readers of each
strength it has, and the least and the greatest share of them that may solve the riddle. The last
shares are narrower than the aim, .6 to .85, because they come from a sample."""
MOST_ROUNDS: Final = 3000
"""The most rounds that are begun in search of a riddle."""

NOTICE_CHANCES: Final = (
    (0.60, 0.40, 0.25, 0.15),
    (0.80, 0.65, 0.50, 0.40),
    (0.95, 0.90, 0.85, 0.80),
)
"""The chances that a weak, a middle and a strong reader notice a row, each by the group of its
table."""
TABLE_GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9))
"""The tables of all groups but the last, the hardest."""
FACTOR_ADDING: Final = 0.8
FACTOR_ACROSS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Riddle:
    """A round up to the player's turn."""

    round: BegunRound
    most_cards: int  # how many cards can be laid

    def to_data(self) -> dict[str, object]:
        return {"round": self.round.to_data(), "most": self.most_cards}


def riddle_ruleset(tables: Sequence[int]) -> Ruleset:
    """The rules of a riddle, without an opening and without points for colours. Raises
    `RulesetError`."""
    one_turn = replace(
        edition(
            "simplified-2010",
            tables=tables,
            doubling=(),
            opening=False,
            offers=False,
            start=0,
            rounds=1,
            piles=1,
        ),
        hand=CARDS_DEALT,
    )
    thinned = replace(one_turn, deck="thinned")
    return thinned if len(_numbers(thinned)) >= CARDS_DEALT * SEATS + 1 + SEATS else one_turn


def _numbers(ruleset: Ruleset) -> list[Card]:
    return [card for card in ruleset.cards if not is_joker(card)]


def find_riddle(tables: Sequence[int], seed: int) -> Riddle | None:
    """The first riddle that this seed gives; None if these tables have too few rows, or rows that
    are too hard or too easy. Raises `RulesetError`."""
    for riddle, position in _boards(riddle_ruleset(tables), Random(seed)):
        if all(
            lowest <= solver_share(position, riddle.most_cards, readers, f"{readers} ") <= highest
            for readers, lowest, highest in GRADING
        ):
            return riddle
    return None


def _boards(ruleset: Ruleset, random: Random) -> Iterator[tuple[Riddle, Position]]:
    for _ in range(MOST_ROUNDS):
        begun_round, position = _begin_round(ruleset, random.getrandbits(62))
        rows = len(position.table.lines)
        if not ROWS_ON_BOARD[0] <= rows <= ROWS_ON_BOARD[1]:
            continue
        most_points = best_points(position)
        if CARDS_TO_LAY[0] <= most_points <= CARDS_TO_LAY[1]:
            yield Riddle(begun_round, most_points), position


def _begin_round(ruleset: Ruleset, seed: int) -> tuple[BegunRound, Position]:
    """A round up to the player's turn, and the position at that moment. If the round ends sooner,
    the position is empty."""
    deck = shuffled(_numbers(ruleset), seed)
    state = new_match(ruleset, SEATS, deck, STARTER)
    acts: list[tuple[int, Action]] = []
    while state.to_act:
        acts.append((state.to_act, steady.choose(view(state, state.to_act), 0)))
        state = apply(state, acts[-1][1])
    if state.phase in OVER_PHASES:
        empty_position = Position(ruleset, Table(), 0, has_opened=False)
        return BegunRound(ruleset, SEATS, deck, ()), empty_position
    acts.append((0, DrawClosed()))
    dealt_count = len(deck) - len(state.closed_pile) + 1
    begun_round = BegunRound(ruleset, SEATS, deck[:dealt_count], tuple(acts))
    return begun_round, apply(state, DrawClosed()).position(0)


def solver_share(position: Position, most_cards: int, readers: int, seed: str = "") -> float:
    """The share of readers who lay at least `most_cards` cards in one of their tries. There are
    this many `readers` of each strength."""
    known_sights: dict[tuple[int, frozenset[Line]], list[Sight]] = {}

    def count_cards(position: Position, chances: Sequence[float], seed: str) -> int:
        """How many cards a reader lays. They make the play with the most cards that they notice,
        and go on until they notice none."""
        earned = 0
        while True:
            key = position.hand, frozenset(position.table.lines)
            if key not in known_sights:
                known_sights[key] = sights_of(position)
            noticed = noticed_sights(known_sights[key], lambda sight: _chance(sight, chances), seed)
            plays = [play for sight in noticed for play in sight.plays]
            if not plays:
                return earned
            play = max(plays, key=lambda candidate: (len(candidate.hand), str(candidate)))
            result = make_play(position, play)
            earned += result.points
            position = position._replace(table=result.table, hand=result.hand)

    solved = [
        any(
            count_cards(position, chances, f"{seed}{number}/{attempt}") >= most_cards
            for attempt in range(TRIES)
        )
        for chances, number in product(NOTICE_CHANCES, range(readers))
    ]
    return sum(solved) / len(solved)


def _chance(sight: Sight, chances: Sequence[float]) -> float:
    groups = enumerate(TABLE_GROUPS)
    chance = chances[next((index for index, tables in groups if sight.table in tables), -1)]
    chance *= FACTOR_ADDING if sight.adds else 1
    return chance * (FACTOR_ACROSS if sight.crosses else 1)
