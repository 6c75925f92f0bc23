"""The questions of a check-up, always with the same mix of tables and difficulty, but with other
numbers (docs/hints-and-questions.md).

A check-up has `QUESTIONS` places, each for one times table and one band of other factors. The
places depend on the tables alone; the seed decides which fact each place gets.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from games.coach.times_tables import FACTORS, Fact, fact_of

QUESTIONS: Final = 25
BANDS: Final = ((2, 5, 10), (3, 4), (6, 7, 8, 9, 11, 12))
"""The other factors of facts in three bands: easy, middle and hard."""
LIMIT_MS: Final = 6_000
"""The time for an answer in a timed check-up, as in England's national check."""
PAUSE_MS: Final = 3_000
"""The pause before each question of a timed check-up."""
SLACK_MS: Final = 500
"""How long after `LIMIT_MS`, by its own clock, the page may still send what the child has typed."""
NETWORK_MS: Final = 10_000
"""How long an answer may be on its way. Then it counts as lost, and the question is asked again."""


class Place(NamedTuple):
    """A place in a check-up: a question about this table whose other factor is in this band."""

    table: int
    band: int


def check_up_questions(tables: Collection[int], seed: str, number: int) -> list[tuple[int, int]]:
    """The questions of a check-up, as they are shown. `number` counts from 0. A fact comes twice
    only if there are too few. Facts of earlier check-ups with this seed are used last.

    >>> questions = check_up_questions([6, 7, 8, 9], "5B, Dora", 0)
    >>> len(questions), len({fact_of(*pair) for pair in questions})
    (25, 25)
    """
    places = places_of(tables)
    times_asked: Counter[Fact] = Counter()
    for check_up in range(number + 1):
        random = Random(f"{seed} {check_up}")
        facts = _choose_facts(places, tables, times_asked, random)
        times_asked.update(set(facts))
    return _questions(_random_order(facts, random), random)


