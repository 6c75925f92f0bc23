"""Stopping a weekly mail and wanting it again, by the link in it or as a teacher of the class."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core import signing
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from classrooms.access import Adult
from classrooms.models import Teaching
from classrooms.reports.weekly_mail.letter import site

STOP: Final = "classrooms.weekly mail.stop"
AGAIN: Final = "classrooms.weekly mail.again"
AGAIN_WITHIN: Final = timedelta(hours=1)
"""How long a stop by the link can be undone on that page."""


def address_of(teaching: Teaching) -> str:
    """The full address that stops the mail to this teacher about this class. It never expires: the
    link in an old mail must still work."""
    return site(reverse("classrooms:stop_weekly_mail", args=[token_of(teaching)]))


def token_of(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=STOP)


def teaching_of(token: str) -> Teaching:
    """The teaching whose mail the link stops; 404 if there is none."""
    try:
        teaching_id = int(signing.loads(token, salt=STOP))
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    return get_object_or_404(Teaching.objects.select_related("school_class"), pk=teaching_id)


def stop(teaching: Teaching) -> bool:
    """Send no more mail. False if it was stopped already."""
    wanted = Teaching.objects.filter(pk=teaching.pk, mailed_since__isnull=False)
    return bool(wanted.update(mailed_since=None))


def want(teaching: Teaching) -> None:
    """Send the mail from now on; no change if it is wanted already."""
    Teaching.objects.filter(pk=teaching.pk, mailed_since=None).update(mailed_since=timezone.now())


def again_token(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=AGAIN)


def may_take_back(teaching: Teaching, token: str) -> bool:
    try:
        return bool(signing.loads(token, salt=AGAIN, max_age=AGAIN_WITHIN) == teaching.pk)
    except signing.BadSignature:
        return False


def teaching_for(user: Adult, class_id: UUID) -> Teaching:
    """This adult's teaching of a class; 404 if there is none."""
    teachings = Teaching.objects.select_related("school_class", "user")
    user_id = user.pk if user.is_authenticated else None
    return get_object_or_404(teachings, user=user_id, school_class=class_id)
