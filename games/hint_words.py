"""Hints, and ways from one fact to another, as sentences that a child reads."""

from django.utils.translation import gettext, ngettext

from games.coach.facts import Derivation
from games.coach.hints import Hint
from games.engine.cards import is_joker
from games.engine.ruleset import Ruleset
from games.wording import FAMILY_NAMES, family_of, row_facts, table_name


def derivation(way: Derivation) -> str:
    """How one gets from a fact that is known to another one."""
    return f"{derivation_begun(way)} {_end(way)}"


def derivation_begun(way: Derivation) -> str:
    """The same without where it ends."""
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
    """The sentence of a hint's step."""
    if not shown.rows:
        if ruleset.with_pot:
            return gettext("There is no row to lay now. Put one block down and see what comes.")
        return gettext("There is no row to lay now. Put one card down and see what comes.")
    if shown.step == 1:
        return ngettext(
            "%(n)d row is hiding in your cards.", "%(n)d rows are hiding in your cards.", shown.rows
        ) % {"n": shown.rows}
    assert shown.card is not None
    card = gettext("a joker") if is_joker(shown.card) else str(shown.card)
    if shown.step == 2:
        return gettext("Look here: %(card)s. It belongs to a row.") % {"card": card}
    if shown.jump is None:
        family = family_of(shown.row_table, ruleset) if shown.row_table else None
        if family:
            words_of_family = {"card": card, "family": str(FAMILY_NAMES[family])}
            return gettext("Start at %(card)s: it is a row of %(family)s.") % words_of_family
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
    facts = row_facts(shown.row_table, ruleset)
    return f"{told} ({facts})" if facts else told
