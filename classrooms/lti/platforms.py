"""The learning platforms of a school, which an admin adds and which may register themselves.

The database has their public keys. These are fetched only if a token names a missing key, and at
most once a minute, whatever strangers send.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from django.core import signing
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from classrooms.audit import What, audit
from classrooms.links import link
from classrooms.locks import ActRefused, Changed, lock
from classrooms.lti import messages, outgoing
from classrooms.lti.messages import Refused
from classrooms.lti.models import Platform
from classrooms.lti.outgoing import Unreachable, dict_or_empty, json_of
from classrooms.models import AuditEntry, Membership, School, User
from classrooms.schools.services import check_admin

MOST_PLATFORMS: Final = 20
"""The most platforms of a school."""
REFETCH_KEYS_AFTER: Final = timedelta(minutes=1)
REGISTRATION: Final = "classrooms.lti.registration"
REGISTRATION_LASTS: Final = timedelta(days=1)


def add_platform(school: School, name: str, by: User) -> Platform:
    """Add a platform. Raises `ActRefused` if the school already has `MOST_PLATFORMS`, and `Changed`
    if `by` is no longer its admin."""
    with lock(school, by):
        check_admin(by, school)
        if school.platforms.count() >= MOST_PLATFORMS:
            text = _("A school can have at most %(n)d learning platforms.")
            raise ActRefused(text % {"n": MOST_PLATFORMS})
        platform = Platform.objects.create(school=school, name=name)
        _log(by, What.PLATFORM_ADDED, platform)
    return platform


def change_platform(platform: Platform, data: Mapping[str, Any], by: User) -> None:
    """Save what the admin typed, and forget the keys, because their address may have changed."""
    with lock(platform.school, by):
        check_admin(by, platform.school)
        _save(platform, data)
        _log(by, What.PLATFORM_CHANGED, platform)


def remove_platform(platform: Platform, by: User) -> None:
    """Delete a platform with all its links. The children and their games stay."""
    with lock(platform.school, by):
        check_admin(by, platform.school)
        _log(by, What.PLATFORM_REMOVED, platform)
        platform.delete()


def _save(platform: Platform, data: Mapping[str, Any]) -> None:
    for name, value in data.items():
        setattr(platform, name, value)
    platform.keys, platform.keys_at = [], None
    platform.save(update_fields=(*data, "keys", "keys_at"))


def _log(by: User, what: AuditEntry.What, platform: Platform) -> None:
    school = platform.school.name
    audit(by, what, account=by, for_school=True, school=school, platform=platform.name)


def registration_token(platform: Platform, by: User) -> str:
    """The token in the address that an admin gives to the platform, which then registers itself.
    The token works for a day, and only until the platform has an issuer."""
    return signing.dumps([str(platform.pk), by.pk], salt=REGISTRATION)


def platform_of_token(token: str) -> tuple[Platform, User] | None:
    """The platform that may register with this token, and the admin who made the token. None if the
    token does not work."""
    try:
        key, admin = signing.loads(token, salt=REGISTRATION, max_age=REGISTRATION_LASTS)
        platform = Platform.objects.select_related("school").get(pk=UUID(key), issuer="")
        admins = Membership.objects.filter(
            school=platform.school, user=admin, user__is_active=True, role=Membership.Role.ADMIN
        )
        return platform, admins.select_related("user").get().user
    except (
        signing.BadSignature,
        ValueError,
        TypeError,
        Platform.DoesNotExist,
        Membership.DoesNotExist,
    ):
        return None


def register(
    platform: Platform, configuration_url: str, token: str, addresses: Mapping[str, str], by: User
) -> None:
    """Register the site at a platform that describes itself at `configuration_url` (LTI dynamic
    registration). `addresses` has the site's `login`, `launch` and `keys`. Raises `Unreachable`,
    and `Changed` if the platform is registered already."""
    configuration = json_of(outgoing.ask(configuration_url))
    issuer = str(configuration.get("issuer", ""))
    origin = outgoing.origin_of(configuration_url)
    urls = {
        "auth_url": str(configuration.get("authorization_endpoint", "")),
        "token_url": str(configuration.get("token_endpoint", "")),
        "keyset_url": str(configuration.get("jwks_uri", "")),
    }
    registration = str(configuration.get("registration_endpoint", ""))
    is_one_site = outgoing.origin_of(issuer) == origin == outgoing.origin_of(registration)
    if not is_one_site or not all(map(outgoing.is_allowed, (issuer, *urls.values()))):
        raise Unreachable("content")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    client_data = json_of(outgoing.ask(registration, body=_tool(addresses), headers=headers))
    client = str(client_data.get("client_id", ""))
    tool = dict_or_empty(client_data.get(_TOOL))
    if not client or len(client) > 255 or len(issuer) > 255:
        raise Unreachable("content")
    with lock(platform.school, by):
        check_admin(by, platform.school)
        if not Platform.objects.filter(pk=platform.pk, issuer="").exists():
            raise Changed
        deployment = str(tool.get("deployment_id", ""))[:255]
        _save(platform, {"issuer": issuer, "client_id": client, "deployment": deployment, **urls})
        _log(by, What.PLATFORM_CHANGED, platform)


_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"


def _tool(addresses: Mapping[str, str]) -> dict[str, Any]:
    """The site's description of itself for a platform, which asks for names but no mail address."""
    launch = addresses["launch"]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": addresses["login"],
        "redirect_uris": [launch],
        "client_name": "nmbrs",
        "jwks_uri": addresses["keys"],
        "token_endpoint_auth_method": "private_key_jwt",  # nosec B105
        "scope": f"{messages.MEMBERS_SCOPE} {messages.SCORE_SCOPE}",
        _TOOL: {
            "domain": urlsplit(launch).netloc,
            "target_link_uri": launch,
            "claims": ["iss", "sub", "name", "given_name", "family_name"],
            "messages": [
                {"type": messages.LAUNCH_TYPE},
                {"type": messages.DEEP_LINK_TYPE, "target_link_uri": launch},
            ],
        },
    }


