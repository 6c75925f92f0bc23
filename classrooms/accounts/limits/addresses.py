"""How network addresses are grouped for counting wrong sign-ins."""

from ipaddress import IPv4Address, ip_network
from typing import Final

from django.http import HttpRequest

from classrooms.http.network import IPV6_BITS, Address, client_address, read_address

UNKNOWN: Final = str(IPv4Address(0))


def address_to_show(request: HttpRequest) -> str:
    """For the list of sessions and allauth's own limits, which always need an address."""
    address = client_address(request) or read_address(request.META.get("REMOTE_ADDR", ""))
    return str(address or UNKNOWN)


def customer_network(address: Address) -> str:
    """The part of the address that one household or school has."""
    if address.version == 4:
        return str(address)
    return str(ip_network((address, IPV6_BITS), strict=False))
