"""An adult's session ends when nobody has been active for a while, and after a working day.

Requests that a page makes by polling do not count as activity; otherwise a live board left open on
a shared computer would keep its session for ever.
"""

import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from classrooms.access import SchoolRequest
from classrooms.http.return_addresses import is_parsable_url

ASKS_BY_ITSELF: Final = "asks_by_itself"
BEGAN: Final = "began"
SEEN: Final = "seen"
TYPED: Final = "typed"
SEEN_SAVED_EVERY: Final = 60
"""Seconds: the time of the last activity is not saved more often."""
MOST_TYPED: Final = 100_000
"""Characters of a form that are kept while its author signs in again."""
TYPED_KEPT_SECONDS: Final = 3600
"""Seconds."""


@receiver(user_logged_in)
def begin(request: HttpRequest, **kwargs: Any) -> None:
    request.session[BEGAN] = request.session[SEEN] = int(time.time())
    request.session.set_expiry(0)  # Ends with the browser, however they signed in.


def asks_by_itself(view: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a view that pages poll without any user activity. Such a view calls `end_if_over`
    itself."""
    setattr(view, ASKS_BY_ITSELF, True)
    return view


class AdultSessionMiddleware:
    """Ends adults' sessions. Requests without one, such as all of a child's, cost nothing."""

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if hasattr(request, "session_ended_of"):
            _explain_sign_out(request, response, request.session_ended_of)
        return response

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        """Public pages then continue without a user; other pages redirect to sign-in."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not hasattr(view, ASKS_BY_ITSELF):
            now = int(time.time())
            if not end_if_over(request, now) and _is_activity(request, now):
                request.session[SEEN] = now


def end_if_over(request: SchoolRequest, now: int | None = None) -> bool:
    """Sign out an adult whose session is over. Returns whether it was. `now`: in seconds."""
    if not request.user.is_authenticated or not _is_over(request, now or int(time.time())):
        return False
    user_id = request.user.pk
    logout(request)
    request.session_ended_of = user_id
    return True


def _is_activity(request: SchoolRequest, now: int) -> bool:
    """Whether to save this activity. A child may play where its teacher is signed in."""
    if not request.user.is_authenticated or request.child:
        return False
    return bool(now - request.session[SEEN] >= SEEN_SAVED_EVERY)


def _is_over(request: HttpRequest, now: int) -> bool:
    began, seen = request.session.get(BEGAN), request.session.get(SEEN)
    if began is None or seen is None:
        return True
    staff = request.user.is_staff
    idle = settings.OPERATOR_IDLE_MINUTES if staff else settings.ADULT_IDLE_MINUTES
    return bool(now - seen > idle * 60 or now - began > settings.ADULT_SESSION_HOURS * 3600)


def _explain_sign_out(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """On the redirect to sign-in, add the reason and a way back to what was typed."""
    header = "HX-Redirect" if response.has_header("HX-Redirect") else "Location"
    sign_in = resolve_url(settings.LOGIN_URL)
    if urlsplit(response.headers.get(header, "")).path != sign_in:
        return
    messages.info(request, _("You have been signed out because you were inactive for a while."))
    if request.method == "POST" and _keep_typed(request, user_id):
        back = reverse("classrooms:typed")
    elif request.headers.get("HX-Request"):
        page = request.headers.get("HX-Current-URL", "")
        back = urlsplit(page).path if is_parsable_url(page) else ""
    elif request.method == "GET":
        back = request.get_full_path()
    else:
        back = ""
    response.headers[header] = f"{sign_in}?{urlencode({'next': back})}" if back else sign_in


def _keep_typed(request: HttpRequest, user_id: int) -> bool:
    """Keep the posted fields for their author; never a file or a password."""
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    size = sum(len(name) + len(str(value)) for name, value in fields)
    if request.FILES or size > MOST_TYPED or any("password" in name for name, _value in fields):
        return False
    request.session.set_expiry(TYPED_KEPT_SECONDS)
    request.session[TYPED] = {
        "user": user_id,
        "path": request.get_full_path(),
        "fields": fields,
        "at": int(time.time()),
    }
    return True


def typed_before(request: HttpRequest) -> dict[str, Any] | None:
    """What this person had typed when the session ended: once, and for an hour only."""
    typed: dict[str, Any] | None = request.session.pop(TYPED, None)
    if typed is None or typed["user"] != request.user.pk:
        return None
    return typed if time.time() - typed["at"] <= TYPED_KEPT_SECONDS else None
