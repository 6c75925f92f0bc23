"""Weeks of play of one model child, and tests whether statements about their tables are true."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from random import Random
from typing import Final

import numpy as np
from scipy.special import expit, logit

from classrooms.demo.model_children import (
    MODEL_CHILDREN,
    MemoryKind,
    ModelChild,
    ModelChooser,
    ModelMemory,
)
from classrooms.demo.past_games import Chooser, PastGame, play_out
from games.bots import companion
from games.coach.chances import UNCOUNTED_OUTCOMES, RowChance, chances
from games.coach.deals import kindness_for
from games.coach.mastery import GOOD_LEVELS, Level, ReachedLevel
from games.coach.rating import Rating, Result, opponent_for, rating_after_round
from games.coach.statements.table_levels import KnownTable, TableChances, known_table_after
from games.coach.times_tables import TABLES_TO_12
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.record import EntryKind, LogEntry, Transition, transitions
from games.play.log import SEED_BITS, setting_of
from games.play.starting import NewSeat
from scripts.lab.fact_evaluation import (
    ABLE,
    HALFWAY,
    MEMORY_KINDS,
    PLANS,
    SPAN,
    TRULY_SECURE,
    WEEKS,
    YEAR,
    ChildKind,
    Plan,
    Share,
    random_child,
    school_days,
    share,
)
from scripts.lab.regression import logistic_weights

# Weeks of play of one model child, and the chances of each day. They play rounds against companions
# on three days a week, as a class does. How they learn by playing is chosen, like everything about
# model children: the chance to notice rows of a table grows and fades by the same two memories as
# the facts of short questions (docs/learning.md, *Model children*). A day is a success for a table
# if they found more than half of its chances without help, and otherwise a failure if it had
# chances.

ROUNDS: Final = 2
"""Rounds at a sitting."""
WITHOUT_HELP: Final = ("at once", "later")
_MIDDAY: Final = 0.5

ChooserFor = Callable[[ModelChild, int], Chooser]
"""Makes the player of one round, from the model child of that day and a seed."""


@dataclass(frozen=True, slots=True)
class PlayedDay:
    """The play of a child on a day: their chances and turns, the refused tries and laid rows of
    these turns, and the turns in which they asked for a hint."""

    day: int
    tables: Collection[int]
    chances: Sequence[RowChance]
    turns: int
    refused: int
    laid: int
    hint_turns: int
    notices: Mapping[int, float]  # the true chance (0–1) at each table when the day began


def weeks_of_play(
    child: ModelChild,
    memory: MemoryKind | None,
    plan: Plan,
    seed: int,
    days: Iterable[int],
    *,
    rounds: int = ROUNDS,
    hint_steps: int = 4,
    chooser: ChooserFor = ModelChooser,
    kind: ChildKind | None = None,
) -> Iterator[PlayedDay]:
    """Let a child play on these days, in order. Without `memory` they neither learn nor forget."""
    kind = kind or ChildKind("")
    random = Random(f"{seed}/{child.name}/{memory}/{plan}")
    memories: dict[int, ModelMemory] = {}
    rating = Rating()
    for day in days:
        tables = plan[day // 7 // SPAN % len(plan)]
        ruleset = edition("simplified", tables=tuple(tables), offers=False, rounds=1)
        notices = notices_on(child, memories, day + _MIDDAY)
        notices = {table: kind.true_chance(share, day) for table, share in notices.items()}
        form = Random(f"{seed}/form/{day}").gauss(0, 1)
        logs = []
        for tired in range(rounds):
            sees = {t: kind.chance_when_asked(share, form, tired) for t, share in notices.items()}
            today = replace(child, notices=sees, overlooks=kind.overlooks)
            player = chooser(today, random.getrandbits(32))
            seed_of_round = random.getrandbits(SEED_BITS)
            log, rating = play_round(player, ruleset, rating, seed_of_round, hint_steps)
            logs.append(log)
        day_played = _day_of(day, tables, logs, notices)
        if memory is not None:
            _learn(memories, memory, day_played)
        yield day_played


def notices_on(
    child: ModelChild, memories: Mapping[int, ModelMemory], at: float
) -> dict[int, float]:
    """The child's chance to notice a row of each table at this time."""
    return {
        table: memories[table].chance(child.chance(table), at)
        if table in memories
        else child.chance(table)
        for table in TABLES_TO_12
    }


