"""The audit of the lock files: what is wrong is found, and what was not looked at is not fine."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scripts import audit
from scripts.audit import FINE, NOT_KNOWN, WRONG, AuditResult, read_advice, verdict
from scripts.locked import LOCKS, ROOT

HASH = f"--hash=sha256:{'a' * 64}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files by which anything is installed."""
    for path in (*LOCKS, "pyproject.toml", "Dockerfile", "Makefile"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_the_locks_are_as_they_should_be() -> None:
    assert list(audit.wrong_locks()) == []
    assert list(audit.named_sources()) == []


def test_a_package_without_a_hash_is_found(project: Path) -> None:
    with (project / LOCKS[1]).open("a") as lock:
        lock.write("bare==1.0\n")
    assert list(audit.wrong_locks(project)) == [f"{LOCKS[1]}: no hash: bare==1.0"]


def test_a_package_that_is_not_pinned_is_found(project: Path) -> None:
    with (project / LOCKS[0]).open("a") as lock:
        lock.write(f"loose>=1.0 \\\n    {HASH}\n")
    assert list(audit.wrong_locks(project)) == [f"{LOCKS[0]}: not pinned: loose>=1.0 \\"]


def test_a_lock_that_is_behind_pyproject_is_found(project: Path) -> None:
    pyproject = project / "pyproject.toml"
    pyproject.write_text(
        pyproject.read_text().replace('"Django~=5.2.19"', '"Django~=9.9"\n, "brand-new"')
    )
    found = list(audit.wrong_locks(project))
    assert "requirements/run.txt: brand-new is asked for and not locked" in found
    assert any(what.startswith("requirements/run.txt: Django~=9.9 is asked") for what in found)


def test_what_only_developers_need_has_to_be_locked_too(project: Path) -> None:
    pyproject = project / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace("dev = [", 'dev = [\n"brand-new",'))
    assert list(audit.wrong_locks(project)) == [
        "requirements/dev.txt: brand-new is asked for and not locked"
    ]


def test_locks_that_differ_are_found(project: Path) -> None:
    lock = project / LOCKS[1]
    lock.write_text(lock.read_text().replace("\nsegno==", "\nsegno==0."))
    assert "segno is not the same in both locks" in list(audit.wrong_locks(project))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("Dockerfile", "RUN pip install --index-url https://packages.example/simple x"),
        ("Makefile", "export PIP_EXTRA_INDEX_URL = https://packages.example"),
        ("pyproject.toml", "# git+https://code.example/x"),
    ],
)
def test_a_file_that_says_where_packages_come_from_is_found(
    project: Path, path: str, line: str
) -> None:
    with (project / path).open("a") as file:
        file.write(f"{line}\n")
    (found,) = audit.named_sources(project)
    assert found.startswith(f"{path}:")
    assert found.endswith(line)


def test_the_age_of_a_lock_comes_from_the_history(tmp_path: Path) -> None:
    now = datetime(2036, 1, 1, tzinfo=UTC)
    assert audit.age_in_days(now, tmp_path) is None
    days = audit.age_in_days(now)
    if days is not None:  # a copy of the project need not have its history
        assert audit.age_in_days(now + timedelta(days=40)) == days + 40


class TestTheAdvice:
    def test_an_answer_for_every_package_without_anything_against_it_is_fine(self) -> None:
        answer = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
        sentence, code = verdict("a lock", read_advice(json.dumps(answer)), wanted=1)
        assert code == FINE
        assert "nothing is known against" in sentence

    def test_what_is_known_against_a_package_is_reported(self) -> None:
        vuln = {"id": "PYSEC-1", "fix_versions": ["2"]}
        answer = {"dependencies": [{"name": "a", "version": "1", "vulns": [vuln]}]}
        sentence, code = verdict("a lock", read_advice(json.dumps(answer)), wanted=1)
        assert code == WRONG
        assert "a 1: PYSEC-1, mended in 2" in sentence

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "Traceback",
            "{}",
            "[]",
            json.dumps({"dependencies": []}),
            json.dumps({"dependencies": [{"name": "a", "skip_reason": "not found"}]}),
        ],
    )
    def test_no_answer_is_never_fine(self, answer: str) -> None:
        """pip-audit itself ends with 0 where it found none of the packages."""
        sentence, code = verdict("a lock", read_advice(answer), wanted=1)
        assert code == NOT_KNOWN
        assert "NOT AUDITED" in sentence

    def test_an_answer_for_some_packages_is_not_fine(self) -> None:
        advice = AuditResult(unknown=("b",), asked=2)
        sentence, code = verdict("a lock", advice, wanted=2)
        assert code == NOT_KNOWN
        assert "nothing is known of 1 of 2" in sentence

    def test_a_tool_that_cannot_be_started_is_no_answer(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
        assert verdict("a lock", audit.advice_on(LOCKS[0]), wanted=1)[1] == NOT_KNOWN


def test_offline_nothing_is_said_to_be_safe(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(offline=True) == FINE
    said = capsys.readouterr().out
    assert "Advisories were not asked for" in said
    assert "nothing is known against" not in said
