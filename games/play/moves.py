"""The moves of players, and the log entries of these moves and of the bots' answers. Stores
nothing."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Self

from games.bots.reasons import reason, reason_to_data
from games.bots.registry import STAND_IN, find_bot
from games.coach.deals import DealSetting
from games.coach.hints import Hint, HintStep, hint, hint_position
from games.coach.refusals import Refusal, explain_refusal
from games.coach.rows import MissedRow, missed_row
from games.coach.times_tables import row_table_of
from games.engine.actions import Action, Claim, Deal, Discard, DrawOpen, End, Knock, Pass
from games.engine.cards import Card, card_text, cards_in, is_joker, mask_of
from games.engine.errors import ActionRefused, Code
from games.engine.match import apply
from games.engine.play_application import Position, make_play
from games.engine.plays import TapTarget, cards_at, plays_of_tap
from games.engine.round import DRAW_PHASES, OVER_PHASES, State, ends_turn
from games.engine.ruleset import Ruleset
from games.engine.table import Play, Table
from games.engine.text.notation import parse_play
from games.engine.text.record import (
    ACTS,
    EntryKind,
    LogEntry,
    PublicData,
    act_entry,
    deal_entry,
    hint_entry,
    parse_hint,
    refusal_entry,
    take_back_entry,
)
from games.engine.view import view
from games.models import UNASKED, Game, Seat
from games.play import presence
from games.play.hooks import host
from games.play.log import (
    RECENT_ENTRIES,
    GameSnapshot,
    deck_of_round,
    derive_seed,
    entries_of,
    replay_snapshot,
    setting_of,
    snapshot_after,
)
from games.play.shared_deals import choice_in_shared_deal
from games.play.sql import ShownEntry, last_entries

MOST_CHOICES: Final = 3
"""How many plays a question offers at most: with several jokers, a tap can mean thousands. A player
who means another one taps its place."""
MOST_ENTRIES: Final = 2_000
"""The most entries of a log for each round. A long round of six players has some 500."""


@dataclass(frozen=True, slots=True)
class Do:
    """Any action but a play or a deal."""

    action: Action


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay these hand cards at these places. The engine finds the plays that this can mean."""

    cards: tuple[Card, ...]
    places: tuple[TapTarget, ...] = ()
    open_number: int = 0  # the number of the open place that was tapped; 0 for none


@dataclass(frozen=True, slots=True)
class Choose:
    """Make one of the plays that a tap can mean."""

    play: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    pass


@dataclass(frozen=True, slots=True)
class AskHint:
    pass


@dataclass(frozen=True, slots=True)
class NextRound:
    pass


Move = Do | Lay | Choose | TakeBack | AskHint | NextRound


