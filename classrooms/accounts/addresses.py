"""From which network address a request comes, seen through the proxies in front of the site."""

import ipaddress
from typing import Final

import structlog
from django.conf import settings
from django.http import HttpRequest

log = structlog.get_logger(__name__)
IPV6_PREFIX: Final = 64
"""As much of an IPv6 address as a household or a school has to itself."""
UNKNOWN: Final = str(ipaddress.IPv4Address(0))


def client_address(request: HttpRequest) -> str | None:
    """The address, or None where it cannot be known.

    With TRUSTED_PROXIES = n it is the n-th from the end of X-Forwarded-For: what our own proxies
    wrote. What a client writes into that header stands further to the left and is not looked at.
    """
    proxies: int = settings.TRUSTED_PROXIES
    if proxies == 0:
        return _read(request.META.get("REMOTE_ADDR", ""))
    passed = request.headers.get("x-forwarded-for", "").split(",")
    if len(passed) < proxies or not passed[-proxies].strip():
        log.warning("X-Forwarded-For is shorter than TRUSTED_PROXIES says", proxies=proxies)
        return None
    return _read(passed[-proxies])


def address_to_show(request: HttpRequest) -> str:
    """What a list of sessions shows, and what allauth's own limits count by: always an address."""
    return client_address(request) or _read(request.META.get("REMOTE_ADDR", "")) or UNKNOWN


def network_of(address: str) -> str:
    """The address as far as it is one customer's."""
    known = ipaddress.ip_address(address)
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, IPV6_PREFIX), strict=False))


def _read(text: str) -> str | None:
    """An address in its usual form; a port after it is dropped."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
