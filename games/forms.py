"""What a page posts, read as a move."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import QueryDict

from games.engine.actions import Claim, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.errors import Refused
from games.engine.notation import parse_card, parse_laid, parse_line
from games.engine.plays import Place
from games.engine.ruleset import EDITIONS
from games.moves import AskHint, Choose, Do, Lay, Move, NextRound, TakeBack

_PLAIN: Final[dict[str, Move]] = {
    "draw-open": Do(DrawOpen()),
    "draw-closed": Do(DrawClosed()),
    "claim": Do(Claim()),
    "pass": Do(Pass()),
    "knock": Do(Knock()),
    "end": Do(End()),
    "take-back": TakeBack(),
    "hint": AskHint(),
    "next-round": NextRound(),
}
_ALL_NUMBERS: Final = EDITIONS["classic"]
"""Cards are read in the widest range; what a game does not have, it refuses itself."""


class UnreadableError(Exception):
    """What no page of ours posts."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A move with the version that its page saw and its key. `move` is None where something is
    still to be chosen, which `needs` names; `chosen` all that was, as the page posted it."""

    seen: int
    key: UUID
    move: Move | None
    needs: str = ""
    chosen: tuple[str, ...] = ()


def read(post: QueryDict) -> Posted:
    """Read a page's post. Raises `UnreadableError`."""
    try:
        seen, key = int(post.get("seen", "")), UUID(post.get("key", ""))
        cards = tuple(parse_card(text, _ALL_NUMBERS) for text in post.getlist("card"))
        places = _places(post)
    except (ValueError, Refused) as problem:
        raise UnreadableError(str(problem)) from problem
    chosen = tuple(text for name in ("card", "row", "cross") for text in post.getlist(name))
    if play := post.get("play"):
        return Posted(seen, key, Choose(play), chosen=chosen)
    wanted = post.get("move", "")
    if wanted == "lay":
        needs = "" if cards else "cards"
        return Posted(seen, key, Lay(cards, places) if cards else None, needs, chosen)
    if wanted == "discard":
        if len(cards) != 1:
            return Posted(seen, key, None, "one-card", chosen)
        return Posted(seen, key, Do(Discard(cards[0])))
    if wanted not in _PLAIN:
        raise UnreadableError(f"no such move: {wanted}")
    return Posted(seen, key, _PLAIN[wanted], chosen=chosen)


def _places(post: QueryDict) -> tuple[Place, ...]:
    rows = [parse_line(text, _ALL_NUMBERS) for text in post.getlist("row")]
    crossed = [parse_laid(text, _ALL_NUMBERS) for text in post.getlist("cross")]
    return (*rows, *crossed)
