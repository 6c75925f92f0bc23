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

SMALLER: Final = {".css": cssmin, ".js": jsmin}
AS_IT_CAME: Final = ("admin/", "vendor/")
IMPORT: Final = re.compile(r'^@?import (?:\{.*\} from )?"(.+)";\n', re.MULTILINE)


def minified(name: str, text: str) -> str:
    """The minified text of a file. Other projects' files stay as they are."""
    shrink = SMALLER.get(Path(name).suffix)
    if shrink is None or name.startswith(AS_IT_CAME):
        return text
    shrunk: str = shrink(text if _is_part(name) else with_imports(name, text, set()))
    return shrunk


def _is_part(name: str) -> bool:
    """Whether the file is a part of another: those of `js/game.js` are in `js/game/`."""
    return name.count("/") > 1


def with_imports(name: str, text: str, names: set[str]) -> str:
    """The file with the text of each import in its place, so that a page asks for one file. The
    parts must not share names at their top level."""

    def part(match: re.Match[str]) -> str:
        imported = normpath(f"{dirname(name)}/{match[1]}")
        if imported in names:
            return ""
        names.add(imported)
        source = finders.find(imported)
        assert source is not None, f"{name} imports {imported}"
        return with_imports(imported, Path(source).read_text(encoding="utf-8"), names)

    return re.sub(r"^export ", "", IMPORT.sub(part, text), flags=re.MULTILINE)


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Minifies the collected files, compresses them and names each by its content."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if dry_run:
            return
        # From the source, because a copy stays as it was when only one of its parts has changed.
        for name, (source, path) in paths.items():
            if Path(name).suffix in SMALLER:
                with source.open(path) as file:
                    text = file.read().decode()
                Path(self.path(name)).write_text(minified(name, text), encoding="utf-8")
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)


def publish(collected: Path, folder: Path) -> None:
    """Copy the collected files to the folder that the proxy serves, each atomically. Files of
    earlier releases stay, for pages that are still open."""
    for source in sorted(path for path in collected.rglob("*") if path.is_file()):
        place = folder / source.relative_to(collected)
        write(place, source.read_bytes(), mode=0o644)


def school_conf(hosts: Sequence[str], *, with_subdomains: bool = False) -> str:
    """The part of nginx's configuration that differs between schools: the names of the site (as in
    ALLOWED_HOSTS), whether HTTPS is promised for the names below them, and the key of the
    passes."""
    below = "; includeSubDomains; preload" if with_subdomains else ""
    names = "".join(f' "{host}" 1;' for host in hosts if host != "*")
    return (
        f"map $host $is_ours {{ hostnames; default {int('*' in hosts)};{names} }}\n"
        f'map $host $https_only {{ default "max-age=31536000{below}"; }}\n'
        f'secure_link_md5 "$pass_of $pass_until {passes.pass_key()}";\n'
    )


def write(place: Path, content: bytes, *, mode: int) -> None:
    """Write a file atomically."""
    place.parent.mkdir(parents=True, exist_ok=True)
    half = place.with_name(f".{place.name}.part")
    half.touch(mode)
    half.write_bytes(content)
    half.chmod(mode)
    os.replace(half, place)
