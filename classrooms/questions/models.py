"""The log of short questions. Rows of `Check` and `Typed` are never changed."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment, Child, SchoolClass
from games.coach.questions.recall import FactAnswer
from games.models import Game


class Sitting(models.Model):
    """A few questions that a child gets after a round of a game. The answers outlive the game."""

    game = models.ForeignKey(Game, on_delete=models.SET_NULL, null=True, related_name="+")
    round = models.PositiveSmallIntegerField()
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    questions = models.JSONField()
    """A list of [kind, numbers, earlier] (`Question` of `games.coach.questions.short_questions`).
    Questions stored long ago lack `earlier`."""
    done = models.PositiveSmallIntegerField(default=0)
    """How many questions are answered."""
    asked_at = models.DateTimeField(null=True)
    """When the current question was first shown."""
    helped = models.BooleanField(default=False)
    """Whether the current question was shown with help."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True)
    """When the child answered the last question or skipped the rest."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "round", "child"), name="sitting_once"),
        )


class Check(models.Model):
    """A child's answer to a question. A question about a fact has its factors, `first` × `second`
    as shown. A question about a row has its `numbers` and their `step`."""

    class Kind(models.TextChoices):
        FACT = "fact", _("fact")
        TABLE = "table", _("table of a row")

    class How(models.TextChoices):
        RECALLED = "recalled", _("recalled")
        DERIVED = "derived", _("derived")
        HINTED = "hinted", _("with a hint")
        GUESSED = "guessed", _("not known")

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="checks")
    number = models.PositiveSmallIntegerField()
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="quick_checks")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=5, choices=Kind.choices)
    first = models.PositiveSmallIntegerField(null=True)
    second = models.PositiveSmallIntegerField(null=True)
    numbers = models.JSONField(default=list)
    step = models.PositiveSmallIntegerField(null=True)
    answer = models.PositiveIntegerField()
    right = models.BooleanField()
    ms = models.PositiveIntegerField(null=True)
    """The time from the question to the answer; None if it was not measured or is not plausible."""
    net_ms = models.PositiveIntegerField(null=True)
    """`ms` without the time that the child needs for typing; None if either is unknown."""
    timed = models.BooleanField(default=True)
    """Whether the child was timed."""
    how = models.CharField(max_length=8, choices=How.choices)
    """How the child found the answer (`games.coach.questions.short_questions.answer_kind`)."""
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(default=timezone.now)
    day = models.DateField()
    """In the time zone of the class."""

    class Meta:
        ordering = ("answered_at", "id")
        indexes = (
            models.Index(fields=("child", "day")),
            models.Index(fields=("school_class", "day")),
        )
        constraints = (models.UniqueConstraint(fields=("sitting", "number"), name="check_once"),)

    def fact_answer(self) -> FactAnswer:
        """The answer to a fact, as `games.coach.questions.recall` reads it."""
        assert self.first is not None
        assert self.second is not None
        return FactAnswer(
            (self.first, self.second),
            self.right,
            self.day.toordinal(),
            has_help=self.how == self.How.HINTED,
            net_ms=self.net_ms,
            is_timed=self.timed,
        )


class Typed(models.Model):
    """The digits of a number that a child had to type, and the time that it took. It shows how fast
    the child types."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    digits = models.PositiveSmallIntegerField()
    ms = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        verbose_name_plural = _("typed")
