"""Two machines in one: network namespaces with a cable to each. Where these are not permitted, two
loopback addresses."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

LOOPBACK: Final = ("127.0.0.2", "127.0.0.3")
CABLES: Final = "198.18"
"""Addresses that are kept for benches (RFC 2544); no net beyond this machine has them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A machine with its address. `enter`: what a command there begins with."""

    name: str
    address: str
    enter: tuple[str, ...] = ()


@contextmanager
def two_places() -> Iterator[Sequence[Place]]:
    """Namespaces, or, which is printed with the reason, addresses."""
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
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    except OSError as problem:
        raise NotPermitted(str(problem)) from problem
    if done.returncode:
        raise NotPermitted(f"`ip {' '.join(words)}`: {done.stderr.strip()}")
