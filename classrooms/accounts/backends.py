"""Authentication by e-mail address and password."""

from collections.abc import Sequence
from typing import Any, Final

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from classrooms.child_names import INVISIBLE
from classrooms.models import User

MOST_ACCOUNTS: Final = 5
"""The most accounts that are tried for one address, besides the one that has confirmed it. To check
more passwords would slow down the site."""


def plain_address(email: str) -> str:
    """The address in small letters, without the invisible characters that a copy from a page or a
    chat brings along."""
    return INVISIBLE.sub("", email).strip().lower()


def accounts_of(email: str) -> list[User]:
    """The accounts with this address: first the one that has confirmed it, then the `MOST_ACCOUNTS`
    oldest others, so that a stranger's new accounts never push one out.

    The confirmed account does not count among these; otherwise a stranger could find out by
    counting that it exists. An address that is still to replace an account's old one belongs to
    nobody.
    """
    address = plain_address(email)
    confirmed = EmailAddress.objects.filter(user=OuterRef("pk"), email=address, verified=True)
    users = User.objects.filter(email=address).annotate(is_confirmed=Exists(confirmed))
    candidates = list(users.order_by("-is_confirmed", "pk")[: MOST_ACCOUNTS + 1])
    limit = MOST_ACCOUNTS + any(user.is_confirmed for user in candidates)
    return [*candidates[:limit]]


def hashes_for(users: Sequence[User]) -> int:
    """The number of password hashes to compute for these accounts: one for a confirmed account,
    even if there is none, and at least one for the others. Otherwise the time would tell somebody
    who signs up with the address whether it is known."""
    unconfirmed = sum(not getattr(user, "is_confirmed", False) for user in users)
    return 1 + max(1, unconfirmed)


class ByAddress(AuthenticationBackend):
    """Finds the account by address and password.

    Several accounts may share an address, and allauth would check only the one that has confirmed
    it. Somebody could then sign up with a stranger's address, fail to sign in, and thus learn that
    the stranger has an account here.
    """

    def _authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        """The account with this password. `among` has the accounts to check, by default all that
        have the address."""
        users: list[User] | None = credentials.get("among")
        if users is None:
            users = accounts_of(credentials.get("email") or "")
        password = credentials.get("password") or ""
        hashes_left = hashes_for(users)
        matching_user = None
        for user in users:
            hashes_left -= 1
            if self._check_password(user, password):
                matching_user = user
                break
        for _ in range(hashes_left):
            self._mitigate_timing_attack(password)
        self._did_check_password = True
        return matching_user
