"""A player's moves, and the log entries of these moves and of the bots' answers. Stores nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any, Final, Self

from games.bots.reasons import reason, reason_to_data
from games.bots.registry import find_bot
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
from games.engine.plays import Place, cards_of, plays_of_tap
from games.engine.round import DRAW_PHASES, OVER_PHASES, State, ends_turn, view
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Play, Table
from games.engine.text.notation import parse_play
from games.engine.text.record import (
    LogEntry,
    act_entry,
    deal_entry,
    hint_entry,
    parse_hint,
    refusal_entry,
    take_back_entry,
)
from games.models import UNASKED, Entry, Game, Seat
from games.play import presence
from games.play.hooks import host
from games.play.log import (
    RECENT,
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
"""The most plays that a player can choose from, since several jokers allow thousands. A player who
wants another one taps its place."""
MOST_ENTRIES: Final = 2_000
"""The log is full after this many entries for each round. A long round of six players has some
500."""


@dataclass(frozen=True, slots=True)
class Do:
    """Any action but a play or a deal."""

    action: Action


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay these hand cards at these places; the engine finds out which play that is."""

    cards: tuple[Card, ...]
    places: tuple[Place, ...] = ()
    at: int = 0  # the number of the open place that was tapped, or 0


@dataclass(frozen=True, slots=True)
class Choose:
    """One of the plays that a tap could mean, as text."""

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
    """What everyone at the table can count: the points and the number of cards of each seat, and
    how many cards can still come from the closed pile."""

    scores: tuple[int, ...]
    counts: tuple[int, ...]
    cards_to_come: int
    earned_together: int = 0  # the points that all have earned together, if the round has a goal

    @classmethod
    def of(cls, state: State) -> Self:
        counts = tuple([hand.bit_count() for hand in state.hands])
        return cls(state.scores, counts, state.cards_to_come, state.earned_together)

    @property
    def data(self) -> list[Any]:
        """As the log keeps it."""
        return list(astuple(self))

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Self:
        scores, counts, cards_to_come, earned_together = data
        return cls(tuple(scores), tuple(counts), cards_to_come, earned_together)


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What came of a player's move, besides the entries of the log. Nothing was done if there is an
    `error` or there are `choices`, and if the move came `too_soon` or from a `stale` page."""

    refusal: Refusal | None = None
    choices: Sequence[Play] = ()
    missed_row: MissedRow | None = None
    """The row that the player missed when this move ended their turn, if the game shows missed
    rows."""
    cards_refilled: Sequence[Card] = ()
    """The cards that filled up the hand when this move ended the player's turn (5.6)."""
    error: Code | None = None  # the code of a move that the page should not have offered
    too_soon: bool = False
    """Whether the player asked for the next hint before they could have read this one."""
    stale: bool = False  # whether the page was out of date


NO_RESULT: Final = MoveResult()


