"""Cards, lines, plays, positions, actions and rulesets as text (docs/notation.md). Reading is
forgiving, writing canonical."""

import re
from collections.abc import Callable, Iterable, Sequence
from types import NoneType
from typing import Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from games.engine.actions import (
    Action,
    Claim,
    Deal,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
    Take,
)
from games.engine.cards import JOKER_LETTERS, JOKERS, Card, LaidCard, card_text, cards_in, is_joker
from games.engine.errors import ActionRefused, RulesetError, TextError, UnreadableText
from games.engine.play_application import Position
from games.engine.ruleset import EDITIONS, Ruleset, ruleset_from_data, ruleset_to_data
from games.engine.table import Line, Play, Table

T = TypeVar("T")
_KEYWORDS: Final = ("to", "across", "swap")
_WORDS: Final[dict[str, Action]] = {
    "draw open": DrawOpen(),
    "draw closed": DrawClosed(),
    "end": End(),
}
_WITH_SEAT: Final[dict[str, Callable[[int | None], Action]]] = {
    "claim": Claim,
    "pass": Pass,
    "knock": Knock,
}
_WITH_CARD: Final[dict[str, Callable[[Card], Action]]] = {"discard": Discard, "take": Take}
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_CARD: Final = re.compile(r"(?:([0-9]{1,3})|([a-d]))(?:=([0-9]{1,3}))?")


def hand_text(cards: Iterable[Card]) -> list[str]:
    """The cards of a hand as text: the numbers in order, then the jokers by letter."""
    return [card_text(card) for card in sorted(cards)]


def table_text(table: Table) -> list[str]:
    """The lines of a table as text, in the order of `Line.sort_key`."""
    return [str(line) for line in sorted(table.lines, key=lambda line: line.sort_key)]


def position_text(position: Position) -> str:
    """The position as text: `simplified offers=no | table 10-20-30 | hand 7 40 a | opened yes`.

    Raises `RulesetError` for a ruleset of no known edition.
    """
    ruleset, table, hand, has_opened = position
    return " | ".join(
        (
            ruleset_text(ruleset),
            " ".join(("table", *(table_text(table) or ["none"]))),
            " ".join(("hand", *(hand_text(cards_in(hand)) or ["none"]))),
            f"opened {'yes' if has_opened else 'no'}",
        )
    )


def action_text(action: Action) -> str:
    """The canonical text of an action. That of a deal leaves out the deck."""
    match action:
        case Play():
            return str(action)
        case Discard(card):
            return f"discard {card_text(card)}"
        case Take(card):
            return f"take {card_text(card)}"
        case Claim(seat) | Pass(seat) | Knock(seat):
            word = type(action).__name__.lower()
            return word if seat is None else f"{word} {seat}"
        case Deal():
            return "deal"
    return next(text for text, action_of_word in _WORDS.items() if action_of_word == action)


def parse_card(text: str, ruleset: Ruleset) -> Card:
    """Parse a card: `14` or `a`. Raises `UnreadableText`."""
    card = parse_laid_card(text, ruleset)
    if "=" in text:
        raise UnreadableText("number-not-wanted", text)
    return card.card


def parse_cards(texts: Iterable[str], ruleset: Ruleset) -> tuple[Card, ...]:
    return tuple(parse_card(text, ruleset) for text in texts)


def parse_laid_card(text: str, ruleset: Ruleset) -> LaidCard:
    """Parse a card with its number: `14`, `a=14`, or `a`, a joker without a number, which gets 0.
    Raises `UnreadableText`."""
    match = _CARD.fullmatch(text.lower())
    if match is None:
        raise UnreadableText("no-card", text)
    number, letter, stands_for = match.groups()
    if letter:
        joker = JOKERS[JOKER_LETTERS.index(letter)]
        return LaidCard(joker, int(stands_for) if stands_for else 0)
    if not 1 <= int(number) <= ruleset.highest:
        raise UnreadableText("not-in-edition", text)
    if stands_for not in (None, number):
        raise UnreadableText("another-number", text)
    return LaidCard(int(number), int(number))


def parse_line(text: str, ruleset: Ruleset) -> Line:
    """Parse a line such as `10-a=20-30`; its cards may be in any order. Raises `UnreadableText`."""
    parts = text.translate(_DASHES).split("-")
    cards = [_laid_on_table(parse_laid_card(part, ruleset), part) for part in parts]
    _check_once([card for card, _ in cards], card_text)
    return Line.of(cards)


def parse_table(texts: Iterable[str], ruleset: Ruleset) -> Table:
    return Table.of(parse_line(text, ruleset) for text in texts)


def parse_play(text: str, ruleset: Ruleset) -> Play:
    """Parse a play. A crossed joker without its number gets 0; the table has the number. Raises
    `UnreadableText` and `ActionRefused` as `parse_action` does."""
    words = text.lower().replace(",", " , ").split()
    parts: dict[str, list[str]] = {"hand": []}
    part = "hand"
    for word in words:
        if word in _KEYWORDS:
            if word in parts:
                raise UnreadableText("word-twice", word)
            part = word
            parts[part] = []
        else:
            parts[part].append(word)
    for part, part_words in parts.items():
        if not part_words:
            raise UnreadableText("no-hand-card" if part == "hand" else "nothing-after", text)
    hand = [_laid_on_table(parse_laid_card(word, ruleset), word) for word in parts["hand"]]
    lines = [parse_line(word, ruleset) for word in parts.get("to", ())]
    across = [parse_laid_card(word, ruleset) for word in parts.get("across", ())]
    swaps = _parse_swaps(parts.get("swap", ()), ruleset)
    _check_once([*(card for card, _ in hand), *(swap.number for swap in swaps)], card_text)
    _check_once(lines, str)
    _check_once([card for card, _ in across], card_text)
    _check_once([swap.card for swap in swaps], card_text)
    return Play.of(hand, lines, across, swaps)


