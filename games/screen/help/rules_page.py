"""The rules of an edition, for a page: a few sentences, and a drawing of each kind of play."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.coach.times_tables import describe
from games.engine.errors import ActionRefused
from games.engine.ruleset import EDITIONS, Ruleset
from games.screen import words
from games.screen.help.play_examples import EXAMPLES, PlayExample, PlayKind, example
from games.screen.products import unbroken


@dataclass(frozen=True, slots=True)
class PlayRule:
    """A kind of play: its name, what to do, and a drawing."""

    name: str
    text: str
    drawn: PlayExample


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules on a page. `goal`, `turn`, `rows` and `end` are sentences. `others` has the name of
    each edition in the code and on the page."""

    edition: str
    name: str
    goal: tuple[str, ...]
    turn: tuple[str, ...]
    rows: tuple[str, ...]
    plays: tuple[PlayRule, ...]
    end: tuple[str, ...]
    others: tuple[tuple[str, str], ...]


def rules_page(ruleset: Ruleset, *, is_game: bool = False) -> RulesPage:
    """The rules of an edition, or of a game as it is played, in the language of the page."""
    return RulesPage(
        ruleset.edition,
        str(words.EDITION_NAMES[ruleset.edition]),
        tuple(_goal(ruleset)),
        tuple(_turn(ruleset)),
        tuple(_rows(ruleset, is_game)),
        tuple(_plays(ruleset)),
        tuple(_end(ruleset)),
        tuple((name, str(words.EDITION_NAMES[name])) for name in EDITIONS),
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
    elif ruleset.with_pot:
        yield gettext("Each block that you lay is worth 1 point.")
    else:
        yield gettext("Each card that you lay is worth 1 point.")
    if set(ruleset.doubling) == {"same", "different"}:
        yield gettext(
            "A row all in one colour counts double. So does a row where every colour is different."
        )
    elif ruleset.doubling:
        yield gettext("A row all in one colour counts double.")


def _turn(ruleset: Ruleset) -> Iterator[str]:
    yield from _blocks_turn(ruleset) if ruleset.with_pot else _cards_turn(ruleset)


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
    if ruleset.with_pot:
        yield gettext("A row is 3 blocks or more with equal jumps.")
    else:
        yield gettext("A row is 3 cards or more with equal jumps.")
    if ruleset.counts_back_to is not None:
        targets = words.listed(ruleset.counts_back_to, last="or")
        yield gettext("Count back in the same jumps: you must land on %(targets)s.") % {
            "targets": targets
        }
    table = ruleset.tables[0] if ruleset.tables else 4
    row = describe([table * times for times in (3, 4, 5)])
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
    for kind in EXAMPLES:
        name, text = _words(kind)
        with suppress(ActionRefused):  # These times tables may allow no such play.
            yield PlayRule(name, text, example(kind, ruleset))


def _words(kind: PlayKind) -> tuple[str, str]:
    match kind:
        case "lay":
            return gettext("Lay a row"), gettext("From your own hand.")
        case "add":
            # Translators: to make a row longer; the name of a move
            return gettext("Add"), gettext(
                "Make a row on the table longer, at the beginning or at the end."
            )
        case "insert":
            return gettext("Put between"), gettext("Now the jumps are smaller, but all equal.")
        case "cross":
            return gettext("Cross"), gettext("Now one number is in two rows.")
        case "join":
            # Translators: two rows become one; the name of a move
            return gettext("Join"), gettext("Two rows become one.")
        case "link":
            # Translators: a new row crosses two rows; the name of a move
            return gettext("Link"), gettext("A new row crosses two other rows.")
        case "joker":
            return gettext("Joker"), gettext(
                "It can be any number you need. Once it is on the table, it stays that number."
            )
    return gettext("Swap a joker"), gettext(
        "Put the real number where the joker is. Then use the joker again straight away."
    )


def _end(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.most_turns is not None:
        text = ngettext(
            "Everyone has %(n)d turn. Then the round is over.",
            "Everyone has %(n)d turns. Then the round is over.",
            ruleset.most_turns,
        )
        yield text % {"n": ruleset.most_turns}
    if ruleset.is_together:
        yield gettext("When the bridge is whole, you end the turn: you did it!")
        if ruleset.with_pot:
            yield gettext("When the pot is empty, the round is over too.")
        else:
            text = ngettext(
                "When the pile is used up, the round is over too.",
                "When the pile is used up %(n)d times, the round is over too.",
                ruleset.piles or 1,
            )
            yield text % {"n": ruleset.piles}
        if not ruleset.refill:
            yield gettext("If your hand is empty, you get a new one.")
        return
    if ruleset.with_pot:
        yield gettext("When someone has no blocks left, the round is over.")
        return
    if ruleset.piles is not None:
        text = ngettext(
            "When the pile is used up, the round is over.",
            "When the pile is used up %(n)d times, the round is over.",
            ruleset.piles,
        )
        yield text % {"n": ruleset.piles}
        if ruleset.most_rows is not None:
            text = ngettext(
                "It is also over when %(n)d row lies on the table.",
                "It is also over when %(n)d rows lie on the table.",
                ruleset.most_rows,
            )
            yield text % {"n": ruleset.most_rows}
        if not ruleset.refill:
            yield gettext("It is also over when someone is out.")
        yield gettext("Whoever earned most in the round wins it.")
        yield gettext("Cards left over cost nothing.")
        return
    yield gettext("When someone has no cards left, the round is over.")
    if ruleset.cards_differ:
        yield gettext("The others lose points for the cards that they still have.")
    else:
        yield gettext("The others lose 1 point for each card that they still have.")
