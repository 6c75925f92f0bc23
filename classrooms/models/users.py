"""Adults: teachers and the operator."""

import re
from typing import Any, ClassVar, Final
from uuid import UUID, uuid5

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

_PLAYERS: Final = UUID("6d0a1c1e-5a3b-4c55-9b3a-7f6f1f0c2a41")


class UserManager(BaseUserManager["User"]):
    """Creates adults by e-mail address, stored in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """An operator, created on the machine itself, so the address counts as confirmed: without a
        confirmed address one cannot set up a second step, which /admin/ requires. Raises
        `ValidationError` where another account has confirmed the address."""
        from allauth.account.models import EmailAddress  # It imports this model.

        if EmailAddress.objects.is_verified(email.strip()):
            raise ValidationError(_("Another account has this address."))
        with transaction.atomic():
            user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """The account that has confirmed the address, otherwise the oldest with that address."""
        confirmed = models.Q(emailaddress__verified=True, emailaddress__email__iexact=username)
        named = self.filter(email__iexact=username).order_by("pk")
        user = named.filter(confirmed).first() or named.first()
        if user is None:
            raise self.model.DoesNotExist
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """An adult: a teacher, or the operator of the site.

    Several accounts may have the same address; at most one of them has confirmed it. This way,
    signing up does not show a stranger whether an address is known. Accounts are identified by id.
    """

    email = models.EmailField(_("e-mail address"), db_index=True)
    is_staff = models.BooleanField(_("has access to the admin site"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    display_name = models.CharField(_("name that others see"), max_length=60, blank=True)
    closed_at = models.DateTimeField(_("account closed"), null=True, blank=True, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def __str__(self) -> str:
        return self.email

    @property
    def player(self) -> UUID:
        """The id by which `games` knows this adult, when trying out a game."""
        return uuid5(_PLAYERS, str(self.pk))

    @property
    def named(self) -> str:
        """The chosen name with the address, or the address alone."""
        return f"{self.display_name} ({self.email})" if self.display_name else self.email

    @property
    def short_name(self) -> str:
        """The chosen name, or the first part of the address: "Alice" of alice.b@school.example."""
        if self.display_name:
            return self.display_name
        return re.split(r"[._+-]", self.email.partition("@")[0])[0].capitalize()

    def clean(self) -> None:
        """Refuses to deactivate the owner of a class in use: it would be left without a teacher."""
        super().clean()
        self.email = self.email.strip().lower()
        if self.is_active or self._state.adding:
            return
        owned = self.teachings.filter(role="owner", school_class__archived_at=None).count()
        if owned:
            text = ngettext(
                "This teacher owns %(n)d class. Hand it over or archive it first.",
                "This teacher owns %(n)d classes. Hand them over or archive them first.",
                owned,
            )
            raise ValidationError({"is_active": text % {"n": owned}})
