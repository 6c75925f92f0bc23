"""What the rest of the site does with games: starts them, looks at them and acts in them.

For a move, the game is read, and the engine and the bots answer, outside any transaction. Then one
short transaction stores the result, but only if nobody else has moved in the meantime.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from itertools import takewhile
from secrets import randbits
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from games.play.recent_entries import RECENT, ShownEntry, recent_entries

from games import engine, signals
from games.bots.registry import CAST, LEVELS
from games.coach.begun_rounds import STARTER, BegunRound
from games.coach.deals import PLAIN, Kindness
from games.coach.guided_lessons import lesson_deck
from games.coach.hints import HiddenRow, Hint, hidden_row, hint_position
from games.coach.missed import MissedRow, missed_row
from games.coach.refusals import Refusal, explain
from games.engine.actions import Action as EngineAction
from games.engine.actions import Knock, Pass
from games.engine.cards import Card, LaidCard
from games.engine.errors import ActionRefused, Code
from games.engine.layout.table_layout import Layout
from games.engine.match import new_match
from games.engine.plays import Place
from games.engine.round import MATCH_OVER, TO_TAKE, View, ends_turn, view
from games.engine.ruleset import Ruleset, ruleset_to_data
from games.engine.table import Play, Table
from games.engine.text.entries import deal_entry, parse_refused
from games.engine.text.record import steps
from games.models import Action, Game, Seat
from games.play import presence
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
    Do,
    Figures,
    Move,
    MoveInProgress,
    dealing_to,
    filled_up,
    hint_for,
    hint_step_of,
    make,
)
from games.play.sql import advance, append, read_table, seats_with_game

ANSWER_SECONDS: Final = 20
MOST_TRIES: Final = 10
"""How often a move at a table of several players is tried while others are faster."""


class NotFound(Exception):
    """There is no such game, or it is not this player's."""


@dataclass(frozen=True, slots=True)
class NewSeat:
    """Who gets a seat: a player or a bot, with a name and a face. The face of a bot is a symbol of
    the sprite; the face of a player is as they dressed it, or empty
    (`games.screen.pictures.player_faces`)."""

    player: UUID | None = None
    bot: str = ""
    name: str = ""
    face: str = ""
    hint_steps: int | None = None
    """The most steps of a hint for this player, where several sit at the table."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game as one player may see it, and the result of their move."""

    game: Game
    seats: Sequence[Seat]
    seat: int
    view: View
    layout: Layout
    hint_step: int
    entries: Sequence[Action | ShownEntry] = ()
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
    since: int | None = None
    """At a table of several players: the entry after which the entries are new on the page; None if
    all are."""
    is_table: bool = False  # whether several players sit in the game
    has_knocked: bool = False
    """Whether the player has knocked, while others may still be equally fast."""
    too_soon: bool = False
    """Whether the player asked for the next hint before they can have read this one; then nothing
    was done."""


