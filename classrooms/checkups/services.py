"""Gives and closes check-ups, and stores a child's answers one by one."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, Value
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classrooms.access import Adult, classes_of
from classrooms.bounds import ensure_room_for_check_up
from classrooms.checkups.models import CheckUp, CheckUpAnswer, ChildCheckUp
from classrooms.locks import Changed, lock
from classrooms.models import Child, SchoolClass
from games.coach.questions.check_up_questions import check_up_questions, is_in_time

# The gates to check-ups, as in `classrooms.access`: yours, or 404.


def check_up_for(user: Adult, class_id: UUID, check_up_id: UUID) -> CheckUp:
    """A check-up of one of this adult's classes, with its class; 404 if there is none."""
    check_ups = CheckUp.objects.select_related("school_class").filter(school_class=class_id)
    return get_object_or_404(check_ups, pk=check_up_id, school_class__in=classes_of(user))


def check_up_for_child(child: Child, check_up_id: UUID) -> CheckUp:
    """A check-up of the child's class, even if it is over; 404 if there is none."""
    return get_object_or_404(CheckUp, pk=check_up_id, school_class=child.school_class_id)


MOST_SHOWN: Final = 3
"""How often a timed question is shown at most. It is shown again if its answer came too late."""


def give(
    school_class: SchoolClass,
    tables: Collection[int],
    *,
    timed: bool = False,
    term: str = "",
    opens_on: date | None = None,
    closes_on: date | None = None,
) -> CheckUp:
    """Give the class a check-up. Raises `bounds.LimitReached`."""
    with lock(school_class) as (school_class,):
        ensure_room_for_check_up(school_class)
        last = school_class.check_ups.aggregate(last=Max("number"))["last"]
        return CheckUp.objects.create(
            school_class=school_class,
            number=0 if last is None else last + 1,
            tables=sorted(set(tables)),
            timed=timed,
            term=term,
            opens_on=opens_on or school_class.today(),
            closes_on=closes_on,
        )


def close(check_up: CheckUp) -> None:
    """Close a check-up. The children no longer see it; their answers stay."""
    CheckUp.objects.filter(pk=check_up.pk, closed_at=None).update(closed_at=timezone.now())


def reopen(check_up: CheckUp) -> None:
    """Open a check-up again, even before its first day or after its last."""
    today = check_up.school_class.today()
    last = check_up.closes_on
    CheckUp.objects.filter(pk=check_up.pk).update(
        closed_at=None,
        closes_on=None if last is not None and last < today else last,
        opens_on=min(check_up.opens_on, today),
    )


def is_begun(check_up: CheckUp) -> bool:
    """Whether any child has begun the check-up, even a child who has left the class."""
    return ChildCheckUp.objects.filter(check_up=check_up).exists()


def withdraw(check_up: CheckUp) -> bool:
    """Take a check-up back. If a child has begun it, it is only closed, and the result is False.
    Raises `Changed` if it is gone already."""
    with lock(check_up.school_class):
        if not CheckUp.objects.select_for_update().filter(pk=check_up.pk):
            raise Changed
        if is_begun(check_up):
            close(check_up)
            return False
        CheckUp.objects.filter(pk=check_up.pk).delete()
    return True


def open_check_ups(child: Child) -> list[Any]:
    """The open check-ups that the child has not finished, oldest first. Each has the number of
    questions `done`, None if the child has not begun it, and whether it `is_timed` for the
    child."""
    today = child.school_class.today()
    begun = ChildCheckUp.objects.filter(check_up=OuterRef("pk"), child=child)
    given = CheckUp.objects.filter(
        Q(closes_on=None) | Q(closes_on__gte=today),
        ~Exists(begun.exclude(finished_at=None)),
        school_class=child.school_class_id,
        closed_at=None,
        opens_on__lte=today,
    )
    is_timed = Value(False) if child.is_untimed else F("timed")
    rows = given.annotate(
        done=begun.values("done")[:1], is_timed=Coalesce(begun.values("timed")[:1], is_timed)
    )
    return list(rows.order_by("number"))


def begin(child: Child, check_up: CheckUp, *, has_script: bool) -> ChildCheckUp:
    """Begin a check-up for a child, or return the one that they have begun. A page without scripts
    cannot be timed."""
    questions = check_up_questions(
        check_up.tables, f"{check_up.school_class_id} {child.pk}", check_up.number
    )
    child_check_up, _ = ChildCheckUp.objects.get_or_create(
        child=child,
        check_up=check_up,
        defaults={
            "questions": questions,
            "timed": check_up.timed and has_script and not child.is_untimed,
        },
    )
    return child_check_up


def start_clock(child_check_up: ChildCheckUp) -> None:
    """Start timing the child's current question, which is about to be shown, perhaps again."""
    ChildCheckUp.objects.filter(pk=child_check_up.pk, done=child_check_up.done).update(
        asked_at=timezone.now(), shown=F("shown") + 1
    )


def drop_time_limit(child_check_up: ChildCheckUp) -> None:
    """Remove the time limit from the rest of this child's check-up."""
    ChildCheckUp.objects.filter(pk=child_check_up.pk).update(timed=False)


def answer(child_check_up: ChildCheckUp, number: int, answer: int | None, ms: int | None) -> bool:
    """Store the answer to question `number`: None if the child typed nothing in time. `ms` is the
    time that the page measured.

    Returns False if nothing is stored, because a second tap or another page has answered the
    question already, because an answer without a time limit is missing, or because the answer came
    too late and the question is asked again.
    """
    now = timezone.now()
    with transaction.atomic():
        locked = ChildCheckUp.objects.select_for_update().get(pk=child_check_up.pk)
        if locked.done != number or locked.finished_at is not None:
            return False
        if locked.timed and ms is None:  # The page's script no longer measures.
            locked.timed = False
        is_stored = _is_answered(locked, answer, ms, now)
        if is_stored:
            _store(locked, answer, ms if locked.timed else None, now)
        locked.save()
    return is_stored


def pass_question(child_check_up: ChildCheckUp, number: int) -> bool:
    """Store that the child does not know the answer to question `number`. Returns False if nothing
    is stored, because there is a time limit or the question is answered already."""
    with transaction.atomic():
        locked = ChildCheckUp.objects.select_for_update().get(pk=child_check_up.pk)
        if locked.timed or locked.done != number or locked.finished_at is not None:
            return False
        _store(locked, None, None, timezone.now())
        locked.save()
    return True


def _is_answered(
    child_check_up: ChildCheckUp, answer: int | None, ms: int | None, now: datetime
) -> bool:
    if not child_check_up.timed:
        return answer is not None
    return child_check_up.shown >= MOST_SHOWN or is_in_time(ms, _since_shown(child_check_up, now))


def _since_shown(child_check_up: ChildCheckUp, now: datetime) -> int:
    return (now - (child_check_up.asked_at or now)) // timedelta(milliseconds=1)


def _store(child_check_up: ChildCheckUp, answer: int | None, ms: int | None, now: datetime) -> None:
    first, second = child_check_up.questions[child_check_up.done]
    was_in_time = not child_check_up.timed or is_in_time(ms, _since_shown(child_check_up, now))
    CheckUpAnswer.objects.create(
        child_check_up=child_check_up,
        number=child_check_up.done,
        first=first,
        second=second,
        answer=answer,
        right=answer == first * second and was_in_time,
        ms=ms,
        shown=max(child_check_up.shown, 1),
        answered_at=now,
    )
    child_check_up.done += 1
    child_check_up.asked_at = None
    child_check_up.shown = 0
    if child_check_up.done == len(child_check_up.questions):
        child_check_up.finished_at = now
