import pytest

from classrooms.models import Child
from classrooms.progress.figures.table_rows import FIGURES
from classrooms.progress.models import Chance, TableDay
from classrooms.progress.pipeline import evidence
from classrooms.roster import merge_children
from games.models import Game, Seat
from tests.classrooms.people import client_of_child
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory

pytestmark = pytest.mark.django_db


def test_the_games_of_both_become_those_of_one() -> None:
    first = AttemptFactory.create()
    twin = ChildFactory.create(school_class=first.child.school_class)
    second = AttemptFactory.create(child=twin, assignment=first.assignment)
    merge_children.merge(twin, first.child)
    assert Child.everyone.get() == first.child
    assert set(first.child.attempts.all()) == {first, second}
    assert Game.objects.count() == 2
    players = Seat.objects.exclude(player=None).values_list("player", flat=True)
    assert set(players) == {first.child.player}


def test_the_one_that_is_left_goes_on_with_the_games_of_the_other() -> None:
    dora = ChildFactory.create()
    attempt = AttemptFactory.create(child=ChildFactory.create(school_class=dora.school_class))
    merge_children.merge(attempt.child, dora)
    assert client_of_child(dora).get(f"/games/{attempt.game_id}/").status_code == 200


def test_the_reports_count_it_all_for_the_one_that_is_left() -> None:
    assignment = AssignmentFactory.create()
    twin, dora = ChildFactory.create_batch(2, school_class=assignment.school_class)
    hand = begin_with_a_row(twin, assignment)
    hand.play_turn()
    evidence.look_at(hand.attempt.game_id)
    before = _counts(twin)
    assert before
    merge_children.merge(twin, dora)
    assert not Chance.objects.exists()
    for attempt in list(evidence.dirty()):
        evidence.look_at(attempt.game_id)
    assert _counts(dora) == before


def test_a_child_is_not_merged_into_itself() -> None:
    dora = ChildFactory.create()
    with pytest.raises(ValueError, match="itself"):
        merge_children.merge(dora, dora)
    assert Child.objects.exists()


def _counts(child: Child) -> list[tuple[int, ...]]:
    days = TableDay.objects.filter(child=child).order_by("table")
    return list(days.values_list("table", *FIGURES))
