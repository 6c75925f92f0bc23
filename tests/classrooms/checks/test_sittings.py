from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.checks import services
from classrooms.checks.models import Check, Sitting, Typed
from classrooms.models import Assignment, Attempt, Child
from games.coach.questions.recall import recall_after
from games.coach.questions.short_questions import MOST_QUESTIONS, Question
from tests.classrooms.checks.rounds import only_check, round_over, sitting_with
from tests.classrooms.progress.figures.test_child_figures import row_of
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db

SIX_TIMES_SEVEN = ("fact", (6, 7))
ROW = ("table", (12, 16, 20))


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def assignment(dora: Child) -> Assignment:
    return AssignmentFactory.create(school_class=dora.school_class)


@pytest.fixture
def attempt(dora: Child, assignment: Assignment) -> Attempt:
    return round_over(dora, assignment)


def seen_for(sitting: Sitting, ms: int) -> None:
    """Make the current question's time on the screen this long."""
    services.show(sitting)
    at = timezone.now() - timedelta(milliseconds=ms)
    Sitting.objects.filter(pk=sitting.pk).update(asked_at=at)


def reply(sitting: Sitting, answer: int, ms: int | None = None, number: int = 0) -> bool:
    """Whether the answer was stored."""
    attempt = Attempt.objects.get(game=sitting.game)
    taken = services.answer(attempt, attempt.child, sitting, number=number, answer=answer, ms=ms)
    return taken is not None


def test_questions_are_offered_when_a_round_is_over(attempt: Attempt, dora: Child) -> None:
    assert services.is_wanted(attempt, dora)
    sitting = services.sitting_of(attempt, dora)
    assert sitting is not None
    assert 1 <= len(sitting.questions) <= MOST_QUESTIONS
    assert services.sitting_of(attempt, dora) == sitting


