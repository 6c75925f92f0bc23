"""A check-up, from giving it to the growth that it shows."""

from datetime import date, timedelta
from random import Random

import numpy as np
import pytest
import scipy
import time_machine
from django.utils import timezone

from classrooms import bounds
from classrooms.checkups import services
from classrooms.checkups.models import CheckUp, CheckUpAnswer, ChildCheckUp
from classrooms.checkups.results import (
    CheckUpScore,
    child_growths,
    class_growth,
    difference,
    interval,
    p_value,
)
from classrooms.models import Child, SchoolClass
from classrooms.roster.merges import merge
from games.coach.questions.check_up_questions import (
    LIMIT_MS,
    NETWORK_MS,
    PAUSE_MS,
    QUESTIONS,
    SLACK_MS,
    check_up_questions,
)
from games.coach.times_tables import fact_of
from tests.classrooms.checkups.answering import answer_all, product
from tests.counts import for_each, times
from tests.factories import CheckUpFactory, ChildFactory, SchoolClassFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def doras_run(dora: Child, check_up: CheckUp) -> ChildCheckUp:
    return services.begin(dora, check_up, has_script=True)


@pytest.fixture
def timed_run(dora: Child, school_class: SchoolClass) -> ChildCheckUp:
    check_up = CheckUpFactory.create(school_class=school_class, timed=True)
    return services.begin(dora, check_up, has_script=True)


def show_question(own: ChildCheckUp, ago_ms: int) -> ChildCheckUp:
    """Let the current question have been on the screen for this long."""
    services.start_clock(own)
    at = timezone.now() - timedelta(milliseconds=ago_ms)
    ChildCheckUp.objects.filter(pk=own.pk).update(asked_at=at)
    own.refresh_from_db()
    return own


def test_each_child_has_a_check_up_until_they_have_answered_everything(
    dora: Child, emil: Child, check_up: CheckUp
) -> None:
    assert [check_up.done for check_up in services.open_check_ups(dora)] == [None]
    own = services.begin(dora, check_up, has_script=True)
    services.answer(own, 0, 1, None)
    assert [check_up.done for check_up in services.open_check_ups(dora)] == [1]
    answer_all(own)
    assert not services.open_check_ups(dora)
    assert services.open_check_ups(emil)
    assert not services.open_check_ups(ChildFactory.create())
    own.refresh_from_db()
    assert (own.done, own.finished_at is None) == (QUESTIONS, False)


def test_a_check_up_is_open_from_its_first_to_its_last_day(
    dora: Child, school_class: SchoolClass
) -> None:
    today = school_class.today()
    for opens, closes, is_found in (
        (0, None, True),
        (-3, 0, True),
        (1, None, False),
        (-3, -1, False),
    ):
        check_up = CheckUpFactory.create(
            school_class=school_class,
            opens_on=today + timedelta(opens),
            closes_on=None if closes is None else today + timedelta(closes),
        )
        assert bool(services.open_check_ups(dora)) is is_found
        assert check_up.is_open(today) is is_found
        check_up.delete()


def test_the_days_of_a_check_up_are_those_of_the_classs_clock(
    dora: Child, school_class: SchoolClass
) -> None:
    SchoolClass.objects.update(time_zone="Pacific/Auckland")
    dora.school_class.refresh_from_db()
    check_up = CheckUpFactory.create(school_class=school_class, opens_on=date(2026, 9, 2))
    with time_machine.travel("2026-09-01T11:00Z", tick=False):
        assert not services.open_check_ups(dora)
    with time_machine.travel("2026-09-01T13:00Z", tick=False):
        assert services.open_check_ups(dora) == [check_up]


def test_an_answer_is_stored_with_its_question_and_its_judgement(doras_run: ChildCheckUp) -> None:
    assert services.answer(doras_run, 0, product(doras_run, 0), 900)
    assert services.answer(doras_run, 1, product(doras_run, 1) + 1, None)
    first, second = CheckUpAnswer.objects.all()
    assert [first.first, first.second] == list(doras_run.questions[0])
    assert (first.right, second.right) == (True, False)
    assert (first.ms, second.ms) == (None, None)


