"""The site's adapters for allauth: accounts, Google and Microsoft, second step."""

from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext_lazy

from classrooms.access import SchoolRequest
from classrooms.accounts import limits, mail, services
from classrooms.accounts.backends import plain_address
from classrooms.credentials import decrypt, encrypt
from classrooms.links import is_parsable_url, link, reset_link
from classrooms.models import User
from classrooms.ui.qr import qr_svg

CONFIRMATION_SENT: Final = "account/messages/email_confirmation_sent.txt"
LONGEST_ADDRESS: Final = EmailAddress._meta.get_field("email").max_length


class AccountAdapter(DefaultAccountAdapter):
    """The site's answers to allauth's questions. Most methods call the module of this package for
    their subject."""

    def authenticate(self, request: SchoolRequest, **credentials: Any) -> User | None:
        authenticate = super().authenticate
        return limits.sign_in(
            request,
            credentials.get("email", ""),
            lambda accounts: authenticate(request, **credentials, among=accounts),
        )

    def reauthenticate(self, user: User, password: str) -> bool:
        return limits.check_password(context.request, user, password)

    def get_client_ip(self, request: HttpRequest) -> str:
        return limits.displayed_address(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return services.is_open(request)

    def clean_email(self, email: str) -> str:
        """Refuse an address that is too long for an account. All forms with an address call this;
        Django's own field accepts longer ones."""
        MaxLengthValidator(LONGEST_ADDRESS)(email)
        return super().clean_email(plain_address(email))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        mail.send(template_prefix, email, context)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC, signup: bool
    ) -> None:
        if signup and not limits.may_mail_stranger(request):
            mail.call_server()
        elif not emailconfirmation.email_address.can_set_verified():
            # Another account has confirmed the address. The visitor sees the usual page.
            self.send_account_already_exists_mail(emailconfirmation.email_address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Show a message. On a site that sends no mail, do not say that one was sent."""
        if message_template == CONFIRMATION_SENT and message_context and not mail.sends_mail():
            text = _(
                "This site sends no e-mails: the link for %(email)s is only in its log. Ask "
                "whoever runs the site for it."
            )
            level, more["message"] = messages.WARNING, text % message_context
        super().add_message(request, level, message_template, message_context, **more)

    def send_account_already_exists_mail(self, email: str) -> None:
        self.send_mail(mail.ADDRESS_TAKEN, email, {})

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC
    ) -> str:
        return link("account_confirm_email", emailconfirmation.key)

    def get_reset_password_from_key_url(self, key: str) -> str:
        return reset_link(key)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        return services.is_proof_required(self.request)

    def get_reauthentication_methods(
        self, user: AbstractBaseUser | AnonymousUser
    ) -> list[dict[str, Any]]:
        return super().get_reauthentication_methods(user) or services.social_methods(user)

    def is_safe_url(self, url: str) -> bool:
        """Whether allauth finds the URL safe and it does not lead from https to http."""
        if not is_parsable_url(url) or not super().is_safe_url(url):
            return False
        return not (self.request.is_secure() and urlsplit(url).scheme == "http")


class ElsewhereAdapter(DefaultSocialAccountAdapter):
    """Handles users who return from Google or Microsoft."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return services.is_open(request, leads_to=sociallogin.state.get("next") or "")

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        allowed = all(
            services.is_allowed_domain(email.email) for email in sociallogin.email_addresses
        )
        return bool(allowed and super().is_auto_signup_allowed(request, sociallogin))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        process = sociallogin.state.get("process")
        if process == AuthProcess.REDIRECT:
            _reauthenticate(request, sociallogin)
        elif process == AuthProcess.LOGIN and not sociallogin.is_existing:
            _refuse_second_account(request, sociallogin)


def _reauthenticate(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Accept another sign-in with the provider as a signed-in user's proof of identity."""
    if not request.user.is_authenticated:
        return
    if not sociallogin.is_existing or sociallogin.user != request.user:
        messages.error(request, _("That is not the account you are signed in with."))
        return
    details: dict[str, Any] = {"provider": sociallogin.account.provider, "reauthenticated": True}
    record_authentication(request, request.user, method="socialaccount", **details)


def _refuse_second_account(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Redirect to sign-in if a verified address belongs to an account here. That account was never
    linked with the provider's, so nobody is signed in to it."""
    verified = [email.email for email in sociallogin.email_addresses if email.verified]
    if EmailAddress.objects.lookup(verified).filter(verified=True).exists():
        text = _(
            "There is already an account with this address. Sign in with its password, then "
            "link the other account under “Your account”."
        )
        messages.info(request, text)
        raise ImmediateHttpResponse(redirect("account_login"))


class MfaAdapter(DefaultMFAAdapter):
    """Encrypts the stored secrets of the second step, and draws its QR code into the page."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        return qr_svg(url)

    def get_totp_issuer(self) -> str:
        return "nmbrs"


THIRD_PARTY_MESSAGES: Final = (
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("You cannot remove your primary email address (%(email)s)."),
    gettext_noop("Please type your current password."),
    gettext_noop("You cannot add more than %d email addresses."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("Your primary email address must be verified."),
    gettext_noop("Please select only one."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("You must type the same email each time."),
    gettext_noop("Username can not be used. Please use other username."),
    gettext_noop(
        "An account already exists with this email address. Please sign in to that account first, "
        "then connect your %s account."
    ),
    gettext_noop("Your account has no password set up."),
    gettext_noop("Your account has no verified email address."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("Confirmation email sent to %(email)s."),
    gettext_noop("Email address"),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
)
"""Messages of allauth and Django that a teacher may read. Listed here, they are in our catalogues,
which come before those of the packages, where a teacher is du in German and u in Dutch."""
