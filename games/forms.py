"""What a page posts, read as a move."""

from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.http import QueryDict

from games.engine.actions import Claim, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.errors import Refused
from games.engine.plays import Place
from games.engine.ruleset import EDITIONS
from games.engine.text.notation import parse_card, parse_laid, parse_line
from games.play.moves import AskHint, Choose, Do, Lay, Move, NextRound, TakeBack
from games.play.posted_values import key, whole

Need = Literal["cards", "one-card"]
"""What a page's post still lacks."""

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
_LONGEST: Final = {"card": 5, "cross": 9, "row": 1_000, "play": 3_000, "move": 20}
"""Characters of a field: `a=100` is the longest card, 104 of them with blanks a play."""
_MOST: Final = 110
"""Fields of a kind: more than all cards of the deck."""
_HIGHEST_VERSION: Final = 2**31 - 1


class UnreadableError(Exception):
    """What no page of ours posts."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A move with the version that its page saw and its key. `move` is None where something is
    still to be chosen, which `needs` names; `chosen` all that was, as the page posted it."""

    seen: int
    key: UUID
    move: Move | None
    needs: Need | None = None
    chosen: tuple[str, ...] = ()


def read(post: QueryDict) -> Posted:
    """Read a page's post. Raises `UnreadableError`."""
    _check_sizes(post)
    seen, of_page = whole(post.get("seen"), most=_HIGHEST_VERSION), key(post.get("key"))
    if seen is None or of_page is None:
        raise UnreadableError("no version or no key")
    try:
        cards = tuple(parse_card(text, _ALL_NUMBERS) for text in post.getlist("card"))
        places = _places(post)
    except Refused as problem:
        raise UnreadableError(str(problem)) from problem
    chosen = tuple(text for name in ("card", "row", "cross") for text in post.getlist(name))
    if play := post.get("play"):
        return Posted(seen, of_page, Choose(play), chosen=chosen)
    wanted = post.get("move", "")
    if wanted == "lay":
        if not cards:
            return Posted(seen, of_page, None, "cards", chosen)
        return Posted(seen, of_page, Lay(cards, places), chosen=chosen)
    if wanted == "discard":
        if len(cards) != 1:
            return Posted(seen, of_page, None, "one-card", chosen)
        return Posted(seen, of_page, Do(Discard(cards[0])))
    if wanted not in _PLAIN:
        raise UnreadableError("no such move")
    return Posted(seen, of_page, _PLAIN[wanted], chosen=chosen)


def _check_sizes(post: QueryDict) -> None:
    """Nothing is read before its length is known: reading takes the longer, the more there is."""
    for name, longest in _LONGEST.items():
        texts = post.getlist(name)
        if len(texts) > _MOST or any(len(text) > longest for text in texts):
            raise UnreadableError(f"too much of {name}")


def _places(post: QueryDict) -> tuple[Place, ...]:
    rows = [parse_line(text, _ALL_NUMBERS) for text in post.getlist("row")]
    crossed = [parse_laid(text, _ALL_NUMBERS) for text in post.getlist("cross")]
    return (*rows, *crossed)