@dataclass(frozen=True, slots=True)
class RefusedTry:
    """The cards that a player tapped, and why they make no play."""

    cards: Sequence[LaidCard]
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Watched:
    """A game that somebody else watches, as its player sees it. In the player's turn, also their
    plays that were refused since their last move, and a row that they can lay, if there is one."""

    outcome: Outcome
    tries: Sequence[RefusedTry] = ()
    row: HiddenRow | None = None


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game as a file to download: its name and content."""

    name: str
    text: str


@dataclass(frozen=True)
class _Loaded:
    game: Game
    seats: Sequence[Seat]
    seat: int
    snapshot: GameSnapshot
    is_table: bool = False

    @property
    def own(self) -> Seat:
        return self.seats[self.seat]

    @cached_property
    def hint_step(self) -> int:
        """The step of the hint on show for this player, 0 for none."""
        state = self.snapshot.state
        if not self.is_table or state.seat == self.seat:
            return self.snapshot.hint_step
        waits = state.phase in (*TO_TAKE, "play")
        return hint_step_of(self.game, self.seat, self.recent) if waits else 0

    @cached_property
    def recent(self) -> Sequence[ShownEntry]:
        """The last entries of the log, the newest first."""
        return recent_entries(self.game)


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
    answer_seconds: int = ANSWER_SECONDS,
    turn_seconds: int = 0,
) -> Game:
    """Start a game: deal, and let the bots act until a player must.

    `seed` decides everything random; without one, a seed is drawn. With `missed_rows`, players see
    after a turn which row they missed. A `lesson` is a guided round with the prepared deal of this
    edition, in which seat 0 begins. With `shared_deal`, the bots choose by seed and position alone,
    so that others with this seed meet the same cards and bots. With several players,
    `answer_seconds` and `turn_seconds` say how long they are waited for when they are asked and in
    their turn, 0 for no limit. Raises `RulesetError` for a number
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
        answer_seconds=answer_seconds,
        turn_seconds=turn_seconds,
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
    return [Seat(game=game, number=number, **asdict(s)) for number, s in enumerate(seats)]


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
    if presence.is_table(seats):
        current.stand_ins = {}
        for own in presence.players(seats):
            own.here_until = timezone.now() + presence.PRESENT_FOR
    current.entries.append((deal_entry(deck), current.figures_of(state)))
    for seat, action in done:
        current.act(seat, action, unasked=not seats[seat].bot)
    current.let_bots_act()
    _update(game, current, game.version + len(current.entries))
    if current.stand_ins is not None:
        game.at_turn = current.state.seat
        game.due_at = presence.due_at(game, current.state, game.moved_at)
    with transaction.atomic():
        game.save(force_insert=True)
        Seat.objects.bulk_create(seats)
        Action.objects.bulk_create(_rows(game, current, first=1))
    return game


def erase(player: UUID) -> None:
    """Delete every game of this player; at a table of several, a bot gets their seat. Code that
    deletes a player has to call this, because a seat has no foreign key to its player."""
    others = Seat.objects.filter(game=OuterRef("pk"), player__isnull=False).exclude(player=player)
    games = Game.objects.filter(seats__player=player)
    for game_id in games.filter(Exists(others)).values_list("pk", flat=True):
        give_up_seat(game_id, player)
    delete(games)


def delete(games: QuerySet[Game]) -> None:
    """Delete these games with their logs."""
    with transaction.atomic():
        # The lock comes first, or a move that is being stored would add entries to a deleted log.
        # The keys are listed, because a subquery took minutes before PostgreSQL had analysed a new
        # table.
        chosen = Game.objects.filter(pk__in=list(games.order_by().values_list("pk", flat=True)))
        list(chosen.select_for_update().order_by("pk").only("pk"))
        chosen.delete()


def look(
    game_id: UUID, player: UUID, *, refused: bool = False, since: int | None = None
) -> Outcome:
    """The game as it stands, and what was done in this round since the player's last move. With
    `refused`, also why their last play was refused, if it was. `since`: the last entry that the
    player's page has shown already. Raises `NotFound`.

    At a table of several players this notes that the player is there, and does what is due.
    """
    return _looked(_enter(game_id, player), refused=refused, since=since)


def watch(game_id: UUID, player: UUID) -> Watched:
    """The game as this player sees it, for somebody else who may look: the player does not count as
    there, and nothing goes on. Raises `NotFound`."""
    loaded = _load(game_id, player)
    looked = _looked(loaded, refused=True)
    if not looked.view.may_act or looked.view.phase not in (*TO_TAKE, "play"):
        return Watched(looked)
    tries = _tries(loaded)
    tapped = {laid.number for each in tries[-1:] for laid in each.cards}
    asked = hint_position(loaded.snapshot.state, loaded.seat)
    return Watched(looked, tries, hidden_row(asked, near=tapped))


