"""Sends one request over and over. Run by tests.proxy.loop; knows nothing of the project.

Usage: sender.py PORT CONNECTIONS, with the length of the request, a line break and the request on
the standard input. Says `begun`; at the next line there it prints how often each status came. Each
connection sends at least once."""

import os
import socket
import ssl
import sys
import threading
from collections import Counter
from typing import BinaryIO

SECONDS_TO_END = 60


def _send(port: int, connections: int) -> None:
    wire = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
    counted: Counter[str] = Counter()
    over = threading.Event()
    senders = [
        threading.Thread(target=_one, args=(port, wire, counted, over), daemon=True)
        for _ in range(connections)
    ]
    for sender in senders:
        sender.start()
    print("begun", flush=True)
    sys.stdin.buffer.readline()
    over.set()
    for sender in senders:
        sender.join(SECONDS_TO_END)
    print("\n".join(f"{status} {count}" for status, count in counted.items()), flush=True)
    os._exit(0)


def _one(port: int, wire: bytes, counted: Counter[str], over: threading.Event) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    while True:
        try:
            with (
                socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
                context.wrap_socket(plain, server_hostname="localhost") as connection,
                connection.makefile("rb") as answers,
            ):
                while True:
                    connection.sendall(wire)
                    counted[_read(answers)] += 1
                    if over.is_set():
                        return
        except (OSError, ValueError):
            counted["lost"] += 1
            if over.is_set():
                return


def _read(answers: BinaryIO) -> str:
    """The status of the next answer, whose rest is read and thrown away."""
    status = answers.readline().split()
    if len(status) < 2:
        raise OSError("closed")
    length, chunked, closes = 0, False, False
    while (line := answers.readline().strip().lower()) != b"":
        name, _, value = line.partition(b":")
        length = int(value) if name == b"content-length" else length
        chunked = chunked or (name == b"transfer-encoding" and b"chunked" in value)
        closes = closes or (name == b"connection" and b"close" in value)
    if chunked:
        while (size := int(answers.readline().split(b";")[0], 16)) > 0:
            answers.read(size + 2)
        answers.readline()
    else:
        answers.read(length)
    return status[1].decode()


if __name__ == "__main__":
    _send(int(sys.argv[1]), int(sys.argv[2]))
