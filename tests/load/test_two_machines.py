"""Children play on two machines with web processes and workers, and one of the machines
disappears."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

import pytest
from django.db import connection
from kombu import Connection

from classrooms.progress.tasks import look_for_dirty
from scripts.load.crowd import PlannedRequest, PlayingChild
from scripts.load.lesson import SECONDS_ON_A_BUSY_MACHINE, Lesson, close_all, sign_in_all
from scripts.load.machine import processes, spent_below
from tests.load import spread
from tests.load.conftest import run_apart
from tests.load.spread import Place, come_up, kill_all_at, name_at, two_places
from tests.proxy.site import Site, production_environment
from tests.repository import ROOT

CHILDREN = 40
MOVES = 4000
"""The moves of all children, before and after."""
PACE = 0.1
MOST_SECONDS = 90


@pytest.fixture
def places() -> Iterator[Sequence[Place]]:
    with two_places() as two:
        yield two


@pytest.fixture
def site(transactional_db: None, tmp_path: Path, places: Sequence[Place]) -> Iterator[Site]:
    (tmp_path / "mail").mkdir()
    running = Site(tmp_path, production_environment(EMAIL_URL=f"filemail:///{tmp_path}/mail"))
    try:
        come_up(running, places)
        yield running
    finally:
        running.stop()


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_a_lost_machine_only_causes_a_wait(site: Site, places: Sequence[Place]) -> None:
    lost, rest = places
    lesson = Lesson(site)
    lesson.add(CHILDREN)
    counts: Counter[int] = Counter()

    async def deliver(child: PlayingChild, plan: PlannedRequest) -> None:
        counts[id(child)] += 1

    playing, tally = lesson.playing(1, deliver), lesson.tally
    spent: dict[str, list[float]] = {place.name: [_of_the_web(site, place)] for place in places}

    async def run() -> float:
        await sign_in_all(playing, lesson.ways_in, "QR code", 0.2)
        at_play = [asyncio.create_task(child.play(float("inf"), PACE)) for child in playing]
        await _until(lambda: len(tally.moves) >= MOVES)
        for place in places:
            spent[place.name].append(_of_the_web(site, place))
        kill_all_at(site, lost)
        killed, so_far = monotonic(), len(tally.moves)
        counts.clear()
        await _until(lambda: len(tally.moves) >= so_far + MOVES)
        # Each child sends the third move after the answer to the second.
        await _until(lambda: all(counts[id(child)] > 2 for child in playing))
        tally.is_over = True
        await asyncio.gather(*at_play)
        close_all(playing)
        return max(move.waited for move in tally.moves if move.at + move.waited >= killed)

    connection.close()
    longest = run_apart(run())
    print(
        f"{[place.address for place in places]}, {len(tally.moves)} moves, "
        f"a child waited {longest:.1f} s at most, other answers {dict(tally.answers)}"
    )
    # Both machines were at work, and requests to the lost machine were told to come again.
    assert all(after > before for before, after in spent.values())
    assert not any(answer.startswith(("4", "500")) for answer in tally.answers), tally.answers
    # As beat does: Redis delivers a killed worker's messages again only after minutes.
    with Connection(site.environment["REDIS_URL"]) as broker:
        look_for_dirty.apply_async(connection=broker)
    compared = lesson.compared(SECONDS_ON_A_BUSY_MACHINE)
    assert compared.acknowledged >= 2 * MOVES
    assert compared.differences == [], str(compared)
    assert site.processes[name_at("worker", rest)].poll() is None
    command = [sys.executable, "manage.py", "check_worker", "--timeout", str(MOST_SECONDS)]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(MOST_SECONDS):
        while not condition():
            await asyncio.sleep(0.05)


def _of_the_web(site: Site, place: Place) -> float:
    """Processor seconds of the children's web processes there."""
    return spent_below(site.processes[name_at("web", place)].pid, processes())


def test_without_namespaces_two_addresses_are_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*words: str) -> None:
        raise spread.NotPermitted(f"`ip {words[0]}`: Operation not permitted")

    monkeypatch.setattr(spread, "_ip", refuse)
    with spread.two_places() as places:
        assert [place.address for place in places] == ["127.0.0.2", "127.0.0.3"]
        assert all(place.enter == () for place in places)
    assert "Operation not permitted. Two loopback addresses" in capsys.readouterr().out
