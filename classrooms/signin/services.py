"""Signs children in with three pictures, with a QR code, or on the word of a learning platform.

Nothing here stores a network address or locks a class out. Wrong tries on a device that the child
has used count for that device only. On strange devices they count together, so that changing
devices gains nothing. QR codes have no limit. `docs/signing-in.md` has the arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal
from uuid import uuid4

from django.conf import settings
from django.db import transaction

from classrooms.credentials import device_hash, encrypt_pictures, pictures_match, token_hash
from classrooms.locks import lock
from classrooms.models import Child, KnownDevice, QrCode, SchoolClass, WrongNames, WrongTries
from classrooms.signin.sessions import begin_session
from classrooms.tries import CHILD_LIMITS, lock_rows, seconds_now, seconds_to_wait, times_that_count

TRIES: Final = CHILD_LIMITS[0][0]


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The child is signed in. `token` is only in the cookie, and is not stored here."""

    token: str


SignInResult = SignedIn | Literal["wrong", "too many"]


def sign_in(child: Child, pictures: Sequence[str], device: str) -> SignInResult:
    """Try these pictures for the child. The child is locked, so that nobody signs in with pictures
    that a teacher is just replacing, and so is the row of their tries, so that simultaneous
    requests gain none. "Wrong" and "too many" take the same steps."""
    hashed_device = device_hash(device)
    with lock(child) as (child,):
        is_known = KnownDevice.objects.filter(child=child, device_hash=hashed_device).exists()
        counted_on = hashed_device if is_known else WrongTries.STRANGE
        (tries,) = lock_rows(
            [WrongTries(child=child, device_hash=counted_on)], "child_id", "device_hash"
        )
        before = times_that_count(tries.times, CHILD_LIMITS)
        is_right = pictures_match(child.pictures_encrypted, pictures) and not child.removed_at
        if seconds_to_wait(before, CHILD_LIMITS):
            _save_tries(tries, before)
            return "too many"
        if not is_right:
            _save_tries(tries, [*before, seconds_now()])
            return "wrong"
        return SignedIn(begin_session(child, hashed_device))


def sign_in_by_card(child: Child, token: str, device: str) -> SignedIn | None:
    """Sign in the child whose QR code has this token, on a device that becomes known. None if they
    are removed or have another code by now."""
    codes = QrCode.objects.filter(token_hash=token_hash(token))
    return sign_in_if(child, lambda now: codes.filter(child=now).exists(), device)


def sign_in_if(child: Child, is_still: Callable[[Child], bool], device: str) -> SignedIn | None:
    """Sign in a child for whom their card or a learning platform vouches, on a device that becomes
    known. None if the child is removed, or if the card or the platform no longer vouches for them
    according to `is_still`, which is called under the lock."""
    with lock(child) as (child,):
        if child.removed_at or not is_still(child):
            return None
        return SignedIn(begin_session(child, device_hash(device)))


def reject_unknown_name(school_class: SchoolClass, pictures: Sequence[str], device: str) -> None:
    """Take the steps of wrong pictures for a name that no child of the class has. The teacher sees
    only the number of such tries, because the name is not stored."""
    with transaction.atomic():
        Child.all_objects.select_for_update(no_key=True).filter(pk=uuid4()).first()
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        (names,) = lock_rows([WrongNames(school_class=school_class)], "school_class_id")
        before = times_that_count(names.times, CHILD_LIMITS)
        pictures_match(dummy_pictures(settings.PICTURES_KEY), pictures)
        times = [*before, seconds_now()][-TRIES:]
        WrongNames.objects.filter(pk=names.pk).update(times=times)


@cache
def dummy_pictures(key: str) -> str:
    """Encrypted pictures of no child, so that a wrong name takes as long to refuse. `key` is there
    only to make new ones when PICTURES_KEY changes."""
    return encrypt_pictures(("sun", "sun", "sun"))


def _save_tries(tries: WrongTries, times: list[int]) -> None:
    WrongTries.objects.filter(pk=tries.pk).update(times=times)
