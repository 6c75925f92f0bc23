"""Logs what happens to an adult's account, and ends an adult's session when it is idle, and after a
working day. Polls of a page do not count as activity; otherwise a live board left open on a shared
computer would keep its session forever."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.socialaccount import signals as elsewhere
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.contrib.sessions.models import Session
from django.dispatch import Signal, receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from classrooms.access import SchoolRequest
from classrooms.accounts.backends import accounts_of
from classrooms.audit import What, audit
from classrooms.http import Middleware
from classrooms.links import is_parsable_url
from classrooms.models import AuditEntry, User

# The first match counts, because browsers also claim the names of others.
BROWSERS: Final = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS: Final = {
    "CrOS": "Chromebook",
    "iPad": "iPad",
    "iPhone": "iPhone",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


def device_of(user_agent: str) -> str:
    """The browser and its system; "" if both are unknown.

    >>> device_of("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537 Chrome/131.0 Safari/537")
    'Chrome · Chromebook'
    """
    names_found = [
        next((name for sign, name in names.items() if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, names_found))


def browser_name(user_agent: str) -> str:
    """The browser and its system, or a general name in the language of the page."""
    return device_of(user_agent) or _("another browser")


# The log of an adult's account: sign-ins, and changes of the ways to sign in. It has the browser,
# but no network address. Wrong passwords are logged once an hour, so that nobody can fill the log,
# and by the same queries for an address without an account.


@receiver(user_logged_in)
def log_sign_in(request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    user_agent = request.META.get("HTTP_USER_AGENT", "") if request else ""
    audit(user, What.SIGNED_IN, account=user, device=device_of(user_agent))


@receiver(user_login_failed)
def log_wrong_password(credentials: dict[str, Any], **kwargs: Any) -> None:
    """Log a wrong password for the account that has confirmed the address, or else for the oldest
    one."""
    typed = credentials.get("email") or credentials.get("username") or ""
    account = next(iter(accounts_of(str(typed))), None)
    audit(None, What.WRONG_PASSWORD, account=account, hourly=True)


def log_wrong_passwords(accounts: Iterable[User]) -> None:
    """Log for these accounts that the typed password is that of another account with the same
    address. Only an account that has confirmed the address gets an entry; the others must not learn
    who else uses it."""
    for user in accounts:
        if getattr(user, "is_confirmed", False):
            audit(None, What.WRONG_PASSWORD, account=user, hourly=True)


@receiver(mfa.authentication_failed)
def log_wrong_step(user: User, **kwargs: Any) -> None:
    audit(None, What.WRONG_STEP, account=user, hourly=True)


_ENTRY_OF_SIGNAL: Final[Mapping[Signal, AuditEntry.What]] = {
    account.password_changed: What.PASSWORD,
    account.password_set: What.PASSWORD,
    account.password_reset: What.NEW_PASSWORD,
    account.email_added: What.ADDRESS_ASKED,
    account.email_changed: What.ADDRESS,
    mfa.authenticator_added: What.SECOND_STEP,
    mfa.authenticator_removed: What.SECOND_STEP_GONE,
    mfa.authenticator_reset: What.CODES,
}


@receiver([*_ENTRY_OF_SIGNAL])
def log_change(signal: Signal, user: User, **kwargs: Any) -> None:
    detail: dict[str, Any] = {}
    if signal in (mfa.authenticator_added, mfa.authenticator_removed):
        detail["step"] = str(kwargs["authenticator"].type)
    audit(user, _ENTRY_OF_SIGNAL[signal], account=user, **detail)


@receiver(elsewhere.social_account_added)
def log_link(sociallogin: Any, **kwargs: Any) -> None:
    provider = str(sociallogin.account.provider)
    audit(sociallogin.user, What.CONNECTED, account=sociallogin.user, provider=provider)


@receiver(elsewhere.social_account_removed)
def log_unlink(socialaccount: Any, **kwargs: Any) -> None:
    provider = str(socialaccount.provider)
    audit(socialaccount.user, What.DISCONNECTED, account=socialaccount.user, provider=provider)


BEGAN_KEY: Final = "began"
SEEN_KEY: Final = "seen"
TYPED_KEY: Final = "typed"
PENDING_PROOF_KEY: Final = "account_reauthentication_state"
"""Where allauth keeps the request that waits until the password is given again."""
SAVE_SEEN_EVERY: Final = 60
"""The last activity is saved once in this many seconds."""
SECRETS: Final = ("password", "picture", "secret")
MOST_TYPED: Final = 100_000
"""The most characters of a form that are kept while its author signs in again."""
KEEP_TYPED_SECONDS: Final = 3600


@receiver(user_logged_in)
def begin(request: HttpRequest, **kwargs: Any) -> None:
    request.session[BEGAN_KEY] = request.session[SEEN_KEY] = int(time.time())
    request.session.set_expiry(0)  # It ends with the browser, however the adult signed in.


class AdultSessionMiddleware(Middleware):
    """Ends adults' sessions. Requests without such a session, for example all those of a child,
    cost nothing."""

    def __call__(self, request: SchoolRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if hasattr(request, "session_ended_of"):
            _explain_sign_out(request, response, request.session_ended_of)
        return response

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        """End an expired session, or note the activity. After the end, public pages are shown
        without a user, and other pages redirect to sign-in."""
        is_poll = getattr(view, "asks_by_itself", False)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not is_poll:
            now = int(time.time())
            if not end_if_over(request, now) and _is_activity(request, now):
                request.session[SEEN_KEY] = now


def end_if_over(request: SchoolRequest, now: int | None = None) -> bool:
    """Sign out an adult whose session has expired, and return whether it has. `now` is in seconds
    since 1970."""
    if not request.user.is_authenticated or not _is_over(request, now or int(time.time())):
        return False
    user_id = request.user.pk
    logout(request)
    request.session_ended_of = user_id
    return True


def _is_activity(request: SchoolRequest, now: int) -> bool:
    """Whether to save this request as activity. A child's request does not count, because children
    may play on a device on which their teacher is signed in."""
    if not request.user.is_authenticated or request.child:
        return False
    return bool(now - request.session[SEEN_KEY] >= SAVE_SEEN_EVERY)


def _is_over(request: HttpRequest, now: int) -> bool:
    begun_at, last_seen = request.session.get(BEGAN_KEY), request.session.get(SEEN_KEY)
    if begun_at is None or last_seen is None:
        return True
    staff = request.user.is_staff
    idle = settings.OPERATOR_IDLE_MINUTES if staff else settings.ADULT_IDLE_MINUTES
    return bool(now - last_seen > idle * 60 or now - begun_at > settings.ADULT_SESSION_HOURS * 3600)


def _explain_sign_out(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """If the response redirects to sign-in, add the reason, and a way back to the page or to the
    fields that were typed."""
    header = "HX-Redirect" if response.has_header("HX-Redirect") else "Location"
    sign_in = resolve_url(settings.LOGIN_URL)
    if urlsplit(response.headers.get(header, "")).path != sign_in:
        return
    messages.info(request, _("You have been signed out because you were inactive for a while."))
    if request.method == "POST" and _keep_typed_fields(request, user_id):
        url = reverse("classrooms:typed")
    elif request.headers.get("HX-Request"):
        page = request.headers.get("HX-Current-URL", "")
        url = urlsplit(page).path if is_parsable_url(page) else ""
    elif request.method == "GET":
        url = request.get_full_path()
    else:
        url = ""
    response.headers[header] = f"{sign_in}?{urlencode({'next': url})}" if url else sign_in


def typed_fields(request: HttpRequest) -> list[tuple[str, str]] | None:
    """The posted fields, to be sent again. None if they are too long, or if a file or a secret is
    among them."""
    fields = [
        (name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    size = sum(len(name) + len(value) for name, value in fields)
    has_secret = any(word in name for name, _value in fields for word in SECRETS)
    return None if request.FILES or size > MOST_TYPED or has_secret else fields


def _keep_typed_fields(request: HttpRequest, user_id: int) -> bool:
    """Keep the posted fields in the session for their author. False if they cannot be kept."""
    fields = typed_fields(request)
    if fields is None:
        return False
    request.session.set_expiry(KEEP_TYPED_SECONDS)
    request.session[TYPED_KEY] = {
        "user": user_id,
        "path": request.get_full_path(),
        "fields": fields,
        "at": int(time.time()),
    }
    return True


def forget_typed_forms(ids: Iterable[UUID]) -> None:
    """In all sessions, forget the forms that were sent to a URL with one of these ids: those kept
    here, and those that allauth keeps until the password is given again."""
    id_texts = [str(one_id) for one_id in ids]
    for row in Session.objects.all():
        data = row.get_decoded()
        forms = {
            key
            for key in (TYPED_KEY, PENDING_PROOF_KEY)
            if any(text in str(data.get(key)) for text in id_texts)
        }
        if forms:
            rest = {key: value for key, value in data.items() if key not in forms}
            encoded = Session.objects.encode(rest)
            Session.objects.filter(pk=row.pk).update(session_data=encoded)


def typed_form(request: HttpRequest) -> dict[str, Any] | None:
    """The form that this person had typed when the session ended. It can be read once, within an
    hour."""
    typed: dict[str, Any] | None = request.session.pop(TYPED_KEY, None)
    if typed is None or typed["user"] != request.user.pk:
        return None
    return typed if time.time() - typed["at"] <= KEEP_TYPED_SECONDS else None