def _tries(loaded: _Loaded) -> list[RefusedTry]:
    """The player's plays that were refused since their last move, the first one first."""
    own = loaded.game.actions.filter(seat=loaded.seat).order_by("-number")[:RECENT]
    since = takewhile(lambda one: one.kind in (Action.Kind.HINT, Action.Kind.REFUSED), own)
    found = [
        RefusedTry(parse_refused(action.text).cards, refusal)
        for action in since
        if (refusal := _refusal(loaded, action))
    ]
    return found[::-1]


def _looked(loaded: _Loaded, *, refused: bool = False, since: int | None = None) -> Outcome:
    since = since if loaded.is_table else None
    recent, entries = loaded.recent, []
    for action in recent:
        if action.seat == loaded.seat and not (
            action.kind in (Action.Kind.HINT, Action.Kind.STAND_IN) or action.is_unasked
        ):
            break
        entries.append(action)
        if action.kind == Action.Kind.DEAL:
            break
    is_own = refused and recent[0].seat == loaded.seat
    refusal = _refusal(loaded, recent[0]) if is_own else None
    return replace(
        _outcome(loaded),
        entries=entries[::-1],
        figures=_figures_in(entries[::-1]) if since is not None else (),
        hint=_hint_on_show(loaded),
        refusal=refusal,
        since=since,
    )


def _figures_in(entries: Sequence[ShownEntry]) -> list[Figures]:
    """The figures after each of these entries of a table of several players; empty if the log does
    not have the figures after the first one."""
    found: list[Figures] = []
    for entry in entries:
        if "figures" in entry.data:
            found.append(Figures.from_data(entry.data["figures"]))
        elif found:
            found.append(found[-1])
        else:
            return []
    return found


def act(game_id: UUID, player: UUID, *, seen: int, key: UUID, move: Move) -> Outcome:
    """Make a player's move on the version that the page showed. Raises `NotFound`.

    A move is made once, however often its key is sent.
    """
    loaded = _enter(game_id, player)
    for _ in range(MOST_TRIES):
        if not _shows(loaded, seen):
            return _answer_again(loaded, key, seen)
        if isinstance(move, AskHint) and _too_soon(loaded):
            return replace(_outcome(loaded), hint=_hint_on_show(loaded), too_soon=True)
        if loaded.is_table and move == Do(Knock()):
            return _knock(loaded, seen)
        current = _new_move(loaded)
        try:
            make(current, loaded.seat, move)
        except ActionRefused as refused:
            return replace(_outcome(loaded), error=refused.code)
        if current.choices:
            return replace(_outcome(loaded), choices=current.choices)
        if loaded.is_table and _give_block(current, is_due=False):
            current.let_bots_act()
        actions = _store(current, loaded.game.version, key)
        if actions is not None:
            break
        # Somebody was faster. At a table it may have been a hint for another player.
        loaded = _enter(game_id, player)
        if not loaded.is_table:
            return _answer_again(loaded, key)
    else:
        return _answer_again(loaded, key, seen)
    made = replace(loaded, snapshot=current.snapshot)
    return replace(
        _outcome(made),
        entries=actions,
        figures=current.figures,
        refusal=current.refusal,
        hint=current.hint,
        missed=current.missed,
        filled=current.filled,
    )


def _new_move(loaded: _Loaded) -> MoveInProgress:
    """A move that begins now."""
    current = MoveInProgress(loaded.game, loaded.seats, loaded.snapshot)
    if loaded.is_table:
        now = timezone.now()
        gone = [one for one in presence.players(loaded.seats) if not presence.is_here(one, now)]
        current.stand_ins = {one.number: _stand_in(loaded.seats) for one in gone}
    return current


def _stand_in(seats: Iterable[Seat]) -> str:
    """The bot that plays for players who are away: one like the bots at the table."""
    return next((seat.bot for seat in seats if seat.bot), LEVELS[0])


