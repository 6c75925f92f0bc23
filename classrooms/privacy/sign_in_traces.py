"""Deleting what signing in leaves behind, once it is no longer needed: former secrets, sessions,
devices, tries, limits, invitations, and the addresses from which adults signed in."""

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from classrooms.accounts.limits import devices
from classrooms.accounts.limits import tries as limits
from classrooms.accounts.limits.store import SharedStore
from classrooms.accounts.ways_in import changed_addresses
from classrooms.models import ChildSession, Invitation, KnownDevice, WrongNames, WrongTries
from classrooms.signin import child_sign_in, login_cards
from classrooms.signin.child_cookies import DEVICE_LASTS


def forget_old_sign_ins() -> None:
    now = timezone.now()
    login_cards.forget_former()
    changed_addresses.forget_old(now)
    ChildSession.objects.filter(ends_at__lte=now).delete()
    KnownDevice.objects.filter(seen_at__lte=now - DEVICE_LASTS).delete()
    _forget_tries(WrongTries)
    _forget_tries(WrongNames)
    devices.forget_unseen()
    limits.forget_ended()
    SharedStore("", {}).forget_ended()
    # Kept as long as the audit log, which names the invited address.
    audited = now - timedelta(days=settings.AUDIT_DAYS)
    Invitation.objects.filter(ends_at__lte=audited).delete()
    Session.objects.filter(expire_date__lte=now).delete()
    open_ones = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=open_ones).delete()


def _forget_tries(model: type[WrongTries] | type[WrongNames]) -> None:
    rows = model._default_manager.iterator()
    old = [tries.pk for tries in rows if not child_sign_in.still_counting(tries.times)]
    model._default_manager.filter(pk__in=old).delete()
