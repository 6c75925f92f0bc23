"""Check-ups of a class, and each child's answers. Rows of `CheckUpAnswer` are never changed."""

import uuid
from datetime import date

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child, SchoolClass


class CheckUp(models.Model):
    """A check-up given to a class. Children can do it from `opens_on` to `closes_on`, days in the
    time zone of the class. If it is `timed`, they get 6 seconds for each question, except children
    who are always untimed."""

    class Term(models.TextChoices):
        START = "start", _("Start of the year")
        MIDDLE = "middle", _("Middle of the year")
        END = "end", _("End of the year")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="check_ups"
    )
    number = models.PositiveSmallIntegerField()  # its place in the class, from 0; gives the facts
    tables = models.JSONField()  # from low to high
    timed = models.BooleanField(default=False)
    term = models.CharField(max_length=6, choices=Term.choices, blank=True)
    opens_on = models.DateField()
    closes_on = models.DateField(null=True)
    closed_at = models.DateTimeField(null=True)  # when the teacher closed it
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("check-up")
        verbose_name_plural = _("check-ups")
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("school_class", "number"), name="check_up_number_once"),
        )

    def is_open(self, today: date) -> bool:
        return not self.is_over(today) and self.opens_on <= today

    def is_over(self, today: date) -> bool:
        return self.closed_at is not None or (self.closes_on is not None and self.closes_on < today)


class ChildCheckUp(models.Model):
    """A child's progress in a check-up."""

    check_up = models.ForeignKey(CheckUp, on_delete=models.CASCADE, related_name="of_children")
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="check_ups")
    questions = models.JSONField()  # the two factors of each question, as shown
    timed = models.BooleanField()  # whether this child has a time limit in it
    done = models.PositiveSmallIntegerField(default=0)  # how many questions are answered
    asked_at = models.DateTimeField(null=True)  # when the current question was last shown
    shown = models.PositiveSmallIntegerField(default=0)  # how often the current question was shown
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("child’s check-up")
        verbose_name_plural = _("children’s check-ups")
        constraints = (
            models.UniqueConstraint(fields=("check_up", "child"), name="check_up_once_a_child"),
        )


class CheckUpAnswer(models.Model):
    """An answer to `first` × `second` as shown. `answer` is None if the child typed nothing in time
    or said that they do not know."""

    child_check_up = models.ForeignKey(
        ChildCheckUp, on_delete=models.CASCADE, related_name="answers"
    )
    number = models.PositiveSmallIntegerField()
    first = models.PositiveSmallIntegerField()
    second = models.PositiveSmallIntegerField()
    answer = models.PositiveIntegerField(null=True)
    right = models.BooleanField()  # whether the answer is right, and in time if there is a limit
    ms = models.PositiveIntegerField(null=True)  # as the page measured it; None without a limit
    shown = models.PositiveSmallIntegerField(default=1)  # how often the question was shown
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("answer of a check-up")
        verbose_name_plural = _("answers of check-ups")
        ordering = ("child_check_up", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("child_check_up", "number"), name="check_up_answer_once"
            ),
        )