def _shows(loaded: _Loaded, seen: int) -> bool:
    """Whether a page of this version shows what can be done now. At a table of several players,
    hints and refused plays of others change nothing on it."""
    if loaded.game.version == seen:
        return True
    if not loaded.is_table or seen > loaded.game.version:
        return False
    hidden = Q(kind__in=(Action.Kind.HINT, Action.Kind.REFUSED)) & ~Q(seat=loaded.seat)
    return not loaded.game.actions.filter(number__gt=seen).exclude(hidden).exists()


# A table of several players goes on when somebody at it asks for it, or beat does.


def _enter(game_id: UUID, player: UUID) -> _Loaded:
    """The game for a request of this player. Raises `NotFound`."""
    loaded = _load(game_id, player)
    if not loaded.is_table:
        return loaded
    presence.note_presence(loaded.own, timezone.now())
    return _go_on(loaded)


def _go_on(loaded: _Loaded) -> _Loaded:
    """The table after all that is due was done."""
    for _ in range(MOST_TRIES):
        current = _new_move(loaded)
        _do_what_is_due(current)
        if not current.entries:
            break
        if _store(current, loaded.game.version, uuid4()) is not None:
            return replace(loaded, snapshot=current.snapshot)
        loaded = _load(loaded.game.pk, loaded.own.player)
    return loaded


def _do_what_is_due(current: MoveInProgress) -> None:
    """Give the block on offer to the first who knocked, pass for players whose time to answer is
    over, finish a turn whose time is over, and let bots play for players who are away."""
    state, game = current.state, current.game
    is_due = game.due_at is not None and game.due_at <= timezone.now()
    if not _give_block(current, is_due=is_due) and is_due:
        waited_for = _players_waited_for(current)
        if state.phase in presence.ASKED:
            for seat in waited_for:
                current.act(seat, Pass(), unasked=True)
        elif waited_for:
            current.finish_turn(_stand_in(current.seats))
    current.let_bots_act()


def _players_waited_for(current: MoveInProgress) -> list[int]:
    """The seats of players that may act now, in the order of the rules."""
    return [seat for seat in presence.may_act(current.state) if not current.bot_at(seat)]


def _give_block(current: MoveInProgress, *, is_due: bool) -> bool:
    """Give the block on offer to the first by the rules who has knocked for it, unless somebody
    before them may still be equally fast. Whether it was given."""
    asked = presence.may_act(current.state)
    knocked = [seat for seat in asked if current.seats[seat].knocked_at is not None]
    if not knocked:
        return False
    before = asked[: asked.index(knocked[0])]
    if not is_due and any(not current.bot_at(seat) for seat in before):
        return False
    current.act(knocked[0], Knock())
    return True


def _knock(loaded: _Loaded, seen: int) -> Outcome:
    """Note that a player has knocked for the block on offer. Whoever knocks within the same second
    is equally fast, and the order of the rules decides (7.4)."""
    for _ in range(MOST_TRIES):
        state = loaded.snapshot.state
        if state.phase != "knock" or loaded.seat not in presence.may_act(state):
            return replace(_outcome(loaded), error="wrong-phase")
        if presence.note_knock(loaded.own):
            break
        loaded = _load(loaded.game.pk, loaded.own.player)
    return _looked(_go_on(_load(loaded.game.pk, loaded.own.player)), since=seen)


def go_on(game_id: UUID) -> None:
    """Do what is due at a table of several players, whoever asks."""
    player = next((seat.player for seat in seats_with_game(game_id) if seat.player), None)
    if player is not None:
        loaded = _load(game_id, player)
        if loaded.is_table and any(presence.is_here(seat, timezone.now()) for seat in loaded.seats):
            _go_on(loaded)


def leave(game_id: UUID, player: UUID) -> None:
    """Let a bot play for this player until they come back. Nothing changes in a game of one player.
    Raises `NotFound`."""
    loaded = _load(game_id, player)
    if not loaded.is_table:
        return
    now = timezone.now()
    own = Seat.objects.filter(pk=loaded.own.pk, away=None)
    if own.update(away=now, here_until=now, knocked_at=None):
        presence.raise_news(loaded.game)
    go_on(game_id)


