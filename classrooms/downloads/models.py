"""The files that teachers requested, with their progress and content."""

import uuid
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child, SchoolClass

FILE_KEPT_FOR: Final = timedelta(days=7)
"""How long a file is kept once it is ready."""


class Download(models.Model):
    """A file that a teacher requested, for everybody who teaches the class.

    `done` of `total` steps are finished; both are 0 before the first report. The file is kept in
    the database, because the machines share nothing else. It is encrypted if its kind is secret.
    `children` are all who have data in it, set on request and again when the work starts; when one
    of them is deleted, so is the file.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("not made")

    class Problem(models.TextChoices):
        ERROR = "error", _("Something went wrong. It is not your fault; the operator can see it.")
        TOO_LONG = "too long", _("It took too long. Try again when fewer people are playing.")
        TOO_LARGE = (
            "too large",
            _("The file became too large. Download the children’s files one at a time."),
        )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="downloads"
    )
    child = models.ForeignKey(
        Child, on_delete=models.CASCADE, null=True, blank=True, related_name="own_downloads"
    )  # the child whom the file is about; None for a whole class
    children = models.ManyToManyField(Child, related_name="downloads")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=30)  # the name of a `FileKind`
    language = models.CharField(max_length=8)
    options = models.JSONField(default=dict)  # further input of the maker
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    problem = models.CharField(max_length=9, choices=Problem.choices, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)  # the number of tries so far
    claim = models.UUIDField(null=True)  # the try that may store the file
    alive_at = models.DateTimeField(null=True)  # the last progress report of the try with the claim
    asked_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField()
    size = models.PositiveIntegerField(default=0)
    content = models.BinaryField(null=True, editable=False)  # the file

    class Meta:
        verbose_name = _("download")
        verbose_name_plural = _("downloads")
        ordering = ("-asked_at", "-pk")
        indexes = (models.Index(fields=("state", "asked_at")), models.Index(fields=("ends_at",)))

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.WORKING)

    @property
    def percent(self) -> int:
        """Progress from 0 to 100."""
        return min(100, 100 * self.done // self.total) if self.total else 0


class HeavyWork(models.Model):
    """A teacher's request for expensive work. It is kept for a day, because limits count it."""

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
        indexes = (models.Index(fields=("user", "kind", "at")), models.Index(fields=("at",)))

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.at:%Y-%m-%d %H:%M}"
