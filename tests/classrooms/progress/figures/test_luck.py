"""Luck and skill: which rows were possible, and which were found."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.class_figures import luck_and_skill
from classrooms.progress.models import ChildAssignment
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.people import client_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

QUERIES = 3


def played(child: Child, task: Assignment, *, turns: int, found: int, missed: int = 0) -> None:
    ChildAssignment.objects.create(
        child=child,
        assignment=task,
        turns=turns,
        at_once=found,
        missed=missed,
        last_at=timezone.now(),
    )


def test_the_cards_are_luck_and_the_share_found_is_skill(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    played(dora, assignment, turns=200, found=80, missed=20)
    played(emil, assignment, turns=400, found=200, missed=200)
    hers, his = luck_and_skill(dora), luck_and_skill(emil)
    assert (hers.cards.own, hers.cards.usual, hers.cards_verdict) == (100, 200, "fewer")
    assert (hers.finds.own, hers.finds.usual, hers.finds_verdict) == (80, 50, "more")
    assert (his.cards.own, his.cards.usual, his.cards_verdict) == (400, 200, "more")
    assert (his.finds.own, his.finds.usual, his.finds_verdict) == (200, 320, "fewer")
    assert (his.finds.of, his.finds.others) == (400, 100)


def test_each_game_is_compared_with_the_same_game(
    dora: Child, emil: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    hard = AssignmentFactory.create(school_class=school_class, options={"tables": [7, 8]})
    played(dora, hard, turns=20, found=2, missed=8)
    played(emil, hard, turns=20, found=2, missed=8)
    played(emil, assignment, turns=20, found=30)
    luck = luck_and_skill(dora)
    assert (luck.cards_verdict, luck.finds_verdict) == ("as many", "as many")
    assert luck_and_skill(emil).turns == 20


def test_of_few_chances_nothing_is_said(dora: Child, emil: Child, assignment: Assignment) -> None:
    played(dora, assignment, turns=10, found=3, missed=1)
    played(emil, assignment, turns=10, found=2, missed=4)
    luck = luck_and_skill(dora)
    assert (luck.cards.own, luck.cards.usual, luck.cards_verdict) == (4, 6, "as many")
    assert (luck.finds.own, luck.finds.of, luck.finds_verdict) == (3, 4, "as many")


@pytest.mark.parametrize(("turns", "found"), [(9, 5), (30, 2)])
def test_of_few_turns_or_under_three_rows_nothing_is_shown(
    dora: Child, assignment: Assignment, turns: int, found: int
) -> None:
    played(dora, assignment, turns=turns, found=found)
    assert not luck_and_skill(dora).is_shown


def test_without_others_there_is_nothing_to_compare_with(
    dora: Child, assignment: Assignment
) -> None:
    played(dora, assignment, turns=20, found=8)
    luck = luck_and_skill(dora)
    assert luck.is_shown
    assert not luck.is_compared


def test_one_child_who_never_lays_a_row_moves_nobody_elses_usual(
    dora: Child, emil: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    for child in (dora, emil, *ChildFactory.create_batch(3, school_class=school_class)):
        played(child, assignment, turns=100, found=30, missed=10)
    before = luck_and_skill(dora)
    never = ChildFactory.create(school_class=school_class)
    played(never, assignment, turns=100, found=0, missed=60)
    after = luck_and_skill(dora)
    assert (before.finds.usual, after.finds.usual) == (30, 30)
    assert after.finds_verdict == "as many"
    assert luck_and_skill(never).finds_verdict == "fewer"


def test_a_class_elsewhere_is_not_compared_with(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    finn = ChildFactory.create(name="Finn")
    theirs = AssignmentFactory.create(school_class=finn.school_class)
    for child in (dora, emil):
        played(child, assignment, turns=20, found=8)
    for child in (dora, finn):
        played(child, theirs, turns=20, found=20)
    assert luck_and_skill(dora).chances.chances == 8


def test_the_rounds_won_are_those_of_its_own_seat(dora: Child, assignment: Assignment) -> None:
    hand = begin_with_a_row(dora, assignment)
    hand.play_round()
    luck = luck_and_skill(dora)
    winner = hand.look().game.round_winners[0]
    seat = hand.look().game.seats.get(player=dora.player).number
    assert (luck.won, luck.rounds) == (int(winner == seat), 1)


def test_a_teacher_reads_it_on_the_page_of_the_child(
    alice: User, dora: Child, emil: Child, assignment: Assignment
) -> None:
    begin_with_a_row(dora, assignment).play_round()
    look_for_dirty()
    ChildAssignment.objects.all().delete()
    played(dora, assignment, turns=20, found=8, missed=2)
    played(emil, assignment, turns=40, found=20, missed=20)
    page = client_of(alice).get(
        reverse("classrooms:progress", args=[dora.school_class_id, dora.pk])
    )
    words = " ".join(page.text.split())
    assert "In 20 turns, the cards gave Dora 10 possible rows." in words
    assert (
        "the rest of the class would have about 20. The difference may be down to chance." in words
    )
    assert "Dora found 8 of 10 possible rows without help; " in words
    assert "of 10 rows like these, the others find about 5." in words


def test_it_takes_the_same_few_queries_for_any_class(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    for child in (dora, *ChildFactory.create_batch(5, school_class=school_class)):
        for task in (assignment, AssignmentFactory.create(school_class=school_class)):
            played(child, task, turns=20, found=8)
    with CaptureQueriesContext(connection) as queries:
        assert luck_and_skill(dora).is_shown
    assert len(queries) == QUERIES


def test_a_child_whose_chances_are_being_counted_again_is_compared_with_nobody(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    """After an upgrade its turns are there, and none of its chances."""
    played(dora, assignment, turns=200, found=80, missed=20)
    played(emil, assignment, turns=400, found=0)
    assert luck_and_skill(dora).cards_verdict == "more"
    mark_for_rebuild([emil.pk])
    hers, his = luck_and_skill(dora), luck_and_skill(emil)
    assert not hers.is_compared
    assert (his.offers, his.is_compared, his.is_shown) == ([], False, False)
