"""The sentences of a guided round, and what they highlight."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext, ngettext

from games.coach.guided_rounds import (
    STEPS,
    Advice,
    advice_for,
    can_follow_plan,
    guided_step,
    is_in_planned_play,
    planned_plays,
)
from games.coach.hints import HintPosition, hidden_row
from games.coach.times_tables import row_table_of
from games.engine.actions import Discard, DrawOpen, Knock, Pass
from games.engine.cards import Card, card_text, is_joker
from games.engine.play_application import make_play
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Play
from games.engine.text.notation import parse_action, parse_card
from games.engine.text.record import EntryKind
from games.engine.view import View
from games.engine.view import view as view_of
from games.play.log import entries_of, replay_snapshot, setting_of
from games.play.services import Outcome
from games.play.sql import ShownEntry
from games.play.starting import GUIDED_BOT
from games.screen import words
from games.screen.view_models import Guide, Highlights, TableIsland


def guide_of(outcome: Outcome, islands: Iterable[TableIsland]) -> Guide:
    """The coach's text now, and what it points at. `islands` have the free places of the table."""
    view = outcome.view
    advised = advice_for(view)
    play = advised.play
    preselected = tuple(_preselected_cards(outcome, play))
    texts = [gettext("Which row do you mean? Tap it.")]
    if not outcome.result.choices:
        has_place = play is not None and _has_place(play, islands)
        texts = [
            _remark(outcome),
            _text(advised, view, has_place=has_place, preselected=preselected),
        ]
    return Guide(
        words.joined(*texts),
        Highlights(
            cards=frozenset(card_text(card) for card in advised.cards if card not in preselected),
            on_table=frozenset(card_text(card) for card, _ in (*play.across, *play.swaps))
            if play
            else frozenset(),
            rows=frozenset(map(str, play.lines)) if play else frozenset(),
            numbers=frozenset(number for _, number in play.hand) if play else frozenset(),
            move=_move(advised, view),
        ),
        chosen_cards=frozenset(map(card_text, preselected)),
        row=tuple(make_play(view.position, play).line.numbers) if play else (),
    )


def _preselected_cards(outcome: Outcome, play: Play | None) -> Sequence[Card]:
    """The cards of the very first row. They are selected for a new player who has just taken the
    last of them, so that the second tap lays the row."""
    ruleset = outcome.view.ruleset
    entries = [entry for entry in outcome.entries if entry.seat == outcome.seat_number]
    is_first = guided_step(ruleset) == 1 and play == next(planned_plays(ruleset))
    if play is None or not is_first or len(entries) != 1 or entries[0].kind != EntryKind.ACT:
        return ()
    return [card for card, _ in play.hand]


def _has_place(play: Play, islands: Iterable[TableIsland]) -> bool:
    """Whether the table shows a free place for a card that the play adds to a row."""
    rows = set(map(str, play.lines))
    numbers = {number for _, number in play.hand}
    return any(
        row.value in rows and numbers.intersection(end.numbers)
        for island in islands
        for row in island.rows
        for end in row.ends
    )


def step_text(ruleset: Ruleset) -> str:
    return gettext("Step %(step)d of %(steps)d") % {"step": guided_step(ruleset), "steps": STEPS}


def end_title(ruleset: Ruleset) -> str:
    return gettext("Step %(step)d of %(steps)d: done!") % {
        "step": guided_step(ruleset),
        "steps": STEPS,
    }


def end_note(view: View) -> str:
    """A sentence or more about what the player has learned in this step."""
    ruleset = view.ruleset
    match guided_step(ruleset):
        case 1 if ruleset.has_pot:
            texts = [gettext("That is a turn: lay, put one down.")]
            if ruleset.fewest_wins:
                texts.append(gettext("Blocks left are penalty points: the fewest wins!"))
            return " ".join(texts)
        case 1:
            texts = [gettext("That is a turn: take, lay, put one down.")]
            if ruleset.refill:
                texts.append(gettext("A real round goes on with new cards. The most points win!"))
            return " ".join(texts)
        case 2 if not ruleset.doubling:
            return gettext("A row can cross another row.")
        case 2 if set(ruleset.doubling) == {"same", "different"}:
            return gettext("All colours the same or all different: your points count double.")
        case 2 if "different" in ruleset.doubling:
            return gettext("All cards have different colours: that counts double.")
        case 2:
            return gettext("All cards of one colour: your points count double.")
    texts = [_cost_of_bot(view)]
    if not any(play.swaps for play in planned_plays(ruleset)):
        texts.append(gettext("If you have a joker’s number, tap both to swap them."))
        texts.append(gettext("You lay the joker at once."))
    texts.append(gettext("Now you know how to play. Have fun!"))
    return words.joined(*texts)