def addresses_of(platform: Platform) -> dict[str, str]:
    """The site's addresses for a platform."""
    return {
        "login": link("classrooms:lti_login", platform.pk),
        "launch": link("classrooms:lti_launch", platform.pk),
        "keys": link("classrooms:lti_keys"),
    }


def key_for(platform: Platform, kid: str) -> Any:
    """The platform's public key with this id. Raises `Refused`."""
    if key := messages.key_in(platform.keys, kid):
        return key
    now = timezone.now()
    is_due = Q(keys_at=None) | Q(keys_at__lte=now - REFETCH_KEYS_AFTER)
    if not Platform.objects.filter(is_due, pk=platform.pk).update(keys_at=now):
        platform.refresh_from_db(fields=("keys",))  # Another request has just fetched them.
    else:
        fetch_keys(platform)
    if key := messages.key_in(platform.keys, kid):
        return key
    raise Refused("key")


def fetch_keys(platform: Platform) -> bool:
    """Fetch the platform's public keys, and return whether any is usable."""
    try:
        key_set = json_of(outgoing.ask(platform.keyset_url)).get("keys")
    except Unreachable:
        return False
    keys = [key for key in key_set if isinstance(key, dict)] if isinstance(key_set, list) else []
    usable = [key for key in keys if messages.key_in([key], str(key.get("kid", "")))][:20]
    if usable:
        names = ("kty", "kid", "n", "e")
        platform.keys = [{name: key[name] for name in names if name in key} for key in usable]
        platform.keys_at = timezone.now()
        platform.save(update_fields=("keys", "keys_at"))
    return bool(usable)


def service_url(platform: Platform, url: str) -> str:
    """The address of a service if it is on the platform's own pages; otherwise ""."""
    return url if url and outgoing.origin_of(url) in platform.origins else ""


def access_token(platform: Platform, scope: str) -> str:
    """A token for a service of the platform. Raises `Unreachable`."""
    fields = {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": messages.sign(platform, platform.token_url),
        "scope": scope,
    }
    token = json_of(outgoing.ask(platform.token_url, fields=fields)).get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise Unreachable("content")
    return token
