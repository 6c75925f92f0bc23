"""`make load CHILDREN=300 SECONDS=60 PACE=6`: children at play on the commands of
docker-compose.yml. `SIGN_IN=60` measures a rush instead: all sign in within these seconds, while
others play. `SEARCH=1` searches for the largest number of children with whom all aims are met. With
`HANDS=5` five more classes of 30 look at one hand together meanwhile."""

import argparse
import asyncio
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from scripts.load.machine import databases, running_site, spent

if TYPE_CHECKING:
    from scripts.load.aims import Result
    from scripts.load.lesson import Lesson
    from tests.proxy.site import Site

REQUESTS: Final = 300
"""The number of requests that only find out who asks, one after another."""
RAMP: Final = 4
"""The children of a school who sign in within a second before the load begins: the proxy delays
more from one address."""
BESIDE: Final = 120
"""The number of children who already play while the others sign in."""
STEP: Final = 25
"""A search tries numbers this far apart."""


def main() -> int:
    given = _arguments()
    with databases() as (postgresql, _):
        if given.search:
            return int(not _search(postgresql, given))
        failed = False
        for number in given.children:
            with running_site(postgresql) as site:
                if given.sign_in:
                    failed |= _rush(site, number, given)
                else:
                    failed |= _load(site, postgresql, number, given)[1]
        return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.load", description=__doc__)
    parser.add_argument("--children", type=int, nargs="+", default=[120, 300, 600, 1000, 2000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sign-in", type=float, help="measure a rush of this many seconds")
    parser.add_argument("--school", type=int, default=200, help="children behind one address")
    parser.add_argument("--teachers", type=int, default=10, help="who look, at most, in a rush")
    parser.add_argument("--tables", type=float, default=0, help="the share of classes at tables")
    parser.add_argument("--hands", type=int, default=0, help="classes that look at one hand")
    parser.add_argument("--search", action="store_true", help="look for the largest number")
    return parser.parse_args()


def _search(postgresql: Any, given: argparse.Namespace) -> int:
    """The largest number of children, between the given bounds, who are all served soon."""
    from scripts.load.aims import most

    def is_soon(number: int) -> bool:
        with running_site(postgresql) as site:
            result, differs = _load(site, postgresql, number, given)
            return result.is_soon and not differs

    low, high = min(given.children), max(given.children)
    found = most(is_soon, low=low, high=high, step=STEP)
    print(f"\nserved soon: {found or f'not even {low}'} children", flush=True)
    return found


def _rush(site: "Site", number: int, given: argparse.Namespace) -> bool:
    """Let all sign in within the given seconds, once by pictures and once by QR code, while others
    play and teachers look. Returns whether that missed an aim."""
    from django.db import connection

    from scripts.load.aims import missed_at_the_door
    from scripts.load.crowd import share
    from scripts.load.lesson import Lesson

    lesson = Lesson(site, given.school, given.teachers)
    lesson.add(BESIDE)
    lesson.add(number)
    lesson.sign_teachers_in()
    connection.close()
    failed = False
    for by in ("pictures", "QR code"):
        playing = lesson.playing(given.seed)
        asyncio.run(_come_in_beside(lesson, playing, by, given))
        tally = lesson.tally
        seconds, moves = tally.signed_in, [move.served for move in tally.moves]
        print(
            f"\n{number} children sign in by {by} in {given.sign_in:.0f} s: "
            f"{len(seconds):,} requests, p50 {share(seconds, 0.5) * 1e3:.0f} ms, "
            f"p95 {share(seconds, 0.95) * 1e3:.0f} ms, p99 {share(seconds, 0.99) * 1e3:.0f} ms; "
            f"beside them {BESIDE} at play, {len(moves):,} moves, "
            f"p95 {share(moves, 0.95) * 1e3:.0f} ms; adults {dict(tally.adults)}",
            flush=True,
        )
        failed |= _is_missed(missed_at_the_door(seconds, tally.answers, tally.adults))
    return failed


async def _come_in_beside(
    lesson: "Lesson", playing: Any, by: str, given: argparse.Namespace
) -> None:
    from scripts.load.lesson import close_all, play_all, sign_in_all

    at_play, coming = playing[:BESIDE], playing[BESIDE:]
    ramp = BESIDE / RAMP
    await sign_in_all(at_play, lesson.ways_in[:BESIDE], "QR code", ramp, sits_down=True)
    for counted in (lesson.tally.signed_in, lesson.tally.moves, lesson.tally.answers):
        counted.clear()
    lesson.tally.adults.clear()
    await asyncio.gather(
        play_all(lesson, at_play, given.sign_in, given.pace),
        sign_in_all(coming, lesson.ways_in[BESIDE:], by, given.sign_in),
    )
    close_all(playing)


def _load(
    site: "Site", postgresql: Any, number: int, given: argparse.Namespace
) -> "tuple[Result, bool]":
    """Let all play for the given seconds. Returns their results, and whether they missed an aim."""
    from django.db import connection

    from scripts.load.aims import Result, missed
    from scripts.load.hands import OF_A_CLASS, HandsTally, classes_at_hands
    from scripts.load.lesson import OF_A_SCHOOL, Lesson, close_all, play_all, sign_in_all

    lesson = Lesson(site, at_tables=given.tables)
    lesson.add(number)
    lesson.sign_teachers_in()
    first, found = len(lesson.classes), HandsTally()
    lesson.add(given.hands * OF_A_CLASS, OF_A_CLASS)
    playing = lesson.playing(given.seed)
    at_hands = classes_at_hands(lesson, playing, first, found)
    connection.close()
    ramp = min(len(playing), OF_A_SCHOOL) / RAMP

    async def run() -> tuple[dict[str, float], dict[str, float], float]:
        await sign_in_all(playing, lesson.ways_in, "QR code", ramp, sits_down=True)
        before = spent(site, postgresql)
        await _ask_who(playing)
        between = spent(site, postgresql)
        begun = monotonic()
        await asyncio.gather(
            play_all(lesson, playing[:number], given.seconds, given.pace),
            lesson.watch_report(begun + given.seconds),
            *(each.look(begun + given.seconds) for each in at_hands),
        )
        after = spent(site, postgresql)
        close_all(playing)
        moves = len(lesson.tally.moves)
        return _less(between, before, REQUESTS), _less(after, between, moves), begun

    request, move, begun = asyncio.run(run())
    _print(lesson, number, given, request, move)
    _print_shed(lesson, begun)
    if at_hands:
        print(found, flush=True)
    tally = lesson.tally
    result = Result(number, tally.moves, tally.answers, tally.adults, tally.tables.shown)
    compared = lesson.compared()
    print(f"  {compared}", flush=True)
    differs = [f"{len(compared.differences)} differences"] if compared.differences else []
    if given.search:
        return result, bool(differs)
    missed_at_hands = found.missed() if at_hands else []
    return result, _is_missed([*missed(result), *missed_at_hands, *differs])


def _is_missed(missed: list[str]) -> bool:
    """Print what was missed. Returns whether anything was."""
    print(f"  MISSED: {'; '.join(missed)}" if missed else "  all aims reached", flush=True)
    return bool(missed)


async def _ask_who(playing: Any) -> None:
    """Make requests that only find out who asks: a GET to the address of a move leads to the game's
    page without reading the game."""
    game = UUID(int=Random(1).getrandbits(128))
    for n in range(REQUESTS):
        await playing[n % len(playing)].wire.ask("GET", f"/games/{game}/act")


def _less(after: dict[str, float], before: dict[str, float], number: int) -> dict[str, float]:
    """How many milliseconds each of `number` requests took, by part of the machine."""
    return {part: (after[part] - before[part]) / max(number, 1) * 1e3 for part in after}


def _print_shed(lesson: "Lesson", begun: float) -> None:
    """What was told to come again, and how long after all had sat down; before that it is
    negative."""
    for what in ("move", "page", "poll"):
        if at := sorted(moment - begun for moment, kind in lesson.tally.shed if kind == what):
            print(f"  told to come again: {len(at)} × {what}, {at[0]:.1f} s to {at[-1]:.1f} s")


def _print(
    lesson: "Lesson",
    number: int,
    given: argparse.Namespace,
    request: dict[str, float],
    move: dict[str, float],
) -> None:
    from scripts.load.aims import SOON_IN_REPORT, Result
    from scripts.load.crowd import share

    tally = lesson.tally
    served = [each.served for each in tally.moves]
    met = Result(number, tally.moves, tally.answers, tally.adults)
    print(
        f"\n{number} children, a move every {given.pace:g} s for {given.seconds:.0f} s: "
        f"{len(served):,} moves, p50 {share(served, 0.5) * 1e3:.0f} ms, "
        f"p95 {share(served, 0.95) * 1e3:.0f} ms, p99 {share(served, 0.99) * 1e3:.0f} ms, "
        f"longest wait {max((each.waited for each in tally.moves), default=0):.1f} s\n"
        f"  shed (503) {met.shed}, other answers {met.refused}, adults {dict(tally.adults)}\n"
        f"  {len(tally.counted):,} finished rounds, p50 {share(tally.counted, 0.5):.1f} s until in "
        f"the report (aim {SOON_IN_REPORT:g}), longest {max(tally.counted, default=0):.1f} s"
    )
    if shown := tally.tables.shown:
        print(
            f"  {lesson.at_one_table()} tables of several children: {len(shown):,} times a move on "
            f"another's page, p50 {share(shown, 0.5):.2f} s, p95 {share(shown, 0.95):.2f} s, "
            f"longest {max(shown):.1f} s; {tally.tables.polls:,} polls"
        )
    whole, system = (sum(of.values()) - of["adults"] - of["door"] for of in (request, move))
    parts = ", ".join(f"{part} {move[part]:.2f} ({request[part]:.2f})" for part in move)
    print(
        f"  processor ms a move (a request that finds out who asks): {parts}; "
        f"without adults' pages web ÷ web {move['web'] / request['web']:.1f} (aim 3), "
        f"system ÷ system {system / whole:.1f} (aim 4), "
        f"workers ÷ web {move['workers'] / request['web']:.2f} (aim 1)",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
