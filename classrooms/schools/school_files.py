"""All data of a school in one zip: the tables of each class, which workers make class by class, and
the lists of classes and teachers."""

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Final

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from classrooms.access import classes_in
from classrooms.audit import What, audit
from classrooms.downloads import services as downloads
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.models import Download
from classrooms.models import Child, School, SchoolClass, User
from classrooms.progress.periods import USUAL_PERIOD, with_period
from classrooms.schools.services import class_lines, members_of
from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, Cell, csv_text

KIND: Final = "class-tables"


@dataclass(frozen=True, slots=True)
class ClassFile:
    """A class of the school, and its file without the `content`; None if it was not requested."""

    school_class: SchoolClass
    file: Download | None

    @property
    def is_ready(self) -> bool:
        return self.file is not None and self.file.state == Download.State.READY


def request_files(school: School, by: User, reason: str) -> Sequence[Download]:
    """Request the tables of every class. Raises `TooManyOfClass` and `TooOften`; then none is
    requested."""
    options = {"school": str(school.pk)}
    language = get_language() or "en"
    return downloads.request_for_school(
        classes_in(school), KINDS[KIND], by, language, options, reason
    )


def files_of(school: School) -> list[ClassFile]:
    """All classes, each with its last file that was requested for the school."""
    last: dict[object, Download] = {}
    for download in _files_of_school(school).order_by("asked_at", "pk"):
        last[download.school_class_id] = download
    classes = classes_in(school).order_by("name", "created_at")
    return [ClassFile(school_class, last.get(school_class.pk)) for school_class in classes]


def _files_of_school(school: School) -> QuerySet[Download]:
    """The files of classes that still belong to this school, except for files about a child who is
    now in a class outside it."""
    classes = classes_in(school)
    elsewhere = Child.all_objects.filter(downloads=OuterRef("pk")).exclude(school_class__in=classes)
    files = Download.objects.filter(
        school_class__in=classes, options__school=str(school.pk), ends_at__gt=timezone.now()
    )
    return files.filter(~Exists(elsewhere)).defer("content")


def zip_of(school: School, by: User, reason: str) -> IO[bytes]:
    """Write the files that are ready into a zip on disk, and log the export of each class in it."""
    ready = [
        class_file.file.pk
        for class_file in files_of(school)
        if class_file.file and class_file.is_ready
    ]
    to = tempfile.TemporaryFile()  # noqa: SIM115 – the response reads and closes it
    with zipfile.ZipFile(to, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("classes.csv", BYTE_ORDER_MARK + csv_text(*classes_table(school)))
        archive.writestr("teachers.csv", BYTE_ORDER_MARK + csv_text(*_teachers_table(school)))
        files = Download.objects.filter(pk__in=ready).select_related("school_class")
        # One at a time, because each may have many megabytes.
        for file in files.order_by("school_class__name", "pk").iterator(chunk_size=1):
            content = downloads.content_of(file)
            if content is not None:
                archive.writestr(_file_name(file.school_class), content)
                subject = file.school_class
                audit(
                    by,
                    What.EXPORTED,
                    school_class=subject,
                    for_school=True,
                    file=KIND,
                    reason=reason,
                )
    to.seek(0)
    return to


def _file_name(school_class: SchoolClass) -> str:
    """The name of the file of a class, with a part of its id, because two classes may have the same
    name."""
    name = slugify(school_class.name, allow_unicode=True) or "nmbrs"
    return f"{name}-{str(school_class.pk)[:8]}.zip"


def classes_table(school: School) -> tuple[list[str], list[Sequence[Cell]]]:
    """The head and the rows of the list of classes, with the figures on the page of the school."""
    head = [
        _("Class"),
        _("Owner"),
        _("Children"),
        with_period(_("Rows found without help"), USUAL_PERIOD),
        with_period(_("Possible rows"), USUAL_PERIOD),
    ]
    rows: list[Sequence[Cell]] = [
        (
            line.school_class.name,
            line.owner.name_and_address,
            line.child_count,
            line.rows.found,
            line.rows.chances,
        )
        for line in class_lines(school)
    ]
    return head, rows


def _teachers_table(school: School) -> tuple[list[str], list[Sequence[Cell]]]:
    head = [_("Name"), _("Email"), _("Admin"), _("Classes")]
    rows: list[Sequence[Cell]] = [
        (member.user.name_and_address, member.user.email, int(member.role == "admin"), member.owned)
        for member in members_of(school)
    ]
    return head, rows
