"""How a weekly mail is stopped, and wanted again, by who holds its link or teaches the class."""

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
"""So long whoever has stopped it by the link can take that back there."""


def address_of(teaching: Teaching) -> str:
    """The whole address that stops the mail to this teacher about this class. It does so for good:
    a link in an old mail must still stop it."""
    return site(reverse("classrooms:stop_weekly_mail", args=[token_of(teaching)]))


def token_of(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=STOP)


def teaching_of(token: str) -> Teaching:
    """Whose mail about which class the link stops; 404 where nobody's, any more or ever."""
    try:
        teaching_id = int(signing.loads(token, salt=STOP))
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    return get_object_or_404(Teaching.objects.select_related("school_class"), pk=teaching_id)


def stop(teaching: Teaching) -> None:
    Teaching.objects.filter(pk=teaching.pk).update(mailed_since=None)


def want(teaching: Teaching) -> None:
    """From now on; who wants it already is left as they are."""
    Teaching.objects.filter(pk=teaching.pk, mailed_since=None).update(mailed_since=timezone.now())


def again_token(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=AGAIN)


def may_take_back(teaching: Teaching, token: str) -> bool:
    try:
        return bool(signing.loads(token, salt=AGAIN, max_age=AGAIN_WITHIN) == teaching.pk)
    except signing.BadSignature:
        return False


def teaching_for(user: Adult, class_id: UUID) -> Teaching:
    """This adult's own teaching of a class; 404 where there is none."""
    teachings = Teaching.objects.select_related("school_class", "user")
    user_id = user.pk if user.is_authenticated else None
    return get_object_or_404(teachings, user=user_id, school_class=class_id)
