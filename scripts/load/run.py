"""Lets children play, or rush to the door."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any, Final
from uuid import UUID

from django.db import connection

from scripts.load.crowd import Move, share
from scripts.load.hands import CHILDREN_OF_A_CLASS, HandsTally, classes_at_hands
from scripts.load.lesson import CHILDREN_OF_A_SCHOOL, Lesson, close_all, play_all, sign_in_all
from scripts.load.machine import running_site, spent
from tests.proxy.site import Site

# The aims of a load, and a sentence for each that was missed.

SOON_SECONDS: Final = 0.2
"""The p95 of the seconds until a move is answered."""
SHOWN_SECONDS: Final = 1.5
"""The p95 of the seconds until a move at a table is on the pages of the others."""
LATEST_SECONDS: Final = 5.0
"""The p99 of the seconds until a served move is answered, however many children come."""
SOON_AT_THE_DOOR: Final = 1.0
"""The p95 of the seconds until a request of a sign-in is answered."""
SOON_IN_REPORT: Final = 5.0
"""The median of the seconds until a finished round is in the report. The comparison at the end
fails if one takes longer than a minute."""
MOST_SERVED_SOON: Final = 1000
"""The largest number of children who must all be served soon."""
SHED: Final = ("503", "503 at sign-in")
UNCHANGED: Final = frozenset({"200", "304"})


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a load for its children: times in seconds, and answers other than a page."""

    number: int
    moves: Sequence[Move]
    answers: Mapping[str, int]
    adults: Mapping[str, int]
    shown: Sequence[float] = ()
    """The seconds until a move was on another child's page at the table."""

    @property
    def served(self) -> list[float]:
        return [move.served for move in self.moves]

    @property
    def refused(self) -> dict[str, int]:
        """Requests of children that were refused, except those told to come again."""
        return {name: n for name, n in self.answers.items() if name not in SHED and n}

    @property
    def shed(self) -> int:
        """Requests of children that were told to come again."""
        return sum(self.answers.get(name, 0) for name in SHED)


def missed_aims(result: Result) -> list[str]:
    lines = []
    slow, latest = share(result.served, 0.95), share(result.served, 0.99)
    if not result.moves:
        lines.append("no move was answered")
    elif result.number <= MOST_SERVED_SOON and not slow < SOON_SECONDS:
        lines.append(f"p95 is {slow * 1e3:.0f} ms, not under {SOON_SECONDS * 1e3:.0f}")
    elif not latest <= LATEST_SECONDS:
        lines.append(f"p99 of those served is {latest:.1f} s, not {LATEST_SECONDS:.0f} at most")
    if result.shown and not (slowest := share(result.shown, 0.95)) <= SHOWN_SECONDS:
        lines.append(f"others saw 95 of 100 moves within {slowest:.1f} s, not {SHOWN_SECONDS:g}")
    if result.refused:
        lines.append(f"children got {result.refused}")
    if result.number <= MOST_SERVED_SOON and result.shed:
        lines.append(f"{result.shed} requests were told to come again")
    answers = {name: n for name, n in result.adults.items() if name not in UNCHANGED and n}
    if result.number > MOST_SERVED_SOON:
        answers.pop("503", None)
    if answers:
        lines.append(f"teachers got {answers}")
    return lines


def missed_at_the_door(
    seconds: Sequence[float], answers: Mapping[str, int], adults: Mapping[str, int]
) -> list[str]:
    """The aims that were missed for children who sign in and for teachers who work at the same
    time."""
    lines = []
    slow = share(seconds, 0.95)
    if not slow <= SOON_AT_THE_DOOR:
        lines.append(f"p95 is {slow:.1f} s, not {SOON_AT_THE_DOOR:.0f} at most")
    if bad_answers := {name: count for name, count in answers.items() if count}:
        lines.append(f"children got {bad_answers}")
    if bad_answers := {name: n for name, n in adults.items() if name not in UNCHANGED and n}:
        lines.append(f"teachers got {bad_answers}")
    return lines