def test_a_second_tap_counts_once_and_nothing_is_skipped(doras_run: ChildCheckUp) -> None:
    assert services.answer(doras_run, 0, 12, None)
    assert not services.answer(doras_run, 0, 13, None)
    assert not services.answer(doras_run, 5, 13, None)
    assert not services.answer(doras_run, -1, 13, None)
    assert not services.answer(doras_run, 1, None, None)
    assert CheckUpAnswer.objects.get().answer == 12


def test_not_knowing_is_stored_once_and_only_without_a_limit(
    doras_run: ChildCheckUp, timed_run: ChildCheckUp
) -> None:
    assert services.pass_question(doras_run, 0)
    assert not services.pass_question(doras_run, 0)
    assert not services.pass_question(doras_run, 5)
    assert not services.answer(doras_run, 0, 12, None)
    assert not services.pass_question(timed_run, 0)
    stored_answer = CheckUpAnswer.objects.get()
    assert (stored_answer.answer, stored_answer.right, stored_answer.ms) == (None, False, None)
    doras_run.refresh_from_db()
    assert doras_run.done == 1


def test_two_children_have_two_check_ups(
    dora: Child, emil: Child, check_up: CheckUp, doras_run: ChildCheckUp
) -> None:
    following = CheckUpFactory.create(school_class=dora.school_class)
    assert following.number == check_up.number + 1
    of_emil = services.begin(emil, check_up, has_script=True)
    next_one = services.begin(dora, following, has_script=True)
    assert doras_run.questions != of_emil.questions
    assert doras_run.questions != next_one.questions


def test_untimed_children_and_browsers_without_scripts_have_no_time_limit(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    Child.objects.filter(pk=emil.pk).update(is_untimed=True)
    emil.refresh_from_db()
    fay = ChildFactory.create(school_class=school_class)
    check_up = CheckUpFactory.create(school_class=school_class, timed=True)
    assert services.begin(dora, check_up, has_script=True).timed
    assert not services.begin(emil, check_up, has_script=True).timed
    assert not services.begin(fay, check_up, has_script=False).timed


def test_an_unanswered_timed_question_is_wrong_and_the_next_one_comes(
    timed_run: ChildCheckUp,
) -> None:
    show_question(timed_run, PAUSE_MS + LIMIT_MS + 200)
    assert services.answer(timed_run, 0, None, LIMIT_MS + 20)
    stored_answer = CheckUpAnswer.objects.get()
    assert (stored_answer.answer, stored_answer.right) == (None, False)
    timed_run.refresh_from_db()
    assert timed_run.done == 1


@pytest.mark.parametrize(
    ("ms", "ago"),
    [(2_000, PAUSE_MS + LIMIT_MS + NETWORK_MS + 500), (LIMIT_MS + SLACK_MS + 1, 60_000)],
)
def test_a_lost_timed_answer_is_asked_again_twice(
    timed_run: ChildCheckUp, ms: int, ago: int
) -> None:
    for _ in range(services.MOST_SHOWN - 1):
        assert not services.answer(show_question(timed_run, ago), 0, product(timed_run, 0), ms)
    assert not CheckUpAnswer.objects.exists()
    assert services.answer(show_question(timed_run, ago), 0, product(timed_run, 0), ms)
    stored_answer = CheckUpAnswer.objects.get()
    assert (stored_answer.right, stored_answer.shown) == (False, services.MOST_SHOWN)


def test_a_question_shown_again_starts_its_time_again(timed_run: ChildCheckUp) -> None:
    show_question(timed_run, 600_000)
    show_question(timed_run, PAUSE_MS + 2_000)
    assert services.answer(timed_run, 0, product(timed_run, 0), 2_000)
    stored_answer = CheckUpAnswer.objects.get()
    assert (stored_answer.right, stored_answer.shown) == (True, 2)


def test_a_closed_check_up_is_hidden_from_children_until_it_is_reopened(
    dora: Child, check_up: CheckUp
) -> None:
    services.close(check_up)
    assert not services.open_check_ups(dora)
    check_up.refresh_from_db()
    services.reopen(check_up)
    assert services.open_check_ups(dora) == [check_up]


def test_a_check_up_reopened_outside_its_days_is_open_today(
    dora: Child, school_class: SchoolClass
) -> None:
    today = school_class.today()
    over = CheckUpFactory.create(
        school_class=school_class, opens_on=today - timedelta(9), closes_on=today - timedelta(2)
    )
    coming = CheckUpFactory.create(school_class=school_class, opens_on=today + timedelta(9))
    for check_up in (over, coming):
        services.reopen(check_up)
    assert services.open_check_ups(dora) == [over, coming]


def test_giving_a_check_up_can_be_undone_until_a_child_has_begun(
    dora: Child, school_class: SchoolClass, check_up: CheckUp, doras_run: ChildCheckUp
) -> None:
    assert not services.withdraw(check_up)
    check_up.refresh_from_db()
    assert check_up.closed_at
    assert services.withdraw(CheckUpFactory.create(school_class=school_class))
    assert list(school_class.check_ups.all()) == [check_up]


def test_a_class_has_a_limited_number_of_check_ups_a_year(
    school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_CHECK_UPS", 2)
    old, _ = (CheckUpFactory.create(school_class=school_class) for _ in range(2))
    with pytest.raises(bounds.LimitReached, match="2 check-ups"):
        services.give(school_class, [7])
    CheckUp.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=366))
    assert services.give(school_class, [7]).number == 2
    assert services.give(SchoolClassFactory.create(), [7]).number == 0


