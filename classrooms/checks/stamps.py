"""The rule of the stamps that children collect: a fact that was known on three days, the last at
least two weeks after the first. Known is a right answer without help."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from games.coach.facts import Fact, fact

from .models import Check, Sitting

DAYS_KNOWN: Final = 3
KEPT_FOR: Final = timedelta(days=14)
KNOWN: Final = (Check.How.RECALLED, Check.How.DERIVED)


def is_stamp(days: Iterable[date]) -> bool:
    """Whether a fact that was known on these days is a stamp."""
    known = set(days)
    return len(known) >= DAYS_KNOWN and max(known) - min(known) >= KEPT_FOR


def new_stamps(sitting: Sitting) -> list[Fact]:
    """The facts that became stamps in this sitting, from the log of answers alone. Two queries, one
    where the sitting has nothing that may be a stamp."""
    answers = Check.objects.filter(child=sitting.child_id, kind=Check.Kind.FACT, how__in=KNOWN)
    now = list(answers.filter(sitting=sitting))
    if not now:
        return []
    numbers = {number for check in now for number in check.as_answered().shown}
    first_key = min(check.pk for check in now)
    earlier = answers.filter(first__in=numbers, second__in=numbers, pk__lt=first_key)
    days: dict[Fact, set[date]] = defaultdict(set)
    for check in earlier:
        days[fact(*check.as_answered().shown)].add(check.day)
    new = {
        one
        for check in now
        for one in [fact(*check.as_answered().shown)]
        if not is_stamp(days[one]) and is_stamp({*days[one], check.day})
    }
    return sorted(new)
