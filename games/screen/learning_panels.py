"""Prepares the panels that teach a player at the table, for the templates: hints and missed
rows."""

from dataclasses import replace

from django.utils.translation import gettext

from games.coach.facts import Derivation
from games.coach.hints import LAST_STEP, Hint
from games.coach.missed import MissedRow
from games.engine.ruleset import Ruleset
from games.screen import hint_words, words
from games.screen.card_drawing import face, unbroken
from games.screen.pictures.arrays import Array, array_of
from games.screen.pictures.number_line import NumberLine, number_line
from games.screen.view_models import Face, MissedPanel, Notice


def hint_notice(hint: Hint, ruleset: Ruleset, *, too_soon: bool) -> Notice:
    """A hint with its picture: a number line, or an array of dots for doubling and halving."""
    text = hint_words.hint(hint, ruleset)
    if too_soon:
        text = gettext("Read this hint once more. Then you can ask for the next one. %(hint)s") % {
            "hint": text
        }
    array = _array(hint)
    return Notice(
        "hint",
        unbroken(text),
        line=None if array else _line(hint),
        array=array,
        whole=_whole(hint, ruleset),
    )


def _line(hint: Hint) -> NumberLine | None:
    """The number line of a hint. Before the last step, some numbers of the row are question
    marks."""
    way = hint.derivation
    if way is not None:
        return _way_line(way)
    line = number_line(hint.line) if hint.jump is not None else None
    if line is None or hint.step >= LAST_STEP:
        return line
    labelled = {str(number) for number in hint.labelled}
    points = tuple(p if p.label in labelled else replace(p, label="?") for p in line.points)
    return replace(line, points=points)


def _way_line(way: Derivation) -> NumberLine | None:
    """The number line from the known product to the derived one, jump by jump."""
    ends = sorted((way.known_product, way.product))
    line = number_line(range(ends[0], ends[1] + 1, way.table))
    if line is None or way.way == "more":
        return line
    back = tuple(replace(jump, label=jump.label.replace("+", "−")) for jump in line.jumps)
    return replace(line, jumps=back)


def _array(hint: Hint) -> Array | None:
    way = hint.derivation
    return array_of(way) if way is not None and way.way in ("double", "half") else None


def _whole(hint: Hint, ruleset: Ruleset) -> tuple[Face, ...]:
    return tuple(face(laid.card, ruleset, laid.number) for laid in hint.whole)


def missed_panel(missed: MissedRow, ruleset: Ruleset) -> MissedPanel:
    """A friendly look back at a missed row, with the real cards."""
    faces = tuple(face(laid.card, ruleset, laid.number) for laid in missed.cards)
    own = frozenset(face(laid.card, ruleset, laid.number).value for laid in missed.own)
    return MissedPanel(faces, own, _missed_text(missed, ruleset))


def _missed_text(missed: MissedRow, ruleset: Ruleset) -> str:
    values = {
        "table": words.row_name(missed.row, ruleset),
        "row": words.listed(missed.row.numbers),
    }
    if missed.put_down is not None:
        values["card"] = words.card_short(missed.put_down)
        text = gettext("You put the %(card)s down: %(row)s was there (%(table)s).")
    elif missed.play.touches_table:
        own = [gettext("the %(card)d") % {"card": laid.number} for laid in missed.own]
        values["cards"] = words.listed(own)
        text = gettext("You could have added %(cards)s. That makes %(row)s (%(table)s).")
    elif missed.row.times_table is not None:
        text = gettext("You could have laid a row of the %(table)s: %(row)s.")
    else:
        text = gettext("You could have laid a row: %(row)s (%(table)s).")
    return text % values
