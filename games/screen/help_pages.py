"""The rules for players: the page of an edition, and the help during a game.

The page has a few sentences and a drawing of each kind of play. The help shows the player's options
at each moment of a turn. The engine makes the plays for both.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final, Literal

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.coach.times_tables import row_table_of
from games.engine.cards import Card, mask_of
from games.engine.errors import ActionRefused
from games.engine.layout.table_layout import Layout, layout
from games.engine.play_application import Position, make_play
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Table
from games.engine.text.notation import parse_play, parse_table
from games.screen import words
from games.screen.card_drawing import TableDrawing, face, new_cards
from games.screen.view_models import Face, TableCard, TableRow
from games.screen.words import unbroken

PlayKind = Literal["lay", "add", "insert", "cross", "join", "link", "joker", "swap"]

Example = tuple[tuple[str, ...], str]
"""The rows on the table and the play, in the notation of docs/plays.md."""

EXAMPLES: Final[dict[PlayKind, Example]] = {
    "lay": ((), "12 16 20"),
    "add": (("12-16-20",), "24 to 12-16-20"),
    "insert": (("10-20-30",), "15 25 to 10-20-30"),
    "cross": (("10-20-30",), "15 25 across 20"),
    "join": (("3-6-9", "15-18-21"), "12 to 3-6-9 15-18-21"),
    "link": (("19-20-21", "29-30-31"), "25 across 20 30"),
    "joker": ((), "10 a=20 30"),
    "swap": (("10-a=20-30",), "a=40 to 10-a=20-30 swap 20 for a"),
}

EXAMPLES_OF_TABLE: Final[dict[PlayKind, Example]] = {
    "lay": ((), "{1} {2} {3}"),
    "add": (("{1}-{2}-{3}",), "{4} to {1}-{2}-{3}"),
    "cross": (("10-20-30",), "15 25 across 20"),
    "join": (("{1}-{2}-{3}", "{5}-{6}-{7}"), "{4} to {1}-{2}-{3} {5}-{6}-{7}"),
    "link": (("15-20-25", "35-40-45"), "30 across 20 40"),
    "joker": ((), "{1} a={2} {3}"),
    "swap": (("{1}-a={2}-{3}",), "a={4} to {1}-a={2}-{3} swap {2} for a"),
}
"""Examples for games where only some times tables count: `{3}` is 3 times the first table."""

SPARE_CARD: Final = 47
"""A card that stays in the hand, because in some editions a play may not lay the last card."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    cards: tuple[TableCard, ...]
    rows: tuple[TableRow, ...]

    @property
    def label(self) -> str:
        return "; ".join(row.label for row in self.rows)


@dataclass(frozen=True, slots=True)
class PlayExample:
    before: DrawnTable | None
    hand: tuple[Face, ...]
    after: DrawnTable


def example(kind: PlayKind, ruleset: Ruleset) -> PlayExample:
    """The example of a kind of play. Raises `ActionRefused` if the ruleset does not allow it."""
    if ruleset.tables is None or kind not in EXAMPLES_OF_TABLE:
        return _example(*EXAMPLES[kind], ruleset)
    return _example(*_example_of_table(kind, ruleset.tables[0]), ruleset)


def _example_of_table(kind: PlayKind, table: int) -> Example:
    lines, text = EXAMPLES_OF_TABLE[kind]
    times = [table * number for number in range(8)]
    return tuple(line.format(*times) for line in lines), text.format(*times)


def _example(lines: Sequence[str], text: str, ruleset: Ruleset) -> PlayExample:
    table = parse_table(lines, ruleset)
    play = parse_play(text, ruleset)
    if any(line.mask not in ruleset.sequences.rows for line in table.lines):
        raise ActionRefused("not-a-sequence", "a row of the table is none")
    swapped = {swap.card for swap in play.swaps}
    laid_cards = [card for card, _ in play.hand if card not in swapped]
    hand_cards = sorted([*laid_cards, *(swap.number for swap in play.swaps)])
    position = Position(ruleset, table, mask_of((*hand_cards, SPARE_CARD)), has_opened=True)
    layout_before = layout(table, Layout())
    result = make_play(position, play)
    return PlayExample(
        _draw_table(table, layout_before, ruleset) if lines else None,
        tuple(face(card, ruleset) for card in hand_cards),
        _draw_table(
            result.table, layout(result.table, layout_before), ruleset, new=new_cards(play)
        ),
    )


