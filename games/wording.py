"""The engine's and the coach's findings as sentences that a child reads."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.coach.hints import Hint
from games.coach.refusals import Refusal
from games.coach.times_tables import RowTable, describe
from games.engine.cards import JOKERS, Card, Colour, colour, is_joker
from games.engine.notation import card_text, parse_card, parse_play
from games.engine.ruleset import Ruleset
from games.models import Action

COLOURS: Final[dict[Colour, Promise]] = {
    "red": _("red"),
    "green": _("green"),
    "blue": _("blue"),
    "orange": _("orange"),
}

REFUSED: Final[dict[str, Promise]] = {
    "bad-text": _("Choose cards from your hand first."),
    "wrong-phase": _("It is not the moment for that. Look what comes next."),
    "not-in-hand": _("That card is not in your hand any more."),
    "not-on-table": _("That card is not on the table any more."),
    "not-opened": _(
        "First lay a row of 3 cards or more from your own hand. "
        "After that you can add to the rows on the table."
    ),
    "swap-mismatch": _("To take a joker, put down the number that it stands for."),
    "joker-not-laid": _("A joker that you take must be laid again in the same row."),
    "already-crossed": _("That card already lies in two rows. A card can be crossed only once."),
    "same-island": _("These rows hang together already. Join rows that lie apart."),
    "out-of-range": _("A joker can only be a number that is in the game."),
    "too-short": _("A row needs 3 cards or more."),
    "must-keep-a-card": _("Keep one card: you need it to put one down at the end of your turn."),
    "must-discard": _("Put one card down to end your turn."),
    "pile-empty": _("That pile is empty. Take from the other one."),
    "stale": _("The game had already gone on. This is how it stands now."),
    "one-card": _("Choose the one card that you want to put down."),
    "cards": _("Choose the cards that you want to lay."),
}


def listed(words: Sequence[object], last: str = "") -> str:
    """`2, 5 and 10`, or with `last` another word before the last one."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    both = {"first": ", ".join(texts[:-1]), "last": texts[-1]}
    if last == "or":
        return gettext("%(first)s or %(last)s") % both
    return gettext("%(first)s and %(last)s") % both


def card_name(card: Card, number: int | None = None) -> str:
    """A card as a screen reader says it."""
    hue = str(COLOURS[colour(card)])
    if not is_joker(card):
        return gettext("%(number)d, %(colour)s") % {"number": card, "colour": hue}
    if number is None:
        return gettext("joker, %(colour)s") % {"colour": hue}
    return gettext("joker for %(number)d, %(colour)s") % {"number": number, "colour": hue}


def table_name(table: int) -> str:
    return gettext("%(table)d times table") % {"table": table}


def row_name(row: RowTable) -> str:
    """What table a row is in, in the words that are used everywhere."""
    if row.times_table is not None:
        return table_name(row.times_table)
    if row.step is None:
        return gettext("special row")
    return gettext("steps of %(step)d") % {"step": row.step}


def row_facts(row: RowTable) -> str:
    """The facts of a row in a table; of any other row, how it lies to the tables (rules 2.5)."""
    if row.facts:
        return ", ".join(f"{times} × {table}" for times, table in row.facts)
    if row.common:
        return ngettext(
            "all in the %(tables)s times table",
            "all in the %(tables)s times tables",
            len(row.common),
        ) % {"tables": listed(row.common)}
    if row.step is not None and row.step > 1 and row.offset:
        return gettext("the %(table)s and %(offset)d more") % {
            "table": table_name(row.step),
            "offset": row.offset,
        }
    return ""


def row_label(row: RowTable) -> str:
    """A row on the table as a screen reader says it."""
    told = [listed(row.numbers), row_name(row), row_facts(row)]
    return ": ".join(text for text in told if text)


def first_row(ruleset: Ruleset) -> str:
    """What to lay on an empty table, with an example."""
    if ruleset.tables is None:
        return gettext("Lay the first row: 3 cards or more with equal jumps, like 4, 8, 12.")
    example = ", ".join(str(times * ruleset.tables[0]) for times in (1, 2, 3))
    return gettext(
        "Lay the first row: 3 cards or more of the %(tables)s times table, like %(example)s."
    ) % {"tables": listed(ruleset.tables, last="or"), "example": example}


def points(count: int) -> str:
    return ngettext("That is %(n)d point.", "That is %(n)d points.", count) % {"n": count}


