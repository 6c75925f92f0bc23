"""The progress of a player's turn: a strip of its parts, the next thing to do, and the buttons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from games.coach.hints import LAST_STEP
from games.engine.cards import is_joker
from games.engine.round import DRAW_PHASES, OVER_PHASES, ROUND_OVER
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.view import View
from games.models import Seat
from games.play import presence
from games.play.services import Outcome
from games.screen import words
from games.screen.view_models import Button, Goal, TurnPart

FITTING_CARDS_PER_PLAYER: Final = 2
"""With more fitting cards than this left for each player, everybody has another turn. That held
before each of 720 last turns of games against bots."""


def strip(
    view: View, *, only_last_is_left: bool = False, has_one_turn: bool = False, riddle: bool = False
) -> tuple[TurnPart, ...]:
    """The parts of a turn. A question in the turn of another player is a single part. With
    `only_last_is_left`, all parts but the last are done. A player who `has_one_turn` takes no card;
    unless it is a `riddle`, others end the turn."""
    if has_one_turn and not riddle:
        return (TurnPart(gettext("Lay"), "now"),)
    if view.may_act and view.phase == "offer":
        return (TurnPart(gettext("Do you want this card?"), "now"),)
    if view.may_act and view.phase == "knock":
        return (TurnPart(gettext("Do you want this block?"), "now"),)
    labels = _parts(view.ruleset)[1 if has_one_turn else 0 :]
    now = 0
    if view.may_act:
        now = {"draw": 1, "redraw": 1, "play": len(labels) - 1}.get(view.phase, 0)
    if only_last_is_left and now == len(labels) - 1:
        now += 1
    return tuple(
        TurnPart(f"{n} {label}", "done" if n < now else "now" if n == now else "later")
        for n, label in enumerate(labels, start=1)
    )


def _parts(ruleset: Ruleset) -> list[str]:
    """The labels of the parts. The first part is missing in blocks editions, where a player takes
    nothing. The last part is to finish if the player may keep all cards."""
    take = [] if ruleset.has_pot else [gettext("Take")]
    last = gettext("Finish") if ruleset.may_keep_all else gettext("Put one down")
    return [*take, gettext("Lay"), last]


def is_next_step_known(view: View, *, laid: bool = False) -> bool:
    """Whether few words for the next thing to do are enough, because the player has had a turn or
    has just `laid` a row."""
    if _needs_table(view):
        return False
    knows_the_game = laid or view.turns[view.seat] > 0
    return knows_the_game and view.may_act and view.phase in ("draw", "play")


def _needs_table(view: View) -> bool:
    """Whether the player laid nothing in their last turn and may use the rows on the table."""
    is_dry = view.turns_without_play > 0 and not view.play_count and not view.ruleset.has_pot
    can_lay = view.may_act and view.phase == "play"
    return is_dry and can_lay and bool(view.table.lines) and view.position.may_use_table


def is_nearly_used_up(view: View) -> bool:
    """Whether the remaining cards may not last until each player has had another turn. In a turn, a
    player takes one card and may fill up their hand. The market passes over cards that no row can
    have (5.5), so only a share of the remaining cards counts. The share is estimated from the cards
    that do not lie open, so that all at a table read the same."""
    players, ruleset = len(view.hand_sizes), view.ruleset
    if ruleset.piles is None:
        return False
    if not ruleset.market:
        limit = SHORTEST + 1 if ruleset.refill else 1
        return view.is_last_pile and view.cards_to_come <= limit * players
    seen_cards = {*view.table.laid_cards, *view.open_cards}
    unseen = [card for card in ruleset.cards if card not in seen_cards]
    fitting = sum(ruleset.fitting_mask >> card & 1 for card in unseen)
    return view.cards_to_come * fitting <= FITTING_CARDS_PER_PLAYER * players * len(unseen)


@dataclass(frozen=True, slots=True)
class EndNotice:
    """What the page says about the turns that are left in a round. It counts `own_turns` beside the
    strip: 0 if turns are not limited, if the bridge counts them, or if the cards may run out first.
    """

    is_nearly_used_up: bool  # whether the cards may not last for these turns
    warning: str
    own_turns: int
    goal: Goal | None  # of the table; without turns left if the cards may not last


def notice_of_end(view: View, *, of_table: bool) -> EndNotice:
    """The turns left to a player. `of_table` counts those of all together (`words.goal_of`)."""
    nearly_used_up = is_nearly_used_up(view)
    goal = None if view.phase in OVER_PHASES else words.goal_of(view, of_table=of_table)
    is_unsure = nearly_used_up and not view.is_goal_reached and (view.turns_left or 0) > 1
    return EndNotice(
        nearly_used_up,
        _warning(view, nearly_used_up=nearly_used_up),
        0 if nearly_used_up or view.goal is not None else view.turns_left or 0,
        replace(goal, turns_left_text="") if goal is not None and is_unsure else goal,
    )


def _warning(view: View, *, nearly_used_up: bool) -> str:
    """A warning if this turn is the player's last or last but one, may be their last, or if the
    round ends soon. It uses the words of the rule that ends the round (`words.end_rules`). Empty if
    there is nothing to say, and in others' turns unless the bridge is whole."""
    if view.is_goal_reached:
        count = view.turns_after_goal
        if count == 1:
            return gettext("This turn is the last of the round!")
        text = ngettext(
            "%(n)d more turn: each plank is a star!",
            "%(n)d more turns: each plank is a star!",
            count,
        )
        return text % {"n": count}
    if view.turn != view.seat or view.phase not in ("draw", "play"):
        return ""
    if view.turns_left == 1:
        return "" if view.goal is not None else gettext("This is your last turn!")
    ruleset = view.ruleset
    other_counts = [*view.hand_sizes[: view.seat], *view.hand_sizes[view.seat + 1 :]]
    if nearly_used_up:
        if not view.cards_to_come and view.is_last_pile:
            return gettext("The pile is empty: this is your last turn!")
        return gettext("Few cards that fit are left: the round ends soon.")
    if ruleset.most_rows is not None and view.goal is None:
        rows_left = ruleset.most_rows - len(view.table.lines)
        if 0 < rows_left <= len(other_counts):
            text = ngettext(
                "%(n)d more row ends the round: this may be your last turn!",
                "%(n)d more rows end the round: this may be your last turn!",
                rows_left,
            )
            return text % {"n": rows_left}
    if ruleset.refill or ruleset.is_together or min(other_counts, default=2) > 1:
        return ""
    if ruleset.has_pot:
        return gettext("Someone has only 1 block left: this may be your last turn!")
    return gettext("Someone has only 1 card left: this may be your last turn!")


