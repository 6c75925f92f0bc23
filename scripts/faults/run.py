"""Children at play while parts of the machine fail, and the comparison at the end."""

import argparse
import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

from django.db import connection

from scripts.faults.disk import Disk
from scripts.faults.kinds import WITHOUT_VERSION_CHECK, Machine, Net
from scripts.faults.striking import (
    LONGEST_STOP,
    Struck,
    play_and_strike,
    take_out_version_check,
)
from scripts.load.crowd import PlayingChild
from scripts.load.lesson import Lesson, close_all, sign_in_all, way_in_again
from tests.proxy.site import Site


def run(site: Site, servers: tuple[Any, Any], disk: Disk | None, given: argparse.Namespace) -> bool:
    """Make the faults. Returns whether anything is wrong."""
    lesson = Lesson(site, at_tables=given.tables)
    lesson.add(given.children)
    connection.close()
    random = Random(given.seed)
    machine = Machine(site, Net(random), random, *servers, disk, clocks=True)
    if given.without_version_check:
        take_out_version_check(site)
    playing = lesson.playing(given.seed, machine.net.deliver)
    way_in_again(playing, lesson.ways_in)
    struck = asyncio.run(_play(lesson, playing, machine, given))
    print(
        f"\n{struck.count} faults, seed {given.seed}, {given.children} children, a move every "
        f"{given.pace:g} s; other answers {dict(lesson.tally.answers)}"
    )
    print("\n".join(struck.lines(lesson.tally)), flush=True)
    compared = lesson.compared()
    print(compared, flush=True)
    stop, since = lesson.tally.tables.longest_stop(struck.over_at)
    if lesson.tally.tables.shown:
        kinds = ", ".join(struck.between(since, since + stop))
        print(
            f"{lesson.at_one_table()} tables of several; the longest stop was {stop:.0f} s, "
            f"with {kinds}"
        )
    if machine.ended:
        print(f"Ended by themselves, and started again: {dict(machine.ended)}")
    if machine.unmet:
        print(f"Met by nobody: {', '.join(machine.unmet)}")
    if given.without_version_check:
        missed = not compared.twice
        print("NOT SEEN: the version check is out, and nothing differs" if missed else "Seen.")
        return missed
    is_stuck = stop > LONGEST_STOP
    return bool(compared.differences or struck.without_a_move or machine.unmet or is_stuck)


async def _play(
    lesson: Lesson, playing: Sequence[PlayingChild], machine: Machine, given: argparse.Namespace
) -> Struck:
    await sign_in_all(playing, lesson.ways_in, "QR code", given.children / 20)
    kinds = WITHOUT_VERSION_CHECK if given.without_version_check else machine.kinds()
    struck = await play_and_strike(machine, playing, kinds, count=given.faults, pace=given.pace)
    close_all(playing)
    return struck
