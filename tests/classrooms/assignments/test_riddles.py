"""The riddle of the day: one board for the class, three tries, and nobody can know tomorrow's."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.assignments import riddles, tasks
from classrooms.classes import expiry
from classrooms.downloads import limits
from classrooms.downloads.limits import WorkKind
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.progress.evidence import process_game, read_games, store_readings
from classrooms.progress.models import Chance
from classrooms.progress.rebuild import rebuild
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports.sheets import CLASS_SHEETS
from classrooms.roster import merges, moves
from games.bots import riddles as boards
from games.engine.actions import Action, End
from games.engine.plays import legal_plays
from games.models import Game
from games.play import services
from games.play.moves import Do
from games.screen.board import board
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.answering import everything
from tests.factories import AssignmentFactory, AttemptFactory, SchoolClassFactory
from tests.games.players import best_plays

pytestmark = pytest.mark.django_db
RIDDLES = "/me/riddles/"


@pytest.fixture(autouse=True)
def _boards_of_any_difficulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not choose boards by difficulty. The first board of each test is the same, and so is the
    second."""
    seeds = count()
    monkeypatch.setattr(riddles, "randbits", lambda bits: next(seeds))
    monkeypatch.setattr(boards, "GRADING", ())


@pytest.fixture
def riddle_messages(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The classes for which a worker is asked to make a riddle."""
    keys = list[UUID]()
    monkeypatch.setattr(tasks.publisher, "enqueue", keys.append)
    return keys


def play(child: Child, actions: Sequence[Action], game: Game) -> services.Outcome:
    outcome = services.look(game.pk, child.player)
    for action in actions:
        outcome = services.act(
            game.pk, child.player, version=outcome.game.version, key=uuid4(), move=Do(action)
        )
    return outcome


def attempt(child: Child, riddle: Assignment, *, solves: bool) -> Game:
    """Play one try, in which the child lays everything or only the shortest row."""
    game = riddles.continue_or_try(child, riddle)
    position = services.look(game.pk, child.player).view.position
    least = min(legal_plays(position), key=lambda play: len(play.hand))
    play(child, best_plays(position) if solves else [least, End()], game)
    return game


def test_all_children_of_a_class_get_the_same_board(dora: Child, emil: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    assert riddles.make_riddle(dora.school_class) == riddle
    assert riddles.todays_riddle(dora.school_class) == riddle
    other = riddles.make_riddle(SchoolClassFactory.create())
    assert other.one_turn != riddle.one_turn
    views = [
        services.look(riddles.continue_or_try(child, riddle).pk, child.player).view
        for child in (dora, emil)
    ]
    assert views[0] == views[1]
    assert (len(views[0].hand), views[0].to_act, views[0].phase) == (7, 0, "play")


def test_nobody_can_see_tomorrows_riddle(dora: Child, alice: User) -> None:
    school_class, today = dora.school_class, dora.school_class.today()
    riddles.make_riddle(school_class)
    assert list(Assignment.all_objects.values_list("riddle_on", flat=True)) == [today]
    tomorrow = Assignment.all_objects.get()
    tomorrow.riddle_on = today + timedelta(days=1)
    tomorrow.save()
    client, key = client_of_child(dora), str(tomorrow.pk)
    assert client.post(f"{RIDDLES}{key}/").status_code == 404
    assert key not in text_on(client.get(RIDDLES))
    assert client.get("/me/").context.get("own") is None
    page = url_of("class_riddle", school_class)
    assert "riddle" not in client_of(alice).get(page, {"riddle": key}).context


def test_a_child_has_three_tries_and_then_sees_their_results(dora: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    games = [attempt(dora, riddle, solves=False) for _ in range(3)]
    assert len(set(games)) == 3
    assert riddles.continue_or_try(dora, riddle) == games[-1]
    (own,) = riddles.own_riddles(dora, [riddle])
    assert own.is_done
    assert not own.is_solved
    assert [all(cards) for _, cards in own.result.tries] == [False] * 3


def test_a_try_does_not_end_before_a_row_is_laid(dora: Child) -> None:
    game = riddles.continue_or_try(dora, riddles.make_riddle(dora.school_class))
    outcome = play(dora, [End()], game)
    assert outcome.result.error == "too-short"
    assert outcome.view.phase == "play"
    game_board = board(outcome)
    assert "end" not in [button.move for button in game_board.buttons if not button.is_idle]


def test_a_solved_riddle_takes_no_more_tries(dora: Child, emil: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    attempt(dora, riddle, solves=False)
    solved = attempt(dora, riddle, solves=True)
    assert riddles.continue_or_try(dora, riddle) == solved
    attempt(emil, riddle, solves=False)
    result = riddles.class_result(riddle)
    assert (result.solved, result.children) == (1, 2)
    page = text_on(client_of_child(dora).get(reverse("games:page", args=[solved.pk])))
    assert "Solved!" in page
    assert "You are the first to solve it!" in page
    assert f"Try 1: 1 of {solved.riddle_cards} cards" in page
    assert f"Try 2: {solved.riddle_cards} of {solved.riddle_cards} cards" in page
    assert "to-again" not in page


def test_an_unfinished_try_goes_on(dora: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    assert riddles.continue_or_try(dora, riddle) == riddles.continue_or_try(dora, riddle)


def test_old_riddles_stay_open(dora: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    Assignment.all_objects.update(riddle_on=dora.school_class.today() - timedelta(days=40))
    client = client_of_child(dora)
    assert f"{RIDDLES}{riddle.pk}/" in text_on(client.get(RIDDLES))
    page = client.post(f"{RIDDLES}{riddle.pk}/", follow=True)
    assert page.context["board"].is_my_turn
    riddles.make_riddle(dora.school_class)
    assert Assignment.all_objects.count() == 2


def test_the_riddles_tables_are_those_that_the_class_practises(school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class, options={"tables": [3, 4, 20]})
    assert riddles.make_riddle(school_class).options == {"tables": [3, 4]}


def test_a_riddle_with_all_tables_does_not_list_them(dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class, options={"tables": list(range(2, 11))})
    game = riddles.continue_or_try(dora, riddles.make_riddle(dora.school_class))
    assert board(services.look(game.pk, dora.player)).round == "All times tables"


def test_a_riddle_is_on_no_list_of_assignments(dora: Child, alice: User) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    attempt(dora, riddle, solves=True)
    assert not dora.school_class.assignments.exists()
    for name in ("assignments", "class", "live"):
        page = client_of(alice).get(url_of(name, dora.school_class))
        assert str(riddle.pk) not in text_on(page)
        assert page.status_code == 200


def test_a_riddles_rows_count_as_evidence_once(dora: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    first = attempt(dora, riddle, solves=False)
    second = attempt(dora, riddle, solves=True)
    for game in (first, second):
        process_game(game.pk)
    of_games = Chance.objects.filter(child=dora)
    assert set(of_games.values_list("game", flat=True)) == {first.pk}
    assert Attempt.objects.filter(is_repeat=True).get().game == second


def test_a_first_try_shows_the_new_pieces_of_pictures(dora: Child, emil: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    first = attempt(dora, riddle, solves=True)
    attempt(emil, riddle, solves=False)
    again = attempt(emil, riddle, solves=True)
    pages = [
        text_on(client_of_child(child).get(reverse("games:page", args=[game.pk])))
        for child, game in ((dora, first), (emil, again))
    ]
    assert ["for your picture of the" in page for page in pages] == [True, False]


def test_the_teacher_shows_solutions_without_names(dora: Child, emil: Child, alice: User) -> None:
    client: Client = client_of(alice)
    url = url_of("class_riddle", dora.school_class)
    assert "riddle" not in client.get(url).context
    riddle = riddles.make_riddle(dora.school_class)
    assert not client.get(url, {"step": "2"}).context["solutions"]
    attempt(emil, riddle, solves=True)
    page = client.get(url)
    assert "1 of 2 children has solved it." in text_on(page)
    assert "solutions plain" not in text_on(page)
    solutions = client.get(url, {"step": "2"})
    assert len(solutions.context["solutions"]) == 1
    assert "Emil" not in text_on(solutions)


def test_the_teacher_can_look_at_earlier_riddles(school_class: SchoolClass, alice: User) -> None:
    before = riddles.make_riddle(school_class)
    before.riddle_on = school_class.today() - timedelta(days=1)
    before.save()
    today = riddles.make_riddle(school_class)
    client, url = client_of(alice), url_of("class_riddle", school_class)
    for query, riddle, earlier in (("", today, before), (f"?riddle={before.pk}", before, None)):
        page = client.get(f"{url}{query}").context
        assert (page["riddle"], page["earlier"]) == (riddle, earlier)


def test_tries_are_read_again_only_after_a_new_try(
    dora: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a class of 500 reading them each time took 0.2 s of each child's page."""
    riddle, reads, tries_of = riddles.make_riddle(dora.school_class), list[Any](), riddles.tries_of

    def record_read(attempts: Any) -> Any:
        reads.append(attempts)
        return tries_of(attempts)

    for solves in (False, True):
        attempt(dora, riddle, solves=solves)
        with monkeypatch.context() as patched:
            patched.setattr(riddles, "tries_of", record_read)
            solved = [riddles.class_result(riddle).solved for _ in range(3)]
        assert solved == [int(solves)] * 3
    assert len(reads) == 2


# Who makes riddles, and for whom


def test_nobody_joins_a_child_at_a_riddle(dora: Child) -> None:
    game = riddles.continue_or_try(dora, riddles.make_riddle(dora.school_class))
    page = text_on(client_of_child(dora).get(f"/games/{game.pk}/"))
    assert reverse("classrooms:childs_hand_changed") not in page
    attempt(dora, game.attempts.get().assignment, solves=True)
    assert 'id="to-list"' in text_on(client_of_child(dora).get(f"/games/{game.pk}/"))


def test_no_request_makes_a_riddle(dora: Child, alice: User, riddle_messages: list[UUID]) -> None:
    key = dora.school_class_id
    page = client_of_child(dora).post(RIDDLES, follow=True)
    assert "The riddle will start in a moment." in text_on(page)
    assert page.redirect_chain[-1][0].endswith("#riddle-name")  # it is in sight
    poll = f"{reverse('classrooms:childs_hand_changed')}?riddle"
    assert poll in text_on(page)
    assert text_on(client_of_child(dora).get(poll)) == ""
    client_of(alice).post(reverse("classrooms:class_riddle", args=[key]))
    assert riddle_messages == [key, key]
    assert not Assignment.all_objects.exists()
    tasks.make_riddle(str(key))
    assert text_on(client_of_child(dora).get(poll)) == "go on"
    assert client_of_child(dora).post(RIDDLES, follow=True).context["board"].is_my_turn
    assert len(riddle_messages) == 2


def test_riddles_count_as_long_jobs(
    school_class: SchoolClass,
    alice: User,
    riddle_messages: list[UUID],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LIMITS", {WorkKind.JOB: ((1, timedelta(minutes=1)),)})
    client, url = client_of(alice), url_of("class_riddle", school_class)
    assert [client.post(url).status_code for _ in range(2)] == [302, 429]
    assert client.get(url).status_code == 200
    assert len(riddle_messages) == 1


def test_a_riddle_is_made_each_day_for_a_class_that_plays(
    dora: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = list[tuple[str, ...]]()
    monkeypatch.setattr(tasks.make_riddle, "apply_async", lambda args, **_: messages.append(args))
    school_class = dora.school_class
    game = AttemptFactory.create(
        child=dora, assignment=AssignmentFactory.create(school_class=school_class)
    ).game
    tasks.make_riddles()
    tasks.make_riddle(*messages.pop())
    tasks.make_riddles()
    assert not messages
    yesterday = school_class.today() - timedelta(days=1)
    Assignment.all_objects.exclude(riddle_on=None).update(riddle_on=yesterday)
    tasks.make_riddles()
    assert messages.pop() == (str(school_class.pk),)
    SchoolClass.objects.update(has_riddles=False)
    tasks.make_riddles()
    SchoolClass.objects.update(has_riddles=True, archived_at=timezone.now())
    tasks.make_riddles()
    SchoolClass.objects.update(archived_at=None)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - riddles.ACTIVE_WITHIN)
    tasks.make_riddles()
    assert not messages


def test_two_workers_make_one_riddle(
    school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = riddles.make_riddle(school_class)
    monkeypatch.setattr(riddles, "todays_riddle", lambda school_class: None)
    assert riddles.make_riddle(school_class) == there


def test_a_class_without_riddles_sees_none(
    dora: Child, alice: User, riddle_messages: list[UUID]
) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    game = riddles.continue_or_try(dora, riddle)
    posted = {"name": "5B", "language": "en", "time_zone": "Europe/Amsterdam"}
    url = url_of("edit_class", dora.school_class)
    teacher = client_of(alice)
    teacher.post(url, {**posted, "riddles": "off"})
    teacher.post(url, posted)
    client = client_of_child(dora)
    assert RIDDLES not in text_on(client.get("/me/"))
    assert client.get(RIDDLES).status_code == 404
    for address in (RIDDLES, f"{RIDDLES}{riddle.pk}/"):
        assert client.post(address).status_code == 404
    attempt(dora, riddle, solves=False)
    assert "to-again" not in text_on(client.get(reverse("games:page", args=[game.pk])))
    page = teacher.get(url_of("class_riddle", dora.school_class))
    assert page.context["riddle"] == riddle
    teacher.post(url, {**posted, "riddles": "on"})
    assert RIDDLES in text_on(client.get("/me/"))
    assert not riddle_messages


def test_riddles_made_at_night_do_not_keep_a_class_from_expiring(school_class: SchoolClass) -> None:
    long_ago = timezone.now() - timedelta(days=settings.ARCHIVE_AFTER_DAYS + 1)
    SchoolClass.objects.update(created_at=long_ago)
    riddles.make_riddle(school_class)
    expiry.carry_out(timezone.now())
    school_class.refresh_from_db()
    assert school_class.archived_at


# What happens to riddles with the child and the class


def test_an_erased_child_leaves_no_try(dora: Child, emil: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    games = [attempt(child, riddle, solves=True).pk for child in (dora, emil)]
    erasure.erase_child(dora, None)
    assert list(Attempt.objects.values_list("game", flat=True)) == games[1:]
    assert list(Game.objects.values_list("pk", flat=True)) == games[1:]
    result = riddles.class_result(riddle)
    assert (result.solved, result.children) == (1, 1)


def test_a_merged_child_has_the_tries_of_both(dora: Child, emil: Child, alice: User) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    game = riddles.continue_or_try(emil, riddle)
    attempt(dora, riddle, solves=False)
    merge = merges.merge(emil, dora, alice)
    assert riddles.continue_or_try(dora, riddle) == game
    attempt(dora, riddle, solves=True)
    assert riddles.riddle_results(dora, riddle)[0].is_solved
    merges.undo(merge, alice)
    assert [riddle_try.game for riddle_try in riddles.riddle_results(emil, riddle)[0].tries] == [
        game.pk
    ]
    assert not riddles.riddle_results(dora, riddle)[0].is_solved


def test_only_the_first_try_of_a_merged_child_counts(dora: Child, emil: Child, alice: User) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    first, second = (attempt(child, riddle, solves=True) for child in (emil, dora))
    for game in (first, second):
        process_game(game.pk)
    late = read_games([second.pk])
    merge = merges.merge(emil, dora, alice)
    assert not store_readings(late)
    look_for_dirty()
    assert set(Chance.objects.values_list("child", "game")) == {(dora.pk, first.pk)}
    figures = everything()
    rebuild(dora)
    assert everything() == figures
    merges.undo(merge, alice)
    look_for_dirty()
    pairs = {(emil.pk, first.pk), (dora.pk, second.pk)}
    assert set(Chance.objects.values_list("child", "game")) == pairs


def test_a_moved_child_finds_the_riddles_of_the_new_class(dora: Child, emil: Child) -> None:
    old, there = riddles.make_riddle(dora.school_class), SchoolClassFactory.create()
    game = attempt(dora, old, solves=False)
    moves.move([dora], there, None)
    dora = Child.objects.select_related("school_class").get(pk=dora.pk)
    client = client_of_child(dora)
    assert not client.get(RIDDLES).context["riddles"]
    assert "to-again" not in text_on(client.get(reverse("games:page", args=[game.pk])))
    assert riddles.class_result(old).children == 1


def test_the_download_names_the_riddles_that_were_played(dora: Child) -> None:
    riddle = riddles.make_riddle(dora.school_class)
    attempt(dora, riddle, solves=True)
    sheet = next(sheet for sheet in CLASS_SHEETS if sheet.name == "assignments")
    assert sheet.class_rows
    (row,) = sheet.class_rows(dora.school_class)
    assert (row["id"], row["riddle_on"], row["ended_at"]) == (riddle.pk, riddle.riddle_on, None)