def _cost_of_bot(view: View) -> str:
    """How many points the bot loses for the cards left in its hand, in a sentence. Empty if the
    player has not won or if cards cost nothing."""
    other_seat = 1 - view.seat
    lost = abs(view.scores[other_seat] - view.ruleset.start)
    if not lost or view.round_winner != view.seat or view.ruleset.counts_rounds:
        return ""
    if view.ruleset.has_pot:
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
    return text % {"who": GUIDED_BOT[0], "n": lost}


def _move(advice: Advice, view: View) -> str:
    """The move that the advised button or pile posts; empty while the player waits."""
    if advice.kind == "take" and advice.card is not None:
        return "draw-open"
    if advice.kind == "answer" and advice.card is not None:
        return "knock" if view.phase == "knock" else "claim"
    moves = {"take": "draw-closed", "answer": "pass", "play": "lay", "put down": "discard"}
    return moves.get(advice.kind, "")


def _text(advice: Advice, view: View, *, has_place: bool, preselected: Sequence[Card]) -> str:
    match advice.kind:
        case "wait":
            return gettext("Now the others play.") if view.to_act is not None else end_note(view)
        case "take":
            return _advise_taking(advice, view)
        case "answer":
            return _advise_answer(advice, view)
        case "play":
            assert advice.play is not None
            return _advise_play(advice.play, view, has_place=has_place, preselected=preselected)
    assert advice.card is not None
    return _advise_putting_down(advice, view)


def _remark(outcome: Outcome) -> str:
    """A remark about the player's last action; empty for an action that needs none."""
    view, entry = outcome.view, _last_own_entry(outcome)
    if view.to_act is None or entry is None:
        return ""
    if entry.kind == EntryKind.TAKE_BACK:
        return gettext("Your cards are back in your hand.")
    if entry.kind != EntryKind.ACT:
        return ""
    # The advice that the page showed before this entry, computed again from the short log.
    setting = setting_of(outcome.game, len(outcome.seats))
    before = replay_snapshot(setting, entries_of(outcome.game)[: entry.number - 1])
    advised = advice_for(view_of(before.state, outcome.seat_number))
    match parse_action(entry.text, view.ruleset):
        case Play() as play:
            advised_cards = {*advised.cards, *(swap.card for swap in play.swaps)}
            is_found_alone = not {card for card, _ in play.hand} <= advised_cards
            return _praise(entry, view, play, is_found_alone=is_found_alone)
        case DrawOpen() if advised.card is None:
            card = parse_card(entry.data["card"], view.ruleset)
            if is_joker(card):
                return gettext("You took the joker. That works too.")
            return gettext("You took the %(card)s. That works too.") % {"card": card}
        case Pass() if view.turn == view.seat and view.phase == "play":
            return gettext("You got 2 new blocks from the pot.")
        case Knock() if advised.card is None:
            return gettext("You took one more. That works too.")
        case Discard(card) if card != advised.card and is_in_planned_play(card, view.ruleset):
            if can_follow_plan(view):
                return ""
            if is_joker(card):
                return gettext("The joker is gone. No problem: there are other rows.")
            text = gettext("The %(card)s is gone. No problem: there are other rows.")
            return text % {"card": card}
        case Discard(card) if advised.card not in (None, card) and not is_joker(card):
            return gettext("You put the %(card)s down. That works too.") % {"card": card}
    return ""


def _last_own_entry(outcome: Outcome) -> ShownEntry | None:
    own_entries = [entry for entry in outcome.entries if entry.seat == outcome.seat_number]
    if own_entries:
        return own_entries[-1]
    last = outcome.game.entries.filter(seat=outcome.seat_number).last()
    return None if last is None else ShownEntry.of(last)


def _praise(entry: ShownEntry, view: View, play: Play, *, is_found_alone: bool) -> str:
    """The coach's sentence about a row that the player has laid. It praises a row that they found
    without advice. From the second step on, it says that a row counts double, or else its points.
    """
    number = entry.data.get("points", 0)
    if is_found_alone:
        return gettext("You found a row all by yourself!")
    if not number or guided_step(view.ruleset) == 1:
        return praise_in_first_step(view, play)
    if "colours" in entry.data:
        return str(words.PRAISE[entry.data["colours"]])
    return ngettext("That is %(n)d point.", "That is %(n)d points.", number) % {"n": number}


def praise_in_first_step(view: View, play: Play) -> str:
    """Praise for the first row of the first step, and for making it longer; else empty."""
    if guided_step(view.ruleset) != 1 or len(view.table.lines) != 1:
        return ""
    return gettext("You made the row longer!") if play.lines else gettext("Your first row!")