def _draw_table(
    table: Table, placed: Layout, ruleset: Ruleset, new: Sequence[Card] = ()
) -> DrawnTable:
    drawing = TableDrawing(table, ruleset, laid_at=dict.fromkeys(new, (1, 0)))
    cards: list[TableCard] = []
    rows: list[TableRow] = []
    shift = 0
    for island in placed.islands:
        cards += drawing.cards(island, shift)
        rows += drawing.rows(island, shift)
        shift += island.columns + 1
    return DrawnTable(tuple(cards), tuple(rows))


@dataclass(frozen=True, slots=True)
class PlayRule:
    name: str
    text: str
    example: PlayExample


PLAYS: Final[dict[PlayKind, tuple[Promise, Promise]]] = {
    "lay": (_("Lay a row"), _("From your own hand.")),
    # Translators: to make a row longer; the name of a move
    "add": (_("Add"), _("Make a row on the table longer, at the beginning or at the end.")),
    "insert": (_("Put between"), _("Now the jumps are smaller, but all equal.")),
    "cross": (_("Cross"), _("Now one number is in two rows.")),
    # Translators: two rows become one; the name of a move
    "join": (_("Join"), _("Two rows become one.")),
    # Translators: a new row crosses two rows; the name of a move
    "link": (_("Link"), _("A new row crosses two other rows.")),
    "joker": (
        _("Joker"),
        _("It can be any number you need. Once it is on the table, it stays that number."),
    ),
    "swap": (
        _("Swap a joker"),
        _("Put the real number where the joker is. Then use the joker again straight away."),
    ),
}


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules on a page. `goal`, `turn`, `rows` and `end` have sentences. `other_editions` has
    each edition's name in the code and its name on the page."""

    edition: str
    name: str
    goal: tuple[str, ...]
    turn: tuple[str, ...]
    rows: tuple[str, ...]
    plays: tuple[PlayRule, ...]
    end: tuple[str, ...]
    other_editions: tuple[tuple[str, str], ...]


def rules_page(ruleset: Ruleset, *, is_game: bool = False) -> RulesPage:
    """The rules of an edition, or of a game with its own settings, in the language of the page."""
    return RulesPage(
        edition=ruleset.edition,
        name=str(words.EDITION_NAMES[ruleset.edition]),
        goal=tuple(_goal(ruleset)),
        turn=tuple(_blocks_turn(ruleset) if ruleset.has_pot else _cards_turn(ruleset)),
        rows=tuple(_rows(ruleset, is_game)),
        plays=tuple(_plays(ruleset)),
        end=tuple(_end(ruleset)),
        other_editions=tuple((name, str(words.EDITION_NAMES[name])) for name in EDITIONS),
    )


