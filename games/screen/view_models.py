"""What the templates draw of a game: plain values, with all words in the language of the page."""

from dataclasses import dataclass, replace
from typing import Final, Literal
from uuid import UUID

from msgspec.json import encode

from games.play.hooks import AfterRound
from games.screen.garden import Garden
from games.screen.hint_pictures import Array, NumberLine
from games.screen.player_faces import PlayerFace, own_face


@dataclass(frozen=True, slots=True)
class Face:
    """How a card looks. `number` is empty for a joker in the hand. `value` is what a form posts.
    `card` names the card itself, wherever it lies."""

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
    is_lit: bool
    """Whether a hint or the coach of a guided round lights it up."""


@dataclass(frozen=True, slots=True)
class TableCard:
    face: Face
    label: str
    place: str  # grid classes such as `c3 r1`
    is_crossed: bool
    laid_at_step: int = 0
    """The step of the others' turns that laid it, from 1; 0 if it is older."""
    by_seat: int = 0  # the seat that laid it
    rows: tuple[int, ...] = ()
    """The indices of the rows that it lies in."""
    is_chosen: bool = False
    is_lit: bool = False
    lights_at_step: int = 0
    """At the end of a round: the step, from 1, that lights it up because the player laid it."""


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A free place at the end of a row, and the numbers that the hand can lay there. `covered_rows`
    has the indices of the rows whose tags lie there and make way for it."""

    place: str
    numbers: tuple[int, ...]
    is_lit: bool = False
    covered_rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its tag."""

    index: int
    value: str
    name: str
    facts: str
    label: str  # describes the whole row to a screen reader
    numbers: tuple[int, ...]
    tag_place: str
    bar: str  # its ground from end to end; only a cord if its cards stand apart
    ends: tuple[OpenEnd, ...]  # the free places at which the hand can lengthen it
    grounds: tuple[str, ...] = ()  # if they stand apart, the grounds under cards side by side
    is_chosen: bool = False
    laid_at_step: int = 0
    """The step of the others' turns in which it was laid, from 1; 0 if it is older."""
    is_lit: bool = False
    lights_at_step: int = 0
    """At the end of a round: the step, from 1, in which it lights up because the player laid it."""


