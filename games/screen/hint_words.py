"""Hints and derivations of facts as sentences for a child."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, assert_never

from django.utils.translation import gettext, ngettext

from games.coach.hints import HiddenRow, Hint, HintStep
from games.coach.rows import MissedRow
from games.coach.times_tables import TABLES_TO_12, Derivation, RowTable, is_practised, row_table_of
from games.engine.cards import is_joker
from games.engine.ruleset import Ruleset
from games.engine.view import View
from games.screen.card_drawing import face
from games.screen.hint_pictures import NumberLine, array_of, number_line
from games.screen.view_models import MissedPanel, Notice
from games.screen.words import (
    FAMILY_NAMES,
    family_of,
    joined,
    listed,
    product,
    row_facts,
    row_name,
    table_name,
    unbroken,
    with_explanation,
)

MOST_ROWS_COUNTED: Final = 5
"""If there are more rows than this, a hint says "lots of rows"."""
MOST_FACTS: Final = 5
"""A hint lists the facts of a row only if there are no more than this."""
MOST_NUMBERS_LISTED: Final = 5
"""Of a missed row with more numbers than this, the text names only the first and the last."""
NEAR_CARDS: Final = 2
"""The most cards of a missed row that are shown on each side of those from the hand."""


def known_fact_sentence(way: Derivation) -> str:
    values = {"fact": unbroken(product(way.near_factor, way.table)), "product": way.known_product}
    return gettext("%(fact)s is %(product)d.") % values


def derivation(way: Derivation) -> str:
    """The derivation of a fact from a known one, in two sentences."""
    match way.way, way.steps:
        case "double", _:
            text = gettext("Double that is %(product)d.")
        case "half", _:
            text = gettext("Half of that is %(product)d.")
        case "more", 1:
            text = gettext("One more %(table)d makes %(product)d.")
        case "more", _:
            text = gettext("Two more jumps of %(table)d make %(product)d.")
        case _, 1:
            text = gettext("Take away one %(table)d: that makes %(product)d.")
        case _:
            text = gettext("Go back two jumps of %(table)d: that makes %(product)d.")
    return f"{known_fact_sentence(way)} {text % {'table': way.table, 'product': way.product}}"


def question(row: HiddenRow | None, view: View, tapped: Collection[int]) -> str:
    """A question that a teacher can ask a player who does not see the row. It does not give the row
    away. `tapped` has the numbers that the player tried last."""
    if row is None and view.phase == "play":
        return gettext("Which card can you spare, and why?")
    if row is None or row.take == "open card":
        return gettext("Which card would help you most, and why?")
    if row.cards_for_jokers:
        text = gettext("Where does a joker lie in place of the %(number)d?")
        return text % {"number": row.cards_for_jokers[0]}
    row_table = row_table_of(row.line.numbers)
    if row_table.jump is None:
        family = row_name(row_table, view.ruleset)
        return gettext("Which of your cards are %(family)s?") % {"family": family}
    return next_number(row.line.numbers, {*row.hand_cards, *row.joker_numbers}, tapped)


def next_number(numbers: Sequence[int], hand: Collection[int], tapped: Collection[int] = ()) -> str:
    """A question whose answer is a number of the row that is in the player's `hand`."""
    jumps = [jump for jump in pairwise(numbers) if jump[1] in hand]
    if jumps:
        number, _ = min(jumps, key=lambda jump: (jump[0] not in tapped, jump[1] in tapped))
        text = gettext("Which number comes after %(number)d, in jumps of %(step)d?")
    else:
        number = next(after for before, after in pairwise(numbers) if before in hand)
        text = gettext("Which number comes before %(number)d, in jumps of %(step)d?")
    return text % {"number": number, "step": numbers[1] - numbers[0]}


def hint_text(hint: Hint, ruleset: Ruleset) -> str:
    if not hint.row_count:
        return _no_row(hint, ruleset)
    if hint.step == HintStep.COUNT and hint.take == "open card":
        return joined(_open_card_helps(hint), _your_jokers(hint))
    return joined(_take_first(hint), _about_the_row(hint, ruleset))