@dataclass(slots=True)
class Draft:
    """A game as a move will leave it: the state after the entries so far. Nothing is stored."""

    game: Game
    seats: Sequence[Seat]
    snapshot: GameSnapshot
    entries: list[tuple[LogEntry, dict[str, Any]]] = field(default_factory=list)
    public_counts: list[PublicCounts] = field(default_factory=list)
    """The counts after each entry."""
    result: MoveResult = NO_RESULT
    hint: Hint | None = None
    round_finished: bool = False
    round_winners: list[int | None] = field(default_factory=list)
    acts_newest_first: list[tuple[str, str, int | None]] | None = None
    """The stored deals and acts as kind, text and seat; None until they are needed."""
    state_before: State = field(init=False)
    """How the game stood when the move began."""
    has_several_players: bool = field(init=False)
    stand_ins: Mapping[int, str] = field(default_factory=dict)
    """The bots that play for players who are away, by seat."""

    def __post_init__(self) -> None:
        self.state_before = self.snapshot.state
        self.has_several_players = presence.has_several_players(self.seats)

    @property
    def state(self) -> State:
        return self.snapshot.state

    def add(self, entry: LogEntry, after: State, data: dict[str, Any] | None = None) -> None:
        """Add an entry that leads to the state `after`. If it ends a player's turn, note what they
        missed and what filled up their hand."""
        before = self.state
        if (
            ends_turn(before, after)
            and not self.seats[before.turn].bot
            and entry.kind != "stand in"
        ):
            lost_row = missed_row(before, after) if self.game.shows_missed_rows else None
            filled = cards_refilled(before, after)
            self.result = replace(self.result, missed_row=lost_row, cards_refilled=filled)
            entry = replace(entry, missed=str(lost_row.play) if lost_row else "")
        self.entries.append((entry, data or {}))
        self.public_counts.append(PublicCounts.of(after))
        self.snapshot = snapshot_after(self.snapshot, entry, after)
        if after.phase in OVER_PHASES and before.to_act is not None:
            self.round_finished = True
            self.round_winners.append(after.round_winner)

    def act(
        self, seat: int, action: Action, *, unasked: bool = False, stand_in: bool = False
    ) -> None:
        """Let a seat act. With `unasked` the game answers for the seat, with `stand_in` a bot acts
        at a table of several. Raises `ActionRefused`."""
        before = self.state
        if before.phase == "knock" and isinstance(action, Knock | Pass):
            action = type(action)(seat)
        elif seat != before.to_act:
            raise ActionRefused("wrong-phase", "not that seat's turn")
        # The action is applied first: if no play is allowed now, `_data_of` would judge the play by
        # the hand of the seat whose turn it is, which may be another one.
        after = apply(before, action)
        data = UNASKED if unasked else _data_of(before, action)
        if turned_up := [card for card in after.market if card not in before.market]:
            data = data | {"turned up": [card_text(card) for card in turned_up]}
        if passed_over := _passed_over(before, action, after):
            data = data | {"passed over": passed_over}
        entry = act_entry(seat, action)
        if stand_in:
            entry = replace(entry, kind="stand in")
        self.add(entry, after, data | self.logged_counts(after))

    def let_bots_act(self) -> None:
        """Let the bots act until a player must act, or nobody must. A seat is not offered a card
        that it put down itself: the game passes for it. It also ends the turn that has solved a
        riddle. While several seats may knock, bots wait until every player has chosen (7.4)."""
        while (seat := self.state.to_act) is not None:
            if self.state.phase == "offer" and seat == self._seat_that_put_it_down():
                self.act(seat, Pass(), unasked=True)
            elif self.game.riddle and self.state.scores[seat] >= self.game.riddle:
                self.act(seat, End(), unasked=True)
            elif not all(map(self.bot_at, self.state.seats_to_act())):
                return
            else:
                action = self._choice_of(self.bot_at(seat), seat)
                # At a table of several a bot's seat may yet become a player's.
                self.act(seat, action, stand_in=self.has_several_players)

    def bot_at(self, seat: int) -> str:
        """The bot that plays at a seat now; empty if its player does."""
        return self.seats[seat].bot or self.stand_ins.get(seat, "")

    def finish_turn(self, bot: str) -> None:
        """Let a bot finish the turn of a player whose time is over."""
        round_, seat = self.state.round, self.state.turn
        while self.state.to_act == self.state.turn == seat and self.state.round == round_:
            self.act(seat, self._choice_of(bot, seat), stand_in=True)

    def _seat_that_put_it_down(self) -> int | None:
        """The seat that put the open card down; None if the card is from the deal."""
        state = self.state
        if not state.ruleset.may_keep_all and not state.ruleset.refill:
            previous = (state.turn - 1) % state.seat_count
            return previous if state.turns[previous] else None
        card = act_entry(0, Discard(state.open_pile[-1])).text
        entries = [entry for entry, _ in self.entries]
        for entry in reversed(entries):
            if entry.kind == "deal" or entry.text == card:
                return entry.seat
        if self.acts_newest_first is None:
            kinds = (Entry.Kind.DEAL, Entry.Kind.ACT, Entry.Kind.STAND_IN)
            log = self.game.entries.filter(kind__in=kinds).order_by("-number")
            self.acts_newest_first = list(log.values_list("kind", "text", "seat"))
        acts = self.acts_newest_first
        return next((seat for kind, text, seat in acts if kind == "deal" or text == card), None)

    def _choice_of(self, bot: str, seat: int) -> Action:
        player_view, game = view(self.state, seat), self.game
        if game.shared_deal:
            return choice_in_shared_deal(bot, player_view, game.seed)
        number = game.version + len(self.entries) + 1
        return find_bot(bot)(player_view, derive_seed(game.seed, "bot", number))

    def deal(self) -> None:
        """Deal the next round. Raises `ActionRefused` while a round is running."""
        state = self.state
        starter = apply(state, Deal(state.ruleset.cards)).starter
        dealing = dealing_for(self.seats, state.ruleset, starter)
        cards = deck_of_round(self.game, state.round + 1, dealing)
        after = apply(state, Deal(cards))
        self.add(deal_entry(cards), after, self.logged_counts(after))

    def logged_counts(self, state: State) -> dict[str, Any]:
        """What the log of a table of several players keeps of a state, so that every page can show
        the counts after each entry."""
        return {"figures": PublicCounts.of(state).data} if self.has_several_players else {}


