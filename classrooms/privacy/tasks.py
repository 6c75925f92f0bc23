"""The nightly tasks that erase children and traces of sign-ins."""

from datetime import timedelta

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from classrooms import tries
from classrooms.accounts import known_devices
from classrooms.accounts.services import STOP_LINK_LASTS
from classrooms.accounts.shared_store import SharedStore
from classrooms.models import AddressChange, AdultDevice, ChildSession, Invitation, KnownDevice
from classrooms.privacy import erasure
from classrooms.signin import cards
from classrooms.signin.children_only import DEVICE_LASTS


@shared_task(name="classrooms.erase_removed")
def erase_removed() -> None:
    """Finish the merges that can no longer be undone, and erase children who were removed long ago
    and games that belong to nobody. A second run does no harm."""
    now = timezone.now()
    erasure.finish_merges(now)
    erasure.erase_removed(now)
    erasure.erase_ownerless()


@shared_task(name="classrooms.forget_old_sign_ins")
def forget_old_sign_ins() -> None:
    """Delete what sign-ins no longer need: former secrets, sessions, devices, tries, limits,
    invitations, and the addresses from which adults signed in. A second run does no harm."""
    now = timezone.now()
    cards.forget_former_secrets()
    AddressChange.objects.filter(asked_at__lte=now - 2 * STOP_LINK_LASTS).delete()
    ChildSession.objects.filter(ends_at__lte=now).delete()
    KnownDevice.objects.filter(seen_at__lte=now - DEVICE_LASTS).delete()
    AdultDevice.objects.filter(seen_at__lte=now - known_devices.DEVICE_LASTS).delete()
    tries.delete_ended_tries()
    SharedStore("", {}).forget_ended()
    # Invitations are kept as long as the audit log, which shows the invited address.
    oldest = now - timedelta(days=settings.AUDIT_DAYS)
    Invitation.objects.filter(ends_at__lte=oldest).delete()
    Session.objects.filter(expire_date__lte=now).delete()
    session_keys = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=session_keys).delete()
