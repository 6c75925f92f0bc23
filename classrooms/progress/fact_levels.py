"""Stage 3 for facts: computes what a child knows about each fact from their answers. An answer
changes only what is stored about its fact and the child's ability, so one more answer costs as much
after a year as after a week. The number of queries does not depend on the number of children."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import cast
from uuid import UUID

from django.db.models import Q
from msgspec import convert, to_builtins

from classrooms.progress.models import (
    ANSWER_COUNTS,
    FactAbility,
    FactMastery,
)
from classrooms.progress.table_levels import upsert
from classrooms.questions.models import Check
from games.coach.mastery import Ability, ReachedLevel, changes_mastery
from games.coach.questions.recall import AskedDay, KnownFact, Memory, Recall, last_day_of_level
from games.coach.times_tables import Fact, fact_of

AnswersByChild = Mapping[UUID, Sequence[Check]]
"""The answers to facts, in order, by child."""
FactRows = Mapping[UUID, dict[Fact, FactMastery]]


def update_fact_levels(new_checks: Iterable[Check]) -> None:
    """Fold these answers into what is stored about their children.

    Runs in the transaction and under the locks of the caller. All answers of a child are folded
    again if nothing is stored, or if one of these is not newer than the last one folded. That
    happens when two children were merged, or when `fold_all_facts` folded an answer before it was
    counted.
    """
    by_child = _by_child(new_checks)
    stored = FactAbility.objects.filter(child__in=by_child)
    abilities = {ability.child_id: ability for ability in stored}
    children_to_refold = {
        child
        for child, checks in by_child.items()
        if (ability := abilities.get(child)) is None
        or _sort_key(checks[0]) <= (ability.last_at, ability.last_answer)
    }
    on_time = {
        child: answers for child, answers in by_child.items() if child not in children_to_refold
    }
    if on_time:
        _fold(on_time, abilities, _rows_of(on_time))
    if children_to_refold:
        fold_all_facts(children_to_refold)


def fold_all_facts(children: Collection[UUID]) -> None:
    FactMastery.objects.filter(child__in=children).delete()
    FactAbility.objects.filter(child__in=children).delete()
    _fold(_by_child(Check.objects.filter(child__in=children, kind=Check.Kind.FACT)), {}, {})


def _by_child(checks: Iterable[Check]) -> dict[UUID, list[Check]]:
    checks_of: dict[UUID, list[Check]] = defaultdict(list)
    for check in sorted(checks, key=_sort_key):
        if check.kind == Check.Kind.FACT:
            checks_of[check.child_id].append(check)
    return checks_of


def _sort_key(check: Check) -> tuple[datetime, int]:
    """The key that sorts the answers of a child by time."""
    return check.answered_at, check.pk


def _fact_of(check: Check) -> Fact:
    return fact_of(*check.fact_answer().factors)


def _rows_of(answers: AnswersByChild) -> FactRows:
    """What is stored about the facts of these answers."""
    facts = {_fact_of(check) for checks in answers.values() for check in checks}
    about = Q()
    for low, high in facts:
        about |= Q(low=low, high=high)
    rows: dict[UUID, dict[Fact, FactMastery]] = defaultdict(dict)
    for row in FactMastery.objects.filter(about, child__in=answers):
        rows[row.child_id][row.low, row.high] = row
    return rows


def _fold(answers: AnswersByChild, abilities: Mapping[UUID, FactAbility], rows: FactRows) -> None:
    facts: list[FactMastery] = []
    new_abilities: list[FactAbility] = []
    for child, checks in answers.items():
        by_fact = dict(rows.get(child, {}))
        ability = abilities.get(child)
        recall = Recall({fact: _known_fact(row) for fact, row in by_fact.items()})
        if ability:
            recall.ability = Ability(ability.value, ability.answers)
        for check in checks:
            recall.add(check.fact_answer())
            fact = _fact_of(check)
            by_fact[fact] = _fact_row(check, recall.facts[fact], by_fact.get(fact))
        for fact in sorted({_fact_of(check) for check in checks}):
            by_fact[fact].holds_until = _holds_until(fact, recall.facts[fact])
            facts.append(by_fact[fact])
        new_abilities.append(
            FactAbility(
                child_id=child,
                value=recall.ability.value,
                answers=recall.ability.answers,
                last_at=checks[-1].answered_at,
                last_answer=checks[-1].pk,
            )
        )
    upsert(facts, unique=("child", "low", "high"))
    upsert(new_abilities, unique=("child",))


def _known_fact(row: FactMastery) -> KnownFact:
    memory = Memory(row.stability, row.difficulty, row.day.toordinal(), row.due_on.toordinal())
    count = sum(getattr(row, how) for how in ANSWER_COUNTS)
    lately = convert(row.lately, tuple[AskedDay, ...])
    return KnownFact((row.low, row.high), memory, count, lately, row.ability)


def _holds_until(fact: Fact, known_fact: KnownFact) -> date | None:
    last = last_day_of_level(fact, known_fact.reached, known_fact.memory, known_fact.ability)
    return None if last is None else date.fromordinal(last)


def _fact_row(check: Check, known_fact: KnownFact, before: FactMastery | None) -> FactMastery:
    """The row of a fact after this answer. It lacks `holds_until`, which only the last row
    needs."""
    low, high = _fact_of(check)
    memory = known_fact.memory
    counts = {how: getattr(before, how, 0) + (check.how == how) for how in ANSWER_COUNTS}
    is_new_level = before and changes_mastery(
        known_fact.reached, cast(ReachedLevel, before.reached)
    )
    return FactMastery(
        child_id=check.child_id,
        low=low,
        high=high,
        stability=memory.stability,
        difficulty=memory.difficulty,
        day=date.fromordinal(memory.last_day),
        due_on=date.fromordinal(memory.due),
        ability=known_fact.ability,
        lately=to_builtins(known_fact.lately),
        reached=known_fact.reached,
        reached_on=before.reached_on if before and not is_new_level else check.day,
        last_at=check.answered_at,
        **counts,
    )
