"""What teachers asked to be made, how far it is, and the file itself."""

import uuid
from datetime import timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child, SchoolClass

KEPT: Final = timedelta(days=7)
"""So long a file waits to be fetched, from when it is ready."""


class Download(models.Model):
    """A file that a teacher asked for, for all who teach the class.

    `kind`: one of `classrooms.downloads.kinds`. `child`: whom it is of, null for the whole class;
    `children`: all of whom the file tells something, as of when it was asked for and then as of
    when it was begun: with one of them it goes. `options`: what else the maker of the kind is told.
    `done` of `total` steps are behind the maker, 0 of 0 as long as it has told nothing. `claim`:
    the try that may write, and `alive_at` its last sign of life; `tries` were begun. `content`: the
    file, in the database because that is all that the machines share; encrypted where the kind is
    secret.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("not made")

    class Problem(models.TextChoices):
        ERROR = "error", _("Something went wrong. It is not your fault; the operator can see it.")
        TOO_LONG = "too long", _("It took too long. Try again when fewer people are playing.")
        TOO_LARGE = "too large", _("It became too large. Take the children one by one.")
        LETTERS = "letters", _("The PDF has no letters for some of these names.")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="downloads"
    )
    child = models.ForeignKey(
        Child, on_delete=models.CASCADE, null=True, blank=True, related_name="own_downloads"
    )
    children = models.ManyToManyField(Child, related_name="downloads")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=30)
    language = models.CharField(max_length=8)
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    problem = models.CharField(max_length=9, choices=Problem.choices, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True)
    alive_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField()
    size = models.PositiveIntegerField(default=0)
    content = models.BinaryField(null=True, editable=False)

    class Meta:
        verbose_name = _("download")
        verbose_name_plural = _("downloads")
        ordering = ("-asked_at", "-pk")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=("state", "asked_at")),
            models.Index(fields=("ends_at",)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.WORKING)

    @property
    def percent(self) -> int:
        """How far the maker is, 0 to 100."""
        return min(100, 100 * self.done // self.total) if self.total else 0


class HeavyWork(models.Model):
    """A teacher asked for something that costs much. Kept for a day, to be counted."""

    class Kind(models.TextChoices):
        PAPER = "paper", _("a PDF")
        EXPORT = "export", _("a table")
        IMPORT = "import", _("names from a file")
        JOB = "job", _("a download")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="heavy_work"
    )
    kind = models.CharField(max_length=6, choices=Kind.choices)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=("user", "kind", "at")),
            models.Index(fields=("at",)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.at:%Y-%m-%d %H:%M}"
