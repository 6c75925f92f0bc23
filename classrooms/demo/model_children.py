"""Model children for simulations, in three strengths of seeing rows: how they answer short
questions, sit at a table, and play a game of `past_games`.

Their figures were chosen before any bot was fitted to them. No bot that plays with children reads
them. docs/learning.md (*Model children*) lists them too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp
from random import Random
from types import MappingProxyType
from typing import Final, Literal, Self

from games.bots.sight import Sight, jokers_of, noticed_sights, sights_of
from games.bots.turns import with_card
from games.coach.times_tables import TABLES_TO_12, Fact, fact_of
from games.engine.actions import Action, Claim, Discard, Knock, Pass
from games.engine.cards import Card, is_joker
from games.engine.plays import plays_of_tap
from games.engine.round import ROUND_OVER
from games.engine.table import Play
from games.engine.view import View, view
from games.play.moves import AskHint, Do, Draft, Lay, Move, NextRound

ADDING_FACTOR: Final = 0.8
CROSSING_FACTOR: Final = 0.5
JOKER_FACTOR: Final = 0.5
CHECK_SIGMA: Final = 0.4
"""The standard deviation of the logarithm of the seconds for a short question (log-normal)."""

SCHOOL_DAYS: Final = (0, 2, 4)
"""Three sittings a week: on Monday, Wednesday and Friday."""
GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9), (7, 8), (11, 12))


@dataclass(frozen=True, slots=True)
class ModelChild:
    name: str
    notices: Mapping[int, float]  # by table, the chance to notice a row or to answer right
    notices_others: float  # the chance to notice rows with any other jump
    wrong_tries: float  # the share of turns in which they try cards that make no row
    check_seconds: float  # the median time of a short question
    overlooks: float = 0.0  # the share of turns in which they overlook the same rows again

    def chance(
        self, table: int | None, *, adds: bool = False, crosses: bool = False, joker: bool = False
    ) -> float:
        """The chance to notice a row of a times table, or of none (None). The row may add to rows
        (`adds`), cross rows or need a joker."""
        chance = self.notices.get(table or 0, self.notices_others)
        if adds:
            chance *= ADDING_FACTOR
        if crosses:
            chance *= CROSSING_FACTOR
        if joker:
            chance *= JOKER_FACTOR
        return chance


def _child(
    name: str,
    chances: tuple[float, float, float, float, float],
    other_tables: float,
    wrong_tries: float,
    check_seconds: float,
) -> ModelChild:
    by_table = {
        table: chance for group, chance in zip(GROUPS, chances, strict=True) for table in group
    }
    return ModelChild(name, MappingProxyType(by_table), other_tables, wrong_tries, check_seconds)


WEAK: Final = _child("weak", (0.60, 0.40, 0.25, 0.15, 0.15), 0.10, 0.15, 4.0)
MIDDLE: Final = _child("middle", (0.80, 0.65, 0.50, 0.40, 0.35), 0.30, 0.08, 2.5)
STRONG: Final = _child("strong", (0.95, 0.90, 0.85, 0.80, 0.75), 0.60, 0.03, 1.5)
MODEL_CHILDREN: Final[Mapping[str, ModelChild]] = MappingProxyType(
    {child.name: child for child in (WEAK, MIDDLE, STRONG)}
)


# How a model child answers short questions: their chance at a fact, and what practice adds to it.
# Only for simulations. The chance to be right is that of the easier of the fact's two tables. A
# model child also remembers facts that they have answered before. The half-life of this memory
# begins at one day (half a day after a failure) and halves with each failure. It grows in one of
# two ways (docs/learning.md, *Model children*). Either it doubles with each success on another day,
# or a success adds more to it, the longer the child was not asked. The second way also serves a
# memory that forgets by a power law.

FIRST_HALF_LIFE: Final = 1.0
LEAST_HALF_LIFE: Final = 15 / (24 * 60)
MOST_HALF_LIFE: Final = 274.0
SPACING_GAIN: Final = 2.0
"""How much a success after a long gap adds to the half-life, as a factor."""

MemoryKind = Literal["doubling", "spacing", "power law"]


@dataclass(slots=True)
class ModelMemory:
    """The memory of one fact or one table after practice. Times are in days from any fixed
    moment."""

    kind: MemoryKind
    half_life: float
    at: float

    @classmethod
    def begun(cls, kind: MemoryKind, right: bool, at: float) -> Self:
        return cls(kind, FIRST_HALF_LIFE if right else FIRST_HALF_LIFE / 2, at)

    def chance(self, knowledge: float, at: float) -> float:
        """The chance (0–1) at this time, given the chance `knowledge` without practice."""
        return knowledge + (1 - knowledge) * self._share_kept(at)

    def _share_kept(self, at: float) -> float:
        gap = (at - self.at) / self.half_life
        return float(1 / (1 + gap) if self.kind == "power law" else 2**-gap)

    def practise(self, right: bool, at: float) -> None:
        """Let the half-life grow with a success or shrink with a failure."""
        if not right:
            self.half_life = max(self.half_life / 2, LEAST_HALF_LIFE)
        elif self.kind != "doubling":
            lost = 1 - self._share_kept(at)
            self.half_life = min(self.half_life * (1 + SPACING_GAIN * lost), MOST_HALF_LIFE)
        elif int(at) > int(self.at):
            self.half_life = min(self.half_life * 2, MOST_HALF_LIFE)
        self.at = at


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer to a question: whether it was right, and the seconds of thought."""

    right: bool
    seconds: float


