"""Absolute URLs for mails, and checks of the addresses to which a request would be redirected."""

from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme


def link(name: str, *args: Any) -> str:
    """The absolute URL of the page with this name. It begins with SITE_URL and not with the Host
    header, which the sender of a request can choose."""
    return f"{settings.SITE_URL.rstrip('/')}{reverse(name, args=args)}"


def reset_link(key: str) -> str:
    """The absolute URL where a new password is chosen. `key` is allauth's text for an account and a
    token."""
    name = "account_reset_password_from_key"
    path = reverse(name, kwargs={"uidb36": "UID", "key": "KEY"})
    return f"{settings.SITE_URL.rstrip('/')}{path.replace('UID-KEY', quote(key))}"


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
