"""Where allauth asks the site: what differs from what it does by itself."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.http import HttpRequest

from classrooms.models import User

from . import addresses, passwords


class AccountAdapter(DefaultAccountAdapter):
    """Each method hands over to the module of its subject in this folder."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        look = super().authenticate
        return passwords.sign_in(
            request, credentials.get("email", ""), lambda: look(request, **credentials)
        )

    def reauthenticate(self, user: User, password: str) -> bool:
        return passwords.check(context.request, user, password)

    def get_client_ip(self, request: HttpRequest) -> str:
        return addresses.address_to_show(request)
