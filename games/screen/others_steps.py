"""What the others, and bots for the player, have done since the player's last turn, in steps that
the page shows in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils.translation import gettext

from games.engine.actions import Action, Claim, Discard, DrawOpen, Knock, Take
from games.engine.cards import Card, is_joker
from games.engine.round import View
from games.engine.table import Play
from games.engine.text.notation import parse_action
from games.models import Entry
from games.play.moves import PublicCounts
from games.play.services import Outcome
from games.play.sql import ShownEntry
from games.screen import words
from games.screen.bot_words import in_character
from games.screen.card_drawing import new_cards
from games.screen.view_models import StepCounts

ACTS: Final = (Entry.Kind.ACT, Entry.Kind.STAND_IN)


@dataclass(frozen=True, slots=True)
class Step:
    """A row that another player laid, or a turn without one."""

    number: int  # its place in the order, from 1; 0 if the page has shown it already
    seat: int
    text: str  # one short line
    full_text: str  # all that was done, for a screen reader
    laid_cards: tuple[Card, ...]  # the cards that it put on the table
    puts_down: bool  # whether it put a card on the open pile
    first: int  # the number of the log entry that it is about
    last: int  # the number of its last log entry
    turned_up: tuple[tuple[str, Card | None], ...] = ()
    """The cards that came to lie in the market, each with the card that was taken from its
    place."""
    shrugs: bool = False  # whether a shrug is drawn instead of the text
    is_stand_in: bool = False  # whether a bot did it for the player
    earned: int = 0  # the points of the row


@dataclass(frozen=True, slots=True)
class StepsOfOthers:
    """The steps; the `new_steps` ones are shown one after another. `are_new` says whether the
    players say something that the page has not shown."""

    steps: Sequence[Step] = ()
    new_steps: Sequence[Step] = ()
    are_new: bool = False

    def cards_laid(self, since: int | None) -> Mapping[Card, tuple[int, int]]:
        """The cards that new steps after this entry laid, each with its step and seat."""
        return {
            card: (step.number, step.seat)
            for step in self.new_steps
            for card in step.laid_cards
            if step.first > (since or 0)
        }


def steps_of_others(outcome: Outcome) -> StepsOfOthers:
    """What the others have done since the player's last turn; nothing if the player has one turn
    only."""
    if outcome.game.one_turn:
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
    """The entries of the others since the player's last turn, and whether they are new on the
    page."""
    me, view = outcome.seat_number, outcome.view
    news = [entry for entry in outcome.entries if entry.seat not in (None, me)]
    if outcome.has_several_players:
        news = [
            entry
            for entry in outcome.entries
            if entry.kind == Entry.Kind.STAND_IN
            or (entry.seat != me and entry.kind in (Entry.Kind.ACT, Entry.Kind.TAKE_BACK))
        ]
    if outcome.since is not None:
        return news, any(entry.number > outcome.since for entry in news)
    if news or not view.may_act:
        return news, True
    recent = [entry for entry in outcome.stored.recent_entries if not entry.is_unasked]
    while recent and recent[0].seat == me:
        recent.pop(0)
    entries: list[ShownEntry] = []
    for entry in recent:
        if entry.seat in (None, me):
            break
        entries.append(entry)
    return entries[::-1], False


@dataclass(slots=True)
class _Turn:
    """What another player has done since their last step."""

    taken_words: list[str] = field(default_factory=list)  # the cards that they took, in words
    got: int = 0  # the number that they took after the player had put it down, or 0
    turned_up: list[tuple[str, Card | None]] = field(default_factory=list)  # as in a step
    after_row: bool = False  # whether that step laid a row


def _steps_of_entries(entries: Sequence[ShownEntry], outcome: Outcome) -> list[Step]:
    """What the others did: a step for each row and for each turn without a row. Taking a card
    belongs to the following step, putting one down to the preceding row."""
    ruleset, card_put_down = outcome.view.ruleset, _put_down(outcome)
    steps: list[Step] = []
    turn = _Turn()
    for entry in entries:
        if entry.kind == Entry.Kind.TAKE_BACK and steps and steps[-1].seat == entry.seat:
            steps.pop()
            turn = _Turn(after_row=bool(steps) and steps[-1].seat == entry.seat)
        if entry.kind not in ACTS or entry.seat is None:
            continue
        action = parse_action(entry.text, ruleset)
        text = words.action_words(action, entry.data, ruleset)
        took = action.card if isinstance(action, Take) else None
        turn.turned_up += [(card, took) for card in entry.data.get("turned up", ())]
        if isinstance(action, DrawOpen | Take):
            turn.taken_words.append(text)
            turn.got = card_put_down if str(took or entry.data["card"]) == str(card_put_down) else 0
        elif turn.after_row and isinstance(action, Discard):
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
            turn = _Turn(after_row=isinstance(action, Play))
    return steps


def _step(
    number: int,
    entry: ShownEntry,
    action: Action,
    text: str,
    turn: _Turn,
    outcome: Outcome,
) -> Step:
    """The step of an entry, whose `text` is all that was done. Without a row, a player says which
    open card they took. If they took none, a child says which card they put down, and a bot
    shrugs."""
    seat, data, taken_words, shrugs = entry.seat, entry.data, turn.taken_words, False
    assert seat is not None
    cards = new_cards(action) if isinstance(action, Play) else ()
    if isinstance(action, Play | Claim | Knock):
        thanks_for = turn.got if turn.got in cards else 0
        short_text = words.row_laid(action, data, outcome.view.ruleset) or text
        if outcome.seats[seat].bot or not outcome.has_several_players:
            # A bot makes its sound once a turn, with the row.
            has_sound = isinstance(action, Play) and not turn.after_row
            face = outcome.seats[seat].face if has_sound else ""
            short_text = in_character(face, short_text, thanks_for)
    elif outcome.seats[seat].player:
        short_text = (taken_words or [text])[-1]
    else:
        no_row = gettext("No row for me.")
        short_text, shrugs = (taken_words[-1], False) if taken_words else (no_row, True)
        taken_words = [*taken_words, no_row] if isinstance(action, Discard) else taken_words
    return Step(
        number=number,
        seat=seat,
        text=short_text,
        full_text=" ".join((*taken_words, text)),
        laid_cards=cards,
        puts_down=isinstance(action, Discard),
        first=entry.number,
        last=entry.number,
        turned_up=tuple(turn.turned_up),
        shrugs=shrugs,
        is_stand_in=not outcome.seats[seat].bot and entry.kind == Entry.Kind.STAND_IN,
        earned=data.get("points", 0),
    )


def who_says(outcome: Outcome, step: Step) -> str:
    """The name of whoever speaks in this step."""
    name = outcome.seats[step.seat].name
    if not step.is_stand_in:
        return name
    if step.seat == outcome.seat_number:
        return gettext("Bot for you")
    return gettext("Bot for %(who)s") % {"who": name}


def _put_down(outcome: Outcome) -> int:
    """The number that the player has just put down; 0 for no card or a joker."""
    texts = [
        e.text
        for e in outcome.entries
        if e.seat == outcome.seat_number and e.kind == Entry.Kind.ACT
    ]
    action = parse_action(texts[-1], outcome.view.ruleset) if texts else None
    return action.card if isinstance(action, Discard) and not is_joker(action.card) else 0


def counts_of_steps(outcome: Outcome, steps: Sequence[Step]) -> tuple[StepCounts, ...]:
    """The counts before the first step and after each step, as in `Board.step_counts`."""
    if not steps or not outcome.public_counts:
        return ()
    first = outcome.entries[0].number
    after = [outcome.public_counts[step.last - first] for step in steps]
    own_entries = [
        entry.number
        for entry in outcome.entries
        if entry.seat in (None, outcome.seat_number)
        and not (entry.is_unasked or entry.kind == Entry.Kind.STAND_IN)
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
            tuple((_score(now, seat, outcome.view), now.counts[seat]) for seat in seats),
            now.cards_to_come,
            actor,
        )
        for now, actor in zip((before, *after), actors, strict=True)
    )


def _score(now: PublicCounts, seat: int, view: View) -> int:
    """The figure of a seat: its score or its blocks; at a table with one goal, what all have earned
    together."""
    if words.counts_blocks(view.ruleset):
        return now.counts[seat]
    return now.scores[seat] if view.goal is None else now.earned_together
