"""Tries class codes at the door, with limits that stop people who guess codes.

No class is ever locked: a device on which a child of the class has signed in always finds it open.
In any 24 hours, all other devices may try a limited number of wrong codes: there is one limit for
each network, and one for all networks together. After that the door does not tell them whether a
code is right. Children then also type their name and tap their pictures, and learn only whether all
three together are right. Networks are stored as keyed hashes. `docs/signing-in.md` has the
arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest

from classrooms import tries
from classrooms.accounts.limits import subscriber_network
from classrooms.credentials import codes_near, device_hash, pictures_match, read_code
from classrooms.locks import lock
from classrooms.models import Child, KnownDevice, SchoolClass, WrongCodes, WrongNames
from classrooms.network import client_address
from classrooms.signin.services import (
    SignedIn,
    SignInResult,
    dummy_pictures,
    reject_unknown_name,
    sign_in,
)

MOST_CLASSES: Final = 10_000
"""The number of classes for which the limits below were calculated."""
OPEN_CODES: Final = 500
"""Up to this many wrong codes in 24 hours, the site tells whether a code is wrong."""
CAREFUL_TRIES: Final = 2_000_000
"""Up to this many wrong codes, the site still checks code, name and pictures together, but tells
only whether all three are right."""
NETWORK_CODE_LIMITS: Final[tries.Limits] = ((100, tries.DAY),)
"""After this many wrong codes, a fifth of `OPEN_CODES`, the site no longer tells a network whether
a code is wrong."""
NETWORK_SIGN_IN_LIMITS: Final[tries.Limits] = ((600, tries.HOUR),)
"""For wrong combinations of code, name and pictures from one network."""
CLASS_SIGN_IN_LIMITS: Final[tries.Limits] = ((200, tries.HOUR),)
"""For such combinations with the code of one class. A class of thirty needs far fewer."""
DoorState = Literal["open", "wrong", "careful", "shut"]


@dataclass(frozen=True, slots=True)
class Door:
    """The answer to a code. The answers "careful" and "shut" do not depend on the code."""

    state: DoorState
    code: str = ""


def network_at_door(request: HttpRequest) -> str:
    """The network whose wrong codes and names are counted; "" if the address is unknown."""
    address = client_address(request)
    return subscriber_network(address) if address else ""


def _codes_from(network: str) -> tries.Counter:
    return tries.Counter(f"class code:from:{network}", NETWORK_CODE_LIMITS)


def _has_many_wrong_codes(network: str) -> bool:
    """Whether this network has used up its wrong codes, so that its door is careful."""
    return bool(network) and tries.is_used_up(_codes_from(network))


def _state(network: str) -> Literal["open", "careful", "shut"]:
    """The state of the door for strange devices in this network, before the code is checked."""
    wrong = tries.wrong_codes()
    if wrong >= CAREFUL_TRIES:
        return "shut"
    return "careful" if wrong >= OPEN_CODES or _has_many_wrong_codes(network) else "open"


def try_code(typed: str, device: str, network: str = "") -> Door:
    """Try this typed code on this device ("" if the device has no id yet).

    Two things do not count as wrong codes: a text that cannot be a code, and a code that is one
    typing error away from that of a class. Such a code opens no other class, because no two codes
    are so near to each other (`models.classes.free_code`).
    """
    code = read_code(typed)
    if code is None:
        return Door("wrong")
    if is_known(device, code):
        return Door("open", code)
    state = _state(network)
    if state != "open":
        return Door(state, code)
    if SchoolClass.objects.filter(code=code, archived_at=None).exists():
        return Door("open", code)
    is_near = SchoolClass.objects.filter(code__in=[code, *codes_near(code)]).exists()
    count = 0 if is_near else 1
    tries.count_wrong_codes(count)
    if network:
        tries.count_tries([_codes_from(network)], count)
    return Door("wrong", code)


def is_known(device: str, code: str) -> bool:
    """Whether a child of the class with this code has signed in on this device."""
    if not device:
        return False
    children = Child.objects.filter(school_class__code=code, school_class__archived_at=None)
    return children.filter(known_devices__device_hash=device_hash(device)).exists()


def sign_in_typed(
    code: str,
    school_class: SchoolClass | None,
    child: Child | None,
    pictures: Sequence[str],
    device: str,
    network: str,
) -> SignInResult:
    """Try a typed name and pictures, and the code too if `school_class` is None. "Too many" means
    that nothing was checked, because strange devices in this network have no tries left."""
    counters = []
    if network and not is_known(device, code):
        counters = [
            tries.Counter(f"child name:from:{network}", NETWORK_SIGN_IN_LIMITS),
            tries.Counter(f"child name:from:{network}:{code}", CLASS_SIGN_IN_LIMITS),
        ]
    counted_try = tries.count_tries(counters)
    if counted_try is None:
        return "too many"
    if school_class:
        answer = _sign_in_by_name(school_class, child, pictures, device)
    else:
        answer = _sign_in_by_code_and_name(
            child, pictures, device, 0 if _has_many_wrong_codes(network) else 1
        )
    if isinstance(answer, SignedIn):
        tries.give_back(counted_try)
    return answer


def _sign_in_by_name(
    school_class: SchoolClass, child: Child | None, pictures: Sequence[str], device: str
) -> SignInResult:
    """Try name and pictures together in a class whose names are not listed. `child` is None
    if no child has the name: then the steps are those of wrong pictures, and no wrong code counts.
    Tries in one class wait for each other, so that the time tells nothing."""
    with lock(*[] if child is None else [child]):
        tries.lock_rows([WrongNames(school_class=school_class)], "school_class_id")
        if child is None:
            reject_unknown_name(school_class, pictures, device)
            return "wrong"
        answer = sign_in(child, pictures, device)
    return "wrong" if answer == "too many" else answer


def _sign_in_by_code_and_name(
    child: Child | None, pictures: Sequence[str], device: str, count: int
) -> SignInResult:
    """Try code, name and pictures together. `child` has that name in the class with that code; None
    takes as long as wrong pictures, and counts as `count` wrong codes."""
    if child is not None:
        answer = sign_in(child, pictures, device)
        # "too many" would reveal that there is such a child.
        return "wrong" if answer == "too many" else answer
    with transaction.atomic():
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        bucket = tries.lock_code_count()
        pictures_match(dummy_pictures(settings.PICTURES_KEY), pictures)
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + count)
    return "wrong"