def _advise_taking(advice: Advice, view: View) -> str:
    if advice.card is not None:
        card = words.card_word(advice.card)
        return gettext("Take the open %(card)s: it makes a row.") % {"card": card}
    if view.turns[view.seat] or guided_step(view.ruleset) == 1:
        return gettext("A new turn begins with a card: tap the pile.")
    if guided_step(view.ruleset) == 2 and view.ruleset.cards_differ:
        return gettext("Tap the pile and look for a row: the dots on its cards are points.")
    if guided_step(view.ruleset) == 2:
        return gettext("Tap the pile and look for a row: each card that you lay is a point.")
    if view.ruleset.counts_rounds or view.ruleset.earnings_decide:
        return gettext("Tap the pile: this time you have a joker.")
    return gettext("Tap the pile: cards left in your hand cost you points.")


def _advise_answer(advice: Advice, view: View) -> str:
    if advice.card is None and view.ruleset.all_may_knock:
        return gettext("Whoever wants this block knocks. You do not need it: tap “No, thank you”.")
    if advice.card is None:
        return gettext("You do not need this one. Tap “No, thank you”.")
    return gettext("The %(card)s makes a row. Take it!") % {"card": words.card_word(advice.card)}


def _advise_play(play: Play, view: View, *, has_place: bool, preselected: Sequence[Card]) -> str:
    line = make_play(view.position, play).line
    row = row_table_of(line.numbers)
    values = {
        "cards": words.listed(
            [words.card_word(card) for card, _ in play.hand if card not in preselected]
        ),
        "row": words.listed(line.numbers),
        "jump": row.jump,
    }
    jokers = [hand_card for hand_card in play.hand if is_joker(hand_card.card)]
    adds_more = bool(play.lines and jokers and len(play.hand) > 1)
    joins = len(play.lines) > 1 or (play.lines and play.across)
    if play.swaps or len(jokers) > 1 or joins or adds_more or (play.lines and not has_place):
        return _advise_all_that_lights_up(play, line, [number for _, number in jokers])
    if jokers:
        values["number"] = jokers[0].number
    if play.lines:
        text = gettext("The row goes on: tap %(cards)s, then the dashed place.")
        if jokers:
            text = gettext("The joker is %(number)d here: tap it, then the dashed place.")
    elif play.across:
        text = gettext("%(row)s cross the row: tap all that lights up, then the big button.")
    elif jokers:
        text = gettext("The joker is %(number)d here: tap %(cards)s, then “Lay this row”.")
    elif preselected:
        text = gettext("%(row)s go up in %(jump)ds: tap “Lay this row”.")
    else:
        text = gettext("%(row)s go up in %(jump)ds: choose them, then tap “Lay this row”.")
    return text % values


def _advise_all_that_lights_up(play: Play, line: Line, jokers: Sequence[int]) -> str:
    """Name the cards to swap for jokers and their row, or the number of a joker, because they are
    hard to see."""
    if play.swaps:
        text = ngettext(
            "Swap %(cards)s for the joker to lay %(row)s: "
            "tap all that lights up, then the big button.",
            "Swap %(cards)s for the jokers to lay %(row)s: "
            "tap all that lights up, then the big button.",
            len(play.swaps),
        )
        swapped = words.listed([swap.number for swap in play.swaps])
        return text % {"cards": swapped, "row": words.listed(line.numbers)}
    if len(jokers) == 1:
        text = gettext("The joker is %(number)d here: tap all that lights up, then the big button.")
        return text % {"number": jokers[0]}
    return gettext("Tap all that lights up, then the big button.")


def _advise_putting_down(advice: Advice, view: View) -> str:
    assert advice.card is not None
    if is_joker(advice.card):
        sentence = gettext("Tap the joker, then “Put the joker down”.")
    elif len(view.hand) > 1 and (view.turns[view.seat] or guided_step(view.ruleset) > 1):
        sentence = gettext("Tap %(card)s, then “Put %(card)s down”.")
    elif len(view.hand) > 1:
        sentence = gettext("End every turn like this: tap %(card)s, then “Put %(card)s down”.")
    elif view.ruleset.earnings_decide:
        sentence = gettext("Your last one ends the round: tap %(card)s, then “Put %(card)s down”.")
    else:
        sentence = gettext("Your last one wins: tap %(card)s, then “Put %(card)s down”.")
    has_row = view.play_count or hidden_row(HintPosition(view.position))
    no_row = "" if has_row else gettext("No row this time.")
    return words.joined(no_row, sentence % {"card": words.card_word(advice.card)})
