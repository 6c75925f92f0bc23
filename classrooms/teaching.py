"""Who teaches a class: co-teachers asked in by a link, taken off again, and a class handed over."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .access import INVITATION
from .audit import What, audit
from .models import Invitation, SchoolClass, Teaching, User

LASTS: Final = timedelta(days=7)
MOST_OPEN: Final = 10
"""So many invitations to a class may be open at a time."""
MOST_A_DAY: Final = 40
"""So many one teacher may send in a day: nobody sends mail to the world from here."""

Role = Teaching.Role


class TooManyInvitations(Exception):
    """There are too many open ones to the class, or the teacher has sent too many today."""


def token(invitation: Invitation) -> str:
    """What the link of the invitation ends in; nobody can make one up."""
    return signing.dumps(str(invitation.pk), salt=INVITATION)


def open_invitations(school_class: SchoolClass) -> list[Invitation]:
    found = Invitation.objects.filter(
        school_class=school_class, used_at=None, ends_at__gt=timezone.now()
    )
    return list(found)


def invite(school_class: SchoolClass, email: str, role: Role, by: User) -> Invitation:
    """Ask someone in; the link is not sent yet. A new invitation of the same address replaces the
    one before. Raises `TooManyInvitations`."""
    now = timezone.now()
    with transaction.atomic():
        SchoolClass.objects.select_for_update().get(pk=school_class.pk)
        Invitation.objects.filter(
            school_class=school_class, email__iexact=email, used_at=None
        ).delete()
        sent = Invitation.objects.filter(
            invited_by=by, created_at__gt=now - timedelta(days=1)
        ).count()
        if len(open_invitations(school_class)) >= MOST_OPEN or sent >= MOST_A_DAY:
            raise TooManyInvitations
        return Invitation.objects.create(
            school_class=school_class,
            email=email,
            role=role,
            invited_by=by,
            ends_at=now + LASTS,
        )


def send(invitation: Invitation, link: str) -> bool:
    """Mail the link; whether the mail server took it. Nothing in it was typed by the inviter, whose
    address must be confirmed: a mail from here carries no stranger's words or links."""
    if invitation.role == Role.OWNER:
        asked = _("%(from)s hands a class over to you on nmbrs.")
    else:
        asked = _("%(from)s asks you to teach a class along on nmbrs.")
    lasts = ngettext(
        "The link works once, for %(n)d day.", "The link works once, for %(n)d days.", LASTS.days
    )
    paragraphs = (
        asked % {"from": invitation.invited_by.email},
        _("Open this link, and sign in or make an account:"),
        link,
        lasts % {"n": LASTS.days},
        _("If you do not know what this is about, do nothing."),
    )
    to = [invitation.email]
    subject = _("An invitation to a class on nmbrs")
    try:
        send_mail(subject, "\n\n".join(paragraphs), settings.DEFAULT_FROM_EMAIL, to)
    except OSError:
        return False
    return True


def accept(invitation: Invitation, user: User) -> bool:
    """Let this adult into the class; False where the invitation has been used meanwhile."""
    with transaction.atomic():
        unused = Invitation.objects.filter(pk=invitation.pk, used_at=None)
        if not unused.update(used_at=timezone.now()):
            return False
        school_class = invitation.school_class
        Teaching.objects.get_or_create(
            school_class=school_class, user=user, defaults={"role": Role.CO_TEACHER}
        )
        if invitation.role == Role.OWNER:
            _make_owner(school_class, user, by=invitation.invited_by)
    return True


def hand_over(school_class: SchoolClass, to: User, by: User) -> None:
    """Make a co-teacher the owner; the one who was teaches along from now on."""
    with transaction.atomic():
        _make_owner(school_class, to, by=by)


def _make_owner(school_class: SchoolClass, user: User, *, by: User) -> None:
    audit(by, What.HANDED_OVER, school_class=school_class)
    teachings = Teaching.objects.filter(school_class=school_class)
    teachings.filter(role=Role.OWNER).update(role=Role.CO_TEACHER)
    teachings.filter(user=user).update(role=Role.OWNER)


def remove(school_class: SchoolClass, user_id: int) -> bool:
    """Take a co-teacher off the class; the owner cannot be. Whether anyone was."""
    removed, _each = Teaching.objects.filter(
        school_class=school_class, user=user_id, role=Role.CO_TEACHER
    ).delete()
    return bool(removed)


def bring_back(school_class: SchoolClass, user_id: int) -> None:
    """Undo that a co-teacher was taken off."""
    Teaching.objects.get_or_create(
        school_class=school_class, user_id=user_id, defaults={"role": Role.CO_TEACHER}
    )
