"""The base images. Where no registry is reachable, replacements made of Debian's packages."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from scripts.images.engine import Engine

INSTALL: Final = (
    "RUN apt-get update -qq -o Acquire::Check-Valid-Until=false"
    " && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends {packages}"
    " && apt-get clean && rm -rf /var/lib/apt/lists/*\n"
)
DEBIAN: Final = "localhost/debian:trixie"
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
"""This machine's authorities: pip in a replacement trusts what pip on this machine trusts."""
STAND_INS: Final = {
    "python:3.13-slim-trixie": (
        "ca-certificates netbase python3 python3-pip python3-venv tzdata",
        # In the folder of the official image, with what pip installs.
        "RUN rm /usr/lib/python3.13/EXTERNALLY-MANAGED"
        " && mv /usr/bin/pip* /usr/local/bin && ln -s /usr/bin/python3 /usr/local/bin/python\n"
        "COPY ca-certificates.crt /etc/ssl/certs/\n"
        "ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_IGNORE_INSTALLED=1\n",
    ),
    "postgres:17-trixie": (
        "locales postgresql-17",
        "RUN rm -r /var/lib/postgresql/17 && localedef -i en_US -c -f UTF-8 en_US.UTF-8"
        " && install -d -o postgres /var/lib/postgresql/data\n"
        "ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/data"
        " LANG=en_US.utf8\n"
        "COPY postgres.sh /usr/local/bin/\n"
        "VOLUME /var/lib/postgresql/data\n"
        "STOPSIGNAL SIGINT\n"
        'ENTRYPOINT ["postgres.sh"]\n',
    ),
    "redis:8": (
        "redis-server",
        'ENTRYPOINT ["sh", "-c", "exec setpriv --reuid redis --regid redis --init-groups'
        ' \\"$@\\" --protected-mode no", "--"]\n',
    ),
    # Trixie's nginx does not know `resolve` in an upstream yet.
    "nginx:1.29": (
        "nginx",
        "RUN rm -r /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx\n"
        'STOPSIGNAL SIGQUIT\nCMD ["nginx", "-g", "daemon off;"]\n',
    ),
}
SUITES: Final = {"nginx:1.29": "forky"}
PEBBLE: Final = "localhost/pebble"
"""The ACME server; there is only one at a time."""
PULL_SECONDS: Final = 60


def provide(engine: Engine) -> list[str]:
    """Get all base images. Returns the names of the replacements."""
    made = [name for name in STAND_INS if not engine.pull(name, PULL_SECONDS)]
    if not engine.has_image(DEBIAN):
        _bootstrap(engine)
    for name in made:
        packages, rest = STAND_INS[name]
        _build(engine, name, packages, rest, SUITES.get(name, "trixie"))
    _build(engine, PEBBLE, "pebble", "")
    return made


def _bootstrap(engine: Engine) -> None:
    """Make an image of Debian trixie."""
    with tempfile.TemporaryDirectory(prefix="nmbrs-trixie-") as folder:
        root, packed = f"{folder}/root", f"{folder}/root.tar"
        words = ["debootstrap", "--variant=minbase", "trixie", root]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", root, "-cf", packed, "."], check=True)
        engine.podman("import", "--change", 'CMD ["bash"]', packed, DEBIAN)


def _build(engine: Engine, name: str, packages: str, rest: str, suite: str = "trixie") -> None:
    with tempfile.TemporaryDirectory(prefix="nmbrs-stand-in-") as folder:
        (Path(folder) / "Dockerfile").write_text(
            f"FROM {DEBIAN}\n"
            f"RUN sed -i s/trixie/{suite}/ /etc/apt/sources.list\n"
            f"{INSTALL.format(packages=packages)}{rest}"
        )
        shutil.copy(CERTIFICATES, folder)
        shutil.copy(Path(__file__).with_name("postgres.sh"), folder)
        engine.build(name if "/" in name else f"docker.io/library/{name}", Path(folder))
