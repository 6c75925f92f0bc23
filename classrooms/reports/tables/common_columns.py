"""Columns that several files of the export have."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from classrooms.reports.tables.table_file import ExportColumn

CHILD: Final = ExportColumn("child", "id", _("the child"))
ASSIGNMENT: Final = ExportColumn("assignment", "id", _("the assignment"))
DAY: Final = ExportColumn("day", "day", _("the day in the class’s time zone"))
