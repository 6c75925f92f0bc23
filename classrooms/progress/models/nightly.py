"""What is wrong with progress: the differences that the nightly comparison found, and rebuilds that
failed."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child
from games.models import Game


class Difference(models.Model):
    """A child whose stored progress differed from a rebuild, or could not be rebuilt; or a game
    whose stored state differed from the replay of its log: for the operator to see. `told`: how it
    differed, or why the rebuild failed.
    """

    class What(models.TextChoices):
        PROGRESS = "progress", _("progress differs from a rebuild")
        LEDGER = "ledger", _("snapshot differs from the replay")
        REBUILD = "rebuild", _("rebuild failed")

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
