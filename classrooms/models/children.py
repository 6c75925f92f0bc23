"""The children of a class."""

import uuid
from collections.abc import Iterable
from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Greatest, Least, Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.child_names import LONGEST_PLAIN, plain_name
from classrooms.credentials import encrypt_pictures, new_pictures
from classrooms.models.classes import SchoolClass
from classrooms.models.name_order import LONGEST_ORDER, name_order


def encrypted_new_pictures() -> str:
    return encrypt_pictures(new_pictures())


class PlainNameField(models.CharField):
    """The `plain_name` of the child's name, computed on every save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        name: str = model_instance.name  # type: ignore[attr-defined]  # Or a migration's child.
        plain = plain_name(name)
        setattr(model_instance, self.attname, plain)
        return plain


class NameOrderField(models.CharField):
    """The `name_order` of a child's or group's name in the language of the class, computed on every
    save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        instance: Any = model_instance
        order = name_order(instance.name, instance.school_class.language)
        setattr(instance, self.attname, order)
        return order


class PresentManager(models.Manager["Child"]):
    """The children who are not removed."""

    def get_queryset(self) -> models.QuerySet["Child"]:
        return super().get_queryset().filter(removed_at=None)


class Child(models.Model):
    """A child of one class. The fields from `gets_questions` to `hints` are settings of this child,
    in all assignments.

    A removed child is on no list and cannot sign in. They can be brought back until they are erased
    (`classrooms.privacy.erasure`). Only the manager `all_objects` includes removed children.
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
    """The child's id in `games`."""
    pictures_encrypted = models.TextField(default=encrypted_new_pictures, editable=False)
    former_pictures = models.TextField(blank=True, editable=False)
    pictures_renewal = models.UUIDField(null=True, blank=True, editable=False)
    last_game = models.ForeignKey(
        "games.Game",
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        db_column="at_table_id",
    )
    """The game that the child opened last."""
    looks_at_hand = False
    """Whether the class looks at a hand now (`lesson.hands`). Set only for the signed-in child."""
    is_paused = False
    """Whether the class is paused (`lesson.pause`). Set only for the signed-in child."""
    speed = models.CharField(max_length=8, choices=Speed.choices, default=Speed.NORMAL)
    """The speed at which the child sees the turns of others."""
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    """Empty until the child chooses one."""
    face = models.CharField(_("face"), max_length=40, blank=True, default="", editable=False)
    """How the child dressed their face (`games.screen.player_faces`)."""
    sounds = models.BooleanField(_("sounds"), null=True, default=None, editable=False)
    """What the child chose; None if the setting of the class applies (`hears_sounds`)."""
    gets_questions = models.BooleanField(_("short questions"), default=True, db_column="checks")
    is_untimed = models.BooleanField(_("untimed"), default=False, db_column="untimed")
    may_sit_at_tables = models.BooleanField(
        _("tables with classmates"), default=True, db_default=True, db_column="tables"
    )
    may_give_signs = models.BooleanField(
        _("signs at the tables"), default=True, db_default=True, db_column="signs"
    )
    has_larger_cards = models.BooleanField(_("larger cards"), default=False, db_column="larger")
    hints = models.CharField(
        _("hints"), max_length=4, choices=Hints, default=Hints.AS_ASSIGNED, blank=True
    )
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PresentManager()
    all_objects: ClassVar[models.Manager["Child"]] = models.Manager()

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
        """Whether the child's games make sounds. Never in a quiet class; otherwise as the child
        chose, or else as the class."""
        if self.school_class.is_quiet:
            return False
        return self.school_class.has_sounds if self.sounds is None else self.sounds


# Groups of children within a class.


class Group(models.Model):
    """A group of children of a class, to which a teacher can give assignments. A removed group can
    no longer be chosen, but its children keep its assignments."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("name"), max_length=40)
    name_order = NameOrderField(max_length=LONGEST_ORDER, default="", editable=False)
    children = models.ManyToManyField(Child, related_name="groups")
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        ordering = ("name_order", "name")
        constraints = (
            models.UniqueConstraint(
                "school_class",
                Lower("name"),
                condition=models.Q(removed_at=None),
                name="group_name_once",
            ),
        )

    def __str__(self) -> str:
        return self.name


def update_name_orders(school_class: SchoolClass) -> None:
    """Compute the `name_order` of the children and groups of a class whose language has changed."""
    children = list(Child.all_objects.filter(school_class=school_class))
    groups = list(Group.objects.filter(school_class=school_class))
    rows: list[Child | Group] = [*children, *groups]
    for row in rows:
        row.name_order = name_order(row.name, school_class.language)
    Child.all_objects.bulk_update(children, ("name_order",))
    Group.objects.bulk_update(groups, ("name_order",))


# Merges of children that can still be undone.


class Merge(models.Model):
    """A merge of `child` into `into`. The merged child is kept as a removed child as long as the
    merge can be undone."""

    child = models.OneToOneField(Child, on_delete=models.CASCADE, related_name="merge")
    into = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="merges")
    moved = models.JSONField(default=dict)  # by table, the keys of rows that now belong to `into`
    replaced = models.JSONField(default=list)  # the whole rows of `into` that these rows replaced
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ("-at",)
        constraints = (
            models.CheckConstraint(
                condition=~models.Q(child=models.F("into")), name="merged_into_another"
            ),
            models.UniqueConstraint(
                Least("child", "into"), Greatest("child", "into"), name="merged_one_way"
            ),
        )


# Children's sign-in: sessions, devices, wrong tries and QR codes.


class ChildSession(models.Model):
    """A sign-in of a child on one device. The token itself is only in the device's cookie."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="sessions")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ends_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("ends_at",)),)


class KnownDevice(models.Model):
    """A device on which this child has signed in before, by the hash of its random id."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="known_devices")
    device_hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("child", "device_hash"), name="known_device_once"),
        )


class WrongTries(models.Model):
    """The times of wrong pictures for a child, on one known device or on all strange ones."""

    STRANGE = ""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="wrong_tries")
    device_hash = models.CharField(max_length=64, blank=True, default=STRANGE)
    times = models.JSONField(default=list)
    """The Unix times of the wrong tries in the 24 hours before the last one."""

    class Meta:
        verbose_name_plural = _("wrong tries")
        constraints = (
            models.UniqueConstraint(fields=("child", "device_hash"), name="wrong_tries_once"),
        )


class WrongNames(models.Model):
    """The times at which somebody typed a name that no child of the class has. The names are not
    stored."""

    school_class = models.OneToOneField(
        SchoolClass, on_delete=models.CASCADE, related_name="wrong_names"
    )
    times = models.JSONField(default=list)
    """In seconds since 1970: of the 24 hours before the last try, at most the last 60."""

    class Meta:
        verbose_name_plural = _("wrong names")


class WrongCodes(models.Model):
    """The number of wrong class codes in one hour, on all strange devices together."""

    hour = models.DateTimeField(unique=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = _("wrong codes")


class QrCode(models.Model):
    """The QR code on a child's card. Its token is computed from `nonce`, the child's id and a key
    that is not in the database (`classrooms.credentials.qr_tokens`); only its hash is stored. The
    former nonce and hash are kept for a while, to undo a renewal."""

    child = models.OneToOneField(Child, on_delete=models.CASCADE, related_name="qr_code")
    nonce = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    former_nonce = models.CharField(max_length=32, blank=True)
    former_hash = models.CharField(max_length=64, blank=True)
    renewal = models.UUIDField(null=True, blank=True)  # the renewal that made this QR code
    issued_at = models.DateTimeField(default=timezone.now)
