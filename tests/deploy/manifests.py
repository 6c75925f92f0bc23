"""The manifests that deploy/kustomization.yaml combines."""

import json
from collections.abc import Iterator
from typing import Any, Final

import yaml

from tests.servers import ROOT

DEPLOY: Final = ROOT / "deploy"
KUSTOMIZATION: Final[dict[str, Any]] = yaml.safe_load(
    (DEPLOY / "kustomization.yaml").read_text(encoding="utf-8")
)
SCHEMAS: Final[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "deploy" / "kubernetes-1.31.json").read_text(encoding="utf-8")
)

Manifest = dict[str, Any]


def manifests() -> Iterator[Manifest]:
    for path in KUSTOMIZATION["resources"]:
        yield from yaml.safe_load_all((DEPLOY / path).read_text(encoding="utf-8"))


MANIFESTS: Final = {f"{each['kind']} {each['metadata']['name']}": each for each in manifests()}


def of_kind(kind: str) -> dict[str, Manifest]:
    """Each by its name."""
    found = [each for each in MANIFESTS.values() if each["kind"] == kind]
    return {each["metadata"]["name"]: each for each in found}


def pods() -> dict[str, Manifest]:
    """The specification of the pod of each Deployment and Job."""
    both = of_kind("Deployment") | of_kind("Job")
    return {name: each["spec"]["template"]["spec"] for name, each in both.items()}


def problems(manifest: Manifest) -> list[str]:
    """Where Kubernetes would not take it: unknown fields, wrong types, what is missing."""
    # Its grammars cost more than a second: only where they are needed.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    schema = {"$defs": SCHEMAS["$defs"], **SCHEMAS["kinds"][manifest["kind"]]}
    found = Draft202012Validator(schema).iter_errors(manifest)
    return [f"{error.json_path}: {error.message}" for error in found]
