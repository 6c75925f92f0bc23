"""The list of all that the site is made of, as CycloneDX: `make sbom`, /app/sbom.json in the image.

The pinned packages of `requirements/run.txt` with their hashes and who needs whom, and what is in
`static/vendor`. The same files make the same list, byte for byte.
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
    """The list, as data. Raises `subprocess.CalledProcessError` where it cannot be made."""
    maker = Path(sys.executable).with_name("cyclonedx-py")
    command = [str(maker), "requirements", LOCK, "--pyproject", "pyproject.toml"]
    command += ["--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"]
    made = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(made.stdout)
    vendored = htmx()
    told["components"] = [*told["components"], vendored]
    told["dependencies"] = _dependencies(told, [vendored["bom-ref"]])
    return told


def htmx() -> dict[str, Any]:
    """htmx as it lies in `static/vendor`, with the hash of each of its files."""
    version = (HTMX / "VERSION").read_text(encoding="utf-8")
    said = re.match(r"(?P<name>[\w.]+) (?P<version>[\d.]+),.*\((?P<licence>[^)]+)\)", version)
    if said is None:
        raise ValueError(f"{HTMX / 'VERSION'} does not say which version it is.")
    return {
        "bom-ref": "vendored-htmx",
        "type": "library",
        "name": said["name"],
        "version": said["version"],
        "purl": f"pkg:npm/{said['name']}@{said['version']}",
        "licenses": [{"license": {"id": LICENCES[said["licence"]]}}],
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


def _dependencies(told: dict[str, Any], vendored: list[str]) -> list[dict[str, Any]]:
    """Who needs whom, from the remarks in the lock."""
    lock = read((ROOT / LOCK).read_text(encoding="utf-8"))
    refs = {normal(each["name"]): each["bom-ref"] for each in told["components"]}
    root = told["metadata"]["component"]["bom-ref"]
    direct = [refs[name] for name, pinned in lock.items() if pinned.direct]
    needs = {
        refs[name]: [refs[other] for other, pinned in lock.items() if name in pinned.via]
        for name in lock
    }
    graph = {root: [*direct, *vendored], **needs, **{ref: [] for ref in vendored}}
    return [{"ref": ref, "dependsOn": sorted(on)} for ref, on in sorted(graph.items())]


def written(told: dict[str, Any]) -> str:
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    out = Path(sys.argv[1])
    made = sbom()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(written(made), encoding="utf-8")
    print(f"{out}: {len(made['components'])} components.")
