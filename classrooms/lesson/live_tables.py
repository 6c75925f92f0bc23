"""Tables as a teacher sees them in a lesson: whose turn it is, who waits for whom, and the table as
a child sees it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext

from classrooms.assignments.presets import title_of
from classrooms.assignments.table_offers import SEEN_FOR, present
from classrooms.lesson import hands
from classrooms.lesson.live import HIDDEN, ChildTile
from classrooms.lesson.live_sql import LESSON
from classrooms.models import Assignment, Child, GameTable
from games.engine.round import DRAW_PHASES, OVER_PHASES, State
from games.engine.view import View
from games.models import Game
from games.play import services as play
from games.play.log import snapshot_of
from games.play.presence import LONG_TURN, is_here
from games.play.services import NotFound, WatchedGame
from games.screen import board, hint_words, refusal_words, words
from games.screen.card_drawing import face
from games.screen.replay import Scene
from games.screen.view_models import Board, Face, Player


@dataclass(frozen=True, slots=True)
class TableTile:
    """The tile of a table on the board. `children` has the tiles of those who play or wait there,
    whose text says only what the tile of the table does not; it is empty if names are hidden."""

    table: UUID
    title: str  # of its game
    children: Sequence[ChildTile]
    text: str
    waits: bool  # whether the others wait for somebody who is away, or in a long turn
    address: str
    figures: str = ""  # everyone's points, or the length of the bridge

    @property
    def names(self) -> list[str]:
        return [tile.child_name for tile in self.children]


def table_tiles(
    class_id: UUID, now: datetime, tiles: Iterable[ChildTile], *, with_names: bool = True
) -> list[TableTile]:
    """The tiles of tables where children of the class, who have these `tiles`, sit or wait. First
    those that wait for somebody, last those that have just finished. Tables that everybody has left
    have no tile. At most four queries."""
    tables = GameTable.objects.filter(assignment__school_class=class_id, ended_at=None)
    is_played = Q(game__finished_at=None, game__moved_at__gt=now - LESSON)
    is_played &= Q(game__seats__player__isnull=False, game__seats__away_since=None)
    is_waiting = Q(game=None, chairs_taken__seen_at__gt=now - SEEN_FOR)
    is_done = Q(game__finished_at__gt=now - LESSON, chairs_taken__child__last_game=F("game"))
    current = tables.filter(is_played | is_waiting | is_done).distinct()
    current = current.select_related("game", "assignment").order_by("game__finished_at")
    by_child = {tile.child: tile for tile in tiles}
    of_tables = [
        _tile(table, now, by_child, with_names=with_names)
        for table in current.prefetch_related("chairs_taken__child", "game__seats")
    ]
    return sorted(of_tables, key=lambda tile: not tile.waits)


def _tile(
    table: GameTable, now: datetime, by_child: Mapping[UUID, ChildTile], *, with_names: bool
) -> TableTile:
    text, waits = what_happens(table, now, with_names=with_names)
    address = reverse("classrooms:class_table", args=[table.assignment.school_class_id, table.pk])
    absent_players = away_players(table, now)
    children = []
    for child in present(table) if with_names else ():
        tile = by_child.get(child.pk)
        if tile and table.game_id in (None, child.last_game_id):
            more = "" if tile.state == "playing" else tile.text
            is_absent = child.player in absent_players
            children.append(replace(tile, text=gettext("away") if is_absent else more))
    return TableTile(
        table.pk,
        title_of(table.assignment),
        children,
        text,
        waits,
        address if with_names else f"{address}?names={HIDDEN}",
        _figures(table.game, with_names=with_names) if table.game else "",
    )


def _figures(game: Game, *, with_names: bool) -> str:
    """Everyone's points in a match, or the length of the bridge, in words."""
    seats = game.seats.all()
    state = snapshot_of(game, len(seats)).state
    if state.goal is not None:
        return _bridge(state)
    if words.counts_blocks(state.ruleset):
        return ""
    scored = [(seat.name if with_names else "", state.scores[seat.number]) for seat in seats]
    return " · ".join(f"{name} {score}".lstrip() for name, score in scored)


def _bridge(state: State | View) -> str:
    values = {"n": state.earned_together, "goal": state.goal}
    return gettext("bridge: %(n)d of %(goal)d") % values


