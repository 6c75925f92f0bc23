"""Reads LTI messages that a platform signed, and signs those that the site sends.

PyJWT checks signatures and times; this module checks what LTI adds (nonce, deployment, message
type, roles). All checks are against the platform to whose address the message came, whatever the
message says about itself.
"""

import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from jwt.exceptions import (
    ExpiredSignatureError,
    InvalidAudienceError,
    InvalidIssuerError,
    PyJWTError,
)

from classrooms.child_names import LONGEST_NAME, UNSTORABLE, tidy
from classrooms.credentials import decrypt, encrypt
from classrooms.lti.models import Platform, ToolKey
from classrooms.lti.outgoing import is_allowed
from classrooms.models import SchoolClass
from games.play.posted_values import parse_uuid

ALGORITHM: Final = "RS256"
"""The algorithm that LTI demands. No other is accepted, whatever a key or a message says."""
FEWEST_BITS: Final = 2048
LEEWAY: Final = 60
"""How many seconds the clocks of platform and site may differ."""
LONGEST_TOKEN: Final = 50_000
LONGEST_DATA: Final = 4_000
SIGNATURE_SECONDS: Final = 5 * 60

CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
MEMBERS: Final = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
GRADES: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
MEMBERS_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
SCORE_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
LAUNCH_TYPE: Final = "LtiResourceLinkRequest"
DEEP_LINK_TYPE: Final = "LtiDeepLinkingRequest"
_ADULTS: Final = (
    "Instructor",
    "TeachingAssistant",
    "Administrator",
    "SysAdmin",
    "Staff",
    "Faculty",
    "ContentDeveloper",
    "Manager",
    "Officer",
    "Mentor",
    "TestUser",
)
"""The last parts of roles that no child has. A test user is a teacher who looks at the children's
pages."""


class Refused(Exception):
    """A launch is refused. The reason is a key of `privacy.words.REFUSED_LAUNCHES`. If the class is
    known, its log shows the refusal."""

    def __init__(self, reason: str, school_class: SchoolClass | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.school_class = school_class


@dataclass(frozen=True, slots=True)
class Message:
    """The part of a launch that the site uses. Nothing else of it is stored."""

    subject_hash: str
    is_child: bool
    name: str
    family: str
    context: str
    title: str
    assignment: str = ""  # a key, if the launch came from a deep link
    members_url: str = ""
    line_item: str = ""
    return_url: str = ""  # set for a deep link
    data: Any = None  # returned to the platform in the answer to a deep link
    takes_line_item: bool = True


def subject_hash(platform: Platform, subject: str) -> str:
    """A keyed hash of a person's id at a platform. It differs from platform to platform."""
    text = f"{platform.pk}:{subject}"
    return salted_hmac("classrooms.lti.subject", text, algorithm="sha256").hexdigest()


def key_id_of(token: str) -> str:
    """The id of the key that signed a token. Raises `Refused`."""
    if len(token) > LONGEST_TOKEN:
        raise Refused("unreadable")
    try:
        header = jwt.get_unverified_header(token)
    except PyJWTError:
        raise Refused("unreadable") from None
    if header.get("alg") != ALGORITHM:
        raise Refused("algorithm")
    return str(header.get("kid", ""))


def key_in(keys: Sequence[Mapping[str, Any]], kid: str) -> jwt.PyJWK | None:
    """The public key with this id; None if there is none that can be used."""
    for data in keys:
        if data.get("kid") != kid or data.get("kty") != "RSA" or data.get("use", "sig") != "sig":
            continue
        try:
            key = jwt.PyJWK(dict(data), algorithm=ALGORITHM)
        except (PyJWTError, ValueError, TypeError):
            continue
        if isinstance(key.key, rsa.RSAPublicKey) and key.key.key_size >= FEWEST_BITS:
            return key
    return None


def read(token: str, platform: Platform, key: jwt.PyJWK, nonce: str) -> Message:
    """The message in a token that this platform signed with this key. Raises `Refused`."""
    try:
        claims = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY,
            options={"require": ["exp", "iat", "iss", "aud", "sub", "nonce"]},
        )
    except ExpiredSignatureError:
        raise Refused("expired") from None
    except InvalidAudienceError:
        raise Refused("audience") from None
    except InvalidIssuerError:
        raise Refused("issuer") from None
    except PyJWTError:
        raise Refused("signature") from None
    audience = claims["aud"]
    other_clients = [client for client in audience if client != platform.client_id]
    is_for_us = claims.get("azp", platform.client_id) == platform.client_id
    if not is_for_us or (isinstance(audience, list) and other_clients and "azp" not in claims):
        raise Refused("audience")
    if not hmac.compare_digest(_text(claims, "nonce").encode(), nonce.encode()):
        raise Refused("nonce")
    if claims.get(f"{CLAIM}deployment_id") != platform.deployment:
        raise Refused("deployment")
    if claims.get(f"{CLAIM}version") != "1.3.0":
        raise Refused("version")
    return _message(platform, claims)


