"""The rules of a game as options. An edition is a set of options with a name (rules 8)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, TypedDict, Unpack, get_args

from msgspec import to_builtins

from games.engine.cards import JOKER_MASK, VALUES, Card, deck
from games.engine.errors import RulesetError
from games.engine.json_values import JsonObject, read_as
from games.engine.sequences import FAMILIES, SHORTEST, Family, Sequences, sequences_of

Doubling = Literal["different", "same"]
Earning = Literal["value", "one", "nothing"]
Ending = Literal["discard", "discard unless empty", "free"]
"""A turn ends with a discard, so a play must leave a card; or with a discard unless a play has
emptied the hand; or as the player likes (5.3, 7.3, 7.6)."""
Drawing = Literal["piles", "knock", "youngest first"]
Scoring = Literal["points", "penalty", "rounds won"]
Deck = Literal["whole", "thinned", "fitting"]

DOUBLINGS: Final[tuple[Doubling, ...]] = get_args(Doubling)
KEEP_ONE_IN: Final = 3
"""A thinned deck keeps one in this many of the numbers that no row can have (1.4)."""
MOST_MARKET: Final = 5


@dataclass(frozen=True)
class Ruleset:
    """The options of a game: one column of the table in rules 8. Each option can be set on its
    own. Lists are kept in order, each value once.

    Counting a row back in its jumps must reach one of `counts_back_to` (0 or 1); None if any row
    may start anywhere (2.3). A round is over when the pile has been used up `piles` times; if None,
    when a hand is empty or, with `most_turns`, all have had their turns (6.6).
    """

    edition: str
    highest: int = 100
    most_players: int = 8
    hand: int = 7
    hand_of_two: int = 9
    start: int = 50
    earning: Earning = "value"  # what a laid card earns (4.1, 4.2)
    doubling: tuple[Doubling, ...] = DOUBLINGS  # which colours double a play (4.3)
    counts_back_to: tuple[int, ...] | None = None
    tables: tuple[int, ...] | None = None  # the chosen times tables, None for all rows (2.6)
    families: tuple[Family, ...] = ()  # other kinds of rows (2.4)
    opening: bool = True  # whether the first play must be a row from the hand (3.4)
    ending: Ending = "discard"  # how a turn ends; whether a play may lay the last card (5.3)
    drawing: Drawing = "piles"  # two piles; or a pot, and who may have the discard (5.1, 7.4)
    offers: bool = True  # whether a declined card is offered to the others (5.1)
    scoring: Scoring = "points"  # what counts when a round is over (6.3, 7.5)
    target: int = 100  # the score that wins a match without `rounds` (6.5)
    rounds: int | None = None  # how many rounds a match lasts; None for a match to `target` (6.5)
    deck: Deck = "whole"  # what happens to the numbers that no row can have (1.4)
    market: int = 0  # how many cards lie open beside the piles (5.5)
    refill: bool = False  # whether hands are filled up at the end of a turn (5.6)
    least_fitting: int = 0  # how many cards of a refilled hand some row can have, at least (5.6)
    piles: int | None = None
    most_rows: int | None = None  # how many rows on the table end the round sooner (6.6)
    most_turns: int | None = None  # how many turns each seat has in a round (6.6)
    goal: int | None = None  # the points that all should earn together in the first round (9)
    goal_up: int = 0  # by how much the goal rises after a round that reached it (9.4)
    goal_down: int = 0  # by how much it falls after a round that did not (9.4)
    equal_turns: bool = False  # whether a round goes on until all have had equally many (6.6, 9.2)
    builds_on: bool = False  # whether a round goes on when its goal is reached (9.2)

    def __post_init__(self) -> None:
        for name in ("doubling", "counts_back_to", "tables", "families"):
            if (values := getattr(self, name)) is not None:
                object.__setattr__(self, name, tuple(sorted(set(values))))
        for reason in chain(self._wrong_values(), self._contradictions()):
            raise RulesetError(reason)

    def _wrong_values(self) -> Iterator[str]:
        if not 3 <= self.highest <= 100:
            yield "highest-out-of-range"
        if self.counts_back_to not in (None, (0,), (1,), (0, 1)):
            yield "counts-back-to-unknown"
        if self.tables == ():
            yield "no-tables"
        if any(not 1 <= table <= self.highest // SHORTEST for table in self.tables or ()):
            yield "table-without-rows"
        if not set(self.families) <= set(FAMILIES):
            yield "family-unknown"
        if not set(self.doubling) <= set(DOUBLINGS):
            yield "doubling-unknown"
        if self.rounds is not None and self.rounds < 1:
            yield "no-rounds"
        if not 0 <= self.market <= MOST_MARKET:
            yield "market-out-of-range"
        if self.piles is not None and self.piles < 1:
            yield "no-piles"
        if self.most_rows is not None and self.most_rows < 1:
            yield "no-rows"
        if self.most_turns is not None and self.most_turns < 1:
            yield "no-turns"
        if self.goal is not None and self.goal < 1:
            yield "no-goal"
        if min(self.goal_up, self.goal_down) < 0:
            yield "goal-steps-negative"
        if self.least_fitting < 0:
            yield "no-refill"

    def _contradictions(self) -> Iterator[str]:
        if self.tables not in (None, (1,)) and self.counts_back_to == (1,):
            yield "tables-do-not-count-back-to-one"
        if self.rounds is None and not self.may_have_target:
            yield "rounds-needed"
        if self.scoring == "points" and self.has_pot:
            yield "points-need-piles"
        if self.market and self.offers:
            yield "market-without-offers"
        if self.has_pot and (self.market or self.piles):
            yield "market-needs-piles"
        if self.most_turns and self.has_pot and not self.is_together:
            yield "piles-needed"
        needs_end = self.refill or self.most_rows or (self.is_together and not self.has_pot)
        if needs_end and not self.piles and (self.has_pot or not self.most_turns):
            yield "piles-needed"
        if self.least_fitting and not self.refill:
            yield "no-refill"
        if self.goal is None and (self.goal_up or self.goal_down):
            yield "goal-needed"
        largest_hands = max(self.hand * self.most_players, self.hand_of_two * 2)
        if largest_hands >= self.highest + 4 or (self.deck != "whole" and self.most_seats < 2):
            yield "hands-larger-than-deck"

    @property
    def may_empty_hand(self) -> bool:
        """Whether a play may lay the last card (5.3, 7.3, 7.6)."""
        return self.ending != "discard"

    @property
    def may_keep_all(self) -> bool:
        """Whether a turn may end without a discard while cards are left (5.3)."""
        return self.ending == "free"

    @property
    def is_together(self) -> bool:
        """Whether all players have one goal, and nobody wins (9)."""
        return self.goal is not None

    @property
    def earnings_decide(self) -> bool:
        """Whether the most points win a round, rather than the first empty hand (6.6, 9.2)."""
        return self.piles is not None or self.most_turns is not None or self.is_together

    @property
    def may_have_target(self) -> bool:
        """Whether a match may be played to `target` (6.5, 9.4)."""
        return self.scoring == "points" and not self.is_together

    @property
    def has_pot(self) -> bool:
        """Whether this is one of the blocks editions, with a pot instead of two piles (7)."""
        return self.drawing != "piles"

    @property
    def all_may_knock(self) -> bool:
        """Whether the first player to knock gets the block on offer (7.4)."""
        return self.drawing == "knock"

    @property
    def asks_youngest_first(self) -> bool:
        """Whether players are asked in turn about the block on offer, the youngest first (7.6)."""
        return self.drawing == "youngest first"

    @property
    def cards_differ(self) -> bool:
        """Whether cards earn 1, 2 or 3 points by their dots (4.1)."""
        return self.earning == "value"

    @property
    def rows_earn(self) -> bool:
        """Whether rows earn points. Those of blocks do only if all play together (7.5, 9.1)."""
        return self.earning != "nothing" or self.is_together

    def points_of(self, cards: Iterable[Card]) -> int:
        """The points that these hand cards earn when they are laid, before doubling (4.1)."""
        if self.earning == "value":
            return sum([VALUES[card] for card in cards])
        return sum([1 for _ in cards]) if self.rows_earn else 0

    @property
    def counts_points(self) -> bool:
        """Whether scores are points that rows earn (6.5, 9.1)."""
        return self.scoring == "points" or self.is_together

    @property
    def fewest_wins(self) -> bool:
        """Whether scores are penalty points (7.5)."""
        return self.scoring == "penalty" and not self.is_together

    @property
    def counts_rounds(self) -> bool:
        """Whether scores are rounds won (7.6)."""
        return self.scoring == "rounds won" and not self.is_together

    def gain(self, points: int) -> int:
        """The points, negated if they are penalty points, so that more is better."""
        return -points if self.fewest_wins else points

    @cached_property
    def sequences(self) -> Sequences:
        """The valid rows (2). Rulesets that agree on the options for rows share one object."""
        return sequences_of(self.highest, self.counts_back_to, self.tables, self.families)

    @cached_property
    def fitting_mask(self) -> int:
        """The mask of the cards that some row can have."""
        return self.sequences.numbers_mask | JOKER_MASK

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The unshuffled deck (1.1, 1.4)."""
        whole = deck(self.highest)
        if self.deck == "whole":
            return whole
        useless = [card for card in whole if not self.fitting_mask >> card & 1]
        stay = useless[KEEP_ONE_IN - 1 :: KEEP_ONE_IN] if self.deck == "thinned" else []
        return tuple([card for card in whole if card not in useless or card in stay])

    @property
    def most_seats(self) -> int:
        """The most players for whom the deck has enough cards; 0 if it is too small for two."""
        if self.deck == "whole":
            return self.most_players
        cards = len(self.cards) - 1 - self.market
        counts = range(self.most_players, 1, -1)
        return next((n for n in counts if (self.hand_size(n) + 1) * n <= cards), 0)

    def hand_size(self, seats: int) -> int:
        return self.hand_of_two if seats == 2 else self.hand


