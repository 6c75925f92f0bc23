"""What happens when allauth says that something was asked for or done."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_added
from django.dispatch import receiver

from ..models import User
from . import address_changes


@receiver(email_added)
def tell_the_old_address(user: User, email_address: EmailAddress, **kwargs: Any) -> None:
    """Where no address was confirmed yet there is nothing to go back to: the new one counts."""
    if EmailAddress.objects.get_verified(user):
        address_changes.tell_before(user, email_address.email)
    else:
        email_address.set_as_primary()
