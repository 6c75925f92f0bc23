"""The devices that an adult's account knows: by a random id in a signed cookie.

An id is one account's on one device, and a new one is made at each sign-in: an id that somebody put
there before, or copied, is soon worth nothing. The database has its hash, nothing else of a device.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from classrooms.credentials.secrets import device_hash
from classrooms.models import AdultDevice, User

COOKIE: Final = "known"
LASTS: Final = timedelta(days=2 * 365)
MOST_OF_A_USER: Final = 20
"""Those seen longest ago are forgotten beyond that."""
MOST_IN_A_COOKIE: Final = 8
"""So many accounts may share a device."""
SEPARATOR: Final = "."


def known_device(request: HttpRequest, user: User | None) -> AdultDevice | None:
    """The device of this request, if this account knows it. The same steps whether there is an
    account or not."""
    known = _devices_of(request)
    return next((device for device in known if user and device.user_id == user.pk), None)


def remember(request: HttpRequest, user: User, *, signed_in: bool) -> AdultDevice:
    """The account knows this device from now on; its cookie is set by the middleware."""
    new_id = secrets.token_urlsafe(16)
    now = timezone.now()
    with transaction.atomic():
        device = known_device(request, user) or AdultDevice(user=user)
        replaced = device.device_hash
        device.device_hash = device_hash(new_id)
        device.seen_at = now
        if signed_in:
            device.signed_in_at = now
        device.save()
        latest = AdultDevice.objects.filter(user=user).order_by("-seen_at", "-pk")
        kept = list(latest.values_list("pk", flat=True)[:MOST_OF_A_USER])
        AdultDevice.objects.filter(user=user).exclude(pk__in=kept).delete()
    others = [each for each in _ids_of(request) if device_hash(each) != replaced]
    request.known_device_ids = [new_id, *others][:MOST_IN_A_COOKIE]  # type: ignore[attr-defined]
    return device


def forget_others(request: HttpRequest, user: User) -> None:
    """Of the devices of the account only this one stays known."""
    here = known_device(request, user)
    kept = [here.pk] if here else []
    AdultDevice.objects.filter(user=user).exclude(pk__in=kept).delete()


def forget_unseen() -> None:
    """Forget the devices whose cookie has ended."""
    AdultDevice.objects.filter(seen_at__lte=timezone.now() - LASTS).delete()


def _devices_of(request: HttpRequest) -> list[AdultDevice]:
    ids = _ids_of(request)
    if not ids:
        return []
    return list(AdultDevice.objects.filter(device_hash__in=[device_hash(each) for each in ids]))


def _ids_of(request: HttpRequest) -> list[str]:
    """What the cookie says, or will say after what happened in this request."""
    changed: list[str] | None = getattr(request, "known_device_ids", None)
    if changed is not None:
        return changed
    cookie = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=LASTS)
    return [each for each in str(cookie).split(SEPARATOR) if each][:MOST_IN_A_COOKIE]


class KnownDeviceMiddleware:
    """Gives the device its cookie when an account has come to know it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        ids: list[str] | None = getattr(request, "known_device_ids", None)
        if ids is not None:
            response.set_signed_cookie(
                COOKIE,
                SEPARATOR.join(ids),
                salt=COOKIE,
                max_age=LASTS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response
