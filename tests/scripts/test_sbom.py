"""The list of what the site is made of."""

import hashlib
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from scripts.locked import ROOT, normal, read
from scripts.sbom import LOCK, sbom, written
from tests.documents import text_of


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return sbom()


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


def test_it_says_who_needs_whom(made: dict[str, Any]) -> None:
    names = {each["bom-ref"]: each["name"] for each in made["components"]}
    root = made["metadata"]["component"]["bom-ref"]
    graph = {each["ref"]: each["dependsOn"] for each in made["dependencies"]}
    assert {names[ref] for ref in graph[root]} >= {"django", "celery", "htmx.org"}
    (celery,) = (ref for ref, name in names.items() if name == "celery")
    assert "kombu" in {names[ref] for ref in graph[celery]}


def test_it_is_valid_and_the_same_each_time(made: dict[str, Any]) -> None:
    text = written(made)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert written(sbom()) == text
    assert "timestamp" not in made["metadata"]
    assert "serialNumber" not in made


def test_the_image_has_it() -> None:
    dockerfile = text_of("Dockerfile")
    assert "python -m scripts.sbom /sbom.json" in dockerfile
    assert "COPY --from=sbom /sbom.json sbom.json" in dockerfile
