"""Whether the site has the keys that it had when a backup was made. No key is stored for this."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from django.conf import settings

LETTERS: Final = 16


def fingerprint(key: str) -> str:
    """Tells keys apart, and nobody gets from it to the key: keys are long and random."""
    return hashlib.sha256(f"nmbrs_edu.backups:{key}".encode()).hexdigest()[:LETTERS]


def secret_keys() -> list[str]:
    """This site's SECRET_KEY and those before it."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def of_secret() -> str:
    return fingerprint(settings.SECRET_KEY)


def of_pictures() -> list[str]:
    return [fingerprint(key.strip()) for key in settings.PICTURES_KEY.split(",")]


def lacks_secret(needed: str) -> bool:
    return needed not in [fingerprint(key) for key in secret_keys()]


def lacks_pictures(needed: Iterable[str]) -> bool:
    return not set(needed) <= set(of_pictures())


def missing_words(secret: str, pictures: Sequence[str]) -> list[str]:
    """For each key of a backup that this site has not: which it is, and what does not work."""
    words = []
    if lacks_secret(secret):
        words.append(
            "SECRET_KEY is not the one of this backup. Without it nobody can tell which of "
            "these people were erased after the backup; adults must sign in again; and "
            "links in mails that were sent before (invitations, new passwords, stopping the "
            "weekly mail) lead nowhere. If a copy of it exists, put it into .env as "
            "SECRET_KEY, or as SECRET_KEY_FALLBACKS beside a new one."
        )
    if lacks_pictures(pictures):
        words.append(
            "PICTURES_KEY is not the one of this backup. Without it no child can sign in "
            "with the pictures, and cards cannot be printed again: give each class new "
            "pictures and print the cards. QR codes on cards that were printed before still "
            "work. Adults must set up their second step again, and files that were made for "
            "download cannot be opened. If a copy of the key exists, put it into .env."
        )
    return words
