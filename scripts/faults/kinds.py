"""The kinds of faults, and the recovery: as in docker-compose.yml, a service that has ended is
started again."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

import redis
from django.db import connection

from scripts.faults.disk import Disk
from scripts.load.crowd import PlannedRequest, PlayingChild, ask
from scripts.load.wire import GaveUp
from tests.proxy.site import Site, workers_of

# A wrong clock for some processes. Libraries that change the clock of a whole process make its
# waits fail or never end once the machine is busy, so only the date that Python reads is changed.


WRONG_CLOCK: Final = Path(__file__).parent / "wrong_clock"
DAYS: Final = {"ahead": 1, "behind": -1}


def wrong(way: str) -> dict[str, str]:
    """The environment of a Python process whose date is a day wrong."""
    return {"PYTHONPATH": str(WRONG_CLOCK), "WRONG_DAYS": str(DAYS[way])}


def seconds(environment: dict[str, str]) -> float:
    """Seconds since 1970 by the clock of a process with this environment."""
    command = [sys.executable, "-c", "import time; print(time.time())"]
    full_environment = {**os.environ, **environment}
    return float(
        subprocess.run(command, env=full_environment, capture_output=True, check=True).stdout
    )


RESTART_SECONDS: Final = 0.5
"""The wait before a service that has ended is started again."""
AWAY_SECONDS: Final = 2.0
"""The seconds for which a server is stopped or frozen, or the network misbehaves."""
LATEST_SECONDS: Final = 3.0
TRIES_TO_START: Final = 6
LONGEST_NET_SECONDS: Final = 20.0
MOVES_CHANGED: Final = 24
"""The network misbehaves for at least this many moves, or fewer if that takes too long."""
LONGEST_FULL: Final = 20.0
LONGEST_START: Final = 40.0


@dataclass(slots=True)
class Net:
    """The network of the moves. They arrive once and in time, or as `way` says."""

    random: Random
    way: str = ""
    copies: "set[asyncio.Task[None]]" = field(default_factory=set)
    moves_changed: int = 0

    async def deliver(self, playing: PlayingChild, plan: PlannedRequest) -> None:
        self.moves_changed += 1
        if self.way == "doubled":
            self._copy(playing, plan, 0)
        elif self.way == "late":
            self._copy(playing, plan, self.random.uniform(0.2, LATEST_SECONDS))
        elif self.way == "reordered" and (rival := playing.at_play.rival()) and rival.entry:
            playing.tally.journal.append(rival.entry)
            await self._send(playing, rival, 0)
        elif self.way == "old" and (rival := playing.at_play.rival()) and rival.entry:
            playing.tally.journal.append(rival.entry)
            self._copy(playing, rival, self.random.uniform(0.2, LATEST_SECONDS))
        else:
            self.moves_changed -= 1

    def _copy(self, playing: PlayingChild, plan: PlannedRequest, wait: float) -> None:
        task = asyncio.create_task(self._send(playing, plan, wait))
        self.copies.add(task)
        task.add_done_callback(self.copies.discard)

    @staticmethod
    async def _send(playing: PlayingChild, plan: PlannedRequest, wait: float) -> None:
        await asyncio.sleep(wait)
        window = playing.wire.copy()
        try:
            await ask(window, plan)
        except GaveUp as problem:
            playing.tally.answers[f"{problem} in a second window"] += 1
        finally:
            window.close()


@dataclass(slots=True)
class Machine:
    """The targets of the faults. `postgresql` and `valkey` are set only if they belong to this
    machine."""

    site: Site
    net: Net
    random: Random
    postgresql: Any = None
    valkey: Any = None
    disk: Disk | None = None
    can_set_clocks: bool = False
    harmless: list[str] = field(default_factory=list)
    """The faults that hit no move."""
    ended: Counter[str] = field(default_factory=Counter)
    """The number of times that each service has ended by itself."""

    def start_ended(self) -> None:
        """Start what has ended by itself, as docker-compose.yml does. A Celery worker ends if it
        does not recover from a lost Redis."""
        for service, process in list(self.site.processes.items()):
            if process.poll() is not None:
                self.ended[service] += 1
                self.site.start(service)

    def kinds(self) -> "dict[str, Fault]":
        """The faults that can happen here."""
        return {
            **SITE_FAULTS,
            **(CLOCK_FAULTS if self.can_set_clocks else {}),
            **(SERVER_FAULTS if self.postgresql else {}),
            **(DISK_FAULTS if self.disk else {}),
        }


async def _kill_worker(machine: Machine, service: str) -> None:
    below = sorted(workers_of(machine.site.processes[service].pid))
    if below:
        os.kill(machine.random.choice(below), signal.SIGKILL)


async def _kill_service(machine: Machine, service: str) -> None:
    process = machine.site.processes[service]
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    await asyncio.sleep(RESTART_SECONDS)
    # In this thread, because a service ends with the thread that started it.
    machine.site.start(service)


async def _web_worker(machine: Machine) -> None:
    await _kill_worker(machine, "web")


async def _web(machine: Machine) -> None:
    await _kill_service(machine, "web")


async def _celery_child(machine: Machine) -> None:
    await _kill_worker(machine, "worker")


async def _worker(machine: Machine) -> None:
    await _kill_service(machine, "worker")


async def _postgresql(machine: Machine) -> None:
    """Stop PostgreSQL like `pg_ctl stop -m immediate`, which is like a power cut."""
    pid = machine.postgresql.get_pid()
    os.kill(pid, signal.SIGQUIT)
    while _is_running(pid):
        await asyncio.sleep(0.05)
    await asyncio.sleep(RESTART_SECONDS)
    await asyncio.to_thread(_start, machine.postgresql)


def _start(postgresql: Any) -> None:
    """Start PostgreSQL. Each try waits 10 seconds, but its recovery may take longer."""
    for attempt in range(TRIES_TO_START):
        try:
            postgresql.ensure_postgres_running()
            return
        except subprocess.SubprocessError:
            if attempt == TRIES_TO_START - 1:
                raise


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as status:
            return status.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def _connections(machine: Machine) -> None:
    await asyncio.to_thread(_drop_connections)


def _drop_connections() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()


async def _valkey_stopped(machine: Machine) -> None:
    await asyncio.to_thread(machine.valkey.stop)
    await asyncio.sleep(AWAY_SECONDS)
    await asyncio.to_thread(machine.valkey.start)


async def _valkey_flushed(machine: Machine) -> None:
    path = machine.site.environment["REDIS_URL"].replace("redis+socket", "unix")
    url, _, number = path.partition("?virtual_host=")
    client = redis.Redis.from_url(f"{url}?db={number or 0}")
    await asyncio.to_thread(client.flushdb)
    client.close()


async def _valkey_frozen(machine: Machine) -> None:
    process = machine.valkey._process
    process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(AWAY_SECONDS)
    process.send_signal(signal.SIGCONT)


def _net(way: str) -> Callable[[Machine], Awaitable[None]]:
    async def fault(machine: Machine) -> None:
        before = machine.net.moves_changed
        deadline = monotonic() + LONGEST_NET_SECONDS
        machine.net.way = way
        await asyncio.sleep(AWAY_SECONDS)
        while machine.net.moves_changed < before + MOVES_CHANGED and monotonic() < deadline:
            await asyncio.sleep(0.1)
        machine.net.way = ""

    return fault


async def _disk_full(machine: Machine) -> None:
    """Fill the disk until PostgreSQL has noticed, and a little longer. Without room for its log of
    changes PostgreSQL ends; then it is started again, as by `restart: unless-stopped`."""
    assert machine.disk
    log = machine.postgresql.log
    before, deadline = _disk_full_count(log), monotonic() + LONGEST_FULL
    machine.disk.fill()
    try:
        while _disk_full_count(log) == before and monotonic() < deadline:
            await asyncio.sleep(0.1)
        if _disk_full_count(log) == before:
            machine.harmless.append("the database's disk full")
        await asyncio.sleep(AWAY_SECONDS)
    finally:
        machine.disk.free()
    if not _is_running(machine.postgresql.get_pid()):
        await asyncio.to_thread(_start, machine.postgresql)


def _disk_full_count(log: Path) -> int:
    return log.read_text(errors="replace").count("No space left on device")


def _clock(service: str, way: str) -> Callable[[Machine], Awaitable[None]]:
    """The fault that sets the clock of a whole service wrong by a day, and then right."""

    async def fault(machine: Machine) -> None:
        machine.site.more[service] = wrong(way)
        try:
            await _kill_service(machine, service)
            await _wait_until_up(machine, service)
            await asyncio.sleep(AWAY_SECONDS)
        finally:
            del machine.site.more[service]
        await _kill_service(machine, service)

    return fault


async def _wait_until_up(machine: Machine, service: str) -> None:
    """Wait until the service is up, and restart services that end by themselves meanwhile."""
    before = machine.site.logs()[service].count("ready.")
    deadline = monotonic() + LONGEST_START
    while not await _is_up(machine, service, before) and monotonic() < deadline:
        machine.start_ended()
        await asyncio.sleep(0.2)


async def _is_up(machine: Machine, service: str, before: int) -> bool:
    """Whether the service is up: its log has said "ready." more than `before` times."""
    if service in machine.site.ports:
        return not await asyncio.to_thread(machine.site.silent)
    return machine.site.logs()[service].count("ready.") > before


Fault = Callable[[Machine], Awaitable[None]]

SITE_FAULTS: Final[dict[str, Fault]] = {
    "a web worker killed": _web_worker,
    "all of the web killed": _web,
    "a Celery child killed": _celery_child,
    "all of the worker killed": _worker,
    "the database's connections dropped": _connections,
    "Valkey flushed": _valkey_flushed,
    "each move sent twice": _net("doubled"),
    "a second window's move first": _net("reordered"),
    "each move sent again late": _net("late"),
}
"""The faults that do not touch PostgreSQL and Valkey, which other tests share."""
SERVER_FAULTS: Final[dict[str, Fault]] = {
    "PostgreSQL stopped at once": _postgresql,
    "Valkey stopped": _valkey_stopped,
    "Valkey frozen": _valkey_frozen,
}
WITHOUT_VERSION_CHECK: Final[dict[str, Fault]] = {"a second window's old move": _net("old")}
"""The fault that makes differences if the web has no version check: of two simultaneous moves, the
second is mostly illegal after the first, but it is legal in a later turn."""
DISK_FAULTS: Final[dict[str, Fault]] = {"the database's disk full": _disk_full}
CLOCK_FAULTS: Final[dict[str, Fault]] = {
    f"the {service}'s clock a day {way}": _clock(service, way)
    for service in ("web", "worker")
    for way in DAYS
}
