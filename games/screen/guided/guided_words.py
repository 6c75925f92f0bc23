"""The sentences of a guided round, and what lights up with them."""

from django.utils.translation import gettext, ngettext

from games.coach.guided_advice import Advice, advice, goes_as_planned, is_planned
from games.coach.guided_lessons import STEPS, planned, step_of
from games.coach.times_tables import describe
from games.engine.actions import Discard, DrawOpen, Knock
from games.engine.cards import is_joker
from games.engine.play_application import form
from games.engine.round import View
from games.engine.ruleset import Ruleset
from games.engine.table import Play
from games.engine.text.notation import card_text, parse_action
from games.models import Action
from games.play.guided_rounds import BOT
from games.play.services import Outcome
from games.screen import words
from games.screen.view_models import Guide


def guide(outcome: Outcome) -> Guide:
    """What the coach says now, and what it points at."""
    view = outcome.view
    advised = advice(view)
    play = advised.play
    said = gettext("Which row do you mean? Tap it.") if outcome.choices else _text(advised, view)
    return Guide(
        " ".join(filter(None, (_remark(outcome), said))),
        cards=frozenset(map(card_text, advised.cards)),
        rows=frozenset(map(str, play.lines)) if play else frozenset(),
        on_table=frozenset(card_text(laid.card) for laid in (*play.across, *play.swaps))
        if play
        else frozenset(),
        numbers=frozenset(laid.number for laid in play.hand) if play else frozenset(),
        move=_move(advised, view),
        row=tuple(form(view.position, play).line.numbers) if play else (),
    )


def step_text(ruleset: Ruleset) -> str:
    return gettext("Step %(step)d of %(steps)d") % {"step": step_of(ruleset), "steps": STEPS}


def end_title(ruleset: Ruleset) -> str:
    return gettext("Step %(step)d of %(steps)d: done!") % {
        "step": step_of(ruleset),
        "steps": STEPS,
    }


def end_note(view: View) -> str:
    """What this step has taught."""
    ruleset = view.ruleset
    match step_of(ruleset):
        case 1:
            return gettext("That is a turn: take, lay, put one down.")
        case 2 if ruleset.with_pot:
            return gettext("A row can cross another row.")
        case 2 if "different" in ruleset.doubling:
            return gettext("All colours the same or all different: your points count double.")
        case 2:
            return gettext("All cards of one colour: your points count double.")
    return " ".join(filter(None, (_left(view), gettext("Now you know how to play. Have fun!"))))


def _left(view: View) -> str:
    """What the cards cost that the other still holds."""
    other = 1 - view.seat
    lost = abs(view.scores[other] - view.ruleset.start)
    if view.round_winner != view.seat or view.ruleset.scoring == "rounds won":
        return ""
    if view.ruleset.with_pot:
        text = ngettext(
            "%(who)s has blocks left: %(n)d penalty point.",
            "%(who)s has blocks left: %(n)d penalty points.",
            lost,
        )
    else:
        text = ngettext(
            "%(who)s has cards left: %(n)d point less.",
            "%(who)s has cards left: %(n)d points less.",
            lost,
        )
    return text % {"who": BOT[0], "n": lost}


def _move(advised: Advice, view: View) -> str:
    """The button or the pile for it."""
    match advised.kind:
        case "take":
            return "draw-closed" if advised.card is None else "draw-open"
        case "answer" if advised.card is not None:
            return "knock" if view.phase == "knock" else "claim"
        case "answer":
            return "pass"
        case "play":
            return "lay"
        case "put down":
            return "discard"
    return ""


def _text(advised: Advice, view: View) -> str:
    match advised.kind:
        case "wait":
            return gettext("Now the others play.") if view.to_act is not None else end_note(view)
        case "take":
            return _take(advised, view)
        case "answer":
            return _answer(advised)
        case "play":
            assert advised.play is not None
            return _play(advised.play, view)
    assert advised.card is not None
    return _put_down(advised, view)


def _remark(outcome: Outcome) -> str:
    """About what the player has just done; at the very beginning, what this step is about."""
    view = outcome.view
    if view.to_act is None:
        return ""
    entry = _last_own(outcome)
    if entry is None:
        return _about(view.ruleset)
    if entry.kind == Action.Kind.TAKE_BACK:
        return gettext("Your cards are back in your hand.")
    if entry.kind != Action.Kind.ACT:
        return ""
    match parse_action(entry.text, view.ruleset):
        case Play() as play:
            return _praise(play, entry, view)
        case DrawOpen():
            card = words.taken(entry.data["card"], view.ruleset)
            return gettext("You took the %(card)s. That works too.") % {"card": card}
        case Knock():
            return gettext("You took one more. That works too.")
        case Discard(card) if is_planned(card, view.ruleset) and not goes_as_planned(view):
            return gettext("The %(card)s is gone. No problem: there are other rows.") % {
                "card": words.card_short(card)
            }
    return ""