@dataclass(frozen=True, slots=True)
class TableIsland:
    """An island. `place` has the classes that say where it lies on a wide and on a narrow felt."""

    place: str
    cards: tuple[TableCard, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class Felt:
    """The table: its islands, or what an empty one says."""

    islands: tuple[TableIsland, ...]
    size: str
    """Classes that say how much room the islands take."""
    cloth: str
    """Which drawing of `icons/collection.svg` lies under the cards; empty for none."""
    text: str = ""  # of an empty table
    example: tuple[int, ...] = ()
    """A row that could be laid on an empty table."""

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
    is_usable: bool = True  # whether it can be given now; praise keeps its place


@dataclass(frozen=True, slots=True)
class TableOfSeveral:
    """What the page of a table of several players has in addition. It asks at `poll` whether there
    is something new since `news`."""

    poll: str
    news: int
    signs: tuple[Sign, ...]
    may_sign: bool
    """Whether the player may give another sign in this turn."""
    waits_for: "Player | None" = None
    """Whose turn it is, if it is another one's."""
    is_waited_for: bool = False
    """Whether somebody who is there waits for the player."""
    may_end_turn: bool = False
    """Whether the player may let a bot play this turn of another one, for it has lasted long."""
    fitting_sign: str = ""
    """The sign that suits this moment; empty for none."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that a player says."""

    text: str
    step: int = 1  # its place, from 1, among all that the players say
    shrugs: bool = False  # whether a shrug is drawn instead
    earned: int = 0  # the points of the row that it is about


@dataclass(frozen=True, slots=True)
class Player:
    """A player or bot beside the table: who they are, what they have, and what they have just
    said."""

    seat: int
    name: str
    face: str
    is_viewer: bool
    score: int | None  # None if the table has one goal, so that nobody is compared
    count: int
    holds: str
    """How many cards or blocks, in words."""
    says: tuple[Sentence, ...]
    is_at_turn: bool
    points: str = ""
    """The word for what the score counts, if nothing else on the page says it."""
    says_now: bool = False
    """Whether what the player says is about this move, not an earlier one."""
    is_introduction: bool = False
    """Whether a bot only says how it plays; the page leaves this out if there is no room."""
    who: str = ""
    """The name in front of what the player says."""
    is_spoken_for: bool = False  # whether a bot that played for them says it
    is_other_player: bool = False  # whether it is another player, and not a bot
    has_stand_in: bool = False  # whether a bot plays for them now
    sign: "Sign | None" = None
    """The sign that they give the others."""

    @property
    def summary(self) -> str:
        """How many cards they hold and, unless all have one goal, their score, in words."""
        score = "" if self.score is None else f"{self.score} {self.points}".rstrip()
        return " · ".join(filter(None, (self.holds, score)))

    @property
    def dressed(self) -> PlayerFace | None:
        """The face of a player, as they dressed it; None for bots."""
        return own_face(self.face) if self.is_viewer or self.is_other_player else None

    @property
    def from_seat(self) -> str:
        """The page's name of the face that this player's cards come from; empty for the player who
        looks at the page."""
        return "" if self.is_viewer else f"seat-{self.seat}"

    @property
    def silent(self) -> "Player":
        """The player without their words and sign, so that a kept drawing serves until something
        else changes."""
        return replace(self, says=(), says_now=False, is_introduction=False, who="", sign=None)

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
    """What the page shows above the hand."""

    strip: tuple[TurnPart, ...]
    tables: tuple[int, ...]  # the tables to sort by
    has_pot: bool


@dataclass(frozen=True, slots=True)
class HandPanel:
    top: HandTop
    cards: tuple[HandCard, ...]
    is_dealt: bool
    """Whether the cards are new."""
    may_add: bool
    """Whether plays may use the rows on the table, and not the hand alone."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button under the hand or under an offer. `move` is what it posts. `kind` is `primary` for
    the next thing to do. It keeps its place when it cannot be used, or is not due (`is_idle`)."""

    move: str
    label: str
    kind: Literal["primary", "second", "quiet", "hint"]
    is_usable: bool = True
    """Whether it can be used."""
    wait_ms: int = 0
    """How many ms the player has to wait before it can be used; the server enforces this too."""
    is_idle: bool = False
    """Whether the page shows only its place, because it is not the time for it."""
    is_lit: bool = False
    """Whether the coach of a guided round points at it."""
    is_next: bool = False
    """Whether it, and not the primary button, is the next thing to do. It keeps its place."""

    @property
    def css_class(self) -> str:
        return {"primary": "btn-primary", "hint": "btn-hint", "quiet": "btn-quiet"}.get(
            "primary" if self.is_next else self.kind, ""
        )


@dataclass(frozen=True, slots=True)
class TakenCard:
    """A card of the market that another player took: the seat, and the step of the others' turns
    in which it left."""

    face: Face
    by_seat: int
    step: int
    is_on_table: bool = False  # whether it lies on the table now

    @property
    def goal(self) -> str:
        """Where it flies to: the name, on the page, of a card or a face."""
        return self.face.card if self.is_on_table else f"seat-{self.by_seat}"


@dataclass(frozen=True, slots=True)
class MarketCard:
    """A card of the market."""

    face: Face
    step: int = 0  # the step of the others' turns in which it came to lie there, 0 if earlier
    is_lit: bool = False  # whether a hint points at it
    taken_card: TakenCard | None = None  # the card that lay in its place when the others began


@dataclass(frozen=True, slots=True)
class Piles:
    """The closed and the open pile, or with `has_pot` the pot and the block on offer."""

    has_pot: bool
    cards_to_come: int  # how many cards can still come from the closed pile
    open_card: Face | None
    may_draw: bool
    is_offered: bool
    """Whether the player is asked to take or decline the open card or block."""
    step: int = 0
    """The step of the others' turns that put the open card there, 0 if it is older."""
    lit_pile: str = ""
    """The pile that the coach of a guided round points at, by the move that takes from it."""
    label_with_n: str = ""
    """The name of the closed pile or the pot, with `{n}` for how many are left."""
    market: tuple[MarketCard, ...] = ()

    @property
    def label(self) -> str:
        return self.label_with_n.replace("{n}", str(self.cards_to_come))


@dataclass(frozen=True, slots=True)
class Notice:
    """What the page says above the hand in answer to a move, a tap or a wish for a hint."""

    kind: Literal["refusal", "hint", "stale", "choices"]
    text: str
    line: NumberLine | None = None
    array: Array | None = None
    row_cards: tuple[Face, ...] = ()
    """The whole row that the last hint shows."""


@dataclass(frozen=True, slots=True)
class Highlights:
    """What a hint or the coach of a guided round points at."""

    cards: frozenset[str] = frozenset()  # of the hand
    on_table: frozenset[str] = frozenset()  # cards of the table
    rows: frozenset[str] = frozenset()  # of the table
    numbers: frozenset[int] = frozenset()  # the numbers to add to these rows
    move: str = ""  # the pile or button, by what it posts

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
    """What the coach of a guided round says and points at."""

    text: str
    highlights: Highlights
    chosen_cards: frozenset[str] = frozenset()
    """The hand cards that are chosen for the player."""
    row: tuple[int, ...] = ()
    """The row to lay."""


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
    praise: str  # why it counted double, else empty
    earned: str  # its points and what they are for, or empty
    joker: str  # what a joker that it moved stands for now, or empty
    moved_jokers: frozenset[str]  # the jokers that it moved


@dataclass(frozen=True, slots=True)
class PlayChoice:
    """A play that a tap could mean: what it posts, and the row that it makes, each card with
    whether it comes from the hand."""

    play: str
    faces: tuple[tuple[Face, bool], ...]
    name: str


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score at the end. A bot has a `face`; a player has a `dressed` one."""

    face: str
    dressed: PlayerFace | None
    name: str
    earned: str  # in this round
    total: str  # in the match
    has_won: bool
    best: str = ""  # the row of their best move, at a table of several players


@dataclass(frozen=True, slots=True)
class BotLine:
    """A line that a bot says, with its face."""

    face: str
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class StepCounts:
    """What the page counts at a step of the others."""

    players: tuple[tuple[int, int], ...]
    """The score and the number of cards of each player, as drawn from left to right."""
    left: int  # how many cards can still come from the closed pile
    acts: int  # the index of the player who acts


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of the table in this round, and how far it is: a bridge with a plank for each point
    that is missing or there."""

    earned: int
    goal: int
    spoken: str  # both in words
    turns_left: str = ""
    """How many turns are left, to the player or to all together, in words, or that the bridge is
    whole; empty if nobody counts them."""

    @property
    def planks(self) -> int:
        """The planks that lie there: no more than the bridge has room for."""
        return min(self.earned, self.goal)

    @property
    def is_whole(self) -> bool:
        return self.earned >= self.goal


@dataclass(frozen=True, slots=True)
class NextButton:
    """What can be done after a round: a link to `url`, a button that posts to `posts_to`, or one
    that posts a `move`."""

    id: str
    label: str
    url: str = ""
    posts_to: str = ""
    move: str = ""


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a round or of the match."""

    title: str
    is_match_over: bool
    has_won: bool
    scores: tuple[Score, ...]
    rows_found: str
    """How many rows the player laid or made longer, in words; empty for none."""
    after_round: AfterRound
    note: str = ""
    cheer: str = ""
    """The line above the title if the player won the last round but not the match."""
    missed: MissedPanel | None = None
    garden: Garden | None = None
    garden_caption: str = ""
    """The caption of the garden if it belongs to the whole table; else empty."""
    best: str = ""
    """The player's best move."""
    achievements: tuple[str, ...] = ()
    says: BotLine | None = None
    is_great: bool = False
    """Whether there is something great to celebrate."""
    plays: tuple[tuple[tuple[int, ...], tuple[str, ...]], ...] = ()
    """The player's plays in order: the numbers of the row that each made, and the cards laid."""
    has_more_rounds: bool = True
    """Whether the match may have more than one round."""
    unit: str = ""
    """The heading of what was earned in this round."""
    goal: Goal | None = None
    next_goal: Goal | None = None
    """The bridge of the next match of the same players."""
    spoken: str = ""
    """The whole end of the round, for a screen reader."""


HAND_SIZES: Final = (8, 11, 13, 19, 34)
"""From each of these numbers of cards on, the hand is drawn differently."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What the page says to the player."""

    to_do: str
    """What the player can do now, or how the round has ended."""
    is_only_spoken: bool
    """Whether `to_do` need not be shown, but only be read aloud."""
    live: str
    """What a screen reader says after the move."""
    notice: Notice | None = None
    guide: Guide | None = None
    own_play: OwnPlay | None = None
    missed: MissedPanel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All that a page of the game draws, for one player. Each move makes a new one."""

    game_id: UUID
    version: int  # the version of the game that the page shows, which its next post contains
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
    answers: tuple[Button, ...]
    """The answers to an offer of a card or block. They have places of their own."""
    speech: Speech
    choices: tuple[PlayChoice, ...]
    over: Over | None
    notes: tuple[str, ...]
    """What is special about this game: what dots mean, and an example of each agreed family."""
    steps: int
    """How many steps of the others the page shows one after another."""
    step_counts: tuple[StepCounts, ...]
    """The counts before the first step and after each step; none if they are not known."""
    score_unit: str
    """What the scores count, empty for points."""
    rules: str
    """The rules of rows, for the script of the page."""
    goal: Goal | None
    """What the table has to reach together; None if each plays for themselves."""
    is_hand: bool  # whether others end this turn (`games.models.Game.is_hand`)
    has_one_turn: bool
    """Whether the player has only this turn, in which they take no card."""
    several: TableOfSeveral | None  # None if nobody else plays
    garden: Garden | None
    """The rows of everyone at a table, where each plays for themselves."""

    @property
    def step_counts_as_json(self) -> str:
        return encode(self.step_counts).decode()

    @property
    def after_steps(self) -> int:
        return self.steps + 1

    @property
    def is_party(self) -> bool:
        """Whether all celebrate: a great end, or a row with which the bridge is whole."""
        if self.over:
            return self.over.is_great or self.over.after_round.finished is not None
        is_new = self.speech.own_play is not None or self.steps > 0
        return is_new and self.goal is not None and self.goal.is_whole

    @property
    def state_words(self) -> str:
        """What is on the board, as words for the styles, separated by blanks. If the styles looked
        for it themselves (`:has`), browsers would be slow at every tap."""
        places = {button.move for button in self.buttons}
        offered = {button.move for button in self.buttons if not button.is_idle}
        adds = "lay" in offered and self.hand.may_add
        speech, cards = self.speech, self.felt.cards
        notice = None if self.over else speech.notice
        missed = self.over.missed if self.over else speech.missed
        true = {
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
            "lay": "lay" in offered,
            "discard": "discard" in offered,
            "add": adds and bool(self.felt.islands),
            "swap": adds and any(card.face.is_joker for card in cards),
            "answer": bool(self.answers),
            "wait": not self.is_my_turn,
            "end": "end" in places,
            "no-hint": "hint" not in places,
            "several": self.several is not None,
            "follow": len({card.laid_at_step for card in cards if card.laid_at_step}) > 1,
        }
        words = [word for word, is_true in true.items() if is_true]
        # There is room for the card that is taken next, so that nothing moves when it comes.
        size = len(self.hand.cards) + ("lay" not in offered and not self.piles.has_pot)
        return " ".join([*words, *(f"from-{n}" for n in HAND_SIZES if size >= n)])
