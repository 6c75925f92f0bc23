"""`make proof [PART=engine]`: runs the suite with full counts, in parts that each end within the
hour.

`var/proof/` records each part that passes on a clean checkout, under its commit. The last line says
which parts have passed on this commit.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
RECORDS: Final = ROOT / "var" / "proof"
PARTS: Final = {
    "engine": ("tests/games/engine",),
    "bots": ("tests/games/bots",),
    "games": ("tests/games", "tests/scripts/lab"),
    "progress": ("tests/classrooms/progress",),
    "school": ("tests/classrooms", "tests/test_permissions.py", "tests"),
    "site": ("tests/nmbrs_edu",),
    "browser": ("tests/browser",),
    "security": (
        "tests/scripts/test_fuzz.py",
        "tests/proxy",
        "tests/load/test_siege.py",
        "tests/classrooms/accounts",
    ),
    "pairs": ("tests/test_pairs.py",),
    "permissions": (),
    "siege": (),
    "images": (),
}
"""A test belongs to the part with the longest beginning of its path. Parts without a path have no
tests of their own."""
MODULES: Final = {
    "permissions": "scripts.permissions",
    "siege": "scripts.siege",
    "images": "scripts.images",
}
FULL_COUNTS: Final = {"NMBRS_PROOF": "1", "PYTEST_ADDOPTS": "-o faulthandler_timeout=7200"}


def part_of(path: Path) -> str:
    """The part that runs this test file; `path` is relative to the root of the repository."""
    fitting = [
        (len(start), part)
        for part, starts in PARTS.items()
        for start in starts
        if path.as_posix() == start or path.is_relative_to(start)
    ]
    return max(fitting)[1]


def files_of(part: str) -> list[str]:
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    return [path.as_posix() for path in tests if part_of(path) == part]


def command_of(part: str) -> list[str]:
    if part in MODULES:
        return [sys.executable, "-m", MODULES[part]]
    return ["scripts/test.sh", *files_of(part)]


def run(part: str) -> bool:
    """Run a part on PostgreSQL and, if its tests need it, on SQLite; return whether all passed."""
    start = time.monotonic()
    result = subprocess.run(command_of(part), cwd=ROOT, env={**os.environ, **FULL_COUNTS})
    has_passed = result.returncode == 0
    if has_passed and (commit := clean_commit()):
        RECORDS.mkdir(parents=True, exist_ok=True)
        with (RECORDS / commit).open("a", encoding="utf-8") as file:
            file.write(f"{part}\n")
    minutes = (time.monotonic() - start) / 60
    print(
        f"proof, part {part}: {'passed' if has_passed else 'FAILED'} in {minutes:.1f} min",
        flush=True,
    )
    return has_passed


def clean_commit() -> str:
    """The commit that is checked out; empty if files differ from it or there is no git."""
    try:
        status = _git("status", "--porcelain")
        return "" if status else _git("rev-parse", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return ""


def summary() -> str:
    """Which parts passed on this commit, and which are missing."""
    commit = clean_commit()
    if not commit:
        return "proof: files differ from the last commit, so nothing is written down"
    path = RECORDS / commit
    passed = set(path.read_text(encoding="utf-8").split()) if path.exists() else set()
    to_run = [part for part in PARTS if part not in passed]
    names = ", ".join(part for part in PARTS if part in passed) or "none"
    return f"proof of {commit[:7]}: passed {names}; still to run: {', '.join(to_run) or 'none'}"


def _git(*arguments: str) -> str:
    result = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def main() -> int:
    parts = sys.argv[1:] or list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        print(f"There is no part {unknown[0]}. The parts are: {', '.join(PARTS)}.")
        return 1
    results = [run(part) for part in parts]
    print(summary())
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
