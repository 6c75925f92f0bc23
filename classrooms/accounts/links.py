"""Page URLs for mail. They are built from the settings, because whoever sends a request chooses its
Host header."""

from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.urls import reverse


def link(name: str, *args: Any) -> str:
    """The absolute URL of the page with this name."""
    return f"{settings.SITE_URL.rstrip('/')}{reverse(name, args=args)}"


def reset_link(key: str) -> str:
    """The URL where a new password is chosen; `key` is allauth's, of account and token."""
    name = "account_reset_password_from_key"
    path = reverse(name, kwargs={"uidb36": "UID", "key": "KEY"})
    return f"{settings.SITE_URL.rstrip('/')}{path.replace('UID-KEY', quote(key))}"
