"""Pages on which the teachers of a class invite and remove teachers, leave the class, and hand it
over."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import (
    AdultRequest,
    class_for,
    invitation_by_token,
    invitation_of,
    is_owner,
    own_class_for,
)
from classrooms.accounts import services as accounts
from classrooms.accounts.mail import is_confirmed, with_confirmation
from classrooms.accounts.services import needs_proof
from classrooms.classes import teachers as teaching
from classrooms.classes.forms import InviteForm
from classrooms.links import link
from classrooms.models import Invitation, KeptAct, SchoolClass, Teaching, User
from classrooms.privacy.words import acts_of_admins
from classrooms.ui.ask_first import ask_first, is_sure
from classrooms.undo import keep_act, success_with_undo, undoes_act
from games.marks import marked


@login_required
@require_GET
def teachers(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _page(request, class_for(request.user, class_id), InviteForm(request.user.email))


@needs_proof
@require_POST
@marked(allow_archived=True, mail=("POST",))
def invite(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    form = InviteForm(request.user.email, request.POST)
    if not form.is_valid():
        return _page(request, school_class, form)
    send_invitation(request, school_class, form.cleaned_data["email"], Teaching.Role.CO_TEACHER)
    return redirect("classrooms:teachers", class_id)


@login_required
@require_POST
@marked(allow_archived=True)
def withdraw(request: AdultRequest, class_id: UUID, invitation_id: UUID) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    invitation = invitation_of(school_class, invitation_id)
    if not is_sure(request):
        lost = _("The link that was sent to %(email)s will no longer work.")
        return ask_first(
            request,
            heading=_("Withdraw the invitation"),
            lost=lost % {"email": invitation.email},
            button=_("Withdraw"),
            back=reverse("classrooms:teachers", args=[class_id]),
            school_class=school_class,
        )
    teaching.withdraw(invitation, request.user)
    messages.success(request, _("Withdrawn. The link no longer works."))
    return redirect("classrooms:teachers", class_id)


@login_required
@require_POST
@marked(allow_archived=True)
def remove(request: AdultRequest, class_id: UUID, user_id: int) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    removal = None
    if user_id != request.user.pk:
        removal = teaching.remove(school_class, user_id, request.user)
    if removal is None:
        raise Http404
    text = _(
        "Removed from the class. This teacher has seen the sign-in cards: give all children new "
        "ones, so that the teacher can no longer sign in as a child."
    )
    return_url = reverse("classrooms:teachers", args=[class_id])
    undo_url = keep_act(
        request, bring_teacher_back, return_url, removal=removal.pk, of=str(class_id)
    )
    success_with_undo(request, text, undo_url)
    return redirect(return_url)


@undoes_act
def bring_teacher_back(request: AdultRequest, act: KeptAct) -> str:
    school_class = own_class_for(request.user, act.data["of"])
    teaching.bring_back(school_class, act.data["removal"], request.user)
    return _("Back in the class.")


@needs_proof
@require_POST
@marked(allow_archived=True)
def hand_over(request: AdultRequest, class_id: UUID, user_id: int) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    to = get_object_or_404(User, teachings__school_class=school_class, pk=user_id)
    if to != request.user and not is_sure(request):
        lost = _(
            "%(email)s becomes the owner. You stay on as a co-teacher, and can no longer "
            "invite teachers, archive the class or delete it. Only %(email)s can hand it back."
        )
        return ask_first(
            request,
            heading=_("Hand %(name)s over") % {"name": school_class.name},
            lost=lost % {"email": to.email},
            button=_("Hand over"),
            back=reverse("classrooms:teachers", args=[class_id]),
            school_class=school_class,
        )
    teaching.hand_over(school_class, to, request.user)
    messages.success(request, hand_over_message(to))
    return redirect("classrooms:teachers", class_id)


@login_required
@require_POST
@marked(allow_archived=True)
def leave(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    user = request.user
    if not is_sure(request) and not is_owner(user, school_class):
        return ask_first(
            request,
            heading=_("Leave %(name)s") % {"name": school_class.name},
            lost=_("You will no longer see this class. Only its owner can invite you again."),
            button=_("Leave this class"),
            back=reverse("classrooms:teachers", args=[class_id]),
            school_class=school_class,
        )
    if not teaching.remove(school_class, user.pk, user):
        messages.error(request, _("You own this class. Hand it over before you leave it."))
        return redirect("classrooms:teachers", class_id)
    messages.success(request, _("You no longer teach %(name)s.") % {"name": school_class.name})
    return redirect("classrooms:classes")


@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, invitation: str) -> HttpResponse:
    """The page behind the link of an invitation. Visitors can sign in first or create an
    account."""
    try:
        offer = invitation_by_token(invitation)
    except Http404:
        return render(request, "classes/invitation_gone.html", status=404)
    user = request.user if request.user.is_authenticated else None
    is_meant = user is None or teaching.is_meant_for(offer, user)
    if request.method == "POST" and user and is_meant:
        if not teaching.accept(offer, user):
            return render(request, "classes/invitation_gone.html", status=404)
        text = _("Welcome! You now co-teach %(name)s.") % {"name": offer.school_class.name}
        messages.success(request, text)
        return redirect("classrooms:class", offer.school_class_id)
    context = {
        "invitation": offer,
        "here": request.path,
        "is_meant": is_meant,
        "sign_up_is_open": accounts.is_open_to_the_invited(),
    }
    return render(request, "classes/invitation.html", context)


def _page(request: AdultRequest, school_class: SchoolClass, form: InviteForm) -> HttpResponse:
    owns = is_owner(request.user, school_class)
    invitations = teaching.open_invitations(school_class) if owns else []
    context = {
        "school_class": school_class,
        "is_owner": owns,
        "teachings": with_confirmation(school_class.teachings.select_related("user")).order_by(
            "-role", "user__email"
        ),
        "is_confirmed": is_confirmed(request.user),
        "invitations": [
            (open_invitation, invitation_link(open_invitation)) for open_invitation in invitations
        ],
        "form": form,
        "acts_of_admins": acts_of_admins(school_class),
    }
    return render(request, "classes/teachers.html", context)


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
