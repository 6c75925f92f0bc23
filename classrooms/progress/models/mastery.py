"""What the children can do, folded over the days of the counts."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child

from .counts import Counted


class TableMastery(Counted):
    """Child × times table, folded over all the child's days in all classes, with the counts of all
    chances so far.

    `known` is `games.coach.statements.table_levels.KnownTable` after the last `day`; `before` is
    the state without that day, so that each further game of the day costs no more than the first.
    `reached` is the level after that day, and since `reached_on` it was this or a better one;
    today's follows from `known`.
    """

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    table = models.PositiveSmallIntegerField()
    day = models.DateField()
    known = models.JSONField()
    before = models.JSONField()
    reached = models.CharField(max_length=8)
    reached_on = models.DateField()
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = _("table mastery")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("child", "table"), name="table_mastery_once")
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.table}: {self.reached}"


class FactMastery(models.Model):
    """Child × fact after all answers so far, as `games.coach.questions.recall.KnownFact`, with
    their counts.

    `stability`, `difficulty`, `day` and `due_on` are its memory, `day` that of the last answer;
    `ability`: the child's after that answer; `lately`: its last days. `reached`: how good the last
    answers were, and since `reached_on` they were this good or better. The level follows from
    these, the child's ability now and today's date: it is surely still `reached` up to the day
    `holds_until`, which is empty where the fact is neither secure nor fluent.
    """

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    low = models.PositiveSmallIntegerField()
    high = models.PositiveSmallIntegerField()
    stability = models.FloatField()
    difficulty = models.FloatField()
    day = models.DateField()
    due_on = models.DateField()
    ability = models.FloatField()
    lately = models.JSONField()
    reached = models.CharField(max_length=8)
    reached_on = models.DateField()
    holds_until = models.DateField(null=True)
    recalled = models.PositiveIntegerField(default=0)
    derived = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    guessed = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = _("fact mastery")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("child", "low", "high"), name="fact_mastery_once")
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.low} × {self.high}: {self.reached}"


class FactAbility(models.Model):
    """How able a child is at facts, as `games.coach.mastery.Ability`. `last_answer`: the key of the
    last answer that is in it, given at `last_at`."""

    child = models.OneToOneField(
        Child, on_delete=models.CASCADE, primary_key=True, related_name="fact_ability"
    )
    value = models.FloatField()
    answers = models.PositiveIntegerField()
    last_at = models.DateTimeField()
    last_answer = models.BigIntegerField()

    class Meta:
        verbose_name_plural = _("abilities at facts")

    def __str__(self) -> str:
        return f"{self.child_id}: {self.value}"
