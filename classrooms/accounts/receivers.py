"""What an account learns when somebody gets in, chooses a new password or adds an address."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from classrooms.accounts import mail
from classrooms.accounts.limits import devices, tries
from classrooms.accounts.ways_in import changed_addresses
from classrooms.accounts.ways_in.other_ways import remove_other_ways_in
from classrooms.models import User


@receiver(user_logged_in)
def know_the_device(request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    """allauth signs in only after the second step: this device has passed both."""
    if request is not None:
        devices.remember(request, user, signed_in=True)


@receiver((password_changed, password_set))
def begin_anew(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Who chooses a new password wants others out; who had the old one has no tries to spoil."""
    for step in tries.SIGN_IN_STEPS:
        tries.begin_anew(step, user)
    devices.forget_others(request, user)


@receiver(password_reset)
def know_the_device_for_the_password(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Who reads the mail may type the new password here. The tries of the second step stay as they
    are, and so does this device's standing there."""
    tries.begin_anew("password", user)
    devices.forget_others(request, user)
    devices.remember(request, user, signed_in=False)
    if not mail.is_confirmed(user):
        # Whoever made the account may not have had the mailbox.
        remove_other_ways_in(user)


@receiver(email_added)
def tell_the_old_address(user: User, email_address: EmailAddress, **kwargs: Any) -> None:
    """Where no address was confirmed yet there is nothing to go back to: the new one counts."""
    if EmailAddress.objects.get_verified(user):
        changed_addresses.tell_before(user, email_address.email)
    else:
        email_address.set_as_primary()
