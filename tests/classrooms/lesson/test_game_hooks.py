"""What a child reads after a round: their own best, pieces of the picture, what comes next."""

from datetime import timedelta
from typing import cast
from uuid import uuid4

import pytest
from django.utils import timezone

from classrooms.collection.pieces import PIECES, Picture
from classrooms.lesson.game_hooks import SchoolHost
from classrooms.models import Assignment, Attempt, Child, GameTable
from classrooms.progress.models import TableDay
from classrooms.progress.rebuild import mark_for_rebuild
from games.play.hooks import AfterRound
from games.play.round_story import RoundStory
from tests.factories import ChanceFactory, ChildFactory, found_before

pytestmark = pytest.mark.django_db


def words_after(attempt: Attempt, rows: int = 2) -> AfterRound:
    player = attempt.child.player
    return SchoolHost().after_round(attempt.game, player, RoundStory([()] * rows))


def week(child: Child, days_ago: int, found: int) -> None:
    school_class = child.school_class
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    TableDay.objects.create(
        child=child,
        school_class=school_class,
        table=2,
        day=monday - timedelta(days=days_ago),
        at_once=found,
        hinted=1,
        last_at=timezone.now(),
    )


def test_a_first_round_has_no_best_to_compare_with(attempt: Attempt) -> None:
    found_before(attempt, 3, in_round=attempt.game.round)
    assert words_after(attempt).best == ""


def test_a_round_is_compared_with_the_childs_own_best(attempt: Attempt) -> None:
    found_before(attempt, 3)
    assert words_after(attempt, 4).best == (
        "4 new or longer rows: your most in one round! It was 3."
    )
    assert words_after(attempt, 3).best == ""


def test_at_a_table_a_child_reads_what_of_their_own_to_beat(attempt: Attempt) -> None:
    GameTable.objects.create(
        assignment=attempt.assignment, game=attempt.game, opened_at=timezone.now()
    )
    found_before(attempt, 3)
    to_beat = "Your record: 3 new or longer rows in one round. Can you beat it?"
    assert [words_after(attempt, rows).best == to_beat for rows in (0, 3, 4)] == [True, True, False]
    for number in (1, 2):
        ChanceFactory.create(attempt=attempt, round=10, entry=number, at=timezone.now())
    assert words_after(attempt, 3).best == "3 new or longer rows: 1 more than last time!"


def pictures(after_round: AfterRound) -> list[tuple[int, int, bool]]:
    """The pieces of each picture that grew, the new ones, and whether it is complete."""
    drawings = [cast(Picture, piece.drawing) for piece in after_round.grown]
    return [(picture.pieces, picture.new, picture.is_whole) for picture in drawings]


def test_rows_uncover_a_piece_of_the_class_picture(attempt: Attempt, dora: Child) -> None:
    emil = ChildFactory.create(school_class=dora.school_class, name="Emil")
    for child in (dora, emil, ChildFactory.create(name="Finn")):
        week(child, 0, 10)
        week(child, 7, 30)
    assert pictures(words_after(attempt, 3)) == [(6, 1, False)]
    assert pictures(words_after(attempt, 2)) == []


def test_all_at_a_table_see_the_same_picture_of_the_class(attempt: Attempt, dora: Child) -> None:
    emil = ChildFactory.create(school_class=dora.school_class, name="Emil")
    own = Attempt.objects.create(assignment=attempt.assignment, child=emil, game=attempt.game)
    week(dora, 0, 24)
    found_before(attempt, 1, in_round=attempt.game.round)  # Emil's rows are not counted yet
    host, game = SchoolHost(), attempt.game
    ends = [
        host.after_round(game, dora.player, RoundStory([()], rows_of_others=5)),
        host.after_round(game, emil.player, RoundStory([()] * 5, rows_of_others=1)),
        host.after_round(game, own.child.player, RoundStory(rows_of_others=6)),
    ]
    assert {str(pictures(end)) for end in ends} == {"[(7, 2, False)]"}


def test_counted_rows_are_not_counted_twice(attempt: Attempt, dora: Child) -> None:
    week(dora, 0, 24)
    found_before(attempt, 3, in_round=attempt.game.round)
    assert pictures(words_after(attempt, 3)) == [(6, 1, False)]


def test_a_class_finishes_a_picture_and_begins_the_next(attempt: Attempt, dora: Child) -> None:
    week(dora, 0, 48)
    finished = words_after(attempt, 2)
    assert pictures(finished) == [(PIECES, 1, True)]
    assert finished.finished is not None
    TableDay.objects.update(at_once=53)
    assert pictures(words_after(attempt, 2)) == [(1, 1, False)]


def test_a_player_who_is_not_a_child_gets_nothing(attempt: Attempt) -> None:
    host = SchoolHost()
    assert host.after_round(attempt.game, uuid4(), RoundStory()) == AfterRound()
    assert host.secure_facts(uuid4()) == ()


def test_nothing_is_compared_while_figures_are_being_counted(attempt: Attempt, dora: Child) -> None:
    found_before(attempt, 3)
    week(dora, 0, 60)
    emil = ChildFactory.create(school_class=dora.school_class, name="Emil")
    mark_for_rebuild([emil.pk])
    assert (words_after(attempt, 4).grown, words_after(attempt, 4).best != "") == ((), True)
    mark_for_rebuild([dora.pk])
    assert words_after(attempt, 4).best == ""


def test_the_words_after_a_round_take_seven_queries(
    attempt: Attempt, dora: Child, django_assert_num_queries: object
) -> None:
    found_before(attempt, 3)
    week(dora, 0, 10)
    with django_assert_num_queries(7):  # type: ignore[operator]
        words_after(attempt)


def test_after_a_match_the_same_assignment_can_be_played_again(attempt: Attempt) -> None:
    assert words_after(attempt).again is None
    attempt.game.phase = "match over"
    again = words_after(attempt).again
    assert str(attempt.assignment_id) in again.url


def test_an_ended_assignment_is_not_played_again(attempt: Attempt) -> None:
    attempt.game.phase = "match over"
    Assignment.objects.update(ended_at=timezone.now())
    assert words_after(attempt).again is None
