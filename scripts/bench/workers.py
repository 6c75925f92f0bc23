"""A hundred and twenty children at play on the commands of docker-compose.yml: the workers'
processor time for a move, compared with a request that only finds out who asks, and how soon a
finished round is in the report."""

import http.client
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from scripts.bench.moves import run_apart

CHILDREN: Final = 120
"""NMBRS_BENCH_CHILDREN changes this, to try the bench itself."""
OF_A_CLASS: Final = 24
AT_ONCE: Final = 8
"""How many requests at the same time: as many as the web server has threads."""
ROUNDS: Final = 3
"""The rounds of each child's game."""
ROUNDS_ALONE: Final = 15
"""The rounds of a child who plays alone."""
REQUESTS: Final = 1000
"""How many before the children play, and again afterwards."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two checks of what is counted."""
SECONDS_TO_COUNT: Final = 300
CSRF: Final = "a" * 32
FORM: Final = "application/x-www-form-urlencoded"


def report() -> None:
    """Print all results, measured in a separate process on a separate PostgreSQL and Valkey."""
    run_apart("scripts.bench.workers")


def _measure() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "nmbrs_edu.settings.local"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    number = int(os.environ.get("NMBRS_BENCH_CHILDREN", CHILDREN))
    print(
        f"\n{number} children at play, PostgreSQL, the commands of docker-compose.yml", flush=True
    )
    with _site() as site:
        alone, players = (
            _players(site.ports["web"], 1, ROUNDS_ALONE),
            _players(site.ports["web"], number),
        )
        waited = _Waited()
        with waited.watched():
            for player in alone:
                while player.move(waited):
                    waited.until_all_are_counted()
        print(_freshness("idle workers", waited.seconds[1:], "median", 5), flush=True)
        asked = _asked(players, site)
        at_work, web = _spent(site, "worker", "worker-long"), _spent(site, "web")
        waited, start = _Waited(), monotonic()
        with waited.watched():
            _play_all(players, waited)
            lasted = monotonic() - start
            web = _spent(site, "web") - web
            waited.until_all_are_counted()
        at_work = _spent(site, "worker", "worker-long") - at_work
        request = (asked + _asked(players, site)) / 2
    moves = sum(player.moves for player in players)
    print(_freshness("full load", waited.seconds, "worst", 60))
    print(
        f"{'processor time by move':38} {moves:,} moves in {lasted:.0f} s: web "
        f"{web / moves * 1e3:.2f} ms, workers {at_work / moves * 1e3:.2f} ms; a request that finds "
        f"out who asks {request * 1e3:.2f} ms; ratio {at_work / moves / request:.2f} (≤ 1)"
    )


def _freshness(when: str, seconds: Sequence[float], held: str, most: int) -> str:
    figures = {"median": median(seconds), "worst": max(seconds)}
    text = ", ".join(
        f"{name} {figure:.2f} s{f' (≤ {most})' if name == held else ''}"
        for name, figure in figures.items()
    )
    return f"{f'a round is in the report, {when}':38} {text}"


# The servers


@contextmanager
def _site() -> Iterator[Any]:
    """Web, workers and beat as at a school, without the proxy."""
    from nmbrs_edu.run.preparing import collect_static
    from nmbrs_edu.run.processes import StopFlag
    from tests.proxy.site import Site, production_environment
    from tests.servers import free_port

    # Hints come at once, because model children do not read them.
    environment = production_environment(HINT_WAIT_SECONDS="0")
    collect_static(environment, StopFlag())
    folder = Path(mkdtemp(prefix="nmbrs-bench-"))
    site = Site(folder, environment, ports={"web": free_port()})
    try:
        for service in ("web", "worker", "worker-long", "beat"):
            site.start(service)
        _until_all_answer(site)
        yield site
    finally:
        site.stop()


def _until_all_answer(site: Any) -> None:
    from nmbrs_edu.run.__main__ import answers
    from nmbrs_edu.run.preparing import StepFailed, manage
    from nmbrs_edu.run.processes import StopFlag

    def worker_answers(queue: str) -> bool:
        try:
            manage(site.environment, StopFlag(), "check_worker", "--queue", queue)
        except StepFailed:
            return False
        return True

    deadline = monotonic() + 180
    waiting = {
        "web": lambda: answers("localhost", str(site.ports["web"])),
        "worker": lambda: worker_answers("celery"),
        "worker-long": lambda: worker_answers("long"),
    }
    while waiting:
        assert monotonic() < deadline, f"{[*waiting]} did not answer: {site.logs()}"
        waiting = {name: answered for name, answered in waiting.items() if not answered()}
        sleep(LOOK_SECONDS)


def _spent(site: Any, *services: str) -> float:
    """The seconds of processor time that these services and their children have used."""
    tree = _processes()
    return sum(_spent_below(site.processes[name].pid, tree) for name in services)


_Process = tuple[int, float]
"""The parent of a process, and the seconds of the process and its ended children."""


def _processes() -> dict[int, _Process]:
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / tick
    return found


def _spent_below(pid: int, tree: dict[int, _Process]) -> float:
    below = [child for child, (parent, _) in tree.items() if parent == pid]
    return tree[pid][1] + sum(_spent_below(child, tree) for child in below)


# The children