@dataclass(frozen=True, slots=True)
class PublicCounts:
    """What everybody at the table can count."""

    scores: tuple[int, ...]
    hand_sizes: tuple[int, ...]  # how many cards each seat has
    cards_to_come: int  # from the closed pile (`State.cards_to_come`)
    earned_together: int = 0  # the points that all have earned together, if the round has a goal

    @classmethod
    def of(cls, state: State) -> Self:
        hand_sizes = tuple([hand.bit_count() for hand in state.hands])
        return cls(state.scores, hand_sizes, state.cards_to_come, state.earned_together)

    @property
    def data(self) -> list[object]:
        """The counts as the log keeps them."""
        return list(astuple(self))

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Self:
        scores, hand_sizes, cards_to_come, earned_together = data
        return cls(tuple(scores), tuple(hand_sizes), cards_to_come, earned_together)


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a player's move, besides the entries of the log. The move was not made if there
    is an `error` or there are `choices`, or if it came too soon or from a stale page."""

    refusal: Refusal | None = None
    choices: Sequence[Play] = ()
    missed_row: MissedRow | None = None  # of the turn that ended, if the game shows such rows
    cards_refilled: Sequence[Card] = ()  # what the hand got when the player's turn ended (5.6)
    cards_exchanged: Sequence[Card] = ()  # hand cards that fitted no row and were exchanged
    error: Code | None = None  # the code of a move that the page should not have offered
    is_too_soon: bool = False  # whether the player can hardly have read the last hint
    is_stale: bool = False  # whether the page was out of date


NO_RESULT: Final = MoveResult()


@dataclass
class Draft:
    """A game as a move will leave it. Nothing is stored. `round_winners` has the winner of each
    round that the entries end; None for a round without one."""

    game: Game
    seats: Sequence[Seat]
    snapshot: GameSnapshot
    entries: list[tuple[LogEntry, PublicData]] = field(default_factory=list)
    public_counts: list[PublicCounts] = field(default_factory=list)  # after each entry
    result: MoveResult = NO_RESULT
    hint: Hint | None = None
    round_winners: list[int | None] = field(default_factory=list)
    state_before: State = field(init=False)  # the state before the first entry
    absent: Collection[int] = ()  # the seats of players who are away, for whom a stand-in plays

    def __post_init__(self) -> None:
        self.state_before = self.snapshot.state

    @cached_property
    def has_several_players(self) -> bool:
        return presence.has_several_players(self.seats)

    @property
    def state(self) -> State:
        return self.snapshot.state

    @property
    def has_act_of_awaited(self) -> bool:
        """Whether the player for whom the table waits has made one of the entries."""
        return any(entry.seat == self.state_before.to_act for entry, _ in self.entries)

    def add(self, entry: LogEntry, after: State, data: PublicData | None = None) -> None:
        """Add an entry that leads to the state `after`. If it ends a player's turn, note the row
        that they missed and the cards that filled up their hand."""
        before = self.state
        is_players = entry.kind != EntryKind.STAND_IN and not self.seats[before.turn].bot
        if is_players and ends_turn(before, after):
            self.result = result_of_turn(self.game, before, after)
            missed_row = self.result.missed_row
            entry = replace(entry, missed=str(missed_row.play) if missed_row else "")
        self.entries.append((entry, data or {}))
        self.public_counts.append(PublicCounts.of(after))
        self.snapshot = snapshot_after(self.snapshot, entry, after)
        if after.phase in OVER_PHASES and before.to_act is not None:
            self.round_winners.append(after.round_winner)

    def act(
        self, seat: int, action: Action, *, unasked: bool = False, stand_in: bool = False
    ) -> None:
        """Let a seat act. With `unasked`, the game answers for the seat; with `stand_in`, a bot
        acts at a table of several players. Raises `ActionRefused`."""
        before = self.state
        if before.phase == "knock" and isinstance(action, Knock | Pass):
            action = type(action)(seat)
        elif seat != before.to_act:
            raise ActionRefused("wrong-phase", "not that seat's turn")
        # The action is applied first. If no play is allowed now, `_public_data` would judge the
        # play by the hand of the seat whose turn it is, which may be another one.
        after = apply(before, action)
        data = UNASKED if unasked else _public_data(before, action)
        if new_cards := [card for card in after.market if card not in before.market]:
            data = data | {"turned up": [card_text(card) for card in new_cards]}
        entry = act_entry(seat, action)
        if stand_in:
            entry = replace(entry, kind=EntryKind.STAND_IN)
        self.add(entry, after, data | self.logged_counts(after))

    def let_bots_act(self) -> None:
        """Let the bots act until a player must act, or nobody must. The game itself passes for a
        seat that is offered its own card, and ends the turn that has solved a riddle. While several
        seats may knock, bots wait for the players (7.4)."""
        while (seat := self.state.to_act) is not None:
            if self.state.phase == "offer" and seat == self._seat_of_open_card():
                self.act(seat, Pass(), unasked=True)
            elif self.game.riddle_cards and self.state.scores[seat] >= self.game.riddle_cards:
                self.act(seat, End(), unasked=True)
            elif not all(map(self.bot_at, self.state.seats_to_act())):
                return
            else:
                action = self._bot_action(self.bot_at(seat), seat)
                # At a table of several players, one may yet take this bot's seat.
                self.act(seat, action, stand_in=self.has_several_players)

    def bot_at(self, seat: int) -> str:
        """The bot that plays at a seat now; empty if a player does."""
        return self.seats[seat].bot or (STAND_IN if seat in self.absent else "")

    def finish_turn(self) -> None:
        """Let a bot finish the turn of a player whose time is over."""
        round_, seat = self.state.round, self.state.turn
        while self.state.to_act == self.state.turn == seat and self.state.round == round_:
            self.act(seat, self._bot_action(STAND_IN, seat), stand_in=True)

    def _seat_of_open_card(self) -> int | None:
        """The seat that put the open card down; None if the card is from the deal."""
        state = self.state
        if not state.ruleset.may_keep_all and not state.ruleset.refill:
            previous = (state.turn - 1) % state.seat_count
            return previous if state.turns[previous] else None
        card = act_entry(0, Discard(state.open_pile[-1])).text
        for entry, _ in reversed(self.entries):
            if entry.kind == EntryKind.DEAL or entry.text == card:
                return entry.seat
        for kind, text, seat in self._stored_acts:
            if kind == EntryKind.DEAL or text == card:
                return seat
        return None

    @cached_property
    def _stored_acts(self) -> Sequence[tuple[str, str, int | None]]:
        """The stored deals and acts as kind, text and seat, the newest first."""
        log = self.game.entries.filter(kind__in=(EntryKind.DEAL, *ACTS)).order_by("-number")
        return list(log.values_list("kind", "text", "seat"))

    def _bot_action(self, bot: str, seat: int) -> Action:
        player_view, game = view(self.state, seat), self.game
        if game.has_shared_deal:
            return choice_in_shared_deal(bot, player_view, game.seed)
        number = game.version + len(self.entries) + 1
        return find_bot(bot)(player_view, derive_seed(game.seed, "bot", number))

    def deal(self) -> None:
        """Deal the next round. Raises `ActionRefused` while a round is running."""
        state = self.state
        starter = apply(state, Deal(state.ruleset.cards)).starter
        setting = deal_setting(self.seats, state.ruleset, starter)
        cards = deck_of_round(self.game, state.round + 1, setting)
        after = apply(state, Deal(cards))
        self.add(deal_entry(cards), after, self.logged_counts(after))

    def logged_counts(self, state: State) -> PublicData:
        """The counts that the log of a table of several players keeps with each entry, so that
        every page can show them."""
        return {"figures": PublicCounts.of(state).data} if self.has_several_players else {}


def result_of_turn(game: Game, before: State, after: State) -> MoveResult:
    """What came of the action between these two states, which ended a player's turn. After a row
    that was laid in this turn, no other is called missed."""
    seat, may_show = before.turn, game.shows_missed_rows and not before.play_count
    gone = before.hands[seat] & ~(after.hands[seat] | mask_of(after.open_pile[-1:]))
    return MoveResult(
        missed_row=missed_row(before, after) if may_show else None,
        cards_refilled=cards_in(after.hands[seat] & ~before.hands[seat]),
        cards_exchanged=cards_in(gone & ~before.ruleset.fitting_mask),
    )


def deal_setting(seats: Sequence[Seat], ruleset: Ruleset, starter: int) -> DealSetting:
    """The setting of a deal, which may be kind to players but not to bots."""
    players = [seat.number for seat in seats if not seat.bot]
    return DealSetting(ruleset, len(seats), starter, players)


def make_move(draft: Draft, seat: int, move: Move) -> None:
    """Make a player's move and let the bots answer.

    Raises `ActionRefused` for a move that the page should not have offered, such as one with cards
    that the player does not have. A row that cannot be laid is no such error: it makes an entry in
    the log and a `refusal` that says why.
    """
    match move:
        case Do(End()) if draft.game.riddle_cards and not draft.state.play_count:
            raise ActionRefused("too-short", "an empty try at a riddle")
        case Do(action):
            draft.act(seat, action)
        case Choose(text):
            draft.act(seat, parse_play(text, draft.game.ruleset))
        case Lay():
            _lay(draft, seat, move)
        case TakeBack():
            _take_back(draft, seat)
        case AskHint():
            _give_hint(draft, seat)
        case NextRound():
            draft.deal()
    draft.let_bots_act()


def _lay(draft: Draft, seat: int, move: Lay) -> None:
    state = draft.state
    if state.to_act != seat or state.phase != "play":
        raise ActionRefused("wrong-phase", state.phase)
    position = state.position(seat)
    cards = tuple(dict.fromkeys(move.cards))
    places = tuple(dict.fromkeys(move.places))
    # This also limits the length of an entry in the log.
    if mask_of(cards) & ~position.hand:
        raise ActionRefused("not-in-hand")
    if not {*places} <= {*state.table.lines, *state.table.laid_cards.values()}:
        raise ActionRefused("not-on-table")
    tapped = [card for place in places for card in cards_at(place)]
    plays = _distinct_plays(position, plays_of_tap(position, cards, places), move.open_number)
    # Ask the player before a play crosses a card that was not tapped.
    if len(plays) == 1 and {*plays[0].across} <= {*tapped}:
        draft.act(seat, plays[0])
    elif plays:
        plays.sort(key=lambda play: _choice_order(position.table, play))
        draft.result = MoveResult(choices=tuple(plays[:MOST_CHOICES]))
    else:
        refusal = explain_refusal(position, cards, places)
        draft.result = MoveResult(refusal)
        if not is_log_full(draft.game):
            draft.add(refusal_entry(seat, refusal.code, cards, tapped), state)


def _distinct_plays(position: Position, plays: Sequence[Play], open_number: int) -> list[Play]:
    """The plays to choose from: only those that fill the tapped place, if any does. Plays that
    differ only in which joker stands where, and earn the same, count once."""
    fitting = [play for play in plays if open_number in {number for _, number in play.hand}]
    distinct: dict[object, Play] = {}
    for play in fitting or plays:
        hand = frozenset((is_joker(card) or card, number) for card, number in play.hand)
        from_table = (play.lines, play.across, play.swaps)
        distinct.setdefault((hand, from_table, make_play(position, play).points), play)
    return list(distinct.values())


def _take_back(draft: Draft, seat: int) -> None:
    state, game = draft.state, draft.game
    if state.to_act != seat or state.phase != "play" or not state.play_count:
        raise ActionRefused("wrong-phase", "nothing to take back")
    if is_log_full(game):
        raise ActionRefused("wrong-phase", "too much was taken back")
    setting = setting_of(game, len(draft.seats))
    entry = take_back_entry(seat)
    snapshot = replay_snapshot(setting, [*entries_of(game), entry])
    draft.add(entry, snapshot.state)


def _give_hint(draft: Draft, seat: int) -> None:
    """Give the player a hint, at a table of several players also in somebody else's turn."""
    state, game = draft.state, draft.game
    waits = draft.has_several_players and state.turn != seat
    may_ask = state.to_act == seat or waits
    most_steps = draft.seats[seat].most_hint_steps
    if not may_ask or state.phase not in (*DRAW_PHASES, "play") or not most_steps:
        raise ActionRefused("wrong-phase", state.phase)
    last_step = draft.snapshot.hint_step
    if waits:
        last_step = hint_step_while_waiting(game, seat, last_entries(game.pk, RECENT_ENTRIES))
    step = min(last_step + 1, most_steps)
    draft.hint = hint_for(draft.seats[seat], state, step)
    if not last_step or not is_log_full(game):
        draft.add(hint_entry(seat, step, draft.hint.play), state)


