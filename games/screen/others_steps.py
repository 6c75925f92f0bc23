"""The actions of the others, and of bots for the player, since the player's last turn. The page
shows them in steps, one after another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, takewhile
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

from games.engine.actions import Action, Claim, Discard, DrawOpen, Knock, Take
from games.engine.cards import Card, is_joker
from games.engine.table import Play
from games.engine.text.notation import parse_action
from games.engine.text.record import ACTS, EntryKind
from games.engine.view import View
from games.play.moves import PublicCounts
from games.play.services import Outcome
from games.play.sql import ShownEntry
from games.screen import words
from games.screen.card_drawing import new_cards
from games.screen.view_models import Step, StepCounts

SOUNDS: Final[Mapping[str, Promise]] = {
    "owl": pgettext_lazy("an owl", "Hoo-hoo!"),
    "fox": pgettext_lazy("a fox", "Aha!"),
    "bear": pgettext_lazy("a bear", "Mmm!"),
    "hare": pgettext_lazy("a hare", "Hop!"),
    "cat": pgettext_lazy("a cat", "Purr!"),
    "frog": pgettext_lazy("a frog", "Ribbit!"),
    "penguin": pgettext_lazy("a penguin", "Flap!"),
}
"""The sound of a bot, by its face."""


@dataclass(frozen=True, slots=True)
class StepsOfOthers:
    """The steps of the others, the last ones of which may be new."""

    steps: Sequence[Step] = ()
    new_steps: Sequence[Step] = ()  # the steps that the page shows one after another
    are_new: bool = False  # whether the others say something that the page has not shown

    def cards_laid(self, since: int | None) -> Mapping[Card, tuple[int, int]]:
        """The step and the seat of each card that the new steps after the entry `since` laid."""
        return {
            card: (step.number, step.seat)
            for step in self.new_steps
            for card in step.laid_cards
            if step.first > (since or 0)
        }


def steps_of_others(outcome: Outcome) -> StepsOfOthers:
    """The steps since the player's last turn; none if the player has only one turn."""
    if outcome.game.has_one_turn:
        return StepsOfOthers()
    entries, are_new = _entries_of_others(outcome)
    steps = _steps_of_entries(entries, outcome)
    if outcome.since is None:
        return StepsOfOthers(steps, steps if are_new else [], are_new)
    old_steps = [replace(step, number=0) for step in steps if step.last <= outcome.since]
    later = [step for step in steps if step.last > outcome.since]
    new_steps = [replace(step, number=number) for number, step in enumerate(later, start=1)]
    return StepsOfOthers([*old_steps, *new_steps], new_steps, are_new)


def _entries_of_others(outcome: Outcome) -> tuple[Sequence[ShownEntry], bool]:
    """The entries of the others since the player's last turn, and whether the page has not shown
    them yet."""
    own_seat = outcome.seat_number
    news = [entry for entry in outcome.entries if entry.seat not in (None, own_seat)]
    if outcome.has_several_players:
        news = [
            entry
            for entry in outcome.entries
            if entry.kind == EntryKind.STAND_IN
            or (entry.seat != own_seat and entry.kind in (EntryKind.ACT, EntryKind.TAKE_BACK))
        ]
    if outcome.since is not None:
        return news, any(entry.number > outcome.since for entry in news)
    if news or not outcome.view.may_act:
        return news, True
    recent = [entry for entry in outcome.recent_entries if not entry.is_unasked]
    earlier = dropwhile(lambda entry: entry.seat == own_seat, recent)
    entries = list(takewhile(lambda entry: entry.seat not in (None, own_seat), earlier))
    return entries[::-1], False


@dataclass(slots=True)
class _Turn:
    """The actions of another player since their last step."""

    taken_words: list[str] = field(default_factory=list)  # the cards that they took, in words
    taken_number: int = 0  # of the card that they took after the player put it down; 0 for none
    turned_up: list[tuple[str, Card | None]] = field(default_factory=list)  # as in a step
    is_after_row: bool = False  # whether their last step laid a row


def _steps_of_entries(entries: Sequence[ShownEntry], outcome: Outcome) -> list[Step]:
    """A step for each row, and for each turn without a row. Taking a card belongs to the step
    after it, putting one down to the row before it."""
    ruleset = outcome.view.ruleset
    number_put_down = _number_put_down(outcome)
    steps: list[Step] = []
    turn = _Turn()
    for entry in entries:
        if entry.kind == EntryKind.TAKE_BACK and steps and steps[-1].seat == entry.seat:
            steps.pop()
            turn = _Turn(is_after_row=bool(steps) and steps[-1].seat == entry.seat)
        if entry.kind not in ACTS or entry.seat is None:
            continue
        action = parse_action(entry.text, ruleset)
        text = words.action_words(action, entry.data, ruleset)
        took = action.card if isinstance(action, Take) else None
        turn.turned_up += [(card, took) for card in entry.data.get("turned up", ())]
        if isinstance(action, DrawOpen | Take):
            turn.taken_words.append(text)
            turn.taken_number = (
                number_put_down if str(took or entry.data["card"]) == str(number_put_down) else 0
            )
        elif turn.is_after_row and isinstance(action, Discard):
            before = steps[-1]
            steps[-1] = replace(
                before,
                full_text=" ".join((before.full_text, *turn.taken_words, text)),
                puts_down=True,
                last=entry.number,
                turned_up=(*before.turned_up, *turn.turned_up),
            )
            turn = _Turn()
        elif text:
            steps.append(_step(len(steps) + 1, entry, action, text, turn, outcome))
            turn = _Turn(is_after_row=isinstance(action, Play))
    return steps


