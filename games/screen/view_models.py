"""What the templates draw of a game: plain values, all words in the language of the page."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.play.hooks import AfterRound, Speeds
from games.screen.arrays import Array

LINE_WIDTH: Final = 280
LINE_Y: Final = 38
"""Where the axis runs, with the jumps above it and the numbers below."""


@dataclass(frozen=True, slots=True)
class Face:
    """How a card looks. `number` is empty for a joker in the hand; `value` is what a form posts;
    `card` names the card itself wherever it lies."""

    card: str
    value: str
    number: str
    joker: bool
    label: str
    look: SafeString
    """The face drawn, as HTML."""


def _drawn(page: str, shown: object) -> SafeString:
    """A part of a page as HTML, cached: most parts are the same after every move."""
    return _drawn_in(get_language(), page, shown)


@lru_cache(maxsize=16384)
def _drawn_in(language: str | None, page: str, shown: object) -> SafeString:
    return render_to_string(page, {"shown": shown})


def speed_buttons(speeds: Speeds) -> SafeString:
    """Buttons of the form `speed`, which stands elsewhere on the page."""
    return _drawn("games/_speed.html", speeds)


@dataclass(frozen=True, slots=True)
class HandCard:
    face: Face
    chosen: bool
    lit: bool
    """Lit up by the hint on show."""

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_hand_card.html", self)


@dataclass(frozen=True, slots=True)
class TableCard:
    """`place`: grid classes such as `c3 r1`. `new`: the step of the others' turns in which it was
    laid, from 1; 0 for a card already on the table; `by`: the seat that laid it."""

    face: Face
    label: str
    place: str
    crossed: bool
    new: int = 0
    by: int = 0
    rows: str = ""
    """The indices in `Board.rows` of the rows that it lies in, separated by blanks."""
    chosen: bool = False

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_table_card.html", self)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its tag. `bar` joins its cards from end to end; `ends` are the free places at its
    ends. `label` is the whole row for a screen reader."""

    index: int
    value: str
    name: str
    facts: str
    label: str
    numbers: str
    tag_place: str
    bar: str
    ends: tuple[str, ...]
    chosen: bool = False
    new: int = 0
    """The step of the others' turns in which it was laid, 0 for a row already on the table."""

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_table_row.html", self)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a player; `step`: its place, from 1, among all that the players say."""

    text: str
    step: int = 1


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    name: str
    face: str
    you: bool
    score: int
    count: int
    holds: str
    """How many cards or blocks, in words."""
    says: tuple[Sentence, ...]
    turn: bool
    initial: str = ""
    points: str = ""
    """What the score counts, if nothing else on the page says so."""
    fresh: bool = False
    """Whether what it says is about this move and not an earlier one."""
    introduces: bool = False
    """Whether it only says how it plays, which can be left out if there is no room."""

    @property
    def drawn(self) -> SafeString:
        """Everything but what it says."""
        silent = replace(self, says=(), fresh=False, introduces=False)
        return _drawn("games/_player.html", silent)

    @property
    def backs(self) -> SafeString:
        """A mark for each card that it holds."""
        return mark_safe("<i></i>" * self.count)  # nosec B308 B703 # nothing of others in it


@dataclass(frozen=True, slots=True)
class StripStep:
    label: str
    state: Literal["done", "now", "later"]


@dataclass(frozen=True, slots=True)
class HandTop:
    """What stands above the hand. `tables`: those that it can be sorted by, separated by blanks."""

    strip: tuple[StripStep, ...]
    tables: str
    pot: bool

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_hand_top.html", self)


@dataclass(frozen=True, slots=True)
class Button:
    """`move` is what it posts. `kind`: `primary` for the next thing to do."""

    move: str
    label: str
    kind: Literal["primary", "second", "quiet", "hint"]
    offered: bool = True
    """If not, it is on the page but cannot be used, so that nothing moves."""

    wait: int = 0
    """For how many ms it cannot be used yet; the server enforces the same time."""

    @property
    def look(self) -> str:
        return {"primary": "btn-primary", "hint": "btn-hint", "quiet": "btn-quiet"}.get(
            self.kind, ""
        )

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_button.html", self)


@dataclass(frozen=True, slots=True)
class Piles:
    """The closed and the open pile, or with `pot` the pot and the block on offer."""

    pot: bool
    closed_count: int
    open_card: Face | None
    may_draw: bool
    asked: bool
    """Whether the player is asked to take or decline the open card or block."""

    @property
    def drawn(self) -> SafeString:
        return _drawn("games/_pot.html" if self.pot else "games/_piles.html", self)


@dataclass(frozen=True, slots=True)
class Point:
    """`y` is where its label stands."""

    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class Jump:
    path: str
    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class NumberLine:
    """`close`: the numbers lie so close that every second label is further from the axis."""

    points: tuple[Point, ...]
    jumps: tuple[Jump, ...]
    close: bool = False
    width: int = LINE_WIDTH
    y: int = LINE_Y
    far: int = LINE_WIDTH - 4

    @property
    def box(self) -> str:
        return f"0 -14 {self.width} 92" if self.close else f"0 0 {self.width} 62"

    @property
    def radius(self) -> int:
        return 4 if self.close else 6


@dataclass(frozen=True, slots=True)
class Notice:
    kind: Literal["refusal", "hint", "stale", "choices"]
    text: str
    line: NumberLine | None = None
    array: Array | None = None
    whole: tuple[Face, ...] = ()
    """A whole row, shown by the last hint."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What the coach says in a guided round; `cards`: the hand cards that it points at."""

    text: str
    cards: frozenset[str]


@dataclass(frozen=True, slots=True)
class Missed:
    """A row that could still have been laid: its cards, the values of the player's own, and a
    sentence."""

    faces: tuple[Face, ...]
    own: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class PlayChoice:
    """A play that a tap could mean: the row it makes, and what it posts."""

    play: str
    faces: tuple[Face, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score at the end; `face` is empty for a child, who has an initial."""

    face: str
    initial: str
    text: str
    won: bool


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a round or of the match."""

    title: str
    match: bool
    won: bool
    scores: tuple[Score, ...]
    found: tuple[str, ...]
    more: AfterRound
    note: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    game_id: UUID
    seen: int
    key: UUID
    title: str
    edition: str
    round: str
    phase: str
    my_turn: bool
    top: HandTop
    hand: tuple[HandCard, ...]
    cards: tuple[TableCard, ...]
    rows: tuple[TableRow, ...]
    beyond: str
    extent: str
    """`beyond`: the place after the last column and row of the table; `extent`: how many there
    are."""
    players: tuple[Player, ...]
    piles: Piles
    buttons: tuple[Button, ...]
    notice: Notice | None = None
    missed: Missed | None = None
    guide: Guide | None = None
    choices: tuple[PlayChoice, ...] = ()
    over: Over | None = None
    live: str = ""
    to_do: str = ""
    empty_hint: str = ""
    example: tuple[int, ...] = ()
    """A row that could be laid on an empty table."""
    steps: int = 0
    """How many steps of the others are shown one after another."""
    counting: str = ""
    """What the scores count, if not points."""

    @property
    def after_steps(self) -> int:
        return self.steps + 1

    @property
    def may_draw(self) -> bool:
        return self.my_turn and self.phase in ("draw", "redraw")

    @property
    def asked(self) -> bool:
        """Whether the player is asked to take or decline the open card or block."""
        return self.my_turn and self.phase in ("offer", "knock")

    @property
    def primary(self) -> Button | None:
        return next((button for button in self.buttons if button.kind == "primary"), None)
