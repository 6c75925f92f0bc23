"""The story of a round: the rows that one player found, by times table, and what all have laid."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from games.bots.reasons import Reason, reason
from games.coach.chances import UNLAID_OUTCOMES, RowChance, chances
from games.coach.rows import MissedRow, missed_row_of
from games.engine.actions import Discard, DrawOpen, Take
from games.engine.cards import Card
from games.engine.round import OVER_PHASES, ends_turn
from games.engine.table import Play
from games.engine.text.notation import parse_play
from games.engine.text.record import EntryKind, Transition, transitions
from games.models import Game
from games.play.log import entries_of, setting_of

WITHOUT_HELP: Final = ("at once", "later")


class LaidRow(NamedTuple):
    """A play that was not taken back."""

    seat: int | None  # None if a bot made the play for a player
    cards: tuple[Card, ...]  # the hand cards that it took
    reason: Reason


@dataclass(frozen=True, slots=True)
class RoundStory:
    """What a player did in a round, and what all have laid in it. `found_alone_by_table` has the
    number of rows of each times table, from low to high, found without hints and tries."""

    rows: Sequence[tuple[int, ...]] = ()  # the numbers of each row that they found, in order
    missed_row: MissedRow | None = None  # a row that could have been laid but never was
    found_alone_by_table: Mapping[int, int] = field(default_factory=dict)
    plays: tuple[LaidRow, ...] = ()  # the plays of all seats, in order
    scores_before: tuple[int, ...] = ()  # the scores at the start of the round
    turns: int = 0  # how many turns the player had
    cards_given: frozenset[Card] = frozenset()  # the cards that they put down and another seat took
    rows_of_others: int = 0  # how many rows the other players found
    bridges: int = 0  # how many rounds of the match so far reached their goal


def story_of_round(game: Game, seats: int, seat: int, others: Collection[int] = ()) -> RoundStory:
    """The story of the current or last round, from the log. `others` are the seats of the other
    players."""
    log = list(transitions(setting_of(game, seats), entries_of(game)))
    ends = [step.after for step in log if step.after.goal and step.after.phase in OVER_PHASES]
    log = [transition for transition in log if transition.after.round == game.round]
    all_chances = list(chances(log, seat))
    laid_chances = _laid(all_chances)
    found_alone = sorted(row.table for row in laid_chances if row.outcome in WITHOUT_HELP)
    return RoundStory(
        rows=tuple(chance.numbers for chance in laid_chances),
        missed_row=_easiest_miss(log, all_chances, seat),
        found_alone_by_table=Counter(table for table in found_alone if table),
        plays=tuple(_plays(log, {seat, *others})),
        scores_before=log[0].after.scores,
        turns=sum(
            transition.before is not None
            and transition.before.turn == seat
            and ends_turn(transition.before, transition.after)
            for transition in log
        ),
        cards_given=frozenset(_cards_given(log, seat)),
        rows_of_others=sum(len(_laid(chances(log, other))) for other in others),
        bridges=sum(end.earned_together >= (end.goal or 0) for end in ends),
    )


def _laid(seat_chances: Iterable[RowChance]) -> list[RowChance]:
    return [chance for chance in seat_chances if chance.outcome not in UNLAID_OUTCOMES]


def _plays(log: Sequence[Transition], player_seats: Container[int]) -> list[LaidRow]:
    rows: list[LaidRow] = []
    for transition in log:
        if transition.entry.kind == EntryKind.TAKE_BACK:
            rows.pop()
        elif isinstance(transition.action, Play):
            assert transition.before is not None
            turn, play = transition.before.turn, transition.action
            is_of_stand_in = turn in player_seats and transition.entry.kind == EntryKind.STAND_IN
            seat = None if is_of_stand_in else turn
            cards = (*(card for card, _ in play.hand), *(swap.number for swap in play.swaps))
            rows.append(LaidRow(seat, cards, reason(transition.before.position(turn), play)))
    return rows


def _cards_given(log: Sequence[Transition], seat: int) -> Iterator[Card]:
    """The cards that the player put down and another seat took at once."""
    put_down: Card | None = None
    for transition in log:
        if transition.before is None:
            continue
        is_own_turn = transition.before.turn == seat
        match transition.action:
            case Discard(card):
                put_down = card if is_own_turn else None
            case DrawOpen() if not is_own_turn and put_down is not None:
                yield put_down
            case Take(card) if not is_own_turn and card == put_down:
                yield card


def _easiest_miss(
    log: Sequence[Transition], all_chances: Sequence[RowChance], seat: int
) -> MissedRow | None:
    """The easiest of the missed rows, in the last position in which it could be laid."""
    misses = [chance for chance in all_chances if chance.outcome == "missed"]
    if not misses:
        return None
    easiest = min(misses, key=lambda miss: (not miss.table, len(miss.numbers), miss.numbers))
    before = log[easiest.entries[-1]].before
    assert before is not None
    return missed_row_of(before.position(seat), parse_play(easiest.row, before.ruleset))
