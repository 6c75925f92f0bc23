"""Sentences for children about results of the engine and the coach."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.coach.times_tables import TABLES_TO_10, TEACHING_ORDER, RowTable, row_table_of
from games.engine.actions import Action, Claim, Discard, DrawOpen, Knock, Take
from games.engine.cards import VALUES, Card, Colour, card_text, colour, is_joker
from games.engine.round import OVER_PHASES
from games.engine.ruleset import Doubling, Ruleset
from games.engine.sequences import Family
from games.engine.table import Play
from games.engine.text.notation import parse_card
from games.engine.text.record import PublicData
from games.engine.view import View
from games.screen.view_models import Goal

COLOURS: Final[dict[Colour, Promise]] = {
    "red": _("red"),
    "green": _("green"),
    "blue": _("blue"),
    "orange": _("orange"),
}

FAMILY_NAMES: Final[dict[Family, Promise]] = {
    "squares": _("square numbers"),
    "primes": _("prime numbers"),
    "triangular": _("triangular numbers"),
}

FAMILY_EXAMPLES: Final[dict[Family, Promise]] = {
    "squares": _("1, 4, 9 are square numbers: 1 × 1, 2 × 2, 3 × 3. They are a row too."),
    "primes": _("2, 3, 5 are prime numbers: only 1 and they go into them. They are a row too."),
    "triangular": _("1, 3, 6 are triangular numbers: 1, 1 + 2, 1 + 2 + 3. They are a row too."),
}

EDITION_NAMES: Final[dict[str, Promise]] = {
    "simplified": _("Simplified"),
    "simplified-2010": _("Simplified (2010)"),
    "classic": _("Classic"),
    "advanced": _("Advanced"),
    "blocks": _("Blocks"),
    "blocks-simple": _("Simple blocks"),
}


def listed(words: Sequence[object], last: str = "") -> str:
    """The words as a list, such as "2, 5 and 10", or "2, 5 or 10" with `last="or"`."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    parts = {"first": ", ".join(texts[:-1]), "last": texts[-1]}
    if last == "or":
        return gettext("%(first)s or %(last)s") % parts
    return gettext("%(first)s and %(last)s") % parts


def joined(*sentences: str) -> str:
    """The sentences that are not empty, one after another."""
    return " ".join(filter(None, sentences))


def card_name(card: Card, number: int | None = None) -> str:
    colour_name = str(COLOURS[colour(card)])
    if not is_joker(card):
        return gettext("%(number)d, %(colour)s") % {"number": card, "colour": colour_name}
    if number is None:
        return gettext("joker, %(colour)s") % {"colour": colour_name}
    return gettext("joker for %(number)d, %(colour)s") % {"number": number, "colour": colour_name}


DeckKind = Literal["plain", "valued", "block"]


def kind_of(ruleset: Ruleset) -> DeckKind:
    """The kind of cards of a game: cards that all count one point, cards with values, or blocks."""
    if ruleset.has_pot:
        return "block"
    return "valued" if ruleset.cards_differ else "plain"


def card_label(card: Card, kind: DeckKind, number: int | None = None) -> str:
    """The name of a card or block for a screen reader, with its points if cards have different
    ones."""
    if kind == "block":
        if not is_joker(card):
            return card_text(card)
        return gettext("joker") if number is None else gettext("joker for %(n)d") % {"n": number}
    name = card_name(card, number)
    if kind == "plain":
        return name
    text = ngettext("%(card)s, %(n)d point", "%(card)s, %(n)d points", VALUES[card])
    return text % {"card": name, "n": VALUES[card]}


def cards_held(count: int, ruleset: Ruleset) -> str:
    if ruleset.has_pot:
        return ngettext("%(n)s block", "%(n)s blocks", count) % {"n": count}
    return ngettext("%(n)s card", "%(n)s cards", count) % {"n": count}


def score_unit(ruleset: Ruleset) -> str:
    """The unit of the figures beside the players during a round; empty for points."""
    if counts_blocks(ruleset):
        return gettext("Blocks left")
    return gettext("Rounds won") if ruleset.counts_rounds else ""


def counts_blocks(ruleset: Ruleset) -> bool:
    """Whether the figures beside the players count their blocks, because rows earn nothing and so
    no score changes during a round."""
    return ruleset.has_pot and not ruleset.rows_earn


