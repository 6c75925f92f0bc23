"""`make load CHILDREN=300 SECONDS=60 PACE=6`: children at play on the commands of
docker-compose.yml. `SIGN_IN=60` measures a rush instead: all sign in within these seconds."""

import argparse
import asyncio
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from tests.load.machine import servers, spent, whole_site

if TYPE_CHECKING:
    from tests.load.lesson import Lesson
    from tests.proxy.site import Site

REQUESTS: Final = 300
"""That only find out who asks, one after another."""
RAMP: Final = 4
"""Children of a school that sign in within a second before the load begins: the proxy holds back
more of one address."""


def main() -> int:
    given = _arguments()
    failed = False
    with ExitStack() as stack:
        postgresql, _ = stack.enter_context(servers(stack))
        for number in given.children:
            with whole_site(postgresql) as site:
                failed |= _rush(site, number, given) if given.sign_in else False
                failed |= _load(site, postgresql, number, given) if not given.sign_in else False
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--children", type=int, nargs="+", default=[120, 300, 600, 1000, 2000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sign-in", type=float, help="measure a rush of so many seconds")
    return parser.parse_args()


def _rush(site: "Site", number: int, given: argparse.Namespace) -> bool:
    """All sign in within the seconds given, once by pictures and once by QR code."""
    from django.db import connection

    from tests.load.crowd import Tally, share
    from tests.load.lesson import Lesson

    lesson = Lesson(site)
    lesson.add(number)
    connection.close()
    for by in ("pictures", "QR code"):
        lesson.tally = Tally()
        playing = lesson.playing(given.seed)
        asyncio.run(_come_in_and_go(playing, lesson.ways_in, by, given.sign_in))
        seconds = lesson.tally.signed_in
        print(
            f"{number} children sign in by {by} in {given.sign_in:.0f} s: "
            f"{len(seconds):,} requests, p50 {share(seconds, 0.5) * 1e3:.0f} ms, "
            f"p95 {share(seconds, 0.95) * 1e3:.0f} ms, p99 {share(seconds, 0.99) * 1e3:.0f} ms; "
            f"other answers {dict(lesson.tally.answers)}",
            flush=True,
        )
    return False


async def _come_in_and_go(playing: Any, ways_in: Any, by: str, seconds: float) -> None:
    from tests.load.lesson import close_all, sign_in_all

    await sign_in_all(playing, ways_in, by, seconds)
    close_all(playing)


def _load(site: "Site", postgresql: Any, number: int, given: argparse.Namespace) -> bool:
    """All play for the seconds given; whether something differs at the end."""
    from django.db import connection

    from tests.load.lesson import OF_A_SCHOOL, Lesson, close_all, play_all, sign_in_all

    lesson = Lesson(site)
    lesson.add(number)
    lesson.sign_teachers_in()
    connection.close()
    playing = lesson.playing(given.seed)
    ramp = min(number, OF_A_SCHOOL) / RAMP

    async def run() -> tuple[dict[str, float], dict[str, float]]:
        await sign_in_all(playing, lesson.ways_in, "QR code", ramp, sits_down=True)
        before = spent(site, postgresql)
        await _ask_who(playing)
        between = spent(site, postgresql)
        await play_all(lesson, playing, given.seconds, given.pace)
        after = spent(site, postgresql)
        close_all(playing)
        return _less(between, before, REQUESTS), _less(after, between, len(lesson.tally.moves))

    request, move = asyncio.run(run())
    _print(lesson, number, given, request, move)
    compared = lesson.compared()
    print(f"  {compared}", flush=True)
    return bool(compared.differences)


async def _ask_who(playing: Any) -> None:
    """The address of a move, asked for by GET, leads to the game's page without a look at it."""
    game = UUID(int=Random(1).getrandbits(128))
    for n in range(REQUESTS):
        await playing[n % len(playing)].wire.ask("GET", f"/games/{game}/act")


def _less(after: dict[str, float], before: dict[str, float], number: int) -> dict[str, float]:
    """Milliseconds of one of so many."""
    return {part: (after[part] - before[part]) / max(number, 1) * 1e3 for part in after}


def _print(
    lesson: "Lesson",
    number: int,
    given: argparse.Namespace,
    request: dict[str, float],
    move: dict[str, float],
) -> None:
    from tests.load.crowd import share

    tally = lesson.tally
    served = [each.served for each in tally.moves]
    shed = tally.answers["503"]
    others = {name: count for name, count in tally.answers.items() if name != "503"}
    print(
        f"\n{number} children, a move every {given.pace:g} s for {given.seconds:.0f} s: "
        f"{len(served):,} moves, p50 {share(served, 0.5) * 1e3:.0f} ms, "
        f"p95 {share(served, 0.95) * 1e3:.0f} ms, p99 {share(served, 0.99) * 1e3:.0f} ms, "
        f"longest wait {max((each.waited for each in tally.moves), default=0):.1f} s\n"
        f"  shed (503) {shed}, other answers {others}, adults {dict(tally.adults)}, "
        f"{lesson.counted()} reports counted meanwhile"
    )
    whole = sum(request.values()) - request["adults"]
    system = sum(move.values()) - move["adults"]
    parts = ", ".join(f"{part} {move[part]:.2f} ({request[part]:.2f})" for part in move)
    print(
        f"  processor ms a move (a request that finds out who asks): {parts}; "
        f"without adults' pages web ÷ web {move['web'] / request['web']:.1f} (aim 3), "
        f"system ÷ system {system / whole:.1f} (aim 4)",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
