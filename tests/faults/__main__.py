"""`make faults FAULTS=2000 CHILDREN=60`: children at play while parts of the machine fail, and the
comparison at the end. The same SEED gives the same faults in the same order."""

import argparse
import asyncio
from contextlib import ExitStack
from random import Random

from tests.load.machine import servers, whole_site


def main() -> int:
    given = _arguments()
    with ExitStack() as stack:
        postgresql, valkey = stack.enter_context(servers(stack))
        site = stack.enter_context(whole_site(postgresql))
        from django.db import connection

        from tests.faults.kinds import OF_THE_SERVERS, OF_THE_SITE, Machine, Net
        from tests.faults.striking import Struck, play_and_strike
        from tests.load.lesson import Lesson, close_all, sign_in_all

        lesson = Lesson(site)
        lesson.add(given.children)
        connection.close()
        random = Random(given.seed)
        machine = Machine(site, Net(random), random, postgresql, valkey)
        playing = lesson.playing(given.seed, machine.net.deliver)

        async def run() -> Struck:
            await sign_in_all(playing, lesson.ways_in, "QR code", given.children / 20)
            struck = await play_and_strike(
                machine,
                playing,
                OF_THE_SITE | OF_THE_SERVERS,
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
        return int(bool(compared.differences or struck.without_a_move))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=2000)
    parser.add_argument("--children", type=int, default=60)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
