"""Replays a turn of a game moment by moment."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext

from games.coach.begun_rounds import BegunRound
from games.engine.actions import DrawClosed, End, Pass
from games.engine.cards import Card, LaidCard, card_text, cards_in
from games.engine.layout.packing import PROJECTOR, WIDE, FeltSize
from games.engine.layout.table_layout import Layout, layout, layout_of_part
from games.engine.play_application import make_play
from games.engine.round import OVER_PHASES, ends_turn
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.engine.text.notation import parse_action, parse_play
from games.engine.text.record import EntryKind, LogEntry, parse_hint, parse_refusal
from games.engine.view import View, view
from games.models import Entry, Game, Seat
from games.play.log import GameSnapshot, setting_of, snapshots
from games.play.services import NotFound
from games.screen import words
from games.screen.card_drawing import TableDrawing, face, felt_classes
from games.screen.view_models import Face, HandCard, Highlights, TableIsland


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry of a game's log, with snapshots of the game before and after it."""

    entry: Entry
    hand_at_start: int  # the mask of the hand at the beginning of the turn
    before: GameSnapshot
    after: GameSnapshot

    @property
    def seat(self) -> int:
        return self.before.state.turn


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment, prepared for the templates: the action, and what one player saw then."""

    number: int
    name: str
    text: str
    hand: tuple[HandCard, ...]
    islands: tuple[TableIsland, ...]
    felt: str
    open_card: Face | None
    drawn_values: frozenset[str] = frozenset()  # the hand cards that the player took in this turn
    covered_text: str = ""  # the number of cards in a hand that may not be shown, in words
    shows_missed_row: bool = False  # whether the lit cards of the table are of a row not laid
    market: Sequence[Face] = ()  # the other open cards

    @property
    def has_joker(self) -> bool:
        return any(card.face.is_joker for card in self.hand)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row on its own. `faces` and `numbers` are those of all its cards. `cards` has only the
    cards from the hand, and `hand_values` has their values."""

    faces: tuple[Face, ...]
    hand_values: frozenset[str]
    cards: frozenset[Card]
    numbers: tuple[int, ...]


def moments_of_turn(game: Game, number: int) -> list[Moment]:
    """The moments of the turn that contains the log entry with this number, in order, without the
    answers that the game gave on behalf of a seat.

    Raises `NotFound` if there is no such entry, or if its turn has not ended.
    """
    entries = list(Entry.objects.filter(game=game).order_by("number"))
    log = [LogEntry(EntryKind(entry.kind), entry.seat, entry.text) for entry in entries]
    moments: list[Moment] = []
    setting = setting_of(game, Seat.objects.filter(game=game).count())
    for entry, (step, before, after) in zip(entries, snapshots(setting, log), strict=True):
        if before is None or step.entry.kind == EntryKind.DEAL:
            moments = []
            continue
        if not entry.is_unasked:
            hand = moments[0].hand_at_start if moments else before.state.hands[before.state.turn]
            moments.append(Moment(entry, hand, before, after))
        if ends_turn(before.state, after.state):
            if moments[0].entry.number <= number <= entry.number:
                return moments
            moments = []
    raise NotFound(game.pk)


def scenes(
    moments: Sequence[Moment],
    game: Game,
    seats: Collection[Seat],
    player: UUID,
    lit_cards: Collection[Card] = (),
    whole_layout: Layout | None = None,
) -> list[Scene]:
    """A scene for each moment of a turn, as the player whose turn it was saw it. While the round is
    running, only the hand of `player` is shown. `lit_cards` are highlighted in the hand and, once
    they are laid, on the table. The cards on the table keep their places in `whole_layout`, by
    default the layout of the last moment, drawn as large as possible."""
    whole_layout = whole_layout or layout(moments[-1].after.state.table, only=WIDE)
    names = {seat.number: seat.name for seat in seats}
    shown_scenes = []
    for number, moment in enumerate(moments, start=1):
        scene = scene_at(moment, moment.after, game, seats, player, lit_cards, whole_layout)
        before = moment.before.state.hands[moment.seat]
        after = moment.after.state.hands[moment.seat]
        seat = moment.entry.seat
        name = names.get(moment.seat if seat is None else seat, "")
        if ends_turn(moment.before.state, moment.after.state):
            # The cards that fill up the hand for the next turn are not in it yet.
            kept_cards = {card_text(card) for card in cards_in(before)}
            scene = replace(
                scene, hand=tuple(card for card in scene.hand if card.face.card in kept_cards)
            )
        taken_cards = () if scene.covered_text else cards_in(after & ~before)
        text = _text_of_entry(moment.entry, game, taken_cards)
        shown_scenes.append(replace(scene, number=number, name=name, text=text))
    return shown_scenes


def scene_of(begun_round: BegunRound, lit_cards: Collection[Card] = ()) -> Scene:
    """The table and the hand of a begun round, at the beginning of the player's turn. `lit_cards`
    are highlighted."""
    state = begun_round.state
    placed = layout(state.table, only=PROJECTOR)
    return Scene(
        1,
        name="",
        text="",
        hand=tuple(_shown_hand(view(state, 0), lit_cards)),
        islands=_lit_up(TableDrawing(state.table, begun_round.ruleset).islands(placed), lit_cards),
        felt=felt_classes(placed),
        open_card=None,
    )


