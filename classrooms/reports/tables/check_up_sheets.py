"""Sheets of check-ups: those that the class was given, and each answer."""

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from classrooms.checkups.models import CheckUp, CheckUpAnswer
from classrooms.models import Child, SchoolClass
from classrooms.reports.tables.table_file import (
    ExportColumn,
    ExportRow,
    ExportSheet,
)


def _check_ups(school_class: SchoolClass) -> Iterator[ExportRow]:
    fields = [field.attname for field in CheckUp._meta.concrete_fields]
    for check_up in school_class.check_ups.order_by("number"):
        yield {name: getattr(check_up, name) for name in fields}


def _answers(school_class: SchoolClass, child: Child) -> QuerySet[CheckUpAnswer]:
    return CheckUpAnswer.objects.filter(
        child_check_up__child=child, child_check_up__check_up__school_class=school_class
    ).order_by("child_check_up__check_up__number", "number")


CHECK_UP_SHEETS: Final = (
    ExportSheet(
        "check_ups",
        "The check-ups that the class was given.",
        (
            ExportColumn("check_up", "id", _("the check-up, in all files"), "id"),
            ExportColumn("given_at", "moment", _("when it was given"), "created_at"),
            ExportColumn("term", "text", _("start, middle or end of the year; empty for none")),
            ExportColumn("tables", "numbers", _("the times tables of its questions")),
            ExportColumn("timed", "yes/no", _("whether questions have a 6-second limit")),
            ExportColumn("opens_on", "day", _("the first day on which it could be done")),
            ExportColumn("closes_on", "day", _("the last day on which it could be done")),
            ExportColumn("closed_at", "moment", _("when it was closed by hand")),
        ),
        of_class=_check_ups,
    ),
    ExportSheet(
        "check_up_answers",
        "Each question of a check-up that a child answered.",
        (
            ExportColumn("child", "id", _("the child"), "child_check_up__child"),
            ExportColumn("check_up", "id", _("the check-up"), "child_check_up__check_up"),
            ExportColumn("question", "number", _("the number of the question, from 0"), "number"),
            ExportColumn("answered_at", "moment", _("when it was answered")),
            ExportColumn("first", "number", _("the first factor, as shown")),
            ExportColumn("second", "number", _("the second factor, as shown")),
            ExportColumn("answer", "number", _("what the child answered; empty for no answer")),
            ExportColumn("right", "yes/no", _("whether it is right and, if timed, given in time")),
            ExportColumn(
                "timed",
                "yes/no",
                _("whether the child had a time limit in this check-up"),
                "child_check_up__timed",
            ),
            ExportColumn("ms", "number", _("milliseconds from question to answer; only if timed")),
            ExportColumn("shown", "number", _("how often the question was shown")),
        ),
        of_child=_answers,
    ),
)
