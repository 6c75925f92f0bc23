"""The client's address is the one that our own proxies saw, whatever headers the client sends."""

from ipaddress import ip_address
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from classrooms.accounts.limits import UNKNOWN_ADDRESS, displayed_address, subscriber_network
from classrooms.network import client_address, is_within, network_of
from tests.factories import PASSWORD, UserFactory

SCHOOL = "198.41.0.4"


def test_a_school_is_one_address_or_one_network_of_a_building() -> None:
    assert str(network_of(ip_address(SCHOOL))) == f"{SCHOOL}/32"
    assert str(network_of(ip_address("2a00:1450:4001:81b::77"))) == "2a00:1450:4001:81b::/64"


def test_an_address_is_only_within_its_own_networks() -> None:
    networks = [f"{SCHOOL}/32", "2a00:1450:4001:81b::/64"]
    assert is_within(ip_address(SCHOOL), networks)
    assert is_within(ip_address("2a00:1450:4001:81b:1::9"), networks)
    assert not is_within(ip_address("198.41.0.5"), networks)
    assert not is_within(ip_address("2a00:1450:4001:81c::9"), networks)
    assert not is_within(None, networks)


@pytest.mark.parametrize(
    ("proxies", "peer", "header", "address"),
    [
        (0, "192.0.2.7", None, "192.0.2.7"),
        (0, "192.0.2.7", "198.51.100.1", "192.0.2.7"),
        (1, "10.0.0.2", "192.0.2.7", "192.0.2.7"),
        (1, "10.0.0.2", "evil, 198.51.100.1, 192.0.2.7", "192.0.2.7"),
        (1, "10.0.0.2", "192.0.2.7:5123", "192.0.2.7"),
        (1, "10.0.0.2", "[2001:db8::1]:5123", "2001:db8::1"),
        (1, "10.0.0.2", "::ffff:192.0.2.7", "192.0.2.7"),
        (2, "10.0.0.2", "198.51.100.1, 192.0.2.7, 10.0.0.9", "192.0.2.7"),
        (1, "10.0.0.2", None, None),
        (1, "10.0.0.2", "", None),
        (1, "10.0.0.2", "198.51.100.1, not an address", None),
        (2, "10.0.0.2", "192.0.2.7", None),
        (1, "10.0.0.2", "[2a00:1450:4001::1]:443", "2a00:1450:4001::1"),
        (1, "10.0.0.2", "2a00:1450:4001::1%eth0", "2a00:1450:4001::1"),
        (1, "10.0.0.2", "unknown", None),
        (1, "10.0.0.2", "1.2.3", None),
        (1, "10.0.0.2", "[", None),
        (1, "10.0.0.2", "1.2.3.4.5:6:7", None),
        (0, "", None, None),
    ],
)
def test_the_address_is_the_one_that_the_last_of_our_proxies_wrote(
    proxies: int, peer: str, header: str | None, address: str | None, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": header} if header is not None else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)
    client = client_address(request)
    assert (str(client) if client else None) == address
    assert displayed_address(request) == (address or peer or UNKNOWN_ADDRESS)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ],
)
def test_an_ipv6_address_counts_as_its_customers_network(address: str, network: str) -> None:
    assert subscriber_network(ip_address(address)) == network


@pytest.mark.django_db
@pytest.mark.parametrize("header", [None, "", "evil", "1.2.3.4"])
def test_a_short_or_bogus_header_is_not_an_error(header: str | None, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 2
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    alice = UserFactory.create()
    client = Client(headers={"X-Forwarded-For": header} if header is not None else {})
    url = reverse("account_login")
    assert client.post(url, {"login": alice.email, "password": "wrong"}).status_code == 200
    assert client.post(url, {"login": alice.email, "password": PASSWORD}).status_code == 302
