"""What a round was for one player: the rows it found, by times table."""

from collections import Counter
from dataclasses import dataclass

from games.coach.turn_evidence import turns
from games.models import Game
from games.play.log import entries_of, setting_of


@dataclass(frozen=True, slots=True)
class RoundStory:
    """`rows`: how many rows were found in each table, 0 for rows in no table, from low to high;
    `numbers`: the numbers of each, as they were found."""

    rows: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, ...], ...] = ()

    @property
    def found(self) -> int:
        return sum(count for _, count in self.rows)


def story_of_round(game: Game, seats: int, seat: int) -> RoundStory:
    """The story of the round that is being played or was played last, from the log."""
    found = [
        piece
        for turn in turns(setting_of(game, seats), entries_of(game), {seat})
        if turn.round == game.round
        for piece in turn.pieces
        if piece.kind == "found"
    ]
    by_table = Counter(piece.table for piece in found)
    return RoundStory(tuple(sorted(by_table.items())), tuple(piece.numbers for piece in found))