def test_who_skips_is_not_asked_again_after_this_round(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    services.skip(sitting)
    assert not services.is_wanted(attempt, dora)
    assert not reply(sitting, 42)
    assert not Check.objects.exists()
    attempt.game.round += 1
    assert services.is_wanted(attempt, dora)


def test_an_answer_is_kept_with_all_that_progress_reads(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    Typed.objects.create(child=dora, digits=2, ms=1000)
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    seen_for(sitting, 3500)
    assert reply(sitting, 42, ms=3300)
    check = only_check()
    assert (check.child, check.assignment) == (dora, assignment)
    assert check.school_class == dora.school_class
    assert (check.kind, check.first, check.second, check.answer) == ("fact", 6, 7, 42)
    assert (check.right, check.ms, check.net_ms, check.how) == (True, 3300, 2300, "recalled")
    assert check.day == dora.school_class.today()
    assert check.asked_at < check.answered_at


def test_a_time_longer_than_the_servers_own_is_not_kept(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    seen_for(sitting, 1000)
    reply(sitting, 42, ms=60_000)
    assert (only_check().ms, only_check().net_ms, only_check().how) == (None, None, "derived")


def test_without_a_known_typing_time_there_is_no_net_time(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    seen_for(sitting, 4000)
    reply(sitting, 42, ms=3000)
    assert (only_check().ms, only_check().net_ms) == (3000, None)


def test_typing_counts_as_no_answer_but_as_typing_time(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, ("typing", (36,)))
    seen_for(sitting, 2000)
    assert reply(sitting, 36, ms=1400)
    assert not Check.objects.exists()
    assert Typed.objects.values_list("child", "digits", "ms").get() == (dora.pk, 2, 1400)


def test_an_answer_sent_twice_is_taken_down_once(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, ROW)
    assert reply(sitting, 42)
    assert not reply(sitting, 42)
    assert Check.objects.count() == 1


def test_help_belongs_to_the_question_it_was_asked_with(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, SIX_TIMES_SEVEN)
    services.help_with(sitting, 0)
    reply(sitting, 42, number=0)
    reply(sitting, 42, number=1)
    assert [check.how for check in Check.objects.all()] == ["hinted", "derived"]


def kinds(sitting: Sitting | None) -> list[str]:
    assert sitting is not None
    return [kind for kind, *_ in sitting.questions]


def asked_facts(sitting: Sitting) -> dict[tuple[int, ...], bool]:
    """The facts in the order in which they are asked, and whether each is of earlier tables."""
    return {
        tuple(sorted(numbers)): is_earlier
        for kind, numbers, is_earlier in sitting.questions
        if kind == "fact"
    }


def typing_known(child: Child) -> None:
    for digits in (1, 2):
        Typed.objects.bulk_create(Typed(child=child, digits=digits, ms=900) for _ in range(2))


def answered_before(
    child: Child, game: Attempt, *facts: tuple[int, int], days: int = 60
) -> list[Check]:
    """Each fact was recalled three times, the last time this many days ago."""
    sitting = sitting_with(game)
    today = child.school_class.today()
    return Check.objects.bulk_create(
        Check(
            sitting=sitting,
            number=4 * number + place,
            child=child,
            school_class=child.school_class,
            assignment=game.assignment,
            kind="fact",
            first=fact[0],
            second=fact[1],
            answer=fact[0] * fact[1],
            right=True,
            net_ms=2000,
            how="recalled",
            asked_at=timezone.now() - timedelta(days=days + 3 * place),
            answered_at=timezone.now() - timedelta(days=days + 3 * place),
            day=today - timedelta(days=days + 3 * place),
        )
        for number, fact in enumerate(facts)
        for place in range(3)
    )


def test_a_childs_first_set_measures_their_typing(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    first = services.sitting_of(attempt, dora)
    assert kinds(first)[:3] == ["typing", "typing", "fact"]
    Sitting.objects.update(done=MOST_QUESTIONS, closed_at=timezone.now())
    second = services.sitting_of(round_over(dora, assignment), dora)
    assert kinds(second).count("typing") == 1


def test_typing_that_was_measured_is_not_asked_again(attempt: Attempt, dora: Child) -> None:
    typing_known(dora)
    sitting = services.sitting_of(attempt, dora)
    assert sitting is not None
    assert len(sitting.questions) == MOST_QUESTIONS
    assert "typing" not in kinds(sitting)


def test_due_facts_of_tables_assigned_before_are_asked_and_no_others(dora: Child) -> None:
    typing_known(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    fives = AssignmentFactory.create(school_class=dora.school_class, focus=[5])
    played = round_over(dora, sevens)
    answered_before(dora, played, (7, 8), (6, 7), (8, 9))
    sitting = services.sitting_of(round_over(dora, fives), dora)
    assert sitting is not None
    asked = asked_facts(sitting)
    assert {(7, 8), (6, 7)} <= asked.keys()
    assert (8, 9) not in asked
    assert all(5 in fact or 7 in fact for fact in asked)
    assert all(is_earlier == (5 not in fact) for fact, is_earlier in asked.items())
    shown = [services.question_of(Sitting(questions=[one])).earlier for one in sitting.questions]
    assert shown == [is_earlier for _, _, is_earlier in sitting.questions]


def test_a_question_stored_before_earlier_tables_were_marked_can_be_asked(
    attempt: Attempt,
) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    assert services.question_of(sitting) == Question("fact", (6, 7))


@pytest.mark.parametrize("outcome", ["missed", "with a hint"])
def test_the_facts_of_a_row_that_was_missed_or_hinted_are_asked_on_a_later_day(
    dora: Child, outcome: str
) -> None:
    typing_known(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    played = round_over(dora, sevens)
    answered_before(dora, played, *((times, 7) for times in range(2, 11)), days=3)
    row_of(dora, [14, 21, 28], outcome, ago=1)
    sitting = services.sitting_of(round_over(dora, sevens), dora)
    assert sitting is not None
    assert {(2, 7), (3, 7), (4, 7)} <= asked_facts(sitting).keys()


def test_what_was_right_with_help_is_due_sooner_than_what_was_recalled(dora: Child) -> None:
    typing_known(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    facts = [(n, 7) for n in (2, 3, 4, 5, 6, 7)]
    answered = answered_before(dora, round_over(dora, sevens), *facts, days=3)
    helped = [check.pk for check in answered if check.first in (3, 5)]
    Check.objects.filter(pk__in=helped).update(how="hinted")
    facts_known = recall_after(services._answers_before(dora)).facts
    due = {fact: known.memory.due for fact, known in facts_known.items()}
    assert max(due[3, 7], due[5, 7]) < min(due[fact] for fact in facts if fact[0] not in (3, 5))


def test_for_a_child_without_time_none_is_measured(attempt: Attempt, dora: Child) -> None:
    Child.objects.update(untimed=True)
    dora.refresh_from_db()
    chosen = services.sitting_of(attempt, dora)
    assert chosen is not None
    assert "typing" not in kinds(chosen)
    Sitting.objects.all().delete()
    Typed.objects.create(child=dora, digits=2, ms=1000)
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    seen_for(sitting, 4000)
    reply(sitting, 42, ms=3000)
    assert (only_check().ms, only_check().net_ms, only_check().right) == (None, None, True)
    assert not only_check().timed
