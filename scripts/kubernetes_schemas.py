"""`python -m scripts.kubernetes_schemas WHEEL`: writes the schemas of the kinds that
deploy/kubernetes uses. They come from the wheel of `kubernetes-validate` (Apache 2.0), which has 70
MB with every release of Kubernetes. Only needed for another release or a new kind."""

import json
import sys
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

RELEASE: Final = "1.31"
TO: Final = Path(__file__).resolve().parent.parent / "tests" / "deploy" / "kubernetes-1.31.json"
FROM: Final = f"kubernetes_validate/kubernetes-json-schema/v{RELEASE}.0-local-strict/"
KINDS: Final = {
    "Deployment": "deployment-apps-v1",
    "Job": "job-batch-v1",
    "Namespace": "namespace-v1",
    "NetworkPolicy": "networkpolicy-networking-v1",
    "PersistentVolumeClaim": "persistentvolumeclaim-v1",
    "PodDisruptionBudget": "poddisruptionbudget-policy-v1",
    "Service": "service-v1",
}
NEEDLESS: Final = frozenset({"description", "x-kubernetes-group-version-kind", "$schema", "$id"})


def main(wheel: str) -> None:
    with ZipFile(wheel) as files:
        everything = json.loads(files.read(f"{FROM}_definitions.json"))["$defs"]
        kinds = {
            kind: _plain(json.loads(files.read(f"{FROM}{n}.json"))) for kind, n in KINDS.items()
        }
    needed: dict[str, Any] = {}
    missing = _named(kinds)
    while missing:
        needed |= {name: _plain(everything[name]) for name in missing}
        missing = _named(needed) - needed.keys()
    schemas = {"$defs": dict(sorted(needed.items())), "kinds": kinds}
    TO.write_text(json.dumps(schemas, separators=(",", ":"), sort_keys=True) + "\n")
    print(f"{TO}: {len(needed)} definitions, {TO.stat().st_size:,} bytes")


def _plain(schema: Any, of_fields: bool = False) -> Any:
    """The schema without words for people, and with references within one file. With `of_fields`
    the keys are names of fields, one of which may be `description`."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema.rpartition("_definitions.json")[2] if isinstance(schema, str) else schema
    return {
        key: _plain(value, key == "properties" and not of_fields)
        for key, value in schema.items()
        if of_fields or key not in NEEDLESS
    }


def _named(schema: Any) -> set[str]:
    """The definitions that a schema refers to."""
    if isinstance(schema, list):
        return set().union(*map(_named, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("$ref")
    found = {own.rpartition("/")[2]} if isinstance(own, str) else set()
    return found.union(*map(_named, schema.values()))


if __name__ == "__main__":
    main(sys.argv[1])
