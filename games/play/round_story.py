"""One player's story of a round: the rows that it found, by times table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.coach.chances import RowChance, chances
from games.coach.missed import MissedRow
from games.coach.times_tables import describe
from games.engine.play_application import form
from games.engine.table import Play
from games.engine.text.notation import parse_action
from games.engine.text.record import LogStep, steps
from games.models import Game
from games.play.log import entries_of, setting_of

NOT_FOUND: Final = ("missed", "open")


@dataclass(frozen=True, slots=True)
class RoundStory:
    """`rows`: (table, number of rows found), from low to high; table 0 for rows in no table.
    `numbers`: the numbers of each row, in the order in which they were found. `nearly`: a row that
    could have been laid and never was."""

    rows: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, ...], ...] = ()
    nearly: MissedRow | None = None

    @property
    def found(self) -> int:
        return sum(count for _, count in self.rows)


def story_of_round(game: Game, seats: int, seat: int) -> RoundStory:
    """The story of the current or last round, from the log."""
    log = steps(setting_of(game, seats), entries_of(game))
    of_round = [step for step in log if step.after.round == game.round]
    all_chances = list(chances(of_round, seat))
    found = [one for one in all_chances if one.outcome not in NOT_FOUND]
    by_table = Counter(chance.table for chance in found)
    return RoundStory(
        tuple(sorted(by_table.items())),
        tuple(chance.numbers for chance in found),
        _nearly(of_round, all_chances, seat),
    )


def tables_of_match(game: Game, seats: int, seat: int) -> list[int]:
    """The table of each row that the player found in the whole match, from the log."""
    log = steps(setting_of(game, seats), entries_of(game))
    return [one.table for one in chances(log, seat) if one.outcome not in NOT_FOUND]


def _nearly(log: Sequence[LogStep], of_round: Sequence[RowChance], seat: int) -> MissedRow | None:
    """Of the rows that were missed the easiest one, where it lay when it could last be laid."""
    missed = [one for one in of_round if one.outcome == "missed"]
    for chance in sorted(missed, key=lambda one: (not one.table, len(one.numbers), one.numbers)):
        before = log[chance.entries[-1]].before
        assert before is not None
        play = parse_action(chance.row, before.ruleset)
        if isinstance(play, Play) and not play.swaps:
            line = form(before.position(seat), play).line
            return MissedRow(play, describe(line.numbers), tuple(line.cards), tuple(play.hand))
    return None
