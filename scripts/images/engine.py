"""Runs containers with podman and podman-compose. They have their own storage and networks, so that
this machine's other containers are neither seen nor touched."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

PACKAGES: Final = {
    "podman": "podman",
    "runc": "runc",
    "debootstrap": "debootstrap",
    "iptables": "iptables",
    "/usr/lib/podman/netavark": "netavark",
    "/usr/lib/podman/aardvark-dns": "aardvark-dns",
}
"""For each command, the Debian package that has it."""
NETWORK: Final = "10.77.45"
VARIABLE: Final = re.compile(r"\$\{(\w+):[-?](.*?)\}")
"""A variable of .env in docker-compose.yml, and its default."""
HOURS_KEPT: Final = 7 * 24
"""The time for which a layer is kept that no current image has."""
SECONDS: Final = 300
"""The longest time until a service is healthy."""


class Failed(Exception):
    """A command exited with an error."""


@dataclass(slots=True)
class Engine:
    """`folder` is the storage, whose images and layers the next run reuses; `project` is the
    checkout whose docker-compose.yml is run."""

    folder: Path
    project: Path
    definitions: dict[str, str] = field(default_factory=dict)
    """The image and the settings from which each container was made."""

    def __post_init__(self) -> None:
        conf = self.folder / "conf"
        conf.mkdir(parents=True, exist_ok=True)
        # Podman asks for more than a machine that is itself a container can give.
        files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 1048576)
        (conf / "storage.conf").write_text(
            f'[storage]\ndriver = "overlay"\ngraphroot = "{self.folder}/storage"\n'
            f'runroot = "{self.folder}/run"\n'
        )
        (conf / "containers.conf").write_text(
            '[network]\nnetwork_backend = "netavark"\n'
            f'network_config_dir = "{self.folder}/networks"\n'
            '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\n'
            '[containers]\nlog_driver = "k8s-file"\n'
            f'default_ulimits = ["nofile={files}:{files}", "nproc=4096:4096"]\n'
        )
        (conf / "registries.conf").write_text('unqualified-search-registries = ["docker.io"]\n')

    @property
    def environment(self) -> dict[str, str]:
        conf = self.folder / "conf"
        return {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "CONTAINERS_STORAGE_CONF": f"{conf}/storage.conf",
            "CONTAINERS_CONF": f"{conf}/containers.conf",
            "CONTAINERS_REGISTRIES_CONF": f"{conf}/registries.conf",
            "TMPDIR": str(self.folder),
            # Without systemd nobody checks a service's health: see `wait_until_healthy`.
            "DISABLE_HC_SYSTEMD": "true",
        }

    def run(self, *words: str, check: bool = True, **options: Any) -> str:
        """Run a command and return what it prints. Raises `Failed`."""
        result = subprocess.run(
            words,
            cwd=self.project,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **{"stdin": subprocess.DEVNULL, **options},
        )
        if check and result.returncode:
            raise Failed(f"{' '.join(words)}\n{result.stdout[-4000:]}")
        return result.stdout

    def podman(self, *words: str, **options: Any) -> str:
        return self.run("podman", *words, **options)

    def has_image(self, name: str) -> bool:
        try:
            self.podman("image", "exists", name)
        except Failed:
            return False
        return True

    def pull(self, name: str, seconds: int) -> bool:
        try:
            self.podman("pull", "-q", f"docker.io/library/{name}", timeout=seconds)
        except (Failed, subprocess.TimeoutExpired):
            return False
        return True

    def build(self, name: str, folder: Path, *words: str) -> None:
        self.podman("build", "--network", "host", "-q", "-t", name, *words, str(folder))

    def size(self, image: str) -> int:
        return int(self.podman("image", "inspect", "--format", "{{.Size}}", image).split()[-1])

    # docker-compose.yml

    def compose(self, *words: str, **options: Any) -> str:
        network = f"{self.project.name}_default"
        if network not in self.podman("network", "ls", "--format", "{{.Name}}").split():
            self.podman("network", "create", "--subnet", f"{NETWORK}.0/24", network)
        words = ("--in-pod", "false", "-p", self.project.name, "--profile", "jobs", *words)
        return self.run("podman-compose", *words, **options)

    def services(self) -> dict[str, Any]:
        services: dict[str, Any] = {}
        for path in sorted(self.project.glob("docker-compose*.yml"), reverse=True):
            for service, definition in yaml.safe_load(path.read_text())["services"].items():
                services[service] = {**services.get(service, {}), **definition}
        text = (self.project / ".env").read_text()
        active = re.findall(r"(?m)^COMPOSE_PROFILES=(.*)$", text)
        return {
            name: service
            for name, service in services.items()
            if not service.get("profiles") or service["profiles"][0] in active
        }

    def up(self, *only: str) -> None:
        """Do what `docker compose up -d` does: wait for dependencies, start services that have
        ended, and replace those that have another image. This podman does not wait for health, and
        podman-compose replaces nothing for a new image."""
        services = self.services()
        for name in self._in_order(services):
            if not only or name in only:
                self._wait_for(services[name].get("depends_on", {}))
                self._up(name, services[name])

    def _in_order(self, services: dict[str, Any]) -> Iterator[str]:
        started: set[str] = set()
        while names := [name for name in services if name not in started]:
            for name in names:
                if started.issuperset(services[name].get("depends_on", {})):
                    started.add(name)
                    yield name

    def _wait_for(self, awaited: Any) -> None:
        for name in awaited:
            condition = awaited[name]["condition"] if isinstance(awaited, dict) else ""
            if condition == "service_healthy":
                self.wait_until_healthy(name)
            elif condition == "service_completed_successfully":
                code = self.podman("wait", self.container(name)).strip()
                if code != "0":
                    raise Failed(f"{name} ended with {code}: {self.logs(name)}")

    def _up(self, name: str, service: dict[str, Any]) -> None:
        container = self.container(name)
        image = self.podman("image", "inspect", "--format", "{{.Id}}", service["image"]).strip()
        text = (self.project / ".env").read_text()
        values = dict(re.findall(r"(?m)^(\w+)=(.*)$", text))
        definition = VARIABLE.sub(
            lambda match: values.get(match[1]) or match[2], json.dumps(service)
        )
        fingerprint = f"{image} {definition} {text}"
        if name in self.definitions and self.definitions[name] != fingerprint:
            self.podman("rm", "-f", "-t", "30", container)
        self.definitions[name] = fingerprint
        self.compose("up", "-d", "--no-deps", "--no-recreate", "--no-build", name)

    def container(self, service: str) -> str:
        return f"{self.project.name}_{service}_1"

    def wait_until_healthy(self, service: str) -> None:
        """Run the service's own health check, as Docker does regularly."""
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                self.podman("healthcheck", "run", self.container(service))
            except Failed as problem:
                if time.monotonic() > deadline:
                    raise Failed(f"{service}: {problem}: {self.logs(service)}") from problem
                time.sleep(1)
            else:
                return

    def checked_services(self) -> list[str]:
        return [name for name, service in self.services().items() if "healthcheck" in service]

    def logs(self, service: str) -> str:
        return self.podman("logs", "--tail", "30", self.container(service), check=False)

    def down(self, *words: str) -> None:
        self.compose("down", *words)
        self.definitions.clear()

    def memory(self) -> dict[str, int]:
        """The bytes that each service uses, without the cache of files."""
        memory = {}
        for name in self.services():
            root = self.podman(
                "inspect", "--format", "{{.State.Pid}}", self.container(name), check=False
            ).strip()
            if root.isdigit() and int(root):
                memory[name] = sum(_resident(pid) for pid in _process_tree(int(root)))
        return memory

    # The end

    def remove(self) -> None:
        self.podman("rm", "-f", "-a", "-t", "10", check=False)
        self.podman("network", "prune", "-f", check=False)
        self.podman("volume", "prune", "-f", check=False)
        self.podman("image", "prune", "-f", "--filter", f"until={HOURS_KEPT}h", check=False)

    def leftovers(self) -> list[str]:
        """The remaining containers, networks, volumes, processes, mounts and ports."""
        found = [
            *self.podman("ps", "-aq").split(),
            *self.podman("volume", "ls", "-q").split(),
            *self.podman("network", "ls", "--format", "{{.Name}}").split(),
        ]
        folder = str(self.folder)
        subprocess.run(["umount", "-q", f"{folder}/storage/overlay"])
        mounts = Path("/proc/mounts").read_text().splitlines()
        found += [line.split()[1] for line in mounts if folder in line]
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if folder in words and str(os.getpid()) != path.parent.name:
                found.append(words.strip())
        printed = self.run("ip", "-brief", "address") + self.run("iptables-save", check=False)
        found += [line for line in printed.splitlines() if NETWORK in line]
        return [left for left in found if left != "podman"]


