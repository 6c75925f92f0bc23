"""Joins the parts of styles and scripts, removes comments and blanks, and copies the files that the
proxy serves."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any, Final

from django.contrib.staticfiles import finders
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

from classrooms import passes

MINIFIERS: Final = {".css": cssmin, ".js": jsmin}
FOREIGN_FOLDERS: Final = ("admin/", "vendor/")
IMPORT: Final = re.compile(r'^@?import (?:\{.*\} from )?"(.+)";\n', re.MULTILINE)


def minified(name: str, text: str) -> str:
    """The minified text of a file. Other projects' files stay as they are."""
    minify = MINIFIERS.get(Path(name).suffix)
    if minify is None or name.startswith(FOREIGN_FOLDERS):
        return text
    is_part = name.count("/") > 1  # those of `js/game.js` are in `js/game/`
    return str(minify(text if is_part else with_imports(name, text, set())))


def with_imports(name: str, text: str, parts: set[str]) -> str:
    """The file with the text of each import in its place, so that a page asks for one file. The
    files in `parts` are there already, and each new one is added to them. Parts must not share
    names at their top level."""

    def part(match: re.Match[str]) -> str:
        target = normpath(f"{dirname(name)}/{match[1]}")
        if target in parts:
            return ""
        parts.add(target)
        source = finders.find(target)
        assert source is not None, f"{name} imports {target}"
        return with_imports(target, Path(source).read_text(encoding="utf-8"), parts)

    return re.sub(r"^export ", "", IMPORT.sub(part, text), flags=re.MULTILINE)


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Minifies the collected files, compresses them and names each by its content."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if dry_run:
            return
        # The source is read, because a copy stays old when only one of its parts has changed.
        for name, (source, path) in paths.items():
            if Path(name).suffix in MINIFIERS:
                with source.open(path) as file:
                    text = file.read().decode()
                Path(self.path(name)).write_text(minified(name, text), encoding="utf-8")
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)


def publish(collected: Path, folder: Path) -> None:
    """Copy the collected files, each atomically, to the folder that the proxy serves. Files of
    earlier releases stay, for pages that are still open."""
    for source in sorted(path for path in collected.rglob("*") if path.is_file()):
        write(folder / source.relative_to(collected), source.read_bytes(), mode=0o644)


def school_conf(hosts: Sequence[str], *, with_subdomains: bool = False) -> str:
    """The part of nginx's configuration that differs between schools: the names of the site (as in
    ALLOWED_HOSTS), whether HTTPS is promised for the names below them, and the key of the
    passes."""
    subdomains = "; includeSubDomains; preload" if with_subdomains else ""
    names = "".join(f' "{host}" 1;' for host in hosts if host != "*")
    return (
        f"map $host $is_ours {{ hostnames; default {int('*' in hosts)};{names} }}\n"
        f'map $host $https_only {{ default "max-age=31536000{subdomains}"; }}\n'
        f'secure_link_md5 "$pass_of $pass_until {passes.pass_key()}";\n'
    )


def write(path: Path, content: bytes, *, mode: int) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.touch(mode)
    part.write_bytes(content)
    part.chmod(mode)
    os.replace(part, path)