def cards_refilled(before: State, after: State) -> tuple[Card, ...]:
    """The cards that the hand got at the end of the turn that this action ended (5.6)."""
    return cards_in(after.hands[before.turn] & ~before.hands[before.turn])


def _passed_over(before: State, action: Action, after: State) -> int:
    """How many cards that no row can have went under the open pile (5.5). They are gone, because
    the closed pile is the last one."""
    if not (after.is_last_pile and after.ruleset.market):
        return 0
    if after.reshuffles > before.reshuffles:
        return len(after.open_pile) - 1
    put_down = isinstance(action, Discard) - isinstance(action, DrawOpen)
    return len(after.open_pile) - len(before.open_pile) - put_down


def dealing_for(seats: Sequence[Seat], ruleset: Ruleset, starter: int) -> DealSetting:
    """The conditions of a deal, which may be kind to players but not to bots."""
    return DealSetting(
        ruleset, len(seats), starter, [seat.number for seat in seats if not seat.bot]
    )


def make(draft: Draft, seat: int, move: Move) -> None:
    """Make a player's move and let the bots answer.

    Raises `ActionRefused` for a move that the page should not have offered, such as one with cards
    that the player does not have. A row that cannot be laid is not an error: it makes an entry in
    the log and a `refusal` that says why.
    """
    match move:
        case Do(End()) if draft.game.riddle and not draft.state.play_count:
            raise ActionRefused("too-short", "an empty try at a riddle")
        case Do(action):
            draft.act(seat, action)
        case Choose(text):
            draft.act(seat, parse_play(text, draft.game.ruleset))
        case Lay(cards, places, at):
            _lay(draft, seat, cards, places, at)
        case TakeBack():
            _take_back(draft, seat)
        case AskHint():
            _hint(draft, seat)
        case NextRound():
            draft.deal()
    draft.let_bots_act()


def _lay(
    draft: Draft,
    seat: int,
    cards: tuple[Card, ...],
    places: tuple[Place, ...],
    at: int,
) -> None:
    state = draft.state
    if state.to_act != seat or state.phase != "play":
        raise ActionRefused("wrong-phase", state.phase)
    position = state.position(seat)
    cards, places = tuple(dict.fromkeys(cards)), tuple(dict.fromkeys(places))
    _check_taps(position, cards, places)
    plays = _plays_to_choose_from(position, plays_of_tap(position, cards, places), at)
    if len(plays) == 1 and not _crosses_more(plays[0], places):
        draft.act(seat, plays[0])
    elif plays:
        plays.sort(key=lambda play: _choice_order(position.table, play))
        draft.result = MoveResult(choices=tuple(plays[:MOST_CHOICES]))
    else:
        refusal = explain_refusal(position, cards, places)
        draft.result = MoveResult(refusal)
        if not is_log_full(draft.game):
            tapped = [card for place in places for card in cards_of(place)]
            draft.add(refusal_entry(seat, refusal.code, cards, tapped), state)


def _crosses_more(play: Play, places: Iterable[Place]) -> bool:
    """Whether a play crosses a card of the table that was not tapped; if so, the player is
    asked."""
    tapped = {card for place in places for card in cards_of(place)}
    return not tapped.issuperset(play.across)


