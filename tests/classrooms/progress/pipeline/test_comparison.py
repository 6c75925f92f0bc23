"""At night a sample is rebuilt; where it differs, the operator can read how."""

import pytest
from django.contrib.auth.hashers import make_password
from django.urls import reverse

from classrooms.models import Assignment, Child
from classrooms.progress.models import ChildDay, Difference, FactMastery, TableDay
from classrooms.progress.rebuild import compare_child, compare_game
from classrooms.progress.tasks import compare_a_sample, look_for_dirty
from games.models import Action, Game
from tests.classrooms.people import client_of_operator
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.playing import Hand, begin
from tests.classrooms.progress.stored import everything
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def hand(dora: Child, assignment: Assignment) -> Hand:
    """Dora has played a round and answered a question, and all of it is counted."""
    hand = Hand(begin(dora, assignment, seed=3))
    hand.play_round(lays=False)
    answer(dora, 6, 8)
    look_for_dirty()
    return hand


def test_where_nothing_differs_nothing_is_logged_or_changed(hand: Hand) -> None:
    right = everything()
    compare_a_sample()
    assert not Difference.objects.exists()
    assert everything() == right


def test_counts_that_differ_are_logged_and_mended(hand: Hand, dora: Child) -> None:
    right = everything()
    ChildDay.objects.update(rounds=7)
    FactMastery.objects.all().delete()
    compare_a_sample()
    difference = Difference.objects.get()
    assert difference.child == dora
    assert "ChildDay, missing: 1" in difference.told
    assert "ChildDay, too much: 1" in difference.told
    assert "FactMastery, missing: 1" in difference.told
    assert everything() == right


def test_a_child_whose_counts_are_still_behind_is_left_alone(hand: Hand, dora: Child) -> None:
    TableDay.objects.update(at_once=99)
    hand.play_turn()
    assert compare_child(dora) is None


def test_a_snapshot_that_is_not_the_replay_is_logged(hand: Hand) -> None:
    game = hand.attempt.game
    game.refresh_from_db()
    assert compare_game(game) is None
    assert game.snapshot
    game.snapshot["state"]["scores"][0] += 1
    game.save()
    difference = compare_game(Game.objects.get())
    assert difference
    assert "scores" in difference.told


def test_a_log_that_the_rules_refuse_is_logged(hand: Hand) -> None:
    game = Game.objects.get()
    Action.objects.create(game=game, number=game.version + 1, kind="act", seat=0, text="discard 99")
    difference = compare_game(game)
    assert difference
    assert "refused" in difference.told


def test_the_operator_reads_of_it_in_the_admin(hand: Hand) -> None:
    ChildDay.objects.update(rounds=7)
    compare_a_sample()
    operator = UserFactory.create(is_staff=True, is_superuser=True, password=make_password("x"))
    page = client_of_operator(operator).get(reverse("admin:progress_difference_changelist"))
    assert "progress differs from a rebuild" in page.text