def _about_the_row(hint: Hint, ruleset: Ruleset) -> str:
    match HintStep(hint.step):
        case HintStep.COUNT:
            return joined(_place_of_row(hint), _your_jokers(hint))
        case HintStep.CARD:
            return _first_card(hint)
        case HintStep.JUMPS:
            return joined(_swap(hint), _jumps(hint), _cards_of_table(hint))
        case HintStep.TABLE:
            return joined(_swap(hint), _table_of_row(hint, ruleset), _cards_of_table(hint))
        case HintStep.NUMBER if hint.cards_for_jokers:
            return _cards_to_put_in(hint)
        case HintStep.NUMBER:
            return joined(_derived_number(hint), _possible_joker_numbers(hint))
        case HintStep.ROW:
            return joined(
                _swap(hint),
                gettext("Here is the row. %(row)s") % {"row": _whole_row(hint, ruleset)},
                _joker_numbers(hint),
                _cards_of_table(hint),
            )
        case unknown:
            assert_never(unknown)


def _open_card_helps(hint: Hint) -> str:
    if hint.open_card is not None and is_joker(hint.open_card):
        return gettext("Take the joker: it makes a row.")
    if hint.source == "swap":
        text = gettext("Take the %(card)d: then you can swap a joker.")
    elif hint.source == "table":
        text = gettext("Take the %(card)d: it makes a row on the table.")
    else:
        text = gettext("Take the %(card)d: it makes a row with your cards.")
    return text % {"card": hint.open_card}


def _take_first(hint: Hint) -> str:
    """The card to take, in a sentence; empty if the player has already taken one."""
    match hint.take:
        case "open card" if hint.open_card is not None and is_joker(hint.open_card):
            return gettext("Take the joker.")
        case "open card":
            return gettext("Take the %(card)d.") % {"card": hint.open_card}
        case "pile":
            return gettext("First take a card from the pile.")
        case "any card":
            return gettext("First take a card.")
    return ""


def _no_row(hint: Hint, ruleset: Ruleset) -> str:
    if hint.open_card is not None and is_joker(hint.open_card):
        return gettext("No row this time. Take the joker: it helps you most.")
    if hint.open_card is not None:
        text = gettext("No row this time. Take the %(card)d: it helps you most.")
        return text % {"card": hint.open_card}
    if hint.take:
        return gettext("No row this time. Take one from the pile: that helps most.")
    if ruleset.may_keep_all and not ruleset.has_pot:
        return gettext("No row this time: tap “Done” and see what comes.")
    return gettext("No row this time: put one down and see what comes.")


def _place_of_row(hint: Hint) -> str:
    """The number of possible rows and the source of the row of the hint, in a sentence."""
    rows = hint.row_count
    if hint.source == "swap":
        text = ngettext(
            "Swap a joker: then you can make a row.",
            "Swap a joker: then you can make %(n)d rows.",
            rows,
        )
        many_rows = gettext("Swap a joker: then you can make lots of rows.")
    elif hint.source == "table":
        text = ngettext(
            "You can make a row with what is on the table.",
            "You can make %(n)d rows with what is on the table.",
            rows,
        )
        many_rows = gettext("You can make lots of rows with what is on the table.")
    else:
        text = ngettext(
            "A row is hiding in your hand.", "%(n)d rows are hiding in your hand.", rows
        )
        many_rows = gettext("Lots of rows are hiding in your hand.")
    return many_rows if rows > MOST_ROWS_COUNTED else text % {"n": rows}


def _your_jokers(hint: Hint) -> str:
    if not hint.jokers:
        return ""
    return ngettext("Use your joker.", "Use your jokers.", hint.jokers)


def _first_card(hint: Hint) -> str:
    if hint.cards_for_jokers:
        text = ngettext(
            "Look here: %(cards)s. Swap it for the joker on the table.",
            "Look here: %(cards)s. Swap them for the jokers on the table.",
            len(hint.cards_for_jokers),
        )
        return text % {"cards": listed(hint.cards_for_jokers)}
    assert hint.card is not None
    values = {"card": gettext("a joker") if is_joker(hint.card) else str(hint.card)}
    if hint.source == "table":
        return gettext("Look here: %(card)s. It makes a row with what is on the table.") % values
    return gettext("Look here: %(card)s. It belongs to a row.") % values


def _swap(hint: Hint) -> str:
    if not hint.cards_for_jokers:
        return ""
    text = ngettext(
        "Swap your %(cards)s for the joker.",
        "Swap your %(cards)s for the jokers.",
        len(hint.cards_for_jokers),
    )
    return text % {"cards": listed(hint.cards_for_jokers)}