def _editions() -> dict[str, Ruleset]:
    classic = Ruleset("classic")
    simplified = replace(
        classic,
        edition="simplified",
        highest=50,
        hand=5,
        hand_of_two=7,
        start=20,
        earning="one",
        ending="discard unless empty",
    )
    blocks = replace(
        classic,
        edition="blocks",
        most_players=6,
        start=0,
        earning="nothing",
        doubling=(),
        drawing="knock",
        offers=False,
        scoring="penalty",
        rounds=3,
    )
    return {
        "classic": classic,
        "advanced": replace(classic, edition="advanced", counts_back_to=(0, 1)),
        "simplified": simplified,
        "simplified-2010": replace(
            simplified, edition="simplified-2010", doubling=("same",), ending="free"
        ),
        "blocks": blocks,
        "blocks-simple": replace(
            blocks,
            edition="blocks-simple",
            highest=50,
            hand=5,
            hand_of_two=5,
            opening=False,
            ending="discard unless empty",
            drawing="youngest first",
            scoring="rounds won",
            rounds=1,
        ),
    }


EDITIONS: Final[Mapping[str, Ruleset]] = _editions()
WIDEST: Final = EDITIONS["classic"]
"""The ruleset that has every card, for reading text that may name any card."""


class Options(TypedDict, total=False):
    """The options that may differ from the edition, by name (docs/rules.md, Cases)."""

    counts_back_to: Iterable[int] | None
    tables: Iterable[int] | None
    families: Iterable[Family]
    doubling: Iterable[Doubling]
    opening: bool
    offers: bool
    start: int
    target: int
    rounds: int | None
    hand: int
    hand_of_two: int
    deck: Deck
    market: int
    refill: bool
    least_fitting: int
    piles: int | None
    most_rows: int | None
    most_turns: int | None
    goal: int | None
    goal_up: int
    goal_down: int
    equal_turns: bool
    builds_on: bool


