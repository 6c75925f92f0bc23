"""The tables that a child named of its own rows: shown to its teacher, and no evidence of more."""

import pytest
from django.urls import reverse

from classrooms.checks.models import Check
from classrooms.models import Child, User
from classrooms.progress.child_figures import naming_of
from classrooms.progress.models import FactMastery, TableMastery
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import answer

pytestmark = pytest.mark.django_db


def named(child: Child, step: int, answered: int) -> None:
    """An answer to which table the third to fifth fact of a table are in."""
    check = answer(child, step, step)
    check.kind = Check.Kind.TABLE
    check.first = check.second = None
    check.numbers, check.step = [step * times for times in (3, 4, 5)], step
    check.answer, check.right = answered, step % answered == 0
    check.save()


def test_a_table_that_all_numbers_are_in_is_right(dora: Child, emil: Child) -> None:
    for step, answered in ((4, 4), (4, 2), (6, 4)):
        named(dora, step, answered)
    named(emil, 7, 7)
    naming = naming_of(dora, None)
    assert (naming.right, naming.asked, naming.is_shown) == (2, 3, True)
    assert naming.latest[0].answer == 4
    assert not naming_of(emil, None).is_shown


def test_to_name_a_table_is_no_evidence_of_spotting_or_of_recall(dora: Child) -> None:
    for _ in range(3):
        named(dora, 7, 7)
    look_for_dirty()
    assert not TableMastery.objects.exists()
    assert not FactMastery.objects.exists()


def test_its_teacher_reads_it_on_the_page_of_the_child(alice: User, dora: Child) -> None:
    for step, answered in ((4, 4), (7, 8), (6, 3)):
        named(dora, step, answered)
    answer(dora, 6, 7)
    look_for_dirty()
    url = reverse("classrooms:progress", args=[dora.school_class_id, dora.pk])
    words = " ".join(client_of(alice).get(url).text.split())
    assert "Named the times table of their own row: 2 of 3 right" in words
    assert "21-28-35: answered 8 times table, but it is in the 7 times table" in words
    assert "18-24-30: 3 times table, right" in words
