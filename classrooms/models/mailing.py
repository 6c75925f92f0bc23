"""Weekly mails: the state of each mail, by week, teacher and class."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .classes import Teaching


class WeeklyMail(models.Model):
    """One mail to one teacher about one class and week, stored before it is sent.

    `week`: the day on which it was due, in the class's time zone. `at`: when its state began; for a
    due mail, the earliest time of the next try. `failed_at` and `problem`: of the last failed try;
    no address and no server response is stored.
    """

    class State(models.TextChoices):
        DUE = "due", _("due")
        MAKING = "making", _("being made")
        HANDED = "handed", _("passed to the mail server")
        SENT = "sent", _("sent")
        SILENT = "silent", _("nothing to report")
        FAILED = "failed", _("failed")

    class Problem(models.TextChoices):
        REFUSED = "refused", _("the mail was refused")
        UNREACHED = "unreached", _("the mail server did not answer as it should")

    teaching = models.ForeignKey(Teaching, on_delete=models.CASCADE, related_name="weekly_mails")
    week = models.DateField(_("week"))
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.DUE)
    at = models.DateTimeField(_("at"), default=timezone.now)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    failed_at = models.DateTimeField(_("failed at"), null=True)
    problem = models.CharField(_("problem"), max_length=9, choices=Problem.choices, blank=True)

    class Meta:
        verbose_name = _("weekly mail")
        verbose_name_plural = _("weekly mails")
        ordering = ("-week", "-pk")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("teaching", "week"), name="weekly_mail_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("failed_at",))]

    def __str__(self) -> str:
        return f"{self.week} {self.state} {self.teaching_id}"
