"""What the rest of the site does with games: starts them, looks at them and acts in them.

For a move, the game is read, and the engine and the bots answer, outside any transaction. Then one
short transaction stores the result, but only if nobody else has moved in the meantime.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import takewhile
from secrets import randbits
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games import engine, signals
from games.coach.begun_rounds import STARTER, BegunRound
from games.coach.deals import PLAIN, Kindness
from games.coach.guided_lessons import lesson_deck
from games.coach.hints import Hint
from games.coach.missed import MissedRow, missed_row
from games.coach.refusals import Refusal, explain
from games.engine.actions import Action as EngineAction
from games.engine.cards import Card
from games.engine.errors import ActionRefused, Code
from games.engine.layout.table_layout import Layout
from games.engine.match import new_match
from games.engine.plays import Place
from games.engine.round import MATCH_OVER, View, ends_turn, view
from games.engine.ruleset import Ruleset, ruleset_to_data
from games.engine.table import Play, Table
from games.engine.text.entries import deal_entry, parse_refused
from games.engine.text.record import steps
from games.models import Action, Game, Seat
from games.play.log import (
    SEED_BITS,
    GameSnapshot,
    deck_of_round,
    entries_of,
    file_text,
    record_of,
    seed_to_begin,
    setting_of,
    snapshot_data,
    snapshot_of,
)
from games.play.moves import (
    AskHint,
    Figures,
    Move,
    MoveInProgress,
    dealing_to,
    filled_up,
    hint_for,
    make,
)
from games.play.recent_entries import RECENT
from games.play.stored_moves import advance, append, seats_with_game


class NotFound(Exception):
    """There is no such game, or it is not this player's."""


