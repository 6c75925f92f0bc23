"""The class code at the door (the children's sign-in), and what stops people who guess codes.

No address is stored and no class is ever locked. A device on which a child of the class has signed
in always finds the class open. All other devices together have a limited number of wrong codes in
any 24 hours. After that the door no longer shows whether a code is right: children also type their
name and tap their pictures, and only all three together are answered. `docs/signing-in.md` has the
arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from classrooms.credentials.secrets import device_hash, near, read_code, same_pictures
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

DoorState = Literal["open", "wrong", "careful", "shut"]


@dataclass(frozen=True, slots=True)
class Door:
    """The answer to a code. "careful" and "shut" apply to every code, right or wrong."""

    state: DoorState
    code: str = ""


def _state() -> Literal["open", "careful", "shut"]:
    """The state of the door for strange devices, whatever the code."""
    wrong = wrong_codes()
    return "open" if wrong < OPENLY else "careful" if wrong < CAREFULLY else "shut"


def knock(typed: str, device: str) -> Door:
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
    state = _state()
    if state != "open":
        return Door(state, code)
    archived_by_code = dict(
        SchoolClass.objects.filter(code__in=[code, *near(code)]).values_list("code", "archived_at")
    )
    if code in archived_by_code and not archived_by_code[code]:
        return Door("open", code)
    _count_wrong_codes(0 if archived_by_code else 1)
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


def sign_in_by_name(
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


def sign_in_by_code_and_name(
    child: Child | None, picked: Sequence[str], device: str
) -> child_sign_in.SignInResult:
    """Try code, name and pictures together. `child`: the one with that name in the class with that
    code, or None. None counts as a wrong code and takes as long as wrong pictures."""
    if child is not None:
        answer = child_sign_in.sign_in(child, picked, device)
        # "too many" would show that there is such a child.
        return "wrong" if answer == "too many" else answer
    with transaction.atomic():
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        bucket = _locked_bucket()
        same_pictures(child_sign_in.dummy_pictures(settings.PICTURES_KEY), picked)
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + 1)
    return "wrong"
