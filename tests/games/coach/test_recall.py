"""What a child knows of its facts, and what is said of it."""

from random import Random

from games.coach.facts import facts_of
from games.coach.mastery import FLUENT, FLUENT_MS, NOT_YET, RIGHT, SECURE, SECURE_MS
from games.coach.questions.memory import Grade
from games.coach.questions.recall import (
    MOST_DAYS,
    SECURE_CHANCE,
    FactAnswer,
    Recall,
    chance_of,
    holds_until,
    level_of,
    recall_after,
)
from tests.counts import for_each

TODAY = 738_000
FACT = (6, 8)


def answers(
    rights: str, *, gap: int = 2, net_ms: int | None = 2000, timed: bool = True
) -> list[FactAnswer]:
    """One answer a day: "+" right, "h" right with help, "-" wrong."""
    return [
        FactAnswer(FACT, one != "-", TODAY + gap * number, one == "h", net_ms, timed)
        for number, one in enumerate(rights)
    ]


def level(given: list[FactAnswer], days: int = 1) -> str:
    return recall_after(given).level(FACT, given[-1].day + days)


@for_each(
    [
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS), FLUENT, Grade.FAST),
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS + 1), SECURE, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, net_ms=SECURE_MS + 1), RIGHT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY), RIGHT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, timed=False), FLUENT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, helped=True, net_ms=900), NOT_YET, Grade.HELPED),
        (FactAnswer(FACT, True, TODAY, helped=True, timed=False), NOT_YET, Grade.HELPED),
        (FactAnswer(FACT, False, TODAY, net_ms=900), NOT_YET, Grade.WRONG),
        (FactAnswer(FACT, False, TODAY, helped=True), NOT_YET, Grade.WRONG),
    ]
)
def test_an_answer_has_a_mark_and_a_rating(one: FactAnswer, mark: int, grade: Grade) -> None:
    assert (one.mark, one.grade) == (mark, grade)


def test_three_right_answers_on_different_days_make_a_level() -> None:
    assert recall_after([]).level(FACT, TODAY) == "not yet seen"
    assert level(answers("++")) == "learning"
    assert level(answers("+++")) == "fluent"
    assert level(answers("+++", net_ms=5000)) == "secure"
    assert level(answers("+++", net_ms=7000)) == "learning"
    assert level(answers("+++", net_ms=None)) == "learning"


def test_without_a_limit_of_time_a_child_can_be_fluent() -> None:
    assert level(answers("+++", net_ms=None, timed=False)) == "fluent"


def test_what_was_right_with_help_only_is_not_secure() -> None:
    assert level(answers("hhhhhhhh")) == "learning"
    assert level(answers("+h+")) in ("learning", "fluent")
    assert level(answers("++hh")) == "learning"


def test_nine_good_days_in_a_row_do_not_last_half_a_year() -> None:
    given = answers("+++++++++", gap=1)
    assert level(given) == level(given, 30) == "fluent"
    assert level(given, 180) == "needs refreshing"


def test_what_is_learned_with_longer_gaps_needs_refreshing_later() -> None:
    def fades(gap: int) -> int:
        given = answers("++++", gap=gap)
        return next(days for days in range(1, 4000) if level(given, days) != "fluent")

    assert fades(1) < fades(3) < fades(9)


def test_a_fact_is_said_to_be_known_only_above_the_chance_for_it() -> None:
    random = Random(1)
    recall = Recall()
    for day in range(TODAY, TODAY + 60):
        asked = random.choice(facts_of([6, 7]))
        recall.add(FactAnswer(asked, random.random() < 0.7, day, net_ms=random.randrange(9000)))
        for one in recall.facts:
            for later in (day + 1, day + 40):
                known = recall.level(one, later) in ("secure", "fluent")
                able = max(recall.facts[one].ability, recall.ability.value)
                memory = recall.facts[one].memory
                assert not known or chance_of(one, memory, able, later) >= SECURE_CHANCE


def test_a_level_holds_until_the_last_day_on_which_it_is_said() -> None:
    random = Random(2)
    recall = Recall()
    held = 0
    for day in range(TODAY, TODAY + 90):
        asked = random.choice(facts_of([6]))
        recall.add(FactAnswer(asked, random.random() < 0.85, day, net_ms=random.randrange(7000)))
        known = recall.facts[asked]
        last = holds_until(asked, known.reached, known.memory, known.ability)
        if last is None:
            assert recall.level(asked, day) not in ("secure", "fluent")
            continue
        held += 1
        for able in (known.ability, known.ability + 0.5):
            for later in (day, day + 1, (day + last) // 2, last):
                level = level_of(asked, known.reached, known.memory, able, later)
                assert level == known.reached
        if last + 1 < day + MOST_DAYS:
            lapsed = level_of(asked, known.reached, known.memory, known.ability, last + 1)
            assert lapsed == "needs refreshing"
    assert held > 20


def test_wrong_answers_to_other_facts_never_lower_a_level() -> None:
    known = facts_of([7])
    recall = recall_after(
        FactAnswer(one, True, TODAY + day, net_ms=2000) for day in (0, 2, 4) for one in known
    )
    before = {later: [recall.level(one, TODAY + later) for one in known] for later in (5, 40, 400)}
    assert before[5] == ["fluent"] * len(known)
    for day in (4, 5, 6):
        for one in facts_of([8, 9]):
            if one not in known:
                recall.add(FactAnswer(one, False, TODAY + day))
    for later, levels in before.items():
        assert [recall.level(one, TODAY + later) for one in known] == levels


def test_a_child_who_answers_well_is_expected_to_know_new_facts_too() -> None:
    able, weak = (
        recall_after(FactAnswer(one, right, TODAY) for one in facts_of([3]))
        for right in (True, False)
    )
    assert able.chance((7, 8), TODAY) > Recall().chance((7, 8), TODAY) > weak.chance((7, 8), TODAY)


def test_who_answers_at_random_or_only_with_help_is_never_secure() -> None:
    facts = facts_of([2, 5, 10])
    for child in range(100):
        random = Random(child)
        chance, helped = ((0.05, False), (1.0, True))[child % 2]
        recall = Recall()
        for day in range(TODAY, TODAY + 84, 2):
            for one in random.sample(facts, 4):
                recall.add(FactAnswer(one, random.random() < chance, day, helped, 1500))
        levels = {recall.level(one, TODAY + 84) for one in facts}
        assert levels <= {"learning", "not yet seen"}, child
