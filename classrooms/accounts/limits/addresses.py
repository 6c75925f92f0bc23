"""What a network address counts as where wrong sign-ins are counted by it."""

from ipaddress import IPv4Address, ip_network
from typing import Final

from django.http import HttpRequest

from classrooms.http.network import IPV6_BITS, Address, client_address, read_address

UNKNOWN: Final = str(IPv4Address(0))


def address_to_show(request: HttpRequest) -> str:
    """What a list of sessions shows, and what allauth's own limits count by: always an address."""
    address = client_address(request) or read_address(request.META.get("REMOTE_ADDR", ""))
    return str(address or UNKNOWN)


def one_customer(address: Address) -> str:
    """The address as far as it is one household's or one school's."""
    if address.version == 4:
        return str(address)
    return str(ip_network((address, IPV6_BITS), strict=False))