@dataclass(frozen=True, slots=True)
class NewSeat:
    """Who gets a seat: a player or a bot, with a name and a face. The face of a bot is a symbol of
    the sprite; that of a player is as they dressed it, or empty
    (`games.screen.pictures.player_faces`)."""

    player: UUID | None = None
    bot: str = ""
    name: str = ""
    face: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game as one player may see it, and the result of their move."""

    game: Game
    seats: Sequence[Seat]
    seat: int
    view: View
    layout: Layout
    hint_step: int
    entries: Sequence[Action] = ()
    """What the move and the bots' answer added to the log; after `look`, the entries since the
    player's last move."""
    figures: Sequence[Figures] = ()  # after each entry, if the move was made just now
    stale: bool = False  # the page was out of date and nothing was done
    error: Code | None = None  # the code of a move that the page should not have offered
    refusal: Refusal | None = None
    hint: Hint | None = None
    choices: Sequence[Play] = field(default=())
    missed: MissedRow | None = None
    """The row that the player missed when this move ended their turn, if the game shows missed
    rows."""
    filled: Sequence[Card] = ()
    """The cards with which the hand was filled up when this move ended the player's turn."""
    too_soon: bool = False
    """Whether the player asked for the next hint before they can have read this one; then nothing
    was done."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game as a file to download: its name and content."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Loaded:
    game: Game
    seats: Sequence[Seat]
    seat: int
    snapshot: GameSnapshot


def start(
    ruleset: Ruleset,
    seats: Sequence[NewSeat],
    *,
    hint_steps: int,
    seed: int | None = None,
    kindness: Kindness = PLAIN,
    missed_rows: bool = False,
    lesson: bool = False,
    shared_deal: bool = False,
) -> Game:
    """Start a game: deal, and let the bots act until a player must.

    `seed` decides everything random; without one, a seed is drawn. With `missed_rows`, players see
    after a turn which row they missed. A `lesson` is a guided round with the prepared deal of this
    edition, in which seat 0 begins. With `shared_deal`, the bots choose by seed and position alone,
    so that others with this seed meet the same cards and bots. Raises `RulesetError` for a number
    of seats that the edition does not have.
    """
    if lesson:
        seed = seed_to_begin(ruleset, len(seats), 0)
    game = Game(
        ruleset_data=ruleset_to_data(ruleset),
        engine_version=engine.VERSION,
        seed=randbits(SEED_BITS) if seed is None else seed,
        hint_steps=hint_steps,
        kind_decks=kindness.decks,
        kind_draws=kindness.draws,
        kind_tables=list(kindness.tables),
        kind_orders=kindness.orders,
        missed_rows=missed_rows,
        lesson=lesson,
        shared_deal=shared_deal,
    )
    rows = _seats(game, seats)
    dealing = dealing_to(rows, ruleset, setting_of(game, len(rows)).starter)
    deck = lesson_deck(ruleset) if lesson else deck_of_round(game, 1, dealing)
    return _begin(game, rows, deck)


def start_begun(
    begun: BegunRound,
    seats: Sequence[NewSeat],
    *,
    hint_steps: int,
    riddle: int = 0,
    shared_deal: bool = False,
) -> Game:
    """Start a game in which the player has one turn of a round that the others have begun.
    `riddle`: the most cards that can be laid, if it is a riddle; else 0."""
    game = Game(
        ruleset_data=ruleset_to_data(begun.ruleset),
        engine_version=engine.VERSION,
        seed=seed_to_begin(begun.ruleset, begun.seats, STARTER),
        hint_steps=hint_steps,
        shared_deal=shared_deal,
        one_turn=True,
        riddle=riddle,
    )
    return _begin(game, _seats(game, seats), begun.deck, begun.done)


def _seats(game: Game, seats: Sequence[NewSeat]) -> list[Seat]:
    return [
        Seat(game=game, number=number, player=s.player, bot=s.bot, name=s.name, face=s.face)
        for number, s in enumerate(seats)
    ]


def _begin(
    game: Game,
    seats: Sequence[Seat],
    deck: Sequence[Card],
    done: Iterable[tuple[int, EngineAction]] = (),
) -> Game:
    """Deal, do what has been `done`, let the bots act until a player must, and store the game."""
    setting = setting_of(game, len(seats))
    state = new_match(game.ruleset, len(seats), deck, setting.starter, setting.seed)
    current = MoveInProgress(game, seats, GameSnapshot(state, Layout()))
    current.entries.append((deal_entry(deck), {}))
    for seat, action in done:
        current.act(seat, action, unasked=not seats[seat].bot)
    current.let_bots_act()
    _update(game, current, game.version + len(current.entries))
    with transaction.atomic():
        game.save(force_insert=True)
        Seat.objects.bulk_create(seats)
        Action.objects.bulk_create(_rows(game, current, first=1))
    return game


def erase(player: UUID) -> None:
    """Delete every game of this player. Code that deletes a player has to call this, because a seat
    has no foreign key to its player."""
    delete(Game.objects.filter(seats__player=player))


def delete(games: QuerySet[Game]) -> None:
    """Delete these games with their logs."""
    with transaction.atomic():
        # The lock comes first, or a move that is being stored would add entries to a deleted log.
        # The keys are listed, because a subquery took minutes before PostgreSQL had analysed a new
        # table.
        chosen = Game.objects.filter(pk__in=list(games.order_by().values_list("pk", flat=True)))
        list(chosen.select_for_update().order_by("pk").only("pk"))
        chosen.delete()


def look(game_id: UUID, player: UUID, *, refused: bool = False) -> Outcome:
    """The game as it stands, and what was done in this round since the player's last move. With
    `refused`, also why their last play was refused, if it was. Raises `NotFound`."""
    loaded = _load(game_id, player)
    recent = list(loaded.game.actions.order_by("-number")[:RECENT])
    since = []
    for action in recent:
        if action.seat == loaded.seat and not (
            action.kind == Action.Kind.HINT or action.is_unasked
        ):
            break
        since.append(action)
        if action.kind == Action.Kind.DEAL:
            break
    is_own = refused and recent[0].seat == loaded.seat
    refusal = _refusal(loaded, recent[0]) if is_own else None
    return replace(
        _outcome(loaded), entries=since[::-1], hint=_hint_on_show(loaded), refusal=refusal
    )


def act(game_id: UUID, player: UUID, *, seen: int, key: UUID, move: Move) -> Outcome:
    """Make a player's move on the version that the page showed. Raises `NotFound`.

    A move is made once, however often its key is sent.
    """
    loaded = _load(game_id, player)
    if loaded.game.version != seen:
        return _answer_again(loaded, key)
    if isinstance(move, AskHint) and _too_soon(loaded):
        return replace(_outcome(loaded), hint=_hint_on_show(loaded), too_soon=True)
    current = MoveInProgress(loaded.game, loaded.seats, loaded.snapshot)
    try:
        make(current, loaded.seat, move)
    except ActionRefused as refused:
        return replace(_outcome(loaded), error=refused.code)
    if current.choices:
        return replace(_outcome(loaded), choices=current.choices)
    actions = _store(current, seen, key)
    if actions is None:
        return _answer_again(_load(game_id, player), key)
    made = _Loaded(loaded.game, loaded.seats, loaded.seat, current.snapshot)
    return replace(
        _outcome(made),
        entries=actions,
        figures=current.figures,
        refusal=current.refusal,
        hint=current.hint,
        missed=current.missed,
        filled=current.filled,
    )


def last_answer(game_id: UUID, player: UUID, *, seen: int, key: UUID, move: Move) -> Outcome:
    """Answer a move again as `act` has just answered it, whether it was stored, refused or left
    the player to choose. Nothing is changed. Raises `NotFound`."""
    loaded = _load(game_id, player)
    if loaded.game.version != seen:
        return _answer_again(loaded, key)
    if isinstance(move, AskHint):
        return replace(_outcome(loaded), hint=_hint_on_show(loaded), too_soon=True)
    current = MoveInProgress(loaded.game, loaded.seats, loaded.snapshot)
    try:
        make(current, loaded.seat, move)
    except ActionRefused as refused:
        return replace(_outcome(loaded), error=refused.code)
    return replace(_outcome(loaded), choices=current.choices)


def record(game: Game) -> GameFile:
    """A finished game as text (docs/notation.md). Raises `NotFound` while the game is running,
    because a record shows every hand."""
    if game.finished_at is None:
        raise NotFound(game.pk)
    ended_on = timezone.localdate(game.finished_at)
    return GameFile(f"nmbrs-{ended_on}.txt", file_text(record_of(game, game.seats.count())))


def _load(game_id: UUID, player: UUID) -> _Loaded:
    seats = seats_with_game(game_id)
    mine = next((seat.number for seat in seats if seat.player == player), None)
    if mine is None:
        raise NotFound(game_id)
    game = seats[0].game
    return _Loaded(game, seats, mine, snapshot_of(game, len(seats)))


def _store(current: MoveInProgress, seen: int, key: UUID) -> list[Action] | None:
    """Store the move and return its entries; None if the game is no longer at version `seen`."""
    game = current.game
    _update(game, current, seen + len(current.entries))
    actions = _rows(game, current, first=seen + 1)
    actions[0].key = key
    try:
        with transaction.atomic():
            if not advance(game, seen):
                return None
            append(actions)
            transaction.on_commit(lambda: _send_signals(current))
    except IntegrityError:
        return None
    return actions


def _update(game: Game, current: MoveInProgress, version: int) -> None:
    state = current.state
    game.version = version
    game.phase = state.phase
    game.round = state.round
    game.snapshot = snapshot_data(current.snapshot)
    game.round_winners = [*game.round_winners, *current.round_winners]
    game.moved_at = timezone.now()
    if state.phase == MATCH_OVER and game.finished_at is None:
        game.finished_at = game.moved_at


def _rows(game: Game, current: MoveInProgress, first: int) -> list[Action]:
    return [
        Action(
            game=game,
            number=first + index,
            kind=entry.kind,
            seat=entry.seat,
            text=entry.text,
            data=seen,
            missed=entry.missed,
            at=game.moved_at,
        )
        for index, (entry, seen) in enumerate(current.entries)
    ]


def _send_signals(current: MoveInProgress) -> None:
    """Send the signals of a move and of the end of a round. An error in a receiver does not affect
    the move."""
    signals.move_made.send_robust(Game)
    if current.round_finished:
        signals.round_finished.send_robust(Game, game_id=current.game.pk)


def _answer_again(loaded: _Loaded, key: UUID) -> Outcome:
    """The answer to a page that is out of date: the entries of its key, or `stale` if there are
    none."""
    game = loaded.game
    first = game.actions.filter(key=key).first()
    if first is None:
        return replace(_outcome(loaded), stale=True)
    since = game.actions.filter(number__gt=first.number)
    made = [first, *takewhile(lambda action: action.key is None, since)]
    if made[-1].number != game.version:
        return replace(_outcome(loaded), entries=made)
    missed, filled = _turn_end(loaded, first)
    return replace(
        _outcome(loaded),
        entries=made,
        refusal=_refusal(loaded, first),
        hint=_hint_on_show(loaded) if first.kind == Action.Kind.HINT else None,
        missed=missed,
        filled=filled,
    )


def _turn_end(loaded: _Loaded, action: Action) -> tuple[MissedRow | None, tuple[Card, ...]]:
    """The row that the player missed when this action ended their turn, and the cards with which
    their hand was filled up, worked out again from the log."""
    game, seats = loaded.game, loaded.seats
    if action.kind != Action.Kind.ACT:
        return None, ()
    *_, step = steps(setting_of(game, len(seats)), entries_of(game)[: action.number])
    before, after = step.before, step.after
    if before is None or not ends_turn(before, after):
        return None, ()
    return missed_row(before, after) if game.missed_rows else None, filled_up(before, after)


def _refusal(loaded: _Loaded, action: Action) -> Refusal | None:
    """The explanation of a refused play, worked out again from the log."""
    if action.kind != Action.Kind.REFUSED:
        return None
    position = loaded.snapshot.state.position(loaded.seat)
    logged = parse_refused(action.text)
    tapped = [laid.card for laid in logged.cards]
    on_table = position.table.laid
    cards = [card for card in tapped if card not in on_table]
    places = _places_of(position.table, [card for card in tapped if card in on_table])
    explained = explain(position, cards, places)
    return explained if explained.code == logged.code else Refusal(logged.code)


def _places_of(table: Table, tapped: Sequence[Card]) -> Sequence[Place]:
    """The places of the tapped table cards. All cards of a row, in its order, count as the row."""
    rows = {tuple(laid.card for laid in line.cards): line for line in table.lines}
    places: list[Place] = []
    left = tuple(tapped)
    while left:
        row = next((row for row in rows if left[: len(row)] == row), None)
        places.append(table.laid[left[0]] if row is None else rows[row])
        left = left[1 if row is None else len(row) :]
    return places


def _hint_on_show(loaded: _Loaded) -> Hint | None:
    """The last hint for this position; None if this player has not asked for one."""
    snapshot = loaded.snapshot
    if not snapshot.hint_step or snapshot.state.seat != loaded.seat:
        return None
    return hint_for(loaded.seats[loaded.seat], snapshot.state, snapshot.hint_step)


def _too_soon(loaded: _Loaded) -> bool:
    """Whether the hint on show is so new that the player can hardly have read it."""
    if not loaded.snapshot.hint_step:
        return False
    shown = loaded.game.actions.filter(kind=Action.Kind.HINT, seat=loaded.seat).last()
    wait = timedelta(seconds=settings.HINT_WAIT_SECONDS)
    return shown is not None and timezone.now() - shown.at < wait


def _outcome(loaded: _Loaded) -> Outcome:
    snapshot = loaded.snapshot
    seen = view(snapshot.state, loaded.seat)
    return Outcome(
        loaded.game, loaded.seats, loaded.seat, seen, snapshot.layout, snapshot.hint_step
    )
