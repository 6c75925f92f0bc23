"""Finds in templates what the content policy forbids, and unescaped text. Also finds long lines in
templates, styles and scripts."""

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FORBIDDEN_PATTERNS: Final = {
    "a style attribute": r"<[^>]*\sstyle\s*=",
    "a style element": r"<style\b",
    "an inline script": r"<script(?![^>]*\bsrc=)",
    "an inline handler": r"<[^>]*\son[a-z]+\s*=",
    "hx-on": r"\bhx-on[:-]",
    "hx-vals with code": r"hx-vals\s*=\s*[\"']js:",
    "a trigger filter": r"hx-trigger\s*=\s*[\"'][^\"']*\[",
    "unescaped text": r"\|\s*safe\b|autoescape off",
    "an address of another site": r"(?:src|href|action)\s*=\s*[\"'](?:https?:)?//",
    "a picture in an address": r"[\"'(]data:",
}
ALLOWED_IN_MAIL: Final = frozenset({"a style element"})
LONGEST_LINE: Final = {".html": 160, ".txt": 160, ".css": 160, ".js": 100}
MAIL: Final = ROOT / "templates/reports/weekly_mail/mail.html"
"""A mail is not a page: it has no content policy and contains its style."""


def wrong_templates() -> list[str]:
    """The forbidden constructs, each as `file: what`."""
    return [
        f"{path.relative_to(ROOT)}: {what}"
        for pattern in ("*.html", "*.svg", "*.txt")
        for path in sorted((ROOT / "templates").rglob(pattern))
        for what, banned in FORBIDDEN_PATTERNS.items()
        if not (what in ALLOWED_IN_MAIL and path == MAIL)
        if re.search(banned, path.read_text(encoding="utf-8"))
    ]


def long_lines() -> list[str]:
    """The lines that are too long, each as `file:line: what`. Drawings may have long lines."""
    files = [
        path
        for folder, suffixes in (("templates", "html txt"), ("static", "css js"))
        for suffix in suffixes.split()
        for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
        if "vendor" not in path.parts
    ]
    return [
        f"{path.relative_to(ROOT)}:{number}: a line of {len(line)} characters"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE[path.suffix]
    ]


if __name__ == "__main__":
    problems = wrong_templates() + long_lines()
    print("\n".join(problems))
    sys.exit(bool(problems))
