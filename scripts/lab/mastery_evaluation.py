"""Tests on model children how well mastery predicts what a child does next (docs/mastery.md).

They play and answer for weeks, with practice and forgetting. The outcome of each possible row and
of each question is predicted from the days before, and compared with the real one. Nothing is
stored.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan, prod
from random import Random
from typing import Final
from unittest.mock import patch

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.stats import mannwhitneyu

from classrooms.demo.model_children import SCHOOL_DAYS, ModelAnswers, ModelChild, ModelChooser
from games.bots.sight import Sight, sights_of
from games.coach.chances import UNCOUNTED_OUTCOMES, chances
from games.coach.mastery import TABLE_GROUPS, Day, Parameters, difficulty_by_table, predictions
from games.coach.questions import recall, short_questions
from games.coach.questions.recall import WEIGHTS, FactAnswer, Weights
from games.coach.rating import Rating
from games.coach.rows import NO_TABLE
from games.coach.statements.certainty import (
    FALSE_CHANGES,
    FALSE_COMPARISONS,
    STUCK_BELOW,
    which_are_stuck,
)
from games.coach.statements.contrasts import (
    Share,
    Stratum,
    contrast,
    hard_kinds,
    strata_among_children,
    strata_over_time,
    which_stand_out,
)
from games.coach.times_tables import FIRST_TABLES, TABLES_TO_10, fact_of
from games.engine.ruleset import Ruleset, edition
from games.engine.text.record import Transition
from games.play.log import SEED_BITS
from scripts.lab.regression import Floats
from scripts.lab.table_evaluation import play_round

SPAN: Final = 3
"""The tables change after this many weeks."""
PLAN: Final = (FIRST_TABLES, (3, 4, 6), (6, 7, 8, 9), tuple(TABLES_TO_10))
LAST_FEW: Final = 3
BINS: Final = 10
_EDGE: Final = 1e-4

TryKey = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """A possible row or a question."""

    key: TryKey  # its table or fact
    right: bool  # whether it succeeded without help
    true_chance: float = 0.5  # of the model child (0–1), at this table or fact
    chance_at_cards: float | None = None
    """The true chance with the cards of the row's first turn, if the row could be laid without a
    joker when that turn began."""


@dataclass(slots=True)
class Record:
    """The tries of a model child by day: all their rows, or all their answers."""

    days: dict[int, list[Try]] = field(default_factory=dict)

    def add(self, day: int, tries: Iterable[Try]) -> None:
        self.days.setdefault(day, []).extend(tries)


@dataclass(frozen=True, slots=True)
class Career:
    rows: Record
    facts: Record


@dataclass(frozen=True, slots=True)
class Forecast:
    """Predicted chances (0–1), and whether each try succeeded."""

    chances: Sequence[float]
    successes: Sequence[bool]

    @property
    def auc(self) -> float:
        """The probability that a success had a higher predicted chance than a failure (0.5 is pure
        luck); ties count half."""
        chances, outcomes = np.array(self.chances), np.array(self.successes)
        right, bad = chances[outcomes], chances[~outcomes]
        return float(mannwhitneyu(right, bad).statistic / (len(right) * len(bad)))

    @property
    def calibration_error(self) -> float:
        """The mean difference between predicted and real shares of success, over ten bins of
        chance, weighted by size."""
        chances = np.array(self.chances)
        bins = np.minimum((chances * BINS).astype(int), BINS - 1)
        errors = np.bincount(bins, weights=chances - self.successes)
        return float(np.abs(errors).sum() / len(chances))

    @property
    def log_loss(self) -> float:
        chances = np.array(self.chances)
        chances_of_outcomes = np.where(self.successes, chances, 1 - chances)
        return float(-np.log(chances_of_outcomes.clip(_EDGE, 1)).mean())


Forecaster = Callable[[Record], Iterator[tuple[int, float, bool]]]
"""For each try in order: its day, the chance predicted from the days before, and whether it
succeeded."""


def seed_of(seed: int, name: str, number: int) -> Random:
    """The random source of one child's career."""
    return Random(f"{seed}/{name}/{number}")


