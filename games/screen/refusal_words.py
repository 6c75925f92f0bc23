"""Why nothing was laid or done, in words for a child."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.coach.refusals import Refusal
from games.coach.times_tables import RowTable
from games.engine.errors import Code
from games.engine.ruleset import Ruleset
from games.forms import Need
from games.screen import words

RefusalReason = Code | Need | Literal["stale"]
"""Why nothing was done: a code of the engine, the form or the service."""
REASONS: Final[frozenset[RefusalReason]] = frozenset((*get_args(Code), *get_args(Need), "stale"))

REFUSED: Final[dict[RefusalReason, Promise]] = {
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
    "not-a-sequence": _("These cards make no row. Try other cards."),
    "must-keep-a-card": _("Keep one card: you need it to put one down at the end of your turn."),
    "must-discard": _("Put one card down to end your turn."),
    "pile-empty": _("That pile is empty. Take from the other one."),
    "stale": _("The game had already gone on. This is how it stands now."),
    "one-card": _("Choose the one card that you want to put down."),
    "cards": _("Choose the cards that you want to lay."),
}

OF_BLOCKS: Final[dict[RefusalReason, Promise]] = {
    "bad-text": _("Choose blocks from your hand first."),
    "not-in-hand": _("That block is not in your hand any more."),
    "not-on-table": _("That block is not on the table any more."),
    "not-opened": _(
        "First lay a row of 3 blocks or more from your own hand. "
        "After that you can add to the rows on the table."
    ),
    "already-crossed": _("That block already lies in two rows. A block can be crossed only once."),
    "too-short": _("A row needs 3 blocks or more."),
    "not-a-sequence": _("These blocks make no row. Try other blocks."),
    "must-keep-a-card": _("Keep one block: you need it to put one down at the end of your turn."),
    "must-discard": _("Put one block down to end your turn."),
    "one-card": _("Choose the one block that you want to put down."),
    "cards": _("Choose the blocks that you want to lay."),
}
"""The same for games with blocks."""


def refused(reason: RefusalReason, ruleset: Ruleset) -> str:
    """The sentence for a code of the engine, the form or the service."""
    if ruleset.with_pot and reason in OF_BLOCKS:
        return str(OF_BLOCKS[reason])
    return str(REFUSED[reason])


def refusal(refused_row: Refusal, ruleset: Ruleset) -> str:
    """Why a row cannot be laid, with its jumps if they are the reason."""
    if refused_row.code != "not-a-sequence":
        return refused(refused_row.code, ruleset)
    if refused_row.twice is not None:
        text = gettext("%(number)d is there twice. A row has each number once.")
        return text % {"number": refused_row.twice}
    if len(refused_row.numbers) < 2:
        return _with_jokers_alone(refused_row, ruleset)
    row = refused_row.row_table
    if not refused_row.even or row is None or row.step is None:
        return _uneven(refused_row, ruleset)
    if ruleset.tables is None:
        return _beside(refused_row, row, ruleset)
    return _beside_the_tables(refused_row, row, ruleset.tables)


def _with_jokers_alone(refused_row: Refusal, ruleset: Ruleset) -> str:
    """For one number or none, with only jokers besides."""
    if not refused_row.numbers:
        return refused("not-a-sequence", ruleset)
    (number,) = refused_row.numbers
    tables = ruleset.tables or ()
    if tables and not ruleset.families and all(number % table for table in tables):
        values = {"number": number, "tables": words.listed(tables, last="or")}
        return gettext("%(number)d is not in the %(tables)s times table.") % values
    text = gettext("With these jokers %(number)d makes no row of this game.")
    return text % {"number": number}


def _beside_the_tables(refused_row: Refusal, row: RowTable, tables: Sequence[int]) -> str:
    """For equal jumps that make no row of this game's tables (rules 2.6)."""
    values = {"numbers": words.listed(refused_row.numbers), "step": row.step}
    if row.step in tables:
        return _not_in_table(values) if row.offset else _with_joker(_jumps(refused_row))
    wider = [table for table in row.common if table in tables and table != row.step]
    if wider:
        return gettext("%(numbers)s are all in the %(table)s, but you jump %(step)d.") % {
            **values,
            "table": words.table_name(wider[0]),
        }
    return gettext(
        "You jump %(step)d. In this game a row must be in the %(tables)s times table."
    ) % {**values, "tables": words.listed(tables, last="or")}


def _beside(refused_row: Refusal, row: RowTable, ruleset: Ruleset) -> str:
    """For equal jumps that count back to a wrong number for this game (rules 2.3)."""
    back = ruleset.counts_back_to
    if back is None or row.offset in back:
        return _with_joker(_jumps(refused_row))
    values = {"numbers": words.listed(refused_row.numbers), "step": row.step}
    if back == (0,):
        return _not_in_table(values)
    return gettext(
        "%(numbers)s: counted back in jumps of %(step)d you reach %(reached)d, not %(targets)s."
    ) % {**values, "reached": row.offset, "targets": words.listed(back, last="or")}


def _not_in_table(values: Mapping[str, object]) -> str:
    return (
        gettext("%(numbers)s: you jump %(step)d, but they are not in the %(step)d times table.")
        % values
    )


def _uneven(refused_row: Refusal, ruleset: Ruleset) -> str:
    jumps = _jumps(refused_row)
    if len(set(refused_row.jumps)) == 1:
        return _with_joker(jumps)
    if ruleset.families:
        names = [str(words.FAMILY_NAMES[family]) for family in ruleset.families]
        return gettext(
            "%(jumps)s: the jumps must be the same, or it must be a row of %(families)s."
        ) % {"jumps": jumps, "families": words.listed(names, last="or")}
    return gettext("%(jumps)s: the jumps must be the same.") % {"jumps": jumps}


def _jumps(refused_row: Refusal) -> str:
    return ", ".join(
        gettext("%(from)d → %(to)d is %(jump)d")
        % {"from": before, "to": before + jump, "jump": jump}
        for before, jump in zip(refused_row.numbers, refused_row.jumps, strict=False)
    )


def _with_joker(jumps: str) -> str:
    return gettext("%(jumps)s. With the joker that makes no row of this game.") % {"jumps": jumps}
