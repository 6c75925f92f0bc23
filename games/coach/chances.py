"""Finds the chances that a player had in a round, from the log alone.

A *chance* is one opportunity to lay a row of one times table, for as many turns as it stays open.
Rows of no times table belong to table 0. A chance ends found, missed or taken up. The rules are in
docs/mastery.md, *Chances*. `tests/games/coach/chances_oracle.py` is a second, slow implementation.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from games.coach.hints import HintStep
from games.coach.rows import (
    NO_TABLE,
    by_fewest_cards,
    plain_plays,
    remaining_row,
    row_and_hand_masks,
    table_of,
)
from games.engine.cards import NUMBER_MASK, cards_in, mask_of
from games.engine.play_application import Position, make_play
from games.engine.round import DRAW_PHASES, OVER_PHASES, State, ends_turn
from games.engine.table import Play
from games.engine.text.record import EntryKind, Transition, parse_hint

MANY_TRIES: Final = 2
"""A row is found after tries if this many plays were refused before it in the same turn."""

ChanceOutcome = Literal[
    "at once", "later", "with a hint", "after tries", "with a joker", "missed", "taken up", "open"
]
UNCOUNTED_OUTCOMES: Final = ("with a joker", "taken up", "open")
"""The outcomes of chances that are neither found nor missed."""
UNLAID_OUTCOMES: Final = ("missed", "taken up", "open")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChance:
    """One chance of a player. It is `open` while the round goes on and the player may still find
    it. `entries` are the log entries that show it, counted from 0: the last entry of each turn that
    left it open, then the play that found it."""

    round: int
    table: int
    outcome: ChanceOutcome
    first_turn: int  # the turn, from 1, that found it, or the first at whose end it could be laid
    last_turn: int  # the turn that found it, or the last turn at whose end it could be laid
    tries: int  # the refused tries of that last turn, up to the find
    hint_step: int  # 0 without a hint
    entries: tuple[int, ...]
    row: str  # the play that found it; if none did, the easiest one when it could last be laid
    numbers: tuple[int, ...]  # the row that this play makes

    @property
    def turns_open(self) -> int:
        """How many turns ended while one of its rows could be laid."""
        return self.last_turn - self.first_turn + (self.outcome in UNLAID_OUTCOMES)


def chances(
    log: Iterable[Transition], seat: int, *, has_several_players: bool = False
) -> Iterator[RowChance]:
    """The chances of a seat in the order in which they ended, then the open ones. `log` is the
    replay of a game, or of one round from its deal on. A turn that has not ended does not count.
    For `has_several_players` see `ChanceReader`."""
    reader = ChanceReader(seat, has_several_players=has_several_players)
    for index, transition in enumerate(log):
        yield from reader.read_entry(index, transition)
    yield from reader.end_all("open")


@dataclass(slots=True)
class _LaidRow:
    entry: int
    before: State
    play: Play
    row: str
    row_mask: int

    @property
    def has_joker(self) -> bool:
        return any(not NUMBER_MASK >> card & 1 for card, _ in self.play.hand)


@dataclass(slots=True)
class _Hint:
    entry: int
    step: int
    table: int
    cards: int


@dataclass(slots=True)
class _RowGroup:
    """Rows of one table that share hand cards; `cards` is the mask of their hand cards. A chance
    that was found in the current turn has no `plays`."""

    table: int
    cards: int
    plays: list[Play] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _OpenChance:
    """A chance that was open at the end of the last turn."""

    table: int
    first_turn: int
    cards: int = 0
    last_turn: int = 0
    tries: int = 0
    hint_step: int = 0
    shown_step: int = 0
    """`HintStep.ROW` if the site has shown one of its rows as missed, which counts as a hint;
    otherwise 0."""
    entries: tuple[int, ...] = ()
    plays: list[Play] = field(default_factory=list)
    possible_groups: list[_RowGroup] = field(default_factory=list)
    """Its rows that can be laid at the end of the current turn."""


class ChanceReader:
    """Finds the chances of one seat, entry by entry. In a game that several players have begun, a
    row of another player can take a chance away."""

    def __init__(self, seat: int, *, has_several_players: bool = False) -> None:
        self._seat = seat
        self._has_several_players = has_several_players
        self._round = 0
        self._open: list[_OpenChance] = []
        self._begin_turn()

    def _begin_turn(self) -> None:
        self._laid: list[_LaidRow] = []
        self._hints: list[_Hint] = []
        self._refused: list[int] = []
        self._bot_has_acted = False
        """Whether a bot has acted for the player in this turn."""
        self._rows_of_others: list[tuple[State, State]] = []
        """In a game of several players, the states before and after each row that others have laid
        since the player's last turn."""

    def read_entry(self, index: int, transition: Transition) -> Iterator[RowChance]:
        """The chances that an entry ends. `index` is its number in `RowChance.entries`."""
        before, after = transition.before, transition.after
        self._round = after.round
        if before is None:
            return
        if before.turn == self._seat:
            if transition.entry.seat == self._seat:
                self._note_entry(index, transition, before)
            if ends_turn(before, after):
                yield from self._end_turn(index, before, transition)
        elif transition.entry.kind == EntryKind.HINT and transition.entry.seat == self._seat:
            self._note_entry(index, transition, before)
        elif self._has_several_players and isinstance(transition.action, Play):
            self._rows_of_others.append((before, after))
        if after.phase in OVER_PHASES:
            yield from self.end_all("missed")

    def end_all(self, outcome: ChanceOutcome) -> Iterator[RowChance]:
        open_chances, self._open = self._open, []
        return (self._without_find(chance, outcome) for chance in open_chances)

    def _note_entry(self, index: int, transition: Transition, before: State) -> None:
        entry = transition.entry
        if entry.kind == EntryKind.STAND_IN:
            self._bot_has_acted = True
        elif entry.kind == EntryKind.TAKE_BACK:
            self._laid.pop()
        elif entry.kind == EntryKind.REFUSED:
            self._refused.append(index)
        elif entry.kind == EntryKind.HINT:
            hint = parse_hint(entry.text, before.ruleset)
            if hint.play is not None:
                line = make_play(_with_open_cards(before, self._seat), hint.play).line
                cards = row_and_hand_masks(hint.play)[1]
                self._hints.append(_Hint(index, hint.step, table_of(line.mask), cards))
        elif isinstance(transition.action, Play):
            row_mask = transition.after.table.lines[-1].mask
            self._laid.append(_LaidRow(index, before, transition.action, entry.text, row_mask))

    def _end_turn(self, index: int, before: State, transition: Transition) -> Iterator[RowChance]:
        turn = before.turns[self._seat] + 1
        finds: list[_RowGroup] = []
        for row in sorted(self._laid, key=lambda row: (row.has_joker, row.entry)):
            yield from self._chance_ended_by(row, turn, finds)
        if self._bot_has_acted:
            yield from self._end_turn_of_bot(
                transition.after if isinstance(transition.action, Play) else before
            )
            return
        if not isinstance(transition.action, Play):
            for group in _row_groups(before.position(self._seat)):
                self._leave_open(group, turn, index, finds)
        still_open = []
        for chance in self._open:
            if chance.possible_groups:
                self._keep_open(chance, turn, index)
                still_open.append(chance)
            else:
                is_taken_up = self._was_taken_up(chance) or self._was_taken_away(chance)
                yield self._without_find(chance, "taken up" if is_taken_up else "missed")
        self._open = still_open
        self._note_shown_row(before, transition)
        self._begin_turn()

    def _end_turn_of_bot(self, state: State) -> Iterator[RowChance]:
        """End a turn that a bot finished for the player. Rows that could be laid in it make no new
        chances. Open chances that can no longer be laid were taken up."""
        for chance in tuple(self._open):
            if not self._can_be_laid(chance, state):
                self._open.remove(chance)
                yield self._without_find(chance, "taken up")
        self._begin_turn()

    def _chance_ended_by(
        self, row: _LaidRow, turn: int, finds: list[_RowGroup]
    ) -> Iterator[RowChance]:
        """Yield the chance that a row ends; nothing if the row belongs to a chance that was found
        earlier in this turn."""
        table, hand_mask = table_of(row.row_mask), row_and_hand_masks(row.play)[1]
        cards = hand_mask
        for group in _row_groups(row.before.position(self._seat), table):
            cards |= group.cards if group.cards & hand_mask else 0
        chance = self._open_chance(table, hand_mask)
        if chance is None:
            for earlier in finds:
                if earlier.table == table and earlier.cards & hand_mask:
                    earlier.cards |= cards
                    return
            chance = _OpenChance(table, turn)
        else:
            self._open.remove(chance)
        cards |= chance.cards
        finds.append(_RowGroup(table, cards))
        tries = sum(entry < row.entry for entry in self._refused)
        hint_step = self._hint_step(table, cards, row.entry)
        hint_step = max(chance.hint_step, chance.shown_step, hint_step)
        yield RowChance(
            round=self._round,
            table=table,
            outcome=_outcome_of_find(row.has_joker, hint_step, tries, turn > chance.first_turn),
            first_turn=chance.first_turn,
            last_turn=turn,
            tries=tries,
            hint_step=hint_step,
            entries=(*chance.entries, row.entry),
            row=row.row,
            numbers=cards_in(row.row_mask),
        )

    def _leave_open(self, group: _RowGroup, turn: int, index: int, finds: list[_RowGroup]) -> None:
        """Add rows that can still be laid to the chance to which they belong, or to a new one."""
        chance = self._open_chance(group.table, group.cards)
        if chance is None:
            chance = _OpenChance(group.table, turn)
            for earlier in finds:
                if earlier.table == group.table and earlier.cards & group.cards:
                    hint_step = self._hint_step(earlier.table, earlier.cards, index)
                    chance.hint_step = max(chance.hint_step, hint_step)
            self._open.append(chance)
        chance.possible_groups.append(group)

    def _was_taken_up(self, chance: _OpenChance) -> bool:
        """Whether a row of this turn took a card of the chance while that card could still be laid
        in a row of the chance's table."""
        return any(
            group.cards & chance.cards & row_and_hand_masks(laid_row.play)[1]
            for laid_row in self._laid
            for group in _row_groups(laid_row.before.position(self._seat), chance.table)
        )

    def _was_taken_away(self, chance: _OpenChance) -> bool:
        """Whether a row of another player at the table made the chance impossible."""
        return any(
            self._can_be_laid(chance, before) and not self._can_be_laid(chance, after)
            for before, after in self._rows_of_others
        )

    def _can_be_laid(self, chance: _OpenChance, state: State) -> bool:
        groups = _row_groups(state.position(self._seat), chance.table)
        return any(group.cards & chance.cards for group in groups)

    def _note_shown_row(self, before: State, transition: Transition) -> None:
        text = transition.entry.missed
        if text is None:
            row = remaining_row(before, transition.after)
            text = str(row.play) if row else ""
        for chance in self._open:
            # The text alone does not say for which number a crossed joker stands.
            if text and any(str(play) == text for play in chance.plays):
                chance.shown_step = HintStep.ROW

    def _open_chance(self, table: int, cards: int) -> _OpenChance | None:
        """The open chance of this table that shares one of these hand cards. Merge several into the
        earliest."""
        shared = [chance for chance in self._open if chance.table == table and chance.cards & cards]
        if not shared:
            return None
        first, *others = shared
        for other in others:
            first.cards |= other.cards
            first.hint_step = max(first.hint_step, other.hint_step)
            first.shown_step = max(first.shown_step, other.shown_step)
            first.possible_groups += other.possible_groups
            self._open.remove(other)
        return first

    def _keep_open(self, chance: _OpenChance, turn: int, index: int) -> None:
        cards = 0
        for group in chance.possible_groups:
            cards |= group.cards
        hint_step = self._hint_step(chance.table, chance.cards | cards, index)
        chance.hint_step = max(chance.hint_step, hint_step)
        chance.cards = cards
        chance.last_turn = turn
        chance.tries = len(self._refused)
        chance.entries = (*chance.entries, index)
        chance.plays = [play for group in chance.possible_groups for play in group.plays]
        chance.possible_groups = []

    def _hint_step(self, table: int, cards: int, before: int) -> int:
        """The step of the deepest hint of this turn, before the entry `before`, for a chance with
        these cards; 0 without a hint."""
        deepest = 0
        for hint in self._hints:
            if hint.entry < before:
                if hint.cards & cards:
                    deepest = max(deepest, hint.step)
                elif hint.table == table != NO_TABLE and hint.step >= HintStep.TABLE:
                    deepest = max(deepest, HintStep.TABLE)
        return deepest

    def _without_find(self, chance: _OpenChance, outcome: ChanceOutcome) -> RowChance:
        play = min(chance.plays, key=by_fewest_cards)
        return RowChance(
            round=self._round,
            table=chance.table,
            outcome=outcome,
            first_turn=chance.first_turn,
            last_turn=chance.last_turn,
            tries=chance.tries,
            hint_step=chance.hint_step,
            entries=chance.entries,
            row=str(play),
            numbers=cards_in(row_and_hand_masks(play)[0]),
        )


