"""The messages after a class gets a new teacher or owner."""

from django.contrib import messages
from django.utils.translation import gettext as _

from classrooms.access import AdultRequest
from classrooms.accounts.mail import is_confirmed
from classrooms.classes import teachers as teaching
from classrooms.links import link
from classrooms.models import Invitation, SchoolClass, Teaching, User


def send_invitation(
    request: AdultRequest, school_class: SchoolClass, email: str, role: Teaching.Role
) -> bool:
    """Invite an adult, mail them the link and show a message. Return whether there is an
    invitation. 404 unless the user owns the class."""
    try:
        invitation = teaching.invite(school_class, email, role, request.user)
    except teaching.TooManyInvitations:
        messages.error(request, _("There are too many open invitations. Withdraw one first."))
        return False
    if not is_confirmed(request.user):
        messages.warning(
            request,
            _(
                "Invited. We can send e-mails in your name once your own address is "
                "confirmed. Until then, copy the link and send it yourself."
            ),
        )
    elif teaching.send(invitation, invitation_link(invitation)):
        messages.success(request, _("Invited: we have e-mailed %(email)s.") % {"email": email})
    else:
        messages.warning(request, _("The e-mail could not be sent. Copy the link instead."))
    return True


def hand_over_message(to: User) -> str:
    return _("%(email)s now owns the class. You are still a co-teacher.") % {"email": to.email}


def invitation_link(invitation: Invitation) -> str:
    return link("classrooms:invitation", teaching.token(invitation))