def _last_own(outcome: Outcome) -> Action | None:
    own = [entry for entry in outcome.entries if entry.seat == outcome.seat]
    return own[-1] if own else outcome.game.actions.filter(seat=outcome.seat).last()


def _about(ruleset: Ruleset) -> str:
    match step_of(ruleset):
        case 1 if ruleset.with_pot:
            return ""
        case 1:
            return gettext("Start every turn by taking a card.")
        case 2 if ruleset.with_pot:
            return gettext("Now a row crosses another.")
        case 2 if ruleset.earning == "one":
            return gettext("Each card that you lay earns a point.")
        case 2:
            return gettext("Each card that you lay earns points: count the dots.")
    if ruleset.scoring == "rounds won":
        return gettext("A joker can be any number.")
    return gettext("Anything left in your hand costs you points. Lay it!")


def _praise(play: Play, entry: Action, view: View) -> str:
    number = entry.data.get("points", 0)
    said = [gettext("Well done!")]
    if play not in planned(view.ruleset):
        said = [gettext("You found a row all by yourself!")]
    if number and step_of(view.ruleset) > 1:
        if "colours" in entry.data:
            said.append(str(words.DOUBLED[entry.data["colours"]]))
        said.append(words.points(number))
    return " ".join(said)


def _take(advised: Advice, view: View) -> str:
    if advised.card is not None:
        card = words.card_short(advised.card)
        return gettext("Take the open %(card)s: it makes a row.") % {"card": card}
    if view.turns[view.seat]:
        return gettext("Your turn again. Take a card from the pile.")
    return gettext("Tap the pile to take a card.")


def _answer(advised: Advice) -> str:
    if advised.card is None:
        return gettext("You do not need this one. Tap “No, thank you”.")
    return gettext("The %(card)s makes a row. Take it!") % {"card": words.card_short(advised.card)}


def _play(play: Play, view: View) -> str:
    line = form(view.position, play).line
    row = describe(line.numbers)
    values = {
        "cards": words.listed([words.card_short(laid.card) for laid in play.hand]),
        "row": words.listed(line.numbers),
        "jump": row.step,
        "table": words.row_name(row, view.ruleset),
    }
    jokers = [laid for laid in play.hand if is_joker(laid.card)]
    if play.swaps or len(jokers) > 1 or len(play.lines) > 1 or (play.lines and play.across):
        return (
            gettext("Look: %(row)s. Tap everything that lights up. Then tap the big button.")
            % values
        )
    if jokers:
        values["number"] = jokers[0].number
    if play.lines:
        values["onto"] = words.row_name(describe(play.lines[0].numbers), view.ruleset)
        return (_joker_added() if jokers else _added()) % values
    if play.across:
        values["crossed"] = words.listed([laid.number for laid in play.across])
        return _crossed() % values
    if jokers:
        return _joker_laid() % values
    return _laid(view) % values


def _laid(view: View) -> str:
    if view.table.lines:
        return gettext("%(row)s make a row too. Tap them, then tap “Lay this row”.")
    return gettext(
        "Look: %(row)s. They go up in %(jump)ds: the %(table)s! Tap them, then tap “Lay this row”."
    )


def _added() -> str:
    return gettext(
        "%(row)s: the row goes on. Tap %(cards)s. Then tap “%(onto)s”. Then tap the big button."
    )


def _crossed() -> str:
    return gettext(
        "Your row can cross another row: %(row)s, the %(table)s. Tap %(cards)s. Then tap the "
        "%(crossed)s on the table. Then tap the big button."
    )


def _joker_added() -> str:
    return gettext(
        "A joker can be any number. Here it is %(number)d. Tap it. Then tap “%(onto)s”. Then "
        "tap the big button."
    )


def _joker_laid() -> str:
    return gettext(
        "A joker can be any number. Here it is %(number)d: %(row)s. Tap %(cards)s, then tap "
        "“Lay this row”."
    )


def _put_down(advised: Advice, view: View) -> str:
    assert advised.card is not None
    values = {"card": words.card_short(advised.card)}
    if len(view.hand) == 1:
        return (
            gettext("Put your last one down and you win! Tap the %(card)s, then tap the button.")
            % values
        )
    return (
        gettext("At the end of every turn you put one down. Tap the %(card)s, then tap the button.")
        % values
    )
