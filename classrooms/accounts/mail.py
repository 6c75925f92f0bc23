"""Mail about accounts: in our own words, and with nothing in it that a stranger typed."""

from typing import Any, Final

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, QuerySet

from classrooms.accounts.ways_in import changed_addresses

from ..models import Teaching, User
from .browsers import browser_name
from .links import link

TAKEN: Final = "account/email/account_already_exists"
CHANGED: Final = "account/email/email_changed"

log = structlog.get_logger(__name__)


def send(
    adapter: DefaultAccountAdapter, template: str, email: str, context: dict[str, Any]
) -> None:
    """Mail one of `templates/account/email`. A mail server that is away is logged and told to
    nobody else: the page must say the same to whoever asks."""
    told = {
        "signup_url": link("account_signup"),
        "login_url": link("account_login"),
        "reset_url": link("account_reset_password"),
        "account_url": link("classrooms:account"),
        **context,
        "email": email,
    }
    if "user_agent" in context:  # It is whatever the other side says that it is.
        told["user_agent"] = browser_name(context["user_agent"])
    if template == CHANGED:
        told["stop_url"] = changed_addresses.stop_link_of(
            context["from_email"], context["to_email"]
        )
        if not told["stop_url"]:  # The old address was never confirmed: it may be a stranger's.
            return
    message = adapter.render_mail(template, email, told, {"Auto-Submitted": "auto-generated"})
    try:
        message.send()
    except OSError as problem:  # What the server said may hold the address.
        log.warning("account mail not taken", template=template, what=type(problem).__name__)


def is_taken(email_address: EmailAddress) -> bool:
    """Whether another account has confirmed the address. Its owner gets a mail that says so, where
    the one who typed the address sees what everybody sees."""
    return not email_address.can_set_verified()


def is_confirmed(user: User) -> bool:
    """Whether the account's address is known to be its own: only then the site writes to others
    in its name."""
    return EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()


def with_confirmed(teachings: QuerySet[Teaching]) -> QuerySet[Teaching]:
    """Each with `is_confirmed`: anybody can make an account with a colleague's address."""
    own = EmailAddress.objects.filter(
        user=OuterRef("user"), email=OuterRef("user__email"), verified=True
    )
    return teachings.annotate(is_confirmed=Exists(own))
