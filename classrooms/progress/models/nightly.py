"""What the nightly comparison found to be wrong."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child
from games.models import Game


class Difference(models.Model):
    """A child whose stored progress was not what its logs make, or a game whose ledger was not
    what its log replays to: found by the nightly comparison, for the operator to see."""

    class What(models.TextChoices):
        PROGRESS = "progress", _("progress differs from a rebuild")
        LEDGER = "ledger", _("snapshot differs from the replay")

    what = models.CharField(max_length=8, choices=What.choices)
    child = models.ForeignKey(Child, on_delete=models.CASCADE, null=True, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, related_name="+")
    told = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)
        verbose_name = _("difference found at night")
        verbose_name_plural = _("differences found at night")

    def __str__(self) -> str:
        return f"{self.what} {self.at:%Y-%m-%d}"
