"""The evidence in the logs, and how far they were read."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from classrooms.checks.models import Sitting
from classrooms.models import Assignment, Child, SchoolClass
from games.models import Game


class ProgressLock(models.Model):
    """Locked while a child's evidence and counts are written, so that workers take turns.

    `stale`: games, answers or a class that the counts came from have been erased since.
    """

    child = models.OneToOneField(
        Child, on_delete=models.CASCADE, primary_key=True, related_name="progress_lock"
    )
    stale = models.BooleanField(default=False, db_index=True)

    def __str__(self) -> str:
        return str(self.child_id)


class GameEvidence(models.Model):
    """How far the evidence of a game goes. The game is dirty when its log goes further.

    `problem`: the code with which the rules refused the log, which should never happen.
    """

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="evidence_mark"
    )
    upto_entry = models.PositiveIntegerField()
    upto_at = models.DateTimeField()
    problem = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name_plural = _("game evidence")

    def __str__(self) -> str:
        return f"{self.game_id} up to {self.upto_entry}"


class SittingEvidence(models.Model):
    """How many answered questions of a sitting are counted. The sitting is dirty when more are
    answered."""

    sitting = models.OneToOneField(
        Sitting, on_delete=models.CASCADE, primary_key=True, related_name="evidence_mark"
    )
    upto = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = _("sitting evidence")

    def __str__(self) -> str:
        return f"{self.sitting_id} up to {self.upto}"


class Shown(models.Model):
    """Something that the log of a game shows about its child. Class and day are those of the play,
    by the class's clock; `entry`: the entry of the log that ended the turn or round."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    round = models.PositiveSmallIntegerField()
    turn = models.PositiveSmallIntegerField()
    entry = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        abstract = True


class Played(Shown):
    """A turn or a round that the child has ended; `turn` is 0 for a round."""

    class What(models.TextChoices):
        TURN = "turn", _("turn")
        ROUND = "round", _("round")

    what = models.CharField(max_length=5, choices=What.choices)
    hints_asked = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = _("played")
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("child", "day"))]

    def __str__(self) -> str:
        return f"{self.what} {self.round}.{self.turn}"


class Evidence(Shown):
    """A row found, missed or tried. `table`: the times table of its step, 0 if it is in none."""

    class Kind(models.TextChoices):
        FOUND = "found", _("found")
        MISSED = "missed", _("missed")
        TRIED = "tried", _("tried")

    table = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind.choices)
    hint_step = models.PositiveSmallIntegerField(default=0)
    row = models.TextField()
    numbers = models.JSONField()

    class Meta:
        verbose_name_plural = _("evidence")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=("child", "day", "table")),
            models.Index(fields=("child", "table", "at")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.row}"
