"""Who sees the names of a class when giving its code, and who types a name instead.

A class code is on every card, and cards get lost. Away from school the code alone does not show who
is in the class: on a new device children type their name and tap their pictures, and the answer is
only whether both together are right. `docs/signing-in.md` has the arithmetic.
"""

from typing import Final, Literal
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils import timezone

from classrooms.http.network import Address, client_address, is_within, network_of
from classrooms.locks import lock
from classrooms.models import SchoolClass
from classrooms.signin import class_code

MOST_NETWORKS: Final = 4
SATURDAY: Final = 5

NamesShown = SchoolClass.NamesShown
Added = Literal["added", "there", "full", "unknown"]


def names_are_listed(school_class: SchoolClass, request: HttpRequest, device: str) -> bool:
    """Whether someone with the code may choose a name on this device, in its current network.

    A closed class lists only children who have signed in on the device, so it hides nothing.
    """
    shown = school_class.names_shown
    if shown == NamesShown.ALWAYS or school_class.is_closed:
        return True
    if class_code.is_known(device, school_class.code):
        return True
    if shown == NamesShown.NEVER:
        return False
    return in_school_hours(school_class) or is_within(
        client_address(request), school_class.networks
    )


def in_school_hours(school_class: SchoolClass) -> bool:
    """Whether it is school time by the class's clock, and the class lists names then."""
    if not school_class.in_school_hours:
        return False
    now = timezone.now().astimezone(ZoneInfo(school_class.time_zone))
    return now.weekday() < SATURDAY and (
        school_class.school_from <= now.hour < school_class.school_until
    )


def add_network(school_class: SchoolClass, address: Address | None) -> Added:
    """Store the network of this address as one of the school's."""
    network = network_of(address)
    if network is None:
        return "unknown"
    with lock(school_class) as (kept,):
        if is_within(network.network_address, kept.networks):
            return "there"
        if len(kept.networks) >= MOST_NETWORKS:
            return "full"
        _keep(kept, [*kept.networks, str(network)])
    return "added"


def remove_network(school_class: SchoolClass, network: str) -> bool:
    """Remove one of the school's networks; False if it is not one of them."""
    with lock(school_class) as (kept,):
        if network not in kept.networks:
            return False
        _keep(kept, [each for each in kept.networks if each != network])
    return True


def _keep(school_class: SchoolClass, networks: list[str]) -> None:
    school_class.networks = networks
    school_class.save(update_fields=("networks",))
