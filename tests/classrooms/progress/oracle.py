"""The evidence of a game once more, slow and plain, from its log and the rules as
`tests.games.engine.reference` has them. Of the project it takes only what stood before each entry
(the replay, which is tested by itself) and the reading of text; what a row is, which table it
belongs to, what could still be laid, and what found, missed and tried mean, it has by itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.engine.actions import Discard, End
from games.engine.cards import Laid, cards_in
from games.engine.round import State
from games.engine.table import Play
from games.engine.text.entries import LogEntry, parse_hint, parse_refused
from games.engine.text.record import LogStep, Setting, steps
from games.models import Action
from tests.games.engine import reference
from tests.games.engine.reference import At, Made, WrittenPlay

OVER = ("round over", "match over")


class Shown(NamedTuple):
    """One row, or one turn ("turn") or round ("round") with the hints asked for as `table`."""

    day: date
    kind: str
    table: int
    hint: int = 0


@dataclass
class _Turn:
    rows: list[int] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)
    hints: dict[int, int] = field(default_factory=dict)
    asked: int = 0


def shown_by(
    setting: Setting, rows: Sequence[Action], seat: int, time_zone: str
) -> Iterator[Shown]:
    """All that the log shows of the child in this seat."""
    entries = [LogEntry(row.kind, row.seat, row.text) for row in rows]  # type: ignore[arg-type]
    turn = _Turn()
    for row, step in zip(rows, steps(setting, entries), strict=True):
        day = row.at.astimezone(ZoneInfo(time_zone)).date()
        if step.before is None or row.kind == "deal":
            turn = _Turn()
            continue
        own = row.seat == seat and step.before.phase == "play" and step.before.turn == seat
        if own:
            _note(turn, step, step.before)
            if _ends(step):
                for kind, table, hint in _shown_by_turn(turn, step, step.before):
                    yield Shown(day, kind, table, hint)
                yield Shown(day, "turn", turn.asked)
                turn = _Turn()
        if step.before.phase not in OVER and step.after.phase in OVER:
            yield Shown(day, "round", 0)


def _ends(step: LogStep) -> bool:
    """A turn ends with a discard, with its word, or with the hand when nothing is owed."""
    if step.action is None:
        return False
    return isinstance(step.action, Discard | End) or step.after.phase in OVER


def _note(turn: _Turn, step: LogStep, before: State) -> None:
    entry = step.entry
    match entry.kind:
        case "hint":
            turn.asked += 1
            hint = parse_hint(entry.text, before.ruleset)
            if hint.play:
                table = _table(_row(before, hint.play))
                turn.hints[table] = max(hint.step, turn.hints.get(table, 0))
        case "refused":
            turn.tried.append(_meant(parse_refused(entry.text).cards))
        case "take back":
            turn.tried.append(turn.rows.pop())
    if isinstance(step.action, Play):
        turn.rows.append(_table(_row(before, step.action)))


def _shown_by_turn(turn: _Turn, step: LogStep, before: State) -> Iterator[tuple[str, int, int]]:
    for table in turn.rows:
        yield "found", table, turn.hints.get(table, 0)
    for table in turn.tried:
        yield "tried", table, turn.hints.get(table, 0)
    if isinstance(step.action, Discard | End):
        for table in _layable(before) - set(turn.rows):
            yield "missed", table, turn.hints.get(table, 0)


def _at(state: State) -> At:
    lines = tuple(
        tuple((laid.card, laid.number) for laid in line.cards) for line in state.table.lines
    )
    hand = frozenset(cards_in(state.hands[state.turn]))
    opened = bool(state.opened >> state.turn & 1)
    return At(reference.options_of(state.ruleset), lines, hand, opened)


def _row(state: State, play: Play) -> tuple[int, ...]:
    """The numbers of the row that a play makes."""
    way = WrittenPlay(
        tuple((laid.card, laid.number) for laid in play.hand),
        tuple(tuple((laid.card, laid.number) for laid in line.cards) for line in play.lines),
        tuple((laid.card, laid.number) for laid in play.across),
        tuple((laid.card, laid.number) for laid in play.swaps),
    )
    made = reference.judge(_at(state), way)
    assert isinstance(made, Made), made
    return tuple(number for _, number in made.lines[-1])


def _layable(state: State) -> set[int]:
    """The tables of which a row can be laid without a joker of the hand: with those left out
    every play is looked for, and with them in the hand judged whether enough is kept."""
    at = _at(state)
    numbers = frozenset(card for card in at.hand if card <= 100)
    without = at._replace(hand=numbers, options=at.options._replace(last_is_owed=False))
    tables = set()
    for way in reference.all_plays(without, reference.within_reach(without)).values():
        made = reference.judge(at, way)
        if isinstance(made, Made):
            tables.add(_table(tuple(number for _, number in made.lines[-1])))
    return tables


def _table(row: tuple[int, ...]) -> int:
    """The table of its own step that a row is in; 0 for none."""
    jumps = {later - earlier for earlier, later in pairwise(row)}
    step = jumps.pop() if len(jumps) == 1 else 0
    return step if step > 1 and all(number % step == 0 for number in row) else 0


def _meant(cards: Sequence[Laid]) -> int:
    """The table that a refused row seems to mean: that of its commonest jump."""
    numbers = sorted({laid.number for laid in cards if laid.number})
    jumps = Counter(later - earlier for earlier, later in pairwise(numbers))
    if not jumps:
        return 0
    most = max(jumps.values())
    jump = min(jump for jump, count in jumps.items() if count == most)
    inside = [number for number in numbers if number % jump == 0]
    return jump if jump > 1 and len(inside) > 1 else 0
