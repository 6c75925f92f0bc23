"""The reasons why a move did nothing, in words for a child."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, get_args

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.coach import sample_rows
from games.coach.refusals import Refusal, explain_refusal
from games.coach.times_tables import RowTable
from games.engine.cards import mask_of
from games.engine.errors import Code
from games.engine.play_application import Position
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Table
from games.play.posted_move import MissingChoice
from games.screen import words

RefusalReason = Code | MissingChoice | Literal["stale"]
"""Why a move did nothing: a code of the engine, of the form or of the service."""
REASONS: Final[frozenset[RefusalReason]] = frozenset(
    (*get_args(Code), *get_args(MissingChoice), "stale")
)

REFUSALS: Final[dict[RefusalReason, Promise]] = {
    "bad-text": _("The game does not understand that. Choose anew."),
    "wrong-phase": _("You cannot do that now. See what you can do next."),
    "not-in-hand": _("That is not in your hand any more."),
    "not-on-table": _("That is not on the table any more."),
    "not-opened": _(
        "First lay a row of 3 or more from your own hand. "
        "After that you can add to the rows on the table."
    ),
    "swap-mismatch": _("To take a joker, put the number that it stands for in its place."),
    "joker-not-laid": _("When you take a joker, lay it in your new row."),
    "already-crossed": _(
        "You cannot cross this number. It is in two rows already, or in a row you chose."
    ),
    "same-island": _("Some of these are already connected. Choose only rows that are apart."),
    "out-of-range": _("A joker can only be a number that is in the game."),
    "too-short": _("A row needs 3 numbers or more."),
    "not-a-sequence": _("That is not a row in this game."),
    "must-keep-a-card": _("Keep one to put down at the end of your turn."),
    "must-discard": _("Put one down to end your turn."),
    "pile-empty": _("That pile is empty. Take from the other one."),
    "stale": _("The game has already moved on. This is how it looks now."),
    "one-card": _("Choose one to put down."),
    "cards": _("Choose what you want to lay."),
}

MOST_TABLES_LISTED: Final = 4
"""A refusal lists the tables of a game only if there are no more than this."""


def reason_text(reason: RefusalReason) -> str:
    return str(REFUSALS[reason])


def refusal_text(refused_row: Refusal, ruleset: Ruleset) -> str:
    """Why the chosen cards cannot be laid. If the jumps are the reason, the sentence names them."""
    match refused_row.code:
        case "not-a-sequence":
            text = _no_row(refused_row, ruleset)
            return text[:1].upper() + text[1:]
        case "already-crossed" if refused_row.card_in_two_rows is not None:
            return gettext("%(number)d is already in two rows. You cannot cross it again.") % {
                "number": refused_row.card_in_two_rows
            }
        case "too-short" if refused_row.card_put_in is not None:
            return gettext("Now choose cards for a row with the joker.")
        case "too-short" if refused_row.joker_number is not None:
            return _joker_tapped(refused_row)
        case "too-short" if refused_row.jokers:
            more = gettext("Choose one more for your row.")
            return words.joined(reason_text("too-short"), more)
        case "same-island" if refused_row.cards_in_one_row:
            return gettext(
                "%(numbers)s are in the same row. Choose one of them, or the whole row."
            ) % {"numbers": words.listed(refused_row.cards_in_one_row)}
        case "same-island":
            return gettext(
                "These rows are already connected. You can only join rows that are apart."
            )
        case "bad-text":
            return reason_text("cards")
    return reason_text(refused_row.code)


def _joker_tapped(refused_row: Refusal) -> str:
    values = {"number": refused_row.joker_number}
    if refused_row.can_swap:
        return gettext("This joker is %(number)d. Choose your %(number)d too, to swap it.") % values
    text = gettext("This joker is %(number)d. Choose one more for your row.")
    return text % values


def _no_row(refused_row: Refusal, ruleset: Ruleset) -> str:
    if refused_row.card_put_in is not None:
        return _useless_swap(refused_row.card_put_in)
    if refused_row.repeated_number is not None:
        text = gettext("%(number)d is in your row twice. Use each number only once.")
        return text % {"number": refused_row.repeated_number}
    row = refused_row.row_table if refused_row.has_equal_jumps else None
    has_jump = row is not None and row.jump in (ruleset.tables or ())
    if not has_jump and (stray := _in_no_table(refused_row.numbers, ruleset)):
        return stray
    if len(refused_row.numbers) < 2:
        return _jokers_alone(refused_row)
    if not refused_row.has_equal_jumps:
        return _row_with_unequal_jumps(refused_row, ruleset)
    if row is None or row.jump is None:
        return _with_joker_text(refused_row)
    if ruleset.tables is None:
        return _outside_table(refused_row, row, ruleset)
    return _outside_tables(refused_row, row, ruleset.tables, ruleset)


def _in_no_table(numbers: Sequence[int], ruleset: Ruleset) -> str:
    """A sentence about the first number that no row of this game can have; empty for none."""
    tables = ruleset.tables or ()
    strays = [number for number in numbers if all(number % table for table in tables)]
    if not (tables and strays) or ruleset.families:
        return ""
    values = {"number": strays[0], "tables": words.listed(tables, last="or")}
    if _are_many(tables):
        return gettext("%(number)d is in no times table of this game.") % values
    text = ngettext(
        "%(number)d is not in the %(tables)s times table.",
        "%(number)d is not in the %(tables)s times table.",
        len(tables),
    )
    return text % values


def _are_many(tables: Sequence[int]) -> bool:
    """Whether there are too many tables to list, and none is missing between the first and the
    last, so that these two name them all."""
    return len(tables) > MOST_TABLES_LISTED and tables[-1] - tables[0] == len(tables) - 1


def _useless_swap(number: int) -> str:
    text = gettext("You can swap %(number)d for the joker. But then the joker makes no row here.")
    return text % {"number": number}


def _jokers_alone(refused_row: Refusal) -> str:
    if not refused_row.numbers:
        text = gettext("%(count)d jokers are not a row in this game.")
        return text % {"count": refused_row.jokers}
    text = gettext("With these jokers, %(number)d does not make a row in this game.")
    return text % {"number": refused_row.numbers[0]}


def _outside_tables(
    refused_row: Refusal, row: RowTable, tables: Sequence[int], ruleset: Ruleset
) -> str:
    """Why a row with equal jumps is refused if it is in none of this game's tables (rules 2.6)."""
    if row.jump in tables:
        return _not_in_table(refused_row, row) if row.offset else _with_joker_text(refused_row)
    text = gettext("Your jumps are %(step)d: make jumps of %(tables)s.")
    values = {"step": row.jump, "tables": _jumps_allowed(tables)}
    row_text = ""
    if row.numbers != refused_row.numbers:
        row_text = ngettext(
            "With the joker you get %(numbers)s.",
            "With the jokers you get %(numbers)s.",
            refused_row.jokers,
        ) % {"numbers": words.listed(row.numbers)}
    return words.joined(row_text, text % values, _or_of_family(ruleset))


