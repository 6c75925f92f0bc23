from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.checks import sittings
from classrooms.checks.models import Check, Sitting, Typed
from classrooms.models import Assignment, Attempt, Child
from games.coach.quiz import MOST
from tests.classrooms.checks.rounds import only_check, round_over, sitting_with
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
    sittings.show(sitting)
    at = timezone.now() - timedelta(milliseconds=ms)
    Sitting.objects.filter(pk=sitting.pk).update(asked_at=at)


def reply(sitting: Sitting, answer: int, ms: int | None = None, number: int = 0) -> bool:
    """Whether the answer was stored."""
    attempt = Attempt.objects.get(game=sitting.game)
    taken = sittings.answer(attempt, attempt.child, sitting, number=number, answer=answer, ms=ms)
    return taken is not None


def test_questions_are_offered_when_a_round_is_over(attempt: Attempt, dora: Child) -> None:
    assert sittings.is_wanted(attempt, dora)
    sitting = sittings.sitting_of(attempt, dora)
    assert sitting is not None
    assert 1 <= len(sitting.questions) <= MOST
    assert sittings.sitting_of(attempt, dora) == sitting


def test_while_a_round_is_played_nothing_is_asked(dora: Child, assignment: Assignment) -> None:
    attempt = round_over(dora, assignment, phase="play")
    assert not sittings.is_wanted(attempt, dora)
    assert sittings.sitting_of(attempt, dora) is None


@pytest.mark.parametrize("off", ["child", "assignment"])
def test_checks_can_be_switched_off(attempt: Attempt, dora: Child, off: str) -> None:
    if off == "child":
        dora.checks = False
    else:
        attempt.assignment.checks = False
    assert not sittings.is_wanted(attempt, dora)
    assert sittings.sitting_of(attempt, dora) is None


def test_who_skips_is_not_asked_again_after_this_round(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    sittings.skip(sitting)
    assert not sittings.is_wanted(attempt, dora)
    assert not reply(sitting, 42)
    assert not Check.objects.exists()
    attempt.game.round += 1
    assert sittings.is_wanted(attempt, dora)


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


def test_of_a_row_two_is_right_as_well_as_four(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, ROW, ROW, ROW)
    for number, answer in enumerate((4, 2, 3)):
        reply(sitting, answer, number=number)
    assert [check.right for check in Check.objects.all()] == [True, True, False]
    check = Check.objects.all()[0]
    assert (check.kind, check.numbers, check.step, check.first) == ("table", [12, 16, 20], 4, None)


def test_an_answer_sent_twice_is_taken_down_once(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, ROW)
    assert reply(sitting, 42)
    assert not reply(sitting, 42)
    assert Check.objects.count() == 1


def test_after_the_last_answer_the_sitting_is_closed(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    reply(sitting, 41)
    assert sitting.closed_at is not None
    assert only_check().how == "guessed"
    assert not sittings.is_wanted(attempt, dora)


def test_help_belongs_to_the_question_it_was_asked_with(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, SIX_TIMES_SEVEN)
    sittings.help_with(sitting, 0)
    reply(sitting, 42, number=0)
    reply(sitting, 42, number=1)
    assert [check.how for check in Check.objects.all()] == ["hinted", "derived"]


def test_a_page_shown_again_is_not_timed(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    assert sittings.show(sitting)
    assert not sittings.show(sitting)
    assert not sittings.show(Sitting.objects.get())


def test_what_is_chosen_follows_from_what_was_answered(attempt: Attempt, dora: Child) -> None:
    for digits in (1, 2):
        Typed.objects.bulk_create(Typed(child=dora, digits=digits, ms=900) for _ in range(3))
    sitting = sittings.sitting_of(attempt, dora)
    assert sitting is not None
    assert len(sitting.questions) == MOST
    assert "typing" not in {kind for kind, _ in sitting.questions}


def test_for_a_child_without_time_none_is_measured(attempt: Attempt, dora: Child) -> None:
    Child.objects.update(untimed=True)
    dora.refresh_from_db()
    chosen = sittings.sitting_of(attempt, dora)
    assert chosen is not None
    assert "typing" not in {kind for kind, _ in chosen.questions}
    Sitting.objects.all().delete()
    Typed.objects.create(child=dora, digits=2, ms=1000)
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    seen_for(sitting, 4000)
    reply(sitting, 42, ms=3000)
    assert (only_check().ms, only_check().net_ms, only_check().right) == (None, None, True)
