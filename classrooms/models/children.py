"""The children of a class."""

import uuid
from collections.abc import Iterable
from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.child_names import LONGEST_PLAIN, plain_name
from classrooms.credentials.secrets import encrypt_pictures, new_pictures
from classrooms.models.name_order import LONGEST_ORDER, name_order

from .classes import SchoolClass


def encrypted_new_pictures() -> str:
    return encrypt_pictures(new_pictures())


class PlainNameField(models.CharField):
    """`plain_name` of the child's name, computed on every save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        name: str = model_instance.name  # type: ignore[attr-defined]  # Or a migration's child.
        plain = plain_name(name)
        setattr(model_instance, self.attname, plain)
        return plain


class NameOrderField(models.CharField):
    """`name_order` of the name of a child or a group in the language of its class, computed on
    every save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        named: Any = model_instance
        order = name_order(named.name, named.school_class.language)
        setattr(named, self.attname, order)
        return order


class Present(models.Manager["Child"]):
    """The children that have not been removed."""

    def get_queryset(self) -> models.QuerySet["Child"]:
        return super().get_queryset().filter(removed_at=None)


class Child(models.Model):
    """A child of one class. `player`: the id by which `games` knows the child; `at_table`: the game
    it last opened; `speed`: how fast it sees the others' turns; `language`: empty until it chooses
    one; `face`: as it dressed it (`games.screen.pictures.player_faces`). `sounds`: whether it
    turned them on or off; None for what its class has (`hears_sounds`). `checks` to `hints`:
    settings for this child alone, whatever is assigned.

    A removed child is on no list and cannot sign in. It can be brought back until it is erased
    (`classrooms.privacy.erasure`). Only the manager `everyone` includes removed children.
    """

    class Speed(models.TextChoices):
        SLOW = "slow", _("slow")
        NORMAL = "normal", _("normal")
        AT_ONCE = "at-once", _("at once")

    class Hints(models.TextChoices):
        AS_ASSIGNED = "", _("as assigned")
        ALL = "all", _("all hints")
        NONE = "none", _("never")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="children")
    name = models.CharField(_("name"), max_length=40)
    plain_name = PlainNameField(max_length=LONGEST_PLAIN, default="", editable=False)
    name_order = NameOrderField(max_length=LONGEST_ORDER, default="", editable=False)
    player = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    pictures_encrypted = models.TextField(default=encrypted_new_pictures, editable=False)
    former_pictures = models.TextField(blank=True, editable=False)
    pictures_renewal = models.UUIDField(null=True, blank=True, editable=False)
    at_table = models.ForeignKey(
        "games.Game", on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )
    speed = models.CharField(max_length=8, choices=Speed.choices, default=Speed.NORMAL)
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    face = models.CharField(_("face"), max_length=40, blank=True, default="", editable=False)
    sounds = models.BooleanField(_("sounds"), null=True, default=None, editable=False)
    checks = models.BooleanField(_("short questions"), default=True)
    untimed = models.BooleanField(_("untimed"), default=False)
    larger = models.BooleanField(_("larger cards"), default=False)
    hints = models.CharField(
        _("hints"), max_length=4, choices=Hints, default=Hints.AS_ASSIGNED, blank=True
    )
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = Present()
    everyone: ClassVar[models.Manager["Child"]] = models.Manager()

    class Meta:
        verbose_name = _("child")
        verbose_name_plural = _("children")
        ordering = ("name_order", "name")
        constraints = (
            models.UniqueConstraint(
                "school_class",
                Lower("name"),
                condition=models.Q(removed_at=None),
                name="child_name_once",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        if update_fields is not None:
            update_fields = set(update_fields)
            if "name" in update_fields:
                update_fields.add("plain_name")
            if update_fields & {"name", "school_class"}:
                update_fields.add("name_order")
        super().save(update_fields=update_fields, **options)

    @property
    def hears_sounds(self) -> bool:
        """Whether its games make sounds: as the child chose, or else as its class has it; never in
        a quiet class."""
        if self.school_class.quiet:
            return False
        return self.school_class.sounds if self.sounds is None else self.sounds
