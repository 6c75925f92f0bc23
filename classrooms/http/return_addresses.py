"""Addresses that a browser sends to be led to."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme


def page_of_ours(request: HttpRequest, address: str) -> str | None:
    """The address if it is the path of a page that there is, else None."""
    if not address.startswith("/"):
        return None
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure()):
        return None
    try:
        resolve(urlsplit(address).path)
    except Resolver404:
        return None
    return address


def is_address(text: str) -> bool:
    """Whether it can be taken apart as an address; `//[` cannot."""
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True
