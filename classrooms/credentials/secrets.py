"""Class codes, children's pictures, tokens of QR codes and sessions: made, kept and compared."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

from classrooms.credentials.pictures import HOW_MANY, PICTURES

CODE_LENGTH: Final = 8
# No vowel but the Y: a code spells no word. Of each pair that is misread one sign is left.
CODE_LETTERS: Final = "BCDFGHJKMNPRSTVWXYZ3479"
_MISREAD: Final = str.maketrans("0OQ12I56L8U", "DDDJZJSGJBV")

Pictures = tuple[str, ...]


def new_code() -> str:
    """Any code. What a class is given is one that is near no other's (`models.free_code`)."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """The code that someone meant by what they typed, None when it cannot be one.

    >>> read_code("bcd0-gh 12")
    'BCDDGHJZ'
    """
    letters = "".join(sign for sign in text.upper() if sign.isalnum()).translate(_MISREAD)
    if len(letters) != CODE_LENGTH or not set(letters) <= set(CODE_LETTERS):
        return None
    return letters


def near(code: str) -> set[str]:
    """The codes that are one typing error away: another sign, or two neighbours swapped."""
    others = {
        code[:at] + sign + code[at + 1 :] for at in range(CODE_LENGTH) for sign in CODE_LETTERS
    }
    swapped = {
        code[:at] + code[at + 1] + code[at] + code[at + 2 :] for at in range(CODE_LENGTH - 1)
    }
    return (others | swapped) - {code}


def new_pictures() -> Pictures:
    """Three pictures in order; the same one may come twice, so that all orders are as likely."""
    names = tuple(PICTURES)
    return tuple(secrets.choice(names) for _ in range(HOW_MANY))


def _keys() -> list[str]:
    return [key.strip() for key in settings.PICTURES_KEY.split(",")]


def _box() -> MultiFernet:
    """The first key encrypts, all of them decrypt: so a key can be changed."""
    return MultiFernet([Fernet(key) for key in _keys()])


def encrypt(text: str) -> str:
    return _box().encrypt(text.encode()).decode()


def decrypt(encrypted: str) -> str:
    return _box().decrypt(encrypted.encode()).decode()


def encrypt_file(content: bytes) -> bytes:
    return _box().encrypt(content)


def decrypt_file(encrypted: bytes) -> bytes:
    """Raises `InvalidToken` where the key is gone."""
    return _box().decrypt(encrypted)


def encrypt_pictures(pictures: Sequence[str]) -> str:
    return encrypt(",".join(pictures))


def decrypt_pictures(encrypted: str) -> Pictures:
    return tuple(decrypt(encrypted).split(","))


def same_pictures(encrypted: str, picked: Sequence[str]) -> bool:
    """Whether these are the child's pictures, in the same time whichever is wrong."""
    right = ",".join(decrypt_pictures(encrypted))
    return hmac.compare_digest(right.encode(), ",".join(picked).encode())


def seal_picks(child_id: str, picks: Sequence[str]) -> str:
    """The pictures tapped so far, for a cookie that nobody at the device can read."""
    return encrypt(json.dumps([child_id, *picks]))


def open_picks(sealed: str, child_id: str, *, seconds: int) -> Pictures:
    """What `seal_picks` closed for this child; nothing when it is another's, old or forged."""
    try:
        sealed_for, *picks = json.loads(_box().decrypt(sealed.encode(), ttl=seconds))
    except (InvalidToken, ValueError):
        return ()
    return tuple(picks) if sealed_for == child_id else ()


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def qr_tokens(child_id: UUID, nonce: str) -> list[str]:
    """The token of the child's QR code under each key, that of the first key first: 128 bits that
    nobody finds who has the database alone, and that the printer of cards finds again."""
    message = f"classrooms.qr:{child_id}:{nonce}".encode()
    return [_short(hmac.digest(key.encode(), message, "sha256")) for key in _keys()]


def _short(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Enough for a random token: it cannot be guessed back, so it needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def device_hash(device: str) -> str:
    return salted_hmac("classrooms.device", device, algorithm="sha256").hexdigest()
