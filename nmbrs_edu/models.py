"""What the site records about its own work, for the operator's page and for `/metrics`."""

from datetime import datetime

from django.db import models
from django.utils import timezone


class Upkeep(models.Model):
    """When a part of the site last did its work, and whether it succeeded."""

    part = models.CharField(max_length=40, unique=True)
    at = models.DateTimeField()
    went_well_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=80, blank=True)


class Counted(models.Model):
    """How often something has happened since the site was installed, in all processes together."""

    what = models.CharField(max_length=20)
    kind = models.CharField(max_length=80, blank=True)
    status = models.CharField(max_length=10, blank=True)
    number = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["what", "kind", "status"], name="counted_once")
        ]


BACKUP = "backup"
CHECKED_BACKUP = "check of a backup"
ERASURES = "erasures beside the backups"
BEAT = "beat"


def queue_part(queue: str) -> str:
    """The name in `Upkeep` of the worker of a queue."""
    return f"queue {queue}"


def record_success(part: str, now: datetime | None = None) -> None:
    now = now or timezone.now()
    values = {"at": now, "went_well_at": now, "problem": ""}
    Upkeep.objects.update_or_create(part=part, defaults=values)


def record_failure(part: str, problem: str, now: datetime | None = None) -> None:
    values = {"at": now or timezone.now(), "problem": problem[:80]}
    Upkeep.objects.update_or_create(part=part, defaults=values)
