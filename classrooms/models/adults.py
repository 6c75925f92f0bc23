"""Adults: their accounts and schools, and what remains of erased people and classes."""

import re
import unicodedata
import uuid
from typing import Any, ClassVar, Final
from uuid import UUID, uuid5

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

# Adults: teachers and the operator.

_PLAYERS: Final = UUID("6d0a1c1e-5a3b-4c55-9b3a-7f6f1f0c2a41")


def _in_composed_form(password: str | None) -> Any:
    """The password with composed characters. Some keyboards write "é" as one character, others as
    two."""
    return password and unicodedata.normalize("NFC", password)


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
        """Create an operator, which only somebody on the machine itself can do. The address counts
        as confirmed: otherwise they could not set up the second step that /admin/ requires. Raises
        `ValidationError` if another account has confirmed the address."""
        from allauth.account.models import EmailAddress  # allauth imports this module.

        if EmailAddress.objects.is_verified(email.strip()):
            raise ValidationError(_("Another account has this address."))
        with transaction.atomic():
            user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """The account that has confirmed this address, or else the oldest that has it."""
        confirmed = models.Q(emailaddress__verified=True, emailaddress__email__iexact=username)
        users = self.filter(email__iexact=username).order_by("pk")
        user = users.filter(confirmed).first() or users.first()
        if user is None:
            raise self.model.DoesNotExist
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """An adult: a teacher, or the operator of the site.

    Several accounts may have the same address, so that signing up does not tell a stranger whether
    it is known. At most one of them has confirmed it. Accounts are identified by their id.
    """

    email = models.EmailField(_("e-mail address"), db_index=True)
    is_staff = models.BooleanField(_("has access to the admin site"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    display_name = models.CharField(_("name that others see"), max_length=60, blank=True)
    closed_at = models.DateTimeField(_("account closed"), null=True, blank=True, editable=False)

    may_change = True
    """Whether pages offer changes. They offer none to a `Visitor`."""

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def __str__(self) -> str:
        return self.email

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(_in_composed_form(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        return super().check_password(_in_composed_form(raw_password))

    @property
    def player(self) -> UUID:
        """The id by which `games` knows this adult when they try out a game."""
        return uuid5(_PLAYERS, str(self.pk))

    @property
    def name_and_address(self) -> str:
        """The display name with the address, or the address alone."""
        return f"{self.display_name} ({self.email})" if self.display_name else self.email

    @property
    def short_name(self) -> str:
        """The display name, or else the first part of the address: "Alice" for
        alice.b@school.example."""
        if self.display_name:
            return self.display_name
        return re.split(r"[._+-]", self.email.partition("@")[0])[0].capitalize()

    def clean(self) -> None:
        """Refuse to deactivate the owner of a class in use, which would then have no owner."""
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


class Visitor(AnonymousUser):
    """Someone without an account who looks around in a class. Pages treat them as signed in, but
    `access.classes_of` gives them only this class, and without an account they can own and change
    nothing."""

    is_authenticated = True  # type: ignore[assignment]
    may_change = False

    def __init__(self, class_id: UUID) -> None:
        super().__init__()
        self.class_id = class_id


# Adults' sign-in: known devices, wrong tries, shared values for limits, changes of address. Only
# changes of address store mail addresses. The others store keyed hashes. None stores a network
# address.


class AdultDevice(models.Model):
    """A device that an account knows, by the hash of the random id in its cookie."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="known_devices"
    )
    device_hash = models.CharField(max_length=64, unique=True)
    seen_at = models.DateTimeField(default=timezone.now)
    signed_in_at = models.DateTimeField(null=True, blank=True)
    """The last sign-in there, with the second step; None if the account has only chosen a new
    password there."""

    class Meta:
        indexes = (models.Index(fields=("seen_at",)),)

    def __str__(self) -> str:
        return f"{self.user} {self.device_hash[:8]}"


class WrongSignIns(models.Model):
    """The times of the tries that one counter counts (`classrooms.tries`), such as wrong passwords
    for one account from one device, from all unknown devices or from one network."""

    key_hash = models.CharField(max_length=64, unique=True)
    times = models.JSONField(default=list)
    """In seconds since 1970. Each try drops the times that no longer count."""
    ends_at = models.DateTimeField(db_index=True)
    """When the last of `times` stops counting."""


class SharedValue(models.Model):
    """An entry of the cache that all processes share (`accounts.shared_store`)."""

    key_hash = models.CharField(max_length=64, primary_key=True)
    value = models.JSONField(null=True)
    ends_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """None for an entry that never expires."""


class AddressChange(models.Model):
    """A requested change of an account's confirmed address. The link in the mail to the old address
    contains the key of this row. It works once, and not after an earlier change of the account was
    stopped."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="address_changes"
    )
    old = models.EmailField(_("old address"))
    new = models.EmailField(_("new address"))
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    stopped_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"


# Schools, and the teachers who belong to them.


class School(models.Model):
    """A school with its teachers. Its classes are the classes that its teachers own."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    removals = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """How many teachers were removed from the school. A link to join works until the next
    removal."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A teacher's place in a school, perhaps as an admin. A teacher belongs to one school at most,
    and so does each class."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("teacher")
        ADMIN = "admin", _("admin")

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="memberships")
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="membership"
    )
    role = models.CharField(_("role"), max_length=8, choices=Role.choices, default=Role.TEACHER)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("teacher of a school")
        verbose_name_plural = _("teachers of a school")

    def __str__(self) -> str:
        return f"{self.user} – {self.school}"

    def has_other_admin(self) -> bool:
        """Whether the school has another admin who can sign in."""
        admins = Membership.objects.filter(
            school=self.school_id, role=self.Role.ADMIN, user__is_active=True
        )
        return admins.exclude(pk=self.pk).exists()


class NewYear(models.Model):
    """A new school year that several classes began together: classes of `school`, or of one teacher
    if it is None. For the undo, `classes` has each class's id, its old and new names, and when it
    was archived, "" if it was not."""

    school = models.OneToOneField(
        School, on_delete=models.CASCADE, null=True, related_name="new_year"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_years"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    classes = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("new school year")
        verbose_name_plural = _("new school years")
        constraints = (
            models.UniqueConstraint(
                "user", condition=models.Q(school=None), name="new_year_once_per_teacher"
            ),
        )

    def __str__(self) -> str:
        return f"{self.school or self.user}, {self.at:%Y-%m-%d}"


class KeptAct(models.Model):
    """An act of an adult, with the data to undo it (`classrooms.undo`)."""

    key = models.CharField(max_length=40, primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="kept_acts"
    )
    school_class = models.ForeignKey(
        "classrooms.SchoolClass", on_delete=models.CASCADE, null=True, related_name="kept_acts"
    )
    """The class in the address of the undo, if it has one."""
    kind = models.CharField(max_length=40)
    at = models.DateTimeField(default=timezone.now, editable=False)
    back = models.CharField(max_length=200)
    """The page to show after the undo."""
    data = models.JSONField(default=dict, editable=False)
    """What the undo of this kind of act needs."""

    class Meta:
        ordering = ("-at", "key")

    def __str__(self) -> str:
        return f"{self.kind}, {self.at:%Y-%m-%d %H:%M}"


# What remains of an erased child, class or account.


class Tombstone(models.Model):
    """An erased child, class or account. The key is computed from its id with a secret of the site.
    Only the site can therefore tell that an id, for example in a backup, was erased."""

    key = models.UUIDField(unique=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")
        ordering = ("-at",)
