"""Rounds that others have begun and in which a player has one turn, with a prepared hand and table.

Each of the others has had one turn and laid rows in it. The player's last card is the last of the
deck, so the rules end the round after their turn (6.6). Nobody has a joker.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from games.coach.rows import by_ease, longest_rows, plain_plays, row_and_hand_masks
from games.coach.times_tables import TABLES_TO_12, row_table_of
from games.engine.actions import Action, DrawClosed, End
from games.engine.cards import Card, LaidCard, cards_in, is_joker, mask_of
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, ruleset_from_data, ruleset_to_data
from games.engine.sequences import SHORTEST, jump_of
from games.engine.table import Line, Play, Table
from games.engine.text.notation import parse_action
from games.engine.text.record import LogEntry, Setting, act_entry, deal_entry, parse_deck, replay

STARTER: Final = 1
"""The player has seat 0 and comes last."""
MOST_SEATS: Final = 4
MOST_ROWS: Final = 3
"""The most rows of a real game's table that are kept."""
DECK_SIZES: Final = (50, 100)
"""The highest numbers of the decks to choose from."""
CARDS_OF_NEW_HAND: Final = 7  # the size of a hand that comes from no real game
MOST_HAND_CARDS: Final = 12
"""The most hand cards that a class can take in."""


@dataclass(frozen=True, slots=True)
class BegunRound:
    """A round up to the player's turn."""

    ruleset: Ruleset
    seats: int
    deck: tuple[Card, ...]
    acts_before: tuple[tuple[int, Action], ...]  # each after its seat

    @property
    def log(self) -> list[LogEntry]:
        return [
            deal_entry(self.deck),
            *(act_entry(seat, action) for seat, action in self.acts_before),
        ]

    @property
    def setting(self) -> Setting:
        return Setting(self.ruleset, self.seats, STARTER)

    @property
    def state(self) -> State:
        """The state when the player's turn begins."""
        return replay(self.setting, self.log)

    def to_data(self) -> dict[str, object]:
        return {
            "ruleset": ruleset_to_data(self.ruleset),
            "seats": self.seats,
            "deck": deal_entry(self.deck).text,
            "done": [[seat, act_entry(seat, action).text] for seat, action in self.acts_before],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "BegunRound":
        ruleset = ruleset_from_data(data["ruleset"])
        acts = tuple((seat, parse_action(text, ruleset)) for seat, text in data["done"])
        return cls(ruleset, data["seats"], parse_deck(data["deck"], ruleset), acts)


def begin_round(
    tables: Iterable[int], hand: Collection[Card], rows: Sequence[Sequence[int]]
) -> BegunRound | None:
    """A round in which the player has this hand and these rows lie on the table; they were laid in
    this order. The rules allow rows of `tables` and of the tables of the laid rows. None if no deck
    is large enough, or if the rows cannot be laid in this order. There must be no joker."""
    cards = {*hand, *(number for row in rows for number in row)}
    tables_of_rows = [row_table_of(row).times_table or 1 for row in rows]
    size = len(hand) - 1
    dealt = len(cards) + MOST_SEATS * len(hand)
    highest = next((n for n in DECK_SIZES if max(cards) <= n and dealt <= n), 0)
    if not highest:
        return None
    ruleset = replace(
        EDITIONS["simplified-2010"],
        highest=highest,
        most_players=MOST_SEATS,
        hand=size,
        hand_of_two=size,
        start=0,
        doubling=(),
        tables=tuple(sorted({*tables, *tables_of_rows})),
        opening=False,
        offers=False,
        rounds=1,
        piles=1,
    )
    turns = _turns(ruleset, rows, size)
    if turns is None or len(turns) >= MOST_SEATS:
        return None
    turns = turns or [[]]
    fillers = iter([card for card in range(highest, 0, -1) if card not in cards])
    hands = [[card for play in turn for card, _ in play.hand] for turn in turns]
    for cards_of_seat in hands:
        cards_of_seat += [next(fillers) for _ in range(size + 1 - len(cards_of_seat))]
    sorted_hand = sorted(hand)
    deck = [
        *sorted_hand[:size],
        *(card for cards_of_seat in hands for card in cards_of_seat[:size]),
        next(fillers),
    ]
    deck += [*(cards_of_seat[size] for cards_of_seat in hands), sorted_hand[size]]
    acts: list[tuple[int, Action]] = []
    for seat, turn in enumerate(turns, start=STARTER):
        acts += [(seat, DrawClosed()), *((seat, play) for play in turn), (seat, End())]
    return BegunRound(ruleset, len(turns) + 1, tuple(deck), (*acts, (0, DrawClosed())))


def _turns(ruleset: Ruleset, rows: Sequence[Sequence[int]], size: int) -> list[list[Play]] | None:
    """The plays that lay these rows, in turns of at most `size` hand cards; None if the rules do
    not allow one of the plays."""
    table = Table()
    turns: list[list[Play]] = []
    room = 0
    for row in rows:
        crossed = [table.laid_cards[number] for number in row if number in table.laid_cards]
        hand_cards = [LaidCard(number, number) for number in row if number not in table.laid_cards]
        play = Play.of(hand_cards, across=crossed)
        try:
            position = Position(ruleset, table, table.card_mask | mask_of(row), has_opened=True)
            table = make_play(position, play).table
        except ActionRefused:
            return None
        if len(hand_cards) > room:
            turns.append([])
            room = size
        if len(hand_cards) > room:
            return None
        turns[-1].append(play)
        room -= len(hand_cards)
    return turns


def round_from_game(position: Position, play: Play, tables: Collection[int]) -> BegunRound | None:
    """A round with the hand of this position of a game, and as much of its table as a class can
    take in: the rows that `play` needs, and others of these tables. None if the play needs a joker,
    or if no such round is possible."""
    needed = [
        line
        for line in position.table.lines
        if line in play.lines or any(crossed in play.across for crossed in line.cards)
    ]
    row, _ = row_and_hand_masks(play)
    hand = [card for card in cards_in(position.hand) if not is_joker(card)]
    if not all(map(_is_plain, needed)) or play.swaps or not SHORTEST < len(hand) <= MOST_HAND_CARDS:
        return None
    spare_lines = [
        line
        for line in position.table.lines
        if _is_plain(line) and line not in needed and row_table_of(line.numbers).jump in tables
    ]
    spare_lines = spare_lines[: max(MOST_ROWS - len(needed), 0)]
    for lines in ([*needed, *spare_lines], needed):
        rows = [line.numbers for line in position.table.lines if line in lines]
        tables_of_round = {*tables, jump_of(cards_in(row)) or 0} - {0}
        if begun_round := begin_round(tables_of_round, hand, rows):
            with suppress(ActionRefused):
                make_play(begun_round.state.position(0), play)
                return begun_round
    return None


def _is_plain(line: Line) -> bool:
    """Whether the line is a row of a times table, without a joker."""
    has_joker = any(is_joker(card) for card, _ in line.cards)
    return not has_joker and row_table_of(line.numbers).times_table in TABLES_TO_12


def make_round(tables: Sequence[int], seed: int, *, continues_row: bool) -> BegunRound:
    """A new round with a row of one of these tables in the hand or, if `continues_row`, with hand
    cards that continue a row on the table."""
    random = Random(seed)
    table = random.choice(tables)
    length = 2 * SHORTEST - 1 if continues_row else SHORTEST
    highest = next(size for size in DECK_SIZES if table * length <= size)
    first = random.randint(1, min(highest // table, 10) - length + 1)
    row = [table * (first + place) for place in range(length)]
    table_row = row[:SHORTEST] if continues_row else []
    hand_row = row[len(table_row) :]
    fillers = [card for card in range(1, highest + 1) if card not in row]
    begun_round = begin_round(
        tables,
        [*hand_row, *random.sample(fillers, CARDS_OF_NEW_HAND - len(hand_row))],
        [table_row] if table_row else [],
    )
    assert begun_round
    return begun_round


def rows_to_find(position: Position) -> list[tuple[int, ...]]:
    """The numbers of all rows that can be laid, the easiest to see first. A row that is part of a
    longer one with the same jump is left out."""
    plays = sorted(plain_plays(position), key=by_ease)
    rows = dict.fromkeys(row_and_hand_masks(play)[0] for play in plays)
    return [cards_in(row) for row in longest_rows(rows.keys())]


def counts_as(numbers: Sequence[int], row: Sequence[int]) -> bool:
    """Whether a child who lays a row of these numbers has found `row`: the jumps are the same, and
    they have at least three numbers in common."""
    shared = len({*numbers} & {*row})
    return shared >= SHORTEST and jump_of(numbers) == jump_of(row)