def scene_at(
    moment: Moment,
    snapshot: GameSnapshot,
    game: Game,
    seats: Collection[Seat],
    player: UUID,
    lit_cards: Collection[Card],
    whole_layout: Layout,
) -> Scene:
    """The scene of one of the two snapshots of a moment, without words. The other arguments are as
    in `scenes`."""
    state, ruleset = snapshot.state, game.ruleset
    runs = moment.before.state.round == game.round and game.phase not in OVER_PHASES
    is_covered = runs and all(s.player != player for s in seats if s.number == moment.seat)
    placed = layout_of_part(whole_layout, state.table)
    if placed is None:
        placed = whole_layout = layout(state.table, whole_layout, WIDE)
    player_view = view(state, moment.seat)
    cards = words.cards_held(len(player_view.hand), ruleset)
    covered_text = gettext("%(cards)s, face down until the round is over.") % {"cards": cards}
    drawn_cards = 0 if is_covered else state.hands[moment.seat] & ~moment.hand_at_start
    return Scene(
        number=1,
        name="",
        text="",
        hand=() if is_covered else tuple(_shown_hand(player_view, lit_cards)),
        islands=_lit_up(TableDrawing(state.table, ruleset).islands(placed), lit_cards),
        felt=felt_classes(whole_layout),
        open_card=None if player_view.open_top is None else face(player_view.open_top, ruleset),
        drawn_values=frozenset(face(card, ruleset).value for card in cards_in(drawn_cards)),
        covered_text=covered_text if is_covered else "",
    )


def _lit_up(islands: Iterable[TableIsland], lit_cards: Collection[Card]) -> tuple[TableIsland, ...]:
    return tuple(map(Highlights(on_table=frozenset(map(card_text, lit_cards))).light, islands))


def _shown_hand(player_view: View, lit_cards: Collection[Card]) -> Iterator[HandCard]:
    for card in player_view.hand:
        yield HandCard(face(card, player_view.ruleset), False, card in lit_cards)


def _text_of_entry(entry: Entry, game: Game, taken_cards: Sequence[Card]) -> str:
    """The action of an entry, in the words of the player who took it. `taken_cards` has the drawn
    cards if they may be seen."""
    ruleset = game.ruleset
    if entry.kind == EntryKind.HINT:
        step = parse_hint(entry.text, ruleset).step
        return gettext("I asked for hint number %(step)s.") % {"step": step}
    if entry.kind == EntryKind.TAKE_BACK:
        return gettext("I took my row back.")
    if entry.kind == EntryKind.REFUSED:
        refusal = parse_refusal(entry.text)
        tapped = [words.card_word(card) for card, _ in refusal.cards]
        return gettext("I tried %(cards)s.") % {"cards": words.listed(tapped)}
    match parse_action(entry.text, ruleset):
        case DrawClosed() if taken_cards:
            cards = words.listed([words.card_word(card) for card in taken_cards])
            return gettext("I took the %(cards)s from the pile.") % {"cards": cards}
        case DrawClosed():
            return gettext("I took a card from the pile.")
        case Pass():
            return gettext("I did not want it.")
        case End():
            # A teacher who shows the rows of a hand ends the turn too.
            return gettext("The hand was over.") if game.is_hand else gettext("I ended my turn.")
        case action:
            return words.action_words(action, entry.data, ruleset)


def row_alone(moment: Moment, row: str, ruleset: Ruleset) -> ShownRow:
    """The row that a play, given as text, made or would have made at this moment."""
    state = moment.before.state
    play = parse_play(row, ruleset)
    swapped = {joker for joker, _ in play.swaps}
    put_in = [LaidCard(number, number) for _, number in play.swaps]
    hand_cards = (*(hand_card for hand_card in play.hand if hand_card.card not in swapped), *put_in)
    line = make_play(state.position(state.turn), play).line
    return ShownRow(
        tuple(_face(hand_card, ruleset) for hand_card in line.cards),
        frozenset(_face(hand_card, ruleset).value for hand_card in hand_cards),
        frozenset(card for card, _ in hand_cards),
        tuple(number for _, number in line.cards),
    )


def table_with_row(
    moment: Moment, row: str, ruleset: Ruleset, felt: FeltSize = WIDE
) -> tuple[Table, Layout]:
    """The table before a moment with a missed row added, and its layout with cards as large as
    possible on this felt."""
    state = moment.before.state
    table = make_play(state.position(state.turn), parse_play(row, ruleset)).table
    return table, layout(table, only=felt)


def scene_with_row(
    scene: Scene, moment: Moment, row: str, ruleset: Ruleset, felt: FeltSize = WIDE
) -> Scene:
    """The scene as if the player had laid a row that they missed at this moment. The row's cards
    from the hand are highlighted on the table."""
    table, placed = table_with_row(moment, row, ruleset, felt)
    missed_row = row_alone(moment, row, ruleset)
    laid = [card for card in missed_row.faces if card.value in missed_row.hand_values]
    text = gettext("Not laid: %(row)s.")
    if len(laid) < len(missed_row.faces):
        text = gettext("Not laid: %(cards)s, in the row %(row)s.")
    values = {
        "cards": words.listed([card.number for card in laid]),
        "row": words.listed(missed_row.numbers),
    }
    return replace(
        scene,
        text=text % values,
        hand=tuple(card for card in scene.hand if not card.is_lit),
        islands=_lit_up(TableDrawing(table, ruleset).islands(placed), missed_row.cards),
        felt=felt_classes(placed),
        shows_missed_row=True,
    )


def _face(laid_card: LaidCard, ruleset: Ruleset) -> Face:
    return face(laid_card.card, ruleset, laid_card.number or None)
