"""The site as a school runs it, without Docker: nginx with deploy/nginx.conf in front of granian,
by docker-compose.yml's own commands, in the production settings, on the tests' PostgreSQL and
Valkey.

The site sees only what a test has committed, so use `transactional_db`. The tests hash passwords
with MD5, which production refuses: `site.teacher` gives a user the tests' `PASSWORD` as production
hashes it. Any address in 127.0.0.0/8 is this machine, so each client can have its own. Patched
settings and clocks do not reach the site, whose processes are separate.
"""

import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
import yaml
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from urllib3 import Retry

from classrooms import passes
from classrooms.accounts import sessions
from classrooms.credentials import decrypt_pictures
from classrooms.models import Child, User
from classrooms.signin import services as signin
from classrooms.signin.children_only import SESSION_COOKIE
from nmbrs_edu.middleware import PREFIX
from nmbrs_edu.run.processes import StopFlag, collect_static, die_with_parent
from tests.factories import PASSWORD
from tests.plugins.servers import free_port
from tests.proxy import nginx
from tests.proxy.browser import WHILE_BUSY, Browser
from tests.repository import ROOT, text_of

SERVICES: dict[str, Any] = yaml.safe_load(text_of("docker-compose.yml"))["services"]
WEB_SERVICES = ("web", "door", "adults")
"""The services to which nginx passes requests."""
WHOLE_SHARE = 1024
SECONDS_TO_COME_UP = 180
SECONDS_TO_END = 30


def command(service: str, **replaced: str) -> list[str]:
    """A service's own command with the programs of this environment."""
    words = [replaced.get(word, word) for word in SERVICES[service]["command"]]
    return [str(Path(sys.executable).parent / words[0]), *words[1:]]


def niceness(service: str) -> int:
    """The niceness that weighs as much as the service's cpu_shares: each step divides a share by
    1.25."""
    shares = SERVICES[service].get("cpu_shares", WHOLE_SHARE)
    return round(math.log(WHOLE_SHARE / shares, 1.25))


def production_environment(**more: str) -> dict[str, str]:
    """The environment that .env gives a school, for the test's own database, with the tests'
    secrets."""
    head, _, tail = os.environ["DATABASE_URL"].partition("?")
    name = connection.settings_dict["NAME"]
    url = f"{head.rpartition('/')[0]}/{name}" + (f"?{tail}" if tail else "")
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.production",
        "SECRET_KEY": settings.SECRET_KEY,
        "PICTURES_KEY": settings.PICTURES_KEY,
        "ALLOWED_HOSTS": "localhost",
        "DATABASE_URL": url,
        "REDIS_URL": _own_queue(),
        "TRUSTED_PROXIES": "1",
        **more,
    }


def _own_queue() -> str:
    """The URL of another of the sixteen databases of the tests' Valkey, so that the workers of site
    and tests do not take each other's tasks."""
    url, _, number = os.environ["REDIS_URL"].rpartition("host=")
    return f"{url}host={int(number) + 8}" if url else os.environ["REDIS_URL"]


