"""Servers from which the site reads schools' lists of names each night, by OneRoster 1.2."""

from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models.adults import School
from classrooms.models.children import Child
from classrooms.models.classes import SchoolClass


class Connection(NamedTuple):
    """Where a source is, and which client reads which school there."""

    address: str
    token_address: str
    client_id: str
    org: str


class RosterSource(models.Model):
    """The OneRoster server of a school, and the result of the last reading. The secret is encrypted
    with the first key of `PICTURES_KEY`, and no page shows it again."""

    class Problem(models.TextChoices):
        UNREACHED = "unreached", _("The address does not answer.")
        ADDRESS = "address", _("This is not an https address.")
        NOT_PUBLIC = "not public", _("The address is not on the public internet.")
        CERTIFICATE = "certificate", _("The certificate of the address is not valid.")
        ELSEWHERE = "elsewhere", _("The address leads to another one. Enter the new address.")
        REFUSED = "refused", _("The client ID or the secret was refused.")
        MISSING = "missing", _("There are no lists at this address.")
        BUSY = "busy", _("The source is busy and has asked us to wait.")
        DOWN = "down", _("The source reports an error of its own.")
        SLOW = "slow", _("The source takes too long.")
        TOO_LARGE = "too large", _("The source sends too much. Enter the ID of your school there.")
        CUT_OFF = "cut off", _("The list broke off before its end.")
        UNREADABLE = "unreadable", _("What the source sends is not OneRoster 1.2.")
        PAGES = "pages", _("The source sends the same page again and again.")
        NOBODY = "nobody", _("The source lists nobody. No child was removed.")
        SECRET = "secret", _("The secret cannot be read any more. Enter it again.")

    school = models.OneToOneField(School, on_delete=models.CASCADE, related_name="roster_source")
    address = models.CharField(_("address"), max_length=300)
    token_address = models.CharField(_("address for the token"), max_length=300)
    client_id = models.CharField(_("client ID"), max_length=200)
    secret_encrypted = models.TextField(editable=False)
    org = models.CharField(_("ID of the school at the source"), max_length=255, blank=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    tried_at = models.DateTimeField(null=True, editable=False)
    reached_at = models.DateTimeField(null=True, editable=False)
    """When the last reading that succeeded ended."""
    read_all_at = models.DateTimeField(null=True, editable=False)
    """When everything, and not only changes, was last read. None if the next reading must read
    everything."""
    read_all_on = models.DateField(null=True, editable=False)
    """The next day on which somebody's time in a class begins or ends. This changes no record at
    the source, so everything is read on that day."""
    changed_since = models.DateTimeField(null=True, editable=False)
    """The latest change that was read, by the source's clock."""
    not_before = models.DateTimeField(null=True, editable=False)
    """Until when the source has asked us to wait."""
    problem = models.CharField(max_length=12, choices=Problem, blank=True, editable=False)

    class Meta:
        verbose_name = _("source of lists")
        verbose_name_plural = _("sources of lists")

    def __str__(self) -> str:
        return f"{self.school}"

    @property
    def connection(self) -> Connection:
        return Connection(self.address, self.token_address, self.client_id, self.org)


class SourceClass(models.Model):
    """A class at the source, and the class of the site to which it is linked. Of ids at the source,
    those of pupils too, only a keyed hash is kept."""

    source = models.ForeignKey(RosterSource, on_delete=models.CASCADE, related_name="classes")
    key_hash = models.CharField(max_length=64)
    title = models.CharField(_("name"), max_length=80)
    is_here = models.BooleanField(default=True)
    """Whether the source still has the class."""
    is_empty = models.BooleanField(default=False)
    """Whether the source now lists nobody in the class, although it did before. The pupils then
    stay as they were."""
    school_class = models.OneToOneField(
        SchoolClass, on_delete=models.SET_NULL, null=True, related_name="source_class"
    )
    agreed_at = models.DateTimeField(null=True, editable=False)
    """When somebody first looked through the changes of the class. Before that, the site changes
    nothing without an answer."""

    class Meta:
        verbose_name = _("class at a source")
        verbose_name_plural = _("classes at a source")
        ordering = ("title", "pk")
        constraints = (
            models.UniqueConstraint(fields=("source", "key_hash"), name="source_class_once"),
        )

    def __str__(self) -> str:
        return self.title


class SourcePupil(models.Model):
    """A pupil of a linked class, as the source lists them, and the child of the site who they are.

    `known_name` is the given name at the source when the child's name was last compared with it.
    When the child is erased, only the keyed hash and `is_left_out` remain, so that nobody adds the
    child again.
    """

    source_class = models.ForeignKey(SourceClass, on_delete=models.CASCADE, related_name="pupils")
    key_hash = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)
    family = models.CharField(max_length=200, blank=True)
    known_name = models.CharField(max_length=200, blank=True)
    child = models.ForeignKey(
        Child, on_delete=models.SET_NULL, null=True, related_name="source_pupils"
    )
    is_here = models.BooleanField(default=True)
    """Whether the source still lists the pupil in the class."""
    is_left_out = models.BooleanField(default=False)
    """Whether somebody has decided that the pupil is not in the class."""

    class Meta:
        verbose_name = _("pupil at a source")
        verbose_name_plural = _("pupils at a source")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("source_class", "key_hash"), name="source_pupil_once"),
        )

    def __str__(self) -> str:
        return f"{self.source_class}, {self.key_hash[:8]}"
