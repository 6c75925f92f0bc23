"""One run of docker-compose.yml in real containers, and the people who use it."""

import asyncio
import json
import re
import shutil
import ssl
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

import requests

from nmbrs_edu.certificates import write_self_signed
from scripts.images.engine import NETWORK, PEBBLE, Engine, provide
from scripts.load.crowd import ChildAtPlay, PlayingChild, Tally, by_qr_code, come_in
from scripts.load.upgrade import ASK_AGAIN
from scripts.load.wire import Wire
from tests.repository import ROOT, copy_tree

# An operator, a teacher and children, who know only the site's name and what it gives them.

NAME: Final = "nmbrs.images.test"
PASSWORD: Final = "the green kettle sings 7"
TEACHER: Final = "alice@images.test"
PACE: Final = 1.0
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
ASK_NOTHING: Final = "UPDATE classrooms_child SET checks = FALSE"
MAKE_CLASS: Final = f"""
import json
from django.db import connection
from classrooms.assignments import services
from classrooms.assignments.choice import Choice
from classrooms.classes.services import create_classes
from classrooms.models import SchoolClass, User
from classrooms.roster.services import add_children
from classrooms.signin.cards import cards_of
alice = User.objects.create_user({TEACHER!r}, {PASSWORD!r})
group = SchoolClass(name="5b")
create_classes([group], alice)
services.assign(group, Choice(rounds=15))
found = cards_of(add_children(group, [f"Child {{n}}" for n in range(NUMBER)]))
with connection.cursor() as cursor:
    cursor.execute({ASK_NOTHING!r})
print("MADE", json.dumps([card.token for card in found]))
"""
"""A script that makes a class with an assignment, and prints the tokens of its cards. It runs with
any release since 282ed4e, because columns keep their names."""
PRINT_MOVES: Final = """
import json
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT game_id, key FROM games_action WHERE key IS NOT NULL")
    print("MADE", json.dumps([[str(game), str(key)] for game, key in cursor.fetchall()]))
"""
"""A script that prints all stored moves, as game and key. It runs with any release, because tables
keep their names."""


class _ToThisMachine(requests.adapters.HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, server_hostname=NAME, assert_hostname=NAME, **kwargs)


class Adult(requests.Session):
    """The browser of an adult; it trusts only this authority."""

    def __init__(self, authority: Path) -> None:
        super().__init__()
        self.verify = str(authority)
        self.trust_env = False
        self.mount("https://", _ToThisMachine())
        self.headers.update({"Host": NAME, "Referer": f"https://{NAME}/"})

    def open(self, path: str) -> requests.Response:
        answer = self.get(f"https://127.0.0.1{path}", timeout=60)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer

    def fill_in(self, path: str, **fields: str) -> None:
        form = self.open(path)
        match = TOKEN.search(form.text)
        assert match, f"no form at {path}"
        data = {"csrfmiddlewaretoken": match[1], **fields}
        answer = self.post(form.url, data, timeout=60, allow_redirects=False)
        assert answer.status_code == 302, f"{path}: {answer.status_code}"

    def choose_password(self, path: str) -> None:
        self.fill_in(path, password1=PASSWORD, password2=PASSWORD)

    def sign_in(self, email: str) -> None:
        self.fill_in("/accounts/login/", login=email, password=PASSWORD)


def script_output(printed: str) -> list[Any]:
    """The output of `MAKE_CLASS` or `PRINT_MOVES`."""
    [line] = [line for line in printed.splitlines() if line.startswith("MADE ")]
    output: list[Any] = json.loads(line.removeprefix("MADE "))
    return output


class Children:
    """The children of a class, who play while something else is done."""

    def __init__(self, cards: list[Any], authority: Path) -> None:
        self.tally = Tally()
        context = ssl.create_default_context(cafile=str(authority))
        self.ways_in = [by_qr_code(f"/q/{token}") for token in cards]
        self.playing = [
            PlayingChild(
                Wire(443, context=context, host=NAME),
                ChildAtPlay(Random(n), self.tally.journal),
                self.tally,
            )
            for n, _ in enumerate(cards)
        ]

    def play_during(self, *steps: Callable[[], None], quiet: float) -> None:
        """Sign all in, and let them play before, during and after each step."""
        asyncio.run(self._play_during(steps, quiet))

    async def _play_during(self, steps: tuple[Callable[[], None], ...], quiet: float) -> None:
        self.tally.is_over = False
        await asyncio.gather(*map(self._sit_down, range(len(self.playing))))
        at_play = [asyncio.create_task(child.play(float("inf"), PACE)) for child in self.playing]
        await asyncio.sleep(quiet)
        for step in steps:
            await asyncio.to_thread(step)
            await asyncio.sleep(quiet)
        self.tally.is_over = True
        await asyncio.gather(*at_play)
        for child in self.playing:
            child.wire.close()

    async def _sit_down(self, number: int) -> None:
        if "__Host-child" not in self.playing[number].wire.cookies:
            await come_in(self.playing[number], self.ways_in[number])
        await self.playing[number].sit_down()

    def differences(self, entries: list[Any]) -> list[str]:
        """Moves that a child saw done and that are not stored, or are stored twice."""
        stored_moves = Counter((game, key) for game, key in entries)
        answered = [move for move in self.tally.journal if move.shown_in is not None]
        lost = [move.key for move in answered if (move.game, move.key) not in stored_moves]
        return [
            *(f"lost: {key}" for key in lost),
            *(f"twice: {k}" for k, n in stored_moves.items() if n > 1),
        ]


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
        printed = self.job("school", stdin="".join(f"{answer}\n" for answer in answers))
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