def play_round(
    player: Chooser, ruleset: Ruleset, rating: Rating, seed: int, hint_steps: int = 4
) -> tuple[list[Transition], Rating]:
    """The replay of a round against a companion, and the rating after it."""
    strength = opponent_for(rating.value)
    past = PastGame(
        ruleset=ruleset,
        seats=[NewSeat(), NewSeat(bot=companion.name_of(strength))],
        begins=datetime(2026, 1, 5, tzinfo=UTC),
        seed=seed,
        hint_steps=hint_steps,
        kindness=kindness_for(ruleset, rating.value),
    )
    out = play_out(past, player)
    entries = [LogEntry(EntryKind(row.kind), row.seat, row.text) for row in out.entries]
    won = out.game.round_winners[:1] == [0]
    log = list(transitions(setting_of(out.game, len(out.seats)), entries))
    return log, rating_after_round(rating, Result(strength, won))


def _day_of(
    day: int,
    tables: Collection[int],
    logs: Sequence[Sequence[Transition]],
    notices: Mapping[int, float],
) -> PlayedDay:
    own_steps = [
        (number, step.before.turns[0], step.entry.kind, isinstance(step.action, Play))
        for number, log in enumerate(logs)
        for step in log
        if step.before is not None and step.entry.seat == 0
    ]
    return PlayedDay(
        day=day,
        tables=tables,
        chances=[chance for log in logs for chance in chances(log, 0)],
        turns=len({(number, turn) for number, turn, *_ in own_steps}),
        refused=sum(kind == EntryKind.REFUSED for _, _, kind, _ in own_steps),
        laid=sum(count for *_, count in own_steps),
        hint_turns=len({step[:2] for step in own_steps if step[2] == EntryKind.HINT}),
        notices=notices,
    )


def _learn(memories: dict[int, ModelMemory], kind: MemoryKind, day: PlayedDay) -> None:
    def table_of(chance: RowChance) -> int:
        return chance.table

    for table, chances_of in groupby(sorted(day.chances, key=table_of), key=table_of):
        alone = [chance.outcome in WITHOUT_HELP for chance in chances_of if is_counted(chance)]
        if not alone:
            continue
        right = 2 * sum(alone) > len(alone)
        at = day.day + _MIDDAY
        if table in memories:
            memories[table].practise(right, at)
        else:
            memories[table] = ModelMemory.begun(kind, right, at)


def is_counted(chance: RowChance) -> bool:
    """Whether a chance counts in a share; a chance with a joker does not."""
    return chance.outcome not in UNCOUNTED_OUTCOMES


# Tests whether statements about times tables are true of model children (docs/mastery.md). They
# play rounds for weeks, with each kind of memory or none, and once more after a long break. The
# statement about each table before a sitting is compared with the child's true chance at that
# moment: their chance to notice a row of the table that lies in their hand, in one look.

TABLE_MEMORIES: Final[tuple[MemoryKind | None, ...]] = (*MEMORY_KINDS, None)
"""The memories of model children. With None a child neither learns by play nor forgets."""
BREAK_DAYS: Final = 98
"""Days without play before the last sitting: longer than a level lasts."""
TRULY_FLUENT: Final = 0.75
"""A table with a smaller true chance than this is not fluent."""
BINS: Final = 10
IsFalse = Callable[["TableStatement"], bool]
"""Whether it is false that a table is secure."""
_EDGE: Final = 0.005


@dataclass(frozen=True, slots=True)
class TableStatement:
    """A statement about a table on a day, the true chance (0–1) on that day, and the number of
    chances behind the statement."""

    table: int
    day: int
    level: Level
    reached: ReachedLevel  # how well the table was known when it was last met
    true: float
    chances: int
    outcomes: TableChances  # of the chances of that day


@dataclass(slots=True)
class ModelChildWeeks:
    """The weeks of one model child: their days, and the statements about the assigned tables before
    each sitting."""

    name: str
    memory: MemoryKind | None
    plan: Plan
    days: list[PlayedDay] = field(default_factory=list)
    statements: list[TableStatement] = field(default_factory=list)
    late: list[TableStatement] = field(default_factory=list)  # before the sitting after the break
    first_secure: dict[int, int] = field(default_factory=dict)
    """The first day before which each table was called secure."""


