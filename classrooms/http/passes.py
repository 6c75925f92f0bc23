"""The pass: a cookie by which the proxy knows on which devices somebody has signed in, and whose
limits they have (deploy/nginx.conf). It lets nobody in."""

import hashlib
import time
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Final

from django.utils.crypto import salted_hmac

COOKIE: Final = "pass"
LASTS: Final = timedelta(days=70)
"""Longer than the holidays; whoever is signed in gets a new one in time."""
SALT: Final = "classrooms.pass"


def key() -> str:
    """What the proxy must know to tell passes from made-up ones. Site and proxy share it."""
    return salted_hmac(SALT, "key", algorithm="sha256").hexdigest()


def pass_for(person: str, until: int | None = None) -> str:
    """`person`: any text that is the same wherever they sign in; the pass does not show it.
    `until`: in seconds since 1970."""
    until = until or int(time.time() + LASTS.total_seconds())
    name = _text(salted_hmac(SALT, person, algorithm="sha256").digest()[:12])
    signed = hashlib.md5(f"{name} {until} {key()}".encode(), usedforsecurity=False)
    return f"{name}.{until}.{_text(signed.digest())}"


def is_of(value: str, person: str) -> bool:
    """Whether this is a pass of this person of which less than half is over."""
    until = value.split(".")[1] if value.count(".") == 2 else ""
    half = time.time() + LASTS.total_seconds() / 2
    is_good = until.isascii() and until.isdecimal() and int(until) > half
    return is_good and value == pass_for(person, int(until))


def _text(binary: bytes) -> str:
    return urlsafe_b64encode(binary).rstrip(b"=").decode()
