"""Weeks of play of one model child, and the chances of each day.

They play rounds against companions on three days a week, as a class does. How they learn by playing
is chosen, like everything about model children: the chance to notice rows of a table grows and
fades by the same two memories as the facts of short questions (docs/learning.md, *Model children*).
A day is a success for a table if they found more than half of its chances without help, and
otherwise a failure if it had chances.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from random import Random
from typing import Final, cast

from classrooms.demo.model_children import MemoryKind, ModelChild, ModelChooser, ModelMemory
from classrooms.demo.past_games import Chooser, PastGame, play_out
from games.bots import companion
from games.coach.chances import UNCOUNTED_OUTCOMES, RowChance, chances
from games.coach.deals import kindness_for
from games.coach.rating import Rating, Result, opponent_for, rating_after_round
from games.coach.times_tables import TABLES_TO_12
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.record import EntryKind, LogEntry, Transition, transitions
from games.play.log import SEED_BITS, setting_of
from games.play.services import NewSeat
from scripts.lab.child_kinds import ChildKind
from scripts.lab.fact_evaluation import SPAN, Plan

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
        notices = {table: kind.true_chance(one, day) for table, one in notices.items()}
        form = Random(f"{seed}/form/{day}").gauss(0, 1)
        logs = []
        for tired in range(rounds):
            sees = {t: kind.chance_when_asked(one, form, tired) for t, one in notices.items()}
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
    entries = [LogEntry(cast(EntryKind, row.kind), row.seat, row.text) for row in out.entries]
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
        refused=sum(kind == "refused" for _, _, kind, _ in own_steps),
        laid=sum(count for *_, count in own_steps),
        hint_turns=len({(number, turn) for number, turn, kind, _ in own_steps if kind == "hint"}),
        notices=notices,
    )


def _learn(memories: dict[int, ModelMemory], kind: MemoryKind, day: PlayedDay) -> None:
    def table_of(chance: RowChance) -> int:
        return chance.table

    for table, chances_of in groupby(sorted(day.chances, key=table_of), key=table_of):
        alone = [one.outcome in WITHOUT_HELP for one in chances_of if is_counted(one)]
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
