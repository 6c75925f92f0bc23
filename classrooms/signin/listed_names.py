"""Decides who sees the names of a class after typing its code, and who types a name instead.

A class code is on every card, and cards get lost. So away from school the code alone does not show
who is in the class: on a new device children type their name and tap their pictures, and learn only
whether both together are right. `docs/signing-in.md` has the arithmetic.
"""

from typing import Final, Literal
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils import timezone

from classrooms.audit import What, audit
from classrooms.locks import lock
from classrooms.models import SchoolClass, User
from classrooms.network import Address, client_address, is_within, network_of
from classrooms.signin.door import is_known

MOST_NETWORKS: Final = 4
SATURDAY: Final = 5
NamesShown = SchoolClass.NamesShown
Added = Literal["added", "there", "full", "unknown"]


def names_are_listed(school_class: SchoolClass, request: HttpRequest, device: str) -> bool:
    """Whether someone with the code may choose a name on this device, in its current network. In a
    closed class they may, because its list has only children who have signed in on the device."""
    setting = school_class.names_shown
    if setting == NamesShown.ALWAYS or school_class.is_closed:
        return True
    if is_known(device, school_class.code):
        return True
    if setting == NamesShown.NEVER:
        return False
    return in_school_hours(school_class) or is_within(
        client_address(request), school_class.networks
    )


def in_school_hours(school_class: SchoolClass) -> bool:
    """Whether school hours apply to the class and, by its clock, it is within them."""
    if not school_class.in_school_hours:
        return False
    now = timezone.now().astimezone(ZoneInfo(school_class.time_zone))
    return now.weekday() < SATURDAY and (
        school_class.school_from <= now.hour < school_class.school_until
    )


def add_network(school_class: SchoolClass, address: Address | None, by: User) -> Added:
    """Let the class list its names in the network of this address."""
    network = network_of(address)
    if network is None:
        return "unknown"
    with lock(school_class) as (locked,):
        if is_within(network.network_address, locked.networks):
            return "there"
        if len(locked.networks) >= MOST_NETWORKS:
            return "full"
        _save_networks(locked, [*locked.networks, str(network)], by)
    return "added"


def remove_network(school_class: SchoolClass, network: str, by: User) -> bool:
    """Stop listing the names of the class in this network. Return False if they were not listed
    there."""
    with lock(school_class) as (locked,):
        if network not in locked.networks:
            return False
        _save_networks(locked, [other for other in locked.networks if other != network], by)
    return True


def _save_networks(school_class: SchoolClass, networks: list[str], by: User) -> None:
    school_class.networks = networks
    school_class.save(update_fields=("networks",))
    audit(by, What.NAMES_SHOWN, school_class=school_class)
