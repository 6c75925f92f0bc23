"""What children may have done, at random: answers to a fact and rows of a table; and what follows
from them by docs/mastery.md."""

from collections.abc import Sequence
from random import Random

from games.coach.questions.recall import FactAnswer
from games.coach.statements.table_levels import TableChances


def random_answers(random: Random) -> list[FactAnswer]:
    """Answers to one fact over days, of a child as it may be."""
    knows, slow, helped, timed = (random.random() for _ in range(4))
    knows = random.choice([knows, 0.97])
    days = sorted(random.choices(range(random.choice([2, 5, 60])), k=random.randint(1, 15)))
    return [
        FactAnswer(
            random.choice([(6, 8), (8, 6)]),
            random.random() < knows,
            day,
            helped=random.random() < helped / 4,
            net_ms=random.choice([None, 7000, 4000]) if random.random() < slow else 2000,
            timed=timed < 0.8,
        )
        for day in days
    ]


def days_with(given: Sequence[FactAnswer], seconds: int | None) -> tuple[int, int]:
    """How many of the last three days had more than half right alone, and fast where time counts;
    and how many days there were."""
    days = sorted({one.day for one in given})[-3:]
    good = 0
    for day in days:
        of_day = [one for one in given if one.day == day]
        right = [
            one
            for one in of_day
            if one.right
            and not one.helped
            and (
                seconds is None
                or not one.timed
                or (one.net_ms is not None and one.net_ms <= seconds * 1000)
            )
        ]
        good += len(right) > len(of_day) / 2
    return good, len(days)


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
        found = sum(random.random() < finds for _ in range(of))
        at_once = sum(random.random() < sees for _ in range(found))
        days.append(TableChances(day, at_once, found - at_once, of - found))
    return days


def weighted(days: Sequence[TableChances]) -> tuple[float, float, float]:
    """The weights of all chances, of those found and of those found at once."""
    weight = found = at_once = 0.0
    last = days[0].day
    for one in days:
        keeps = 0.25 if one.day - last > 91 else 0.9
        weight = weight * keeps + one.chances
        found, at_once, last = found * keeps + one.found, at_once * keeps + one.at_once, one.day
    return weight, found, at_once


def lower_end(came: float, of: float) -> float:
    """Wilson's, wrong in one case of twenty."""
    share, z = came / of, 1.645
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return float((share + z * z / (2 * of) - half) / (1 + z * z / of))
