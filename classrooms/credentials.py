"""Makes, stores and compares class codes, pictures and tokens."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from unicodedata import digit, normalize
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# The 24 pictures; each child has three. Their order on the screen never changes.

PICTURES: Final[Mapping[str, Promise]] = {
    "sun": _("sun"),
    "moon": _("moon"),
    "star": _("star"),
    "cloud": _("cloud"),
    "tree": _("tree"),
    "flower": _("flower"),
    "mushroom": _("mushroom"),
    "apple": _("apple"),
    "fish": _("fish"),
    "cat": _("cat"),
    "bird": _("bird"),
    "snail": _("snail"),
    "butterfly": _("butterfly"),
    "boat": _("boat"),
    "car": _("car"),
    "bicycle": _("bicycle"),
    "rocket": _("rocket"),
    "house": _("house"),
    "key": _("key"),
    "umbrella": _("umbrella"),
    "ball": _("ball"),
    "kite": _("kite"),
    "drum": _("drum"),
    "cup": _("cup"),
}
"""The word for each picture, by its name in the sprite."""

PICTURES_PER_CHILD: Final = 3
"""How many pictures a child taps, in order, to sign in."""
PICKS_LAST: Final = 5 * 60
"""For how many seconds after the last tap the tapped pictures are remembered."""


def with_labels(names: Iterable[str]) -> list[tuple[str, str]]:
    """Each picture with its word in the active language."""
    return [(name, str(PICTURES[name])) for name in names]


# Class codes, children's pictures, and the tokens of QR codes and sessions.

CODE_LENGTH: Final = 8
# No vowel but Y, so that a code spells no word, and only one of the characters that are easily
# confused.
CODE_LETTERS: Final = "BCDFGHJKMNPRSTVWXYZ3479"
_MISREAD: Final = str.maketrans("0OQ12I56L8U", "DDDJZJSGJBV")
# For Greek and Cyrillic letters, the Latin letters that look like them or lie on the same key.
_ALIKE: Final = str.maketrans("ΒΗΚΜΝΟΡΤΧΥΖВСНКМОРТХУ", "BHKMNOPTXYZBCHKMOPTXY")

Pictures = tuple[str, ...]


def new_code() -> str:
    """A random code. `models.free_code` makes sure that it is not near another class's code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """The code that somebody meant who typed this text on any keyboard, or pasted this address;
    None if it cannot be a code.

    >>> read_code("bcd0-gh 12")
    'BCDDGHJZ'
    """
    if "/play/" in text:
        text = text.partition("/play/")[2].partition("/")[0]
    typed = "".join(filter(str.isalnum, normalize("NFKC", text[:200]).upper())).translate(_ALIKE)
    letters = "".join(str(digit(char, char)) for char in typed).translate(_MISREAD)
    if len(letters) != CODE_LENGTH or not set(letters) <= set(CODE_LETTERS):
        return None
    return letters


def codes_near(code: str) -> set[str]:
    """The codes that differ by one typing error: one character replaced, or two neighbours
    swapped."""
    near_codes = {
        code[:at] + char + code[at + 1 :] for at in range(CODE_LENGTH) for char in CODE_LETTERS
    }
    swapped = {
        code[:at] + code[at + 1] + code[at] + code[at + 2 :] for at in range(CODE_LENGTH - 1)
    }
    return (near_codes | swapped) - {code}


def new_pictures() -> Pictures:
    """Three random pictures, in order. A picture may come twice or three times."""
    names = tuple(PICTURES)
    return tuple(secrets.choice(names) for _ in range(PICTURES_PER_CHILD))


def _keys() -> list[str]:
    return [key.strip() for key in settings.PICTURES_KEY.split(",")]


def fernet() -> MultiFernet:
    """Encrypts with the first key and decrypts with any, so that keys can be rotated."""
    return MultiFernet([Fernet(key) for key in _keys()])


def encrypt(text: str) -> str:
    return fernet().encrypt(text.encode()).decode()


def decrypt(encrypted: str) -> str:
    return fernet().decrypt(encrypted.encode()).decode()


def encrypt_pictures(pictures: Sequence[str]) -> str:
    return encrypt(",".join(pictures))


def decrypt_pictures(encrypted: str) -> Pictures:
    return tuple(decrypt(encrypted).split(","))


def pictures_match(encrypted: str, pictures: Sequence[str]) -> bool:
    """Whether the tapped pictures are the encrypted ones. Compares in constant time."""
    right = ",".join(decrypt_pictures(encrypted))
    return hmac.compare_digest(right.encode(), ",".join(pictures).encode())


def seal_picks(child_id: str, picks: Sequence[str]) -> str:
    """The pictures tapped so far, encrypted for a cookie."""
    return encrypt(json.dumps([child_id, *picks]))


def open_picks(sealed: str, child_id: str) -> Pictures:
    """The taps that `seal_picks` sealed for this child; empty if they are another child's, older
    than `PICKS_LAST` or forged."""
    try:
        sealed_for, *picks = json.loads(fernet().decrypt(sealed.encode(), ttl=PICKS_LAST))
    except (InvalidToken, ValueError):
        return ()
    return tuple(picks) if sealed_for == child_id else ()


def qr_tokens(child_id: UUID, nonce: str) -> list[str]:
    """The tokens of the child's QR code, one for each key, in the order of the keys. A token has
    128 bits. It is not in the database; the site computes it again to print a card."""
    message = f"classrooms.qr:{child_id}:{nonce}".encode()
    digests = [hmac.digest(key.encode(), message, "sha256")[:16] for key in _keys()]
    return [base64.urlsafe_b64encode(digest).decode().rstrip("=") for digest in digests]


def token_hash(token: str) -> str:
    """The hash of a token. It needs no salt, because a random token cannot be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()


def device_hash(device: str) -> str:
    return salted_hmac("classrooms.device", device, algorithm="sha256").hexdigest()