def what_happens(table: GameTable, now: datetime, *, with_names: bool = True) -> tuple[str, bool]:
    """What happens at a table, as text, and whether the others wait for somebody who is away or
    takes a long turn."""
    if table.game is None:
        return gettext("waits for more children"), False
    if table.game.phase in OVER_PHASES:
        return gettext("has finished round %(n)d") % {"n": table.game.round}, False
    players = [seat for seat in table.game.seats.all() if seat.player]
    seat = next((seat for seat in players if seat.number == table.game.awaited_seat), None)
    is_away = seat is not None and not is_here(seat, now)
    if seat is None or not with_names:
        return (gettext("waits for somebody who is away") if is_away else gettext("plays")), is_away
    since = table.game.waits_since
    if not is_away and since and since <= now - LONG_TURN:
        values = {"who": seat.name, "n": LONG_TURN // timedelta(minutes=1)}
        return gettext("%(who)s’s turn for over %(n)d min") % values, True
    text = gettext("waits for %(who)s, who is away") if is_away else gettext("%(who)s’s turn")
    return text % {"who": seat.name}, is_away


def away_players(table: GameTable, now: datetime) -> set[UUID | None]:
    """The players of a match who are away; before the match, nobody."""
    seats = table.game.seats.all() if table.game else ()
    return {seat.player for seat in seats if seat.player and not is_here(seat, now)}


def shown_at(table: GameTable) -> tuple[str, Mapping[UUID | None, str], Scene | None]:
    """The round of a table, with the bridge and the turns left if it plays together, the cards and
    points of each player, both in words, and the table without hands. Nothing before the match."""
    seats = table.game.seats.all() if table.game else ()
    watched = next((play.watch(s.game_id, s.player) for s in seats if s.player), None)
    if watched is None:
        return "", {}, None
    shown, view = board.board(watched.outcome), watched.outcome.view
    figures = {watched.outcome.seats[each.seat].player: each.summary for each in shown.players}
    texts = [shown.round]
    if shown.goal:
        most = view.ruleset.most_turns or 0
        left = sum(max(0, most - turns) for turns in view.turns)
        texts += [_bridge(view), words.turns_left_text(left) if most else ""]
    return " · ".join(filter(None, texts)), figures, _scene(shown)


def _scene(shown: Board, name: str = "") -> Scene:
    """The table of a board; with the name of its child also their hand."""
    speech = shown.speech
    open_card = shown.piles.open_card
    return Scene(
        number=1,
        name=name,
        text=speech.notice.text if speech.notice else speech.to_do,
        hand=shown.hand.cards if name else (),
        islands=shown.felt.islands,
        felt=shown.felt.size,
        open_card=None if open_card is None else open_card.face,
        market=[card.face for card in shown.piles.market],
    )


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The table as the child sees it."""

    scene: Scene  # its text is what the screen says to the child
    players: tuple[Player, ...]  # the child first
    title: str
    round: str
    moved_at: datetime  # when the table last changed
    tries: Sequence[tuple[str, str]] = ()  # plays refused since the last move, with the answers
    row: Sequence[Face] = ()  # a row that the child can lay, if there is one
    question: str = ""  # what to ask a child who is stuck; empty if it is not their turn


def table_of(child: Child, *, with_names: bool = True) -> LiveTable | None:
    """The table as the child sees it now; classmates have names only if `with_names`. None if the
    child has opened no game, or if it is gone."""
    hand = hands.current_hand(child.school_class)
    attempts = child.attempts.filter(assignment=hand) if hand else child.attempts.none()
    game_id = attempts.values_list("game", flat=True).first() or child.last_game_id
    if game_id is None:
        return None
    try:
        watched = play.watch(game_id, child.player)
    except NotFound:
        return None
    outcome = watched.outcome
    for seat in outcome.seats:
        if seat.player and seat.number != outcome.seat_number and not with_names:
            seat.name = gettext("a classmate")
    game_board = board.board(outcome)
    assignment = Assignment.objects.filter(attempts__game=game_id).first()
    ruleset = outcome.view.ruleset
    line = watched.row and watched.row.line
    return LiveTable(
        _scene(game_board, child.name),
        game_board.players,
        title_of(assignment) if assignment else game_board.title,
        game_board.round,
        outcome.game.moved_at,
        tries=[
            (
                words.listed([words.card_word(card) for card, _ in refused.cards]),
                refusal_words.refusal_text(refused.refusal, ruleset),
            )
            for refused in watched.tries
        ],
        row=[face(card, ruleset, number) for card, number in line.cards] if line else (),
        question=_question(watched),
    )


def _question(watched: WatchedGame) -> str:
    view = watched.outcome.view
    if not view.may_act or view.phase not in (*DRAW_PHASES, "play"):
        return ""
    tapped = {number for refused in watched.tries[-1:] for _, number in refused.cards}
    return hint_words.question(watched.row, view, tapped)