def can_begin(view: View) -> bool:
    """Whether the player can begin their turn now."""
    if view.turn != view.seat or not view.may_act:
        return False
    has_pot = view.ruleset.has_pot and view.phase == "play"
    return view.phase == "draw" or (has_pot and not view.play_count)


def stand_in_news(outcome: Outcome) -> list[str]:
    """A sentence for each other player for whom a bot has just begun to play."""
    lately = timezone.now() - presence.LEFT_JUST_NOW
    other_seats = [
        seat for seat in outcome.seats if seat.player and seat.number != outcome.seat_number
    ]
    return [_bot_plays_for(seat) for seat in other_seats if (seat.away_since or lately) > lately]


def _bot_plays_for(seat: Seat) -> str:
    """A sentence without a reason: the child may have been taken off the table, or have lost the
    network."""
    return gettext("A bot plays for %(name)s now.") % {"name": seat.name}


def whose_turn(outcome: Outcome) -> str:
    """A sentence about the player whom the table waits for; empty if it is the viewer."""
    view = outcome.view
    if outcome.waits_for_others:
        return gettext("You have knocked. Just a moment!")
    if view.may_act or view.to_act is None:
        return ""
    seat = outcome.seats[view.to_act]
    name = {"name": seat.name}
    if seat.away_since is not None:
        return _bot_plays_for(seat)
    if view.phase in presence.QUESTION_PHASES:
        # A name would reveal who has declined before them.
        return gettext("The others are choosing.")
    if presence.is_asked_to_go_on(outcome.game):
        return gettext("A bot plays soon, unless %(name)s goes on.") % name
    if outcome.own_seat.answered_at is not None:
        return gettext("You have asked for a bot. It plays if all of you ask.")
    inactivity = presence.inactivity_at(
        outcome.game, outcome.seats, outcome.seat_number, timezone.now()
    )
    if presence.Inactivity.NO_REQUEST in inactivity:
        return gettext("%(name)s may be away, but can come back.") % name
    if presence.Inactivity.THINKS in inactivity:
        return gettext("%(name)s is thinking.") % name
    text = gettext("It is %(name)s’s turn.") % name
    if view.phase == "play":
        text = gettext("%(name)s is looking for a row.") % name
    knows_the_game = view.turns[view.seat] > (1 if view.round == 1 else 0)
    if knows_the_game or stand_in_news(outcome) or outcome.result.cards_refilled:
        return text  # Only one piece of news at a time.
    return f"{text} " + gettext("You can choose cards already.")


