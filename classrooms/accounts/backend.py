"""Who has this address and this password."""

from collections.abc import Sequence
from typing import Any, Final

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from classrooms.models import User

MOST: Final = 5
"""So many accounts that name an address are tried, beside the one that has confirmed it: more
passwords to check would slow down the site."""


def accounts_of(email: str) -> list[User]:
    """The accounts whose address this is: the one that has confirmed it first, then the oldest, so
    that a stranger's new ones never push one out. The confirmed one takes no other's place, or one
    could count that it is there. An address that only waits to replace another one is nobody's
    yet."""
    address = email.strip().lower()
    confirmed = EmailAddress.objects.filter(user=OuterRef("pk"), email=address, verified=True)
    users = User.objects.filter(email=address).annotate(is_confirmed=Exists(confirmed))
    found = list(users.order_by("-is_confirmed", "pk")[: MOST + 1])
    most = MOST + any(user.is_confirmed for user in found)
    return [*found[:most]]


def hashes_for(users: Sequence[User]) -> int:
    """How many passwords are compared for these, or as if: one for the account that has confirmed
    the address, whether there is one or not, and one at least for others. Else the time would tell
    whoever makes a new account with the address whether it was known."""
    others = sum(not getattr(user, "is_confirmed", False) for user in users)
    return 1 + max(1, others)


class ByAddress(AuthenticationBackend):
    """Several accounts may name one address, of which one at most has confirmed it.

    allauth would look at the confirmed one alone. Then who makes an account with a stranger's
    address, and cannot sign in to it again, knows that the stranger has an account here.
    """

    def _authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        """`among`: the accounts that may be looked at; all of the address where it is left out."""
        users: list[User] | None = credentials.get("among")
        if users is None:
            users = accounts_of(credentials.get("email") or "")
        password = credentials.get("password") or ""
        hashes_left = hashes_for(users)
        found = None
        for user in users:
            hashes_left -= 1
            if self._check_password(user, password):
                found = user
                break
        for _ in range(hashes_left):
            self._mitigate_timing_attack(password)
        self._did_check_password = True
        return found
