"""Reads the post of a page as a move."""

from dataclasses import dataclass, replace
from typing import Final, Literal
from uuid import UUID

from django.http import QueryDict

from games.engine.actions import Claim, Discard, DrawClosed, DrawOpen, End, Knock, Pass, Take
from games.engine.cards import card_text
from games.engine.errors import ActionRefused
from games.engine.ruleset import WIDEST
from games.engine.text.notation import parse_card, parse_laid_card, parse_line
from games.play.moves import AskHint, Choose, Do, Lay, Move, NextRound, TakeBack
from games.play.posted_values import parse_int, parse_uuid
from games.play.signs import SIGNS

MissingChoice = Literal["cards", "one-card"]
"""What the player still has to choose."""

_MOVES: Final[dict[str, Move]] = {
    "draw-open": Do(DrawOpen()),
    "draw-closed": Do(DrawClosed()),
    "claim": Do(Claim()),
    "pass": Do(Pass()),
    "knock": Do(Knock()),
    "end": Do(End()),
    "take-back": TakeBack(),
    **{f"take-{card_text(card)}": Do(Take(card)) for card in WIDEST.cards},
    "hint": AskHint(),
    "next-round": NextRound(),
}
_MOST_CHARACTERS: Final = {
    "card": 5,
    "cross": 9,
    "row": 1_000,
    "play": 3_000,
    "move": 20,
    "sign": 20,
    "at": 3,
}
"""The most characters of each field: `a=100` is the longest card, and a play has at most 104
cards."""
_MOST_FIELDS: Final = 110
"""The most fields with one name: a few more than the deck has cards."""
_HIGHEST_VERSION: Final = 2**31 - 1


class UnreadablePost(Exception):
    """A post that no page of the site sends."""


@dataclass(frozen=True, slots=True)
class PostedMove:
    """What a page has posted, with its key and the version that it showed."""

    version: int
    key: UUID
    move: Move | None  # None if the page asks for something else, or the player must choose more
    missing_choice: MissingChoice | None = None
    sign: str = ""  # the sign to give to the others at the table (`signs.SIGNS`)
    asks_for_bot: bool = False  # whether a bot should play the long turn of another player
    goes_on: bool = False  # whether the player still plays their own
    taps: tuple[str, ...] = ()  # the texts of the chosen cards and rows


def read_post(post: QueryDict) -> PostedMove:
    """Read the post of a page. Raises `UnreadablePost`. Cards that the game does not have are
    refused later, by the game itself."""
    for name, most in _MOST_CHARACTERS.items():
        texts = post.getlist(name)
        if len(texts) > _MOST_FIELDS or any(len(text) > most for text in texts):
            raise UnreadablePost(f"too much of {name}")
    version = parse_int(post.get("seen"), most=_HIGHEST_VERSION)
    key = parse_uuid(post.get("key"))
    if version is None or key is None:
        raise UnreadablePost("no version or no key")
    try:
        cards = tuple(parse_card(text, WIDEST) for text in post.getlist("card"))
        rows = [parse_line(text, WIDEST) for text in post.getlist("row")]
        crossed_cards = [parse_laid_card(text, WIDEST) for text in post.getlist("cross")]
    except ActionRefused as problem:
        raise UnreadablePost(str(problem)) from problem
    taps = tuple(text for name in ("card", "row", "cross") for text in post.getlist(name))
    posted = PostedMove(version, key, None, taps=taps)
    if play := post.get("play"):
        return replace(posted, move=Choose(play))
    if sign := post.get("sign"):
        if sign not in SIGNS:
            raise UnreadablePost("no such sign")
        return replace(posted, sign=sign)
    match post.get("move", ""):
        case "look":  # asks what the others have done
            return posted
        case "play-turn":
            return replace(posted, asks_for_bot=True)
        case "here":
            return replace(posted, goes_on=True)
        case "lay" if not cards:
            return replace(posted, missing_choice="cards")
        case "lay":
            open_number = parse_int(post.get("at"), most=WIDEST.highest) or 0
            return replace(posted, move=Lay(cards, (*rows, *crossed_cards), open_number))
        case "discard" if len(cards) != 1:
            # The next tap chooses the one card.
            return replace(posted, missing_choice="one-card", taps=())
        case "discard":
            return replace(posted, move=Do(Discard(cards[0])), taps=())
        case move if move in _MOVES:
            return replace(posted, move=_MOVES[move])
    raise UnreadablePost("no such move")