def places_of(tables: Collection[int]) -> list[Place]:
    """The places of a check-up on these tables. Each table has the same number of places; if they
    cannot be divided evenly, the hardest tables have one more. Within a table, the number of places
    of a band is in proportion to its factors.

    If tables share facts, facts would be asked twice although others are left. Then a place moves
    to another band or table.
    """
    hardest_first = sorted(tables, key=lambda table: (-_band_of(table), -table))
    count = len(hardest_first)
    targets = [
        Place(table, band)
        for number, table in enumerate(hardest_first)
        for band in _bands_of(QUESTIONS // count + (number < QUESTIONS % count), tables)
    ]
    pools = _pools(tables)
    place_of: dict[Fact, int] = {}
    places = list(targets)

    def fits(number: int, place: Place) -> bool:
        places[number] = place
        return _give_fact(number, [sorted(pools[each]) for each in places], place_of)

    unfilled = [number for number, place in enumerate(targets) if not fits(number, place)]
    for number in unfilled:
        if not any(fits(number, place) for place in _other_places(targets[number], hardest_first)):
            places[number] = targets[number]
    return sorted(places)


def asks_all_facts(tables: Collection[int]) -> bool:
    """Whether every check-up asks all facts of these tables, because there are no more than
    `QUESTIONS`."""
    return len(set().union(*_pools(tables).values())) <= QUESTIONS


def is_in_time(ms: int | None, since_shown_ms: int) -> bool:
    """Whether an answer to a timed question was in time. The page measured `ms` since the question
    appeared, and the server `since_shown_ms` since it sent the page."""
    return (
        ms is not None
        and ms <= LIMIT_MS + SLACK_MS
        and since_shown_ms <= PAUSE_MS + LIMIT_MS + NETWORK_MS
    )


def _band_of(factor: int) -> int:
    return next(number for number, band in enumerate(BANDS) if factor in band)


def _factors(tables: Collection[int]) -> set[int]:
    return {*FACTORS, *tables}


def _bands_of(count: int, tables: Collection[int]) -> Iterator[int]:
    """The bands of this many questions, in proportion to the factors in each band. Questions that
    are left over go to the bands with the largest remainders and, among equals, to the harder
    band."""
    sizes = Counter(_band_of(factor) for factor in _factors(tables))
    total = sizes.total()
    exact = {band: divmod(count * size, total) for band, size in sizes.items()}
    remainder = count - sum(number for number, _ in exact.values())
    first = sorted(exact, key=lambda band: (-exact[band][1], -band))[:remainder]
    for band in sorted(exact):
        yield from [band] * (exact[band][0] + (band in first))


def _pools(tables: Collection[int]) -> Mapping[Place, set[Fact]]:
    pools: dict[Place, set[Fact]] = {}
    for table in tables:
        for factor in _factors(tables):
            pools.setdefault(Place(table, _band_of(factor)), set()).add(fact_of(table, factor))
    return pools


def _other_places(place: Place, tables: Sequence[int]) -> Iterator[Place]:
    """The places to which a place can move: first those of its table, then those of other tables;
    harder bands come first."""
    for table in (place.table, *(other for other in tables if other != place.table)):
        for band in reversed(range(len(BANDS))):
            if (table, band) != place:
                yield Place(table, band)


def _give_fact(
    number: int,
    wishes: Sequence[Sequence[Fact]],
    place_of: dict[Fact, int],
    facts_tried: set[Fact] | None = None,
) -> bool:
    """Give place `number` one of the facts for which it wishes. A place that has this fact takes
    another one (an augmenting path). Return False if no fact can be freed."""
    facts_tried = set() if facts_tried is None else facts_tried
    for wish in wishes[number]:
        if wish in facts_tried:
            continue
        facts_tried.add(wish)
        if wish not in place_of or _give_fact(place_of[wish], wishes, place_of, facts_tried):
            place_of[wish] = number
            return True
    return False


def _choose_facts(
    places: Sequence[Place], tables: Collection[int], counts: Mapping[Fact, int], random: Random
) -> list[Fact]:
    """A fact for each place, chosen at random among those that earlier check-ups asked least."""
    pools = _pools(tables)
    wishes = []  # in random order, but facts that were asked least come first
    for place in places:
        facts = sorted(pools[place])
        random.shuffle(facts)
        wishes.append(sorted(facts, key=lambda pair: counts.get(pair, 0)))
    place_of: dict[Fact, int] = {}
    order = list(range(len(places)))
    random.shuffle(order)
    unfilled = [number for number in order if not _give_fact(number, wishes, place_of)]
    fact_of_place = {number: fact for fact, number in place_of.items()}
    uses = Counter(fact_of_place.values())
    for number in unfilled:
        fact_of_place[number] = min(wishes[number], key=lambda pair: uses[pair])
        uses[fact_of_place[number]] += 1
    return [fact_of_place[number] for number in range(len(places))]


def _random_order(facts: Sequence[Fact], random: Random) -> list[Fact]:
    """The facts in random order, but an easy one first and never the same one twice in a row."""
    remaining = list(facts)
    random.shuffle(remaining)
    first = next((pair for pair in remaining if min(map(_band_of, pair)) == 0), remaining[0])
    remaining.remove(first)
    ordered = [first, *remaining]
    while any(fact == next_fact for fact, next_fact in pairwise(ordered)):
        random.shuffle(remaining)
        ordered = [first, *remaining]
    return ordered


def _questions(facts: Sequence[Fact], random: Random) -> list[tuple[int, int]]:
    """The facts as questions. About half have the larger factor first. A fact that comes again has
    its factors in the other order."""
    is_turned = [number % 2 == 0 for number in range(len(facts))]
    random.shuffle(is_turned)
    last_turned: dict[Fact, bool] = {}
    questions = []
    for fact, turned in zip(facts, is_turned, strict=True):
        last_turned[fact] = not last_turned[fact] if fact in last_turned else turned
        questions.append((fact[1], fact[0]) if last_turned[fact] else fact)
    return questions
