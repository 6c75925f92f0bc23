"""Lock files, as they are read, and the list of what the site is made of."""

import hashlib
from importlib.metadata import requires
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.requirements import Requirement

from scripts.locked import ROOT, LockError, needed_by, normal, read
from scripts.sbom import LOCK, sbom, written
from tests.repository import text_of


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return sbom()


@pytest.mark.proof
def test_every_pinned_package_is_in_it_with_all_its_hashes(made: dict[str, Any]) -> None:
    lock = read(text_of(LOCK))
    components = {normal(each["name"]): each for each in made["components"]}
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
def test_what_is_vendored_is_in_it_file_by_file(made: dict[str, Any]) -> None:
    (htmx,) = (each for each in made["components"] if each["name"] == "htmx.org")
    version = text_of("static/vendor/htmx/VERSION")
    assert version.startswith(f"htmx.org {htmx['version']},")
    assert htmx["licenses"] == [{"license": {"id": "0BSD"}}]
    scripts = sorted((ROOT / "static/vendor").rglob("*.js"))
    assert [each["name"] for each in htmx["components"]] == [
        str(path.relative_to(ROOT)) for path in scripts
    ]
    for each, path in zip(htmx["components"], scripts, strict=True):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert each["hashes"] == [{"alg": "SHA-256", "content": digest}]


@pytest.mark.proof
def test_it_is_valid_and_the_same_each_time(made: dict[str, Any]) -> None:
    text = written(made)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert written(sbom()) == text
    assert "timestamp" not in made["metadata"]
    assert "serialNumber" not in made


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


def test_a_lock_says_what_is_pinned_with_how_many_hashes_and_for_whom() -> None:
    lock = read(A_LOCK)
    assert {name: pinned.version for name, pinned in lock.items()} == {
        "upper": "1.0",
        "middle-one": "2.0",
        "lower": "3.0",
        "other": "4.0",
    }
    assert lock["middle-one"].hashes == 2
    assert lock["lower"].via == {"middle-one", "other"}
    assert [name for name, pinned in lock.items() if pinned.direct] == ["upper", "other"]


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
def test_what_is_no_pin_is_refused(line: str) -> None:
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
