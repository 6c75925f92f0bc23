"""Lets children play while parts of the machine fail, and compares at the end."""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final

from django.db import connection

from scripts.faults.disk import Disk
from scripts.faults.kinds import WITHOUT_VERSION_CHECK, Fault, Machine, Net
from scripts.load.crowd import PlayingChild, Tally
from scripts.load.lesson import Lesson, close_all, sign_in_all, way_in_again
from tests.proxy.site import Site

# Makes one fault after another while children play, and measures how soon each child is answered
# again.

MOST_SECONDS: Final = 60
"""A run fails if no move is acknowledged for this long after a fault."""
LONGEST_STOP: Final = 90
"""A run also fails if nothing happens for this long at a table of several children."""
QUIET_SECONDS: Final = (0.2, 1.5)
"""Seconds between two faults."""
UNDER_WAY_SECONDS: Final = 0.5
"""A fault can hit a move that was sent this many seconds before."""
REPLACED: Final = {"nmbrs_edu.wsgi:application": "scripts.faults.without_version_check:application"}
"""The words to replace in the web's command."""
LAST_SECONDS: Final = 2
"""Play goes on for this many seconds after the last fault."""
SHOWN_EVERY: Final = 100
"""After this many faults the progress is printed."""


@dataclass(slots=True)
class FaultTimes:
    """When each kind of fault began and ended."""

    times: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    without_a_move: list[str] = field(default_factory=list)
    over_at: float = 0

    @property
    def count(self) -> int:
        return sum(map(len, self.times.values()))

    def between(self, start: float, end: float) -> list[str]:
        """The faults between these moments, in order."""
        kinds = [
            (at, kind)
            for kind, times in self.times.items()
            for at, over in times
            if over > start and at < end
        ]
        return [kind for _, kind in sorted(kinds)]

    def lines(self, tally: Tally) -> list[str]:
        """For each kind of fault, the longest time from its beginning to the next acknowledged
        move, and the longest that a child waited for a move."""
        answers = sorted((move.at + move.waited, move) for move in tally.moves)
        lines = []
        for kind, times in self.times.items():
            first, longest = 0.0, 0.0
            for start, over in times:
                after = [(at, move) for at, move in answers if move.at >= start]
                first = max(first, min((at for at, _ in after), default=start) - start)
                span = start - UNDER_WAY_SECONDS, over
                waits = [move.waited for move in tally.moves_between(*span)]
                longest = max([longest, *waits])
            lines.append(
                f"{kind:36} {len(times):5} × first move ≤ {first:5.2f} s, "
                f"a child waits ≤ {longest:5.2f} s"
            )
        return lines


async def strike(
    machine: Machine, tally: Tally, kinds: Mapping[str, Fault], count: int
) -> FaultTimes:
    """Make this many faults: each kind once, in this order, then kinds at random."""
    fault_times, names = FaultTimes(), list(kinds)
    for number in range(count):
        if number % SHOWN_EVERY == 0:
            print(f"{number} of {count} faults", flush=True)
        kind = names[number] if number < len(names) else machine.random.choice(names)
        start = monotonic()
        await kinds[kind](machine)
        while not tally.moves or tally.moves[-1].at < start:
            machine.start_ended()
            if monotonic() - start > MOST_SECONDS:
                fault_times.without_a_move.append(kind)
                break
            await asyncio.sleep(0.05)
        machine.start_ended()
        fault_times.times[kind].append((start, monotonic()))
        await asyncio.sleep(machine.random.uniform(*QUIET_SECONDS))
    return fault_times


def take_out_version_check(site: Site) -> None:
    """Run the web without its version check from now on, even after a restart."""
    site.replaced |= REPLACED
    start_again(site, "web")


def start_again(site: Site, *services: str) -> None:
    """Restart services from this thread. A service ends with the thread that started it, so after
    faults from another thread this one must restart what the next test needs."""
    site.stop(*services)
    for service in services:
        site.start(service)
    site.wait()


async def play_and_strike(
    machine: Machine,
    playing: Sequence[PlayingChild],
    kinds: Mapping[str, Fault],
    *,
    count: int,
    pace: float,
) -> FaultTimes:
    """Let children play until all faults are over and every late copy has arrived."""
    tally = playing[0].tally
    at_play = [asyncio.create_task(child.play(float("inf"), pace)) for child in playing]
    fault_times = await strike(machine, tally, kinds, count)
    await asyncio.sleep(LAST_SECONDS)
    tally.is_over, fault_times.over_at = True, monotonic()
    await asyncio.gather(*at_play)
    await asyncio.gather(*machine.net.copies)
    return fault_times


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
