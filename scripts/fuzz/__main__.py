"""`make fuzz REQUESTS=500000 SEED=1`: hostile requests on separate servers. To repeat a request
that was answered wrongly, give its place: `python -m scripts.fuzz --seed 1 --only 17:233`."""

import argparse
import os
import pickle
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from math import ceil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final

import django

from tests.plugins.servers import _postgresql, _valkey

if TYPE_CHECKING:
    from scripts.fuzz.running import Tally

PART_BLOCKS: Final = 50
"""The number of blocks that share a world. Each world has its own process."""
EMPTY: Final = "fuzz_empty"
FOLDER: Final = Path("var/fuzz")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--children", type=int, default=24, help="more children in Alice's class")
    parser.add_argument("--only", help="BLOCK:INDEX of a finding, to repeat it")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--blocks", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def run_all(options: argparse.Namespace) -> int:
    """Run all parts, several at a time; return 1 if they found something."""
    from scripts.fuzz.running import BLOCK, Tally, report

    blocks = ceil(options.requests / BLOCK)
    parts = range(ceil(blocks / PART_BLOCKS))
    FOLDER.mkdir(parents=True, exist_ok=True)
    tally, start = Tally(), time.monotonic()
    with ExitStack() as stack:
        server = _server(stack)

        def run(part: int) -> Tally:
            size = min(PART_BLOCKS, blocks - part * PART_BLOCKS)
            return _run_part(options, server, part, size)

        with ThreadPoolExecutor(options.processes) as pool:
            for part, part_tally in zip(parts, pool.map(run, parts), strict=True):
                tally.add(part_tally)
                minutes = (time.monotonic() - start) / 60
                kinds = len(tally.findings)
                print(
                    f"part {part + 1} of {len(parts)}: {tally.requests} requests,"
                    f" {kinds} kinds of findings, {minutes:.1f} minutes",
                    flush=True,
                )
    return report(tally, options.seed, time.monotonic() - start)


def _server(stack: ExitStack) -> str:
    """Start a PostgreSQL with a database of empty tables, and a Valkey for tasks that nobody
    carries out. Return PostgreSQL's address without a database name."""
    from nmbrs_edu.run.processes import StopFlag, compile_translations

    calls: list[Callable[[], None]] = []
    stack.callback(lambda: [call() for call in reversed(calls)])
    url = _postgresql(calls.append)
    os.environ["REDIS_URL"] = _valkey(calls.append)
    compile_translations(StopFlag())
    _sql(url, f"CREATE DATABASE {EMPTY}")
    manage = [sys.executable, "manage.py", "migrate", "-v", "0"]
    subprocess.run(manage, env=_environment(_address(url, EMPTY)), check=True)
    return url


def _run_part(options: argparse.Namespace, server: str, part: int, blocks: int) -> "Tally":
    name = f"fuzz_{part}"
    _sql(server, f"CREATE DATABASE {name} TEMPLATE {EMPTY}")
    command = [sys.executable, "-m", "scripts.fuzz", "--part", str(part), "--blocks", str(blocks)]
    command += ["--seed", str(options.seed), "--children", str(options.children)]
    if options.only:
        command += ["--only", options.only]
    folder = Path(mkdtemp(prefix="nmbrs-fuzz-"))
    environment = _environment(_address(server, name))
    out = folder / "tally"
    try:
        subprocess.run(command, env={**environment, "FUZZ_OUT": str(out)}, check=True)
        tally: Tally = pickle.loads(out.read_bytes())
        return tally
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _sql(server, f"DROP DATABASE {name} WITH (FORCE)")


def _address(url: str, name: str) -> str:
    head, _, tail = url.partition("?")
    head = head.rpartition("/")[0] + f"/{name}"
    return f"{head}?{tail}" if tail else head


def _environment(url: str) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "scripts.fuzz.settings",
    }


def _sql(url: str, command: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(command)


def run_part(options: argparse.Namespace) -> None:
    """In a separate process: make a world, send the requests, and write the tally to a file."""
    django.setup()
    from scripts.fuzz.running import Runner, is_walk
    from scripts.fuzz.values import repeatable
    from scripts.fuzz.world import PEOPLE, make_fuzz_world

    with repeatable(options.seed, "world", options.part):
        world = make_fuzz_world(more_children=options.children)
        runner = Runner(world, options.seed, tuple(PEOPLE))
    first = options.part * PART_BLOCKS
    only_block, _, index = (options.only or "").partition(":")
    for block in range(first, first + options.blocks):
        if only_block and block != int(only_block):
            continue
        only = int(index) if index else None
        (runner.walk if is_walk(block) else runner.single)(block, only)
    runner.tally.processor = time.process_time()
    Path(os.environ["FUZZ_OUT"]).write_bytes(pickle.dumps(runner.tally))


def repeat(options: argparse.Namespace) -> int:
    """Repeat one request, or a walk up to it, in its world."""
    from scripts.fuzz.running import report

    part = int(options.only.partition(":")[0]) // PART_BLOCKS
    with ExitStack() as stack:
        tally = _run_part(options, _server(stack), part, PART_BLOCKS)
    return report(tally, options.seed, 0)


if __name__ == "__main__":
    given = arguments()
    if given.part is not None:
        run_part(given)
    else:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scripts.fuzz.settings")
        os.environ.setdefault("REDIS_URL", "redis://")
        django.setup()
        sys.exit(repeat(given) if given.only else run_all(given))