def act(action: Action, ruleset: Ruleset) -> str:
    """What a bot says of its own action; empty for what needs no words."""
    text, seen = action.text, action.data
    if text in ("draw open",) or text.startswith("claim"):
        return gettext("I took the %(card)s.") % {"card": _card_words(seen["card"], ruleset)}
    if text.startswith("discard"):
        card = _card_words(text.split()[1], ruleset)
        return gettext("I put down the %(card)s.") % {"card": card}
    if text.split()[0] in ("draw", "pass", "knock", "end"):
        return ""
    return _play_words(text, seen["numbers"], seen["laid"], seen["points"], ruleset)


def _play_words(
    text: str, numbers: Sequence[int], laid: Sequence[int], earned: int, ruleset: Ruleset
) -> str:
    play = parse_play(text, ruleset)
    row = describe(numbers)
    words = {"cards": listed(laid), "table": row_name(row)}
    if play.lines:
        told = gettext("I added %(cards)s: the %(table)s goes on.") % words
    elif play.across:
        crossed = listed([number for number in numbers if number not in laid])
        told = gettext("I laid %(cards)s across %(crossed)s: %(table)s.") % {
            **words,
            "crossed": crossed,
        }
    else:
        told = gettext("I laid %(cards)s: %(table)s.") % words
    return f"{told} {points(earned)}" if earned else told


def _card_words(text: str, ruleset: Ruleset) -> str:
    card = parse_card(text, ruleset)
    return gettext("joker") if card in JOKERS else card_text(card)


def refusal(refused: Refusal, ruleset: Ruleset) -> str:
    """Why a row cannot be laid, with its jumps where they are the reason."""
    if refused.code != "not-a-sequence" or len(refused.numbers) < 2:
        return str(REFUSED[refused.code])
    if not refused.even:
        return _uneven(refused)
    row = refused.row_table
    assert row is not None
    numbers, step = listed(refused.numbers), row.step
    words = {"numbers": numbers, "step": step}
    if row.offset and (ruleset.tables is None or step in ruleset.tables):
        return (
            gettext("%(numbers)s: you jump %(step)d, but they are not in the %(step)d times table.")
            % words
        )
    wider = [table for table in row.common if ruleset.tables is None or table in ruleset.tables]
    if wider:
        return gettext("%(numbers)s are all in the %(table)s, but you jump %(step)d.") % {
            **words,
            "table": table_name(wider[0]),
        }
    tables = listed(ruleset.tables or (), last="or")
    return gettext(
        "You jump %(step)d. In this game a row must be in the %(tables)s times table."
    ) % {**words, "tables": tables}


def _uneven(refused: Refusal) -> str:
    jumps = ", ".join(
        gettext("%(from)d → %(to)d is %(jump)d")
        % {"from": before, "to": before + jump, "jump": jump}
        for before, jump in zip(refused.numbers, refused.jumps, strict=False)
    )
    if len(set(refused.jumps)) > 1:
        return gettext("%(jumps)s: the jumps must be the same.") % {"jumps": jumps}
    return gettext("%(jumps)s. With the joker that makes no row of this game.") % {"jumps": jumps}


def hint(shown: Hint) -> str:
    """The sentence of a hint's step."""
    if not shown.rows:
        return gettext("There is no row to lay now. Put one card down and see what comes.")
    if shown.step == 1:
        return ngettext(
            "%(n)d row is hiding in your cards.", "%(n)d rows are hiding in your cards.", shown.rows
        ) % {"n": shown.rows}
    assert shown.card is not None
    card = gettext("a joker") if is_joker(shown.card) else str(shown.card)
    if shown.step == 2:
        return gettext("Look at this card: %(card)s. It belongs to a row.") % {"card": card}
    if shown.jump is None:
        return gettext("Start at %(card)s. This row is a special one.") % {"card": card}
    words = {"card": card, "jump": shown.jump}
    if shown.step == 3:
        return gettext("Look at %(card)s and make jumps of %(jump)d.") % words
    assert shown.row_table is not None
    if shown.row_table.times_table is not None:
        return gettext("Look at %(card)s: it is a row of the %(table)s.") % {
            **words,
            "table": table_name(shown.row_table.times_table),
        }
    told = gettext("Look at %(card)s: it is a row with steps of %(jump)d.") % words
    facts = row_facts(shown.row_table)
    return f"{told} {facts}" if facts else told


def title(ruleset: Ruleset) -> str:
    """What a game is about: its tables, or which rows it allows."""
    if ruleset.tables is not None:
        tables = listed(ruleset.tables)
        return ngettext(
            "%(tables)s times table", "%(tables)s times tables", len(ruleset.tables)
        ) % {"tables": tables}
    if ruleset.counts_back_to is not None:
        return gettext("All times tables")
    return gettext("Any equal jumps")
