from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.lesson.game_hooks import SchoolAdviser
from classrooms.models import Child
from classrooms.progress.child_figures import secure_facts
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.progress.answering import answer

pytestmark = pytest.mark.django_db


def days_ago(days: int) -> dict[str, object]:
    return {"at": timezone.now() - timedelta(days=days)}


def test_a_fact_is_derived_from_when_it_was_right_on_two_of_the_last_days(dora: Child) -> None:
    for days in (3, 2):
        answer(dora, 7, 6, **days_ago(days))  # type: ignore[arg-type]
    look_for_dirty()
    assert secure_facts(dora) == frozenset()
    answer(dora, 6, 7, **days_ago(1))  # type: ignore[arg-type]
    answer(dora, 6, 8, right=False, **days_ago(1))  # type: ignore[arg-type]
    look_for_dirty()
    assert secure_facts(dora) == {(6, 7)}
    assert SchoolAdviser().secure_facts(dora.player) == {(6, 7)}


def test_what_needs_refreshing_is_not_derived_from(dora: Child) -> None:
    for days in (1003, 1002, 1001):
        answer(dora, 7, 6, **days_ago(days))  # type: ignore[arg-type]
    look_for_dirty()
    assert secure_facts(dora) == frozenset()