def _outcome_of_find(has_joker: bool, hint_step: int, tries: int, is_later: bool) -> ChanceOutcome:
    if has_joker:
        return "with a joker"
    if hint_step:
        return "with a hint"
    if tries >= MANY_TRIES:
        return "after tries"
    return "later" if is_later else "at once"


def _with_open_cards(state: State, seat: int) -> Position:
    """The position of a player. Until they take a card, their hand includes all open cards, because
    a hint may be about any of them."""
    position = state.position(seat)
    if state.phase not in DRAW_PHASES or seat != state.turn:
        return position
    return position._replace(hand=position.hand | mask_of((*state.open_pile[-1:], *state.market)))


def _row_groups(position: Position, only_table: int | None = None) -> list[_RowGroup]:
    """The plain rows that can be laid, of all tables or of `only_table`. Rows of one table that
    share hand cards are one group."""
    by_table: dict[int, list[_RowGroup]] = {}
    for play in plain_plays(position):
        row, cards = row_and_hand_masks(play)
        table = table_of(row)
        if only_table is not None and table != only_table:
            continue
        group = _RowGroup(table, cards, [play])
        separate = []
        for near_group in by_table.get(table, ()):
            if near_group.cards & cards:
                group.cards |= near_group.cards
                group.plays += near_group.plays
            else:
                separate.append(near_group)
        by_table[table] = [*separate, group]
    return [group for groups in by_table.values() for group in groups]
