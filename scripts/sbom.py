"""Writes the software bill of materials as CycloneDX: `make sbom`, and /app/sbom.json in the image.

It lists the pinned packages of `requirements/run.txt` with their hashes and dependencies, and the
files in `static/vendor`. The same input gives the same list, byte for byte.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from scripts.locked import ROOT, normal, read

LOCK: Final = "requirements/run.txt"
HTMX: Final = ROOT / "static/vendor/htmx"
LICENCES: Final = {"Zero-Clause BSD": "0BSD"}


def sbom() -> dict[str, Any]:
    """The list as data. Raises `subprocess.CalledProcessError` if it cannot be made."""
    maker = Path(sys.executable).with_name("cyclonedx-py")
    command = [str(maker), "requirements", LOCK, "--pyproject", "pyproject.toml"]
    command += ["--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"]
    result = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    bom: dict[str, Any] = json.loads(result.stdout)
    vendored = htmx()
    bom["components"] = [*bom["components"], vendored]
    bom["dependencies"] = _dependencies(bom, [vendored["bom-ref"]])
    return bom


def htmx() -> dict[str, Any]:
    """htmx as it is in `static/vendor`, with the hash of each of its files."""
    version = (HTMX / "VERSION").read_text(encoding="utf-8")
    match = re.match(r"(?P<name>[\w.]+) (?P<version>[\d.]+),.*\((?P<licence>[^)]+)\)", version)
    if match is None:
        raise ValueError(f"{HTMX / 'VERSION'} does not say which version it is.")
    return {
        "bom-ref": "vendored-htmx",
        "type": "library",
        "name": match["name"],
        "version": match["version"],
        "purl": f"pkg:npm/{match['name']}@{match['version']}",
        "licenses": [{"license": {"id": LICENCES[match["licence"]]}}],
        "components": [
            {
                "bom-ref": f"vendored-{path.name}",
                "type": "file",
                "name": str(path.relative_to(ROOT)),
                "hashes": [
                    {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}
                ],
            }
            for path in sorted(HTMX.glob("*.js"))
        ],
    }


def _dependencies(bom: dict[str, Any], vendored_packages: list[str]) -> list[dict[str, Any]]:
    lock = read((ROOT / LOCK).read_text(encoding="utf-8"))
    refs = {normal(component["name"]): component["bom-ref"] for component in bom["components"]}
    root = bom["metadata"]["component"]["bom-ref"]
    direct = [refs[name] for name, pinned in lock.items() if pinned.is_direct]
    needs = {
        refs[name]: [refs[other] for other, pinned in lock.items() if name in pinned.needed_by]
        for name in lock
    }
    graph = {root: [*direct, *vendored_packages], **needs, **{ref: [] for ref in vendored_packages}}
    return [{"ref": ref, "dependsOn": sorted(on)} for ref, on in sorted(graph.items())]


def as_json(bom: dict[str, Any]) -> str:
    return json.dumps(bom, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    out = Path(sys.argv[1])
    bill = sbom()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(as_json(bill), encoding="utf-8")
    print(f"{out}: {len(bill['components'])} components.")