@dataclass(slots=True)
class Site:
    """The site runs from `come_up` to `stop`. Everything that it writes is in `folder`."""

    folder: Path
    environment: dict[str, str]
    https: int = field(default_factory=free_port)
    http: int = field(default_factory=free_port)
    ports: dict[str, int] = field(
        default_factory=lambda: {name: free_port() for name in WEB_SERVICES}
    )
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    more: dict[str, dict[str, str]] = field(default_factory=dict)
    """Additions to the environment of each service."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Replacements in the services' commands."""
    code: Path = ROOT
    """The checkout whose code newly started services run."""
    conf: Path = field(init=False)
    _certificate: Path = field(init=False)

    @property
    def url(self) -> str:
        return f"https://localhost:{self.https}"

    def come_up(self) -> None:
        self.lay_out()
        self.run("proxy", nginx.command(self.conf))
        for name in self.ports:
            self.start(name)
        self.wait()

    def lay_out(self) -> None:
        """Put the files that the proxy needs into `folder`."""
        collect_static(self.environment, StopFlag())
        self._certificate = nginx.write_certificate(self.folder)
        nginx.lay_out(self.folder, SERVICES["proxy"]["volumes"])
        self.conf = nginx.write_conf(
            self.folder, http=self.http, https=self.https, upstreams=self.ports
        )

    def start(self, service: str, was: str = "8000") -> None:
        """Start a service of docker-compose.yml with its weight. `was` is its port there."""
        port = self.ports.get(service, was)
        replaced = {was: str(port), "0.0.0.0": "127.0.0.1", **self.replaced}
        self.run(service, ["nice", "-n", str(niceness(service)), *command(service, **replaced)])

    def run(self, name: str, words: list[str]) -> None:
        """Start a process in the session of the tests, so that the kernel weighs the processes
        against each other."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                words,
                cwd=self.code,
                env=self.environment | self.more.get(name, {}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
                preexec_fn=die_with_parent,
            )

    def wait(self) -> None:
        """Wait until everything that serves pages answers."""
        deadline = time.monotonic() + SECONDS_TO_COME_UP
        while silent := self.silent():
            ended = [name for name, process in self.processes.items() if process.poll() is not None]
            assert not ended, f"{ended} ended: {self.logs()}"
            assert time.monotonic() < deadline, f"{silent} did not answer: {self.logs()}"
            time.sleep(0.1)

    def silent(self) -> list[str]:
        """The addresses that should serve pages and do not."""
        urls = [f"http://127.0.0.1:{port}/healthz" for port in self.ports.values()]
        return [url for url in [*urls, f"{self.url}/healthz"] if not self._answers(url)]

    def _answers(self, url: str) -> bool:
        try:
            headers = {"Host": "localhost"} if urlsplit(url).scheme == "http" else {}
            once = self.browser(retries=0)
            return once.get(url, headers=headers, timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def stop(self, *services: str) -> None:
        """End these processes, or all, first with a signal that they can handle. Return when none
        is left."""
        ending = [self.processes.pop(name) for name in services or list(self.processes)]
        for process in ending:
            _signal(process, signal.SIGTERM)
        for process in ending:
            try:
                process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                _signal(process, signal.SIGKILL)
                process.wait()

    # For the tests

    def browser(self, address: str = "127.0.0.1", retries: Retry | int = WHILE_BUSY) -> Browser:
        """A new client at this address, with no cookies."""
        return Browser(self.url, str(self._certificate), address, retries)

    def teacher(self, user: User) -> User:
        """Give the user `PASSWORD` as production hashes it."""
        hasher = Argon2PasswordHasher()
        user.password = hasher.encode(PASSWORD, hasher.salt())
        user.save(update_fields=["password"])
        return user

    def signed_in(self, user: User, address: str = "127.0.0.1") -> Browser:
        """A browser in which the user is already signed in."""
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session[sessions.BEGAN_KEY] = session[sessions.SEEN_KEY] = int(time.time())
        session.create()
        browser = self.browser(address)
        browser.cookies.set(PREFIX + settings.SESSION_COOKIE_NAME, str(session.session_key))
        browser.cookies.set(
            PREFIX + passes.PASS_COOKIE, passes.pass_for(f"adult {user.pk} {user.password}")
        )
        return browser

    def playing(self, child: Child, address: str = "127.0.0.1") -> Browser:
        """A browser in which the child is already signed in."""
        pictures = decrypt_pictures(child.pictures_encrypted)
        answer = signin.sign_in(child, pictures, "a device of the tests")
        assert isinstance(answer, signin.SignedIn)
        browser = self.browser(address)
        browser.cookies.set(PREFIX + SESSION_COOKIE, answer.token)
        browser.cookies.set(
            PREFIX + passes.PASS_COOKIE,
            passes.pass_for(f"child {child.pk} {child.pictures_encrypted}"),
        )
        return browser

    def mails(self) -> list[str]:
        """All mails so far, as they were sent."""
        folder = self.folder / "mail"
        return [path.read_text() for path in sorted(folder.glob("*.log"))]

    def wait_for_line(self, service: str, words: str) -> None:
        """Wait until the service has printed these words."""
        wait_for_words(self.folder / f"{service}.log", words)

    def logs(self) -> dict[str, str]:
        """Everything that each service has printed so far."""
        return {path.stem: path.read_text() for path in self.folder.glob("*.log")}


def wait_for_words(log: Path, words: str) -> None:
    deadline = time.monotonic() + SECONDS_TO_COME_UP
    while words not in log.read_text():
        assert time.monotonic() < deadline, f"no {words!r} in {log.read_text()}"
        time.sleep(0.1)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return


def workers_of(service_pid: int) -> set[int]:
    """The processes that the service's own program has started."""
    pids = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == service_pid:
            pids.add(int(status.parent.name))
    return pids