def to_do_if_known(view: View) -> str:
    """The next thing to do, in few words (`is_next_step_known`)."""
    if view.phase == "draw":
        return gettext("Take a card.")
    if view.ruleset.may_keep_all:
        return gettext("Lay a row, or tap “Done”.")
    return gettext("Lay a row, or put one down.")


def to_do(view: View, names: Sequence[str], warning: str, *, has_hints: bool = False) -> str:
    """The next thing to do, in words. A question in the turn of another player first says whose
    turn it is. `warning` is that of `EndNotice`. In their first turn, a player who `has_hints`
    reads of them."""
    if not view.may_act:
        return gettext("Wait for the others.")
    if view.phase == "offer":
        text = gettext("It is %(name)s’s turn.") % {"name": names[view.turn]}
        return f"{text} {_offer_text(view)}"
    if view.phase == "knock":
        return _question_text(view, names[view.turn])
    if view.phase == "redraw":
        return gettext("The open card is gone. Now take a card yourself.")
    if warning:
        return words.joined(warning, to_do_if_known(view))
    if view.phase == "draw":
        if view.open_top is None:
            return gettext("Take a card: tap the pile.")
        if view.market:
            return gettext("Take a card: tap the pile or any open card.")
        return gettext("Take a card: tap the pile or the open card.")
    if view.turns[view.seat] or not has_hints:
        return _laying_text(view)
    return " ".join((_laying_text(view), gettext("“Hint” helps you.")))


def to_do_in_one_turn(view: View, *, riddle: int) -> str:
    """The next thing to do for a player who takes no card, in words. `riddle` is the most cards
    that can be laid in a riddle; 0 if it is none."""
    values = {"n": view.scores[view.seat], "most": riddle}
    if riddle and not view.play_count:
        return gettext("Lay %(most)d of your cards: then you have solved the riddle.") % values
    if riddle:
        return gettext("%(n)d of %(most)d cards laid. Tap “Done” when you see no more.") % values
    if not view.play_count:
        return gettext("Which row do you see? Lay it.")
    return gettext("Lay another row if you see one. If not, wait.")


def _offer_text(view: View) -> str:
    assert view.open_top is not None
    if is_joker(view.open_top):
        return gettext("You may take the joker. You also get one card from the pile.")
    text = gettext("You may take the %(card)s. You also get one from the pile.")
    return text % {"card": words.card_word(view.open_top)}


def _question_text(view: View, name: str) -> str:
    """The question whether the player wants the offered block. It says what they get for each
    answer: if their turn is next, they get two blocks for a no (7.3, 7.4)."""
    assert view.open_top is not None
    block = {"block": words.card_word(view.open_top), "who": name}
    text = gettext("%(who)s put down a block: %(block)s.") % block
    if not view.closed_count:
        return f"{text} " + gettext("Do you want it?")
    # If nobody wants the block, the player who is next gets two others.
    count = min(view.closed_count, 2)
    if (view.turn + 1) % len(view.hand_sizes) != view.seat:
        return f"{text} " + gettext("Do you want it and one from the pot?")
    question = ngettext(
        "Take it and one from the pot, or %(n)d from the pot?",
        "Take it and one from the pot, or %(n)d from the pot?",
        count,
    )
    return f"{text} {question % {'n': count}}"