def career(child: ModelChild, weeks: int, random: Random) -> Career:
    """The weeks of one child: a round and short questions on each school day."""
    rows, facts = Record(), Record()
    answers = ModelAnswers(child, random.getrandbits(32))
    asking = Random(random.getrandbits(32))
    answers_given: list[FactAnswer] = []
    rating = Rating()
    for week in range(weeks):
        tables = PLAN[week // SPAN % len(PLAN)]
        ruleset = edition("simplified", tables=tables, offers=False, rounds=1)
        for day in (7 * week + weekday for weekday in SCHOOL_DAYS):
            log, rating = one_round(child, ruleset, rating, random)
            rows.add(day, _rows(log, child))
            topic = short_questions.Topic(tables)
            for question in short_questions.questions(topic, answers_given, (), day, asking):
                fact = (question.numbers[0], question.numbers[1])
                at = day + asking.random() / 10
                chance = answers.chance(fact, at)
                right = answers.answer(fact, at).right
                answers_given.append(FactAnswer(fact, right, day))
                facts.add(day, [Try(tuple(sorted(fact)), right, chance)])
    return Career(rows, facts)


def one_round(
    child: ModelChild, ruleset: Ruleset, rating: Rating, random: Random
) -> tuple[list[Transition], Rating]:
    seed = random.getrandbits(SEED_BITS)
    return play_round(ModelChooser(child, random.getrandbits(32)), ruleset, rating, seed)


def _rows(log: Sequence[Transition], child: ModelChild) -> Iterator[Try]:
    chances_of_turn: dict[int, Mapping[int, float]] = {}
    for step in log:
        state = step.before
        if state is not None and (state.turn, state.phase) == (0, "play"):
            turn = state.turns[0] + 1
            if turn not in chances_of_turn:
                chances_of_turn[turn] = _chances_to_notice(sights_of(state.position(0)), child)
    for row_chance in chances(log, 0):
        if row_chance.outcome not in UNCOUNTED_OUTCOMES:
            right = row_chance.outcome in ("at once", "later")
            chance = child.chance(row_chance.table or None)
            at_cards = chances_of_turn.get(row_chance.first_turn, {}).get(row_chance.table)
            yield Try((row_chance.table,), right, chance, at_cards)


def _chances_to_notice(sights: Iterable[Sight], child: ModelChild) -> Mapping[int, float]:
    """The chance that the child notices at least one row that needs no joker, by table."""
    overlooked: dict[int, list[float]] = {}
    for sight in sights:
        if not sight.needs_joker:
            chance = child.chance(sight.table, adds=sight.adds, crosses=sight.crosses)
            overlooked.setdefault(sight.table or NO_TABLE, []).append(1 - chance)
    return {table: 1 - prod(chances) for table, chances in overlooked.items()}


def by_mastery(kind: Parameters) -> Forecaster:
    def chances(record: Record) -> Iterator[tuple[int, float, bool]]:
        days = (
            (
                day,
                {key: _day(day, tries, key) for key in sorted({attempt.key for attempt in tries})},
            )
            for day, tries in record.days.items()
        )
        expected = predictions(days, kind)
        for (day, tries), chance_of in zip(record.days.items(), expected, strict=True):
            yield from ((day, chance_of[attempt.key], attempt.right) for attempt in tries)

    return chances


def _day(day: int, tries: Sequence[Try], key: TryKey) -> Day:
    tries_of_key = [attempt for attempt in tries if attempt.key == key]
    return Day(day, len(tries_of_key), sum(attempt.right for attempt in tries_of_key))


def by_overall_share(record: Record) -> Iterator[tuple[int, float, bool]]:
    """A plain baseline: the share of successes among all tries so far."""
    right = count = 0
    for day, tries in record.days.items():
        share = right / count if count else 0.5
        yield from ((day, share, attempt.right) for attempt in tries)
        right += sum(attempt.right for attempt in tries)
        count += len(tries)


def by_last_three(record: Record) -> Iterator[tuple[int, float, bool]]:
    """A plain baseline: the share of successes among the last three tries of the same table or
    fact; if there are none yet, among all tries."""
    last: dict[TryKey, list[bool]] = {}
    everything: list[bool] = []
    for day, tries in record.days.items():
        for attempt in tries:
            latest = last.get(attempt.key, [])[-LAST_FEW:] or everything
            yield day, sum(latest) / len(latest) if latest else 0.5, attempt.right
        for attempt in tries:
            last.setdefault(attempt.key, []).append(attempt.right)
            everything.append(attempt.right)


def by_true_ability(record: Record) -> Iterator[tuple[int, float, bool]]:
    """The best prediction without looking at the cards: the model child's true chance."""
    return (
        (day, attempt.true_chance, attempt.right)
        for day, tries in record.days.items()
        for attempt in tries
    )


def by_true_sight(record: Record) -> Iterator[tuple[int, float, bool]]:
    """The best prediction for a row: the model child's true chance with these cards."""
    for day, tries in record.days.items():
        for attempt in tries:
            at_cards = attempt.chance_at_cards
            yield day, attempt.true_chance if at_cards is None else at_cards, attempt.right


def forecast(
    records: Iterable[Record], predict: Forecaster, since: int, *, seen_only: bool = False
) -> Forecast:
    """The predictions for the tries from day `since` on; with `seen_only`, only for rows that could
    be laid without a joker when the turn began."""
    pairs = [
        (share, right)
        for record in records
        for (day, share, right), attempt in zip(predict(record), _tries(record), strict=True)
        if day >= since and (attempt.chance_at_cards is not None or not seen_only)
    ]
    return Forecast([share for share, _ in pairs], [right for _, right in pairs])


def _tries(record: Record) -> Iterator[Try]:
    return (attempt for tries in record.days.values() for attempt in tries)


# For `evaluate_mastery --fit`, fits to model children the parameters of mastery, and the weights of
# the chance that the next answer to a fact is right (docs/mastery.md).

_MOST_STEPS: Final = 80
MOST_PRIOR: Final = 20.0
"""A model child has exactly the strength of their type at every table. Real children vary more, so
their own rows of a table must keep some weight."""
_CLOSE: Final = 1e-7
_EASIEST: Final = 4
"""The place of the easiest tables' difficulty among the figures."""


def predictions_of(careers: Iterable[Sequence[FactAnswer]], weights: Weights = WEIGHTS) -> Forecast:
    """The predicted chance of each answer, from the answers before it."""
    chances, outcomes = [], []
    with patch.object(recall, "WEIGHTS", weights):
        for answers in careers:
            known = recall.Recall()
            for answer in answers:
                chances.append(known.chance(fact_of(*answer.factors), answer.day))
                outcomes.append(answer.is_right_alone)
                known.add(answer)
    return Forecast(chances, outcomes)


def fit_weights(careers: Sequence[Sequence[FactAnswer]], steps: int = _MOST_STEPS) -> Weights:
    """The weights with the smallest log loss. Two are not fitted. When FSRS asks again, model
    children have forgotten so much that freshness would get hardly any weight. Their ability never
    changes, so its last step would become 0."""

    def loss(figures: Floats) -> float:
        return predictions_of(careers, _weights(figures)).log_loss

    begin = np.array([WEIGHTS.ability, WEIGHTS.rest, np.log(WEIGHTS.first_k)])
    return _weights(minimize(loss, begin, method="Nelder-Mead", options={"maxiter": steps}).x)


def _weights(figures: Floats) -> Weights:
    ability, rest, first_k = figures.tolist()
    return replace(WEIGHTS, ability=ability, rest=rest, first_k=float(np.exp(first_k)))


def fit_parameters(records: Sequence[Record], kind: Parameters, since: int) -> Parameters:
    """The parameters with the smallest log loss, searched from the present ones of `kind`. The
    difficulty of the easiest tables is fixed, because if all difficulties move together the ability
    just follows."""

    def loss(figures: Floats) -> float:
        return forecast(records, by_mastery(_parameters(figures)), since).log_loss

    figures = _figures(kind)
    least, most = np.full_like(figures, -np.inf), np.full_like(figures, np.inf)
    least[0], most[:2] = 0, (1, np.log(MOST_PRIOR))
    least[_EASIEST] = most[_EASIEST] = figures[_EASIEST]
    result = minimize(loss, figures, method="L-BFGS-B", bounds=Bounds(least, most), tol=_CLOSE)
    return _parameters(result.x)


def _figures(kind: Parameters) -> Floats:
    """The figures to fit. Those that cannot be negative are given as logarithms."""
    positive = np.log([kind.prior, kind.first_k, kind.least_k])
    hard = [kind.difficulty[group[0]] for group in TABLE_GROUPS]
    return np.array([kind.memory_share, *positive, *hard, kind.difficulty_of_others])


def _parameters(figures: Floats) -> Parameters:
    memory_share, *_, ability = figures.tolist()
    prior, first_k, least_k = np.exp(figures[1:_EASIEST]).tolist()
    return Parameters(
        prior=prior,
        memory_share=memory_share,
        first_k=first_k,
        least_k=least_k,
        difficulty=difficulty_by_table(figures[_EASIEST:-1].tolist()),
        difficulty_of_others=ability,
    )


# Tests on classes of model children whether statements about children are true (docs/mastery.md).
# Model children play real rounds against companions that adapt to them. Rounds hardly depend on
# each other, so a class is drawn from these rounds. If all its children draw from the same rounds,
# they are equally able: their cards, tables and numbers of rounds differ only by luck, and every
# "more" and "fewer" about one of them is false.

CHILDREN: Final = 24
WEAK_CHILDREN: Final = 3
"""The number of weak children in a class with some."""
ROUNDS_OF_A_CAREER: Final = 12
"""The rounds that a model child plays in succession, while their rating and companion change."""
SETS_OF_TABLES: Final[Sequence[Sequence[int]]] = (
    (2, 5, 10),
    (3, 4, 6),
    (6, 7, 8, 9),
    tuple(TABLES_TO_10),
)
"""The tables of each bank of rounds."""
WITHOUT_HELP: Final = ("at once", "later")


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """The counts of a round: turns, and the chances of each table with those found without help."""

    turns: int
    tables: Mapping[int, Share]

    @property
    def chances(self) -> int:
        return sum(part.total for part in self.tables.values())


Rounds = Sequence[RoundCounts]


def rounds_of(child: ModelChild, tables: Collection[int], random: Random) -> list[RoundCounts]:
    ruleset = edition("simplified", tables=tuple(tables), offers=False, rounds=1)
    rating = Rating()
    rounds = []
    for _ in range(ROUNDS_OF_A_CAREER):
        log, rating = one_round(child, ruleset, rating, random)
        parts: dict[int, Share] = {}
        for chance in chances(log, 0):
            if chance.outcome not in UNCOUNTED_OUTCOMES:
                before = parts.get(chance.table, Share(0, 0))
                count = before.found + (chance.outcome in WITHOUT_HELP)
                parts[chance.table] = Share(count, before.total + 1)
        rounds.append(RoundCounts(log[-1].after.turns[0], parts))
    return rounds


def simulated_rounds(
    child: ModelChild, tables: Collection[int], careers: int, random: Random
) -> list[RoundCounts]:
    return [counts for _ in range(careers) for counts in rounds_of(child, tables, random)]


def equal_children(bank: Rounds, most: int, random: Random) -> list[Rounds]:
    """A class of equally able children, each with half to all of `most` rounds."""
    return [random.choices(bank, k=random.randint(most // 2, most)) for _ in range(CHILDREN)]


def class_with_weak_children(
    weak: Rounds, others: Rounds, rounds: int, random: Random
) -> list[Rounds]:
    """A class with some weak children, who come first."""
    return [
        random.choices(weak if place < WEAK_CHILDREN else others, k=rounds)
        for place in range(CHILDREN)
    ]


@dataclass(frozen=True, slots=True)
class ClassStatements:
    """The statements of the pages about a class. About each child: who finds more or fewer rows
    than before, who finds fewer than the others, and the tables at which they are stuck. About the
    class: the tables at which all find fewer."""

    changed: Sequence[bool]
    fewer: Sequence[bool]
    tables: Collection[int]
    stuck: Sequence[Collection[int]]

    def is_false_of_equals(self, true: Mapping[int, float]) -> bool:
        """Whether any statement about equally able children who learn nothing is false. `true` has
        the share of each table that they really find."""
        stuck = {table for tables in self.stuck for table in tables}
        false_stuck = any(true[table] >= STUCK_BELOW for table in stuck)
        false_tables = any(true[table] >= max(true.values()) for table in self.tables)
        return false_stuck or false_tables or any(self.changed) or any(self.fewer)


def statements_about(children: Sequence[Rounds]) -> ClassStatements:
    """The statements that the functions of the pages make. A change is one from the first half of
    the rounds to the second."""
    counts = [_by_table(child) for child in children]
    changes = [
        strata_over_time(_by_table(child[: len(child) // 2]), _by_table(child[len(child) // 2 :]))
        for child in children
    ]
    return ClassStatements(
        _who_stands_out(changes, FALSE_CHANGES, with_more=True),
        _who_stands_out(strata_among_children(counts), FALSE_COMPARISONS, with_more=False),
        set(hard_kinds(list(enumerate(counts)))) - {NO_TABLE},
        _stuck(children),
    )


def _who_stands_out(
    children: Sequence[Mapping[int, Stratum]], false_share: float, *, with_more: bool
) -> list[bool]:
    contrasts = which_stand_out([contrast(strata.values()) for strata in children], false_share)
    return [
        comparison is not None and (with_more or comparison.difference < 0)
        for comparison in contrasts
    ]


def _stuck(children: Sequence[Rounds]) -> list[list[int]]:
    cells = [
        (place, table, part)
        for place, child in enumerate(children)
        for table, part in _by_table(child).items()
        if table != NO_TABLE
    ]
    stuck_at: list[list[int]] = [[] for _ in children]
    certain = which_are_stuck([part for _place, _table, part in cells])
    for (place, table, _part), is_certain in zip(cells, certain, strict=True):
        if is_certain:
            stuck_at[place].append(table)
    return stuck_at


def shares_found(rounds: Rounds) -> Mapping[int, float]:
    """The share of all chances that was found, by table."""
    return {table: part.found / part.total for table, part in _by_table(rounds).items()}


def spread_of_finds(rounds: Rounds) -> float:
    """The variance of a round's finds, divided by that of independent chances."""
    return _spread([counts.tables for counts in rounds], shares_found(rounds))


def spread_in_a_table(rounds: Rounds) -> float:
    """The variance of a round's finds of one table, divided by that of independent chances."""
    parts = [{table: part} for counts in rounds for table, part in counts.tables.items()]
    return _spread(parts, shares_found(rounds))


def _spread(parts_of_children: Iterable[Mapping[int, Share]], shares: Mapping[int, float]) -> float:
    squares = variance = 0.0
    for tables in parts_of_children:
        total = 0.0
        for table, (finds, of) in tables.items():
            total += finds - of * shares[table]
            variance += of * shares[table] * (1 - shares[table])
        squares += total**2
    return squares / variance if variance else nan


def _by_table(rounds: Rounds) -> Mapping[int, Share]:
    return _sums(item for counts in rounds for item in counts.tables.items())


def _sums(parts: Iterable[tuple[int, Share]]) -> dict[int, Share]:
    sums: dict[int, Share] = defaultdict(lambda: Share(0, 0))
    for kind, part in parts:
        before = sums[kind]
        sums[kind] = Share(before.found + part.found, before.total + part.total)
    return sums
