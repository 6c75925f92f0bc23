"""`make audit`: checks the lock files and looks up known vulnerabilities of the packages.

It always checks what needs no network: every package is pinned and has its hashes, the pins satisfy
pyproject.toml, no file names a source of packages, and the locks are not too old. Then it checks
that the image can be built for amd64 and arm64, and pip-audit asks for advisories. If a package
gets no answer, the audit says so and exits with 2: an unchecked package is never called safe.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from scripts.locked import LOCKS, ROOT, LockError, PinnedPackage, normal, read

FINE, WRONG, NOT_KNOWN = 0, 1, 2
SECONDS: Final = 180
"""The look-up for a lock file may take this long."""
PYTHON: Final = "3.13"
MACHINES: Final = ("x86_64", "aarch64")
"""The machines on which the image runs."""
OLD_DAYS: Final = 30
"""After this many days, a lock should be renewed."""
INSTALL_FILES: Final = (
    "requirements/*.txt", "pyproject.toml", "Dockerfile", "docker-compose.yml", "Makefile",
    "scripts/*.sh", ".ci/*", ".env.example",
)  # fmt: skip
"""The files that say what is installed."""
SOURCE_NAME: Final = re.compile(
    r"--(?:extra-)?index-url|--find-links|--trusted-host|\bPIP_\w*(?:INDEX|LINKS)\w*|\bUV_\w*INDEX"
    r"|files\.pythonhosted|\bpypi\.\w+|registry\.\w+\.\w+|\.npmrc|(?:git|hg|svn)\+\w+://",
    re.IGNORECASE,
)


def wrong_locks(root: Path = ROOT) -> Iterator[str]:
    """The faults of the locks that can be found without a network."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locks: dict[str, dict[str, PinnedPackage]] = {}
    for path in LOCKS:
        try:
            locks[path] = read((root / path).read_text(encoding="utf-8"))
        except LockError as problem:
            yield f"{path}: {problem}"
            return
        for pinned in locks[path].values():
            if not pinned.hashes:
                yield f"{path}: no hash: {pinned.name}=={pinned.version}"
    run, dev = (locks[path] for path in LOCKS)
    everything = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for path, requirements in ((LOCKS[0], project["dependencies"]), (LOCKS[1], everything)):
        yield from (f"{path}: {what}" for what in _unmet(requirements, locks[path]))
    for name, pinned in run.items():
        if name not in dev or dev[name].version != pinned.version:
            yield f"{name} is not the same in both locks"


def _unmet(requirements: list[str], lock: Mapping[str, PinnedPackage]) -> Iterator[str]:
    """The requirements of pyproject.toml that the lock does not meet."""
    for text in requirements:
        requirement = Requirement(text)
        pinned = lock.get(normal(requirement.name))
        if pinned is None:
            yield f"{text} is asked for and not locked"
        elif not requirement.specifier.contains(pinned.version, prereleases=True):
            yield f"{text} is asked for, {pinned.version} is locked"


def named_sources() -> Iterator[str]:
    """The lines that name a source of packages. Each machine sets its own source."""
    for path in sorted(chain.from_iterable(ROOT.glob(pattern) for pattern in INSTALL_FILES)):
        if path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if SOURCE_NAME.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def age_in_days(now: datetime) -> int | None:
    """The days since a lock was last changed, according to git's history. None without history."""
    command = ["git", "log", "-1", "--format=%ct", "--", *LOCKS]
    try:
        log = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    stamp = log.stdout.strip()
    return (now - datetime.fromtimestamp(int(stamp), UTC)).days if stamp else None


def missing_wheels(machine: str) -> str:
    """pip's message if a package of the image has no wheel for this kind of machine, or "" if each
    has one."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"]
    command += ["--ignore-installed", "--require-hashes", "--only-binary", ":all:"]
    command += ["--python-version", PYTHON, "--target", "var/wheels"]
    for kind in ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34"):
        command += ["--platform", f"{kind}_{machine}"]
    result = subprocess.run([*command, "-r", LOCKS[0]], cwd=ROOT, capture_output=True, text=True)
    return result.stderr.strip() if result.returncode else ""


def answer_about(lock: str) -> tuple[str, str]:
    """What pip-audit says about the packages of a lock, as JSON, and the reason if it says
    nothing."""
    tool = Path(sys.executable).with_name("pip-audit")
    command = [str(tool), "-r", lock, "--no-deps", "--disable-pip", "-f", "json"]
    command += ["--progress-spinner", "off", "--timeout", "15"]
    try:
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return "", type(problem).__name__
    lines = result.stderr.strip().splitlines()
    return result.stdout, lines[-1] if lines else "no answer"


def verdict(lock: str, packages: int, answer: str, otherwise: str = "") -> tuple[str, int]:
    """The sentence about a lock of `packages` packages, and the exit code, by pip-audit's JSON. For
    packages that it could not find, pip-audit exits with 0 and "No known vulnerabilities": here
    they are unknown. `otherwise` is the reason if there is no JSON."""
    try:
        found: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        text = f"{lock}: NOT AUDITED: advisories could not be asked for ({otherwise})."
        return text, NOT_KNOWN
    vulnerabilities = [
        f"{package['name']} {package['version']}: {vuln['id']}"
        + (f", mended in {', '.join(vuln['fix_versions'])}" if vuln.get("fix_versions") else "")
        for package in found
        for vuln in package.get("vulns", ())
    ]
    if vulnerabilities:
        advice = "\n  ".join(vulnerabilities)
        return f"{lock}: known against what is locked:\n  {advice}", WRONG
    known = sum("skip_reason" not in package for package in found)
    if known < packages:
        text = f"nothing is known about {packages - known} of {packages} packages"
        text = f"{lock}: NOT AUDITED: {text}; the advisories are not reached from here."
        return text, NOT_KNOWN
    return f"{lock}: nothing is known against its {packages} packages.", FINE


def packages_here(lock: Mapping[str, PinnedPackage]) -> int:
    """The number of packages of a lock that this machine needs."""
    lines = (pinned.text.partition("\n")[0].rstrip(" \\") for pinned in lock.values())
    markers = (Requirement(line).marker for line in lines)
    return sum(marker is None or marker.evaluate() for marker in markers)


def main(*, offline: bool) -> int:
    wrong = [*wrong_locks(), *named_sources()]
    for problem in wrong:
        print(problem)
    if not wrong:
        print("Every package is pinned with its hashes, as pyproject.toml asks for.")
    days = age_in_days(datetime.now(UTC))
    hint = " Make it again." if days is not None and days > OLD_DAYS else ""
    print("The lock's age is not known." if days is None else f"The lock is {days} days old.{hint}")
    codes = [WRONG if wrong else FINE]
    if offline:
        print("Advisories were not asked for (--offline): nothing is said about known faults.")
    else:
        for machine in MACHINES:
            text = missing_wheels(machine)
            print(text or f"Each package of {LOCKS[0]} has a wheel for {machine}.")
            codes.append(WRONG if text else FINE)
        for lock in LOCKS:
            packages = packages_here(read((ROOT / lock).read_text(encoding="utf-8")))
            sentence, code = verdict(lock, packages, *answer_about(lock))
            print(sentence)
            codes.append(code)
    return WRONG if WRONG in codes else max(codes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m scripts.audit")
    parser.add_argument("--offline", action="store_true", help="only what needs no network")
    sys.exit(main(offline=parser.parse_args().offline))
