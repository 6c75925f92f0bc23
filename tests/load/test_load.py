"""A load for a few seconds: children by both ways in, a live board, and the comparison."""

from pathlib import Path

import pytest
from django.db import connection

from scripts.load.crowd import share
from scripts.load.lesson import SECONDS_ON_A_BUSY_MACHINE, Lesson, close_all, play_all, sign_in_all
from tests.counts import times
from tests.load.own_thread import run_apart
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

CHILDREN = times(6, 60)
SECONDS = times(5, 30)
PACE = 0.05
"""This pace lets most of them end a round."""


def test_every_move_of_a_lesson_is_in_the_log_and_the_reports(
    whole_site: Site, tmp_path: Path
) -> None:
    lesson = Lesson(whole_site)
    lesson.add(CHILDREN)
    lesson.sign_teachers_in()
    playing = lesson.playing(seed=1)

    async def run() -> None:
        half = CHILDREN // 2
        await sign_in_all(playing[:half], lesson.ways_in[:half], "pictures", 0.5)
        await sign_in_all(playing[half:], lesson.ways_in[half:], "QR code", 0.5)
        await play_all(lesson, playing, SECONDS, PACE)
        close_all(playing)

    connection.close()
    run_apart(run())
    tally = lesson.tally
    assert not tally.answers, (tally.answers, whole_site.logs())
    assert set(tally.adults) <= {"200", "304"}
    assert whole_site.processes["worker"].poll() is None
    compared = lesson.compared(SECONDS_ON_A_BUSY_MACHINE)
    assert compared.acknowledged >= CHILDREN
    assert (compared.games, compared.children) == (CHILDREN, CHILDREN)
    assert compared.differences == [], str(compared)


def test_a_share_of_times_is_the_time_within_which_that_part_was_answered() -> None:
    assert share([0.1] * 95 + [2.0] * 5, 0.5) == 0.1
    assert share([0.1] * 95 + [2.0] * 5, 0.95) == 2.0
