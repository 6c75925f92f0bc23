"""Stage 3 for facts: answers → what a child knows of each fact, a fold over the answers.

An answer changes only what is stored of its fact and the child's ability, so that one more costs
the same after a week and after a year. Several children take as many queries as one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, cast
from uuid import UUID

from django.db.models import Q
from msgspec import convert, to_builtins

from classrooms.checks.models import Check
from classrooms.progress.models import FactAbility, FactMastery
from classrooms.progress.pipeline.storing import put
from games.coach.facts import Fact, fact
from games.coach.mastery import Ability, Reached, is_reached_anew
from games.coach.questions.memory import Memory
from games.coach.questions.recall import AskedDay, KnownFact, Recall, holds_until

HOW: Final = ("recalled", "derived", "hinted", "guessed")

Answers = Mapping[UUID, Sequence[Check]]
"""The answers of children to facts, of each child in order."""
Rows = Mapping[UUID, dict[Fact, FactMastery]]


def take_in(fresh: Iterable[Check]) -> None:
    """Fold these answers, some of which may be folded already, into what is stored of their
    children.

    Runs within the transaction and under the locks of the caller. A child of whom nothing is stored
    is folded from the beginning, and so is one with an answer that is not newer than the last one
    folded: an older one, as when two children are merged, or one that `fold_all` has folded before
    it was counted.
    """
    given = _by_child(fresh)
    stored = FactAbility.objects.filter(child__in=given)
    abilities = {ability.child_id: ability for ability in stored}
    late = {
        child
        for child, checks in given.items()
        if child not in abilities or _place(checks[0]) <= _last(abilities[child])
    }
    on_time = {child: answers for child, answers in given.items() if child not in late}
    if on_time:
        _fold(on_time, abilities, _rows_of(on_time))
    if late:
        fold_all(late)


def fold_all(children: Collection[UUID]) -> None:
    """Fold all answers of these children from the beginning."""
    FactMastery.objects.filter(child__in=children).delete()
    FactAbility.objects.filter(child__in=children).delete()
    _fold(_by_child(Check.objects.filter(child__in=children, kind=Check.Kind.FACT)), {}, {})


def _by_child(checks: Iterable[Check]) -> dict[UUID, list[Check]]:
    given: dict[UUID, list[Check]] = defaultdict(list)
    for check in sorted(checks, key=_place):
        if check.kind == Check.Kind.FACT:
            given[check.child_id].append(check)
    return given


def _place(check: Check) -> tuple[datetime, int]:
    """The place of an answer among all of its child."""
    return check.answered_at, check.pk


def _last(ability: FactAbility) -> tuple[datetime, int]:
    return ability.last_at, ability.last_answer


def _fact_of(check: Check) -> Fact:
    return fact(*check.as_answered().shown)


def _rows_of(given: Answers) -> Rows:
    """What is stored of the facts that these answers are about."""
    facts = {_fact_of(check) for checks in given.values() for check in checks}
    about = Q()
    for low, high in facts:
        about |= Q(low=low, high=high)
    rows: dict[UUID, dict[Fact, FactMastery]] = defaultdict(dict)
    for row in FactMastery.objects.filter(about, child__in=given):
        rows[row.child_id][row.low, row.high] = row
    return rows


def _fold(given: Answers, abilities: Mapping[UUID, FactAbility], rows: Rows) -> None:
    facts: list[FactMastery] = []
    after: list[FactAbility] = []
    for child, checks in given.items():
        own = dict(rows.get(child, {}))
        ability = abilities.get(child)
        recall = Recall({one: _known(row) for one, row in own.items()})
        if ability:
            recall.ability = Ability(ability.value, ability.answers)
        for check in checks:
            recall.add(check.as_answered())
            asked = _fact_of(check)
            own[asked] = _row(check, recall.facts[asked], own.get(asked))
        for asked in sorted({_fact_of(check) for check in checks}):
            own[asked].holds_until = _holds_until(asked, recall.facts[asked])
            facts.append(own[asked])
        after.append(
            FactAbility(
                child_id=child,
                value=recall.ability.value,
                answers=recall.ability.answers,
                last_at=checks[-1].answered_at,
                last_answer=checks[-1].pk,
            )
        )
    put(facts, unique=("child", "low", "high"))
    put(after, unique=("child",))


def _known(row: FactMastery) -> KnownFact:
    memory = Memory(row.stability, row.difficulty, row.day.toordinal(), row.due_on.toordinal())
    asked = sum(getattr(row, how) for how in HOW)
    lately = convert(row.lately, tuple[AskedDay, ...])
    return KnownFact((row.low, row.high), memory, asked, lately, row.ability)


def _holds_until(asked: Fact, known: KnownFact) -> date | None:
    last = holds_until(asked, known.reached, known.memory, known.ability)
    return None if last is None else date.fromordinal(last)


def _row(check: Check, known: KnownFact, before: FactMastery | None) -> FactMastery:
    """The row of a fact after this answer, but for `holds_until`, which only the last one needs."""
    low, high = _fact_of(check)
    memory = known.memory
    counts = {how: getattr(before, how, 0) + (check.how == how) for how in HOW}
    is_anew = before and is_reached_anew(known.reached, cast(Reached, before.reached))
    return FactMastery(
        child_id=check.child_id,
        low=low,
        high=high,
        stability=memory.stability,
        difficulty=memory.difficulty,
        day=date.fromordinal(memory.last),
        due_on=date.fromordinal(memory.due),
        ability=known.ability,
        lately=to_builtins(known.lately),
        reached=known.reached,
        reached_on=before.reached_on if before and not is_anew else check.day,
        last_at=check.answered_at,
        **counts,
    )
