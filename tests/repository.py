"""The files of the repository, as tests read them."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def copy_tree(code: Path, folder: Path) -> set[str]:
    """Copy a checkout without the files that git ignores, and return the copied files."""
    if (code / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=code, capture_output=True, text=True, check=True,
        )  # fmt: skip
        names = [name for name in listed.stdout.split("\0") if name and (code / name).is_file()]
    else:
        names = [str(path.relative_to(code)) for path in code.rglob("*") if path.is_file()]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # As git does: a process that has the file open keeps the old content.
        (folder / name).unlink(missing_ok=True)
        shutil.copy2(code / name, folder / name)
    return set(names)
