"""The plain values from which the templates draw a game, with all words in the page's language."""

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple
from uuid import UUID

from msgspec.json import encode

from games.engine.cards import Card
from games.play.hooks import AfterRound
from games.screen.garden import Garden
from games.screen.hint_pictures import Array, NumberLine
from games.screen.player_faces import PlayerFace, own_face


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a card. `number` is empty for a joker in the hand. `value` is the value that a
    form posts. `card` identifies the card, wherever it lies."""

    card: str
    value: str
    number: str
    is_joker: bool
    colour: str
    pips: int  # how many dots it has, 0 if cards have no value
    label: str


@dataclass(frozen=True, slots=True)
class HandCard:
    face: Face
    is_chosen: bool
    is_lit: bool  # whether a hint or the coach of a guided round lights it up
    is_new: bool = False  # whether it has just filled up the hand


@dataclass(frozen=True, slots=True)
class TableCard:
    face: Face
    label: str
    place: str  # grid classes such as `c3 r1`
    laid_at_step: int = 0  # the step of the others that laid it, from 1; 0 if it is older
    by_seat: int = 0  # the seat that laid it
    rows: tuple[int, ...] = ()  # the indices of its rows
    is_chosen: bool = False
    is_lit: bool = False
    lights_at_step: int = 0  # at the end of a round, the step, from 1, that lights it up

    @property
    def css_class(self) -> str:
        new = f" new s{self.laid_at_step}" if self.laid_at_step else ""
        own = f" own s{self.lights_at_step}" if self.lights_at_step else ""
        return f"card table-card {self.place}{new}{' lit' * self.is_lit}{own}"


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A free place at the end of a row, and the numbers that the hand can lay there. `covered_rows`
    has the indices of the rows whose tags make way for the place."""

    place: str
    numbers: tuple[int, ...]
    is_lit: bool = False
    covered_rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    index: int
    value: str
    name: str
    facts: str
    label: str  # describes the whole row to a screen reader
    numbers: tuple[int, ...]
    tag_place: str
    bar: str  # its ground from end to end; only a cord if its cards stand apart
    ends: tuple[OpenEnd, ...]  # the free places at which the hand can lengthen it
    grounds: tuple[str, ...] = ()  # if its cards stand apart, the ground of each of its parts
    is_chosen: bool = False
    laid_at_step: int = 0  # the step of the others in which it was laid, from 1; 0 if it is older
    is_lit: bool = False
    lights_at_step: int = 0  # at the end of a round, the step, from 1, that lights it up

    @property
    def css_class(self) -> str:
        if self.laid_at_step:
            return f"table-row new-row s{self.laid_at_step}"
        return f"table-row own-row s{self.lights_at_step}" if self.lights_at_step else "table-row"


