"""What follows a sign-in, a new password or an added address."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver

from classrooms.access import SchoolRequest
from classrooms.accounts import known_devices, limits, mail, services
from classrooms.models import User


@receiver(user_logged_in)
def remember_device(request: SchoolRequest | None, user: User, **kwargs: Any) -> None:
    """Make the device known. allauth signs in only after the second step, so both steps were passed
    on this device."""
    if request is not None:
        known_devices.remember_device(request, user, is_sign_in=True)


@receiver((password_changed, password_set))
def forget_tries_and_devices(request: SchoolRequest, user: User, **kwargs: Any) -> None:
    """After a new password, forget wrong tries and the account's other devices."""
    for step in limits.SIGN_IN_STEPS:
        limits.forget_tries(step, user)
    known_devices.forget_other_devices(request, user)


@receiver(password_reset)
def remember_device_after_reset(request: SchoolRequest, user: User, **kwargs: Any) -> None:
    """After a new password by mail, make this device known for passwords. The tries at the second
    step still count, and for that step the device stays strange."""
    limits.forget_tries("password", user)
    known_devices.forget_other_devices(request, user)
    known_devices.remember_device(request, user, is_sign_in=False)
    if not mail.is_confirmed(user):
        # The person who registered the account may have had no access to the mailbox.
        services.remove_other_ways_in(user)


@receiver(email_added)
def warn_or_set_primary(user: User, email_address: EmailAddress, **kwargs: Any) -> None:
    """Warn the confirmed address that another one was added. If there is no confirmed address, use
    the new one at once."""
    if EmailAddress.objects.get_verified(user):
        services.warn_old_address(user, email_address.email)
    else:
        email_address.set_as_primary()
