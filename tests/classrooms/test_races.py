"""What must hold when a child taps twice, or a guesser tries from many devices at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from classrooms import assigning, signing_in
from classrooms.models import Attempt
from games.models import Game
from tests.factories import AssignmentFactory, ChildFactory, WrongTriesFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 5


def at_once(do: Callable[[int], Any]) -> list[Any]:
    def in_thread(number: int) -> Any:
        try:
            return do(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(in_thread, range(AT_ONCE)))


def test_play_tapped_at_once_starts_one_game() -> None:
    dora = ChildFactory.create(name="Dora")
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    games = at_once(lambda _: assigning.go_on_or_start(dora, assignment).pk)
    assert len(set(games)) == 1
    assert Game.objects.count() == Attempt.objects.count() == 1


def test_of_tries_at_once_only_those_that_are_left_are_looked_at() -> None:
    dora = ChildFactory.create(name="Dora")
    WrongTriesFactory.create(child=dora, count=signing_in.TRIES - 2)
    answers = at_once(lambda n: signing_in.sign_in(dora, ("no", "no", "no"), f"device {n}"))
    assert sorted(answers) == ["too many"] * (AT_ONCE - 2) + ["wrong"] * 2
