"""One kind of attack after another, and the morning of a school."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from django.db import connection

from scripts.faults.run import start_again
from scripts.load.crowd import come_in, share, watch_class
from scripts.load.lesson import Lesson, close_all
from scripts.load.wire import Wire
from scripts.siege.attacks import KINDS, MORNING
from scripts.siege.world import AnswerTimes, Place, facts, measure_lags, sign_teacher_in
from tests.proxy.site import Site

CLASSES: Final = {"same": (20, 20, 10), "other": (25, 25)}
"""The children of each class; each class has a teacher."""
SIGN_IN_SECONDS: Final = 20
WARM_SECONDS: Final = 3
"""The site has just started, so nothing counts for this long."""
SECONDS_TO_END: Final = 120
MOST_SLOWDOWN: Final = 3
"""An attack may slow children at another address down by this factor."""
CHILDREN_OF_A_SCHOOL: Final = 600
CLASSES_OF_A_SCHOOL: Final = 30
MORNING_FACTOR: Final = 10
"""The morning lasts this many times as long as an attack: ten minutes if an attack lasts one."""
HEAD: Final = (
    f"{'kind':10}{'at':7}{'moves':>7}{'p50':>7}{'p95':>7}{'longest':>9}  "
    f"{'teachers p50':>13}{'p95':>7}  {'door p50':>9}{'p95':>7}{'longest':>9}  errors"
)


def run(site: Site, options: argparse.Namespace) -> list[str]:
    """Run the attacks and the morning, and return the missed aims."""
    attacks = [kind for kind in options.kinds if kind != MORNING]
    found = _siege(site, attacks, options) if attacks else []
    return [*found, *(_morning(site, options) if MORNING in options.kinds else [])]


def _siege(site: Site, kinds: list[str], options: argparse.Namespace) -> list[str]:
    """Run these attacks and return the missed aims. Each kind has a new address, so that earlier
    attacks do not count against it."""
    places = {name: Place(site, classes, options.seed) for name, classes in CLASSES.items()}
    (site.folder / "facts.json").write_text(json.dumps(facts(site)))
    connection.close()

    async def run() -> list[str]:
        places["other"].move_to("127.0.2.1")
        places["same"].move_to("127.0.2.2")
        await asyncio.gather(*(place.sit_down(SIGN_IN_SECONDS) for place in places.values()))
        print(HEAD, flush=True)
        quiet = await _under_attack("quiet", site, places, options)
        found = missed_aims("quiet", quiet, {})
        for number, kind in enumerate(kinds):
            places["same"].move_to(f"127.0.3.{number + 1}")
            found += missed_aims(kind, await _under_attack(kind, site, places, options), quiet)
        for place in places.values():
            place.close()
        return found

    found = asyncio.run(run())
    for name, place in places.items():
        compared = place.lesson.compared()
        found += [f"{name}: {difference}" for difference in compared.differences]
    return found


async def _under_attack(
    kind: str, site: Site, places: dict[str, Place], options: argparse.Namespace
) -> dict[str, AnswerTimes]:
    """The answer times at each place during an attack on a site that has just started."""
    start_again(site, *site.ports)
    await asyncio.gather(*(place.measure(WARM_SECONDS, 1) for place in places.values()))
    if kind in KINDS:
        attack(site, kind, places["same"].address, options.seconds)
    lags: list[float] = []
    lag = asyncio.create_task(measure_lags(options.seconds, lags))
    times = await asyncio.gather(
        *(place.measure(options.seconds, options.pace) for place in places.values())
    )
    await lag
    found = dict(zip(places, times, strict=True))
    _print(
        kind,
        found,
        lags,
        await asyncio.to_thread(attacker_results, site) if kind in KINDS else None,
    )
    return found


def attack(site: Site, kind: str, address: str, seconds: float) -> None:
    words = [kind, str(site.https), address, str(seconds), str(site.folder / "facts.json")]
    (site.folder / "attack.log").unlink(missing_ok=True)
    module = [sys.executable, "-m", "scripts.siege.attacks"]
    site.run("attack", ["nice", "-n", "19", *module, *words])


def attacker_results(site: Site) -> dict[str, Any]:
    process = site.processes["attack"]
    with suppress(subprocess.TimeoutExpired):
        process.wait(SECONDS_TO_END)
    site.stop("attack")
    written = site.logs()["attack"]
    assert written.startswith("{"), written
    return dict(json.loads(written))


def missed_aims(
    kind: str, answer_times: dict[str, AnswerTimes], quiet: dict[str, AnswerTimes]
) -> list[str]:
    missed = []
    for place, here in answer_times.items():
        for who, errors in here.errors.items():
            if errors:
                missed.append(f"{kind}, {place} address: {who} got {errors}")
    if quiet:
        late, usual = (share(times["other"].children, 0.95) for times in (answer_times, quiet))
        if not late <= MOST_SLOWDOWN * usual:
            missed.append(
                f"{kind}, other address: children's p95 is {late * 1e3:.0f} ms, "
                f"quiet {usual * 1e3:.0f}"
            )
    return missed


def _print(
    kind: str,
    answer_times: dict[str, AnswerTimes],
    lags: list[float],
    attack_result: dict[str, Any] | None,
) -> None:
    def ms(seconds: list[float], part: float, width: int = 7) -> str:
        return f"{share(seconds, part) * 1e3:{width}.0f}"

    for place, here in answer_times.items():
        errors = {who: answers for who, answers in here.errors.items() if answers}
        print(
            f"{kind:10}{place:7}{len(here.children):7}{ms(here.children, 0.5)}"
            f"{ms(here.children, 0.95)}{ms(here.children, 1, 9)}  "
            f"{ms(here.teachers, 0.5, 13)}{ms(here.teachers, 0.95)}  "
            f"{ms(here.door, 0.5, 9)}{ms(here.door, 0.95)}{ms(here.door, 1, 9)}  {errors or 'none'}"
        )
    print(f"{'':10}clients late p95 {ms(lags, 0.95, 1)} ms, load {os.getloadavg()[0]:.1f}", end="")
    print(
        f"; attacker got {attack_result['answers']} in {attack_result['cpu']:.1f} s of processor"
        if attack_result
        else "",
        flush=True,
    )


def _morning(site: Site, options: argparse.Namespace) -> list[str]:
    """Let the children of a school behind one address sign in. Return every answer that was not a
    page."""
    lesson = Lesson(site)
    for _ in range(CLASSES_OF_A_SCHOOL):
        lesson.add(CHILDREN_OF_A_SCHOOL // CLASSES_OF_A_SCHOOL)
    for teacher in lesson.teachers:
        site.teacher(teacher)
    connection.close()
    playing = lesson.playing(options.seed)
    lesson.move_to("127.0.4.1")
    asyncio.run(_sign_school_in(lesson, playing, MORNING_FACTOR * options.seconds, options))
    tally = lesson.tally

    moves = [move.waited for move in tally.moves]
    print(
        f"{MORNING}: {CHILDREN_OF_A_SCHOOL} children and {CLASSES_OF_A_SCHOOL} teachers within "
        f"{MORNING_FACTOR * options.seconds:.0f} s: {len(tally.signed_in):,} requests at the door, "
        f"p95 {share(tally.signed_in, 0.95) * 1e3:.0f} ms; {len(moves):,} moves, "
        f"p95 {share(moves, 0.95) * 1e3:.0f} ms; teachers {dict(tally.adults)}, "
        f"p95 {share(tally.looks, 0.95) * 1e3:.0f} ms; other answers {dict(tally.answers)}",
        flush=True,
    )
    return [
        f"{MORNING}: {who} got {errors}"
        for who, errors in (("children", dict(tally.answers)), ("teachers", tally.adult_errors))
        if errors
    ]


async def _sign_school_in(
    lesson: Lesson, playing: Any, seconds: float, options: argparse.Namespace
) -> None:
    """Let a school sign in class by class: two of three children by pictures, the others by QR
    code; then they play."""
    until = monotonic() + seconds

    async def child(number: int) -> None:
        await asyncio.sleep(seconds * number / len(playing))
        ways_in = lesson.ways_in[number]
        await come_in(playing[number], ways_in["pictures" if number % 3 else "QR code"])
        await playing[number].play(until, options.pace)

    async def teacher(number: int) -> None:
        await asyncio.sleep(seconds * number / len(lesson.teachers))
        wire = Wire(lesson.site.https, "127.0.4.1", lesson.context)
        await sign_teacher_in(wire, lesson.tally, lesson.teachers[number].email)
        await watch_class(wire, str(lesson.classes[number].pk), lesson.tally, until)

    children, teachers = range(len(playing)), range(len(lesson.teachers))
    await asyncio.gather(*map(child, children), *map(teacher, teachers))
    close_all(playing)
