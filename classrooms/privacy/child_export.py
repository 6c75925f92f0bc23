"""All data of a child as one file to take along: JSON, CSV and a page to read."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.models import Child
from classrooms.privacy.field_words import field_words
from classrooms.privacy.inventory import DECLARED, exported_rows, title_of
from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, csv_text

JSON_NAME: Final = "everything.json"
PAGE_NAME: Final = "everything.html"


def make(download: Download, report_progress: ReportProgress) -> bytes:
    """The zip: one JSON, a CSV for each table that has rows, and a page with the same. A step is a
    table that was read; the last one is the writing."""
    child = download.child
    assert child is not None
    total = len(DECLARED) + 1
    tables: dict[str, list[dict[str, Any]]] = {}
    for done, declared in enumerate(DECLARED):
        report_progress(done, total)
        tables[declared.model] = exported_rows(child, declared)
    report_progress(total - 1, total)
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            JSON_NAME, json.dumps(tables, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        )
        for table, rows in tables.items():
            if rows:
                archive.writestr(f"tables/{table}.csv", BYTE_ORDER_MARK + _csv(rows))
        archive.writestr(PAGE_NAME, _page(child, tables))
    return to.getvalue()


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    return csv_text(list(rows[0]), ([_cell(value) for value in row.values()] for row in rows))


def _cell(value: Any) -> str | int | float | date | datetime | None:
    if value is None or isinstance(value, bool | int | float | date | datetime | str):
        return value
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _page(child: Child, exported: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    tables = [
        {
            "title": title_of(declared),
            "head": [(name, field_words(name)) for name in rows[0]],
            "rows": [[_cell(value) for value in row.values()] for row in rows],
        }
        for declared in DECLARED
        if (rows := exported[declared.model])
    ]
    context = {"child": child, "tables": tables, "at": timezone.now()}
    return render_to_string("privacy/everything.html", context)


KINDS: Final = (
    FileKind(
        "child-everything",
        _("All data about a child"),
        _("Everything this site stores about one child, to give to the family, for example."),
        _("All data about %(name)s"),
        make,
        "application/zip",
        "zip",
        of_child=True,
        in_languages=True,
    ),
)
