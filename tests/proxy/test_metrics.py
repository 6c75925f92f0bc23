"""Figures for the operator are on a port of their own, and the proxy does not pass them on."""

import urllib.request

import pytest

from tests.documents import text_of
from tests.proxy.site import SERVICES, Site
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_port_of_the_figures_has_them_and_the_proxy_has_not(site: Site) -> None:
    site.ports["metrics"] = port = free_port()
    try:
        site.start("metrics", was="9100")
        site.wait_for_line("metrics", "Started worker-1")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            assert b"nmbrs_database_up 1" in answer.read()
    finally:
        site.stop("metrics")
        del site.ports["metrics"]
    for path in ("/metrics", "/metrics/", "/static/../metrics"):
        answered = site.browser().get(path)
        assert answered.status_code == 404
        assert "nmbrs_" not in answered.text


def test_only_this_machine_reaches_the_port() -> None:
    assert SERVICES["metrics"]["ports"] == ["127.0.0.1:9100:9100"]
    assert {name for name, service in SERVICES.items() if "ports" in service} == {
        "metrics",
        "proxy",
    }
    assert "metrics" not in text_of("deploy/nginx.conf")
    assert "9100" not in text_of("deploy/nginx.conf")
