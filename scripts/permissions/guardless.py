"""The pytest plugin of `scripts.permissions`: runs the collected tests once with all guards, then
again in forks that each have one guard switched off."""

import importlib
import json
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django.plugin import blocking_manager_key

FORKS: Final = 2
"""The number of forks at the same time, each with its own database."""
SURVIVED, NOTICED, BROKEN = 0, 1, 3
"""The exit status of a fork."""
CONTROLS: Final = 100
"""This many of the fastest tests must also pass in a fork with all guards."""
EXTRA_SECONDS: Final = 100
"""A test fails if it takes this many seconds more than ten times its time with all guards: without
a guard, something may never end."""
NOTHING: Final[dict[str, Any]] = {
    "number": -1, "path": "", "within": "", "kind": "control", "text": "nothing",
}  # fmt: skip


class OwnDatabase:
    """Replaces pytest-django's fixture: the databases are made before anything is forked."""

    @pytest.fixture(scope="session")
    def django_db_setup(self) -> None:
        return


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(OwnDatabase(), "own database")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    logging.disable(logging.CRITICAL)
    # Without a guard, strangers may read and write, so both are tried.
    vars(importlib.import_module("tests.test_permissions"))["METHODS"] = ("GET", "POST")
    names = [_make_database(session.config, side) for side in range(FORKS)]
    removals = json.loads(Path(os.environ["GUARDS"]).read_text())
    met = _run_with_all_guards(session, names[0])
    survived = Forks(session, names, met).try_all(removals)
    Path(os.environ["SURVIVED"]).write_text(json.dumps(survived))
    return True


def _make_database(config: pytest.Config, side: int) -> str:
    """Make a database in a child process, so that this one has no open connection when it forks
    again."""
    process = os.fork()
    if process == 0:
        from django.db import connection
        from django.test.utils import setup_databases

        connection.settings_dict["NAME"] = f"permissions_{side}"
        made = False
        try:
            with config.stash[blocking_manager_key].unblock():
                setup_databases(verbosity=0, interactive=False)
            made = True
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0 if made else 1)
    if os.waitpid(process, 0)[1]:
        raise pytest.UsageError("No database could be made.")
    return f"test_permissions_{side}"


def _use(database: str) -> None:
    from django.db import connection

    connection.settings_dict["NAME"] = database


def _switch() -> Any:
    return importlib.import_module("classrooms.anyones")


def _run_with_all_guards(session: pytest.Session, database: str) -> list[tuple[float, set[int]]]:
    """The seconds that each test takes and the guards that it meets, measured in a separate
    process."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _use(database)
        met, failed = [], []
        for item, following in _with_next(session.items):
            _switch().reached.clear()
            began, failed_before = time.monotonic(), session.testsfailed
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            met.append((time.monotonic() - began, sorted(_switch().reached)))
            if session.testsfailed > failed_before:
                failed.append(item.nodeid)
        with os.fdopen(writing, "w") as pipe:
            json.dump({"met": met, "failed": failed}, pipe)
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        outcome = json.load(pipe)
    os.waitpid(process, 0)
    if outcome["failed"]:
        names = ", ".join(outcome["failed"])
        raise pytest.UsageError(f"With every guard in its place these tests fail: {names}")
    return [(seconds, set(met)) for seconds, met in outcome["met"]]


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    following: list[pytest.Item | None] = [*items[1:], None]
    return zip(items, following, strict=False)


def _title(removal: dict[str, Any]) -> str:
    return "{path} {within}: {kind} {text}".format(**removal)


class Forks:
    """Tries removals in parallel. `guards_met` has the seconds of each test, and its guards."""

    def __init__(
        self,
        session: pytest.Session,
        databases: list[str],
        guards_met: list[tuple[float, set[int]]],
    ) -> None:
        self.session, self.databases, self.guards_met = session, databases, guards_met
        self.running: dict[int, tuple[str, dict[str, Any]]] = {}
        self.survived: list[int] = []
        self.reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")

    def try_all(self, removals: Sequence[dict[str, Any]]) -> list[int]:
        free = list(self.databases)
        for database in self.databases:
            self._begin(database, NOTHING)
            self._wait_for_process()
        if self.survived != [NOTHING["number"]] * len(self.databases):
            raise pytest.UsageError("Tests fail in a fork though no guard is off.")
        self.survived.clear()
        for done, removal in enumerate(removals):
            if not free:
                free.append(self._wait_for_process())
            self._begin(free.pop(), removal)
            if done % 25 == 0:
                so_far = f"{done} of {len(removals)}, {len(self.survived)} survived"
                self.reporter.write_line(so_far)
        while self.running:
            self._wait_for_process()
        return self.survived

    def _begin(self, database: str, removal: dict[str, Any]) -> None:
        self.reporter._tw.flush()
        process = os.fork()
        if process:
            self.running[process] = (database, removal)
            return
        self.reporter._tw._file = open(os.devnull, "w")  # noqa: SIM115
        ending = BROKEN
        try:
            _use(database)
            self._switch_off(removal)
            ending = NOTICED if self._some_test_fails(removal) else SURVIVED
        except BaseException:
            Path(f"{os.environ['SURVIVED']}.{removal['number']}").write_text(traceback.format_exc())
        finally:
            os._exit(ending)

    def _wait_for_process(self) -> str:
        process, status = os.wait()
        database, removal = self.running.pop(process)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
            trace = Path(f"{os.environ['SURVIVED']}.{removal['number']}").read_text()
            raise pytest.UsageError(f"Removal {removal['number']} could not be tried: {trace}")
        if os.WIFSIGNALED(status):
            self.reporter.write_line(f"never ended: {_title(removal)}")
        if status == SURVIVED:
            self.survived.append(removal["number"])
            if removal is not NOTHING:
                self.reporter.write_line(f"survived: {_title(removal)}")
        return database

    def _switch_off(self, removal: dict[str, Any]) -> None:
        from django.conf import settings

        if removal["kind"] == "middleware":
            settings.MIDDLEWARE = [m for m in settings.MIDDLEWARE if m != removal["text"]]
        else:
            _switch().number = removal["number"]
        module = removal["path"].removesuffix(".py").replace("/", ".")
        if module.endswith("views") or ".views." in module:
            vars(importlib.import_module("tests.test_permissions"))["views_of"] = module

    def _some_test_fails(self, removal: dict[str, Any]) -> bool:
        meets_all = removal["kind"] == "middleware"
        is_control = removal is NOTHING
        chosen = [
            (seconds, item)
            for (seconds, met), item in zip(self.guards_met, self.session.items, strict=True)
            if is_control or meets_all or removal["number"] in met
        ]
        chosen.sort(key=lambda pair: pair[0])
        if is_control:
            del chosen[CONTROLS:]
        tests = _with_next([item for _seconds, item in chosen])
        for (seconds, _item), (item, following) in zip(chosen, tests, strict=True):
            signal.alarm(EXTRA_SECONDS + ceil(10 * seconds))
            self.session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                return True
        return False
