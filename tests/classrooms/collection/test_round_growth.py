"""The end of a round says what grew in the child's own collection, if the logs prove it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.collection.pieces import PIECES, Picture, grown_in_round
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress.evidence import process_game
from classrooms.progress.models import GameEvidence, TableMastery
from classrooms.progress.rebuild import mark_for_rebuild
from games.coach.times_tables import TABLES_TO_12
from games.models import Game
from games.play.round_story import RoundStory, story_of_round
from tests.classrooms.checks.rounds import round_over, sitting_with
from tests.classrooms.collection.test_pieces import found
from tests.classrooms.people import client_of_child
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.playing import Hand, begin
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_is_asked(nobody_is_asked: None) -> None:
    """For every test here."""


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def assignment(dora: Child) -> Assignment:
    return AssignmentFactory.create(school_class=dora.school_class)


@pytest.fixture
def attempt(dora: Child, assignment: Assignment) -> Attempt:
    return round_over(dora, assignment)


def alone(**rows: int) -> RoundStory:
    """A round in which this many rows were found without help: `t5=2` are two of the 5 times
    table."""
    return RoundStory((), without_help=tuple((int(name[1:]), n) for name, n in rows.items()))


def said(attempt: Attempt, story: RoundStory) -> list[str]:
    return [one.text for one in grown_in_round(attempt, story)]


def pictures(attempt: Attempt, story: RoundStory) -> list[Picture]:
    grown = [one.shown for one in grown_in_round(attempt, story)]
    return [one for one in grown if isinstance(one, Picture)]


def count_all(attempt: Attempt) -> None:
    """As if a worker had counted the game so far."""
    game = Game.objects.get(pk=attempt.game_id)
    GameEvidence.objects.update_or_create(
        game=game,
        defaults={
            "upto_entry": game.version,
            "upto_at": timezone.now(),
            "rounds": game.round,
        },
    )


def test_rows_found_without_help_are_new_pieces(attempt: Attempt) -> None:
    assert said(attempt, alone(t4=1, t5=2)) == [
        "A new piece for your picture of the 4 times table!",
        "2 new pieces for your picture of the 5 times table!",
    ]
    assert [(one.pieces, one.new) for one in pictures(attempt, alone(t4=1, t5=2))] == [
        (1, 1),
        (2, 2),
    ]


def test_nothing_is_said_of_pictures_while_an_earlier_round_is_not_counted(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    other = round_over(dora, assignment)
    assert said(attempt, alone(t5=1)) == []
    count_all(other)
    assert said(attempt, alone(t5=1)) != []
    Game.objects.filter(pk=attempt.game_id).update(round=2)
    attempt.refresh_from_db()
    assert said(attempt, alone(t5=1)) == []
    count_all(attempt)
    assert said(attempt, alone(t5=1)) != []


def nearly_whole(child: Child) -> None:
    """One more row finishes each of the child's pictures."""
    for table in TABLES_TO_12:
        found(child, table, at_once=PIECES - 1)


def real_round(dora: Child, assignment: Assignment) -> tuple[Attempt, RoundStory]:
    """A round that was played, in which a row was found without help."""
    for seed in range(100):
        attempt = begin(dora, assignment, seed)
        Hand(attempt).play_round()
        attempt.game.refresh_from_db()
        story = story_of_round(attempt.game, 2, 0)
        if story.without_help:
            return attempt, story
        attempt.game.delete()
    raise AssertionError("no row in any round")


def test_it_says_the_same_before_and_after_a_worker_counted_the_round(
    dora: Child, assignment: Assignment
) -> None:
    attempt, story = real_round(dora, assignment)
    before = list(grown_in_round(attempt, story))
    assert before
    assert process_game(attempt.game_id)
    assert list(grown_in_round(attempt, story)) == before
    counted = TableMastery.objects.filter(child=dora).values_list("table", "at_once", "later")
    rows = {table: once + later for table, once, later in counted}
    assert {one.table: one.rows for one in pictures(attempt, story)} == {
        table: rows[table] for table, _ in story.without_help
    }


def test_rows_with_a_hint_make_no_piece(dora: Child, assignment: Assignment) -> None:
    for seed in range(100):
        hand = Hand(begin(dora, assignment, seed))
        hand.draw()
        if hand.rows():
            break
    hand.hint(4)
    hand.lay()
    while hand.look().view.phase != "round over":
        hand.play_turn(lays=False)
    hand.attempt.game.refresh_from_db()
    story = story_of_round(hand.attempt.game, 2, 0)
    assert story.found >= 1
    assert story.without_help == ()


def round_page(attempt: Attempt) -> str:
    return client_of_child(attempt.child).get(f"/games/{attempt.game_id}/").text


def test_the_page_shows_the_picture_with_its_new_pieces(
    dora: Child, assignment: Assignment
) -> None:
    attempt, story = real_round(dora, assignment)
    text = round_page(attempt)
    assert "for your picture of the" in text
    new = sum(rows for table, rows in story.without_help if table <= 12)
    assert text.count('class="cover uncovered"') == new
    mark_for_rebuild([dora.pk])
    assert "for your picture of the" not in round_page(attempt)


def known_before(dora: Child, *days_ago: int) -> None:
    for days in days_ago:
        answer(dora, 6, 7, at=timezone.now() - timedelta(days=days))


def asked_after(attempt: Attempt, answered: str) -> str:
    """What the page says after the round's one question, 7 × 6."""
    sitting_with(attempt, ("fact", (7, 6)))
    url = reverse("classrooms:check", args=[attempt.game_id])
    return client_of_child(attempt.child).post(url, {"number": "0", "answer": answered}).text


STAMP = "A new stamp: 6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7"


@pytest.mark.parametrize(
    ("days_ago", "is_new"),
    [((20, 10), True), ((13, 7), False), ((20,), False), ((30, 20, 10), False)],
)
def test_a_new_stamp_is_shown_after_questions_and_round(
    attempt: Attempt, dora: Child, days_ago: tuple[int, ...], is_new: bool
) -> None:
    known_before(dora, *days_ago)
    assert (STAMP in asked_after(attempt, "42")) == is_new
    assert (STAMP in said(attempt, alone())) == is_new


def test_a_stamp_is_new_only_once_a_day(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    known_before(dora, 20, 10)
    asked_after(attempt, "42")
    later = round_over(dora, assignment)
    assert STAMP not in asked_after(later, "42")
    assert STAMP in said(attempt, alone())
    assert STAMP not in said(later, alone())


def test_they_are_added_to_what_was_there(attempt: Attempt, dora: Child) -> None:
    found(dora, 5, at_once=3, later=1, hinted=7)
    (picture,) = pictures(attempt, alone(t5=2))
    assert (picture.pieces, picture.new, len(picture.covers)) == (6, 2, PIECES - 6)
    assert picture.uncovered == [(0, 30), (30, 30)]


def test_a_picture_becomes_whole_once(attempt: Attempt, dora: Child) -> None:
    found(dora, 5, at_once=PIECES - 1)
    assert said(attempt, alone(t5=3)) == ["Your picture of the 5 times table is finished!"]
    (picture,) = pictures(attempt, alone(t5=3))
    assert (picture.pieces, picture.new) == (PIECES, 1)