OPTIONS: Final = tuple(Options.__annotations__)


def edition(name: str, **options: Unpack[Options]) -> Ruleset:
    """The ruleset of an edition with some options changed.

    Raises `RulesetError` for an unknown edition or option, and for options that contradict each
    other.
    """
    if name not in EDITIONS:
        raise RulesetError("edition-unknown")
    base = EDITIONS[name]
    if not options.keys() <= set(OPTIONS):
        raise RulesetError("option-unknown")
    if options.get("refill"):
        options.setdefault("opening", False)
    if options.get("rounds") is None and not base.counts_points:
        options["rounds"] = base.rounds
    return replace(base, **options)  # type: ignore[arg-type]  # `Ruleset` makes tuples of lists


_VALUES_OF_OLD_GAMES: Final = MappingProxyType(
    {
        name: getattr(WIDEST, name)
        for name in (
            *("deck", "market", "refill", "least_fitting", "piles", "most_rows"),
            *("most_turns", "goal", "goal_up", "goal_down", "equal_turns", "builds_on"),
        )
    }
)
"""The fields that games of earlier releases lack, each with its value for them."""


def ruleset_to_data(ruleset: Ruleset) -> dict[str, object]:
    """The ruleset as data for JSON, which `ruleset_from_data` reads. A field that earlier releases
    do not know is left out if its value is the one that they play with."""
    data: dict[str, object] = to_builtins(ruleset)
    return {name: data[name] for name in data if data[name] != _VALUES_OF_OLD_GAMES.get(name, ...)}


def ruleset_from_data(data: JsonObject) -> Ruleset:
    """The ruleset, from the data of `ruleset_to_data`. Raises `JsonError` and `RulesetError`."""
    return read_as(Ruleset, {**_VALUES_OF_OLD_GAMES, **data} if isinstance(data, dict) else data)
