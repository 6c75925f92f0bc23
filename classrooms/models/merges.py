"""Merges of children that can still be undone."""

from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .children import Child


class Merge(models.Model):
    """That `child` was merged into `into`. The merged child is kept as a removed one until the
    merge can no longer be undone. `moved`: by table, the keys of the rows that became those of
    `into`; `replaced`: its own rows that gave way to them, whole."""

    child = models.OneToOneField(Child, on_delete=models.CASCADE, related_name="merge")
    into = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="merges")
    moved = models.JSONField(default=dict)
    replaced = models.JSONField(default=list)
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

    def __str__(self) -> str:
        return f"{self.child_id} into {self.into_id}"
