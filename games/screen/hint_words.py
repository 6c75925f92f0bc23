"""Hints, and derivations of one fact from another, as sentences for a child."""

from django.utils.translation import gettext, ngettext

from games.coach.facts import Derivation
from games.coach.hints import Hint
from games.coach.times_tables import RowTable
from games.engine.cards import is_joker
from games.engine.ruleset import Ruleset
from games.screen.words import FAMILY_NAMES, family_of, row_facts, row_label, table_name


def derivation(way: Derivation) -> str:
    """How to get from a known fact to another one, in two sentences."""
    return f"{derivation_begun(way)} {_end(way)}"


def derivation_begun(way: Derivation) -> str:
    """The first of these sentences: the known fact."""
    words = {"times": way.known, "table": way.table, "product": way.known_product}
    return gettext("%(times)d × %(table)d is %(product)d.") % words


def _end(way: Derivation) -> str:
    words = {"table": way.table, "product": way.product}
    if way.way == "double":
        return gettext("Twice that is %(product)d.") % words
    if way.way == "half":
        return gettext("Half of that is %(product)d.") % words
    if way.way == "more":
        if way.steps == 1:
            return gettext("One %(table)d more is %(product)d.") % words
        return gettext("Two jumps of %(table)d more: that is %(product)d.") % words
    if way.steps == 1:
        return gettext("One %(table)d less is %(product)d.") % words
    return gettext("Two jumps of %(table)d back: that is %(product)d.") % words


def hint(shown: Hint, ruleset: Ruleset) -> str:
    """The sentence for a hint at its step."""
    if not shown.rows:
        if ruleset.with_pot:
            return gettext("There is no row to lay now. Put one block down and see what comes.")
        if ruleset.ending == "free":
            return gettext("There is no row to lay now. Tap Done and see what comes.")
        return gettext("There is no row to lay now. Put one card down and see what comes.")
    match shown.step:
        case 1:
            return _hiding(shown.rows, ruleset)
        case 2:
            return gettext("Look here: %(card)s. It belongs to a row.") % {"card": _card(shown)}
        case 3:
            return _jumps(shown, ruleset)
        case 4:
            return _named(shown, ruleset)
        case 5:
            return _derived(shown)
    return _whole(shown, ruleset)


def _hiding(rows: int, ruleset: Ruleset) -> str:
    if ruleset.with_pot:
        text = ngettext(
            "%(n)d row is hiding in your blocks.", "%(n)d rows are hiding in your blocks.", rows
        )
    else:
        text = ngettext(
            "%(n)d row is hiding in your cards.", "%(n)d rows are hiding in your cards.", rows
        )
    return text % {"n": rows}


def _card(shown: Hint) -> str:
    assert shown.card is not None
    return gettext("a joker") if is_joker(shown.card) else str(shown.card)


def _jumps(shown: Hint, ruleset: Ruleset) -> str:
    words = {"card": _card(shown), "jump": shown.jump}
    if shown.jump is None:
        return _family(shown, ruleset)
    return gettext("Look at %(card)s and make jumps of %(jump)d.") % words


def _family(shown: Hint, ruleset: Ruleset) -> str:
    """For a row whose jumps differ: that it is special, or its name once that may be shown."""
    family = family_of(shown.row_table, ruleset) if shown.row_table else None
    if family is None:
        text = gettext("Start at %(card)s. This row is a special one: its jumps differ.")
        return text % {"card": _card(shown)}
    words = {"card": _card(shown), "family": str(FAMILY_NAMES[family])}
    return gettext("Start at %(card)s: it is a row of %(family)s.") % words


def _named(shown: Hint, ruleset: Ruleset) -> str:
    row = shown.row_table
    assert row is not None
    words: dict[str, object] = {"card": _card(shown), "jump": shown.jump}
    if row.step is None:
        return _family(shown, ruleset)
    if row.times_table is not None:
        table = table_name(row.times_table)
        return gettext("Look at %(card)s: it is a row of the %(table)s.") % {
            **words,
            "table": table,
        }
    text = gettext("Look at %(card)s: it is a row with steps of %(jump)d.") % words
    facts = row_facts(row, ruleset)
    return f"{text} ({facts})" if facts else text


def _derived(shown: Hint) -> str:
    if shown.derivation is not None:
        values = {"way": derivation(shown.derivation), "number": shown.derivation.product}
        return gettext("%(way)s So %(number)d is in this row.") % values
    row = shown.row_table
    assert row is not None
    first, second = row.numbers[:2]
    words = {"first": first, "second": second, "jump": second - first}
    return gettext("From %(first)d a jump of %(jump)d lands on %(second)d.") % words


def _whole(shown: Hint, ruleset: Ruleset) -> str:
    assert shown.row_table is not None
    return gettext("Here it is. %(row)s") % {"row": whole_row(shown.row_table, ruleset)}


def whole_row(row: RowTable, ruleset: Ruleset) -> str:
    """A row with its table and facts, or that it is in no table, in words."""
    text = f"{row_label(row, ruleset)}."
    if row.common or family_of(row, ruleset):
        return text
    return gettext("%(row)s That is in no times table.") % {"row": text}
