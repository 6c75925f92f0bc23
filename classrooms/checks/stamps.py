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
    now = list(answers.filter(sitting=sitting).values_list("first", "second", "day", "pk"))
    if not now:
        return []
    numbers = {number for first, second, _, _ in now for number in (first, second)}
    first_key = min(key for *_, key in now)
    earlier = answers.filter(first__in=numbers, second__in=numbers, pk__lt=first_key)
    days: dict[Fact, set[date]] = defaultdict(set)
    for first, second, day in earlier.values_list("first", "second", "day").distinct():
        days[fact(first, second)].add(day)
    new = {
        one
        for first, second, day, _ in now
        for one in [fact(first, second)]
        if not is_stamp(days[one]) and is_stamp({*days[one], day})
    }
    return sorted(new)
