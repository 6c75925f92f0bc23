"""Who may make an account (everybody, the invited, or nobody), and with which addresses."""

from typing import Final

from allauth.account.forms import BaseSignupForm, SignupForm
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from classrooms.access import invitation_for, school_behind

OPEN: Final = "open"
INVITED: Final = "invited"


def is_open(request: HttpRequest, leads_to: str = "") -> bool:
    """Whether this visitor may make an account. `leads_to`: the page to return to, if the request
    does not name it."""
    if settings.SIGN_UP == INVITED:
        return _is_open_invitation(
            leads_to or request.POST.get("next") or request.GET.get("next") or ""
        )
    return bool(settings.SIGN_UP == OPEN)


def is_open_to_the_invited() -> bool:
    return settings.SIGN_UP in (OPEN, INVITED)


def may_use(address: str) -> bool:
    """Whether the address is in an allowed domain, if the site restricts them."""
    domain = address.rpartition("@")[2].lower()
    return not settings.SIGN_UP_DOMAINS or domain in settings.SIGN_UP_DOMAINS


def _is_open_invitation(path: str) -> bool:
    try:
        match = resolve(path)
        if match.view_name == "classrooms:invitation":
            invitation_for(match.kwargs["invitation"])
            return True
        if match.view_name == "classrooms:join_school":
            school_behind(match.kwargs["joining"])
            return True
    except (Resolver404, Http404):
        pass
    return False


class _OfOneOfTheDomains(BaseSignupForm):
    """Refuses addresses of other domains; the allowed domains are no secret."""

    def clean_email(self) -> str:
        address: str = super().clean_email()
        if not may_use(address):
            domains = ", ".join(settings.SIGN_UP_DOMAINS)
            text = _("Use your school e-mail address: it ends in %(domains)s.")
            raise ValidationError(text % {"domains": domains})
        return address


class SignUpForm(_OfOneOfTheDomains, SignupForm):
    """An account with a password."""


class SignUpElsewhereForm(_OfOneOfTheDomains, SocialSignupForm):
    """An account of someone who signs in with Google or Microsoft."""