@dataclass(frozen=True, slots=True)
class TableIsland:
    """An island. `place` has the classes for its place on a wide and on a narrow felt."""

    place: str
    cards: tuple[TableCard, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class Felt:
    """The table with its islands, or an empty one with a text and an example."""

    islands: tuple[TableIsland, ...]
    size: str  # classes for the room that the islands take
    cloth: str  # the drawing of `icons/collection.svg` that lies under the cards; empty for none
    text: str = ""  # of an empty table
    example: tuple[int, ...] = ()  # a row that could be laid on an empty table

    @property
    def cards(self) -> list[TableCard]:
        return [card for island in self.islands for card in island.cards]

    @property
    def rows(self) -> list[TableRow]:
        """All rows, in the order of their indices."""
        rows = [row for island in self.islands for row in island.rows]
        return sorted(rows, key=lambda row: row.index)


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that players give each other: what it posts and which symbol of `games/_signs.svg`
    it is, and its words."""

    name: str
    words: str
    is_usable: bool = True  # whether it can be given now; if not, its button is disabled
    to: str = ""  # the name of the player for whom it is, if it is for one alone


@dataclass(frozen=True, slots=True)
class TableOfSeveral:
    """What the page of a table of several players has in addition. It asks at `poll` whether there
    is something new since `news`."""

    poll: str
    news: int
    signs: tuple[Sign, ...]
    may_sign: bool  # whether the player may give another sign in this turn
    waits_for: "Player | None" = None  # the other player for whom the table waits
    is_waited_for: bool = False  # whether somebody who is there waits for the player
    may_ask_for_bot: bool = False  # to play this long turn of another player
    is_asked_to_go_on: bool = False  # whether all others have asked for a bot to play for them
    fitting_sign: str = ""  # the sign that suits this moment; empty for none
    ready_text: str = ""  # who wants the next round while others still look at the end


@dataclass(frozen=True, slots=True)
class Step:
    """A row that another player laid, or a turn without one."""

    number: int  # its place in the order, from 1; 0 if the page has shown it already
    seat: int
    text: str  # one short line, to which the page adds the row
    full_text: str  # the whole step, for a screen reader
    laid_cards: tuple[Card, ...]  # the cards that the player put on the table
    puts_down: bool  # whether the player put a card on the open pile
    first: int  # the number of its main log entry
    last: int  # the number of its last log entry
    turned_up: tuple[tuple[str, Card | None], ...] = ()  # new market cards, each with the taken one
    shrugs: bool = False  # whether the page draws a shrug instead of the text
    is_stand_in: bool = False  # whether a bot took the step for the player
    earned: int = 0  # the points of the row
    row: str = ""  # the numbers of the row; empty for a turn without one


@dataclass(frozen=True, slots=True)
class Player:
    """A player or bot beside the table, with their cards, score and latest words."""

    seat: int
    name: str
    face: str
    is_viewer: bool
    score: int | None  # None if the table has one goal, so that nobody is compared
    count: int
    cards_text: str  # the number of their cards or blocks, in words
    steps: tuple[Step, ...]
    is_at_turn: bool
    points: str = ""  # the unit of the score, if nothing else on the page says it
    says_now: bool = False  # whether the player speaks about this move, not an earlier one
    speaks_last: bool = False  # whether they have said the latest of all
    speaker: str = ""  # the name in front of the player's words
    is_spoken_for: bool = False  # whether a bot that played for them says it
    is_other_player: bool = False  # whether it is another player, and not a bot
    has_stand_in: bool = False  # whether a bot plays for them now
    is_ready: bool = False  # whether they want the next round
    sign: Sign | None = None  # the sign that they give the others

    @property
    def summary(self) -> str:
        """The number of their cards and, unless the table has a goal, their score, in words."""
        score = "" if self.score is None else f"{self.score} {self.points}".rstrip()
        return " · ".join(filter(None, (self.cards_text, score)))

    @property
    def css_class(self) -> str:
        turn, away = " player-turn" * self.is_at_turn, " player-away" * self.has_stand_in
        return f"player{turn}{' player-you' * self.is_viewer}{away}"

    @property
    def own_face(self) -> PlayerFace | None:
        """The dressed face of a player; None for bots."""
        return own_face(self.face) if self.is_viewer or self.is_other_player else None

    @property
    def from_seat(self) -> str:
        """The page's name of the face from which this player's cards come; empty for the viewer."""
        return "" if self.is_viewer else f"seat-{self.seat}"

    @property
    def silent(self) -> "Player":
        """The player without their words and sign, so that a cached drawing can be used until
        something else changes."""
        return replace(self, steps=(), says_now=False, speaks_last=False, speaker="", sign=None)

    @property
    def backs(self) -> range:
        """A range with one item for each card that the player holds, to draw its back."""
        return range(self.count)


@dataclass(frozen=True, slots=True)
class TurnPart:
    label: str
    state: Literal["done", "now", "later"]


@dataclass(frozen=True, slots=True)
class HandTop:
    """The part of the page above the hand."""

    strip: tuple[TurnPart, ...]
    tables: tuple[int, ...]  # the tables to sort by
    has_pot: bool
    turns_left_text: str = ""  # in words; empty if the page does not show them here


@dataclass(frozen=True, slots=True)
class HandPanel:
    top: HandTop
    cards: tuple[HandCard, ...]
    is_dealt: bool  # whether the cards are new
    may_add: bool  # whether plays may use the rows on the table, not only the hand


@dataclass(frozen=True, slots=True)
class Button:
    """A button under the hand or under an offer, which posts `move`. `kind` is `primary` for the
    next thing to do. A button keeps its place when it cannot be used or is idle."""

    move: str
    label: str
    kind: Literal["primary", "second", "quiet", "hint"]
    is_usable: bool = True
    wait_ms: int = 0  # the time in ms before it can be used, which the server enforces too
    is_idle: bool = False  # whether only its place is shown, because this is not the time for it
    is_lit: bool = False  # whether the coach of a guided round points at it
    is_next: bool = False  # whether it is for the next thing to do, instead of the primary button

    @property
    def css_class(self) -> str:
        return {"primary": "btn-primary", "hint": "btn-hint", "quiet": "btn-quiet"}.get(
            "primary" if self.is_next else self.kind, ""
        )


@dataclass(frozen=True, slots=True)
class TakenCard:
    """A card of the market that a player took, with their seat and their step."""

    face: Face
    by_seat: int
    step: int
    is_on_table: bool = False  # whether it lies on the table now

    @property
    def flies_to(self) -> str:
        """The page's name of the card or face to which it flies."""
        return self.face.card if self.is_on_table else f"seat-{self.by_seat}"


@dataclass(frozen=True, slots=True)
class OpenCard:
    face: Face
    step: int = 0  # the step of the others that put it there; 0 if it is older
    is_lit: bool = False  # whether a hint or a coach points at it
    taken_card: TakenCard | None = None  # the card in its place before the others' steps


@dataclass(frozen=True, slots=True)
class Piles:
    """The closed and the open pile, or with `has_pot` the pot and the block on offer."""

    has_pot: bool
    cards_to_come: int  # the number of cards that can still come from the closed pile
    open_card: OpenCard | None
    may_draw: bool
    is_offered: bool  # whether the player is asked to take or decline the open card or block
    lit_pile: str = ""  # the move that takes from the pile at which a guided round's coach points
    label_with_n: str = ""  # of the closed pile or pot, with `{n}` for the number of cards left
    market: tuple[OpenCard, ...] = ()

    @property
    def label(self) -> str:
        return self.label_with_n.replace("{n}", str(self.cards_to_come))


@dataclass(frozen=True, slots=True)
class Notice:
    """The page's answer to a move, a tap or a request for a hint, above the hand."""

    kind: Literal["refusal", "hint", "stale", "choices"]
    text: str
    line: NumberLine | None = None
    array: Array | None = None
    row_cards: tuple[Face, ...] = ()  # the whole row that the last hint shows


@dataclass(frozen=True, slots=True)
class Highlights:
    """The cards, rows and buttons at which a hint or the coach of a guided round points."""

    cards: frozenset[str] = frozenset()  # of the hand
    on_table: frozenset[str] = frozenset()  # cards of the table
    rows: frozenset[str] = frozenset()  # of the table
    numbers: frozenset[int] = frozenset()  # the numbers to add to these rows
    move: str = ""  # the move that the pile or button posts

    def light(self, island: TableIsland) -> TableIsland:
        """The island with its cards, rows and free places lit."""
        if not self.on_table and not self.rows:
            return island
        cards = [replace(card, is_lit=card.face.card in self.on_table) for card in island.cards]
        rows = [self._light_row(row) if row.value in self.rows else row for row in island.rows]
        return replace(island, cards=tuple(cards), rows=tuple(rows))

    def _light_row(self, row: TableRow) -> TableRow:
        ends = [replace(end, is_lit=not self.numbers.isdisjoint(end.numbers)) for end in row.ends]
        return replace(row, is_lit=True, ends=tuple(ends))


@dataclass(frozen=True, slots=True)
class Guide:
    """The text of the coach of a guided round, and what the coach points at."""

    text: str
    highlights: Highlights
    chosen_cards: frozenset[str] = frozenset()  # the hand cards that are chosen for the player
    row: tuple[int, ...] = ()  # the row to lay


@dataclass(frozen=True, slots=True)
class MissedPanel:
    """A row that the player could have laid: its cards, the values of those from their hand, and a
    sentence."""

    faces: tuple[Face, ...]
    hand_values: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """The row that the player has just laid."""

    points: int
    numbers: tuple[int, ...]  # the numbers of the whole row
    praise: str  # what is special about it (`words.praise`), or empty
    earned: str  # its points and what they are for, or empty
    joker: str  # the new number of a joker that it moved, in words, or empty
    moved_jokers: frozenset[str]  # the jokers that it moved
    shows_points: bool = False  # whether the page shows its points alone, not what they are for
    is_great: bool = False  # whether it made the row very long


@dataclass(frozen=True, slots=True)
class PlayChoice:
    """A play that a tap can mean. `play` is the value that it posts. `faces` has the cards of its
    row, each with whether it comes from the hand."""

    play: str
    faces: tuple[tuple[Face, bool], ...]
    name: str
    earned: int  # its points


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score at the end of a round. A bot has a `face`, a player an `own_face`."""

    face: str
    own_face: PlayerFace | None
    name: str
    earned: str  # in this round
    total: str  # in the match
    has_won: bool


@dataclass(frozen=True, slots=True)
class BotLine:
    face: str
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class StepCounts:
    """The counts that the page shows at a step of the others."""

    players: tuple[tuple[int, int], ...]  # score and cards of each, from left to right on the page
    left: int  # the number of cards that can still come from the closed pile
    acts: int  # the index of the player who acts


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of the table in this round and the progress towards it: a bridge with a plank for
    each point, there or missing."""

    earned: int
    points: int
    spoken: str  # both in words
    turns_left_text: str = ""  # the turns left, or that the bridge is whole, in words; or empty

    @property
    def planks(self) -> int:
        """The number of planks that lie there: no more than the bridge has room for."""
        return min(self.earned, self.points)

    @property
    def stars(self) -> str:
        """A star for each plank for which the bridge has no room."""
        return "★" * (self.earned - self.planks)

    @property
    def is_whole(self) -> bool:
        return self.earned >= self.points


@dataclass(frozen=True, slots=True)
class NextButton:
    """A button after a round: a link to `url`, or a button that posts to `posts_to` or posts a
    `move`."""

    id: str
    label: str
    url: str = ""
    posts_to: str = ""
    move: str = ""


class ShownPlay(NamedTuple):
    numbers: tuple[int, ...]  # of the row that it made
    cards: tuple[str, ...]  # that it took from the hand


MOST_STARS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    title: str
    is_match_over: bool
    has_won: bool
    after_round: AfterRound
    scores: tuple[Score, ...] = ()
    rows_found: str = ""  # the number of rows laid or made longer, in words; empty for none
    note: str = ""
    cheer: str = ""  # the line above the title if the player won the last round but not the match
    missed: MissedPanel | None = None
    garden: Garden | None = None
    garden_caption: str = ""  # the caption of the garden if it belongs to the whole table
    best_move: str = ""  # the player's best move
    achievements: tuple[str, ...] = ()
    bot_line: BotLine | None = None
    is_great: bool = False  # whether there is something great to celebrate
    plays: tuple[ShownPlay, ...] = ()  # the player's plays, in order
    has_more_rounds: bool = False  # whether the match may have more than one round
    unit: str = ""  # the heading above the points of this round
    bridges: int = 0  # how many bridges the table has crossed, also in earlier matches
    goal: Goal | None = None
    next_goal: Goal | None = None  # the bridge of the next round or match of the same players
    spoken: str = ""  # the whole end of the round, for a screen reader

    @property
    def stars(self) -> str:
        """A star for each bridge that the table has crossed, or their number."""
        return "★" * self.bridges if self.bridges <= MOST_STARS else f"{self.bridges} ★"

    @property
    def longest_bridge(self) -> int:
        return max(goal.points for goal in (self.goal, self.next_goal) if goal)


HAND_SIZES: Final = (8, 11, 13, 19, 34)
"""At each of these numbers of cards, the page begins to draw a hand differently."""


@dataclass(frozen=True, slots=True)
class Speech:
    """The page's words to the player."""

    to_do: str  # the next thing to do, or the end of the round, in words
    is_short: bool  # whether `to_do` leaves a phone room for the turns left
    live: str  # the words of a screen reader after the move
    notice: Notice | None = None
    guide: Guide | None = None
    own_play: OwnPlay | None = None
    missed: MissedPanel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A game as a page draws it for one player. Each move makes a new board."""

    game_id: UUID
    version: int  # the version of the game on the page, which the next post contains
    key: UUID  # the key of that post
    title: str
    edition: str
    round: str
    is_my_turn: bool
    felt: Felt
    hand: HandPanel
    players: tuple[Player, ...]
    piles: Piles
    buttons: tuple[Button, ...]
    answers: tuple[Button, ...]  # the buttons that answer an offer, in places of their own
    speech: Speech
    choices: tuple[PlayChoice, ...]
    over: RoundEnd | None
    notes: tuple[str, ...]  # the special rules of this game (`words.special_rules`)
    steps: int  # the number of steps of the others that the page shows one after another
    step_counts: tuple[StepCounts, ...]  # before the first step and after each; empty if unknown
    score_unit: str  # the unit of the scores; empty for points
    rules: str  # the rules of rows as JSON, for the script of the page
    goal: Goal | None  # the goal of the whole table; None if each plays for themselves
    is_hand: bool  # whether others end this turn (`games.models.Game.is_hand`)
    has_one_turn: bool  # whether the player has only this turn, in which they take no card
    several: TableOfSeveral | None  # None if nobody else plays
    garden: Garden | None  # the rows of everyone at a table, where each plays for themselves

    @property
    def step_counts_as_json(self) -> str:
        return encode(self.step_counts).decode()

    @property
    def is_party(self) -> bool:
        """Whether all celebrate: a great end, a very long row, or a whole bridge."""
        if self.over:
            return self.over.is_great or self.over.after_round.finished is not None
        if self.speech.own_play and self.speech.own_play.is_great:
            return True
        is_new = self.speech.own_play is not None or self.steps > 0
        return is_new and self.goal is not None and self.goal.is_whole

    @property
    def over_class(self) -> str:
        """The classes of the end of a round."""
        fresh = f" fresh-over s{self.steps + 1}" if self.steps else ""
        lost = "" if self.over and self.over.has_won else " lost"
        return f"over{fresh}{' party' * self.is_party}{lost}"

    @property
    def can_lay(self) -> bool:
        return any(button.move == "lay" and not button.is_idle for button in self.buttons)

    @property
    def states(self) -> list[str]:
        """The state of the board in words, which the page carries as `data-now` for the styles in
        static/css/game. With `:has` in the styles instead, browsers would be slow at every tap."""
        places = {button.move for button in self.buttons}
        offered = {button.move for button in self.buttons if not button.is_idle}
        adds = self.can_lay and self.hand.may_add
        speech, cards = self.speech, self.felt.cards
        notice = None if self.over else speech.notice
        missed = self.over.missed if self.over else speech.missed
        states = {
            "over": self.over is not None,
            "empty": not self.felt.islands,
            "choices": bool(self.choices),
            "notice": notice is not None,
            "hint": notice is not None and notice.kind == "hint",
            "drawn": notice is not None and bool(notice.line or notice.array or notice.row_cards),
            "row-shown": notice is not None and bool(notice.row_cards),
            "guide": speech.guide is not None,
            "missed": missed is not None and notice is None and speech.guide is None,
            "take": self.piles.may_draw and not self.piles.has_pot,
            "lay": self.can_lay,
            "discard": "discard" in offered,
            "add": adds and bool(self.felt.islands),
            "swap": adds and any(card.face.is_joker for card in cards),
            "answer": bool(self.answers),
            "wait": not self.is_my_turn,
            "ready": self.over is not None and not (self.over.is_match_over or self.buttons),
            "end": "end" in places,
            "no-hint": "hint" not in places,
            "several": self.several is not None,
            "follow": len({card.laid_at_step for card in cards if card.laid_at_step}) > 1,
        }
        words = [word for word, is_true in states.items() if is_true]
        # The hand has room for the card that is taken next, so that nothing moves when it comes.
        size = len(self.hand.cards)
        if not self.can_lay and not self.piles.has_pot:
            size += 1
        return [*words, *(f"from-{n}" for n in HAND_SIZES if size >= n)]
