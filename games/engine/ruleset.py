"""The rules of a game as options; an edition is just a named set of them (rules 8)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypedDict, Unpack, get_args

from msgspec import to_builtins

from games.engine.json_values import JsonObject, read_as

from .errors import RulesetError
from .sequences import FAMILIES, SHORTEST, Family, Sequences, sequences_of

Doubling = Literal["different", "same"]
Earning = Literal["value", "one", "nothing"]
Ending = Literal["discard", "discard unless empty", "free"]
Drawing = Literal["piles", "knock", "youngest first"]
Scoring = Literal["points", "penalty", "rounds won"]

DOUBLINGS: Final[tuple[Doubling, ...]] = get_args(Doubling)
EARNINGS: Final[tuple[Earning, ...]] = get_args(Earning)
ENDINGS: Final[tuple[Ending, ...]] = get_args(Ending)
DRAWINGS: Final[tuple[Drawing, ...]] = get_args(Drawing)
SCORINGS: Final[tuple[Scoring, ...]] = get_args(Scoring)


@dataclass(frozen=True)
class Ruleset:
    """One column of the table in rules 8; each of its rows can be set on its own.

    `counts_back_to`: where a row counted back must arrive, None for anywhere (2.3).
    `tables`: the chosen times tables, None for all rows (2.6).
    `rounds`: how many rounds a match lasts, None for a match to `target` (6.5).
    """

    edition: str
    highest: int = 100
    most_players: int = 8
    hand: int = 7
    hand_of_two: int = 9
    start: int = 50
    earning: Earning = "value"
    doubling: tuple[Doubling, ...] = DOUBLINGS
    counts_back_to: tuple[int, ...] | None = None
    tables: tuple[int, ...] | None = None
    families: tuple[Family, ...] = ()
    opening: bool = True
    ending: Ending = "discard"
    drawing: Drawing = "piles"
    offers: bool = True
    scoring: Scoring = "points"
    target: int = 100
    rounds: int | None = None

    def __post_init__(self) -> None:
        for wrong, reason in self._contradictions():
            if wrong:
                raise RulesetError(reason)

    def _contradictions(self) -> tuple[tuple[bool, str], ...]:
        tables = self.tables
        back = self.counts_back_to
        return (
            (not 3 <= self.highest <= 100, "highest-out-of-range"),
            (back is not None and (not back or not set(back) <= {0, 1}), "counts-back-to-unknown"),
            (tables is not None and not tables, "no-tables"),
            (
                tables is not None
                and any(not 1 <= step <= self.highest // SHORTEST for step in tables),
                "table-without-rows",
            ),
            (
                tables is not None and back is not None and 0 not in back and set(tables) != {1},
                "tables-do-not-count-back-to-one",
            ),
            (not set(self.families) <= set(FAMILIES), "family-unknown"),
            (not set(self.doubling) <= set(DOUBLINGS), "doubling-unknown"),
            (self.rounds is not None and self.rounds < 1, "no-rounds"),
            (self.scoring != "points" and self.rounds is None, "rounds-needed"),
            (self.scoring == "points" and self.drawing != "piles", "points-need-piles"),
            (
                max(self.hand * self.most_players, self.hand_of_two * 2) >= self.highest + 4,
                "hands-larger-than-deck",
            ),
        )

    @property
    def may_empty_hand(self) -> bool:
        """Whether a play may lay the last card (5.3, 7.3, 7.6)."""
        return self.ending != "discard"

    @property
    def with_pot(self) -> bool:
        """Whether this is one of the blocks editions, with a pot instead of two piles (7)."""
        return self.drawing != "piles"

    @cached_property
    def sequences(self) -> Sequences:
        """The rows that are valid (2); shared by all rulesets that agree on them."""
        return sequences_of(self.highest, self.counts_back_to, self.tables, self.families)

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
"""It has every card: text that may name any card is read by it."""


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


OPTIONS: Final = tuple(Options.__annotations__)


def edition(name: str, **options: Unpack[Options]) -> Ruleset:
    """The ruleset of an edition with some options of its own.

    Raises `RulesetError` for an unknown edition or option, and for options that contradict each
    other.
    """
    if name not in EDITIONS:
        raise RulesetError("edition-unknown")
    base = EDITIONS[name]
    if not options.keys() <= set(OPTIONS):
        raise RulesetError("option-unknown")
    rounds = options.get("rounds", base.rounds)
    return replace(
        base,
        counts_back_to=_in_order(options.get("counts_back_to", base.counts_back_to)),
        tables=_in_order(options.get("tables", base.tables)),
        families=tuple(sorted(set(options.get("families", base.families)))),
        doubling=tuple(sorted(set(options.get("doubling", base.doubling)))),
        opening=options.get("opening", base.opening),
        offers=options.get("offers", base.offers),
        start=options.get("start", base.start),
        target=options.get("target", base.target),
        rounds=base.rounds if rounds is None and base.scoring != "points" else rounds,
    )


def _in_order(numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(sorted(set(numbers)))


def ruleset_to_data(ruleset: Ruleset) -> dict[str, object]:
    """The ruleset as data for JSON; `ruleset_from_data` reads it."""
    data: dict[str, object] = to_builtins(ruleset)
    return data


def ruleset_from_data(data: JsonObject) -> Ruleset:
    """The ruleset, from the data of `ruleset_to_data`. Raises `JsonError` and `RulesetError`."""
    return read_as(Ruleset, data)