def _players(port: int, number: int, rounds: int = ROUNDS) -> "list[_Player]":
    """Signed-in children, in classes of 24, each with a match of this many rounds to play."""
    from classrooms.assignments import services
    from classrooms.assignments.choice import Choice
    from classrooms.models import SchoolClass
    from classrooms.roster.services import add_children
    from tests.classrooms.people import by_card

    players = []
    for first in range(0, number, OF_A_CLASS):
        school_class = SchoolClass.objects.create(name="5B", names_shown="always")
        task = services.assign(school_class, Choice(rounds=rounds))
        names = [f"Child {n}" for n in range(first, min(first + OF_A_CLASS, number))]
        for child in add_children(school_class, names):
            token = by_card(child, str(child.pk))
            players.append(_Player(port, child, task, token))
    return players


@dataclass(slots=True)
class _Player:
    """A model child who plays their match, move by move, in their own browser."""

    port: int
    child: Any
    task: Any
    token: str
    game: Any = None
    moves: int = 0
    chooser: Any = None
    connection: http.client.HTTPConnection | None = None

    def move(self, waited: "_Waited") -> bool:
        """Make the next move, or begin. False if the game is over."""
        from classrooms.assignments.services import go_on_or_start
        from classrooms.demo.model_children import MIDDLE
        from classrooms.demo.model_games import ModelChooser
        from games.engine.round import MATCH_OVER, OVER
        from games.play.log import snapshot_of
        from games.play.moves import MoveInProgress, NextRound

        if self.game is None:
            self.game = go_on_or_start(self.child, self.task)
            self.chooser = ModelChooser(MIDDLE, self.game.seed % 2**32)
        self._look()
        seats = list(self.game.seats.all())
        current = MoveInProgress(self.game, seats, snapshot_of(self.game, len(seats)))
        chosen, _ = self.chooser.choose(current, 0)
        data = {"seen": self.game.version, "key": uuid4(), **_posted(chosen)}
        self.ask("POST", f"/games/{self.game.pk}/act", urlencode(data, doseq=True), 200)
        answered = monotonic()
        self.moves += 1
        self._look()
        if self.game.phase in OVER and not isinstance(chosen, NextRound):
            waited.finished(self.game, answered)
        return bool(self.game.phase != MATCH_OVER)

    def _look(self) -> None:
        self.game.refresh_from_db(fields=["version", "snapshot", "phase"])

    def ask(self, method: str, path: str, body: str | None, status: int) -> None:
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {
            "Host": "localhost",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "127.0.0.1",
            "Referer": "https://localhost/",
            "Cookie": f"__Host-child={self.token}; __Host-csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Accept-Encoding": "gzip",
            "HX-Request": "true",
            "Content-Type": FORM,
        }
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        answer = response.read()
        assert response.status == status, f"{response.status}: {answer[:500]!r}"


def _posted(move: Any) -> dict[str, Any]:
    """A move of a model child in the form in which their page would post it."""
    from games.engine.cards import card_text
    from games.play.moves import AskHint, Lay, NextRound
    from scripts.bench.moves import _posted as posted_action

    if isinstance(move, AskHint):
        return {"move": "hint"}
    if isinstance(move, NextRound):
        return {"move": "next-round"}
    if isinstance(move, Lay):
        return {"move": "lay", "card": [card_text(card) for card in move.cards]}
    return posted_action(move.action)


def _play_all(players: "Sequence[_Player]", waited: "_Waited") -> None:
    """Let all play at the same time: each thread makes one move for each of its children in
    turn."""
    from django.db import connection

    failed: list[BaseException] = []

    def play(own: "list[_Player]") -> None:
        try:
            while own:
                for player in own[:]:
                    if not player.move(waited):
                        own.remove(player)
        except BaseException as problem:
            failed.append(problem)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=play, args=(list(players[n::AT_ONCE]),)) for n in range(AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def _asked(players: "Sequence[_Player]", site: Any) -> float:
    """Seconds of processor time for a request that only finds out who asks: a GET to the address of
    a move redirects a child to the page of their game without reading the game."""
    for player in players:
        player.connection = None
    before = _spent(site, "web")
    for n in range(REQUESTS):
        players[n % len(players)].ask("GET", f"/games/{uuid4()}/act", None, 302)
    return (_spent(site, "web") - before) / REQUESTS


# How soon rounds are counted.


@dataclass(slots=True)
class _Waited:
    """The seconds from the answer to a round's last move until the round is counted."""

    seconds: list[float] = field(default_factory=list)
    _since: dict[tuple[Any, int], float] = field(default_factory=dict)
    """The moment by game and number of the round's last entry."""
    _over: threading.Event = field(default_factory=threading.Event)

    def finished(self, game: Any, at: float) -> None:
        self._since[game.pk, game.version] = at

    @contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=self._watch)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def until_all_are_counted(self) -> None:
        deadline = monotonic() + SECONDS_TO_COUNT
        while self._since:
            assert monotonic() < deadline, f"{len(self._since)} rounds are not counted"
            sleep(LOOK_SECONDS / 10)

    def _watch(self) -> None:
        from django.db import connection

        from classrooms.progress.models import GameEvidence

        while not self._over.wait(LOOK_SECONDS):
            waiting = list(self._since)
            counted = GameEvidence.objects.filter(game__in={game for game, _ in waiting})
            upto = dict(counted.values_list("game", "upto_entry")) if waiting else {}
            for game, version in waiting:
                if upto.get(game, 0) >= version:
                    self.seconds.append(monotonic() - self._since.pop((game, version)))
        connection.close()


if __name__ == "__main__":
    _measure()
