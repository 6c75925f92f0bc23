"""What remains of an erased child, class or account."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Tombstone(models.Model):
    """An erased child, class or account, by a key computed from its id with this site's secret.
    Given the id, for example from a backup, the site can tell that it was erased; nobody else
    can."""

    key = models.UUIDField(unique=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d} {self.key}"
