"""Adults' accounts: who may create one, changes of address, and proof of identity."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.forms import BaseSignupForm, SignupForm, default_token_generator
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classrooms.access import AdultRequest, SchoolRequest, invitation_by_token, school_by_token
from classrooms.accounts.sessions import end_if_over
from classrooms.audit import What, audit
from classrooms.links import link
from classrooms.locks import lock
from classrooms.models import AddressChange, User
from games.marks import marked

LONG_AGO = datetime.min.replace(tzinfo=UTC)


def remove_other_ways_in(user: User, since: datetime = LONG_AGO) -> None:
    """Remove and log all second steps, passkeys and social accounts that were added since then."""
    for step in Authenticator.objects.filter(user=user, created_at__gte=since):
        step.delete()
        audit(user, What.SECOND_STEP_GONE, account=user, step=str(step.type))
    for social_account in SocialAccount.objects.filter(user=user, date_joined__gte=since):
        social_account.delete()
        audit(user, What.DISCONNECTED, account=user, provider=str(social_account.provider))


# Changes of an account's address. The old address first gets a mail with a link that stops the
# change and works for a week.

SALT: Final = "classrooms.address change"
STOP_LINK_LASTS: Final = timedelta(days=7)
THEFT_MARGIN: Final = timedelta(days=1)
"""A thief of an account may begin by adding a key, so passkeys, apps and social accounts that were
added up to this long before the change are removed too."""


def warn_old_address(user: User, new_address: str) -> None:
    """Tell the confirmed address that another address was requested for the account. An address
    that was never confirmed may be a stranger's and gets no mail."""
    old_address = EmailAddress.objects.get_verified(user)
    if old_address is None or old_address.email == new_address:
        return
    change = AddressChange.objects.create(user=user, old=old_address.email, new=new_address)
    context = {"stop_url": _stop_link(change), "days": STOP_LINK_LASTS.days}
    get_adapter().send_notification_mail(
        "account/email/email_change_asked", user, context, email=old_address.email
    )


def stop_link_of(old_address: str, new_address: str) -> str:
    """The link that stops the last change from one address to the other; empty if the old address
    got no mail about the change."""
    changes = AddressChange.objects.filter(old=old_address, new=new_address, stopped_at=None)
    change = changes.order_by("pk").last()
    return _stop_link(change) if change else ""


def address_change_of(token: str) -> AddressChange:
    """The change that a link can stop. 404 if the link is used, too old or forged."""
    try:
        pk = signing.loads(token, salt=SALT, max_age=STOP_LINK_LASTS)
    except signing.BadSignature:
        raise Http404 from None
    change = AddressChange.objects.filter(pk=pk, stopped_at=None).select_related("user").first()
    if change is None:
        raise Http404
    return change


def stop_change(change: AddressChange) -> str:
    """Give the account back to the old address, end all sessions, and return the URL where a new
    password is chosen. 404 if the change was already stopped, or if another account has confirmed
    the old address since."""
    now = timezone.now()
    with lock(change.user) as (user,):
        later = AddressChange.objects.filter(user=user, pk__gte=change.pk, stopped_at=None)
        confirmed = EmailAddress.objects.filter(email=change.old, verified=True)
        if not later.filter(pk=change.pk).exists() or confirmed.exclude(user=user).exists():
            raise Http404
        later.update(stopped_at=now)
        EmailAddress.objects.filter(user=user).delete()
        EmailAddress.objects.create(user=user, email=change.old, verified=True, primary=True)
        user.email = change.old
        user.set_unusable_password()
        user.save(update_fields=("email", "password"))
        audit(user, What.ADDRESS, account=user)
        remove_other_ways_in(user, change.asked_at - THEFT_MARGIN)
        for session in UserSession.objects.filter(user=user):
            session.end()
        audit(user, What.SESSIONS_ENDED, account=user)
    token = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), token])


def token_of(change: AddressChange) -> str:
    return signing.dumps(change.pk, salt=SALT)


def _stop_link(change: AddressChange) -> str:
    return link("classrooms:stop_address_change", token_of(change))


# Who may create an account (everybody, invited people, or nobody), and with which addresses.

OPEN: Final = "open"
INVITED: Final = "invited"


def is_open(request: HttpRequest, leads_to: str = "") -> bool:
    """Whether this visitor may create an account. `leads_to` is the page to show afterwards, if the
    request does not name it."""
    if settings.SIGN_UP == INVITED:
        return _is_open_invitation(
            leads_to or request.POST.get("next") or request.GET.get("next") or ""
        )
    return bool(settings.SIGN_UP == OPEN)


def is_open_to_the_invited() -> bool:
    return settings.SIGN_UP in (OPEN, INVITED)


def is_allowed_domain(address: str) -> bool:
    """Whether addresses of this domain are allowed. Without `SIGN_UP_DOMAINS` all are."""
    domain = address.rpartition("@")[2].lower()
    return not settings.SIGN_UP_DOMAINS or domain in settings.SIGN_UP_DOMAINS