def parse_action(text: str, ruleset: Ruleset) -> Action:
    """Parse any action but a deal, which needs a deck. Raises `UnreadableText`, and `ActionRefused`
    with `swap-mismatch` if a swap gives the joker another number than that of the card put in."""
    words = text.lower().split()
    sentence = " ".join(words)
    if sentence in _WORDS:
        return _WORDS[sentence]
    if len(words) == 2 and words[0] in _WITH_CARD:
        return _WITH_CARD[words[0]](parse_card(words[1], ruleset))
    if words and words[0] in _WITH_SEAT:
        if len(words) > 2 or not all(re.fullmatch("[0-9]{1,2}", word) for word in words[1:]):
            raise UnreadableText("no-seat", text)
        return _WITH_SEAT[words[0]](int(words[1]) if len(words) == 2 else None)
    if words and re.fullmatch("[a-z]{2,}", words[0]) and words[0] not in _KEYWORDS:
        raise UnreadableText("no-action", text)
    return parse_play(text, ruleset)


def _parse_swaps(words: Sequence[str], ruleset: Ruleset) -> list[LaidCard]:
    """Parse swaps such as `14 for a, 30 for b` to jokers with the numbers of the cards put in."""
    swaps = []
    for swap in " ".join(words).split(" , ") if words else []:
        match swap.split():
            case [number, "for", joker]:
                put_in, swapped_joker = parse_card(number, ruleset), parse_laid_card(joker, ruleset)
                if is_joker(put_in) or not is_joker(swapped_joker.card):
                    raise UnreadableText("no-swap", swap)
                if swapped_joker.number not in (0, put_in):
                    raise ActionRefused("swap-mismatch", swap)
                swaps.append(LaidCard(swapped_joker.card, put_in))
            case _:
                raise UnreadableText("no-swap", swap)
    return swaps


def _laid_on_table(card: LaidCard, text: str) -> LaidCard:
    if card.card != card.number and "=" not in text:
        raise UnreadableText("number-missing", text)
    return card


def _check_once(items: Iterable[T], text: Callable[[T], str]) -> None:
    earlier = set()
    for item in items:
        if item in earlier:
            raise UnreadableText("twice", text(item))
        earlier.add(item)


JOINING_SIGNS: Final = re.compile(r"\s*([-=,])\s*")
"""The signs within a word, with any spaces around them."""
_TYPES: Final = {name: kind for name, kind in get_type_hints(Ruleset).items() if name != "edition"}
_MAY_BE_NEGATIVE: Final = ("start", "target")


def ruleset_text(ruleset: Ruleset) -> str:
    """The ruleset as text, such as `simplified tables=2,5,10 offers=no`.

    Raises `RulesetError` for a ruleset of no known edition.
    """
    if ruleset.edition not in EDITIONS:
        raise RulesetError("edition-unknown")
    base = ruleset_to_data(EDITIONS[ruleset.edition])
    options = ruleset_to_data(ruleset)
    differences = (
        f"{field.replace('_', '-')}={_text(options[field])}"
        for field in options
        if options[field] != base.get(field)
    )
    return " ".join((ruleset.edition, *differences))


def parse_ruleset(text: str, line: int = 1) -> Ruleset:
    """Parse a lower-case text like that of `ruleset_text`. Options and lists may be in any order.

    Raises `TextError` with this line: `edition-unknown`, `option-unknown`, `option-twice`,
    `option-unreadable`, or the reason of the `RulesetError` of these options.
    """
    name, *options = JOINING_SIGNS.sub(r"\1", text).split() or [""]
    if name not in EDITIONS:
        raise TextError(line, name, "edition-unknown")
    data = ruleset_to_data(EDITIONS[name])
    fields = set()
    for option in options:
        key, _, value = option.partition("=")
        field = key.replace("-", "_")
        if field not in _TYPES:
            raise TextError(line, key, "option-unknown")
        if field in fields:
            raise TextError(line, key, "option-twice")
        fields.add(field)
        try:
            if field in _MAY_BE_NEGATIVE and value.startswith("-"):
                data[field] = -_parse_number(value[1:])
            else:
                data[field] = _parse(_TYPES[field], value)
        except ValueError as problem:
            raise TextError(line, option, "option-unreadable") from problem
    try:
        return ruleset_from_data(data)
    except RulesetError as problem:
        raise TextError(line, " ".join(options), problem.reason) from problem


def _text(item: object) -> str:
    if item is None:
        return "any"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, tuple):
        return ",".join(map(str, item)) or "none"
    return str(item).replace(" ", "-")


def _parse(kind: object, text: str) -> object:
    """Parse the value of an option of this type. Raises `ValueError`."""
    kinds = get_args(kind)
    if kind is bool:
        return _parse(Literal["no", "yes"], text) == "yes"
    if get_origin(kind) is Literal:
        return kinds[kinds.index(text.replace("-", " "))]
    if get_origin(kind) is tuple:
        return [] if text == "none" else [_parse(kinds[0], part) for part in text.split(",")]
    if NoneType in kinds:
        return None if text == "any" else _parse(kinds[0], text)
    return _parse_number(text)


def _parse_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise ValueError(text)
    return int(text)
