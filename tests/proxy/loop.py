"""A client that repeats one request as fast as it is answered: a process of its own, with the
lowest priority, because a real one would have a machine of its own."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import requests
from requests.utils import to_native_string

from tests.proxy.browser import Browser
from tests.proxy.site import Site

SENDER = Path(__file__).parent / "sender.py"


class Loop:
    """Sends until `stop`, except while paused."""

    def __init__(self, site: Site, wire: bytes, connections: int) -> None:
        self.statuses: Counter[str] = Counter()
        self._sender = subprocess.Popen(
            ["nice", "-n", "19", sys.executable, str(SENDER), str(site.https), str(connections)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._sender.stdin is not None
        assert self._sender.stdout is not None
        self._sender.stdin.write(f"{len(wire)}\n".encode() + wire)
        self._sender.stdin.flush()
        assert self._sender.stdout.readline() == b"begun\n"

    def pause(self) -> None:
        self._sender.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._sender.send_signal(signal.SIGCONT)

    def stop(self) -> Counter[str]:
        """How many answers had each status."""
        if self._sender.poll() is not None:
            return self.statuses
        self.go_on()
        out, _ = self._sender.communicate(b"stop\n", timeout=90)
        self.statuses.update(
            {line.split()[0]: int(line.split()[1]) for line in out.decode().splitlines()}
        )
        return self.statuses


@contextmanager
def loop(
    site: Site, browser: Browser, request: requests.Request, connections: int
) -> Iterator[Loop]:
    """Inside, this request is sent on all `connections` at once, on each again as soon as it is
    answered."""
    headers = {"Host": "localhost", "Referer": "https://localhost/", **request.headers}
    url = urljoin(site.url, str(request.url))
    prepared = browser.prepare_request(
        requests.Request(request.method, url, headers=headers, data=request.data)
    )
    lines = [f"{prepared.method} {prepared.path_url} HTTP/1.1"]
    lines += [f"{name}: {to_native_string(value)}" for name, value in prepared.headers.items()]
    body = str(prepared.body or "")
    running = Loop(site, "\r\n".join([*lines, "", body]).encode(), connections)
    try:
        yield running
    finally:
        running.stop()
