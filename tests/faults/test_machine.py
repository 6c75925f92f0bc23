"""A fault of each kind that leaves the servers of other tests alone; `make faults` has the rest."""

from random import Random

import pytest
from django.db import connection

from classrooms.progress.tasks import look_for_dirty
from scripts.faults.kinds import OF_THE_SITE, WITHOUT_VERSION_CHECK, Machine, Net
from scripts.faults.striking import (
    REPLACED,
    Struck,
    play_and_strike,
    start_again,
    take_out_version_check,
)
from scripts.load.lesson import SECONDS_ON_A_BUSY_MACHINE, Lesson, close_all, sign_in_all
from tests.counts import PROOF, times
from tests.load.conftest import site, whole_site
from tests.load.own_thread import run_apart
from tests.proxy.site import Site

__all__ = ["site", "whole_site"]
pytestmark = pytest.mark.django_db(transaction=True)

CHILDREN = 4
FAULTS = times(len(OF_THE_SITE), 100)
PACE = 0.15


def test_what_was_acknowledged_stays_whatever_fails(whole_site: Site) -> None:
    lesson, random = Lesson(whole_site), Random(1)
    lesson.add(CHILDREN)
    machine = Machine(whole_site, Net(random), random)
    playing = lesson.playing(1, machine.net.deliver)

    async def run() -> Struck:
        await sign_in_all(playing, lesson.ways_in, "QR code", 0.2)
        struck = await play_and_strike(machine, playing, OF_THE_SITE, count=FAULTS, pace=PACE)
        close_all(playing)
        return struck

    connection.close()
    try:
        struck = run_apart(run())
    finally:
        start_again(whole_site, "web", "worker")
    print("\n".join(struck.lines(lesson.tally)), dict(lesson.tally.answers))
    assert struck.without_a_move == []
    look_for_dirty()  # As beat asks for it: what a flushed queue has lost is counted now.
    compared = lesson.compared(SECONDS_ON_A_BUSY_MACHINE)
    assert compared.acknowledged >= FAULTS
    assert compared.differences == [], str(compared)


if PROOF:  # test_journal asks the same of the comparison alone.

    def test_without_the_version_check_the_comparison_finds_differences(whole_site: Site) -> None:
        lesson, random = Lesson(whole_site), Random(1)
        lesson.add(CHILDREN)
        machine = Machine(whole_site, Net(random), random)
        playing = lesson.playing(1, machine.net.deliver)

        async def run() -> None:
            await sign_in_all(playing, lesson.ways_in, "QR code", 0.2)
            await play_and_strike(machine, playing, WITHOUT_VERSION_CHECK, count=1, pace=PACE)
            close_all(playing)

        connection.close()
        take_out_version_check(whole_site)
        try:
            run_apart(run())
        finally:
            for word in REPLACED:
                del whole_site.replaced[word]
            start_again(whole_site, "web")
        assert lesson.compared(SECONDS_ON_A_BUSY_MACHINE).twice
