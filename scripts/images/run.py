"""One run of docker-compose.yml in real containers."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from nmbrs_edu.certificates import write_self_signed
from scripts.images.engine import NETWORK, PEBBLE, Engine, provide
from scripts.images.people import MAKE_CLASS, NAME, PRINT_MOVES, Adult, Children, script_output
from scripts.load.upgrade import ASK_AGAIN
from tests.repository import ROOT, copy_tree

OPERATOR: Final = "olga@images.test"
BASE: Final = "docker.io/library/python:3.13-slim-trixie"
CHILDREN: Final = 8
QUIET_SECONDS: Final = 15
MOST_MEGABYTES: Final = 280
"""The image may be this much larger than its base."""
RESTARTS: Final = ("redis", "worker", "beat", "door", "adults", "web", "proxy", "postgres")
ANSWERS_WHEN_AWAY: Final = ASK_AGAIN | {
    "ConnectionRefusedError",
    "ConnectionResetError",
    "IncompleteReadError",
}
ANSWERS_WHEN_REPLACED: Final = frozenset(
    {"504", "TimeoutError", "OSError", "SSLError", "BrokenPipeError"}
)
"""Further answers while a container is replaced: the proxy tries its old address in vain (504)."""
OVERRIDE: Final = """
services:
  pebble:
    image: {pebble}
    command: [pebble, -config, /pebble/pebble.json]
    environment: {{PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0"}}
    volumes: ["./pebble:/pebble:ro"]
  proxy:
    networks: {{default: {{aliases: [{name}]}}}}
  certificate:
    environment: {{REQUESTS_CA_BUNDLE: /pebble/site.crt}}
    volumes: ["./pebble:/pebble:ro", "static:/srv/static", "school:/srv/school"]
    depends_on: [pebble, proxy]
"""
AUTHORITY: Final = {
    "listenAddress": "0.0.0.0:14000",
    "managementListenAddress": "0.0.0.0:15000",
    "certificate": "/pebble/site.crt",
    "privateKey": "/pebble/site.key",
    "httpPort": 80,
    "tlsPort": 443,
}


@contextmanager
def step(title: str) -> Iterator[None]:
    start = monotonic()
    yield
    print(f"{title}: {monotonic() - start:.0f} s", flush=True)


class Run:
    """A run, from no image to an upgraded school."""

    def __init__(self, engine: Engine, older: Path) -> None:
        self.engine, self.older = engine, older
        self.copied: set[str] = set()
        self.authority = engine.project / "authority.pem"

    def all(self) -> None:
        engine = self.engine
        with step("base images"):
            stand_ins = provide(engine)
        if stand_ins:
            print(
                "No registry is reached from here. Made of Debian's packages instead: "
                f"{', '.join(stand_ins)}; and podman stands in for Docker.",
                flush=True,
            )
        for release, code in (("before", self.older), ("today", ROOT)):
            with step(f"image of {release}"):
                self.build(release, code)
        print(f"over its base: {self.over_base('today')} MB, before {self.over_base('before')} MB")
        assert self.over_base("today") <= MOST_MEGABYTES
        self.lay_out("today")
        with step("make school, from nothing to the operator's page"):
            self.set_up()
        with step("a teacher and a child play a round"):
            self.play()
        with step("backup and restore"):
            self.restore()
        used = engine.memory()
        print("memory: " + ", ".join(f"{name} {n // 10**6} MB" for name, n in used.items()))
        print(f"in all {sum(used.values()) // 10**6} MB")
        engine.down("-v")
        with step("upgrade and back, and the restart of each service, while children play"):
            self.upgrade()
        engine.down("-v")

    def build(self, release: str, code: Path) -> None:
        with tempfile.TemporaryDirectory(dir=self.engine.folder) as folder:
            copy_tree(code, Path(folder))
            base = f"PYTHON={BASE}"
            self.engine.build(f"localhost/nmbrs-edu:{release}", Path(folder), "--build-arg", base)

    def over_base(self, release: str) -> int:
        image = self.engine.size(f"localhost/nmbrs-edu:{release}")
        return round((image - self.engine.size(BASE)) / 1e6)

    def lay_out(self, release: str) -> None:
        """Lay out a release's folder and image, as `git pull` and `docker compose build` do."""
        project = self.engine.project
        copied = copy_tree(self.older if release == "before" else ROOT, project)
        for path in self.copied - copied:
            (project / path).unlink()
        self.copied = copied
        (project / "deploy" / "certificates").mkdir(exist_ok=True)
        # Docker's name server has another address.
        conf = project / "deploy" / "nginx.conf"
        conf.write_text(conf.read_text().replace("resolver 127.0.0.11", f"resolver {NETWORK}.1"))
        pebble = project / "pebble"
        if not pebble.exists():
            write_self_signed(pebble, "pebble")
            (pebble / "pebble.json").write_text(json.dumps({"pebble": AUTHORITY}))
            text = OVERRIDE.format(pebble=PEBBLE, name=NAME)
            (project / "docker-compose.override.yml").write_text(text)
        self.engine.podman("tag", f"localhost/nmbrs-edu:{release}", "localhost/nmbrs-edu:latest")

    def job(self, *words: str, stdin: str = "") -> str:
        """Run `docker compose run --rm`."""
        return self.engine.compose(
            "run", "--rm", "--no-deps", "-T", *words, stdin=None, input=stdin
        )

    def set_up(self) -> None:
        """Carry out the steps of scripts/school.sh."""
        project = self.engine.project
        example = project / ".env.example"
        text = re.sub(
            r"(?m)^#ACME_DIRECTORY=.*$",
            "ACME_DIRECTORY=https://pebble:14000/dir",
            example.read_text(),
        )
        example.write_text(text)
        answers = ("nmbrs", NAME, OPERATOR, "none")
        printed = self.job("school", stdin="".join(f"{each}\n" for each in answers))
        assert "nmbrs is not a full name" in printed, printed
        env = (project / ".env").read_bytes()
        self.engine.up()
        printed = self.job("school")
        print("    " + "\n    ".join(printed.strip().splitlines()[-6:]), flush=True)
        [path] = re.findall(
            rf"Then choose the password of {OPERATOR} at\nhttps://{NAME}(/\S+)", printed
        )
        self.fetch_authority()
        Adult(self.authority).choose_password(path)
        output = self.job("school")
        assert f"Then sign in at\nhttps://{NAME}/\n" in output, output
        assert (project / ".env").read_bytes() == env
        operator = Adult(self.authority)
        operator.sign_in(OPERATOR)
        operator.open("/classes/")

    def fetch_authority(self) -> None:
        """Get the root certificate of the authority, which a browser would know."""
        script = (
            "import ssl, urllib.request as u; c = ssl.create_default_context();"
            " c.check_hostname = False; c.verify_mode = ssl.CERT_NONE;"
            " print(u.urlopen('https://pebble:15000/roots/0', context=c).read().decode())"
        )
        printed = self.execute("web", "python", "-c", script)
        start = printed.index("-----BEGIN")
        self.authority.write_text(printed[start:])

    def execute(self, service: str, *words: str, stdin: str = "") -> str:
        """Run `docker compose exec`."""
        return self.engine.podman(
            "exec", "-i", self.engine.container(service), *words, stdin=None, input=stdin
        )

    def shell(self, script: str) -> str:
        return self.execute("web", "python", "manage.py", "shell", "-v", "0", stdin=script)

    def play(self) -> None:
        children = self.begin(1)
        children.play_during(quiet=QUIET_SECONDS)
        assert children.tally.moves, "no move was made"
        self.compare(children)
        alice = Adult(self.authority)
        alice.sign_in("alice@images.test")
        assert "5b" in alice.open("/classes/").text

    def begin(self, number: int) -> Children:
        cards = script_output(self.shell(MAKE_CLASS.replace("NUMBER", str(number))))
        return Children(cards, self.authority)

    def compare(self, children: Children) -> None:
        """Compare the acknowledged moves with the stored ones."""
        differences = children.differences(script_output(self.shell(PRINT_MOVES)))
        assert not differences, differences
        answers = {
            name: n
            for name, n in children.tally.answers.items()
            if name not in ANSWERS_WHEN_AWAY | ANSWERS_WHEN_REPLACED
        }
        assert not answers, f"children got {answers}"

    def restore(self) -> None:
        before = len(script_output(self.shell(PRINT_MOVES)))
        self.job("backup")
        self.job("check-backup")
        self.engine.down()
        self.engine.up("postgres")
        self.engine.wait_until_healthy("postgres")
        for words in (
            ("dropdb", "-U", "nmbrs", "--force", "nmbrs"),
            ("createdb", "-U", "nmbrs", "-T", "template0", "nmbrs"),
        ):
            self.execute("postgres", *words)
        assert "Restored." in self.job("restore")
        self.engine.up()
        self.engine.wait_until_healthy("web")
        assert len(script_output(self.shell(PRINT_MOVES))) == before > 0

    def upgrade(self) -> None:
        engine = self.engine
        (engine.project / "docker-compose.override.yml").unlink()
        self.lay_out("before")
        # Releases without `make school` have their certificate in a folder.
        env = engine.project / ".env"
        text = env.read_text()
        env.write_text(
            text.replace("CERTIFICATES=school\n", "").replace("COMPOSE_PROFILES=certificate\n", "")
        )
        folder = engine.project / "deploy" / "certificates"
        write_self_signed(folder, NAME)
        shutil.copy(folder / "site.crt", self.authority)

        def change_to(release: str) -> Callable[[], None]:
            def replace() -> None:
                with step(f"    {release}"):
                    self.lay_out(release)
                    engine.up()
                    engine.podman("restart", engine.container("proxy"))

            return replace

        def restart(service: str) -> Callable[[], None]:
            def restart_service() -> None:
                engine.podman("restart", "-t", "10", engine.container(service))

            return restart_service

        engine.up()
        for name in ("web", "door", "adults"):
            engine.wait_until_healthy(name)
        children = self.begin(CHILDREN)
        steps = [*map(change_to, ("today", "before", "today")), *map(restart, RESTARTS)]
        children.play_during(*steps, quiet=QUIET_SECONDS)
        waits = [move.waited for move in children.tally.moves]
        print(
            f"    {len(waits)} moves of {CHILDREN} children, longest wait {max(waits):.1f} s,"
            f" asked again after {dict(children.tally.answers)}",
            flush=True,
        )
        self.compare(children)
        for name in engine.checked_services():
            engine.wait_until_healthy(name)
