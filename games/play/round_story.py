"""One player's story of a round: the rows that it found, by times table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.coach.chances import RowChance, chances
from games.coach.missed import MissedRow, missed_of
from games.engine.round import MATCH_OVER
from games.engine.text.notation import parse_play
from games.engine.text.record import LogStep, steps
from games.models import Game
from games.play.log import entries_of, setting_of

NOT_FOUND: Final = ("missed", "taken up", "open")
WITHOUT_HELP: Final = ("at once", "later")


@dataclass(frozen=True, slots=True)
class RoundStory:
    """`rows`: (table, number of rows found), from low to high; table 0 for rows in no table.
    `numbers`: the numbers of each row, in the order in which they were found. `nearly`: a row that
    could have been laid and never was. `tables`: the table of each row that the player found, of
    the whole match if it is over. `without_help`: like `rows`, but only those that were found
    without hints and tries, of a times table."""

    rows: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, ...], ...] = ()
    nearly: MissedRow | None = None
    tables: tuple[int, ...] = ()
    without_help: tuple[tuple[int, int], ...] = ()

    @property
    def found(self) -> int:
        return sum(count for _, count in self.rows)


def story_of_round(game: Game, seats: int, seat: int) -> RoundStory:
    """The story of the current or last round, from the log, which is read once."""
    log = list(steps(setting_of(game, seats), entries_of(game)))
    if log[-1].after.phase != MATCH_OVER:
        log = [step for step in log if step.after.round == game.round]
    of_match = list(chances(log, seat))
    of_round = [one for one in of_match if one.round == game.round]
    found = [one for one in of_round if one.outcome not in NOT_FOUND]
    by_table = Counter(chance.table for chance in found)
    alone = Counter(one.table for one in found if one.table and one.outcome in WITHOUT_HELP)
    return RoundStory(
        tuple(sorted(by_table.items())),
        tuple(chance.numbers for chance in found),
        _nearly(log, of_round, seat),
        tuple(one.table for one in of_match if one.outcome not in NOT_FOUND),
        tuple(sorted(alone.items())),
    )


def _nearly(log: Sequence[LogStep], of_round: Sequence[RowChance], seat: int) -> MissedRow | None:
    """Of the rows that were missed the easiest one, where it lay when it could last be laid."""
    missed = [one for one in of_round if one.outcome == "missed"]
    for chance in sorted(missed, key=lambda one: (not one.table, len(one.numbers), one.numbers)):
        before = log[chance.entries[-1]].before
        assert before is not None
        return missed_of(before.position(seat), parse_play(chance.row, before.ruleset))
    return None