def _laying_text(view: View) -> str:
    if _needs_table(view):
        return gettext("Look at the table too: cross a row, or add to one.")
    must_open = not view.position.may_use_table or not view.table.lines
    if view.ruleset.may_keep_all:
        if must_open:
            return gettext("Lay a row of 3 or more, or tap “Done”.")
        return gettext("Lay a row, add to one or cross one. Then tap “Done”.")
    if must_open:
        return gettext("Lay a row of 3 or more, or put one down.")
    return gettext("Lay a row, add to one or cross one, or put one down.")


def buttons(outcome: Outcome) -> tuple[Button, ...]:
    """The buttons under the hand, in reading order. Each always has the same place. There is none
    for taking a card, because a player taps a pile. All buttons are idle until the player can lay,
    except for the hint, which also says which card to take. After a hint that there is no row, the
    button to lay is idle, and the button to end the turn is the next thing to do."""
    view = outcome.view
    if view.phase == ROUND_OVER and not outcome.waits_for_others:
        return (Button("next-round", gettext("Next round"), "primary"),)
    if view.phase in OVER_PHASES:
        return ()
    if outcome.game.is_hand:
        return _lay_button(), _take_back_button(view)
    idle = not view.may_act or view.phase != "play"
    # A try at a riddle without a play would be lost.
    may_end = not outcome.game.riddle_cards or view.play_count > 0
    ends = [Button("end", gettext("Done"), "second", is_idle=not may_end)]
    ends = ends if view.ruleset.may_keep_all else []
    if not outcome.game.riddle_cards:
        ends.append(Button("discard", gettext("Put one down"), "second"))
    in_order = (_lay_button(), *ends, *_hint_button(outcome), _take_back_button(view))
    if not idle and outcome.hint is not None and not outcome.hint.row_count:
        end_move = ends[0].move
        return tuple(
            replace(button, is_idle=button.move == "lay", is_next=button.move == end_move)
            for button in in_order
        )
    if not idle:
        return in_order
    has_hint = view.may_act and view.phase in DRAW_PHASES
    if outcome.has_several_players and not view.may_act:
        has_hint = view.phase in (*DRAW_PHASES, "play")
    shown = "hint" if has_hint else ""
    return tuple([replace(button, is_idle=button.move != shown) for button in in_order])


def _lay_button() -> Button:
    return Button("lay", gettext("Lay this row"), "primary")


def _take_back_button(view: View) -> Button:
    return Button("take-back", gettext("Take back"), "quiet", is_usable=view.play_count > 0)


def answers(outcome: Outcome) -> tuple[Button, ...]:
    """The buttons for the two answers to an offer, at a table where no time runs out. "No" is the
    primary one, because most offered cards are of no use, and an unused card costs points."""
    view = outcome.view
    if not view.may_act or view.phase not in ("offer", "knock") or outcome.waits_for_others:
        return ()
    move, label = "claim", gettext("Yes, please")
    if view.phase == "knock":
        move = "knock"
        label = gettext("Knock and take it") if view.ruleset.all_may_knock else gettext("Take it")
    return Button("pass", gettext("No, thank you"), "primary"), Button(move, label, "second")


def _hint_button(outcome: Outcome) -> tuple[Button, ...]:
    """The hint button; none if the game has no hints. It cannot be used if there is no more to
    show."""
    last_step = min(outcome.own_seat.most_hint_steps, LAST_STEP)
    if not last_step:
        return ()
    label = gettext("Hint")
    hint = outcome.hint
    if hint is None:
        return (Button("hint", label, "hint"),)
    has_more = hint.row_count > 0 and outcome.hint_step < last_step
    wait = round(1000 * settings.HINT_WAIT_SECONDS) if has_more else 0
    return (Button("hint", label, "hint", is_usable=has_more, wait_ms=wait),)