def _jumps_allowed(tables: Sequence[int]) -> str:
    if _are_many(tables):
        return gettext("%(first)s to %(last)s") % {"first": tables[0], "last": tables[-1]}
    return words.listed(tables, last="or")


def _or_of_family(ruleset: Ruleset) -> str:
    if not ruleset.families:
        return ""
    names = [words.FAMILY_NAMES[family] for family in ruleset.families]
    return gettext("Or make a row of %(families)s.") % {"families": words.listed(names, last="or")}


def _outside_table(refused_row: Refusal, row: RowTable, ruleset: Ruleset) -> str:
    """Why a row with equal jumps is refused if counting back ends at a number that this game does
    not allow (rules 2.3)."""
    counts_back_to = ruleset.counts_back_to
    if counts_back_to is None or row.jump == 1 or row.offset in counts_back_to:
        return _with_joker_text(refused_row)
    if counts_back_to == (0,):
        return _not_in_table(refused_row, row)
    values = {"numbers": words.listed(row.numbers), "step": row.jump}
    return gettext(
        "%(numbers)s: count back in jumps of %(step)d. You land on %(reached)d, not on %(targets)s."
    ) % {**values, "reached": row.offset, "targets": words.listed(counts_back_to, last="or")}


def _not_in_table(refused_row: Refusal, row: RowTable) -> str:
    text = gettext("Your jumps are %(step)d, but %(number)d is not in the %(step)d times table.")
    return text % {"step": row.jump, "number": refused_row.numbers[0]}


def _row_with_unequal_jumps(refused_row: Refusal, ruleset: Ruleset) -> str:
    if len(set(refused_row.jumps)) == 1:
        return _with_joker_text(refused_row)
    values = {"jumps": words.listed(refused_row.jumps)}
    if ruleset.tables:
        values["tables"] = _jumps_allowed(ruleset.tables)
        text = gettext("Your jumps are %(jumps)s. Make the same jump each time: %(tables)s.")
    else:
        text = gettext("Your jumps are %(jumps)s. Make the same jump each time.")
    return f"{text % values} {_or_of_family(ruleset)}".rstrip()


def _jumps(refused_row: Refusal) -> str:
    return ", ".join(
        gettext("from %(from)d to %(to)d is %(jump)d")
        % {"from": before, "to": before + jump, "jump": jump}
        for before, jump in zip(refused_row.numbers, refused_row.jumps, strict=False)
    )


def _with_joker_text(refused_row: Refusal) -> str:
    return ngettext(
        "%(jumps)s. With the joker, that is not a row in this game.",
        "%(jumps)s. With the jokers, that is not a row in this game.",
        refused_row.jokers,
    ) % {"jumps": _jumps(refused_row)}


class SampleText(NamedTuple):
    """The numbers of a sample row as text, and why they are a row or not."""

    row: str
    reason: str


def samples(ruleset: Ruleset) -> dict[str, list[SampleText]]:
    """A few rows that the ruleset allows and a few that it refuses, in the language of the page."""
    allowed, refused = sample_rows.samples(ruleset)
    return {
        "allowed": [SampleText(_text(row), _name(row, ruleset)) for row in allowed],
        "refused": [SampleText(_text(row), _refusal_of_sample(row, ruleset)) for row in refused],
    }


def _name(sample: sample_rows.SampleRow, ruleset: Ruleset) -> str:
    facts = words.row_facts(sample.row, ruleset)
    name = words.row_name(sample.row, ruleset)
    return words.with_explanation(name, facts) if facts else name


def _refusal_of_sample(sample: sample_rows.SampleRow, ruleset: Ruleset) -> str:
    """The refusal of a sample row in a game, from a hand that has one more card."""
    spare = next(n for n in range(1, SHORTEST + 2) if n not in sample.numbers)
    hand = mask_of([*sample.numbers, spare])
    position = Position(ruleset, Table(), hand, False)
    return refusal_text(explain_refusal(position, sample.numbers, ()), ruleset)


def _text(sample: sample_rows.SampleRow) -> str:
    return ", ".join(map(str, sample.numbers))