def test_of_two_sittings_the_one_with_more_answers_stays(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    more, fewer, alone = (CheckUpFactory.create(school_class=school_class) for _ in range(3))
    for check_up, of_dora, of_emil in ((more, 3, 1), (fewer, 1, 2), (alone, 1, 0)):
        for child, count in ((dora, of_dora), (emil, of_emil)):
            if count:
                own = services.begin(child, check_up, has_script=True)
                answer_all(own, until=count)
    merge(dora, emil, None)
    sittings = ChildCheckUp.objects.filter(child=emil).order_by("check_up__number")
    assert [(sitting.check_up, sitting.done) for sitting in sittings] == [
        (more, 3),
        (fewer, 2),
        (alone, 1),
    ]
    assert CheckUpAnswer.objects.filter(child_check_up__in=sittings).count() == 6


# Growth


TABLES = [3, 4, 6, 7, 8, 9]
Pair = tuple[CheckUpScore, CheckUpScore]


def score_of(right: int, of: int = QUESTIONS) -> CheckUpScore:
    return CheckUpScore(right, of)


@for_each(range(QUESTIONS + 1))
def test_the_interval_of_a_score_is_wilsons(right: int) -> None:
    expected = scipy.stats.binomtest(right, QUESTIONS).proportion_ci(method="wilson")
    limits = interval(score_of(right))
    assert (limits.lower, limits.upper) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """Newcombe's own example: 56 of 70 against 48 of 80 (1998, method 10)."""
    limits = difference(score_of(48, 80), score_of(56, 70))
    assert (round(limits.lower, 4), round(limits.upper, 4)) == (0.0524, 0.3339)


@pytest.mark.parametrize(("before", "after"), [(10, 20), (20, 10), (0, 25), (12, 12), (25, 25)])
def test_the_chance_of_a_difference_is_fishers_mid_p(before: int, after: int) -> None:
    whole = np.array([[after, QUESTIONS - after], [before, QUESTIONS - before]])
    at_least = scipy.stats.fisher_exact(whole, "greater").pvalue
    at_most = scipy.stats.fisher_exact(whole, "less").pvalue
    here = at_least + at_most - 1
    expected = min(1, 2 * (min(at_least, at_most) - here / 2))
    assert p_value(score_of(before), score_of(after)) == pytest.approx(expected, abs=1e-9)


def test_large_changes_are_growth_and_small_ones_may_be_chance() -> None:
    much, little, less = child_growths(
        [(score_of(6), score_of(22)), (score_of(12), score_of(16)), (score_of(22), score_of(6))]
    )
    assert (much.direction, little.direction, less.direction) == ("more", "open", "fewer")
    assert much.interval.lower > 0 > little.interval.lower
    assert less.interval.upper < 0


def test_equal_changes_still_have_an_interval() -> None:
    growth = class_growth([(score_of(12), score_of(13))] * 6)
    assert growth.direction == "open"
    assert growth.interval.lower < 0 < growth.interval.upper


def chances_of(random: Random) -> dict[tuple[int, int], float]:
    """The chance of each fact for one child, who is better at some facts than at others."""
    able = random.gauss(0.6, 0.2)
    return {
        fact_of(table, factor): min(max(random.gauss(able, 0.25), 0.02), 0.98)
        for table in range(2, 13)
        for factor in range(2, 13)
    }


def score(
    random: Random, chances: dict[tuple[int, int], float], child: str, nth: int
) -> CheckUpScore:
    questions = check_up_questions(TABLES, child, nth)
    return score_of(sum(random.random() < chances[fact_of(*pair)] for pair in questions))


def scores_without_change(random: Random, children: int = 24) -> list[Pair]:
    pairs = []
    for child in range(children):
        chances, seed = chances_of(random), f"{random.random()} {child}"
        pairs.append((score(random, chances, seed, 0), score(random, chances, seed, 1)))
    return pairs


@pytest.mark.parametrize("seed", range(times(1, 5)))
def test_an_unchanged_class_is_almost_never_said_to_have_changed(seed: int) -> None:
    """In classes of 24 this happens to at most one child in twenty, and to at most one class in
    twenty."""
    random, classes = Random(seed), times(20, 200)
    children = whole = 0
    for _ in range(classes):
        pairs = scores_without_change(random)
        children += any(growth.direction != "open" for growth in child_growths(pairs))
        of_class = class_growth(pairs)
        whole += of_class.direction != "open"
    print(f"seed {seed}: {children} and {whole} of {classes} classes")
    assert children <= 0.05 * classes
    assert whole <= 0.08 * classes  # 5 % are 10; 16 or more come by chance in 4 % of the runs.


def scores_with_growth(random: Random, by: float, children: int = 24) -> list[Pair]:
    """Scores of children before and after their chance at each fact has grown by this much."""
    pairs = []
    for child in range(children):
        chances, seed = chances_of(random), f"{random.random()} {child}"
        grown = {fact: min(chance + by, 0.98) for fact, chance in chances.items()}
        pairs.append((score(random, chances, seed, 0), score(random, grown, seed, 1)))
    return pairs


@pytest.mark.parametrize(
    ("by", "least_children", "least_classes"), [(0.1, 0, 0.7), (0.2, 0.02, 1), (0.3, 0.15, 1)]
)
def test_growth_of_a_class_is_found_and_of_a_child_if_large(
    by: float, least_children: float, least_classes: float
) -> None:
    """A child's growth shows in 25 questions only if it is large. A class has many more answers."""
    random, classes = Random(1), times(20, 200)
    children = whole = 0
    grown = 0.0
    for _ in range(classes):
        pairs = scores_with_growth(random, by)
        grown += sum(after.share - before.share for before, after in pairs) / len(pairs)
        children += sum(growth.direction == "more" for growth in child_growths(pairs))
        of_class = class_growth(pairs)
        whole += of_class is not None and of_class.direction == "more"
    print(
        f"by {grown / classes:.2f}: {children / classes:.1f} of 24 children, {whole} of {classes}"
    )
    assert children >= least_children * 24 * classes
    assert whole >= least_classes * classes