def _is_open_invitation(path: str) -> bool:
    try:
        match = resolve(path)
        if match.view_name == "classrooms:invitation":
            invitation_by_token(match.kwargs["invitation"])
            return True
        if match.view_name == "classrooms:join_school":
            school_by_token(match.kwargs["joining"])
            return True
    except (Resolver404, Http404):
        pass
    return False


class _AllowedDomainForm(BaseSignupForm):
    """Refuses addresses of other domains, and names the allowed ones, which are not secret."""

    def clean_email(self) -> str:
        address: str = super().clean_email()
        if not is_allowed_domain(address):
            domains = ", ".join(settings.SIGN_UP_DOMAINS)
            text = _("Use your school e-mail address: it ends in %(domains)s.")
            raise ValidationError(text % {"domains": domains})
        return address


class SignUpForm(_AllowedDomainForm, SignupForm):
    """Creates an account with a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The five rules are named when one is broken.
        self.fields["password1"].help_text = _("At least 8 characters that nobody would guess.")


class SignUpElsewhereForm(_AllowedDomainForm, SocialSignupForm):
    """Creates an account for someone who signs in with Google or Microsoft."""


# Proof that the same person still sits at the computer. It is required for acts that cannot be
# undone and for changes of the ways to sign in. Signing in is a proof, and so is giving the
# password, a code or a passkey again, for `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds.

ViewFunction = Callable[..., HttpResponse]

SIGNED_IN = "signed in"


@receiver(user_logged_in)
def count_sign_in_as_proof(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Count signing in as proof, so that nobody is asked again directly afterwards."""
    record_authentication(request, user, method=SIGNED_IN, reauthenticated=True)


def lacks_proof(request: HttpRequest) -> bool:
    try:
        return is_proof_required(request)
    except ReauthenticationRequired:
        return True


def needs_proof(view: ViewFunction) -> ViewFunction:
    """Like `login_required`, but a POST without a proof of identity waits for one, then continues
    with the posted data."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and lacks_proof(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return guarded


def needs_proof_first(view: ViewFunction) -> ViewFunction:
    """Require a proof of identity already when the page is opened, and drop posted data without
    one. For pages with a new password, which must not be stored while the proof is given."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and lacks_proof(request):
            return redirect_to_proof(request, request.path)
        return view(request, *args, **kwargs)

    return guarded


def redirect_to_proof(request: HttpRequest, next_path: str, kind: str = "") -> HttpResponse:
    """Redirect to the first page on which the person can prove who they are, and from there to
    `next_path`. Only methods whose id begins with `kind` count."""
    from allauth.account.adapter import get_adapter  # It imports this module.

    methods = get_adapter().get_reauthentication_methods(request.user)
    url = next((method["url"] for method in methods if method["id"].startswith(kind)), None)
    return redirect(f"{url or reverse('account_login')}?{urlencode({'next': next_path})}")


def is_proof_required(request: HttpRequest) -> bool:
    """Whether the user must prove again who they are. A recent proof is enough, and saves six
    queries of allauth. Raises `ReauthenticationRequired` for an account with neither a password nor
    a second step that has not signed in with its provider recently; allauth would let it
    through."""
    user = request.user
    if not user.is_authenticated:
        return True
    oldest = timezone.now().timestamp() - app_settings.REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, user)
    if any(record["at"] > oldest for record in records if record.get("reauthenticated")):
        return False
    if not DefaultAccountAdapter(request).get_reauthentication_methods(user):
        raise ReauthenticationRequired
    return True


def social_methods(user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
    """The method of proof for an account that signs in with Google or Microsoft; empty for
    others."""
    if not user.is_authenticated or not SocialAccount.objects.filter(user_id=user.pk).exists():
        return []
    url = reverse("classrooms:sign_in_again")
    return [{"id": "elsewhere", "description": _("Sign in again"), "url": url}]


TAG: Final = "HX-PTag"
"""The header with the tag of the content that the page shows, from the htmx extension `ptag`."""

_P = ParamSpec("_P")


def part_for_adults(
    view: Callable[Concatenate[AdultRequest, _P], HttpResponse],
) -> Callable[Concatenate[SchoolRequest, _P], HttpResponse]:
    """Make a view of a part of a page. When the session has ended, it redirects the whole page to
    sign-in, not only the part."""
    adults_view: Callable[..., HttpResponse] = login_required(view)

    @marked(asks_by_itself=True)
    @wraps(view)
    def part(request: SchoolRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        end_if_over(request)
        if not request.user.is_authenticated and request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(reverse(settings.LOGIN_URL))
        return adults_view(request, *args, **kwargs)

    return part


def tagged_part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A part of a page; 304 if the page already shows the content with the `tag` of the context."""
    tag = context["tag"]
    if request.headers.get(TAG) == tag:
        return HttpResponseNotModified(headers={TAG: tag})
    response = render(request, template, context)
    response.headers[TAG] = tag
    return response
