"""The site's own settings for allauth's account adapter."""

from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.core import context
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest

from classrooms.access import SchoolRequest
from classrooms.accounts import mail
from classrooms.accounts.limits import addresses, passwords
from classrooms.accounts.ways_in import proof, sign_up
from classrooms.http.return_addresses import is_parsable_url
from classrooms.models import User

from .links import link, reset_link

LONGEST_ADDRESS: Final = EmailAddress._meta.get_field("email").max_length


class AccountAdapter(DefaultAccountAdapter):
    """Each method delegates to the module for its subject in this folder."""

    def authenticate(self, request: SchoolRequest, **credentials: Any) -> User | None:
        authenticate = super().authenticate
        return passwords.sign_in(
            request,
            credentials.get("email", ""),
            lambda accounts: authenticate(request, **credentials, among=accounts),
        )

    def reauthenticate(self, user: User, password: str) -> bool:
        return passwords.check(context.request, user, password)

    def get_client_ip(self, request: HttpRequest) -> str:
        return addresses.address_to_show(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return sign_up.is_open(request)

    def clean_email(self, email: str) -> str:
        """Used by every form with an address: Django's own field accepts longer addresses than
        an account can store."""
        MaxLengthValidator(LONGEST_ADDRESS)(email)
        return super().clean_email(email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        mail.send(self, template_prefix, email, context)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC, signup: bool
    ) -> None:
        if signup and not passwords.may_mail_stranger(request):
            mail.call_server()
        elif mail.is_taken(emailconfirmation.email_address):
            self.send_account_already_exists_mail(emailconfirmation.email_address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_account_already_exists_mail(self, email: str) -> None:
        self.send_mail(mail.TAKEN, email, {})

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC
    ) -> str:
        return link("account_confirm_email", emailconfirmation.key)

    def get_reset_password_from_key_url(self, key: str) -> str:
        return reset_link(key)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        return proof.is_required(self.request)

    def get_reauthentication_methods(
        self, user: AbstractBaseUser | AnonymousUser
    ) -> list[dict[str, Any]]:
        return super().get_reauthentication_methods(user) or proof.social_methods(user)

    def is_safe_url(self, url: str) -> bool:
        """Also not the way down from https to http."""
        if not is_parsable_url(url) or not super().is_safe_url(url):
            return False
        return not (self.request.is_secure() and urlsplit(url).scheme == "http")
