"""The audit of the lock files: what is wrong is found, and what was not looked at is not fine."""

import json
import shutil
from pathlib import Path

import pytest

from scripts import audit
from scripts.audit import FINE, NOT_KNOWN, WRONG, read_advice, verdict
from scripts.locked import LOCKS, ROOT


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
