"""`make faults FAULTS=2000 CHILDREN=60`: children at play while parts of the machine fail, and the
comparison at the end. The same SEED gives the same faults in the same order. With
WITHOUT_VERSION_CHECK=1 the web runs without its version check, and the run must end with
differences."""

import argparse
import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from scripts.faults.disk import small_disk
from scripts.load.machine import databases, running_site


def main() -> int:
    given = _arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="nmbrs-faults-")))
        folder.chmod(0o755)
        disk = stack.enter_context(small_disk(folder / "disk"))
        at = disk.folder if disk else None
        postgresql, valkey = stack.enter_context(databases(at))
        site = stack.enter_context(running_site(postgresql))
        from django.db import connection

        from scripts.faults.kinds import WITHOUT_VERSION_CHECK, Machine, Net
        from scripts.faults.striking import (
            LONGEST_STOP,
            Struck,
            play_and_strike,
            take_out_version_check,
        )
        from scripts.load.lesson import Lesson, close_all, sign_in_all, way_in_again

        lesson = Lesson(site, at_tables=given.tables)
        lesson.add(given.children)
        connection.close()
        random = Random(given.seed)
        machine = Machine(site, Net(random), random, postgresql, valkey, disk, clocks=True)
        if given.without_version_check:
            take_out_version_check(site)
        playing = lesson.playing(given.seed, machine.net.deliver)
        way_in_again(playing, lesson.ways_in)

        async def run() -> Struck:
            await sign_in_all(playing, lesson.ways_in, "QR code", given.children / 20)
            struck = await play_and_strike(
                machine,
                playing,
                WITHOUT_VERSION_CHECK if given.without_version_check else machine.kinds(),
                count=given.faults,
                pace=given.pace,
            )
            close_all(playing)
            return struck

        struck = asyncio.run(run())
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
            return int(missed)
        is_stuck = stop > LONGEST_STOP
        return int(bool(compared.differences or struck.without_a_move or machine.unmet or is_stuck))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=2000)
    parser.add_argument("--children", type=int, default=60)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=float, default=0, help="the share of classes at tables")
    parser.add_argument("--without-version-check", action="store_true", help="must differ")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
