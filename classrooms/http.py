"""URLs in mails, marks of views, and checks of requests: network, pass, redirects, size."""

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from datetime import timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme

from games.play.posted_values import parse_int

# URLs of pages, for mails. They begin with a setting, because whoever sends a request chooses its
# Host header.


def link(name: str, *args: Any) -> str:
    """The absolute URL of the page with this name."""
    return f"{settings.SITE_URL.rstrip('/')}{reverse(name, args=args)}"


def reset_link(key: str) -> str:
    """The absolute URL where a new password is chosen. `key` is what allauth makes of account and
    token."""
    name = "account_reset_password_from_key"
    path = reverse(name, kwargs={"uidb36": "UID", "key": "KEY"})
    return f"{settings.SITE_URL.rstrip('/')}{path.replace('UID-KEY', quote(key))}"


# Marks of views. The proxy, the figures (`nmbrs_edu.http`) and middleware read them before the view
# runs.

View = TypeVar("View", bound=Callable[..., Any])


def marked(**marks: Any) -> Callable[[View], View]:
    """Mark a view. `person="child"`: only children need it. `during_pause`: it answers also
    children whose class is paused. `heavy`, `guess` and `mail` are the HTTP methods by which it
    does expensive work, checks a secret that somebody typed, or sends mail."""

    def mark(view: View) -> View:
        vars(view).update(marks)
        return view

    return mark


def allow_archived(view: View) -> View:
    """Mark a view that may change an archived class, such as the one that restores it."""
    return marked(allow_archived=True)(view)


# The network of a request. It is only compared; no child's network is stored.

log = structlog.get_logger(__name__)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

IPV4_BITS: Final = 32
"""The whole address: computers of a school share one public address."""
IPV6_BITS: Final = 64
"""One network in a building. A shorter prefix might include the neighbours."""


def client_address(request: HttpRequest) -> Address | None:
    """The client's address as the outermost of our own proxies saw it; None if it is unknown.
    Entries that the client itself put into the header are ignored."""
    proxies: int = settings.TRUSTED_PROXIES
    if not proxies:
        return read_address(request.META.get("REMOTE_ADDR", ""))
    seen = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if len(seen) < proxies or not seen[-proxies].strip():
        log.warning("X-Forwarded-For is shorter than TRUSTED_PROXIES says", proxies=proxies)
        return None
    return read_address(seen[-proxies])


def read_address(text: str) -> Address | None:
    """Parse an address as servers and proxies write it, with or without brackets and port; None if
    it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def network_of(address: Address | None) -> Network | None:
    """The network by which a school is recognised; None for an address that is not public, because
    other schools use it too."""
    if address is None or not address.is_global:
        return None
    bits = IPV4_BITS if address.version == 4 else IPV6_BITS
    return ip_network(f"{address}/{bits}", strict=False)


def is_within(address: Address | None, networks: Iterable[str]) -> bool:
    """Whether the address is in one of these networks, written as CIDR."""
    return address is not None and any(address in ip_network(network) for network in networks)


# The pass is a cookie. It tells the proxy that somebody has signed in on this device, and whose
# limits apply to it (deploy/nginx.conf). It lets nobody in.

PASS_COOKIE: Final = "pass"
PASS_LASTS: Final = timedelta(days=70)
"""Longer than the holidays. Who is signed in gets a new pass when half of this time is over."""
PASS_SALT: Final = "classrooms.pass"


def pass_key() -> str:
    """The secret by which the proxy recognises forged passes. Site and proxy share it."""
    return salted_hmac(PASS_SALT, "key", algorithm="sha256").hexdigest()


def pass_for(person: str, until: int | None = None) -> str:
    """A pass for a person until `until`, in seconds since 1970. `person` is the same text wherever
    they sign in. The pass reveals of it only, by its first letter, whether it begins with "adult
    "."""
    until = until or int(time.time() + PASS_LASTS.total_seconds())
    digest = salted_hmac(PASS_SALT, person, algorithm="sha256").digest()
    name = ("a" if person.startswith("adult ") else "c") + _text(digest)[:15]
    signed = hashlib.md5(f"{name} {until} {pass_key()}".encode(), usedforsecurity=False)
    return f"{name}.{until}.{_text(signed.digest())}"


def is_pass_of(value: str, person: str) -> bool:
    """Whether this is a pass of this person with more than half of its time left."""
    until = value.split(".")[1] if value.count(".") == 2 else ""
    half = time.time() + PASS_LASTS.total_seconds() / 2
    is_good = until.isascii() and until.isdecimal() and int(until) > half
    return is_good and value == pass_for(person, int(until))


def _text(binary: bytes) -> str:
    return urlsafe_b64encode(binary).rstrip(b"=").decode()


# Addresses of pages within a request, to which it asks to be redirected.


def internal_path(request: HttpRequest, address: str) -> str | None:
    """The address, if it is the path of an existing page of this site; otherwise None."""
    if not address.startswith("/"):
        return None
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure()):
        return None
    try:
        resolve(urlsplit(address).path)
    except Resolver404:
        return None
    return address


def is_parsable_url(text: str) -> bool:
    """Whether the text can be parsed as a URL; `//[` cannot."""
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


# The largest bodies of requests. Larger ones are refused without reading them.

LARGEST_BODY: Final = 3_000_000
"""Bytes: enough for a file of 1 MB, or for the form that shows its content."""
LARGEST_FORM: Final = 200_000
"""Bytes: enough for a field for each of 500 children."""
LARGEST_OF_A_CHILD: Final = 20_000
"""Bytes: more than twice what all cards and rows of a game need."""

WITH_A_LIST: Final = frozenset(
    {
        "classrooms:children",
        "classrooms:upload_children",
        "classrooms:add_shown_children",
        "classrooms:classes_from_file",
    }
)
"""Pages where a list of children is pasted, uploaded, or posted back after a preview."""
OF_A_CHILD: Final = frozenset(
    {
        "set_language",
        *(
            f"classrooms:{name}"
            for name in (
                "card",
                "check",
                "code",
                "language",
                "learn",
                "leave",
                "names",
                "pictures",
                "riddle",
                "riddles",
                "sounds",
                "speed",
                "start",
                "typed_name",
            )
        ),
    }
)


class Middleware:
    """A middleware that passes each request on."""

    def __init__(self, get_response: Callable[[Any], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        return self.get_response(request)


class LargestBodyMiddleware(Middleware):
    """Refuses bodies that are too large. Must come before everything that reads the body. Django
    treats a body without a length as empty."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _is_longer(request, LARGEST_BODY):
            return _too_large(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.resolver_match and _is_longer(request, largest(request.resolver_match)):
            return _too_large(request)
        return None


def largest(page: ResolverMatch) -> int:
    """The most bytes that may be posted to this page."""
    if page.view_name in WITH_A_LIST:
        return LARGEST_BODY
    if "games" in page.namespaces or page.view_name in OF_A_CHILD:
        return LARGEST_OF_A_CHILD
    return LARGEST_FORM


def _is_longer(request: HttpRequest, most: int) -> bool:
    """Whether the body is longer than `most` bytes. Without a valid length it counts as longer."""
    return parse_int(request.META.get("CONTENT_LENGTH") or "0", most=most) is None


def _too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", status=413)
