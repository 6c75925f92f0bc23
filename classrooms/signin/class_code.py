"""The class code at the door (the children's sign-in), and what stops people who guess codes.

No class is ever locked. A device on which a child of the class has signed in always finds the class
open. All other devices in a network, and all of the site, have a limited number of wrong codes in
any 24 hours. After that the door no longer shows them whether a code is right: children also type
their name and tap their pictures, and only all three together are answered. Networks are stored as
keyed hashes. `docs/signing-in.md` has the arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.http import HttpRequest
from django.utils import timezone

from classrooms.accounts.limits import tries
from classrooms.accounts.limits.addresses import customer_network
from classrooms.credentials.secrets import device_hash, near, read_code, same_pictures
from classrooms.http.network import client_address
from classrooms.models import Child, KnownDevice, SchoolClass, WrongCodes, WrongNames
from classrooms.signin import child_sign_in

MOST_CLASSES: Final = 10_000
"""The number of classes for which the limits below were calculated."""
OPENLY: Final = 500
"""Wrong codes in 24 hours up to which the answer is a plain no."""
CAREFULLY: Final = 2_000_000
"""Wrong codes up to which combinations of code, name and pictures are still answered, all alike."""
COUNTED_FOR: Final = timedelta(hours=24)
BUCKET: Final = timedelta(hours=1)
CODES_OF_A_NETWORK: Final[tries.Limits] = ((100, COUNTED_FOR),)
"""Wrong codes up to which a network gets a plain no: a fifth of what the whole site gets."""
NAMES_OF_A_NETWORK: Final[tries.Limits] = ((600, BUCKET),)
"""Wrong combinations of code, name and pictures."""
NAMES_OF_A_CLASS: Final[tries.Limits] = ((200, BUCKET),)
"""The same for one code in one network: what a class of thirty needs, many times over."""

DoorState = Literal["open", "wrong", "careful", "shut"]


@dataclass(frozen=True, slots=True)
class Door:
    """The answer to a code. "careful" and "shut" apply to every code, right or wrong."""

    state: DoorState
    code: str = ""


def network_of(request: HttpRequest) -> str:
    """Where wrong codes and names are counted; "" for nowhere, where the address is unknown."""
    address = client_address(request)
    return customer_network(address) if address else ""


def _codes_from(network: str) -> tries.Counter:
    return tries.Counter(f"class code:from:{network}", CODES_OF_A_NETWORK)


def _guesses(network: str) -> bool:
    """Whether so many wrong codes came from this network that it alone finds the door careful."""
    return bool(network) and tries.is_used_up(_codes_from(network))


def _state(network: str) -> Literal["open", "careful", "shut"]:
    """The state of the door for strange devices in this network, whatever the code."""
    wrong = wrong_codes()
    if wrong >= CAREFULLY:
        return "shut"
    return "careful" if wrong >= OPENLY or _guesses(network) else "open"


def knock(typed: str, device: str, network: str = "") -> Door:
    """Try this code, as typed, on this device ("" if it has no id yet).

    Text that cannot be a code is not counted, and neither is a code one typing error away from a
    class's. No two classes are that near to each other (`models.classes.free_code`), so it opens no
    other class.
    """
    code = read_code(typed)
    if code is None:
        return Door("wrong")
    if is_known(device, code):
        return Door("open", code)
    state = _state(network)
    if state != "open":
        return Door(state, code)
    archived_by_code = dict(
        SchoolClass.objects.filter(code__in=[code, *near(code)]).values_list("code", "archived_at")
    )
    if code in archived_by_code and not archived_by_code[code]:
        return Door("open", code)
    count = 0 if archived_by_code else 1
    _count_wrong_codes(count)
    if network:
        tries.take([_codes_from(network)], count)
    return Door("wrong", code)


def is_known(device: str, code: str) -> bool:
    """Whether a child of the class with this code has signed in on this device."""
    if not device:
        return False
    known = KnownDevice.objects.filter(device_hash=device_hash(device))
    return known.filter(
        child__school_class__code=code, child__school_class__archived_at=None
    ).exists()


def wrong_codes() -> int:
    """How many wrong codes were tried in the last 24 to 25 hours."""
    buckets = WrongCodes.objects.filter(hour__gt=timezone.now() - COUNTED_FOR - BUCKET)
    return buckets.aggregate(all=Sum("count"))["all"] or 0


def _count_wrong_codes(more: int) -> None:
    """Count so many more. The same steps for none, so that the time does not show what counts."""
    with transaction.atomic():
        bucket = _locked_bucket()
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + more)


def _locked_bucket() -> WrongCodes:
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    bucket = child_sign_in.locked(WrongCodes, hour=hour)
    if not bucket.count:
        WrongCodes.objects.filter(hour__lte=hour - COUNTED_FOR - BUCKET).delete()
    return bucket


def sign_in_typed(
    code: str,
    school_class: SchoolClass | None,
    child: Child | None,
    picked: Sequence[str],
    device: str,
    network: str,
) -> child_sign_in.SignInResult:
    """Try a typed name and pictures. `school_class`: None where the code is tried too. "Too many":
    nothing is checked, since no try is left in this network for a strange device."""
    counters = []
    if network and not is_known(device, code):
        counters = [
            tries.Counter(f"child name:from:{network}", NAMES_OF_A_NETWORK),
            tries.Counter(f"child name:from:{network}:{code}", NAMES_OF_A_CLASS),
        ]
    taken = tries.take(counters)
    if taken is None:
        return "too many"
    if school_class:
        answer = _sign_in_by_name(school_class, child, picked, device)
    else:
        answer = _sign_in_by_code_and_name(child, picked, device, 0 if _guesses(network) else 1)
    if isinstance(answer, child_sign_in.SignedIn):
        tries.give_back(taken)
    return answer


def _sign_in_by_name(
    school_class: SchoolClass, child: Child | None, picked: Sequence[str], device: str
) -> child_sign_in.SignInResult:
    """Try name and pictures together, in a class whose names are not listed. `child`: the one with
    that name, or None. None takes the same steps as wrong pictures and does not count as a wrong
    code. All such tries of a class wait for one another, so that the waiting time shows nothing."""
    with transaction.atomic():
        child_sign_in.lock(WrongNames, school_class=school_class)
        if child is None:
            child_sign_in.reject_unknown_name(school_class, picked, device)
            return "wrong"
        answer = child_sign_in.sign_in(child, picked, device)
    return "wrong" if answer == "too many" else answer


def _sign_in_by_code_and_name(
    child: Child | None, picked: Sequence[str], device: str, count: int
) -> child_sign_in.SignInResult:
    """Try code, name and pictures together. `child`: the one with that name in the class with that
    code, or None. None counts as so many wrong codes and takes as long as wrong pictures."""
    if child is not None:
        answer = child_sign_in.sign_in(child, picked, device)
        # "too many" would show that there is such a child.
        return "wrong" if answer == "too many" else answer
    with transaction.atomic():
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        bucket = _locked_bucket()
        same_pictures(child_sign_in.dummy_pictures(settings.PICTURES_KEY), picked)
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + count)
    return "wrong"
