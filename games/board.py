"""A player's view of a game as what the templates draw. No word of it comes from the hidden."""

from collections.abc import Iterator, Sequence
from typing import Literal
from uuid import uuid4

from django.utils.translation import gettext, ngettext

from games import wording
from games.coach.hints import LAST_STEP, Hint
from games.coach.times_tables import describe
from games.drawing import face, number_line, table_cards, table_rows
from games.drawn import (
    Board,
    Button,
    Choice,
    HandCard,
    Notice,
    NumberLine,
    Over,
    Player,
    Point,
    StripStep,
)
from games.engine.cards import is_joker
from games.engine.notation import card_text
from games.engine.round import View
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Play
from games.models import Action, Seat
from games.services import RECENT, Outcome
from games.story import Story, story_of_round


def board(outcome: Outcome, *, chosen: Sequence[str] = (), needs: str = "") -> Board:
    """The board of an outcome. `chosen`: the cards and rows to keep chosen, as posted; `needs`:
    what the player still has to choose (`forms.Posted`)."""
    view, ruleset = outcome.view, outcome.view.ruleset
    notice = _notice(outcome, needs)
    heard, fresh = _heard(outcome)
    players = tuple(_players(outcome, heard, fresh))
    over = _over(outcome) if view.phase in ("round over", "match over") else None
    steps = tuple(
        f"{player.name}: {' '.join(player.says)}" for player in players if player.says and fresh
    )
    keep = set(chosen) if notice and notice.kind != "stale" else set()
    to_do = _to_do(view) if over is None else over.title
    spoken = [notice.text] if notice else [*steps, to_do]
    return Board(
        game_id=outcome.game.pk,
        seen=outcome.game.version,
        key=uuid4(),
        title=wording.title(ruleset),
        round=_round_text(view),
        phase=view.phase,
        my_turn=view.to_act == view.seat,
        strip=_strip(view),
        hand=tuple(_hand(view, keep, outcome.hint)),
        cards=tuple(
            table_cards(
                view.table, outcome.layout, ruleset, new=_laid(heard) if fresh else (), chosen=keep
            )
        ),
        rows=tuple(table_rows(outcome.layout, chosen=keep)),
        players=players,
        closed_count=view.closed_count,
        open_card=None if view.open_top is None else face(view.open_top, ruleset),
        buttons=_buttons(outcome),
        notice=notice,
        choices=tuple(_choice(play, outcome) for play in outcome.choices),
        over=over,
        live=" ".join(spoken),
        to_do=to_do,
        empty_hint=wording.first_row(ruleset),
        tables=" ".join(map(str, ruleset.tables or range(2, 11))),
    )


def _heard(outcome: Outcome) -> tuple[Sequence[Action], bool]:
    """What the others did since the player's last turn, and whether that is news."""
    me, view = outcome.seat, outcome.view
    news = [entry for entry in outcome.entries if entry.seat not in (None, me)]
    if news or view.to_act != me:
        return news, True
    recent = list(outcome.game.actions.order_by("-number")[:RECENT])
    while recent and recent[0].seat == me:
        recent.pop(0)
    heard = []
    for entry in recent:
        if entry.seat in (None, me):
            break
        heard.append(entry)
    return heard[::-1], False


def _laid(entries: Sequence[Action]) -> set[int]:
    return {number for entry in entries for number in entry.data.get("laid", ())}


def _round_text(view: View) -> str:
    words = {"round": view.round, "rounds": view.ruleset.rounds}
    if view.ruleset.rounds is None:
        return gettext("round %(round)d") % words
    return gettext("round %(round)d of %(rounds)d") % words


def _strip(view: View) -> tuple[StripStep, ...]:
    labels = [gettext("Take"), gettext("Lay"), gettext("Put one down")]
    if view.phase == "offer":
        return (StripStep(gettext("Do you want this card?"), "now"),)
    now = {"draw": 0, "redraw": 0, "play": 1}.get(view.phase, -1)
    if view.to_act != view.seat:
        now = -1
    states: list[Literal["done", "now", "later"]] = [
        "done" if index < now else "now" if index == now else "later"
        for index in range(len(labels))
    ]
    return tuple(
        StripStep(f"{index} {label}", state)
        for index, (label, state) in enumerate(zip(labels, states, strict=True), start=1)
    )


def _to_do(view: View) -> str:
    """The one thing to do next, in a sentence."""
    if view.to_act != view.seat:
        return gettext("Wait for the others.")
    if view.phase == "offer":
        return gettext("Do you want the open card? You get one more from the pile with it.")
    if view.phase in ("draw", "redraw"):
        return gettext("Take a card.")
    if not view.opened[view.seat]:
        return gettext("Lay a row of 3 cards or more, or put one card down.")
    return gettext("Lay cards, add to a row, or put one card down.")


def _hand(view: View, chosen: set[str], hint: Hint | None) -> Iterator[HandCard]:
    lit = hint.card if hint is not None else None
    for card in view.hand:
        shown = face(card, view.ruleset)
        yield HandCard(shown, shown.value in chosen, card == lit)


def _players(outcome: Outcome, heard: Sequence[Action], fresh: bool) -> Iterator[Player]:
    """The player first, then the others as they sit, clockwise."""
    view, seats = outcome.view, outcome.seats
    for step in range(len(seats)):
        seat = seats[(outcome.seat + step) % len(seats)]
        you = seat.number == outcome.seat
        yield Player(
            name=gettext("You") if you else seat.name,
            face=seat.face,
            you=you,
            score=view.scores[seat.number],
            count=view.counts[seat.number],
            says=() if you else tuple(_says(seat, heard, view)),
            turn=view.to_act == seat.number,
            initial=seat.name[:1].upper(),
            fresh=fresh,
        )