def give_up_seat(game_id: UUID, player: UUID, bot: NewSeat | None = None) -> None:
    """Give the player's seat to a bot for good; without `bot` to one that is not at the table yet.
    The others go on. If there are none, the game is deleted. Raises `NotFound`."""
    loaded = _load(game_id, player)
    if not loaded.is_table:
        delete(Game.objects.filter(pk=game_id))
        return
    taken = {seat.name for seat in loaded.seats}
    level = _stand_in(loaded.seats)
    name, face = next((one for one in CAST if one[0] not in taken), CAST[-1])
    new = bot or NewSeat(bot=level, name=name, face=face)
    left = len(presence.players(loaded.seats)) - 1
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game_id)
        Seat.objects.filter(game=game_id, player=player).update(
            player=None, bot=new.bot, name=new.name, face=new.face, here_until=None, away=None,
            knocked_at=None, sign="",
        )  # fmt: skip
        if left == 1:
            Game.objects.filter(pk=game_id).update(at_turn=None, due_at=None)
        presence.raise_news(loaded.game)
    _go_on_without(game_id)


def _go_on_without(game_id: UUID) -> None:
    """Let the bots play on after one of them got a seat."""
    for _ in range(MOST_TRIES):
        seats = seats_with_game(game_id)
        player = next((seat.player for seat in seats if seat.player), None)
        if player is None:
            return
        loaded = _load(game_id, player)
        state = loaded.snapshot.state
        if state.seat is None or loaded.seats[state.seat].player is not None:
            return
        current = _new_move(loaded)
        current.let_bots_act()
        if not current.entries or _store(current, loaded.game.version, uuid4()) is not None:
            return


def give_sign(game_id: UUID, player: UUID, sign: str) -> None:
    """Show a sign beside the player's face until their next turn, if it is one of
    `presence.signs`. More than `presence.MOST_SIGNS` in a turn are not shown. Raises `NotFound`."""
    loaded = _enter(game_id, player)
    if not loaded.is_table or sign not in presence.signs(loaded.snapshot.state, loaded.seat):
        return
    turn = presence.turn_of(loaded.snapshot.state, loaded.seat)
    with transaction.atomic():
        own = Seat.objects.select_for_update().get(pk=loaded.own.pk)
        count = own.sign_count if own.sign_turn == turn else 0
        if count >= presence.MOST_SIGNS:
            return
        Seat.objects.filter(pk=own.pk).update(sign=sign, sign_turn=turn, sign_count=count + 1)
        presence.raise_news(loaded.game)


def last_answer(game_id: UUID, player: UUID, *, seen: int, key: UUID, move: Move) -> Outcome:
    """Answer a move again as `act` has just answered it, whether it was stored, refused or left
    the player to choose. Nothing is changed. Raises `NotFound`."""
    loaded = _enter(game_id, player)
    if not _shows(loaded, seen):
        return _answer_again(loaded, key, seen)
    if isinstance(move, AskHint):
        return replace(_outcome(loaded), hint=_hint_on_show(loaded), too_soon=True)
    current = _new_move(loaded)
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


def _load(game_id: UUID, player: UUID | None) -> _Loaded:
    for _ in range(MOST_TRIES):
        seats = seats_with_game(game_id)
        mine = next((seat.number for seat in seats if seat.player == player), None)
        if mine is None:
            raise NotFound(game_id)
        game, is_table = seats[0].game, presence.is_table(seats)
        if not is_table or read_table(seats):
            return _Loaded(game, seats, mine, snapshot_of(game, len(seats)), is_table)
    raise RuntimeError(f"Game {game_id} does not hold still.")


