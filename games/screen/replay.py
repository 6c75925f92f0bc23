"""Replays a turn moment by moment, for those who may look at it afterwards."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from django.utils.translation import gettext

from games.coach.begun_rounds import BegunRound
from games.engine.actions import DrawClosed, End, Pass
from games.engine.cards import Card, LaidCard, cards_in
from games.engine.layout.table_layout import layout
from games.engine.play_application import form
from games.engine.round import OVER, View, ends_turn, view
from games.engine.ruleset import Ruleset
from games.engine.text.notation import parse_action, parse_play
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    parse_hint,
    parse_refused,
)
from games.models import Action, Game, Seat
from games.play.log import GameSnapshot, replay_snapshot, setting_of, snapshots
from games.play.services import NotFound
from games.screen import words
from games.screen.card_drawing import face, felt_classes, table_islands
from games.screen.view_models import Face, HandCard, TableIsland


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry of a game's log, and how the game stood before it."""

    action: Action
    snapshot: GameSnapshot


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment, prepared for the templates: what one player saw, and who did what."""

    number: int
    who: str
    text: str
    hand: tuple[HandCard, ...]
    islands: tuple[TableIsland, ...]
    felt: str
    open_card: Face | None
    drawn: frozenset[str] = frozenset()
    """The values of the cards of the hand that the player took in this turn."""
    covered: str = ""  # how many cards that player held, in words, while others may not see them
    would_lie: bool = False
    """Whether the table shows a row that was not laid."""
    market: Sequence[Face] = ()  # the other open cards

    @property
    def has_joker(self) -> bool:
        """Whether a joker is in the hand."""
        return any(card.face.joker for card in self.hand)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row on its own: all its cards and `numbers`. `cards` has those that came from the hand, and
    `own` their values."""

    faces: tuple[Face, ...]
    own: frozenset[str]
    cards: frozenset[Card]
    numbers: tuple[int, ...]


def turn_with(game: Game, number: int) -> list[Moment]:
    """The moments, in order, of the turn that the log entry with this number belongs to. An answer
    that the game gave on behalf of a seat is left out.

    Raises `NotFound` if there is no such entry, or if its turn has not ended.
    """
    actions = list(Action.objects.filter(game=game).order_by("number"))
    entries = [
        LogEntry(cast(EntryKind, action.kind), action.seat, action.text) for action in actions
    ]
    moments: list[Moment] = []
    setting = setting_of(game, Seat.objects.filter(game=game).count())
    for action, (step, before, after) in zip(actions, snapshots(setting, entries), strict=True):
        if before is None or step.entry.kind == "deal":
            moments = []
            continue
        if not action.is_unasked:
            moments.append(Moment(action, before))
        if ends_turn(before.state, after.state):
            if moments[0].action.number <= number <= action.number:
                return moments
            moments = []
    raise NotFound(game.pk)


def scenes(
    moments: Sequence[Moment],
    game: Game,
    seats: Collection[Seat],
    player: UUID,
    lit: Collection[Card] = (),
) -> list[Scene]:
    """The moments of a turn, as the player whose turn it was saw them. While the round is running,
    only the hand of `player` is shown. `lit` has the cards of the hand to light up."""
    names = {seat.number: seat.name for seat in seats}
    own = {seat.number for seat in seats if seat.player == player}
    in_play = [moment.snapshot.state for moment in moments if moment.snapshot.state.phase == "play"]
    drawn = 0
    for state in in_play[:1]:
        drawn = state.hands[state.turn] & ~moments[0].snapshot.state.hands[state.turn]
    return [
        _scene(
            number, moment, game.ruleset, names, lit, drawn, covers=_is_hidden(moment, game, own)
        )
        for number, moment in enumerate(moments, start=1)
    ]


def scene_of(begun: BegunRound) -> Scene:
    """The table and the hand with which the player's turn in a begun round begins."""
    snapshot = replay_snapshot(begun.setting, begun.log)
    return Scene(
        1,
        who="",
        text="",
        hand=tuple(_shown_hand(view(snapshot.state, 0), ())),
        islands=tuple(table_islands(snapshot.state.table, snapshot.layout, begun.ruleset)),
        felt=felt_classes(snapshot.layout),
        open_card=None,
    )


def _is_hidden(moment: Moment, game: Game, own: Collection[int]) -> bool:
    state = moment.snapshot.state
    runs = state.round == game.round and game.phase not in OVER
    return runs and state.turn not in own