@dataclass(slots=True)
class ModelAnswers:
    """The answers of one model child. Everything random follows from `seed`. Times are in days from
    any fixed moment."""

    child: ModelChild
    seed: int
    memory: MemoryKind | None = "doubling"
    _remembered: dict[Fact, ModelMemory] = field(default_factory=dict)
    _asked: int = 0

    def chance(self, fact: Fact, at: float) -> float:
        """The chance (0–1) of a right answer at this time."""
        knowledge = self.knowledge(fact, at)
        memory = self._remembered.get(fact_of(*fact))
        return knowledge if memory is None else memory.chance(knowledge, at)

    def knowledge(self, fact: Fact, at: float) -> float:
        """The chance (0–1) without practice."""
        return max(self.child.chance(table) for table in fact)

    def chance_when_asked(self, fact: Fact, at: float) -> float:
        """The chance (0–1) for a question that is asked now."""
        return self.chance(fact, at)

    def answer(self, fact: Fact, at: float) -> ModelReply:
        """Answer, and remember the fact better or worse afterwards."""
        self._asked += 1
        random = Random(f"{self.seed}/{self._asked}")
        right = random.random() < self.chance_when_asked(fact, at)
        self._remember(fact_of(*fact), right, at)
        seconds = self.child.check_seconds * exp(random.gauss(0, CHECK_SIGMA))
        return ModelReply(right, seconds)

    def _remember(self, fact: Fact, right: bool, at: float) -> None:
        memory = self._remembered.get(fact)
        if self.memory is None:
            return
        if memory is None:
            self._remembered[fact] = ModelMemory.begun(self.memory, right, at)
        else:
            memory.practise(right, at)


# A model child at the table, who plays from the view of their seat, with the chances of their
# strength. Only for simulations. A row that they overlook stays overlooked for the turn; in the
# next turn they look again. They lay the rows that they notice, those with the most cards first.
# Without foresight they discard a card that, as far as they know, is in no agreed table. They know
# each card with the chance of its table, and which cards they know stays fixed for the round.

# How many seconds each act takes. These are guesses until somebody measures them.
RECALLS_PER_LOOK: Final = 6
"""One look over the hand for rows takes as long as six short questions: one for nearly every card.
A child looks once a turn, and again after each row that they lay."""
DRAWING_SECONDS: Final = 4.0
"""Looking at the open card and tapping a pile."""
LAYING_SECONDS: Final = 6.0
"""Tapping three cards and a place, and seeing the row there."""
WRONG_TRY_SECONDS: Final = 10.0
"""Trying cards that make no row: the same taps as for a row, and reading why not."""
DISCARDING_SECONDS: Final = 4.0
WATCHING_SECONDS: Final = 3.0
"""Watching a bot's turn."""
BETWEEN_ROUNDS_SECONDS: Final = 15.0
"""Reading how the round ended, and beginning the next one."""


