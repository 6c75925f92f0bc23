"""The web without its version check, so that moves are made even on old pages. A run with it must
end with differences; otherwise the comparison would find nothing."""

from typing import Any
from uuid import UUID

from nmbrs_edu.wsgi import application

__all__ = ["application"]

# isort: split
from games.models import Game
from games.play import services as play

_act = play.act


def act(game_id: UUID, player: UUID, *, version: int, **arguments: Any) -> play.Outcome:
    newest = Game.objects.filter(pk=game_id).values_list("version", flat=True).first()
    return _act(game_id, player, version=version if newest is None else newest, **arguments)


play.act = act
