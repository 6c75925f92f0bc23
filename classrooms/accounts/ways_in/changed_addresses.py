"""Changes of an account's e-mail address: the old one gets a mail first, and a week to stop it."""

from datetime import datetime, timedelta
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.core import signing
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from classrooms.accounts.links import link
from classrooms.accounts.ways_in.other_ways import remove_other_ways_in
from classrooms.audit import What, audit_account
from classrooms.locks import lock
from classrooms.models import AddressChange, User

SALT: Final = "classrooms.address change"
CAN_BE_STOPPED: Final = timedelta(days=7)
ALSO_UNDONE_BEFORE: Final = timedelta(days=1)
"""Passkeys, apps and social accounts added this long before the change are removed with it, because
whoever takes over an account may begin by adding a key of their own."""


def warn_old_address(user: User, new: str) -> None:
    """Notify the confirmed address that another address was requested for the account. An address
    that was never confirmed may be a stranger's and gets no mail."""
    old = EmailAddress.objects.get_verified(user)
    if old is None or old.email == new:
        return
    change = AddressChange.objects.create(user=user, old=old.email, new=new)
    context = {"stop_url": _stop_link(change), "days": CAN_BE_STOPPED.days}
    get_adapter().send_notification_mail(
        "account/email/email_change_asked", user, context, email=old.email
    )


def stop_link_of(old: str, new: str) -> str:
    """The link that undoes the last change from one address to the other; empty where the old
    address was not notified."""
    changes = AddressChange.objects.filter(old=old, new=new, stopped_at=None)
    change = changes.order_by("pk").last()
    return _stop_link(change) if change else ""


def change_of(token: str) -> AddressChange:
    """The change that a link stops; 404 where the link is used, too old or forged."""
    try:
        pk = signing.loads(token, salt=SALT, max_age=CAN_BE_STOPPED)
    except signing.BadSignature:
        raise Http404 from None
    change = AddressChange.objects.filter(pk=pk, stopped_at=None).select_related("user").first()
    if change is None:
        raise Http404
    return change


def stop(change: AddressChange) -> str:
    """Give the account back to the old address and end every session. Returns the URL where a new
    password is chosen. Raises 404 where the change was already stopped, or somebody else has
    confirmed the old address since."""
    now = timezone.now()
    with lock(change.user) as (user,):
        later = AddressChange.objects.filter(user=user, pk__gte=change.pk, stopped_at=None)
        if not later.filter(pk=change.pk).exists() or _is_confirmed_by_another(change.old, user):
            raise Http404
        later.update(stopped_at=now)
        EmailAddress.objects.filter(user=user).delete()
        EmailAddress.objects.create(user=user, email=change.old, verified=True, primary=True)
        user.email = change.old
        user.set_unusable_password()
        user.save(update_fields=("email", "password"))
        audit_account(user, What.ADDRESS, user)
        remove_other_ways_in(user, change.asked_at - ALSO_UNDONE_BEFORE)
        for session in UserSession.objects.filter(user=user):
            session.end()
        audit_account(user, What.SESSIONS_ENDED, user)
    token = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), token])


def forget_old(now: datetime) -> None:
    """Delete changes that can no longer be stopped."""
    AddressChange.objects.filter(asked_at__lte=now - 2 * CAN_BE_STOPPED).delete()


def _is_confirmed_by_another(address: str, user: User) -> bool:
    held = EmailAddress.objects.filter(email=address, verified=True)
    return held.exclude(user=user).exists()


def token_of(change: AddressChange) -> str:
    return signing.dumps(change.pk, salt=SALT)


def _stop_link(change: AddressChange) -> str:
    return link("classrooms:stop_address_change", token_of(change))