def table_name(table: int) -> str:
    return gettext("%(table)d times table") % {"table": table}


def row_name(row: RowTable, ruleset: Ruleset) -> str:
    """The name of a row, the same everywhere on the site: its times table, its agreed family or its
    jumps."""
    if row.times_table is not None:
        return table_name(row.times_table)
    if family := family_of(row, ruleset):
        return str(FAMILY_NAMES[family])
    return jumps_name(row.jump or 0)


def jumps_name(jump: int) -> str:
    # Translators: the name of a row such as 22, 23, 24
    return gettext("neighbours") if jump == 1 else gettext("jumps of %(step)d") % {"step": jump}


def family_of(row: RowTable, ruleset: Ruleset) -> Family | None:
    """The agreed family that a row of no times table fits (rules 2.4)."""
    fitting = ruleset.sequences.families_of(row.numbers) if row.times_table is None else []
    return fitting[0] if fitting else None


def row_facts(row: RowTable, ruleset: Ruleset) -> str:
    """The facts of a row of a times table; for another row, its relation to tables (rules 2.5)."""
    if family := family_of(row, ruleset):
        squares = family == "squares"
        return products((isqrt(n), isqrt(n)) for n in row.numbers) if squares else ""
    if row.facts:
        return products(row.facts)
    if row.common:
        return ngettext(
            "all in the %(tables)s times table",
            "all in the %(tables)s times tables",
            len(row.common),
        ) % {"tables": listed(row.common)}
    if row.jump is not None and row.jump > 1 and row.offset:
        return gettext("the %(table)s plus %(offset)d") % {
            "table": table_name(row.jump),
            "offset": row.offset,
        }
    return ""


def special_rules(ruleset: Ruleset) -> Iterator[str]:
    """The special rules of a game, which the page shows before the first row."""
    if ruleset.is_together:
        yield gettext("You all build one bridge. Each point is one plank.")
    elif ruleset.start:
        yield gettext("Everyone starts the game with %(n)d points.") % {"n": ruleset.start}
    if ruleset.cards_differ:
        yield gettext("The dots on a card are its points: 1, 2 or 3. A joker has none.")
    if ruleset.doubling:
        yield " ".join(str(PRAISE[colours]) for colours in reversed(ruleset.doubling))
    if not ruleset.is_together:
        yield from (*turns_each(ruleset), *end_rules(ruleset))
    yield from (str(FAMILY_EXAMPLES[family]) for family in ruleset.families)


def turns_each(ruleset: Ruleset) -> Iterator[str]:
    """The number of turns of each player in a round, in a sentence; none without a limit."""
    if ruleset.most_turns is not None:
        text = ngettext(
            "Everyone has %(n)d turn. Then the round is over.",
            "Everyone has %(n)d turns. Then the round is over.",
            ruleset.most_turns,
        )
        yield text % {"n": ruleset.most_turns}


def end_rules(ruleset: Ruleset) -> Iterator[str]:
    """The rules that end a round without a goal. The warnings of a last turn and the end of a round
    use the same words."""
    if ruleset.piles is not None:
        yield gettext("When the pile is empty, the round is over.")
    if ruleset.most_rows is not None:
        text = ngettext(
            "When %(n)d row lies on the table, the round is over.",
            "When %(n)d rows lie on the table, the round is over.",
            ruleset.most_rows,
        )
        yield text % {"n": ruleset.most_rows}
    if ruleset.has_pot:
        yield gettext("When someone has no blocks left, the round is over.")
    elif not ruleset.refill:
        yield gettext("When someone has no cards left, the round is over.")


def with_explanation(text: str, explanation: str) -> str:
    """A text, a colon and its explanation. Some languages have a space before the colon."""
    return gettext("%(text)s: %(by)s") % {"text": text, "by": explanation}


def first_row(ruleset: Ruleset) -> str:
    if _has_all_tables(ruleset):
        return gettext("Lay the first row: 3 numbers or more of one times table.")
    if ruleset.tables is not None:
        text = ngettext(
            "Lay the first row: 3 numbers or more of the %(tables)s times table.",
            "Lay the first row: 3 numbers or more of the %(tables)s times table.",
            len(ruleset.tables),
        )
        return text % {"tables": listed(ruleset.tables, last="or")}
    text = gettext("Lay the first row: 3 numbers or more with equal jumps.")
    if ruleset.counts_back_to is not None:
        target = gettext("If you count back, you must land on %(targets)s.")
        text += " " + target % {"targets": listed(ruleset.counts_back_to, last="or")}
    return text