def _cards_to_put_in(hint: Hint) -> str:
    first = ngettext(
        "Put your %(cards)s where the joker is.",
        "Put your %(cards)s where the jokers are.",
        len(hint.cards_for_jokers),
    )
    then = ngettext(
        "Then the joker can be %(numbers)s.",
        "Then the jokers can be %(numbers)s.",
        len(hint.joker_numbers),
    )
    values = {"cards": listed(hint.cards_for_jokers), "numbers": listed(hint.joker_numbers)}
    return joined(first % values, then % values)


def _cards_of_table(hint: Hint) -> str:
    """The cards on the table that the row uses, in a sentence; empty if it uses none."""
    rows = [
        gettext("the row from %(first)d to %(last)d")
        % {"first": line.numbers[0], "last": line.numbers[-1]}
        for line in hint.taken_rows
    ]
    used = [*map(str, hint.crossed_numbers), *rows]
    return gettext("Use %(used)s on the table.") % {"used": listed(used)} if used else ""


def _start(hint: Hint) -> str:
    return gettext("your jokers") if hint.start is None else str(hint.start)


def _jumps(hint: Hint) -> str:
    values = {"card": _start(hint), "jump": hint.jump}
    if hint.jump is None:
        return gettext("Look at %(card)s. This row is special: its jumps are not equal.") % values
    return gettext("Look at %(card)s and make jumps of %(jump)d.") % values


def _table_of_row(hint: Hint, ruleset: Ruleset) -> str:
    """The row's table or family, or the relation of its numbers to a table (rules 2.5)."""
    row = hint.row_table
    assert row is not None
    values: dict[str, object] = {"card": _start(hint)}
    if row.times_table is not None:
        values["table"] = table_name(row.times_table)
        if hint.start is None:
            return gettext("Your jokers make a row of the %(table)s.") % values
        return gettext("Look at %(card)s. It is in a row of the %(table)s.") % values
    if family := family_of(row, ruleset):
        values["family"] = str(FAMILY_NAMES[family])
        return gettext("Look at %(card)s. It is in a row of %(family)s.") % values
    if row.common:
        values["table"] = _common_table(row)
        return gettext("Look at %(card)s. The whole row is in the %(table)s.") % values
    if row.jump is not None and row.offset and row.jump in TABLES_TO_12:
        values |= {"table": table_name(row.jump), "offset": row.offset}
        return (
            gettext("Look at %(card)s. Each number is %(offset)d more than in the %(table)s.")
            % values
        )
    return gettext("Look at %(card)s. It makes a row that is not in any times table.") % values


def _derived_number(hint: Hint) -> str:
    if hint.derivation is not None:
        way, number = derivation(hint.derivation), hint.derivation.product
        if number in hint.joker_numbers:
            return way
        return gettext("%(way)s So %(number)d is in this row.") % {"way": way, "number": number}
    first, second = hint.neighbours
    values = {"first": first, "second": second, "jump": second - first}
    return gettext("From %(first)d a jump of %(jump)d lands on %(second)d.") % values


def _possible_joker_numbers(hint: Hint) -> str:
    if not hint.joker_numbers:
        return ""
    text = ngettext(
        "So your joker can be %(numbers)s.",
        "So your jokers can be %(numbers)s.",
        len(hint.joker_numbers),
    )
    return text % {"numbers": listed(hint.joker_numbers)}


def _joker_numbers(hint: Hint) -> str:
    if not hint.joker_numbers:
        return ""
    text = ngettext(
        "The joker is %(numbers)s.", "The jokers are %(numbers)s.", len(hint.joker_numbers)
    )
    return text % {"numbers": listed(hint.joker_numbers)}


def _whole_row(hint: Hint, ruleset: Ruleset) -> str:
    """The row with its table and facts, or with the remark that it is in no table."""
    row = hint.row_table
    assert row is not None
    values = {"row": f"{listed(row.numbers)}."}
    if row.times_table is None and not family_of(row, ruleset):
        if not row.common:
            return gettext("%(row)s This row is not in any times table.") % values
        values["table"] = _common_table(row)
        return gettext("%(row)s They are all in the %(table)s.") % values
    # Facts help a child if there are few and all are practised.
    is_few = len(row.facts) <= MOST_FACTS
    are_practised = all(is_practised(*pair, ruleset.tables or ()) for pair in row.facts)
    facts = row_facts(row, ruleset) if is_few and are_practised else ""
    values |= {"row": listed(row.numbers), "table": row_name(row, ruleset)}
    name = gettext("%(row)s: %(table)s") % values
    if facts and row.times_table is not None:
        name = with_explanation(gettext("%(row)s, in the %(table)s") % values, facts)
    elif facts:
        name = with_explanation(gettext("%(row)s, a row of %(table)s") % values, facts)
    return f"{name}."


