"""How a child gets in: three pictures, counted tries, a session of its own.

Nothing here keeps an address or locks a class. Wrong tries on a device that the child has used
count for that device alone; those on strange devices count together, so that one who keeps
changing devices has no more of them than one who does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from .models import Child, ChildSession, KnownDevice, WrongTries
from .secrets import device_hash, new_token, same_pictures, token_hash

TRIES_A_DAY: Final = 60
"""Of all strange devices together, and of each known one: 60 in 13,824 is less than 0.5 %."""

SESSION_LASTS: Final = timedelta(hours=12)
SESSION_IDLES: Final = timedelta(hours=2)
SEEN_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The child is in; `token` goes into its cookie and is kept nowhere else."""

    token: str


Answer = SignedIn | Literal["wrong", "too many"]


def sign_in(child: Child, picked: Sequence[str], device: str) -> Answer:
    """Try these pictures for the child. A try is paid before it is looked at: no race gets more."""
    known = device_hash(device)
    with transaction.atomic():
        seen_before = KnownDevice.objects.filter(child=child, device_hash=known).exists()
        tries = _todays_tries(child, known if seen_before else WrongTries.STRANGE)
        if not _pay(tries):
            return "too many"
        if not same_pictures(child.pictures_encrypted, picked):
            return "wrong"
        WrongTries.objects.filter(pk=tries.pk).update(count=F("count") - 1)
        KnownDevice.objects.update_or_create(
            child=child, device_hash=known, defaults={"seen_at": timezone.now()}
        )
        return SignedIn(_open_session(child))


def _todays_tries(child: Child, device: str) -> WrongTries:
    tries, _ = WrongTries.objects.get_or_create(
        child=child, device_hash=device, day=timezone.now().date()
    )
    return tries


def _pay(tries: WrongTries) -> bool:
    left = WrongTries.objects.filter(pk=tries.pk, count__lt=TRIES_A_DAY)
    return left.update(count=F("count") + 1) == 1


def _open_session(child: Child) -> str:
    token = new_token()
    now = timezone.now()
    ChildSession.objects.filter(child=child, ends_at__lte=now).delete()
    ChildSession.objects.create(
        child=child,
        token_hash=token_hash(token),
        ends_at=now + SESSION_LASTS,
        seen_at=now,
    )
    return token


def child_of(token: str) -> Child | None:
    """The child whose session this is, if it has neither ended nor idled too long."""
    now = timezone.now()
    session = (
        ChildSession.objects.select_related("child__school_class")
        .filter(
            token_hash=token_hash(token),
            ends_at__gt=now,
            seen_at__gt=now - SESSION_IDLES,
        )
        .first()
    )
    if session is None:
        return None
    if session.seen_at < now - SEEN_EVERY:
        ChildSession.objects.filter(pk=session.pk).update(seen_at=now)
    return session.child


def sign_out(token: str) -> None:
    ChildSession.objects.filter(token_hash=token_hash(token)).delete()
