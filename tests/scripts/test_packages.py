"""The lock files, their audit, and the list of the site's components."""

import hashlib
import json
import shutil
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from scripts import audit
from scripts.audit import FINE, NOT_KNOWN, WRONG, verdict
from scripts.locked import LOCKS, ROOT, LockError, needed_by, normal, read
from scripts.sbom import LOCK, as_json, sbom
from tests.repository import text_of


@pytest.fixture(scope="module")
def bill_of_materials() -> dict[str, Any]:
    return sbom()


@pytest.mark.proof
def test_every_pinned_package_is_listed_with_all_its_hashes(
    bill_of_materials: dict[str, Any],
) -> None:
    lock = read(text_of(LOCK))
    components = {
        normal(component["name"]): component for component in bill_of_materials["components"]
    }
    assert {name: components[name]["version"] for name in lock} == {
        name: pinned.version for name, pinned in lock.items()
    }
    for name, pinned in lock.items():
        hashes = [
            digest
            for link in components[name]["externalReferences"]
            for digest in link.get("hashes", ())
        ]
        assert len(hashes) == pinned.hashes > 0, name


@pytest.mark.proof
def test_vendored_files_are_listed_one_by_one(bill_of_materials: dict[str, Any]) -> None:
    (htmx,) = (part for part in bill_of_materials["components"] if part["name"] == "htmx.org")
    version = text_of("static/vendor/htmx/VERSION")
    assert version.startswith(f"htmx.org {htmx['version']},")
    assert htmx["licenses"] == [{"license": {"id": "0BSD"}}]
    scripts = sorted((ROOT / "static/vendor").rglob("*.js"))
    assert [component["name"] for component in htmx["components"]] == [
        str(path.relative_to(ROOT)) for path in scripts
    ]
    for component, path in zip(htmx["components"], scripts, strict=True):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert component["hashes"] == [{"alg": "SHA-256", "content": digest}]


@pytest.mark.proof
def test_the_list_is_valid_and_the_same_each_time(bill_of_materials: dict[str, Any]) -> None:
    # Each process of a test run would otherwise load these, which takes a second.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = as_json(bill_of_materials)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert as_json(sbom()) == text
    assert "timestamp" not in bill_of_materials["metadata"]
    assert "serialNumber" not in bill_of_materials


HASH = f"--hash=sha256:{'a' * 64}"
A_LOCK = f"""\
# This file was made by a tool.
upper==1.0 \\
    {HASH}
    # via nmbrs-edu (pyproject.toml)
Middle_One==2.0 ; python_version < '4' \\
    {HASH} \\
    {HASH}
    # via upper
lower==3.0 \\
    {HASH}
    # via
    #   middle-one
    #   other
other==4.0 \\
    {HASH}
    # via nmbrs-edu (pyproject.toml)
"""


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://packages.example/simple",
        "loose>=1.0",
        "elsewhere @ https://packages.example/a.whl",
        f"odd==1.0 \\\n    {HASH} \\\n    --no-binary",
        "-r other.txt",
    ],
)
def test_anything_but_a_pin_is_refused(line: str) -> None:
    with pytest.raises(LockError):
        read(f"{A_LOCK}{line}\n")


def test_the_sbom_maker_gets_all_that_it_needs_in_the_image() -> None:
    lock = read(text_of("requirements/dev.txt"))
    part = needed_by("cyclonedx-bom", lock)
    for name in part:
        for text in requires(name) or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                assert normal(wanted.name) in part, f"{name} needs {text}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files by which packages are installed."""
    for path in (*LOCKS, "pyproject.toml", "Dockerfile", "Makefile"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_the_locks_are_in_order() -> None:
    assert list(audit.wrong_locks()) == []
    assert list(audit.named_sources()) == []


def test_a_package_without_a_hash_is_reported(project: Path) -> None:
    with (project / LOCKS[1]).open("a") as lock:
        lock.write("bare==1.0\n")
    assert list(audit.wrong_locks(project)) == [f"{LOCKS[1]}: no hash: bare==1.0"]


def test_packages_for_developers_have_to_be_locked(project: Path) -> None:
    pyproject = project / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace("dev = [", 'dev = [\n"brand-new",'))
    assert list(audit.wrong_locks(project)) == [
        "requirements/dev.txt: brand-new is asked for and not locked"
    ]


def test_differing_locks_are_reported(project: Path) -> None:
    lock = project / LOCKS[1]
    lock.write_text(lock.read_text().replace("\nsegno==", "\nsegno==0."))
    assert "segno is not the same in both locks" in list(audit.wrong_locks(project))


# The advice


def test_packages_without_advisories_are_fine() -> None:
    answer = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
    sentence, code = verdict("a lock", 1, json.dumps(answer))
    assert code == FINE
    assert "nothing is known against" in sentence


def test_an_advisory_is_reported() -> None:
    vuln = {"id": "PYSEC-1", "fix_versions": ["2"]}
    answer = {"dependencies": [{"name": "a", "version": "1", "vulns": [vuln]}]}
    sentence, code = verdict("a lock", 1, json.dumps(answer))
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
def test_no_answer_is_never_fine(answer: str) -> None:
    """pip-audit itself ends with 0 if it found none of the packages."""
    sentence, code = verdict("a lock", 1, answer)
    assert code == NOT_KNOWN
    assert "NOT AUDITED" in sentence