def _plays_to_choose_from(position: Position, plays: Sequence[Play], at: int) -> list[Play]:
    """The plays to choose between: those that fill the tapped place, if any do. If plays earn the
    same and differ only in which joker has which number, only the first one is offered."""
    at_place = [play for play in plays if at in {number for _, number in play.hand}]
    distinct: dict[object, Play] = {}
    for play in at_place or plays:
        hand = frozenset((is_joker(card) or card, number) for card, number in play.hand)
        from_table = (play.lines, play.across, play.swaps)
        distinct.setdefault((hand, from_table, make_play(position, play).points), play)
    return list(distinct.values())


def _check_taps(position: Position, cards: Iterable[Card], places: Iterable[Place]) -> None:
    """Raise `ActionRefused` unless the hand has the cards and the table has the places. This limits
    the length of an entry in the log."""
    if mask_of(cards) & ~position.hand:
        raise ActionRefused("not-in-hand")
    table = position.table
    for place in places:
        is_there = (
            place in table.lines
            if isinstance(place, Line)
            else table.laid_cards.get(place.card) == place
        )
        if not is_there:
            raise ActionRefused("not-on-table")


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


def _hint(draft: Draft, seat: int) -> None:
    """Give the player a hint; at a table of several players also while it is somebody else's
    turn."""
    state, game = draft.state, draft.game
    waits = draft.has_several_players and state.turn != seat
    may_ask = state.to_act == seat or waits
    most_steps = draft.seats[seat].most_hint_steps
    if not may_ask or state.phase not in (*DRAW_PHASES, "play") or not most_steps:
        raise ActionRefused("wrong-phase", state.phase)
    recent = last_entries(game.pk, RECENT) if waits else ()
    last_step = hint_step_of(game, seat, recent) if waits else draft.snapshot.hint_step
    step = min(last_step + 1, most_steps)
    draft.hint = hint_for(draft.seats[seat], state, step)
    if not last_step or not is_log_full(game):
        draft.add(hint_entry(seat, step, draft.hint.play), state)


def is_log_full(game: Game) -> bool:
    """Whether the log of this round has reached its limit, because counting progress reads whole
    rounds. Then acts are still stored, but refused plays and hints are only answered, and nothing
    can be taken back."""
    return game.version >= MOST_ENTRIES * game.round


def hint_step_of(game: Game, seat: int, recent: Iterable[ShownEntry]) -> int:
    """The step of the last hint for a player who waits for their turn, if neither their hand nor
    the table has changed since; 0 for none. `recent` has the last entries, the newest first."""
    for entry in recent:
        if entry.kind == Entry.Kind.HINT and entry.seat == seat:
            return parse_hint(entry.text, game.ruleset).step
        is_act = entry.kind in (Entry.Kind.ACT, Entry.Kind.STAND_IN)
        changes = entry.kind in (Entry.Kind.DEAL, Entry.Kind.TAKE_BACK)
        if changes or (is_act and (entry.seat == seat or "laid" in entry.data)):
            return 0
    return 0


def hint_for(seat: Seat, state: State, step: int) -> Hint:
    """The hint of a step for the player at a seat, derived from facts that they know."""
    player = seat.player if step == HintStep.NUMBER else None
    secure = host().secure_facts(player) if player else ()
    return hint(hint_position(state, seat.number), step, secure)


def _choice_order(table: Table, play: Play) -> tuple[bool, int, int, str]:
    """The likeliest play first: rows of a times table, then those that cross least, then shorter
    rows."""
    _, line = table.with_play(play)
    strange = row_table_of(line.numbers).times_table is None
    return strange, len(play.across), len(line.cards), str(play)


def _data_of(before: State, action: Action) -> dict[str, Any]:
    """What everyone at the table sees of an action besides its text."""
    if isinstance(action, DrawOpen | Claim | Knock) and before.open_pile:
        return {"card": card_text(before.open_pile[-1])}
    if isinstance(action, Play):
        return reason_to_data(reason(before.position(before.turn), action))
    return {}