REQUESTS: Final = 300
"""The number of requests, one after another, that only identify the user."""
SIGN_INS_PER_SECOND: Final = 4
"""This many children of a school sign in within a second before the load begins, because the proxy
delays more from one address."""
CHILDREN_BESIDE: Final = 120
"""The number of children who already play while the others sign in."""


def run(postgresql: Any, options: argparse.Namespace) -> bool:
    """Do what the options ask for; return whether an aim was missed."""
    failed = False
    for number in options.children:
        with running_site(postgresql) as site:
            if options.sign_in:
                failed |= _rush(site, number, options)
            else:
                failed |= _load(site, postgresql, number, options)
    return failed


def _rush(site: Site, number: int, options: argparse.Namespace) -> bool:
    """Let all sign in within the given seconds, once by pictures and once by QR code, while others
    play and teachers look. Return whether an aim was missed."""
    lesson = Lesson(site, options.school, options.teachers)
    lesson.add(CHILDREN_BESIDE)
    lesson.add(number)
    lesson.sign_teachers_in()
    connection.close()
    failed = False
    for by in ("pictures", "QR code"):
        playing = lesson.playing(options.seed)
        asyncio.run(_come_in_beside(lesson, playing, by, options))
        tally = lesson.tally
        seconds, moves = tally.signed_in, [move.served for move in tally.moves]
        print(
            f"\n{number} children sign in by {by} in {options.sign_in:.0f} s: "
            f"{len(seconds):,} requests, p50 {share(seconds, 0.5) * 1e3:.0f} ms, "
            f"p95 {share(seconds, 0.95) * 1e3:.0f} ms, p99 {share(seconds, 0.99) * 1e3:.0f} ms; "
            f"beside them {CHILDREN_BESIDE} at play, {len(moves):,} moves, "
            f"p95 {share(moves, 0.95) * 1e3:.0f} ms; adults {dict(tally.adults)}",
            flush=True,
        )
        failed |= _is_missed(missed_at_the_door(seconds, tally.answers, tally.adults))
    return failed


async def _come_in_beside(
    lesson: Lesson, playing: Any, by: str, options: argparse.Namespace
) -> None:
    at_play, coming = playing[:CHILDREN_BESIDE], playing[CHILDREN_BESIDE:]
    ramp = CHILDREN_BESIDE / SIGN_INS_PER_SECOND
    await sign_in_all(at_play, lesson.ways_in[:CHILDREN_BESIDE], "QR code", ramp, sits_down=True)
    for counted in (lesson.tally.signed_in, lesson.tally.moves, lesson.tally.answers):
        counted.clear()
    lesson.tally.adults.clear()
    await asyncio.gather(
        play_all(lesson, at_play, options.sign_in, options.pace),
        sign_in_all(coming, lesson.ways_in[CHILDREN_BESIDE:], by, options.sign_in),
    )
    close_all(playing)


