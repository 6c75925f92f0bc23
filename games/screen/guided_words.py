"""The sentences of a guided round."""

from django.utils.translation import gettext

from games.coach.guided_lessons import Advice, advice
from games.coach.times_tables import describe
from games.engine.cards import is_joker
from games.engine.play_application import form
from games.engine.round import View
from games.engine.table import Play
from games.engine.text.notation import card_text
from games.screen import words
from games.screen.view_models import Guide


def guide(view: View) -> Guide:
    """What the coach says now, and which hand cards it points at."""
    advised = advice(view)
    return Guide(_text(advised, view), frozenset(map(card_text, advised.cards)))


def _text(advised: Advice, view: View) -> str:
    match advised.kind:
        case "wait":
            return gettext("Now the others play.") if view.to_act is not None else _end(view)
        case "take":
            return _take(view)
        case "answer":
            return gettext("You do not need this one. Tap: No, thank you.")
        case "play":
            assert advised.play is not None
            return " ".join(filter(None, (_praise(view), _play(advised.play, view))))
    assert advised.card is not None
    return " ".join(filter(None, (_praise(view), _put_down(advised, view))))


def _end(view: View) -> str:
    if view.round_winner == view.seat:
        return gettext("Now you know how it goes: take, lay, put one down. Have fun!")
    return gettext("That was a round. You can do this as often as you like.")


def _take(view: View) -> str:
    if view.turns[view.seat]:
        return gettext("Your turn again. Take a card from the pile.")
    return gettext("Every turn begins with a card. Tap: Take from the pile.")


def _praise(view: View) -> str:
    return gettext("Well done!") if view.plays else ""


def _play(play: Play, view: View) -> str:
    line = form(view.position, play).line
    row = describe(line.numbers)
    values = {
        "cards": words.listed([words.card_short(laid.card) for laid in play.hand]),
        "row": words.listed(line.numbers),
        "jump": row.step,
        "table": words.row_name(row, view.ruleset),
    }
    joker = next((laid for laid in play.hand if is_joker(laid.card)), None)
    if joker is not None:
        values["number"] = joker.number
    if play.lines:
        values["onto"] = words.row_name(describe(play.lines[0].numbers), view.ruleset)
        return (_joker_added() if joker else _added()) % values
    if play.across:
        values["crossed"] = words.listed([laid.number for laid in play.across])
        return _crossed() % values
    if joker is not None:
        return _joker_laid() % values
    return _laid(view) % values


def _laid(view: View) -> str:
    if view.table.lines:
        return gettext("%(row)s make a row too. Tap them, then Lay this row.")
    return gettext(
        "Look: %(row)s. Always %(jump)d more: the %(table)s! Tap these, then Lay this row."
    )


def _added() -> str:
    return gettext(
        "%(row)s: the row goes on. Tap %(cards)s and, on the table, the words %(onto)s. "
        "Then the big button."
    )


def _crossed() -> str:
    return gettext(
        "A row may cross another: %(row)s, the %(table)s. Tap %(cards)s, "
        "and the %(crossed)s on the table. Then the big button."
    )


def _joker_added() -> str:
    return gettext(
        "A joker can be any number, here the %(number)d. Tap it and, on the table, "
        "the words %(onto)s. Then the big button."
    )


def _joker_laid() -> str:
    return gettext(
        "A joker can be any number, here the %(number)d: %(row)s. Tap %(cards)s, then Lay this row."
    )


def _put_down(advised: Advice, view: View) -> str:
    assert advised.card is not None
    values = {"card": words.card_short(advised.card)}
    if len(view.hand) == 1:
        return (
            gettext("Put your last one down, and you have won: tap the %(card)s, then Put down.")
            % values
        )
    return gettext("Each turn ends by putting one down. Tap the %(card)s, then Put down.") % values