def _store(current: MoveInProgress, seen: int, key: UUID) -> list[Action] | None:
    """Store the move and return its entries; None if the game is no longer at version `seen`."""
    game = current.game
    _update(game, current, seen + len(current.entries))
    actions = _rows(game, current, first=seen + 1)
    actions[0].key = key
    tells = None if current.stand_ins is None else _turn_at_table(current)
    try:
        with transaction.atomic():
            if not advance(game, seen, tells):
                return None
            append(actions)
            if current.stand_ins is not None:
                _store_seats(current)
            transaction.on_commit(lambda: _send_signals(current))
    except IntegrityError:
        return None
    return actions


def _turn_at_table(current: MoveInProgress) -> bool:
    """Set whom the table waits for and how long. Returns whether there is news for the others."""
    game, state = current.game, current.state
    if presence.what_is_waited_for(state) != presence.what_is_waited_for(current.began):
        game.due_at = presence.due_at(game, state, game.moved_at)
    game.at_turn = state.seat
    tells = any(entry.kind not in ("hint", "refused") for entry, _ in current.entries)
    game.news += tells
    return tells


def _store_seats(current: MoveInProgress) -> None:
    """Store who no longer knocks, and for whom bots have begun to play."""
    game, began = current.game, current.began
    if began.phase == "knock" and presence.what_is_waited_for(
        current.state
    ) != presence.what_is_waited_for(began):
        Seat.objects.filter(game=game).exclude(knocked_at=None).update(knocked_at=None)
        for seat in current.seats:
            seat.knocked_at = None
    acted = {entry.seat for entry, _ in current.entries if entry.kind == "stand in"}
    gone = [current.seats[seat] for seat in current.stand_ins or () if seat in acted]
    for seat in gone:
        seat.away = seat.away or game.moved_at
    if gone:
        pks = [seat.pk for seat in gone]
        Seat.objects.filter(pk__in=pks, away=None).update(away=game.moved_at)


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


def _answer_again(loaded: _Loaded, key: UUID, seen: int | None = None) -> Outcome:
    """The answer to a page that is out of date: the entries of its key, or `stale` if there are
    none. A page that saw `seen` at a table of several players gets what was done since."""
    game = loaded.game
    first = game.actions.filter(key=key).first()
    if first is None and loaded.is_table:
        return replace(_looked(loaded, since=seen), stale=True)
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


def _refusal(loaded: _Loaded, action: Action | ShownEntry) -> Refusal | None:
    """The explanation of a refused play, worked out again from the log."""
    if action.kind != Action.Kind.REFUSED:
        return None
    position = loaded.snapshot.state.position(loaded.seat)
    logged = parse_refused(action.text)
    tapped = [laid.card for laid in logged.cards]
    on_table = position.table.laid
    cards = [card for card in tapped if card not in on_table]
    lying = [card for card in tapped if card in on_table]
    # The log does not say whether a whole row was tapped or each of its cards.
    for places in (_places_of(position.table, lying), [on_table[card] for card in lying]):
        explained = explain(position, cards, places)
        if explained.code == logged.code:
            return explained
    return Refusal(logged.code)


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
    step = loaded.hint_step
    if not step or (loaded.snapshot.state.seat != loaded.seat and not loaded.is_table):
        return None
    return hint_for(loaded.own, loaded.snapshot.state, step)


def _too_soon(loaded: _Loaded) -> bool:
    """Whether the hint on show is so new that the player can hardly have read it."""
    if not loaded.hint_step:
        return False
    shown = loaded.game.actions.filter(kind=Action.Kind.HINT, seat=loaded.seat).last()
    wait = timedelta(seconds=settings.HINT_WAIT_SECONDS)
    return shown is not None and timezone.now() - shown.at < wait


def _outcome(loaded: _Loaded) -> Outcome:
    snapshot = loaded.snapshot
    seen = view(snapshot.state, loaded.seat)
    knocked = loaded.is_table and loaded.own.knocked_at is not None
    return Outcome(
        loaded.game,
        loaded.seats,
        loaded.seat,
        seen,
        snapshot.layout,
        loaded.hint_step,
        is_table=loaded.is_table,
        has_knocked=knocked and seen.phase == "knock",
    )