def _load(site: Site, postgresql: Any, number: int, options: argparse.Namespace) -> bool:
    """Let all play for the given seconds. Return whether an aim was missed."""
    lesson = Lesson(site, at_tables=options.tables)
    lesson.add(number)
    lesson.sign_teachers_in()
    first, hands_tally = len(lesson.classes), HandsTally()
    lesson.add(options.hands * CHILDREN_OF_A_CLASS, CHILDREN_OF_A_CLASS)
    playing = lesson.playing(options.seed)
    at_hands = classes_at_hands(lesson, playing, first, hands_tally)
    connection.close()
    ramp = min(len(playing), CHILDREN_OF_A_SCHOOL) / SIGN_INS_PER_SECOND

    async def run() -> tuple[dict[str, float], dict[str, float], float]:
        await sign_in_all(playing, lesson.ways_in, "QR code", ramp, sits_down=True)
        before = spent(site, postgresql)
        await _identify_users(playing)
        between = spent(site, postgresql)
        start = monotonic()
        await asyncio.gather(
            play_all(lesson, playing[:number], options.seconds, options.pace),
            lesson.watch_report(start + options.seconds),
            *(school_class.look(start + options.seconds) for school_class in at_hands),
        )
        after = spent(site, postgresql)
        close_all(playing)
        moves = len(lesson.tally.moves)
        return _milliseconds(between, before, REQUESTS), _milliseconds(after, between, moves), start

    request, move, begun = asyncio.run(run())
    _print_result(lesson, number, options, request, move)
    _print_shed_requests(lesson, begun)
    if at_hands:
        print(hands_tally, flush=True)
    tally = lesson.tally
    result = Result(number, tally.moves, tally.answers, tally.adults, tally.tables.shown)
    compared = lesson.compared()
    print(f"  {compared}", flush=True)
    differs = [f"{len(compared.differences)} differences"] if compared.differences else []
    missed_at_hands = hands_tally.missed() if at_hands else []
    return _is_missed([*missed_aims(result), *missed_at_hands, *differs])


def _is_missed(missed: list[str]) -> bool:
    """Print what was missed; return whether anything was."""
    print(f"  MISSED: {'; '.join(missed)}" if missed else "  all aims reached", flush=True)
    return bool(missed)


async def _identify_users(playing: Any) -> None:
    """Make requests that only identify the user: a GET to the address of a move leads to the game's
    page without reading the game."""
    game = UUID(int=Random(1).getrandbits(128))
    for n in range(REQUESTS):
        await playing[n % len(playing)].wire.ask("GET", f"/games/{game}/act")


def _milliseconds(
    after: dict[str, float], before: dict[str, float], number: int
) -> dict[str, float]:
    """The milliseconds of each of `number` requests, by part of the machine."""
    return {part: (after[part] - before[part]) / max(number, 1) * 1e3 for part in after}


def _print_shed_requests(lesson: Lesson, start: float) -> None:
    """Print how many requests were told to come again, and the first and last time: in seconds
    after everyone had sat down, so some are negative."""
    for what in ("move", "page", "poll"):
        if at := sorted(
            moment - start for moment, kind in lesson.tally.shed_requests if kind == what
        ):
            print(f"  told to come again: {len(at)} × {what}, {at[0]:.1f} s to {at[-1]:.1f} s")


def _print_result(
    lesson: Lesson,
    number: int,
    options: argparse.Namespace,
    request: dict[str, float],
    move: dict[str, float],
) -> None:
    tally = lesson.tally
    served = [each.served for each in tally.moves]
    result = Result(number, tally.moves, tally.answers, tally.adults)
    print(
        f"\n{number} children, a move every {options.pace:g} s for {options.seconds:.0f} s: "
        f"{len(served):,} moves, p50 {share(served, 0.5) * 1e3:.0f} ms, "
        f"p95 {share(served, 0.95) * 1e3:.0f} ms, p99 {share(served, 0.99) * 1e3:.0f} ms, "
        f"longest wait {max((each.waited for each in tally.moves), default=0):.1f} s\n"
        f"  shed (503) {result.shed}, other answers {result.refused}, adults {dict(tally.adults)}"
    )
    if counted := tally.counted:
        print(
            f"  {len(counted):,} finished rounds, p50 {share(counted, 0.5):.1f} s until in the "
            f"report (aim {SOON_IN_REPORT:g}), longest {max(counted):.1f} s"
        )
    if shown := tally.tables.shown:
        print(
            f"  {lesson.games_of_several()} tables of several children: "
            f"{len(shown):,} times a move on another's page, p50 {share(shown, 0.5):.2f} s, "
            f"p95 {share(shown, 0.95):.2f} s, longest {max(shown):.1f} s; "
            f"{tally.tables.polls:,} polls"
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
