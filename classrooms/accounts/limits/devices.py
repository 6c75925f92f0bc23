"""The devices an adult's account knows, by a random id in a signed cookie.

An id belongs to one account on one device and is replaced at each sign-in, so an id that somebody
planted or copied is soon worthless. The database stores only its hash.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone

from classrooms.access import SchoolRequest
from classrooms.credentials.secrets import device_hash
from classrooms.models import AdultDevice, User

COOKIE: Final = "known"
LASTS: Final = timedelta(days=2 * 365)
MOST_OF_A_USER: Final = 20
"""Beyond that, the devices unused the longest are forgotten."""
MOST_IN_A_COOKIE: Final = 8
"""How many accounts may share a device."""
SEPARATOR: Final = "."


def known_device(request: SchoolRequest, user: User | None) -> AdultDevice | None:
    """The device of this request, if the account knows it. Takes the same steps whether or not
    there is an account."""
    known = _devices_of(request)
    return next((device for device in known if user and device.user_id == user.pk), None)


def remember(request: SchoolRequest, user: User, *, signed_in: bool) -> AdultDevice:
    """Make this device known to the account; the middleware sets the cookie."""
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
    request.known_device_ids = [new_id, *others][:MOST_IN_A_COOKIE]
    return device


def forget_others(request: SchoolRequest, user: User) -> None:
    """Forget all devices of the account except this one."""
    here = known_device(request, user)
    kept = [here.pk] if here else []
    AdultDevice.objects.filter(user=user).exclude(pk__in=kept).delete()


def forget_unseen() -> None:
    """Forget the devices whose cookie has expired."""
    AdultDevice.objects.filter(seen_at__lte=timezone.now() - LASTS).delete()


def _devices_of(request: SchoolRequest) -> list[AdultDevice]:
    ids = _ids_of(request)
    if not ids:
        return []
    return list(AdultDevice.objects.filter(device_hash__in=[device_hash(each) for each in ids]))


def _ids_of(request: SchoolRequest) -> list[str]:
    """The ids in the cookie, or those that this request will set."""
    if hasattr(request, "known_device_ids"):
        return request.known_device_ids
    cookie = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=LASTS)
    return [each for each in str(cookie).split(SEPARATOR) if each][:MOST_IN_A_COOKIE]


class KnownDeviceMiddleware:
    """Sets the cookie of a device that an account has just come to know."""

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(request, "known_device_ids"):
            response.set_signed_cookie(
                COOKIE,
                SEPARATOR.join(request.known_device_ids),
                salt=COOKIE,
                max_age=LASTS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response
