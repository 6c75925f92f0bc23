"""The devices that an adult's account knows, by a random id in a signed cookie.

An id belongs to one account on one device, and each sign-in replaces it, so an id that somebody
planted or copied is soon worthless. The database has only its hash.
"""

import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone

from classrooms.access import SchoolRequest
from classrooms.credentials import device_hash
from classrooms.http import Middleware
from classrooms.models import AdultDevice, User
from games.shown_once import cookie_flags

DEVICES_COOKIE: Final = "known"
DEVICE_LASTS: Final = timedelta(days=2 * 365)
MOST_DEVICES: Final = 20
"""Beyond this number, the devices that were not used for the longest time are forgotten."""
MOST_ACCOUNTS_ON_DEVICE: Final = 8
"""The most accounts that can know the same device."""
SEPARATOR: Final = "."


def known_device(request: SchoolRequest, user: User | None) -> AdultDevice | None:
    """The device of this request, if the account knows it. The queries are the same without an
    account."""
    hashes = list(map(device_hash, _ids_of(request)))
    devices = AdultDevice.objects.filter(device_hash__in=hashes)
    return next((device for device in devices if user and device.user_id == user.pk), None)


def remember_device(request: SchoolRequest, user: User, *, is_sign_in: bool) -> AdultDevice:
    """Make this device known to the account. `KnownDeviceMiddleware` sets the cookie."""
    new_id = secrets.token_urlsafe(16)
    now = timezone.now()
    with transaction.atomic():
        device = known_device(request, user) or AdultDevice(user=user)
        old_hash = device.device_hash
        device.device_hash = device_hash(new_id)
        device.seen_at = now
        if is_sign_in:
            device.signed_in_at = now
        device.save()
        latest = AdultDevice.objects.filter(user=user).order_by("-seen_at", "-pk")
        pks = list(latest.values_list("pk", flat=True)[:MOST_DEVICES])
        AdultDevice.objects.filter(user=user).exclude(pk__in=pks).delete()
    other_ids = [device_id for device_id in _ids_of(request) if device_hash(device_id) != old_hash]
    request.known_device_ids = [new_id, *other_ids][:MOST_ACCOUNTS_ON_DEVICE]
    return device


def forget_other_devices(request: SchoolRequest, user: User) -> None:
    this_device = known_device(request, user)
    kept_keys = [this_device.pk] if this_device else []
    AdultDevice.objects.filter(user=user).exclude(pk__in=kept_keys).delete()


def _ids_of(request: SchoolRequest) -> list[str]:
    """The ids that the response will set, or else those in the cookie."""
    if hasattr(request, "known_device_ids"):
        return request.known_device_ids
    cookie = request.get_signed_cookie(
        DEVICES_COOKIE, default="", salt=DEVICES_COOKIE, max_age=DEVICE_LASTS
    )
    return [device_id for device_id in str(cookie).split(SEPARATOR) if device_id][
        :MOST_ACCOUNTS_ON_DEVICE
    ]


class KnownDeviceMiddleware(Middleware):
    """Sets the cookie of a device that has just become known to an account."""

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(request, "known_device_ids"):
            response.set_signed_cookie(
                DEVICES_COOKIE,
                SEPARATOR.join(request.known_device_ids),
                salt=DEVICES_COOKIE,
                max_age=DEVICE_LASTS,
                **cookie_flags(),
            )
        return response
