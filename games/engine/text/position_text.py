"""A position as text, short enough for a chat or a bug report (docs/notation.md).

Reading is forgiving, writing is canonical.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from games.engine.cards import Card, card_text, cards_in, mask_of
from games.engine.errors import Refused, TextError
from games.engine.play_application import Position
from games.engine.ruleset import EDITIONS, Ruleset
from games.engine.table import Line, Table
from games.engine.text.notation import hand_text, parse_card, parse_line, table_text
from games.engine.text.ruleset_text import AROUND_SIGNS, parse_ruleset, ruleset_text

_PARTS: Final = ("table", "hand", "opened")
_OPENED: Final = {"": True, "yes": True, "no": False}
_Word = tuple[int, str]
"""A word with the number of its line, from 1."""


def position_text(position: Position) -> str:
    """The position as text: `simplified offers=no | table 10-20-30 | hand 7 40 a | opened yes`.

    Raises `RulesetError` for a ruleset of no known edition.
    """
    ruleset, table, hand, opened = position
    return " | ".join(
        (
            ruleset_text(ruleset),
            " ".join(("table", *(table_text(table) or ["none"]))),
            " ".join(("hand", *(hand_text(cards_in(hand)) or ["none"]))),
            f"opened {'yes' if opened else 'no'}",
        )
    )


def parse_position(text: str) -> Position:
    """The position that a text describes. Raises `TextError`, and nothing else.

    Case, spaces, line breaks, `|`, the order of parts, lines and cards, and anything after a `;`
    make no difference. Without `table`, the table is empty; without `opened`, the seat has not
    opened. Impossible positions are refused too: `card-twice`, `not-a-sequence` for a line of the
    table, `same-island` for lines that close a ring.
    """
    parts = _parts(text)
    ruleset = _ruleset(parts)
    table = _table(parts.get("table", []), ruleset)
    hand = _hand(parts["hand"], ruleset, table)
    return Position(ruleset, table, hand, _opened(parts.get("opened", [(1, "no")])))


def _parts(text: str) -> dict[str, list[_Word]]:
    """The words of each part, by the word that begins it; those of the ruleset by `edition`."""
    parts: dict[str, list[_Word]] = {}
    part = ""
    for line, word in _words(text):
        name = "edition" if word in EDITIONS else word
        if name in (*_PARTS, "edition"):
            if parts.get(name):
                raise TextError(line, word, "part-twice")
            part = name
            parts.setdefault(name, [])
            if word in _PARTS or word == "edition":
                continue
        if not part:
            raise TextError(line, word, "edition-unknown")
        parts[part].append((line, word))
    for name in ("edition", "hand"):
        if name not in parts:
            raise TextError(1, name, "part-missing")
    return parts


def _words(text: str) -> Iterator[_Word]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        together = AROUND_SIGNS.sub(r"\1", line.partition(";")[0].lower().replace("|", " "))
        for word in together.split():
            yield number, word


def _ruleset(parts: dict[str, list[_Word]]) -> Ruleset:
    words = parts["edition"]
    line = words[0][0] if words else 1
    return parse_ruleset(" ".join(word for _, word in words), line)


def _table(words: Iterable[_Word], ruleset: Ruleset) -> Table:
    lines: list[Line] = []
    laid: dict[Card, list[int]] = {}
    for number, word in _separate(words):
        line = _line(number, word, ruleset)
        for card, stands_for in line.cards:
            there = laid.setdefault(card, [])
            there.append(stands_for)
            if len(there) > 2 or len(set(there)) > 1:
                raise TextError(number, card_text(card), "card-twice")
        lines.append(line)
        crossings = sum(len(there) - 1 for there in laid.values())
        if crossings > len(lines) - len(Table.of(lines).islands):
            raise TextError(number, word, "same-island")
    return Table.of(sorted(lines, key=lambda line: line.sort_key))


def _line(number: int, word: str, ruleset: Ruleset) -> Line:
    try:
        line = parse_line(word, ruleset)
    except Refused as refused:
        raise TextError(number, refused.where, refused.reason) from refused
    if line.mask not in ruleset.sequences.rows or line.mask.bit_count() < len(line.cards):
        raise TextError(number, word, "not-a-sequence")
    return line


def _hand(words: Iterable[_Word], ruleset: Ruleset, table: Table) -> int:
    cards: list[Card] = []
    for number, word in _separate(words):
        try:
            card = parse_card(word, ruleset)
        except Refused as refused:
            raise TextError(number, refused.where, refused.reason) from refused
        if card in cards or card in table.laid:
            raise TextError(number, word, "card-twice")
        cards.append(card)
    return mask_of(cards)


def _separate(words: Iterable[_Word]) -> Iterator[_Word]:
    """The items of a list with or without commas; none for the word `none`."""
    for number, word in words:
        for item in word.split(","):
            if item not in ("", "none"):
                yield number, item


def _opened(words: list[_Word]) -> bool:
    text = " ".join(word for _, word in words)
    if text not in _OPENED:
        raise TextError(words[0][0], text, "opened-unreadable")
    return _OPENED[text]
