"""`make upgrade FROM=COMMIT`: lets children play while the site goes from that commit's code to
today's; with `BACK=1` also back, and to today's again.

The database is migrated while the older web runs on it, and stays migrated. Each service is ended
and started again, as `docker compose up -d` does with a new image. If the rules of evidence have
changed, reports of rounds that end on the way back differ until the nightly comparison."""

import argparse
import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Final

from packaging.utils import canonicalize_name

from scripts.load.machine import WORKERS, databases, running_site
from tests.repository import ROOT

if TYPE_CHECKING:
    from scripts.load.crowd import Tally
    from tests.proxy.site import Site

SERVICES: Final = (*WORKERS, "adults", "door", "web")
"""In the order of replacement."""
RAMP_SECONDS: Final = 5
QUIET_SECONDS: Final = 10
"""Play goes on for this many seconds before, between and after the steps."""
TABLES: Final = ("classrooms", "0046_squashed_0057_more_booleans_as_questions")
"""The migration since which several children sit at one table."""
ASK_AGAIN: Final = frozenset({"429", "502", "503"})
"""Answers after which a page asks again."""


def main() -> int:
    options = _arguments()
    with ExitStack() as stack:
        older = stack.enter_context(checked_out(options.commit))
        postgresql, _ = stack.enter_context(databases())
        newer = migrations_missing_in(older)
        _collect_static(older)
        site = stack.enter_context(running_site(postgresql, older))
        print(
            f"from {options.commit} to today's code{' and back' * options.back}; migrations "
            f"meanwhile: {', '.join('.'.join(migration) for migration in sorted(newer)) or 'none'}",
            flush=True,
        )
        return int(_play(site, older, newer, options))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.load.upgrade", description=__doc__)
    parser.add_argument("commit", help="whose code runs first and last")
    parser.add_argument("--back", action="store_true", help="go back, and forward again")
    parser.add_argument("--children", type=int, default=60)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    with TemporaryDirectory(prefix="nmbrs-older-") as folder:
        archive = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        _add_packages(Path(folder))
        yield Path(folder)


def _add_packages(older: Path) -> None:
    """Install the packages that only the older code needs, in its folder."""
    wanted = re.findall(r"^[\w.-]+==[\w.]+", (older / "requirements" / "run.txt").read_text(), re.M)
    present = {canonicalize_name(distribution.name) for distribution in distributions()}
    missing = [pin for pin in wanted if canonicalize_name(pin.partition("==")[0]) not in present]
    if missing:
        words = ["pip", "install", "-q", "--no-deps", "--target", str(older), *missing]
        subprocess.run([sys.executable, "-m", *words], check=True)


def migrations_missing_in(older: Path) -> set[tuple[str, str]]:
    """The migrations that today's code has and the older code lacks, as app label and name. The
    older code may still have the last one that a squashed one replaces."""
    from django.apps import apps

    older_names = {path.stem for path in older.rglob("migrations/0*.py")}
    return {
        (app.label, path.stem)
        for app in apps.get_app_configs()
        for path in Path(app.path).glob("migrations/0*.py")
        if path.is_relative_to(ROOT)
        and not path.is_relative_to(ROOT / ".venv")
        and older_names.isdisjoint({path.stem, path.stem.partition("_squashed_")[2]})
    }


def _migrate_back(newer: set[tuple[str, str]]) -> None:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    known = sorted(executor.loader.graph.nodes.keys() - newer)
    last = dict(known)
    executor.migrate([(label, last.get(label)) for label in sorted({app for app, _ in newer})])


def _collect_static(older: Path) -> None:
    from tests.proxy.site import production_environment

    words = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    subprocess.run(words, cwd=older, env=production_environment(), check=True)


def _play(
    site: "Site", older: Path, newer: set[tuple[str, str]], options: argparse.Namespace
) -> bool:
    """Let children play during the upgrade; return whether a move failed or anything differs."""
    from django.db import connection

    from scripts.load.lesson import Lesson, close_all, sign_in_all

    # The older code knows only the printed rules, and perhaps no tables of several children.
    lesson = Lesson(site, more_rows=False)
    lesson.add(options.children)
    has_tables = TABLES not in newer
    _migrate_back(newer)
    connection.close()
    playing = lesson.playing(options.seed)
    tally = lesson.tally

    async def run() -> None:
        await sign_in_all(playing, lesson.ways_in, "QR code", RAMP_SECONDS, sits_down=True)
        at_play = [asyncio.create_task(child.play(float("inf"), options.pace)) for child in playing]
        await asyncio.sleep(QUIET_SECONDS)
        await _step(tally, "the database is migrated", _migrate(site))
        await _step(tally, "today's code", _replace_services(site, ROOT))
        if has_tables:
            await asyncio.to_thread(lesson.put_at_tables)
            for child in playing:
                child.at_play.goes_home = True
            await _step(tally, "children sit down at tables", asyncio.sleep(QUIET_SECONDS))
            print(
                f"{await asyncio.to_thread(lesson.games_of_several)} tables of several", flush=True
            )
        if options.back:
            await _step(tally, "the older code again", _replace_services(site, older))
            await _step(tally, "today's code again", _replace_services(site, ROOT))
        tally.is_over = True
        await asyncio.gather(*at_play)
        close_all(playing)

    asyncio.run(run())
    failed = {name: n for name, n in tally.answers.items() if name not in ASK_AGAIN}
    compared = lesson.compared()
    print(f"{compared}\n{failed or 'no'} failed moves", flush=True)
    return bool(failed or compared.differences)


async def _step(tally: "Tally", title: str, step: Awaitable[None]) -> None:
    """Take a step, play on for a while, and print what the children have met since it began."""
    start, before = monotonic(), tally.answers.copy()
    await step
    seconds = monotonic() - start
    await asyncio.sleep(QUIET_SECONDS)
    waits = [move.waited for move in tally.moves if move.at >= start]
    print(
        f"{title}, after {seconds:.1f} s: {len(waits):,} moves, longest wait "
        f"{max(waits, default=0):.1f} s, asked again after {dict(tally.answers - before)}",
        flush=True,
    )


async def _migrate(site: "Site") -> None:
    words = [sys.executable, "manage.py", "upgrade_database", "-v", "0"]
    process = await asyncio.create_subprocess_exec(*words, cwd=ROOT, env=site.environment)
    if await process.wait():
        raise SystemExit("The migration failed.")


async def _replace_services(site: "Site", code: Path) -> None:
    """Replace one service after another; the proxy stays."""
    site.code = code
    for service in SERVICES:
        # A service ends with the thread that started it, so other threads only wait.
        process = site.processes.pop(service)
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait)
        site.start(service)
        if service in site.ports:
            await asyncio.to_thread(site.wait)


if __name__ == "__main__":
    raise SystemExit(main())
