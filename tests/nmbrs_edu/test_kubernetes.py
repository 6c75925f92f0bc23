"""The manifests that deploy/kustomization.yaml combines are valid in Kubernetes, fit together, and
start the commands of docker-compose.yml. The tests need neither a cluster nor a network."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.proxy.site import SERVICES
from tests.repository import ROOT

DEPLOY: Final = ROOT / "deploy"
KUSTOMIZATION: Final[dict[str, Any]] = yaml.safe_load(
    (DEPLOY / "kustomization.yaml").read_text(encoding="utf-8")
)
SCHEMAS: Final[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "nmbrs_edu" / "kubernetes-1.31.json").read_text(encoding="utf-8")
)

Manifest = dict[str, Any]


def manifests() -> Iterator[Manifest]:
    for path in KUSTOMIZATION["resources"]:
        yield from yaml.safe_load_all((DEPLOY / path).read_text(encoding="utf-8"))


MANIFESTS: Final = {
    f"{manifest['kind']} {manifest['metadata']['name']}": manifest for manifest in manifests()
}


def manifests_of(kind: str) -> dict[str, Manifest]:
    manifests = [manifest for manifest in MANIFESTS.values() if manifest["kind"] == kind]
    return {manifest["metadata"]["name"]: manifest for manifest in manifests}


def pods() -> dict[str, Manifest]:
    """The specification of the pod of each Deployment and Job."""
    both = manifests_of("Deployment") | manifests_of("Job")
    return {name: manifest["spec"]["template"]["spec"] for name, manifest in both.items()}


def problems(manifest: Manifest) -> list[str]:
    """The faults for which Kubernetes would refuse it: unknown fields, wrong types, missing
    fields."""
    # Loading its grammars takes more than a second, so only the tests that need them import it.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    schema = {"$defs": SCHEMAS["$defs"], **SCHEMAS["kinds"][manifest["kind"]]}
    errors = Draft202012Validator(schema).iter_errors(manifest)
    return [f"{error.json_path}: {error.message}" for error in errors]


OUTSIDE = {"postgres", "certificate"}
BY_HAND = {"backup", "check-backup", "restore", "school"}
PODS = pods()
CONTAINERS = [
    pytest.param(pod, container, id=f"{name}-{container['name']}")
    for name, pod in PODS.items()
    for container in [*pod.get("initContainers", []), *pod["containers"]]
]
NAME = "app.kubernetes.io/name"
SECRETS_OF_ADMIN = {"nmbrs-env", "nmbrs-certificate"}
"""Secrets that the admin makes (docs/running.md)."""


@pytest.mark.parametrize("name", sorted(MANIFESTS))
def test_kubernetes_accepts_every_manifest(name: str) -> None:
    assert problems(MANIFESTS[name]) == []


def test_every_file_is_combined_and_every_combined_file_exists() -> None:
    files = {f"kubernetes/{path.name}" for path in (DEPLOY / "kubernetes").glob("*.yaml")}
    assert set(KUSTOMIZATION["resources"]) == files
    paths = [
        path for generator in KUSTOMIZATION["configMapGenerator"] for path in generator["files"]
    ]
    assert [path for path in paths if not (DEPLOY / path).is_file()] == []
    pages = {f"pages/{path.name}" for path in (DEPLOY / "pages").glob("*.html")}
    assert pages <= set(paths)


def test_the_manifests_start_what_compose_starts() -> None:
    started = {
        container["name"]: container.get("command")
        for pod in PODS.values()
        for container in [*pod.get("initContainers", []), *pod["containers"]]
    }
    wanted = set(SERVICES) - OUTSIDE - BY_HAND
    assert wanted <= started.keys()
    for name in wanted - {"proxy"}:
        assert started[name] == SERVICES[name]["command"], name


@pytest.mark.parametrize(("pod", "container"), CONTAINERS)
def test_no_container_has_privileges_or_all_of_a_machine(
    pod: Manifest, container: Manifest
) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize(("pod", "container"), CONTAINERS)
def test_everything_a_container_mounts_exists(pod: Manifest, container: Manifest) -> None:
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert {mount["name"] for mount in container.get("volumeMounts", [])} <= volumes.keys()
    maps = {generator["name"] for generator in KUSTOMIZATION["configMapGenerator"]}
    for volume in volumes.values():
        if "configMap" in volume:
            assert volume["configMap"]["name"] in maps
        if "secret" in volume:
            assert volume["secret"]["secretName"] in SECRETS_OF_ADMIN
        if "persistentVolumeClaim" in volume:
            claims = manifests_of("PersistentVolumeClaim")
            assert volume["persistentVolumeClaim"]["claimName"] in claims
    for source in container.get("envFrom", []):
        assert source["secretRef"]["name"] in SECRETS_OF_ADMIN


def test_services_and_network_rules_name_pods_that_exist() -> None:
    deployments = manifests_of("Deployment")
    for name, service in manifests_of("Service").items():
        [container] = PODS[service["spec"]["selector"][NAME]]["containers"]
        ports = {port["name"] for port in container["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports, name
    policies = manifests_of("NetworkPolicy")
    assert policies["nobody"]["spec"]["podSelector"] == {}
    assert set(policies["nobody"]["spec"]["policyTypes"]) == {"Ingress", "Egress"}
    named = {n for policy in policies.values() for n in _pods_named(policy["spec"])}
    assert named <= deployments.keys() | {"migrate"}
    assert {"web", "door", "adults", "redis", "proxy", "metrics"} <= named


def _pods_named(part: Any) -> set[str]:
    """The pods that a rule selects, by name."""
    if isinstance(part, list):
        return set().union(*map(_pods_named, part))
    if not isinstance(part, dict):
        return set()
    own = {part["matchLabels"][NAME]} if NAME in part.get("matchLabels", {}) else set()
    return own.union(*map(_pods_named, part.values()))


@pytest.mark.parametrize("name", sorted(set(manifests_of("Deployment")) - {"beat", "backups"}))
def test_every_server_and_worker_has_a_health_check(name: str) -> None:
    [container] = PODS[name]["containers"]
    assert "livenessProbe" in container
    if "ports" in container:
        assert "readinessProbe" in container


@pytest.mark.parametrize("name", ["beat", "backups"])
def test_beat_and_backups_run_one_replica(name: str) -> None:
    spec = manifests_of("Deployment")[name]["spec"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})


def test_web_keeps_serving_while_it_is_replaced() -> None:
    for name in ("web", "door", "adults", "proxy"):
        spec = manifests_of("Deployment")[name]["spec"]
        assert spec["replicas"] >= 2
        assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


@pytest.mark.parametrize(
    ("server", "resolvers"), [("10.96.0.10", "10.96.0.10"), ("fd00::10", "[fd00::10]")]
)
def test_the_proxy_looks_up_full_names_in_the_cluster(
    tmp_path: Path, server: str, resolvers: str
) -> None:
    resolv, config = tmp_path / "resolv.conf", tmp_path / "nginx.conf"
    resolv.write_text(f"search nmbrs.svc.cluster.local\nnameserver {server}\nnameserver 1.1.1.1\n")
    script = DEPLOY / "kubernetes" / "conf.sh"
    command = ["sh", str(script), str(DEPLOY / "nginx.conf"), str(config), str(resolv)]
    subprocess.run(command, env={"PATH": "/usr/bin:/bin", "NAMESPACE": "nmbrs"}, check=True)
    before, after = (DEPLOY / "nginx.conf").read_text(), config.read_text()
    assert f"resolver {resolvers} valid=10s;" in after
    for service in ("web", "door", "adults"):
        short = before.count(f"server {service}:8000 ")
        assert short == after.count(f"server {service}.nmbrs.svc.cluster.local:8000 ") > 0
        assert f"server {service}:8000 " not in after
