"""The counts of the evidence. A rebuild makes all of them again."""

from typing import ClassVar

from django.db import models

from classrooms.models import Assignment, Child, SchoolClass


class Counted(models.Model):
    """The chances of a times table by outcome (`Chance.Outcome`)."""

    at_once = models.PositiveIntegerField(default=0)
    later = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    tried = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    joker = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class TableDay(Counted):
    """Child × times table × day."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="table_days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    table = models.PositiveSmallIntegerField()
    day = models.DateField()
    last_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("school_class", "day"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=("child", "school_class", "table", "day"), name="table_day_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.table} {self.day}"


class FactDay(models.Model):
    """Child × fact × day: short questions of low × high, either order. The four ways of getting an
    answer add up to `asked`."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="fact_days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    low = models.PositiveSmallIntegerField()
    high = models.PositiveSmallIntegerField()
    day = models.DateField()
    asked = models.PositiveIntegerField(default=0)
    recalled = models.PositiveIntegerField(default=0)
    derived = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    guessed = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("school_class", "day"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=("child", "school_class", "low", "high", "day"), name="fact_day_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.low} × {self.high} {self.day}"


class ChildDay(models.Model):
    """Child × day: what was played. `hint_turns`: the turns in which a hint was asked; `tries`: the
    refused ones."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    rounds = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    hint_turns = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    checks = models.PositiveIntegerField(default=0)
    checks_right = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("school_class", "day"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("child", "school_class", "day"), name="child_day_once")
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.day}"


class ChildAssignment(Counted):
    """Child × assignment: what was played of it, and the chances. `tries`: the refused ones."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="assignment_counts")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="child_counts"
    )
    rounds = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    checks = models.PositiveIntegerField(default=0)
    checks_right = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("child", "assignment"), name="child_assignment_once")
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.assignment_id}"