def _scene(
    number: int,
    moment: Moment,
    ruleset: Ruleset,
    names: dict[int, str],
    lit: Collection[Card],
    drawn: int,
    *,
    covers: bool,
) -> Scene:
    """A moment as a scene. `drawn` is the mask of the cards that the player took in this turn."""
    state, layout = moment.snapshot.state, moment.snapshot.layout
    seen = view(state, state.turn)
    held = state.hands[state.turn]
    taken = () if covers else cards_in(drawn & ~held)
    return Scene(
        number=number,
        who=names.get(moment.action.seat if moment.action.seat is not None else state.turn, ""),
        text=_text_of_action(moment.action, ruleset, taken),
        hand=() if covers else tuple(_shown_hand(seen, lit)),
        islands=tuple(table_islands(state.table, layout, ruleset)),
        felt=felt_classes(layout),
        open_card=None if seen.open_top is None else face(seen.open_top, ruleset),
        drawn=frozenset(
            () if covers else (face(card, ruleset).value for card in cards_in(drawn & held))
        ),
        covered=_covered_text(seen) if covers else "",
    )


def _shown_hand(seen: View, lit: Collection[Card]) -> Iterator[HandCard]:
    for card in seen.hand:
        yield HandCard(face(card, seen.ruleset), False, card in lit)


def _covered_text(seen: View) -> str:
    held = words.cards_held(len(seen.hand), seen.ruleset)
    return gettext("%(cards)s, face down until the round is over.") % {"cards": held}


def _text_of_action(action: Action, ruleset: Ruleset, taken: Sequence[Card]) -> str:
    """What was done, in the words of the player who did it. `taken` has the cards that a draw
    brought, if they may be seen."""
    if action.kind == Action.Kind.HINT:
        step = parse_hint(action.text, ruleset).step
        return gettext("I asked for hint number %(step)s.") % {"step": step}
    if action.kind == Action.Kind.TAKE_BACK:
        return gettext("I took my row back.")
    if action.kind == Action.Kind.REFUSED:
        refusal = parse_refused(action.text)
        tapped = [words.card_short(laid.card) for laid in refusal.cards]
        return gettext("I tried %(cards)s.") % {"cards": words.listed(tapped)}
    match parse_action(action.text, ruleset):
        case DrawClosed() if taken:
            cards = words.listed([words.card_short(card) for card in taken])
            return gettext("I took the %(cards)s from the pile.") % {"cards": cards}
        case DrawClosed():
            return gettext("I took a card from the pile.")
        case Pass():
            return gettext("I did not want it.")
        case End():
            return gettext("I ended my turn.")
        case played:
            return words.act(played, action.data, ruleset)


def shown_row(moment: Moment, row: str, ruleset: Ruleset) -> ShownRow:
    """The row that a play, given as text, made or would have made at this moment."""
    state = moment.snapshot.state
    play = parse_play(row, ruleset)
    swapped = {joker for joker, _ in play.swaps}
    put_in = [LaidCard(number, number) for _, number in play.swaps]
    own = (*(laid for laid in play.hand if laid.card not in swapped), *put_in)
    line = form(state.position(state.turn), play).line
    return ShownRow(
        tuple(_face(laid, ruleset) for laid in line.cards),
        frozenset(_face(laid, ruleset).value for laid in own),
        frozenset(laid.card for laid in own),
        tuple(laid.number for laid in line.cards),
    )


def scene_with_row(scene: Scene, moment: Moment, row: str, ruleset: Ruleset) -> Scene:
    """The scene as it would be if the player had laid a row that they missed. Its cards from the
    hand light up on the table."""
    snapshot = moment.snapshot
    state = snapshot.state
    formed = form(state.position(state.turn), parse_play(row, ruleset))
    placed = layout(formed.table, snapshot.layout)
    shown = shown_row(moment, row, ruleset)
    islands = (
        replace(
            island,
            cards=tuple(replace(card, lit=card.face.value in shown.own) for card in island.cards),
        )
        for island in table_islands(formed.table, placed, ruleset)
    )
    return replace(
        scene,
        number=scene.number + 1,
        text=gettext("Not laid: %(row)s.") % {"row": words.listed(shown.numbers)},
        hand=tuple(card for card in scene.hand if not card.lit),
        islands=tuple(islands),
        felt=felt_classes(placed),
        would_lie=True,
    )


def _face(laid: LaidCard, ruleset: Ruleset) -> Face:
    return face(laid.card, ruleset, laid.number or None)
