"""The riddle of the day: one board for the class, three tries, and nobody knows tomorrow's."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.assignments import riddles
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress.evidence import process_game
from classrooms.progress.models import Chance
from games.engine.actions import Action, End
from games.engine.best_turn import best_turn
from games.models import Game
from games.play import services
from games.play.moves import Do
from tests.classrooms.people import client_of, client_of_child
from tests.factories import AssignmentFactory, SchoolClassFactory

pytestmark = pytest.mark.django_db
RIDDLES = "/me/riddles/"


def play(child: Child, actions: Sequence[Action], game: Game) -> services.Outcome:
    outcome = services.look(game.pk, child.player)
    for action in actions:
        outcome = services.act(
            game.pk, child.player, seen=outcome.game.version, key=uuid4(), move=Do(action)
        )
    return outcome


def attempt(child: Child, riddle: Assignment, *, solves: bool) -> Game:
    """One try of the child, which lays all or nothing."""
    game = riddles.go_on_or_try(child, riddle)
    best = best_turn(services.look(game.pk, child.player).view.position).plays
    outcome = play(child, best if solves else (), game)
    if outcome.view.to_act is not None:
        play(child, [End()], game)
    return game


def test_all_children_of_a_class_get_the_same_board(dora: Child, emil: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    assert riddles.todays(dora.school_class) == riddle
    other = riddles.todays(SchoolClassFactory.create())
    assert other.riddle != riddle.riddle
    views = [
        services.look(riddles.go_on_or_try(child, riddle).pk, child.player).view
        for child in (dora, emil)
    ]
    assert views[0] == views[1]
    assert (len(views[0].hand), views[0].to_act, views[0].phase) == (7, 0, "play")


def test_nobody_can_see_tomorrows(dora: Child, alice: User) -> None:
    client, today = client_of_child(dora), dora.school_class.today()
    client.post(RIDDLES)
    assert Assignment.with_riddles.get().riddle_on == today
    tomorrow = Assignment.with_riddles.get()
    tomorrow.pk, tomorrow.riddle_on = uuid4(), today + timedelta(days=1)
    tomorrow.save(force_insert=True)
    assert client.post(f"{RIDDLES}{tomorrow.pk}/").status_code == 404
    assert str(tomorrow.pk) not in client.get(RIDDLES).text
    page = reverse("classrooms:class_riddle", args=[dora.school_class_id])
    asked = client_of(alice).get(page, {"riddle": str(tomorrow.pk)})
    assert "riddle" not in asked.context


def test_a_child_has_three_tries_and_then_sees_how_they_ended(dora: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    games = [attempt(dora, riddle, solves=False) for _ in range(3)]
    assert len(set(games)) == 3
    assert riddles.go_on_or_try(dora, riddle) == games[-1]
    (own,) = riddles.own_riddles(dora)
    assert own.is_done
    assert not own.is_solved
    assert [set(line) for line in own.result.tries] == [{"missing"}] * 3


def test_a_solved_riddle_takes_no_more_tries(dora: Child, emil: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    attempt(dora, riddle, solves=False)
    solved = attempt(dora, riddle, solves=True)
    assert riddles.go_on_or_try(dora, riddle) == solved
    attempt(emil, riddle, solves=False)
    result = riddles.class_result(riddle)
    assert (result.solved, result.children) == (1, 2)
    page = client_of_child(dora).get(reverse("games:page", args=[solved.pk])).text
    assert "Solved!" in page
    assert "1 of 2 has solved it." in page
    assert "mark-missing" in page
    assert "to-again" not in page


def test_a_try_that_is_left_goes_on(dora: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    assert riddles.go_on_or_try(dora, riddle) == riddles.go_on_or_try(dora, riddle)


def test_old_riddles_stay_open(dora: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    Assignment.with_riddles.update(riddle_on=dora.school_class.today() - timedelta(days=40))
    client = client_of_child(dora)
    assert f"{RIDDLES}{riddle.pk}/" in client.get(RIDDLES).text
    page = client.post(f"{RIDDLES}{riddle.pk}/", follow=True)
    assert page.context["board"].my_turn
    client.post(RIDDLES)
    assert Assignment.with_riddles.count() == 2


def test_a_riddle_of_another_class_does_not_exist(dora: Child) -> None:
    other = riddles.todays(SchoolClassFactory.create())
    assert client_of_child(dora).post(f"{RIDDLES}{other.pk}/").status_code == 404


def test_the_tables_are_those_that_the_class_practises(school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class, options={"tables": [3, 4, 20]})
    assert riddles.todays(school_class).options == {"tables": [3, 4]}


def test_a_riddle_is_on_no_list_of_assignments(dora: Child, alice: User) -> None:
    riddle = riddles.todays(dora.school_class)
    attempt(dora, riddle, solves=True)
    assert not dora.school_class.assignments.exists()
    for name in ("assignments", "class", "live"):
        page = client_of(alice).get(reverse(f"classrooms:{name}", args=[dora.school_class_id]))
        assert str(riddle.pk) not in page.text
        assert page.status_code == 200


def test_what_is_found_counts_as_evidence_once(dora: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    first = attempt(dora, riddle, solves=False)
    second = attempt(dora, riddle, solves=True)
    for game in (first, second):
        process_game(game.pk)
    of_games = Chance.objects.filter(child=dora)
    assert set(of_games.values_list("game", flat=True)) == {first.pk}
    assert Attempt.objects.filter(again=True).get().game == second


def test_the_teacher_shows_solutions_without_names(dora: Child, emil: Child, alice: User) -> None:
    client: Client = client_of(alice)
    url = reverse("classrooms:class_riddle", args=[dora.school_class_id])
    assert "riddle" not in client.get(url).context
    client.post(url)
    riddle = Assignment.with_riddles.get()
    assert not client.get(url, {"step": "2"}).context["solutions"]
    attempt(emil, riddle, solves=True)
    page = client.get(url)
    assert "1 of 2 has solved it." in page.text
    assert "solutions plain" not in page.text
    shown = client.get(url, {"step": "2"})
    assert len(shown.context["solutions"]) == 1
    assert "Emil" not in shown.text


def test_hints_and_missed_rows_give_nothing_away(dora: Child) -> None:
    riddle = riddles.todays(dora.school_class)
    game = attempt(dora, riddle, solves=False)
    page = client_of_child(dora).get(reverse("games:page", args=[game.pk]))
    assert page.context["board"].over.nearly is None
    assert game.hint_steps == 0
