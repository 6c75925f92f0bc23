"""Removes comments and blanks from styles and scripts before they are served, and copies what the
proxy serves."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

from classrooms import http

SMALLER: Final = {".css": cssmin, ".js": jsmin}
AS_IT_CAME: Final = ("admin/", "vendor/")


def small(name: str, text: str) -> str:
    """The minified text of a file. Files of other projects stay as they are."""
    shrink = SMALLER.get(Path(name).suffix)
    if shrink is None or name.startswith(AS_IT_CAME):
        return text
    shrunk: str = shrink(text)
    return shrunk


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Minifies the collected copies, names each by its content and compresses it."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if dry_run:
            return
        for name in paths:
            if Path(name).suffix in SMALLER:
                collected = Path(self.path(name))
                text = collected.read_text(encoding="utf-8")
                collected.write_text(small(name, text), encoding="utf-8")
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)


def publish(collected: Path, folder: Path) -> None:
    """Copy the collected files to the folder that the proxy serves, each atomically; files of
    earlier releases stay for pages that are still open."""
    for source in sorted(path for path in collected.rglob("*") if path.is_file()):
        place = folder / source.relative_to(collected)
        write(place, source.read_bytes(), mode=0o644)


def school_conf(hosts: Sequence[str], *, with_subdomains: bool = False) -> str:
    """The part of nginx's configuration that differs between schools: the names of the site (as in
    ALLOWED_HOSTS), whether HTTPS is promised for names below them, and the key of the passes."""
    below = "; includeSubDomains; preload" if with_subdomains else ""
    names = "".join(f' "{host}" 1;' for host in hosts if host != "*")
    return (
        f"map $host $is_ours {{ hostnames; default {int('*' in hosts)};{names} }}\n"
        f'map $host $https_only {{ default "max-age=31536000{below}"; }}\n'
        f'secure_link_md5 "$pass_of $pass_until {http.pass_key()}";\n'
    )


def write(place: Path, content: bytes, *, mode: int) -> None:
    """Write a file atomically."""
    place.parent.mkdir(parents=True, exist_ok=True)
    half = place.with_name(f".{place.name}.part")
    half.touch(mode)
    half.write_bytes(content)
    half.chmod(mode)
    os.replace(half, place)