def _goal(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.is_together:
        yield gettext("Build one bridge together. Nobody wins alone.")
        yield gettext("Each point is one plank. Finish it before the round is over.")
        yield from _points(ruleset)
    elif ruleset.fewest_wins:
        yield gettext("Get rid of your blocks by laying rows.")
        yield gettext(
            "Each block left in your hand costs 1 penalty point. A joker costs 3. The "
            "player with the fewest points wins."
        )
    elif ruleset.counts_rounds:
        yield gettext(
            "Get rid of your blocks by laying rows. The first player with none left wins."
        )
    else:
        yield gettext("Score points by laying rows.")
        yield from _points(ruleset)


def _points(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.cards_differ:
        yield gettext("The dots on a card are its points: 1, 2 or 3. A joker has none.")
    elif ruleset.has_pot:
        yield gettext("Each block that you lay is worth 1 point.")
    else:
        yield gettext("Each card that you lay is worth 1 point.")
    if set(ruleset.doubling) == {"same", "different"}:
        yield gettext(
            "A row all in one colour counts double. So does a row where every colour is different."
        )
    elif ruleset.doubling:
        yield gettext("A row all in one colour counts double.")


def _cards_turn(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.market:
        yield gettext("Take: a card from the pile, or any open one.")
    else:
        yield gettext("Take: a card from the pile, or the open one.")
    if ruleset.offers:
        yield gettext(
            "If you do not take the open card, the others may take it. They get one from the "
            "pile as well."
        )
    yield gettext("Lay: as many rows as you like, or none.")
    if ruleset.opening:
        yield gettext("Your first row of a round comes from your own hand. It has 3 cards or more.")
    if ruleset.may_keep_all:
        yield gettext("Put one card down, if you like. Then you are done.")
    elif ruleset.may_empty_hand:
        yield gettext("Put one card down, if you have one left.")
    else:
        yield gettext("Put one card down. Always keep one to put down, even at the end.")
    if ruleset.refill:
        yield gettext("Then your hand is filled up from the pile.")


def _blocks_turn(ruleset: Ruleset) -> Iterator[str]:
    yield gettext("Take: you get two blocks from the pot.")
    yield gettext("Lay: as many rows as you like, or none.")
    if ruleset.opening:
        yield gettext(
            "Your first row of a round comes from your own hand. It has 3 blocks or more."
        )
    if ruleset.may_empty_hand:
        yield gettext("Put one block down, if you have one left.")
    else:
        yield gettext("Put one block down. Always keep one to put down, even at the end.")
    if ruleset.all_may_knock:
        yield gettext(
            "Do you want the block that someone put down? Be the first to knock! You get it "
            "and another block. If your turn is next, you do not get two new blocks."
        )
    else:
        yield gettext(
            "Do you want the block that someone put down? The youngest chooses first. You get "
            "it and another block. If your turn is next, you do not get two new blocks."
        )


def _rows(ruleset: Ruleset, is_game: bool) -> Iterator[str]:
    if ruleset.has_pot:
        yield gettext("A row is 3 blocks or more with equal jumps.")
    else:
        yield gettext("A row is 3 cards or more with equal jumps.")
    if ruleset.counts_back_to is not None:
        targets = words.listed(ruleset.counts_back_to, last="or")
        yield gettext("Count back in the same jumps: you must land on %(targets)s.") % {
            "targets": targets
        }
    table = ruleset.tables[0] if ruleset.tables else 4
    row = row_table_of([table * times for times in (3, 4, 5)])
    yield gettext("Look at %(row)s, the %(table)s: %(facts)s.") % {
        "row": words.listed(row.numbers),
        "table": words.table_name(table),
        "facts": unbroken(words.row_facts(row, ruleset)),
    }
    if ruleset.tables is not None:
        text = ngettext(
            "In this game a row must be in the %(tables)s times table.",
            "In this game a row must be in the %(tables)s times table.",
            len(ruleset.tables),
        )
        yield text % {"tables": words.listed(ruleset.tables, last="or")}
    elif ruleset.counts_back_to is None:
        yield gettext(
            "5, 9, 13 go up in 4s too, but they are not in any times table. They are still a row."
        )
    for family in ruleset.families:
        yield str(words.FAMILY_EXAMPLES[family])
    if not is_game:
        yield gettext("Your teacher can choose which times tables count.")


def _plays(ruleset: Ruleset) -> Iterator[PlayRule]:
    for kind, (name, text) in PLAYS.items():
        with suppress(ActionRefused):  # These times tables may allow no such play.
            yield PlayRule(str(name), str(text), example(kind, ruleset))


def _end(ruleset: Ruleset) -> Iterator[str]:
    yield from words.turns_each(ruleset)
    if ruleset.is_together:
        if ruleset.builds_on:
            yield gettext("When the bridge is whole, you did it! Go on until no turns are left.")
            yield gettext("Each plank that is left over becomes a star.")
        if ruleset.has_pot:
            yield gettext("When the pot is empty, the round is over too.")
        elif ruleset.piles:
            yield from _piles(ruleset)
            yield gettext("When the pile is empty, the round is over too.")
        if not ruleset.refill:
            yield gettext("If your hand is empty, you get a new one.")
        return
    yield from _piles(ruleset)
    yield from words.end_rules(ruleset)
    if ruleset.earnings_decide:
        yield gettext("Whoever earned most in the round wins it.")
        yield gettext("Cards left over cost nothing.")
    elif ruleset.cards_differ:
        yield gettext("The others lose points for the cards that they still have.")
    elif not ruleset.has_pot:
        yield gettext("The others lose 1 point for each card that they still have.")


def _piles(ruleset: Ruleset) -> Iterator[str]:
    """A sentence on how often the open pile becomes a closed pile in a round that ends with the
    pile; none if it never does."""
    if reshuffles := (ruleset.piles or 1) - 1:
        text = ngettext(
            "Cards that were put down become a new pile %(n)d time.",
            "Cards that were put down become a new pile %(n)d times.",
            reshuffles,
        )
        yield text % {"n": reshuffles}


PlayMoment = Literal["lay", "add", "cross", "swap"]
Moment = PlayMoment | Literal["take", "down", "answer"]


@dataclass(frozen=True, slots=True)
class MomentHelp:
    """The player's options at a moment, and a table after such a move if a picture helps."""

    moment: Moment
    text: str
    drawing: DrawnTable | None = None


def playing_help(name: str, tables: Sequence[int]) -> tuple[MomentHelp, ...]:
    """The help for an edition whose rows are in these times tables, in the language of the page."""
    return _help_in(name, tuple(tables), get_language())


@lru_cache(maxsize=256)
def _help_in(name: str, tables: tuple[int, ...], language: str | None) -> tuple[MomentHelp, ...]:
    return tuple(_moments(edition(name, tables=tables)))


def _moments(ruleset: Ruleset) -> Iterator[MomentHelp]:
    if not ruleset.has_pot:
        yield MomentHelp("take", gettext("Tap the pile or an open card."))
    texts: dict[PlayMoment, str] = {
        "lay": gettext("Tap 3 or more numbers with equal jumps. Then tap “Lay this row”."),
        "add": gettext("Add to a row: tap your numbers, then tap the row."),
        "cross": gettext("Cross a row: tap your numbers, then one on the table."),
        "swap": gettext("Swap your number for the joker. Then use the joker in a row."),
    }
    for moment, text in texts.items():
        yield MomentHelp(moment, text, _first_drawing(moment, ruleset))
    yield MomentHelp("down", gettext("To finish, tap one and put it down."))
    yield MomentHelp("answer", gettext("Do you want it? Tap your answer."))


def _first_drawing(moment: PlayMoment, ruleset: Ruleset) -> DrawnTable | None:
    """The table after the first example that the rules allow; None if they allow none. Examples of
    high tables are tried first."""
    tables = sorted(ruleset.tables or (), reverse=True)
    examples: Iterable[Example] = [_example_of_table(moment, table) for table in tables]
    for lines, play in _crossings(tables) if moment == "cross" else examples:
        with suppress(ActionRefused):
            return _example(lines, play, ruleset).after
    return None


def _crossings(tables: Sequence[int]) -> Iterator[Example]:
    for n, other_table in permutations(tables, 2):
        row = (n, 2 * n, 3 * n)
        for number in row:
            neighbours = (number - other_table, number + other_table)
            if number % other_table == 0 and neighbours[0] > 0 and not {*neighbours} & {*row}:
                yield ("-".join(map(str, row)),), f"{neighbours[0]} {neighbours[1]} across {number}"
