"""What a player can do at each moment of a turn, in a sentence and a picture. The help of a game's
page has all of it, and shows what can be done now."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal

from django.utils.translation import get_language, gettext

from games.engine.errors import ActionRefused
from games.engine.ruleset import Ruleset, edition
from games.screen.help.play_examples import DrawnTable, table_after_play

Moment = Literal["take", "lay", "add", "cross", "swap", "down", "answer"]


@dataclass(frozen=True, slots=True)
class MomentHelp:
    """What to do at a moment, and the table after it if a picture helps."""

    moment: Moment
    text: str
    drawn: DrawnTable | None = None


def playing_help(name: str, tables: Sequence[int]) -> tuple[MomentHelp, ...]:
    """The help for an edition with these times tables, in the language of the page."""
    return _kept(name, tuple(tables), get_language())


@lru_cache(maxsize=256)
def _kept(name: str, tables: tuple[int, ...], language: str | None) -> tuple[MomentHelp, ...]:
    return tuple(_moments(edition(name, tables=tables)))


def _moments(ruleset: Ruleset) -> Iterator[MomentHelp]:
    if not ruleset.with_pot:
        yield MomentHelp("take", gettext("Tap the pile or the open card."))
    yield MomentHelp(
        "lay",
        gettext("Tap 3 or more numbers with equal jumps. Then tap “Lay this row”."),
        _first_allowed(_laid, ruleset),
    )
    yield MomentHelp(
        "add",
        gettext("Add to a row: tap your numbers, then tap the row."),
        _first_allowed(_added, ruleset),
    )
    yield MomentHelp(
        "cross",
        gettext("Cross a row: tap your numbers, then one on the table."),
        _first_allowed(_crossed, ruleset),
    )
    yield MomentHelp(
        "swap",
        gettext("Swap your number for the joker. Then use the joker in a row."),
        _first_allowed(_swapped, ruleset),
    )
    yield MomentHelp("down", gettext("To finish, tap one and put it down."))
    yield MomentHelp("answer", gettext("Do you want it? Tap your answer."))


Example = tuple[tuple[str, ...], str]
"""The rows on the table and the play, in the notation of docs/plays.md."""


def _first_allowed(
    examples: Callable[[Sequence[int]], Iterator[Example]], ruleset: Ruleset
) -> DrawnTable | None:
    """The table after the first example that the rules allow; None if they allow none. Examples of
    high tables are tried first."""
    for lines, play in examples(sorted(ruleset.tables or (), reverse=True)):
        try:
            return table_after_play(lines, play, ruleset)
        except ActionRefused:
            continue
    return None


def _laid(tables: Sequence[int]) -> Iterator[Example]:
    for n in tables:
        yield (), f"{n} {2 * n} {3 * n}"


def _added(tables: Sequence[int]) -> Iterator[Example]:
    for n in tables:
        row = f"{n}-{2 * n}-{3 * n}"
        yield (row,), f"{4 * n} to {row}"


def _crossed(tables: Sequence[int]) -> Iterator[Example]:
    for n, other in permutations(tables, 2):
        row = (n, 2 * n, 3 * n)
        for number in row:
            beside = (number - other, number + other)
            if number % other == 0 and beside[0] > 0 and not {*beside} & {*row}:
                yield ("-".join(map(str, row)),), f"{beside[0]} {beside[1]} across {number}"


def _swapped(tables: Sequence[int]) -> Iterator[Example]:
    for n in tables:
        row = f"{n}-a={2 * n}-{3 * n}"
        yield (row,), f"a={4 * n} to {row} swap {2 * n} for a"