def example(ruleset: Ruleset) -> tuple[int, ...]:
    """The first three numbers of the middle one of the agreed tables, or else of the 4 times table.
    Each is one more if rows must count back to 1."""
    jump = ruleset.tables[len(ruleset.tables) // 2] if ruleset.tables else 4
    offset = int(ruleset.counts_back_to == (1,))
    return tuple(jump * times + offset for times in (1, 2, 3))


# The most numbers that a sentence names. With more of them, it would be too long.
MOST_LAID: Final = 5  # in a new row
MOST_ADDED: Final = 3  # to a row
MOST_ACROSS: Final = 2


def action_words(action: Action, data: PublicData, ruleset: Ruleset) -> str:
    """A player's words about their own action; empty if it needs none."""
    match action:
        case Knock():
            block = card_word(parse_card(data["card"], ruleset))
            return gettext("I took a block: %(block)s.") % {"block": block}
        case DrawOpen() | Claim():
            return _taking_words(parse_card(data["card"], ruleset))
        case Take(card):
            return _taking_words(card)
        case Discard(card) if ruleset.has_pot:
            return gettext("I put down a block: %(block)s.") % {"block": card_word(card)}
        case Discard(card) if is_joker(card):
            return gettext("I put down the joker.")
        case Discard(card):
            return gettext("I put down the %(card)s.") % {"card": card_word(card)}
        case Play():
            return joined(
                swap_text(data),
                _play_words(action, data["numbers"], data["laid"], ruleset),
                doubling_text(data),
                earned_text(data, ruleset),
                _last_card_text(data, ruleset),
            )
    return ""


def words_beside_row(data: PublicData, ruleset: Ruleset) -> str:
    """A player's words about their own row that the row itself does not show."""
    return joined(swap_text(data), _last_card_text(data, ruleset))


MOST_NUMBERS_SHOWN: Final = 6
"""Of a row with more numbers than this, only the first two and the last are shown."""


def row_text(numbers: Sequence[int]) -> str:
    texts = [str(number) for number in numbers]
    if len(texts) > MOST_NUMBERS_SHOWN:
        texts = [*texts[:2], "…", texts[-1]]
    return "-".join(texts)


def _taking_words(card: Card) -> str:
    if is_joker(card):
        return gettext("I took the joker.")
    return gettext("I took the %(card)s.") % {"card": card_word(card)}


def _play_words(play: Play, numbers: Sequence[int], hand: Sequence[int], ruleset: Ruleset) -> str:
    """A player's words about their own play. A sentence has at most 12 words, so it names only the
    ends of a long row."""
    on_line = {number for line in play.lines for _, number in line.cards}
    across = [number for number in numbers if number not in hand and number not in on_line]
    values = {
        "cards": listed(hand),
        "table": row_name(row_table_of(numbers), ruleset),
        "crossed": listed(across),
        "first": numbers[0],
        "last": numbers[-1],
    }
    # Of a longer row, the laid cards may be far from those that it crosses.
    if len(across) == 1 and not play.lines and len(hand) <= MOST_ACROSS:
        text = gettext("I laid %(cards)s across %(crossed)s: %(table)s.")
    elif play.lines and not across and len(hand) <= MOST_ADDED:
        text = gettext("I added %(cards)s to a row: %(table)s.")
    elif not play.lines and not across and len(hand) <= MOST_LAID:
        text = gettext("I laid %(cards)s: %(table)s.")
    else:
        text = gettext("I made a row from %(first)d to %(last)d: %(table)s.")
    return text % values


def refill_text(cards: Sequence[Card], exchanged: Sequence[Card]) -> str:
    """The cards that filled up a player's hand, in sentences; empty for none."""
    if not cards:
        return ""
    text = gettext("Your hand fills up: %(cards)s.") % {"cards": listed([*map(card_word, cards)])}
    return joined(exchange_text(exchanged), text)


def exchange_text(exchanged: Sequence[Card]) -> str:
    """A sentence on the cards of a hand that were exchanged; empty for none."""
    text = ngettext(
        "%(old)s fits no row: you get another card.",
        "%(old)s fit no row: you get other cards.",
        len(exchanged),
    )
    return text % {"old": listed([card_word(card) for card in exchanged])} if exchanged else ""


def card_word(card: Card) -> str:
    """A card as its number alone, or the word for joker."""
    return gettext("joker") if is_joker(card) else card_text(card)


def goal_of(view: View, *, of_table: bool) -> Goal | None:
    """The goal of the table and the progress towards it; None if each plays for themselves.
    `of_table` counts the turns of all together, so that several players read the same."""
    if view.goal is None:
        return None
    text = ngettext("%(n)d of %(goal)d point", "%(n)d of %(goal)d points", view.goal)
    values = {"n": view.earned_together, "goal": view.goal}
    sentence = with_explanation(gettext("Together"), text % values) + "."
    return Goal(view.earned_together, view.goal, sentence, _turns_left(view, of_table=of_table))


def _turns_left(view: View, *, of_table: bool) -> str:
    turns_left, most = view.turns_left, view.ruleset.most_turns
    if view.is_goal_reached and view.phase not in OVER_PHASES:
        return gettext("The bridge is whole!")
    if turns_left is None or view.phase in OVER_PHASES:
        return ""
    if turns_left == 0:
        return gettext("Now the others finish.")
    if turns_left == 1:
        return gettext("Your last turn!")
    if of_table and most:
        count = sum(most - turns for turns in view.turns)
        text = ngettext("Your table has %(n)d turn left", "Your table has %(n)d turns left", count)
        return text % {"n": count}
    return turns_left_text(turns_left)


def turns_left_text(turns: int) -> str:
    return ngettext("%(n)d turn left", "%(n)d turns left", turns) % {"n": turns}


def title(ruleset: Ruleset) -> str:
    """The title of a game. It has the name of the edition, the times tables or the allowed rows,
    and whether all have one goal. It does not name "Simplified", the edition that classes play
    first."""
    rows = rows_title(ruleset)
    if ruleset.families:
        families = listed([str(FAMILY_NAMES[family]) for family in ruleset.families])
        rows = gettext("%(rows)s, and %(families)s") % {"rows": rows, "families": families}
    if ruleset.edition != "simplified":
        rows = with_explanation(str(EDITION_NAMES[ruleset.edition]), rows)
    return gettext("%(game)s, together") % {"game": rows} if ruleset.is_together else rows


def tables_title(tables: Sequence[int]) -> str:
    text = ngettext("%(tables)s times table", "%(tables)s times tables", len(tables))
    return text % {"tables": listed(tables)}


def _has_all_tables(ruleset: Ruleset) -> bool:
    if ruleset.tables is None:
        return ruleset.counts_back_to == (0,)
    return set(ruleset.tables).issuperset(TABLES_TO_10)


def rows_title(ruleset: Ruleset) -> str:
    if _has_all_tables(ruleset):
        return gettext("All times tables")
    if ruleset.tables is not None:
        return tables_title(ruleset.tables)
    if ruleset.counts_back_to is not None:
        targets = listed(ruleset.counts_back_to, last="or")
        return gettext("Equal jumps that count back to %(targets)s") % {"targets": targets}
    return gettext("Any equal jumps")


PRAISE: Final[dict[Doubling, Promise]] = {
    "same": _("All one colour: double!"),
    "different": _("All colours different: double!"),
}
"""Short praise for a row that has just been laid."""


def earned_text(data: PublicData, ruleset: Ruleset) -> str:
    """The points of a play and what they are for; empty if it earned nothing."""
    count, cards = data["points"], len(data["laid"])
    if not count:
        return ""
    if ruleset.cards_differ:
        text = ngettext(
            "+%(n)d for the dots on %(cards)d card.",
            "+%(n)d for the dots on %(cards)d cards.",
            cards,
        )
    elif ruleset.has_pot:
        text = ngettext("+%(n)d for %(cards)d block.", "+%(n)d for %(cards)d blocks.", cards)
    else:
        text = ngettext("+%(n)d for %(cards)d card.", "+%(n)d for %(cards)d cards.", cards)
    return text % {"n": count, "cards": cards}


def doubling_text(data: PublicData) -> str:
    """Praise for a play that counted double; empty for another."""
    return str(PRAISE[data["colours"]]) if data["points"] and "colours" in data else ""


LONG_ROW: Final = 5
LONG_HARD_ROW: Final = 4
"""The game praises a row for its length from this many cards on, and a row of a hard table."""
GREAT_ROWS: Final = (8, 10)
"""A row with this many cards is celebrated."""


def is_great_row(data: PublicData) -> bool:
    """Whether a play brought its row to a length to celebrate."""
    count = len(data["numbers"])
    return any(count - len(data["laid"]) < length <= count for length in GREAT_ROWS)


def praise(data: PublicData, *, crosses: bool = False) -> str:
    """Praise for a play that counts double, swaps a joker, makes a long row or crosses one; or
    empty."""
    count = len(data["numbers"])
    if doubling_text(data):
        return doubling_text(data)
    if data.get("swapped"):
        return gettext("A clever swap!")
    is_hard = row_table_of(data["numbers"]).times_table in TEACHING_ORDER[5:]
    if count < (LONG_HARD_ROW if is_hard else LONG_ROW):
        return gettext("A row across!") if crosses else ""
    return gettext("A row of %(n)d!") % {"n": count}


def moved_jokers_text(play: Play) -> str:
    """What became of the swapped jokers, and of the cards put in for them; empty for none."""
    text = ngettext(
        "The %(cards)s is where the joker was. The joker is %(numbers)s now.",
        "The %(cards)s are where the jokers were. The jokers are %(numbers)s now.",
        len(play.swaps),
    )
    numbers = listed([number for _, number in play.moved_jokers])
    cards = listed([number for _, number in play.swaps])
    return text % {"cards": cards, "numbers": numbers} if play.swaps else ""


def blocks_left_text(used: int, count_left: int) -> str:
    """The numbers of blocks laid and left. Where rows earn nothing, a play brings only this."""
    text = ngettext("%(n)d block laid: %(left)d left.", "%(n)d blocks laid: %(left)d left.", used)
    return text % {"n": used, "left": count_left}


def swap_text(data: PublicData) -> str:
    """A player's words about the jokers that they swapped; empty for none."""
    swapped = data.get("swapped", ())
    if len(swapped) == 1:
        return gettext("I put the %(number)d where a joker was.") % {"number": swapped[0]}
    text = gettext("I put %(numbers)s where jokers were.")
    return text % {"numbers": listed(swapped)} if swapped else ""


def _last_card_text(data: PublicData, ruleset: Ruleset) -> str:
    """The words of a player who has laid their last card, unless they get new ones."""
    is_out = data.get("last") and not ruleset.refill and not ruleset.is_together
    return gettext("That was my last card.") if is_out else ""


SIGNS: Final[Mapping[str, Promise]] = {
    "well-laid": _("Well laid!"),
    # Translators: a sign to others at the table: somebody wonders
    "hm": _("Hm …"),
    "your-turn": _("Your turn!"),
    "thank-you": _("Thank you!"),
    # Translators: a sign to others at the table: somebody is surprised
    "oh": _("Oh!"),
    "good-game": _("Good game!"),
}
"""The words of the signs that players at a table give each other (`games.play.signs.SIGNS`)."""


def sign_words(name: str, to: str = "") -> str:
    """A sign in words. `to` is the name of the player for whom it is, if it is for one alone."""
    if not to:
        return str(SIGNS[name])
    praise, call = gettext("Well laid, %(name)s!"), gettext("%(name)s, your turn!")
    return (praise if name == "well-laid" else call) % {"name": to}


_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def times_sign() -> str:
    return pgettext("sign of multiplication", "×")


def product(first: int, second: int) -> str:
    return f"{first} {times_sign()} {second}"


def products(pairs: Iterable[Sequence[int]]) -> str:
    return ", ".join(product(*pair) for pair in pairs)


def spoken(first: int, second: int) -> str:
    """The product in words for a screen reader, which would read the sign as a letter or not at
    all."""
    return gettext("%(first)d times %(second)d") % {"first": first, "second": second}


def unbroken(text: str) -> str:
    """The text with no-break spaces in its products."""
    sign = times_sign()
    return re.sub(rf"(?<=\d) {re.escape(sign)} (?=\d)", f"{_NO_BREAK}{sign}{_NO_BREAK}", text)