def _step(
    number: int, entry: ShownEntry, action: Action, text: str, turn: _Turn, outcome: Outcome
) -> Step:
    """The step of an entry, whose action is described by `text`. A player who made a play, or who
    claimed or knocked, speaks of it. After a turn without a row, a player says which open card they
    took. If they took none, a child says which card they put down, and a bot shrugs."""
    assert entry.seat is not None
    seat, short_text, no_row = outcome.seats[entry.seat], text, ""
    if isinstance(action, Play):
        short_text = _words_of_play(action, entry, turn, outcome)
    elif not isinstance(action, Claim | Knock):
        no_row = "" if seat.player else gettext("No row for me.")
        short_text = (turn.taken_words or [no_row or text])[-1]
    return Step(
        number=number,
        seat=entry.seat,
        text=short_text,
        full_text=words.joined(
            *turn.taken_words, no_row if isinstance(action, Discard) else "", text
        ),
        laid_cards=new_cards(action) if isinstance(action, Play) else (),
        puts_down=isinstance(action, Discard),
        first=entry.number,
        last=entry.number,
        turned_up=tuple(turn.turned_up),
        shrugs=bool(no_row and not turn.taken_words),
        is_stand_in=not seat.bot and entry.kind == EntryKind.STAND_IN,
        earned=entry.data.get("points", 0),
        row=words.row_text(entry.data["numbers"]) if isinstance(action, Play) else "",
    )


def _words_of_play(play: Play, entry: ShownEntry, turn: _Turn, outcome: Outcome) -> str:
    """What a player says beside their row. A bot makes its sound only with the first row of a turn,
    or thanks the player for a card."""
    assert entry.seat is not None
    seat = outcome.seats[entry.seat]
    text = words.words_beside_row(entry.data, outcome.view.ruleset)
    if not seat.bot and outcome.has_several_players:
        return text
    thanks_for = turn.taken_number if turn.taken_number in new_cards(play) else 0
    return line_in_character("" if turn.is_after_row else seat.face, text, thanks_for)


def speaker_of(outcome: Outcome, step: Step) -> str:
    """The name of the speaker of this step: a player, or a bot that plays for them."""
    name = outcome.seats[step.seat].name
    if not step.is_stand_in:
        return name
    if step.seat == outcome.seat_number:
        return gettext("Bot for you")
    return gettext("Bot for %(who)s") % {"who": name}


def _number_put_down(outcome: Outcome) -> int:
    """The number of the card that the player has just put down; 0 for no card or a joker."""
    texts = [
        e.text for e in outcome.entries if e.seat == outcome.seat_number and e.kind == EntryKind.ACT
    ]
    action = parse_action(texts[-1], outcome.view.ruleset) if texts else None
    return action.card if isinstance(action, Discard) and not is_joker(action.card) else 0


def counts_of_steps(outcome: Outcome, steps: Sequence[Step]) -> tuple[StepCounts, ...]:
    if not steps or not outcome.public_counts:
        return ()
    first = outcome.entries[0].number
    after = [outcome.public_counts[step.last - first] for step in steps]
    own_entries = [
        entry.number
        for entry in outcome.entries
        if entry.seat in (None, outcome.seat_number)
        and not (entry.is_unasked or entry.kind == EntryKind.STAND_IN)
    ]
    if outcome.since is not None:
        own_entries = [outcome.since] if outcome.since >= first else []
    before = outcome.public_counts[own_entries[-1] - first] if own_entries else after[0]
    seats = [
        (outcome.seat_number + place) % len(outcome.seats) for place in range(len(outcome.seats))
    ]
    actors = [seats.index(step.seat) for step in (steps[0], *steps)]
    return tuple(
        StepCounts(
            tuple((_score(counts, seat, outcome.view), counts.hand_sizes[seat]) for seat in seats),
            counts.cards_to_come,
            actor,
        )
        for counts, actor in zip((before, *after), actors, strict=True)
    )


def _score(counts: PublicCounts, seat: int, view: View) -> int:
    """The figure beside a player: their score or the number of their blocks. At a table with a
    goal, it is the points that all have earned together."""
    if words.counts_blocks(view.ruleset):
        return counts.hand_sizes[seat]
    return counts.scores[seat] if view.goal is None else counts.earned_together


def line_in_character(face: str, text: str, thanks_for: int = 0) -> str:
    """A bot's line after its sound. If the bot laid `thanks_for`, a card that the player had put
    down, it thanks the player instead."""
    if thanks_for:
        thanks = gettext("Thank you for the %(card)d!") % {"card": thanks_for}
        return f"{thanks} {text}"
    sound = SOUNDS.get(face)
    return text if sound is None else f"{sound} {text}"
