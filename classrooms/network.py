"""Finds the network of a request, which is only compared: no child's network is stored."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

import structlog
from django.conf import settings
from django.http import HttpRequest

log = structlog.get_logger(__name__)
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
IPV4_BITS: Final = 32
"""The whole address: computers of a school share one public address."""
IPV6_BITS: Final = 64
"""One network in a building. A shorter prefix might include the neighbours."""


def client_address(request: HttpRequest) -> Address | None:
    """The address of the client that the outermost of our own proxies saw; None if it is unknown.
    Entries that the client itself put into the header are ignored."""
    proxies: int = settings.TRUSTED_PROXIES
    if not proxies:
        return read_address(request.META.get("REMOTE_ADDR", ""))
    addresses = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if len(addresses) < proxies or not addresses[-proxies].strip():
        log.warning("X-Forwarded-For is shorter than TRUSTED_PROXIES says", proxies=proxies)
        return None
    return read_address(addresses[-proxies])


def read_address(text: str) -> Address | None:
    """The address in a text as servers and proxies write it, with or without brackets and port;
    None if there is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def network_of(address: Address | None) -> Network | None:
    """The network by which a school is recognised; None for an address that is not public, because
    other schools use it too."""
    if address is None or not address.is_global:
        return None
    bits = IPV4_BITS if address.version == 4 else IPV6_BITS
    return ip_network(f"{address}/{bits}", strict=False)


def is_within(address: Address | None, networks: Iterable[str]) -> bool:
    """Whether the address is in one of these networks, written as CIDR."""
    return address is not None and any(address in ip_network(network) for network in networks)
