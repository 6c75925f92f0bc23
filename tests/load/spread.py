"""A site whose web processes and workers are on several machines, behind one proxy. On this one
machine these are network namespaces with a cable to each or, where these are not permitted,
loopback addresses."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from typing import Final

from tests.proxy import nginx
from tests.proxy.site import SECONDS_TO_COME_UP, WEB_SERVICES, Site, command, niceness

LOOPBACK: Final = ("127.0.0.2", "127.0.0.3")
CABLES: Final = "198.18"
"""Addresses reserved for benchmarks (RFC 2544). No network beyond this machine has them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A machine with its address. A command there begins with `enter`."""

    name: str
    address: str
    enter: tuple[str, ...] = ()


@contextmanager
def two_places() -> Iterator[Sequence[Place]]:
    """Two namespaces or, if they are not permitted, two addresses. The reason is then printed."""
    with ExitStack() as stack:
        try:
            places = [_namespace(stack, number) for number in range(2)]
        except NotPermitted as problem:
            print(f"Without network namespaces: {problem}. Two loopback addresses instead.")
            places = [Place(f"place{number}", address) for number, address in enumerate(LOOPBACK)]
        yield places


class NotPermitted(Exception):
    """No network namespace can be made here."""


def _namespace(stack: ExitStack, number: int) -> Place:
    own = os.getpid() % 250
    name, cable = f"nmbrs-{os.getpid()}-{number}", f"nm{os.getpid()}{number}"
    here, there = (f"{CABLES}.{own}.{4 * number + end}" for end in (1, 2))
    _ip("netns", "add", name)
    stack.callback(subprocess.run, ["ip", "netns", "delete", name], check=False)
    _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
    _ip("address", "add", f"{here}/30", "dev", cable)
    _ip("link", "set", cable, "up")
    for words in (
        ("address", "add", f"{there}/30", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        _ip("-netns", name, *words)
    return Place(f"place{number}", there, ("nsenter", f"--net=/run/netns/{name}"))


def _ip(*words: str) -> None:
    try:
        process = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    except OSError as problem:
        raise NotPermitted(str(problem)) from problem
    if process.returncode:
        raise NotPermitted(f"`ip {' '.join(words)}`: {process.stderr.strip()}")


EVERYWHERE = (*WEB_SERVICES, "worker")


def come_up(site: Site, places: Sequence[Place]) -> None:
    """Start the proxy here, and the other services at each place."""
    site.lay_out()
    _name_servers(site, places)
    site.run("proxy", nginx.command(site.conf))
    for place in places:
        for service in EVERYWHERE:
            _start(site, service, place)
    waited = [(place.address, port) for place in places for port in site.ports.values()]
    deadline = time.monotonic() + SECONDS_TO_COME_UP
    while waited := [server for server in waited if not _answers(*server)]:
        assert time.monotonic() < deadline, f"{waited} did not answer: {site.logs()}"
        time.sleep(0.1)
    for place in places:
        site.wait_for_line(name_at("worker", place), "ready.")


def _answers(address: str, port: int) -> bool:
    connection = HTTPConnection(address, port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def name_at(service: str, place: Place) -> str:
    return f"{service}-at-{place.name}"


def kill_all_at(site: Site, place: Place) -> None:
    """Kill all services of this machine, as if it were unplugged and not started again."""
    for service in EVERYWHERE:
        process = site.processes.pop(name_at(service, place))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _name_servers(site: Site, places: Sequence[Place]) -> None:
    """Let each group of servers in the proxy name its service twice, once for each place."""
    addresses = cycle(place.address for place in places)
    text = site.conf.read_text()
    spread = re.sub(
        r"server 127\.0\.0\.1:(?=\d+ max)", lambda _: f"server {next(addresses)}:", text
    )
    assert spread.count(f"{places[0].address}:") == spread.count(f"{places[1].address}:") > 0
    site.conf.write_text(spread)


def _start(site: Site, service: str, place: Place) -> None:
    replaced = {"0.0.0.0": place.address}
    if service in site.ports:
        replaced["8000"] = str(site.ports[service])
    words = command(service, **replaced)
    if service not in site.ports:
        words += ["-n", f"{place.name}@%h"]
    weight = ["nice", "-n", str(niceness(service))]
    site.run(name_at(service, place), [*place.enter, *weight, *words])