def _common_table(row: RowTable) -> str:
    """The name of a table that has all numbers of a row, if possible a table that is taught."""
    taught = [table for table in row.common if table in TABLES_TO_12]
    return table_name((taught or row.common)[0])


def hint_notice(hint: Hint, ruleset: Ruleset, *, is_too_soon: bool) -> Notice:
    """A hint with its picture: a number line, or an array of dots for doubling and halving."""
    text = hint_text(hint, ruleset)
    if is_too_soon:
        text = gettext("Read this hint once more. Then you can ask for the next one. %(hint)s") % {
            "hint": text
        }
    way = hint.derivation
    array = array_of(way) if way is not None and way.way in ("double", "half") else None
    return Notice(
        "hint",
        unbroken(text),
        line=None if array else _line_of_hint(hint),
        array=array,
        row_cards=tuple(face(card, ruleset, number) for card, number in hint.row_cards),
    )


def _line_of_hint(hint: Hint) -> NumberLine | None:
    """The number line of a hint. Until the whole row is shown, some of its numbers are question
    marks."""
    way = hint.derivation
    if way is not None:
        return _line_of_derivation(way)
    line = number_line(hint.number_line) if hint.jump is not None else None
    if line is None or hint.step >= HintStep.ROW:
        return line
    labelled = {str(number) for number in hint.labelled}
    points = tuple(p if p.label in labelled else replace(p, label="?") for p in line.points)
    return replace(line, points=points)


def _line_of_derivation(way: Derivation) -> NumberLine | None:
    """The number line from the known product to the derived one, jump by jump."""
    ends = sorted((way.known_product, way.product))
    line = number_line(range(ends[0], ends[1] + 1, way.table))
    if line is None or way.way == "more":
        return line
    jumps = tuple(replace(jump, label=jump.label.replace("+", "−")) for jump in line.jumps)
    return replace(line, jumps=jumps)


def missed_panel(missed_row: MissedRow, ruleset: Ruleset) -> MissedPanel:
    """The panel that shows a missed row: its cards from the hand, and the cards near them."""
    own = [index for index, card in enumerate(missed_row.cards) if card in missed_row.hand_cards]
    near = missed_row.cards[max(0, own[0] - NEAR_CARDS) : own[-1] + NEAR_CARDS + 1]
    values = frozenset(face(card, ruleset, number).value for card, number in missed_row.hand_cards)
    faces = tuple(face(card, ruleset, number) for card, number in near)
    return MissedPanel(faces, values, _missed_text(missed_row, own, ruleset))


def _missed_text(missed_row: MissedRow, own: Sequence[int], ruleset: Ruleset) -> str:
    """A sentence about a missed row. `own` has the indices of its cards from the hand."""
    numbers = missed_row.row.numbers
    first, last = own[0], own[-1]
    text = gettext("You could have laid %(row)s (%(table)s).")
    beside = 0
    if missed_row.play.across and not missed_row.play.lines:
        text = gettext("You could have laid %(cards)s across %(crossed)s (%(table)s).")
    elif len(missed_row.play.lines) == 1 and last - first < len(own):
        if last == len(numbers) - 1:
            text = gettext("You could have added %(cards)s after %(beside)d (%(table)s).")
            beside = numbers[first - 1]
        elif first == 0:
            text = gettext("You could have added %(cards)s before %(beside)d (%(table)s).")
            beside = numbers[last + 1]
    return text % {
        "row": listed(numbers)
        if len(numbers) <= MOST_NUMBERS_LISTED
        else f"{numbers[0]} … {numbers[-1]}",
        "cards": listed([number for _, number in missed_row.hand_cards]),
        "crossed": listed([number for _, number in missed_row.play.across]),
        "beside": beside,
        "table": row_name(missed_row.row, ruleset),
    }
