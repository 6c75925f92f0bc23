"""A site whose web and workers are on several machines, behind one proxy."""

import os
import re
import signal
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from itertools import cycle

from tests.machines.places import Place
from tests.proxy import nginx
from tests.proxy.site import (
    SECONDS_TO_COME_UP,
    WEB_SERVICES,
    Site,
    command,
    niceness,
)

EVERYWHERE = (*WEB_SERVICES, "worker")


def come_up(site: Site, places: Sequence[Place]) -> None:
    """The proxy here, the rest at each place."""
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
        site.wait_for_line(named("worker", place), "ready.")


def _answers(address: str, port: int) -> bool:
    asked = HTTPConnection(address, port, timeout=5)
    try:
        asked.request("GET", "/healthz", headers={"Host": "localhost"})
        return asked.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        asked.close()


def named(service: str, place: Place) -> str:
    return f"{service}-at-{place.name}"


def kill_all_at(site: Site, place: Place) -> None:
    """Like pulling the plug of a machine that nobody starts again."""
    for service in EVERYWHERE:
        process = site.processes.pop(named(service, place))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _name_servers(site: Site, places: Sequence[Place]) -> None:
    """Each group of servers names its service twice: once for each place."""
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
    site.run(named(service, place), [*place.enter, *weight, *words])
