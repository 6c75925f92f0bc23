"""nginx alone, in front of servers that do what a test wants."""

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import requests

from classrooms import passes
from nmbrs_edu.middleware import PREFIX
from nmbrs_edu.run.processes import die_with_parent
from tests.plugins.servers import free_port
from tests.proxy import nginx
from tests.proxy.browser import Browser
from tests.proxy.site import SERVICES, WEB_SERVICES

SECONDS_TO_COME_UP: Final = 180


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that nginx has passed on."""

    method: str
    path: str
    headers: dict[str, str]


Answer = Callable[[Asked], bytes | None]
"""Returns the bytes to send back, or None to close the connection without an answer."""


def well(request: Asked, body: str = "well", **headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{lines}\r\n{body}".encode()


@dataclass(slots=True)
class StandIn:
    """A server in place of web, door or adults. `answer` may be changed at any time."""

    answer: Answer = well
    asked: list[Asked] = field(default_factory=list)
    _socket: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        number: int = self._socket.getsockname()[1]
        return number

    def start(self) -> None:
        self._socket.listen(1024)
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            first = lines.readline().decode().split()
            if len(first) < 2:
                return
            headers = {}
            while line := lines.readline().strip().decode():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            lines.read(int(headers.get("content-length", 0)))
            request = Asked(first[0], first[1], headers)
            self.asked.append(request)
            if body := self.answer(request):
                connection.sendall(body)


class Holding:
    """An answer that nobody gets until it is released."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def __call__(self, request: Asked) -> bytes:
        self.let_go.wait()
        return well(request)


@dataclass(slots=True)
class Proxy:
    """nginx with the school's own configuration in front of three stand-ins."""

    folder: Path
    https: int = field(default_factory=free_port)
    servers: dict[str, StandIn] = field(
        default_factory=lambda: {name: StandIn() for name in WEB_SERVICES}
    )

    @property
    def url(self) -> str:
        return f"https://localhost:{self.https}"

    def browser(self, address: str = "127.0.0.1", person: str = "") -> Browser:
        """The browser of a stranger, or of this person, who has signed in."""
        browser = Browser(self.url, str(self.folder / "site.crt"), address, retries=0)
        if person:
            browser.cookies.set(PREFIX + passes.PASS_COOKIE, passes.pass_for(person))
        return browser


@contextmanager
def proxy_alone(folder: Path) -> Iterator[Proxy]:
    proxy = Proxy(folder)
    nginx.write_certificate(folder)
    nginx.lay_out(folder, SERVICES["proxy"]["volumes"])
    ports = {name: server.port for name, server in proxy.servers.items()}
    conf = nginx.write_conf(folder, http=free_port(), https=proxy.https, upstreams=ports)
    for server in proxy.servers.values():
        server.start()
    log = (folder / "proxy.log").open("ab")
    process = subprocess.Popen(
        nginx.command(conf), stdout=log, stderr=log, preexec_fn=die_with_parent
    )
    try:
        _wait(proxy, process)
        yield proxy
    finally:
        process.terminate()
        process.wait()
        log.close()
        for server in proxy.servers.values():
            server.stop()


def _wait(proxy: Proxy, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS_TO_COME_UP
    while True:
        assert process.poll() is None, (proxy.folder / "proxy.log").read_text()
        assert time.monotonic() < deadline
        try:
            proxy.browser().get("/-/css/nmbrs.css")
            return
        except requests.ConnectionError:
            time.sleep(0.05)