def play_for_weeks(
    child: ModelChild,
    memory: MemoryKind | None,
    plan: Plan,
    seed: int,
    *,
    weeks: int = WEEKS,
    rounds: int = ROUNDS,
) -> ModelChildWeeks:
    """Let a model child play for these weeks, and once more after the break."""
    days = [*school_days(weeks), 7 * weeks + BREAK_DAYS]
    played = weeks_of_play(child, memory, plan, seed, days, rounds=rounds)
    return add_statements(ModelChildWeeks(child.name, memory, plan), played, days[-1])


def play_as_kind(kind: ChildKind, seed: int, *, weeks: int) -> ModelChildWeeks:
    """A child of a kind, with one of the plans in turn."""
    child = random_child(f"{kind.name} {seed}", Random(f"{kind.name}/{seed}"))
    plan = PLANS[seed % len(PLANS)]
    days = kind.days(YEAR if kind.once_a_month else weeks)
    played = weeks_of_play(child, kind.memory, plan, seed, days, kind=kind)
    return add_statements(ModelChildWeeks(child.name, kind.memory, plan), played, after_break=-1)


def add_statements(
    weeks: ModelChildWeeks, days: Iterable[PlayedDay], after_break: int
) -> ModelChildWeeks:
    """Add the statements about each assigned table before each of these days."""
    known_tables: dict[int, KnownTable] = {}
    assigned: set[int] = set()
    for day in days:
        weeks.days.append(day)
        assigned |= set(day.tables)
        chances_of_day = chances_by_table(day)
        for table in sorted(assigned):
            before = known_tables.get(table, KnownTable())
            statement = TableStatement(
                table,
                day.day,
                before.level(day.day),
                before.reached,
                day.notices[table],
                before.chances,
                chances_of_day.get(table, TableChances(day.day)),
            )
            if is_called_secure(statement):
                weeks.first_secure.setdefault(table, day.day)
            (weeks.late if day.day == after_break else weeks.statements).append(statement)
        for table, counts in chances_of_day.items():
            known_tables[table] = known_table_after(known_tables.get(table, KnownTable()), counts)
    return weeks


def chances_by_table(day: PlayedDay) -> dict[int, TableChances]:
    """The chances of a day by table, without those with a joker."""
    counts = Counter((chance.table, chance.outcome) for chance in day.chances if is_counted(chance))
    tables = sorted({table for table, _ in counts})
    return {
        table: TableChances(
            day.day,
            at_once=counts[table, "at once"],
            later=counts[table, "later"],
            others=sum(
                counts[table, outcome] for outcome in ("with a hint", "after tries", "missed")
            ),
        )
        for table in tables
    }


def everyone_playing(seed: int, weeks: int = WEEKS, rounds: int = ROUNDS) -> list[ModelChildWeeks]:
    """One child of each strength, memory and plan."""
    return [
        play_for_weeks(child, memory, plan, seed, weeks=weeks, rounds=rounds)
        for child in MODEL_CHILDREN.values()
        for memory in TABLE_MEMORIES
        for plan in PLANS
    ]


def by_one_look(statement: TableStatement) -> bool:
    """Whether the true chance to find a row in one look is below `TRULY_SECURE`."""
    return statement.true < TRULY_SECURE


def by_share_found(children: Iterable[ModelChildWeeks]) -> IsFalse:
    """Whether a child with this true chance finds less than `TRULY_SECURE` of the possible rows, as
    these children do. A row stays for several turns, so they find more than in one look."""
    statements = [
        statement for statement in _all_statements(children) if statement.outcomes.chances
    ]
    if not statements:
        return by_one_look
    rows = np.array([[1.0, _logit(statement.true)] for statement in statements])
    tries = np.array([float(statement.outcomes.chances) for statement in statements])
    finds = np.array([float(statement.outcomes.found) for statement in statements])
    # The penalty is tiny; it only avoids an error if a few children found everything.
    intercept, slope = logistic_weights(rows, tries, finds, np.array([0.01, 0.01]))
    return lambda statement: float(expit(intercept + slope * _logit(statement.true))) < TRULY_SECURE


