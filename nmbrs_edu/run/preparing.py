"""What must be there before the first page: translations, tables, files, the demo school."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from babel.messages.frontend import CommandLineInterface

ROOT: Final = Path(__file__).resolve().parent.parent.parent


class Failed(Exception):
    """A step that did not work, with what it printed."""


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """What a management command prints. Raises `Failed`."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Failed(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_translations() -> None:
    """Each catalogue that is newer than what was compiled of it."""
    sources = sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po"))
    if any(_is_newer(source, source.with_suffix(".mo")) for source in sources):
        directory = str(ROOT / "locale")
        CommandLineInterface().run(["pybabel", "-q", "compile", "-d", directory, "-D", "django"])


def collect_static(environment: Mapping[str, str]) -> None:
    manifest = ROOT / "staticfiles" / "staticfiles.json"
    files = [path for path in (ROOT / "static").rglob("*") if path.is_file()]
    if any(_is_newer(path, manifest) for path in files):
        manage(environment, "collectstatic", "--noinput", "-v", "0")


def _is_newer(source: Path, made: Path) -> bool:
    return not made.exists() or source.stat().st_mtime > made.stat().st_mtime
