"""One player's story of a round: the rows that it found, by times table."""

from collections import Counter
from dataclasses import dataclass

from games.coach.turn_evidence import turns
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
    found = [
        piece
        for turn in turns(setting_of(game, seats), entries_of(game), {seat})
        if turn.round == game.round
        for piece in turn.pieces
        if piece.kind == "found"
    ]
    by_table = Counter(piece.table for piece in found)
    return RoundStory(tuple(sorted(by_table.items())), tuple(piece.numbers for piece in found))