def _logit(chance: float) -> float:
    return float(logit(min(max(chance, _EDGE), 1 - _EDGE)))


def false_secure_tables(
    children: Iterable[ModelChildWeeks], is_false: IsFalse = by_one_look
) -> Share:
    """Of the tables called secure or fluent, the share for which that is false."""
    return share(
        is_false(statement)
        for statement in _all_statements(children)
        if is_called_secure(statement)
    )


def false_first_table_calls(
    children: Iterable[ModelChildWeeks], is_false: IsFalse = by_one_look
) -> Share:
    """The share of tables for which it was false when they were first called secure or fluent."""
    firsts: dict[tuple[int, int], TableStatement] = {}
    for place, child in enumerate(children):
        for statement in filter(is_called_secure, child.statements):
            firsts.setdefault((place, statement.table), statement)
    return share(map(is_false, firsts.values()))


def false_fluent_tables(children: Iterable[ModelChildWeeks]) -> Share:
    """Of the tables called fluent, the share with a true chance below `TRULY_FLUENT`."""
    statements = (
        statement for statement in _all_statements(children) if statement.level == "fluent"
    )
    return share(statement.true < TRULY_FLUENT for statement in statements)


def unable_called_secure(children: Iterable[ModelChildWeeks]) -> Share:
    """Of the tables with a true chance below `TRULY_SECURE`, the share called secure or fluent."""
    statements = (
        statement for statement in _all_statements(children) if statement.true < TRULY_SECURE
    )
    return share(is_called_secure(statement) for statement in statements)


def reached_tables(children: Iterable[ModelChildWeeks], fewest: int = 0) -> Share:
    """Of the tables that a child truly knows after six weeks (`ABLE`) and met in at least `fewest`
    chances, the share called secure or fluent by then."""
    pairs = (
        (child, statement)
        for child in children
        for statement in child.statements
        if statement.day == 7 * HALFWAY and statement.true >= ABLE and statement.chances >= fewest
    )
    return share(
        child.first_secure.get(statement.table, statement.day + 1) <= statement.day
        for child, statement in pairs
    )


def refreshing_found(children: Iterable[ModelChildWeeks]) -> Share:
    """Of the next chances of tables called "needs refreshing", the share found without help."""
    statements = (statement for child in children for statement in child.statements)
    return _share_found(
        statement for statement in statements if statement.level == "needs refreshing"
    )


def found_after_break(children: Iterable[ModelChildWeeks]) -> Share:
    """Of the first chances after the break of tables that were secure before it, the share found
    without help."""
    return _share_found(
        statement for child in children for statement in _secure_before_break(child)
    )


def unable_after_break(children: Iterable[ModelChildWeeks]) -> Share:
    """Of the tables that were secure before the break, the share with a true chance below
    `TRULY_SECURE` after it."""
    statements = (statement for child in children for statement in _secure_before_break(child))
    return share(statement.true < TRULY_SECURE for statement in statements)


def found_by_true_chance(
    children: Iterable[ModelChildWeeks],
) -> dict[float, tuple[int, float, float]]:
    """The number of chances, the share found without help, and the share found at once, by tenths
    of the true chance."""
    counts: Counter[tuple[int, str]] = Counter()
    for statement in _all_statements(children):
        tenth = min(int(statement.true * BINS + 1e-9), BINS - 1)
        counts[tenth, "of"] += statement.outcomes.chances
        counts[tenth, "found"] += statement.outcomes.found
        counts[tenth, "at once"] += statement.outcomes.at_once
    return {
        tenth / BINS: (of, counts[tenth, "found"] / of, counts[tenth, "at once"] / of)
        for tenth in range(BINS)
        if (of := counts[tenth, "of"])
    }


def is_called_secure(statement: TableStatement) -> bool:
    return statement.level in GOOD_LEVELS


def _secure_before_break(child: ModelChildWeeks) -> Iterator[TableStatement]:
    return (statement for statement in child.late if statement.reached != "learning")


def _share_found(statements: Iterable[TableStatement]) -> Share:
    return share(
        number < statement.outcomes.found
        for statement in statements
        for number in range(statement.outcomes.chances)
    )


def _all_statements(children: Iterable[ModelChildWeeks]) -> Iterator[TableStatement]:
    return (statement for child in children for statement in (*child.statements, *child.late))