def is_log_full(game: Game) -> bool:
    """Whether the log of this round has reached its limit, which exists because counting progress
    reads whole rounds. Then acts are still stored, but refused plays and hints are only answered,
    and nothing can be taken back."""
    return game.version >= MOST_ENTRIES * game.round


def hint_step_while_waiting(game: Game, seat: int, recent: Iterable[ShownEntry]) -> int:
    """The step of the last hint for a player who waits for their turn; 0 if there is none, or if
    their hand or the table has changed since. `recent` has the last entries, the newest first."""
    for entry in recent:
        if entry.kind == EntryKind.HINT and entry.seat == seat:
            return parse_hint(entry.text, game.ruleset).step
        if entry.kind in (EntryKind.DEAL, EntryKind.TAKE_BACK):
            return 0
        if entry.kind in ACTS and (entry.seat == seat or entry.lays_row):
            return 0
    return 0


def hint_for(seat: Seat, state: State, step: int) -> Hint:
    """The hint of a step for the player at a seat, based on the facts that they know."""
    player = seat.player if step == HintStep.NUMBER else None
    secure = host().secure_facts(player) if player else ()
    return hint(hint_position(state, seat.number), step, secure)


def _choice_order(table: Table, play: Play) -> tuple[bool, int, int, str]:
    """The key that sorts plays, the likeliest first: rows of a times table, then rows that cross
    few, then short rows."""
    line = table.line_of(play)
    has_no_table = row_table_of(line.numbers).times_table is None
    return has_no_table, len(play.across), len(line.cards), str(play)


def _public_data(before: State, action: Action) -> PublicData:
    if isinstance(action, DrawOpen | Claim | Knock) and before.open_pile:
        return {"card": card_text(before.open_pile[-1])}
    if isinstance(action, Play):
        return reason_to_data(reason(before.position(before.turn), action))
    return {}
