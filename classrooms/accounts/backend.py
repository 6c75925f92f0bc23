"""Who has this address and this password."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.models import AbstractBaseUser
from django.db.models.functions import Lower

from classrooms.models import User


def user_of(email: str) -> User | None:
    """The account whose address this is. One that is only waiting to be confirmed is nobody's:
    else a stranger's account that claims Alice's address would be tried along with hers."""
    users = User.objects.alias(small=Lower("email"))
    return users.filter(small=email.strip().lower()).first()


class ByAddress(AuthenticationBackend):
    """Looks at the one account with that address: one query and one hash, also where there is
    none."""

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = self._check_password(user_of(email), password)
        return user
