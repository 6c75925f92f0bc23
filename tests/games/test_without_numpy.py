"""The site, the demo school and most commands do without numpy and scipy; the others say so."""

import subprocess
import sys
from typing import Final

import pytest

from tests.servers import ROOT

BLOCKED: Final = """
import runpy, sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {"numpy", "scipy"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""
SITE: Final = """
import pkgutil, django
django.setup()
import classrooms, games, nmbrs_edu.run, nmbrs_edu.urls, nmbrs_edu.wsgi
for package in (games, classrooms):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.startswith(("games.lab.", "games.management.")):
            __import__(module.name)
print(*sorted(name for name in sys.modules if name.startswith("games.lab.")))
"""
COMMAND: Final = "sys.argv = sys.argv[1:]\nrunpy.run_path('manage.py', run_name='__main__')"
NEED_THEM: Final = ("evaluate_mastery", "learn_outlook", "tournament")


def run_without(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + script, *arguments],
        cwd=ROOT,
        env={
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
            "DATABASE_URL": "sqlite://:memory:",
            "REDIS_URL": "redis://localhost:1/0",
        },
        capture_output=True,
        text=True,
    )


def test_the_site_and_the_demo_school_start_without_them() -> None:
    done = run_without(SITE)
    assert done.returncode == 0, done.stderr
    assert "games.lab.past_games" in done.stdout.split()


@pytest.mark.parametrize("command", NEED_THEM)
def test_a_command_that_needs_them_says_what_to_install(command: str) -> None:
    done = run_without(COMMAND, "manage.py", command, "--help")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "This command needs numpy and scipy; `make install-dev` installs them.\n"
    )


@pytest.mark.parametrize("command", ["conformance", "replay", "simulate_class"])
def test_the_other_commands_of_the_game_run_without_them(command: str) -> None:
    done = run_without(COMMAND, "manage.py", command, "--help")
    assert done.returncode == 0, done.stderr


def test_a_mistake_of_ours_is_not_taken_for_a_missing_package() -> None:
    done = run_without(COMMAND, "manage.py", "check", "--settings", "nmbrs_edu.settings.of_nobody")
    assert done.returncode == 1
    assert "No module named 'nmbrs_edu.settings.of_nobody'" in done.stderr
    assert "numpy" not in done.stderr