@dataclass(frozen=True, slots=True)
class ModelPlayer:
    """A model child with a seed, from which follows what they notice and know."""

    child: ModelChild
    seed: int

    def choose(self, view: View) -> Action:
        """The child's next action. It must be their turn."""
        match view.phase:
            case "draw" | "redraw":
                cards = view.open_cards
                return view.action_to_take(
                    next((card for card in cards if self._wants(view, card)), None)
                )
            case "offer":
                return Claim() if self._wants(view, view.open_top) else Pass()
            case "knock":
                wants_open_card = self._wants(view, view.open_top)
                return Knock(view.seat) if wants_open_card else Pass(view.seat)
        sights = self._noticed(sights_of(view.position), view)
        if sights:
            return max(sights, key=lambda play: (len(play.hand), -jokers_of(play), str(play)))
        return Discard(self._least_needed(view))

    def tries_wrongly(self, view: View) -> bool:
        """Whether they try cards that make no row in this turn."""
        return Random(f"{self._turn(view)}/wrong try").random() < self.child.wrong_tries

    def _turn(self, view: View) -> str:
        return f"{self.seed}/{view.round}/{view.turns}"

    def _wants(self, view: View, card: Card | None) -> bool:
        """Whether they want this card, because it is a joker or makes a row that they notice."""
        if card is None:
            return False
        position = with_card(view.position, card)
        return is_joker(card) or bool(self._noticed(sights_of(position, card), view))

    def _noticed(self, sights: Iterable[Sight], view: View) -> list[Play]:
        def chance(sight: Sight) -> float:
            return self.child.chance(
                sight.table, adds=sight.adds, crosses=sight.crosses, joker=sight.needs_joker
            )

        noticed = noticed_sights(sights, chance, self._look(view))
        return [play for sight in noticed for play in sight.plays]

    def _look(self, view: View) -> str:
        """The seed from which follows what they notice. As long as it stays the same, they overlook
        the same rows."""
        looks_again = Random(f"{self._turn(view)}/again").random() < self.child.overlooks
        return f"{self.seed}/{view.round}" if looks_again else self._turn(view)

    def _least_needed(self, view: View) -> Card:
        numbers = [card for card in view.hand if not is_joker(card)]
        random = Random(f"{self._turn(view)}/discard")
        return min(
            numbers or view.hand, key=lambda card: (self._knows(card, view), random.random())
        )

    def _knows(self, card: Card, view: View) -> bool:
        """Whether they know that this number is in an agreed table; a joker is in any."""
        return is_joker(card) or any(
            card % table == 0
            and Random(f"{self.seed}/{view.round}/{card}/{table}").random()
            < self.child.chance(table)
            for table in view.ruleset.tables or TABLES_TO_12
        )


# A model child plays a game of `past_games`, asks for hints, and tries cards that make no row. Only
# for simulations.

HINT_CHANCE: Final = 0.12
"""The chance to ask for a hint after seeing no row, once a turn."""
NEXT_STEP_CHANCE: Final = 0.6
"""The chance to ask for the next step after one that did not help."""
ROW_CHANCES_AFTER_HINT: Final = (0.35, 0.5, 0.65, 0.85)
"""The chance to find the row after each step of a hint."""


@dataclass(slots=True)
class ModelChooser:
    """Chooses moves for a model child. Everything random follows from `seed`."""

    model: ModelChild
    seed: int
    _tried: set[tuple[int, ...]] = field(default_factory=set)

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float]:
        state = draft.state
        if state.phase == ROUND_OVER:
            return NextRound(), BETWEEN_ROUNDS_SECONDS
        player_view = view(state, seat)
        player = ModelPlayer(self.model, self.seed)
        action = player.choose(player_view)
        look = RECALLS_PER_LOOK * self.model.check_seconds
        if player_view.phase != "play":
            return Do(action), DRAWING_SECONDS
        if player_view.turns not in self._tried:
            self._tried.add(player_view.turns)
            wrong = self._no_row(draft, seat) if player.tries_wrongly(player_view) else None
            if wrong:
                return wrong, WRONG_TRY_SECONDS + look
        if isinstance(action, Play):
            return Do(action), LAYING_SECONDS + look
        return self._without_row(draft, Do(action), look)

    def _without_row(self, draft: Draft, instead: Do, look: float) -> tuple[Move, float]:
        """The move of a child who sees no row: they may ask for a hint, or find the row after
        one."""
        step = draft.snapshot.hint_step
        random = Random(f"{self.seed}/{draft.state.round}/{draft.state.turns}/{step}")
        hint = draft.hint if step else None
        if hint and hint.play and random.random() < ROW_CHANCES_AFTER_HINT[step - 1]:
            return Do(hint.play), LAYING_SECONDS + look
        most = min(draft.game.hint_steps, len(ROW_CHANCES_AFTER_HINT))
        chance = NEXT_STEP_CHANCE if step else HINT_CHANCE
        asks = step < most and random.random() < chance and isinstance(instead.action, Discard)
        return (AskHint(), DRAWING_SECONDS) if asks else (instead, DISCARDING_SECONDS + look)

    def _no_row(self, draft: Draft, seat: int) -> Lay | None:
        """The first three neighbouring cards of the hand that make no row."""
        position = draft.state.position(seat)
        cards = sorted(card for card in view(draft.state, seat).hand if not is_joker(card))
        for first in range(len(cards) - 2):
            three = tuple(cards[first : first + 3])
            if not plays_of_tap(position, three, ()):
                return Lay(three)
        return None
