"""The commands of docker-compose.yml, run without Docker with a school's settings; the contents of
the image; and nginx's own pages."""

import http.server
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands
from django.db import connection

from nmbrs_edu.run.processes import StopFlag, collect_static
from scripts.proxy import CONF, PAGES, conf, outdated_pages, pages
from tests.counts import for_each, times
from tests.plugins.servers import free_port
from tests.proxy.site import SERVICES, command, production_environment
from tests.repository import ROOT, text_of

SECONDS = 300
WORKERS = ("worker", "worker-long", "worker-mail")
STARTED = times(("worker-long",), WORKERS)
JOBS = {"backup", "check-backup", "restore", "school"}


@pytest.fixture
def environment(transactional_db: None) -> dict[str, str]:
    return production_environment(SECURE_SSL_REDIRECT="false")


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Any]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(words: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=SECONDS)


def test_no_service_of_ours_has_privileges_or_can_gain_any() -> None:
    ours = {name for name, service in SERVICES.items() if service["image"] == "nmbrs-edu"}
    services = {"migrate", "static", "web", "door", "adults", "beat", "metrics", "backups"}
    assert ours == services | {"certificate"} | set(WORKERS) | JOBS
    assert {tuple(SERVICES[name]["cap_drop"]) for name in ours} == {("ALL",)}
    assert all("no-new-privileges:true" in SERVICES[name]["security_opt"] for name in ours)


@for_each(sorted(SERVICES))
def test_no_service_can_change_its_image(service: str) -> None:
    assert SERVICES[service]["read_only"] is True
    assert "/tmp" in SERVICES[service]["tmpfs"]


def test_files_are_written_only_where_that_is_allowed() -> None:
    assert "/tmp/beat-schedule" in SERVICES["beat"]["command"]
    writers = {"backups", "backup", "check-backup", "restore"}
    with_folder = {
        name
        for name, service in SERVICES.items()
        if "${BACKUPS:-backups}:/backups" in service.get("volumes", [])
    }
    assert with_folder == writers


def test_jobs_are_started_by_hand_and_restoring_waits_for_no_table() -> None:
    by_hand = {name for name, service in SERVICES.items() if "profiles" in service}
    assert by_hand == JOBS | {"certificate"}
    for name in JOBS - {"school"}:
        assert SERVICES[name]["entrypoint"][:2] == ["python", "manage.py"]
        assert SERVICES[name]["restart"] == "no"
        assert SERVICES[name]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    commands = get_commands()
    assert {SERVICES[name]["entrypoint"][2] for name in JOBS - {"school"}} <= commands.keys()


def test_the_image_by_itself_starts_like_web() -> None:
    [last] = [line for line in text_of("Dockerfile").splitlines() if line.startswith("CMD ")]
    assert json.loads(last.removeprefix("CMD ")) == SERVICES["web"]["command"]
    assert "--respawn-failed-workers" in SERVICES["web"]["command"]


def test_the_image_has_the_client_of_the_servers_release() -> None:
    """The server cannot restore a dump of a newer client, and an older client makes none."""
    client_of = {"bookworm": "15", "trixie": "17"}
    bases = re.findall(r"^ARG PYTHON=python:\S+-slim-(\w+)@", text_of("Dockerfile"), re.MULTILINE)
    server, _, system = SERVICES["postgres"]["image"].removeprefix("postgres:").partition("-")
    assert {client_of[base] for base in bases} == {server} == {client_of[system]}


@for_each(sorted(SERVICES))
def test_no_log_grows_without_end(service: str) -> None:
    assert SERVICES[service]["logging"] == {
        "driver": "json-file",
        "options": {"max-size": "10m", "max-file": "5"},
    }


@pytest.mark.django_db
def test_postgresql_does_not_log_a_failed_statement() -> None:
    words = SERVICES["postgres"]["command"]
    assert words[0] == "postgres"
    settings_of = dict(word.split("=") for word in words if "=" in word)
    logs = {"log_min_messages", "log_min_error_statement", "log_error_verbosity"}
    assert settings_of.keys() == {*logs, "random_page_cost"}
    with connection.cursor() as cursor:
        for name, value in settings_of.items():  # this server knows the settings, with these values
            cursor.execute("SELECT set_config(%s, %s, true)", [name, value])


def test_childrens_requests_weigh_most_then_the_ways_in() -> None:
    assert "cpu_shares" not in SERVICES["web"]
    assert SERVICES["door"]["cpu_shares"] == 512
    assert {SERVICES[name]["cpu_shares"] for name in ("adults", *WORKERS)} == {256}


class Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_health_check_does_not_go_through_a_proxy() -> None:
    """Docker gives containers the machine's HTTP_PROXY, which does not know this address."""
    code = SERVICES["web"]["healthcheck"]["test"][-1]
    with http.server.HTTPServer(("127.0.0.1", 0), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        code_with_port = code.replace("8000", str(server.server_port))
        environment = {**os.environ, "HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "x:9"}
        process = subprocess.run(
            [sys.executable, "-c", code_with_port], env=environment, timeout=SECONDS
        )
        server.shutdown()
    assert process.returncode == 0


@pytest.mark.proof
def test_web_worker_and_beat_answer(
    start: Any, environment: dict[str, str], tmp_path: Path
) -> None:
    run = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True}
    migrated = subprocess.run(command("migrate"), **run)  # type: ignore[call-overload]
    assert migrated.returncode == 0, migrated.stderr
    collect_static(environment, StopFlag())

    port = str(free_port())
    schedule = tmp_path / "beat-schedule"
    start(command("web", **{"8000": port, "0.0.0.0": "127.0.0.1"}))
    for worker in STARTED:
        start(command(worker))
    beat = start(command("beat", **{"/tmp/beat-schedule": str(schedule)}))

    assert _answers(f"http://localhost:{port}/healthz")
    assert _answers(f"http://localhost:{port}/")
    for worker in STARTED:
        check = SERVICES[worker]["healthcheck"]["test"][2:]
        check_run = subprocess.run(
            [sys.executable, *check, "--timeout", str(SECONDS)],
            **run,  # type: ignore[call-overload]
        )
        assert check_run.returncode == 0, shlex.join(check_run.args) + check_run.stderr
    assert beat.poll() is None
    assert _appears(tmp_path, "beat-schedule*")


def _answers(url: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            time.sleep(0.2)
    return False


def _appears(folder: Path, pattern: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if any(folder.glob(pattern)):
            return True
        time.sleep(0.2)
    return False


SECRET = [
    ".env",
    ".env.production",
    "deploy/certificates/site.key",
    "deploy/certificates/site.crt",
    "deploy/certificates/old/site.pem",
    "certificates/site.key",
    "var/db.sqlite3",
    "db.sqlite3-wal",
    ".git/config",
]
NOT_FOR_A_SCHOOL = [
    "tests/conftest.py",
    ".devcontainer/devcontainer.json",
    ".github/workflows/ci.yml",
    "docs/rules.md",
    ".venv/bin/python",
    "games/__pycache__/log.cpython-311.pyc",
    "node_modules/lighthouse/index.js",
    "staticfiles/staticfiles.json",
]
NEEDED = [
    "manage.py",
    "requirements/run.txt",
    "nmbrs_edu/wsgi.py",
    "locale/nl/LC_MESSAGES/django.po",
    "templates/base.html",
    "static/css/nmbrs.css",
]


def as_pattern(line: str) -> re.Pattern[str]:
    """A line of .dockerignore as a pattern: `*` stays in a folder, `**` does not, and a folder
    includes its contents."""
    parts = [
        ".*" if part == "**" else re.escape(part).replace(r"\*", "[^/]*")
        for part in line.strip("/").split("/")
    ]
    return re.compile("/".join(parts).replace(".*/", "(?:.*/)?") + "(?:/.*)?")


def is_left_out(path: str) -> bool:
    left_out = False
    for line in text_of(".dockerignore").splitlines():
        if (
            line.strip()
            and not line.startswith("#")
            and as_pattern(line.lstrip("!")).fullmatch(path)
        ):
            left_out = not line.startswith("!")
    return left_out


@for_each(SECRET + NOT_FOR_A_SCHOOL)
def test_the_image_leaves_out_secrets_and_developers_files(path: str) -> None:
    assert is_left_out(path)


@pytest.mark.parametrize("path", NEEDED)
def test_the_image_has_every_needed_file(path: str) -> None:
    assert (ROOT / path).exists()
    assert not is_left_out(path)


@pytest.mark.parametrize("folder", ["classrooms", "games", "nmbrs_edu", "templates", "static"])
def test_the_image_has_all_of_the_sites_code(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.*") if "__pycache__" not in path.parts]
    assert files
    assert [path for path in files if is_left_out(str(path.relative_to(ROOT)))] == []


def test_nginxs_pages_are_made_from_the_templates() -> None:
    assert outdated_pages() == []


def test_nginxs_pages_need_only_what_nginx_has() -> None:
    text_of_conf = text_of("deploy/nginx.conf")
    for name, text in pages().items():
        assert "/static/" not in text, name
        assert "<script" not in text, name
        assert text.count("/-/css/nmbrs.css") == text.count("/-/icons/nmbrs.svg") == 1, name
    assert "css/nmbrs\\.css|icons/nmbrs\\.svg" in text_of_conf
    assert {path.suffix for path in PAGES.iterdir()} == {".html"}


def test_the_configuration_has_the_sites_own_addresses() -> None:
    assert CONF.read_text(encoding="utf-8") == conf()
