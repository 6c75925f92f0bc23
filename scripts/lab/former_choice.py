"""How facts were chosen before FSRS, to compare with (docs/mastery.md): an easy one, one not known
yet, an easy one, and one that brings the mean chance to 0.83. A child who is good at all assigned
tables is asked further ones too."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Final

from games.coach.facts import Fact, fact, facts_of
from games.coach.questions.quiz import MOST_NEW, MOST_QUESTIONS
from games.coach.questions.recall import FactAnswer
from games.coach.times_tables import TEACHING_ORDER

_WANTED: Final = (0.95, 0.4, 0.95)
_MEAN: Final = 0.83
_NEARLY: Final = 0.8
_LAST_FEW: Final = 3
_EASE: Final = ((0.9, (10, 2)), (0.85, (5,)), (0.7, (3, 4)), (0.6, (9, 11)))
_EASE_OF_SQUARES: Final = 0.7
_HARD: Final = 0.5
_AGAIN: Final = 0.3


def former_facts(
    tables: Collection[int], before: Sequence[FactAnswer], today: int, random: Random
) -> list[Fact]:
    by_fact: dict[Fact, list[FactAnswer]] = {}
    for one in before:
        by_fact.setdefault(fact(*one.shown), []).append(one)
    may_be_new = MOST_NEW - sum(known[0].day == today for known in by_fact.values())
    left = _candidates(tables, by_fact)
    random.shuffle(left)
    chosen: list[Fact] = []
    sure = 0.0
    for number in range(MOST_QUESTIONS):
        able = [one for one in left if one in by_fact or may_be_new > 0]
        able = able or [one for one in by_fact if one not in chosen]
        if not able:
            break
        wanted = (*_WANTED, MOST_QUESTIONS * _MEAN - sure)[number]
        best = min(able, key=lambda one: _unfit(one, by_fact.get(one, ()), wanted, today))
        sure += _chance(best, by_fact.get(best, ()))
        may_be_new -= best not in by_fact
        chosen.append(best)
        left = [one for one in left if one != best]
    return chosen


def _candidates(
    tables: Collection[int], by_fact: Mapping[Fact, Sequence[FactAnswer]]
) -> list[Fact]:
    of = list(tables)
    further = [table for table in TEACHING_ORDER if table not in of]
    while further and all(_chance(one, by_fact.get(one, ())) > _NEARLY for one in facts_of(of)):
        of.append(further.pop(0))
    return facts_of(of)


def _chance(asked: Fact, before: Sequence[FactAnswer]) -> float:
    last = before[-_LAST_FEW:]
    return (sum(one.right for one in last) + _ease(asked)) / (len(last) + 1)


def _ease(asked: Fact) -> float:
    for share, tables in _EASE:
        if any(table in asked for table in tables):
            return share
    return _EASE_OF_SQUARES if asked[0] == asked[1] else _HARD


def _unfit(asked: Fact, before: Sequence[FactAnswer], wanted: float, today: int) -> float:
    again = sum(one.day == today for one in before)
    return abs(_chance(asked, before) - wanted) + _AGAIN * again
