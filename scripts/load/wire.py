"""The connection of a browser, cheap enough for thousands in one process."""

import asyncio
import gzip
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

SECONDS: Final = 15
"""After this time a client gives up, and tries again."""
CSRF: Final = "a" * 32
FORM: Final = "application/x-www-form-urlencoded"


class GaveUp(Exception):
    """No answer came: the connection was lost, or it took too long."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


def without_checks() -> ssl.SSLContext:
    """A context that accepts the site's own certificate, which is valid for a day."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass(slots=True)
class Wire:
    """One connection at a time from one address of this machine, with its cookies."""

    port: int
    address: str = "127.0.0.1"
    context: ssl.SSLContext | None = None
    """None for plain HTTP, with which the proxy asks the site."""
    cookies: dict[str, str] = field(default_factory=lambda: {"__Host-csrftoken": CSRF})
    host: str = "localhost"
    """The name of the site, which this machine need not resolve."""
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request. `body` has one character for each byte."""
        try:
            async with asyncio.timeout(SECONDS):
                was_open = self._streams is not None
                try:
                    return await self._ask(method, path, body, headers or {})
                except (EOFError, ConnectionError):
                    if not was_open:
                        raise
                    # The server has closed the idle connection. Browsers then open another.
                    self.close()
                    return await self._ask(method, path, body, headers or {})
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as problem:
            self.close()
            raise GaveUp(type(problem).__name__) from problem

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1",
                self.port,
                ssl=self.context,
                server_hostname=self.host if self.context else None,
                local_addr=(self.address, 0),
            )
        return self._streams

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
        self._streams = None

    def copy(self) -> "Wire":
        """A second window: a separate connection with the same cookies."""
        return Wire(self.port, self.address, self.context, self.cookies, self.host)

    async def _ask(self, method: str, path: str, body: str, headers: Mapping[str, str]) -> Answer:
        reader, writer = await self.open()
        sent = {
            "Host": self.host,
            "Referer": f"https://{self.host}/",
            "Accept-Encoding": "gzip",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if self.context is None:
            sent |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": self.address}
        if method == "POST":
            length = str(len(body))
            sent |= {"Content-Type": FORM, "Content-Length": length, "X-CSRFToken": CSRF}
        lines = "".join(f"{name}: {value}\r\n" for name, value in {**sent, **headers}.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n{body}".encode("latin-1"))
        return await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status, headers = int(head[0].split()[1]), dict[str, str]()
        for line in head[1:]:
            name, _, value = line.partition(":")
            name, value = name.lower(), value.strip()
            if name == "set-cookie":
                self._keep(value)
            headers[name] = value
        body = await self._body(reader, headers) if status not in (204, 304) else b""
        if headers.get("connection", "").lower() == "close":
            self.close()
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(status, headers, body.decode(errors="replace"))

    async def _body(self, reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
        if "chunked" not in headers.get("transfer-encoding", ""):
            return await reader.readexactly(int(headers.get("content-length", 0)))
        parts = []
        while size := int((await reader.readline()).split(b";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)

    def _keep(self, cookie: str) -> None:
        name, _, value = cookie.partition(";")[0].partition("=")
        if name == "__Host-csrftoken":
            return
        if "max-age=0" in cookie.lower():
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value
