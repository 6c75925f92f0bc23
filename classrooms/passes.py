"""Makes passes. A pass is a cookie that tells the proxy that somebody has signed in on this device,
and whose limits apply to it (deploy/nginx.conf). It signs nobody in."""

import hashlib
import time
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Final

from django.utils.crypto import salted_hmac

PASS_COOKIE: Final = "pass"
PASS_LASTS: Final = timedelta(days=70)
"""Longer than the holidays. A signed-in person gets a new pass after half of this time."""
PASS_SALT: Final = "classrooms.pass"


def pass_key() -> str:
    """The secret with which the proxy recognises forged passes. Site and proxy share it."""
    return salted_hmac(PASS_SALT, "key", algorithm="sha256").hexdigest()


def pass_for(person: str, until: int | None = None) -> str:
    """A pass for a person that is valid until `until`, in seconds since 1970. `person` is a text
    that stays the same wherever they sign in. The pass reveals only, by its first letter, whether
    they are an adult (a) or a child (c)."""
    until = until or int(time.time() + PASS_LASTS.total_seconds())
    digest = salted_hmac(PASS_SALT, person, algorithm="sha256").digest()
    name = ("a" if person.startswith("adult ") else "c") + _base64(digest)[:15]
    signed = hashlib.md5(f"{name} {until} {pass_key()}".encode(), usedforsecurity=False)
    return f"{name}.{until}.{_base64(signed.digest())}"


def is_pass_of(value: str, person: str) -> bool:
    """Whether this is a pass of this person with more than half of its time left."""
    until = value.split(".")[1] if value.count(".") == 2 else ""
    half = time.time() + PASS_LASTS.total_seconds() / 2
    is_good = until.isascii() and until.isdecimal() and int(until) > half
    return is_good and value == pass_for(person, int(until))


def _base64(binary: bytes) -> str:
    return urlsafe_b64encode(binary).rstrip(b"=").decode()
