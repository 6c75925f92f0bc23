"""A saved game for people to read: its file begins with an explanation in the language of the
person who saves it."""

from collections.abc import Iterator

from django.utils.translation import gettext

from games.engine.text.game_text import GameRecord, write


def explained(record: GameRecord) -> str:
    """The game as text, after lines that say how to read it. These lines begin with `;` and so are
    comments of the notation: `read` takes the file as it is."""
    return "".join(f"; {line}\n" for line in _lines()) + "\n" + write(record)


def _lines() -> Iterator[str]:
    yield gettext("A game of nmbrs!, move by move. It shows seat numbers, not names.")
    yield gettext("The rules come first. Then comes each round, with its cards and turns.")
    yield gettext("“draw” takes a card, “discard” puts one down. Numbers on their own lay a row.")
    yield gettext("“to” adds to a row, “across” crosses one. Jokers are the letters a to d.")
