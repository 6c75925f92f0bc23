"""Who signs in with an address and a password."""

from typing import Final

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from allauth.core import context
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Exists, OuterRef

from ..models import User

MOST: Final = 5
"""So many accounts of one address are tried: more passwords to check would slow down the site."""


class ByAddress(AuthenticationBackend):
    """Several accounts may name one address, of which one at most has confirmed it.

    allauth would look at the confirmed one alone. Then who makes an account with a stranger's
    address, and cannot sign in to it again, knows that the stranger has an account here.
    """

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        return next((user for user in _named(email) if self._check_password(user, password)), None)


def _named(email: str) -> list[User]:
    """The accounts of the address: one's own first, where someone is signed in; then the confirmed
    one; then the oldest, so that a stranger's new ones never push one out."""
    address = email.strip().lower()
    confirmed = EmailAddress.objects.filter(user=OuterRef("pk"), email=address, verified=True)
    found = User.objects.filter(email=address).annotate(is_confirmed=Exists(confirmed))
    users: list[User] = list(found.order_by("-is_confirmed", "pk")[:MOST])
    here = getattr(context.request, "user", None)
    if isinstance(pk := getattr(here, "pk", None), int):
        own = User.objects.filter(email=address, pk=pk)
        users = [*own, *(user for user in users if user.pk != pk)]
    return users
