"""One player's story of a round: the rows that it found, by times table."""

from collections import Counter
from dataclasses import dataclass

from games.coach.chances import chances
from games.engine.text.record import steps
from games.models import Game
from games.play.log import entries_of, setting_of


@dataclass(frozen=True, slots=True)
class RoundStory:
    """`rows`: (table, number of rows found), from low to high; table 0 for rows in no table.
    `numbers`: the numbers of each row, in the order in which they were found."""

    rows: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, ...], ...] = ()

    @property
    def found(self) -> int:
        return sum(count for _, count in self.rows)


def story_of_round(game: Game, seats: int, seat: int) -> RoundStory:
    """The story of the current or last round, from the log."""
    log = steps(setting_of(game, seats), entries_of(game))
    of_round = (step for step in log if step.after.round == game.round)
    found = [one for one in chances(of_round, seat) if one.outcome not in ("missed", "open")]
    by_table = Counter(chance.table for chance in found)
    return RoundStory(tuple(sorted(by_table.items())), tuple(chance.numbers for chance in found))
