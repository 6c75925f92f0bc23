"""`make lighthouse`: Lighthouse with its mobile settings, on the first page, the pictures, a game
in mid-round, and the end of a round.

It needs Node 20 and npm; Lighthouse is installed in node_modules. For each page it prints the
median of each category over RUNS runs, and whatever is not perfect. It fails below GOALS.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
LIGHTHOUSE: Final = "lighthouse@12"
PROGRAM: Final = ROOT / "node_modules" / ".bin" / "lighthouse"
RUNS: Final = int(os.environ.get("RUNS", "5"))
GOALS: Final = {"performance": 98, "accessibility": 100, "best-practices": 100}
ROWS_IN_MID_ROUND: Final = 3
TRIES: Final = 3
"""The number of tries for a run, because on a busy machine Chromium sometimes records nothing."""


def main() -> int:
    if not PROGRAM.exists():
        install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", LIGHTHOUSE]
        subprocess.run(install, cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local",
            "DATA_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        }
        pages, cookie = prepare()
        with server() as address:
            good = [measure(name, address + path, cookie, folder) for name, path in pages.items()]
    print("load:", " ".join(f"{load:.1f}" for load in os.getloadavg()))
    return 0 if all(good) else 1


def prepare() -> tuple[dict[str, str], str]:
    """The addresses to measure, and the cookie of the child whose game it is."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.urls import reverse

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from classrooms.assignments import playing
    from classrooms.credentials import decrypt_pictures
    from classrooms.models import Assignment, Child, SchoolClass
    from classrooms.signin import services as signin
    from classrooms.signin.children_only import SESSION_COOKIE

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    child = Child.objects.create(school_class=school_class, name="Dora")
    games = []
    for is_over in (False, True):
        assignment = Assignment.objects.create(
            school_class=school_class, options={"tables": [2, 5, 10], "offers": False}, bots=2
        )
        games.append(playing.continue_or_start(child, assignment))
        play_on(games[-1].pk, child.player, until_end=is_over)
    result = signin.sign_in(child, decrypt_pictures(child.pictures_encrypted), "lighthouse")
    assert isinstance(result, signin.SignedIn)
    pages = {
        "the first page": reverse("classrooms:home"),
        "the pictures": reverse("classrooms:pictures", args=[school_class.code, child.pk]),
        "a game": reverse("games:page", args=[games[0].pk]),
        "the end of a round": reverse("games:page", args=[games[1].pk]),
    }
    return pages, f"{SESSION_COOKIE}={result.token}"


def play_on(game_id: Any, player: Any, *, until_end: bool) -> None:
    """Play until the round is over or, unless `until_end`, until there are rows on the table and
    the child may lay."""
    from uuid import uuid4

    from games.bots import beginner
    from games.play import services as play
    from games.play.moves import Do

    outcome = play.look(game_id, player)
    while (
        until_end
        or outcome.view.phase != "play"
        or len(outcome.view.table.lines) < ROWS_IN_MID_ROUND
    ):
        action = beginner.choose(outcome.view, outcome.game.version)
        version = outcome.game.version
        outcome = play.act(game_id, player, version=version, key=uuid4(), move=Do(action))
        if outcome.view.to_act is None and until_end:
            return
        if outcome.view.to_act is None:
            raise SystemExit("The round was over too early: once more.")


@contextmanager
def server() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).parent / "granian"
    # At a school the server is another machine, so here it yields to the browser.
    options = f"--interface wsgi --host 127.0.0.1 --port {port} --blocking-threads 1".split()
    command = ["nice", "-n", "19", str(program), *options, "--log-level", "warning"]
    command.append("nmbrs_edu.wsgi:application")
    running = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://localhost:{port}"
    finally:
        running.terminate()
        running.wait(timeout=20)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(url, timeout=2).close()  # nosec B310 # its own
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def measure(name: str, url: str, cookie: str, folder: str) -> bool:
    """Print the medians and the audits that fall short; return whether the page reaches the
    goals."""
    signed_in = "/games/" in url
    reports = [report(url, cookie if signed_in else "", folder) for _ in range(RUNS)]
    scores = {
        goal: [round(r["categories"][goal]["score"] * 100) for r in reports] for goal in GOALS
    }
    for goal, percents in scores.items():
        print(
            f"{name}: {goal} {median(percents):g} ({' '.join(map(str, percents))})",
            flush=True,
        )
    for shortfall in sorted({shortfall for r in reports for shortfall in imperfect(r)}):
        print(f"    {shortfall}", flush=True)
    return all(median(percents) >= GOALS[goal] for goal, percents in scores.items())


def report(url: str, cookie: str, folder: str) -> dict[str, Any]:
    path = Path(folder) / "report.json"
    chrome = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
    command = [str(PROGRAM), url, "--quiet", "--output=json", f"--output-path={path}"]
    command += [f"--only-categories={','.join(GOALS)}"]
    command += ["--chrome-flags=--headless=new --no-sandbox"]
    if cookie:
        headers = Path(folder) / "headers.json"
        headers.write_text(json.dumps({"Cookie": cookie}))
        command += [f"--extra-headers={headers}"]
    for tries_left in reversed(range(TRIES)):
        result = subprocess.run(command, cwd=ROOT, env={**os.environ, "CHROME_PATH": chrome})
        if result.returncode == 0:
            break
        if not tries_left:
            raise SystemExit(f"Lighthouse could not measure {url} (see above).")
    data: dict[str, Any] = json.loads(path.read_text())
    if data["finalDisplayedUrl"] != url:
        raise SystemExit(f"{url} led to {data['finalDisplayedUrl']}.")
    return data


def imperfect(report: Mapping[str, Any]) -> Iterator[str]:
    """Each weighted audit below 0.9, with its displayed value."""
    for goal in GOALS:
        for ref in report["categories"][goal]["auditRefs"]:
            audit = report["audits"][ref["id"]]
            if ref["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                yield f"{goal}: {audit['title']} {audit.get('displayValue', '')}"


if __name__ == "__main__":
    sys.exit(main())
