"""Who is in the school and what they are asked to play.

Adults are `User`s; children are not. A child is a name, a class and three pictures.
"""

import uuid
from datetime import date
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.bots import companion
from games.engine.ruleset import Ruleset, edition

from .secrets import CODE_LENGTH, encrypt_pictures, new_code, new_pictures


class UserManager(BaseUserManager["User"]):
    """Makes adults by e-mail address, which is kept in small letters."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """An adult: a teacher, or the operator of the site."""

    email = models.EmailField(_("e-mail address"), unique=True)
    is_staff = models.BooleanField(_("may use the admin site"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = (models.UniqueConstraint(Lower("email"), name="user_email_once"),)

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()


class SchoolClass(models.Model):
    """A class of a school, reached by children with its code."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=60)
    code = models.CharField(_("class code"), max_length=CODE_LENGTH, unique=True, default=new_code)
    language = models.CharField(_("language of the children"), max_length=8, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="Europe/Amsterdam")
    teachers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Teaching", related_name="classes"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name

    @property
    def spaced_code(self) -> str:
        """The code as people read it out: two groups of four."""
        half = CODE_LENGTH // 2
        return f"{self.code[:half]} {self.code[half:]}"

    def today(self) -> date:
        return timezone.now().astimezone(ZoneInfo(self.time_zone)).date()


class Teaching(models.Model):
    """Who teaches which class."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        CO_TEACHER = "co-teacher", _("co-teacher")

    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="teachings"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="teachings"
    )
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.OWNER)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("school_class", "user"), name="teaching_once"),
        )

    def __str__(self) -> str:
        return f"{self.user} – {self.school_class}"


def _encrypted_new_pictures() -> str:
    return encrypt_pictures(new_pictures())


class Child(models.Model):
    """A child of one class. `player` is all that `games` knows of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="children")
    name = models.CharField(_("name"), max_length=40)
    player = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    pictures_encrypted = models.TextField(default=_encrypted_new_pictures, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("child")
        verbose_name_plural = _("children")
        ordering = (Lower("name"),)
        constraints = (
            models.UniqueConstraint("school_class", Lower("name"), name="child_name_once"),
        )

    def __str__(self) -> str:
        return self.name


class ChildSession(models.Model):
    """A child signed in on one device. The token itself is only in that device's cookie."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="sessions")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ends_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("ends_at",)),)

    def __str__(self) -> str:
        return f"{self.child} {self.created_at:%Y-%m-%d %H:%M}"


class KnownDevice(models.Model):
    """A device on which this child has signed in before, as the hash of its random id."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="known_devices")
    device_hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("child", "device_hash"), name="known_device_once"),
        )

    def __str__(self) -> str:
        return f"{self.child} {self.device_hash[:8]}"


class WrongTries(models.Model):
    """Wrong pictures for a child on one day: of one known device, or of all strange ones."""

    STRANGE = ""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="wrong_tries")
    device_hash = models.CharField(max_length=64, blank=True, default=STRANGE)
    day = models.DateField()
    count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = _("wrong tries")
        constraints = (
            models.UniqueConstraint(
                fields=("child", "device_hash", "day"), name="wrong_tries_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.child} {self.day} {self.count}"


class LookedUp(models.Model):
    """An adult saw a child's three pictures."""

    class Where(models.TextChoices):
        CHILD = "child", _("the child's page")
        CARDS = "cards", _("login cards")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="looked_up",
    )
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="looked_up")
    where = models.CharField(max_length=8, choices=Where.choices)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("look at pictures")
        verbose_name_plural = _("looks at pictures")
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.user} {self.child} {self.at:%Y-%m-%d %H:%M}"


class Assignment(models.Model):
    """A game that a class is asked to play. `bot`: a level of `games.bots.registry` by its name,
    or the companion, at the strength that suits each child. `rounds`: null for a match to the
    target in `options`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="assignments"
    )
    edition = models.CharField(max_length=20, default="simplified")
    options = models.JSONField(default=dict)
    bots = models.PositiveSmallIntegerField(_("number of bots"), default=1)
    bot = models.CharField(_("bot"), max_length=20, default=companion.NAME)
    kind = models.BooleanField(_("kind deals"), default=True)
    hint_steps = models.PositiveSmallIntegerField(_("hint steps"), default=4)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=3, null=True, blank=True)
    due_on = models.DateField(_("to be done by"), null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.edition} {self.options}"

    @property
    def ruleset(self) -> Ruleset:
        """What the engine plays by. Raises `RulesetError` where the options contradict."""
        return edition(self.edition, **self.options, rounds=self.rounds)


class Attempt(models.Model):
    """One match that a child started for an assignment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="attempts")
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="attempts")
    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="attempt")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("created_at",)
        indexes = (models.Index(fields=("child", "assignment")),)

    def __str__(self) -> str:
        return f"{self.child} {self.created_at:%Y-%m-%d %H:%M}"
