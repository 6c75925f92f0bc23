"""Lets children play while parts of the machine fail, and compares at the end."""

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
    FaultTimes,
    play_and_strike,
    take_out_version_check,
)
from scripts.load.crowd import PlayingChild
from scripts.load.lesson import Lesson, close_all, sign_in_all, way_in_again
from tests.proxy.site import Site


def run(
    site: Site, servers: tuple[Any, Any], disk: Disk | None, options: argparse.Namespace
) -> bool:
    """Make the faults; return whether anything is wrong."""
    lesson = Lesson(site, at_tables=options.tables)
    lesson.add(options.children)
    connection.close()
    random = Random(options.seed)
    machine = Machine(site, Net(random), random, *servers, disk, can_set_clocks=True)
    if options.without_version_check:
        take_out_version_check(site)
    playing = lesson.playing(options.seed, machine.net.deliver)
    way_in_again(playing, lesson.ways_in)
    fault_times = asyncio.run(_play(lesson, playing, machine, options))
    print(
        f"\n{fault_times.count} faults, seed {options.seed}, {options.children} children, a move "
        f"every {options.pace:g} s; other answers {dict(lesson.tally.answers)}"
    )
    print("\n".join(fault_times.lines(lesson.tally)), flush=True)
    compared = lesson.compared()
    print(compared, flush=True)
    stop, since = lesson.tally.tables.longest_stop(fault_times.over_at)
    if lesson.tally.tables.shown:
        kinds = ", ".join(fault_times.between(since, since + stop))
        print(
            f"{lesson.games_of_several()} tables of several; the longest stop was {stop:.0f} s, "
            f"with {kinds}"
        )
    if machine.ended:
        print(f"Ended by themselves, and started again: {dict(machine.ended)}")
    if machine.harmless:
        print(f"Met by nobody: {', '.join(machine.harmless)}")
    if options.without_version_check:
        was_missed = not compared.twice
        print("NOT SEEN: the version check is out, and nothing differs" if was_missed else "Seen.")
        return was_missed
    is_stuck = stop > LONGEST_STOP
    return bool(compared.differences or fault_times.without_a_move or machine.harmless or is_stuck)


async def _play(
    lesson: Lesson, playing: Sequence[PlayingChild], machine: Machine, options: argparse.Namespace
) -> FaultTimes:
    await sign_in_all(playing, lesson.ways_in, "QR code", options.children / 20)
    kinds = WITHOUT_VERSION_CHECK if options.without_version_check else machine.kinds()
    fault_times = await play_and_strike(
        machine, playing, kinds, count=options.faults, pace=options.pace
    )
    close_all(playing)
    return fault_times