def _message(platform: Platform, claims: Mapping[str, Any]) -> Message:
    kind = claims.get(f"{CLAIM}message_type")
    if kind not in (LAUNCH_TYPE, DEEP_LINK_TYPE):
        raise Refused("kind")
    subject = _text(claims, "sub")
    context = _part(claims, f"{CLAIM}context")
    custom = _part(claims, f"{CLAIM}custom")
    deep = _part(claims, f"{DEEP_LINKING}deep_linking_settings")
    grades = _part(claims, GRADES)
    course = _text(context, "id")
    if not course or not subject:
        raise Refused("course")
    name, family = names_of(claims)
    can_score = SCORE_SCOPE in _list(grades.get("scope"))
    return_url = _url(deep, "deep_link_return_url") if kind == DEEP_LINK_TYPE else ""
    if kind == DEEP_LINK_TYPE and not return_url:
        raise Refused("kind")
    is_child = is_learner(claims.get(f"{CLAIM}roles"))
    return Message(
        subject_hash=subject_hash(platform, subject),
        is_child=is_child,
        name=name if is_child else "",
        family=family if is_child else "",
        context=course,
        title=tidy(_text(context, "title") or _text(context, "label"))[:100],
        assignment=str(parse_uuid(_text(custom, "assignment")) or ""),
        members_url=_url(_part(claims, MEMBERS), "context_memberships_url"),
        line_item=_url(grades, "lineitem") if can_score else "",
        return_url=return_url,
        data=_data(deep.get("data")),
        takes_line_item=deep.get("accept_lineitem") is not False,
    )


def is_learner(roles: Any) -> bool:
    """Whether somebody with these roles is a child: a learner and nothing else."""
    ends = [str(role).replace("#", "/").rsplit("/", 1)[-1] for role in _list(roles)]
    return "Learner" in ends and not any(end in _ADULTS for end in ends)


def names_of(person: Mapping[str, Any]) -> tuple[str, str]:
    """First name and family name from the platform; the second is "" if the platform gives one name
    for both."""
    given_name, family = (tidy(_text(person, key)) for key in ("given_name", "family_name"))
    if not given_name:
        given_name, family = tidy(_text(person, "name")), ""
    return given_name[:LONGEST_NAME].strip(), family[:LONGEST_NAME].strip()


def _part(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = claims.get(name)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(claims: Mapping[str, Any], name: str) -> str:
    """A text of at most 255 characters; "" for anything else."""
    value = claims.get(name)
    is_good = isinstance(value, str) and len(value) <= 255 and not UNSTORABLE.search(value)
    return str(value) if is_good else ""


def _url(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) and is_allowed(value) else ""


def _data(value: Any) -> Any:
    """The data that a platform wants to get back, usually a text. Raises `Refused` if it is too
    long or unreadable."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise Refused("unreadable") from None
    if len(text) > LONGEST_DATA or UNSTORABLE.search(text) or r"\u0000" in text:
        raise Refused("unreadable")
    return value


# The site's own keys, and its signatures.


def _new_key() -> ToolKey:
    private = rsa.generate_private_key(public_exponent=65537, key_size=FEWEST_BITS)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return ToolKey(kid=secrets.token_urlsafe(12), private_encrypted=encrypt(pem.decode()))


def _keys() -> list[ToolKey]:
    """The site's keys, the newest last. Creates the first one if there is none."""
    with transaction.atomic():
        keys = list(ToolKey.objects.all())
        if not keys:
            keys = [_new_key()]
            keys[0].save()
    return keys


def public_keys() -> dict[str, Any]:
    """The public keys with which platforms check the site's signatures (JWKS)."""
    return {"keys": [_public(key) for key in _keys()]}


def _public(key: ToolKey) -> dict[str, Any]:
    algorithm = jwt.algorithms.RSAAlgorithm(jwt.algorithms.RSAAlgorithm.SHA256)
    private = algorithm.prepare_key(decrypt(key.private_encrypted))
    assert isinstance(private, rsa.RSAPrivateKey)
    public = json.loads(algorithm.to_jwk(private.public_key()))
    return {
        **{name: public[name] for name in ("kty", "n", "e")},
        "kid": key.kid,
        "alg": ALGORITHM,
        "use": "sig",
    }


def sign(platform: Platform, audience: str, **claims: Any) -> str:
    """Sign claims for a platform, which are valid for a few minutes."""
    key = _keys()[-1]
    now = int(timezone.now().timestamp())
    return jwt.encode(
        {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": audience,
            "iat": now,
            "exp": now + SIGNATURE_SECONDS,
            "jti": secrets.token_urlsafe(16),
            **claims,
        },
        decrypt(key.private_encrypted),
        algorithm=ALGORITHM,
        headers={"kid": key.kid},
    )


def sign_choice(platform: Platform, data: Any, item: Mapping[str, Any]) -> str:
    """The signed answer to a deep link: the item that the teacher chose, and the `data` that the
    platform wants to get back."""
    claims: dict[str, Any] = {
        "azp": platform.issuer,
        "nonce": secrets.token_urlsafe(16),
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0",
        f"{CLAIM}deployment_id": platform.deployment,
        f"{DEEP_LINKING}content_items": [dict(item)],
    }
    if data is not None:
        claims[f"{DEEP_LINKING}data"] = data
    return sign(platform, platform.issuer, **claims)


def is_of_site(url: str, host: str) -> bool:
    """Whether an address from a platform has the host and port of this site."""
    try:
        return urlsplit(url).netloc.lower() == host.lower()
    except ValueError:
        return False