def _says(seat: Seat, entries: Sequence[Action], view: View) -> Iterator[str]:
    own = [entry for entry in entries if entry.kind == "act" and entry.seat == seat.number]
    laid = any("laid" in entry.data for entry in own)
    for entry in own:
        if entry.text.startswith("discard") and not laid:
            yield gettext("No row for me.")
        if words := wording.act(entry, view.ruleset):
            yield words


def _buttons(outcome: Outcome) -> tuple[Button, ...]:
    view = outcome.view
    if view.phase == "round over":
        return (Button("next-round", gettext("Next round"), "primary"),)
    if view.to_act != view.seat:
        return ()
    if view.phase == "offer":
        return (
            Button("claim", gettext("Yes, I want it"), "primary"),
            Button("pass", gettext("No, thank you"), "second"),
        )
    if view.phase in ("draw", "redraw"):
        open_top = view.open_top
        take_open = gettext("Take the open card")
        if open_top is not None and not is_joker(open_top):
            take_open = gettext("Take the %(card)s") % {"card": card_text(open_top)}
        return (
            Button("draw-closed", gettext("Take from the pile"), "primary"),
            Button("draw-open", take_open, "second", offered=open_top is not None),
        )
    ends = [Button("end", gettext("End my turn"), "quiet")] if view.ruleset.ending == "free" else []
    return (
        Button("lay", gettext("Lay this row"), "primary"),
        Button("take-back", gettext("Take back"), "quiet", offered=view.plays > 0),
        *_hint_button(outcome),
        Button("discard", gettext("Put one down"), "second"),
        *ends,
    )


def _hint_button(outcome: Outcome) -> tuple[Button, ...]:
    most = min(outcome.game.hint_steps, LAST_STEP)
    if not most:
        return ()
    following = min(outcome.hint_step + 1, most)
    label = gettext("Hint %(step)d of %(most)d") % {"step": following, "most": most}
    return (Button("hint", label, "hint"),)


def _notice(outcome: Outcome, needs: str) -> Notice | None:
    ruleset = outcome.view.ruleset
    if outcome.stale:
        return Notice("stale", str(wording.REFUSED["stale"]))
    if outcome.refusal is not None:
        told = wording.refusal(outcome.refusal, ruleset)
        line = number_line(outcome.refusal.numbers)
        return Notice("refusal", told, line if outcome.refusal.code == "not-a-sequence" else None)
    if outcome.hint is not None:
        return Notice("hint", wording.hint(outcome.hint), _hint_line(outcome.hint, ruleset))
    if outcome.choices:
        return Notice("choices", gettext("Which row do you mean?"))
    if needs or outcome.error:
        return Notice("refusal", str(wording.REFUSED[needs or outcome.error]))
    return None


def _hint_line(hint: Hint, ruleset: Ruleset) -> NumberLine | None:
    """Two jumps from the card that is lit, forwards where there is room."""
    if hint.jump is None or hint.card is None or is_joker(hint.card):
        return None
    jump, start = hint.jump, hint.card
    forwards = start + 2 * jump <= ruleset.highest
    first = start if forwards else max(start - 2 * jump, 0)
    line = number_line((first, first + jump, first + 2 * jump))
    if line is None:
        return None
    known = {str(start)}
    points = tuple(Point(p.x, p.label if p.label in known else "?") for p in line.points)
    return NumberLine(points, line.jumps)


def _choice(play: Play, outcome: Outcome) -> Choice:
    view = outcome.view
    _, line = view.table.with_play(play)
    faces = tuple(face(laid.card, view.ruleset, laid.number) for laid in line.cards)
    return Choice(str(play), faces, _choice_name(play, line))


def _choice_name(play: Play, line: Line) -> str:
    name = wording.row_name(describe(line.numbers))
    if play.lines or not play.across:
        return name
    crossed = wording.listed([laid.number for laid in play.across])
    return gettext("%(table)s, across %(crossed)s") % {"table": name, "crossed": crossed}


def _over(outcome: Outcome) -> Over:
    view = outcome.view
    match_over = view.phase == "match over"
    winners = view.winners or ()
    won = outcome.seat in winners if match_over else view.round_winner == outcome.seat
    if match_over:
        title = gettext("You won the game!") if won else gettext("The game is over")
        if won and len(winners) > 1:
            title = gettext("You share the win!")
    elif view.round_winner is None:
        title = gettext("The round is over")
    else:
        who = outcome.seats[view.round_winner].name
        title = (
            gettext("You won the round!")
            if won
            else gettext("%(who)s won the round") % {"who": who}
        )
    story = story_of_round(outcome.game, len(outcome.seats), outcome.seat)
    return Over(title, match_over, won, tuple(_scores(outcome)), tuple(_found(story)))


def _scores(outcome: Outcome) -> Iterator[str]:
    for seat in outcome.seats:
        name = gettext("You") if seat.number == outcome.seat else seat.name
        score = outcome.view.scores[seat.number]
        yield ngettext("%(name)s: %(n)d point", "%(name)s: %(n)d points", score) % {
            "name": name,
            "n": score,
        }


def _found(story: Story) -> Iterator[str]:
    for table, count in story.rows:
        words = {"n": count, "table": wording.table_name(table)}
        if table:
            yield (
                ngettext("%(n)d row of the %(table)s", "%(n)d rows of the %(table)s", count) % words
            )
        else:
            yield ngettext("%(n)d other row", "%(n)d other rows", count) % words
