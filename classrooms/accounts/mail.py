"""Mail about accounts, in our own words and without a text that a stranger typed."""

from collections.abc import Iterable
from typing import Any, Final

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext

from classrooms.accounts import services
from classrooms.accounts.sessions import browser_name
from classrooms.links import link
from classrooms.models import User

ADDRESS_TAKEN: Final = "account/email/account_already_exists"
ADDRESS_CHANGED: Final = "account/email/email_changed"
MAILS: Final = "account/mails.txt"
AUTOMATIC_HEADERS: Final = {
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "OOF, AutoReply",
}
"""Headers that prevent automatic answers. Exchange ignores the first and obeys the second."""

log = structlog.get_logger(__name__)


def send(template: str, email: str, context: dict[str, Any]) -> None:
    """Send the mail that allauth calls `template`. A failure of the mail server is only logged: an
    error page would tell a visitor whether the address has an account."""
    values = {
        "signup_url": link("account_signup"),
        "login_url": link("account_login"),
        "reset_url": link("account_reset_password"),
        "account_url": link("classrooms:account"),
        **context,
        "email": email,
    }
    if "user_agent" in context:  # The client sends it, so it can be any text.
        values["user_agent"] = browser_name(context["user_agent"])
    if template == ADDRESS_CHANGED:
        values["stop_url"] = services.stop_link_of(context["from_email"], context["to_email"])
        if not values["stop_url"]:  # The address was never confirmed and may be a stranger's.
            return
    try:
        mail_from_template(template, email, values).send()
    except OSError as problem:  # Not the whole error: the server's answer may contain the address.
        log.warning("account mail not taken", template=template, what=type(problem).__name__)


def mail_from_template(template: str, email: str, values: dict[str, Any]) -> EmailMessage:
    """The mail in the part of `MAILS` that has the name of the template. Its first line is the
    subject. A mail about something that was done also says when and from where."""
    part = template.rpartition("/")[2]
    subject, _end, text = render_to_string(f"{MAILS}#{part}", values).strip().partition("\n")
    paragraphs = [text.strip()]
    if "timestamp" in values:
        done = "_can_be_stopped" if "stop_url" in values else "_done_by_you"
        paragraphs.append(render_to_string(f"{MAILS}#{done}", values).strip())
    return _message(subject, letter_text(paragraphs), email)


def call_server() -> None:
    """Connect to the mail server without sending a mail, so that the time does not reveal that none
    is sent."""
    try:
        with get_connection():
            pass
    except OSError as problem:
        log.warning("mail server not reached", what=type(problem).__name__)


def letter_text(paragraphs: Iterable[str]) -> str:
    """The text of a mail: these paragraphs between the greeting and the signature of all mails."""
    return "\n\n".join((gettext("Hello,"), *paragraphs, "-- \nnmbrs"))


def sends_mail() -> bool:
    """Whether this site sends mails. A site without a mail server prints them to its log."""
    return "smtp" in settings.EMAIL_BACKEND


def send_text(subject: str, text: str, to: str) -> bool:
    """Send the mail, and return whether the mail server took it."""
    try:
        _message(subject, text, to).send()
    except OSError:
        return False
    return True


def _message(subject: str, text: str, to: str) -> EmailMessage:
    return EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [to], headers=AUTOMATIC_HEADERS)


def is_confirmed(user: User) -> bool:
    """Whether the account has confirmed its address. Only then does the site send mail to others in
    its name."""
    return EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()


def with_confirmation(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows, each with `is_confirmed`: whether its user has confirmed their address. Anybody can
    register with a colleague's address."""
    addresses = EmailAddress.objects.filter(
        user=OuterRef("user"), email=OuterRef("user__email"), verified=True
    )
    return rows.annotate(is_confirmed=Exists(addresses))


def is_sent_to(user: User) -> Q:
    """The condition that an `email` is one of this adult's addresses, confirmed or not."""
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    any_address = Q()
    for address in {user.email, *addresses}:
        any_address |= Q(email__iexact=address)
    return any_address
