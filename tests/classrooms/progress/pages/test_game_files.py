"""A finished match as a file, where the teacher looks at its replay."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Assignment, Attempt, AuditEntry, Child, SchoolClass, User
from games.engine.text.game_text import read
from games.models import Game
from games.play import services
from tests.classrooms.people import client_of, client_of_child
from tests.classrooms.progress.playing import Hand, begin
from tests.factories import AssignmentFactory
from tests.games.players import ends_of_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class, rounds=1)


@pytest.fixture
def finished(dora: Child, assignment: Assignment) -> Attempt:
    attempt = begin(dora, assignment, seed=1)
    Hand(attempt).play_round()
    attempt.game.refresh_from_db()
    assert attempt.game.finished_at
    return attempt


def file_of(attempt: Attempt) -> str:
    child = attempt.child
    return reverse("classrooms:record", args=[child.school_class_id, child.pk, attempt.game_id])


def replay_of(attempt: Attempt) -> str:
    child, entry = attempt.child, ends_of_turns(attempt.game_id, seat=0)[0]
    ids = [child.school_class_id, child.pk, attempt.game_id, entry]
    return reverse("classrooms:replay", args=ids)


def test_the_replay_of_a_finished_match_offers_its_file(alice: User, finished: Attempt) -> None:
    teacher = client_of(alice)
    assert file_of(finished) in teacher.get(replay_of(finished)).text
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    Game.objects.filter(pk=finished.game_id).update(finished_at=late)
    answer = teacher.get(file_of(finished))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="nmbrs-2026-11-21.txt"'
    assert "no-store" in answer["Cache-Control"]
    assert answer.text == services.record(finished.game).text
    assert read(answer.text).states()[-1].phase == "match over"


def test_whoever_takes_the_file_has_looked(alice: User, finished: Attempt) -> None:
    client_of(alice).get(file_of(finished))
    entry = AuditEntry.objects.get(what=AuditEntry.What.LOOKED)
    assert (entry.page, entry.child_id) == (AuditEntry.Page.REPLAY, finished.child_id)


def test_the_file_is_not_found_at_another_child(
    alice: User, finished: Attempt, emil: Child
) -> None:
    elsewhere = file_of(finished).replace(str(finished.child_id), str(emil.pk))
    assert client_of(alice).get(elsewhere).status_code == 404


def test_a_running_match_has_none(alice: User, dora: Child, finished: Attempt) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, rounds=2)
    attempt = begin(dora, assignment, seed=1)
    Hand(attempt).play_round()
    teacher = client_of(alice)
    assert teacher.get(file_of(attempt)).status_code == 404
    assert 'id="to-record"' not in teacher.get(replay_of(attempt)).text


def test_one_deal_for_the_class_has_none_while_others_may_play_it(
    alice: User, finished: Attempt
) -> None:
    Game.objects.update(shared_deal=True)
    teacher = client_of(alice)
    assert teacher.get(file_of(finished)).status_code == 404
    Assignment.objects.update(ended_at=timezone.now())
    assert teacher.get(file_of(finished)).status_code == 200


def test_a_child_gets_none(finished: Attempt) -> None:
    assert client_of_child(finished.child).get(file_of(finished)).status_code in (302, 404)
