"""The table of a child that plays now, as the child sees it, to look at."""

from dataclasses import dataclass
from datetime import datetime

from classrooms.models import Child
from games.play import services
from games.play.services import NotFound
from games.screen import board
from games.screen.replay import Scene
from games.screen.view_models import Player


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What the child sees: `scene`, whose text is what the screen says to it; `players`: the child
    first; `title` and `round` of the game; `moved_at`: when it last changed."""

    scene: Scene
    players: tuple[Player, ...]
    title: str
    round: str
    moved_at: datetime


def table_of(child: Child) -> LiveTable | None:
    """None for a child that has not opened a game, or whose game is gone."""
    if child.at_table_id is None:
        return None
    try:
        outcome = services.look(child.at_table_id, child.player)
    except NotFound:
        return None
    drawn = board.board(outcome)
    scene = Scene(
        number=1,
        who=child.name,
        text=drawn.notice.text if drawn.notice else drawn.to_do,
        hand=drawn.hand,
        islands=drawn.islands,
        felt=drawn.felt,
        open_card=drawn.piles.open_card,
    )
    moved_at = outcome.game.moved_at
    return LiveTable(scene, drawn.players, drawn.title, drawn.round, moved_at)