def install_tools(root: Path) -> None:
    for command, package in PACKAGES.items():
        subprocess.run([root / "scripts" / "debian.sh", command, package], check=True)


def _process_tree(root: int) -> Iterator[int]:
    yield root
    for task in Path(f"/proc/{root}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from _process_tree(int(child))


def _resident(pid: int) -> int:
    """The memory of a process in bytes. A page that several processes share is divided among
    them."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    match = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


# The base images. Where no registry is reachable, they are made of Debian's packages.


INSTALL: Final = (
    "RUN apt-get update -qq -o Acquire::Check-Valid-Until=false"
    " && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends {packages}"
    " && apt-get clean && rm -rf /var/lib/apt/lists/*\n"
)
DEBIAN: Final = "localhost/debian:trixie"
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
"""pip in a replacement trusts the authorities that pip on this machine trusts."""
STAND_INS: Final = {
    "python:3.13-slim-trixie": (
        "ca-certificates netbase python3 python3-pip python3-venv tzdata",
        # Python lies where the official image has it, beside what pip installs.
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
NEWER_SUITES: Final = {"nginx:1.29": "forky"}
PEBBLE: Final = "localhost/pebble"
"""The ACME server; there is only one at a time."""
PULL_SECONDS: Final = 60


def provide(engine: Engine) -> list[str]:
    missing = [name for name in STAND_INS if not engine.pull(name, PULL_SECONDS)]
    if not engine.has_image(DEBIAN):
        _bootstrap(engine)
    for name in missing:
        packages, commands = STAND_INS[name]
        _build(engine, name, packages, commands, NEWER_SUITES.get(name, "trixie"))
    _build(engine, PEBBLE, "pebble", "")
    return missing


def _bootstrap(engine: Engine) -> None:
    with tempfile.TemporaryDirectory(prefix="nmbrs-trixie-") as folder:
        root, packed = f"{folder}/root", f"{folder}/root.tar"
        words = ["debootstrap", "--variant=minbase", "trixie", root]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", root, "-cf", packed, "."], check=True)
        engine.podman("import", "--change", 'CMD ["bash"]', packed, DEBIAN)


def _build(engine: Engine, name: str, packages: str, commands: str, suite: str = "trixie") -> None:
    with tempfile.TemporaryDirectory(prefix="nmbrs-stand-in-") as folder:
        (Path(folder) / "Dockerfile").write_text(
            f"FROM {DEBIAN}\n"
            f"RUN sed -i s/trixie/{suite}/ /etc/apt/sources.list\n"
            f"{INSTALL.format(packages=packages)}{commands}"
        )
        shutil.copy(CERTIFICATES, folder)
        shutil.copy(Path(__file__).with_name("postgres.sh"), folder)
        engine.build(name if "/" in name else f"docker.io/library/{name}", Path(folder))
