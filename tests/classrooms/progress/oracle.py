"""A second, slow and simple computation of what the log of a game shows of its child: the chances
by `tests.games.coach.chances_oracle`, and the days, turns and rounds from the entries. It uses only
the replay of the project, which has its own tests. Also random answers and finds of children, and
the figures that follow from them by docs/mastery.md."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.coach.questions.recall import FactAnswer
from games.coach.statements.table_levels import TableChances
from games.engine.actions import Discard, End
from games.engine.text.record import EntryKind, LogEntry, Setting, Transition, transitions
from games.models import Entry
from tests.games.coach.chances_oracle import ChanceSeen, chances_seen

OVER = ("round over", "match over")
Moment = tuple[Entry, Transition]


class Shown(NamedTuple):
    """A chance (with its outcome as `kind`), a turn ("turn") with its hints and refused tries, or a
    round ("round"), on the day on which it ended."""

    day: date
    kind: str
    table: int = 0
    hints: int = 0
    tries: int = 0
    chance: ChanceSeen | None = None  # with the numbers of its entries in the log of the game


def shown_by(setting: Setting, rows: Sequence[Entry], seat: int, time_zone: str) -> Iterator[Shown]:
    """Everything that the log shows of the child in this seat."""
    shows = rows[0].game.shows_missed_rows
    entries = [
        LogEntry(row.kind, row.seat, row.text, row.missed if shows else "")  # type: ignore[arg-type]
        for row in rows
    ]
    log = zip(rows, transitions(setting, entries), strict=True)
    for _, own in groupby(log, key=lambda entry: entry[1].after.round):
        yield from _shown_by_round(list(own), seat, ZoneInfo(time_zone))


def _shown_by_round(entries: list[Moment], seat: int, zone: ZoneInfo) -> Iterator[Shown]:
    days = [row.at.astimezone(zone).date() for row, _ in entries]
    over = [number for number, (_, step) in enumerate(entries) if step.after.phase in OVER]
    turns: list[int] = []
    hints = tries = 0
    for number, (row, step) in enumerate(entries):
        if step.before is None or step.before.turn != seat or step.before.phase in OVER:
            continue
        hints += row.kind == EntryKind.HINT and row.seat == seat
        tries += row.kind == EntryKind.REFUSED and row.seat == seat
        if row.seat == seat and step.before.phase == "play" and _ends_turn(step):
            turns.append(number)
            yield Shown(days[number], "turn", 0, hints, tries)
            hints = tries = 0
    for number in over[:1]:
        yield Shown(days[number], "round")
    for chance in chances_seen([step for _, step in entries], seat):
        if chance.outcome != "open":
            numbered = tuple(entries[index][0].number for index in chance.entries)
            yield Shown(
                days[_end(chance, turns, over)],
                chance.outcome,
                chance.table,
                chance=chance._replace(entries=numbered),
            )


def _ends_turn(step: Transition) -> bool:
    """A turn ends with a discard, with its own word, or with an empty hand when no discard is
    required."""
    if step.action is None or step.before is None:
        return False
    is_over = step.after.phase in OVER or step.after.turn != step.before.turn
    return isinstance(step.action, Discard | End) or is_over


def _end(chance: ChanceSeen, turns: Sequence[int], over: Sequence[int]) -> int:
    """The entry with which a chance ended. A found chance ends with its turn; any other with the
    turn after the last one in which it could be laid, or with the round."""
    turn = chance.last_turn + (chance.outcome in ("missed", "taken up"))
    return turns[turn - 1] if turn <= len(turns) else over[0]


def random_answers(random: Random) -> list[FactAnswer]:
    """Random answers to one fact over several days."""
    knows, slow, helped, timed = (random.random() for _ in range(4))
    knows = random.choice([knows, 0.97])
    days = sorted(random.choices(range(random.choice([2, 5, 60])), k=random.randint(1, 15)))
    return [
        FactAnswer(
            random.choice([(6, 8), (8, 6)]),
            random.random() < knows,
            day,
            has_help=random.random() < helped / 4,
            net_ms=random.choice([None, 7000, 4000]) if random.random() < slow else 2000,
            is_timed=timed < 0.8,
        )
        for day in days
    ]


def days_with(answers: Sequence[FactAnswer], seconds: int | None) -> tuple[int, int]:
    """The number of good days among the last three, and the number of these days. On a good day
    more than half of the answers were right without help and, if timed, fast."""
    days = sorted({answer.day for answer in answers})[-3:]
    good_days = 0
    for day in days:
        of_day = [answer for answer in answers if answer.day == day]
        right = [
            answer
            for answer in of_day
            if answer.is_right
            and not answer.has_help
            and (
                seconds is None
                or not answer.is_timed
                or (answer.net_ms is not None and answer.net_ms <= seconds * 1000)
            )
        ]
        good_days += len(right) > len(of_day) / 2
    return good_days, len(days)


def random_days_of_rows(random: Random) -> list[TableChances]:
    """Days with rows of one table, of a child who may begin or cease to find them."""
    finds, sees = random.choice([random.random(), 0.9]), random.random()
    gap = random.choice([2, 40])
    day, days = 0, []
    for _ in range(random.randint(1, 9)):
        day += random.randint(1, gap if random.random() < 0.9 else 120)
        if random.random() < 0.2:
            finds = random.random()
        of = random.randint(1, 9)
        finds_of_day = sum(random.random() < finds for _ in range(of))
        at_once = sum(random.random() < sees for _ in range(finds_of_day))
        days.append(TableChances(day, at_once, finds_of_day - at_once, of - finds_of_day))
    return days


def weighted(days: Sequence[TableChances]) -> tuple[float, float, float]:
    """The weights of all chances, of the found ones, and of the ones found at once."""
    weight = found = at_once = 0.0
    last = days[0].day
    for day in days:
        keeps = 0.25 if day.day - last > 91 else 0.9
        weight = weight * keeps + day.chances
        found, at_once, last = found * keeps + day.found, at_once * keeps + day.at_once, day.day
    return weight, found, at_once


def lower_end(successes: float, of: float) -> float:
    """The lower end of Wilson's interval, wrong in one case of twenty."""
    share, z = successes / of, 1.645
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return float((share + z * z / (2 * of) - half) / (1 + z * z / of))
