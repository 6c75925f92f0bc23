"""What stays of a child that was erased."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Tombstone(models.Model):
    """A child that was erased, by a key that only this site's secret makes of its id: whoever has
    the id, from a copy of the database, can find out that it was erased, and nobody else."""

    key = models.UUIDField(unique=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d} {self.key}"
