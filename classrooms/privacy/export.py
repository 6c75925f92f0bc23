"""The database tables with data about a child, and the export of this data."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.models import Child
from classrooms.privacy.words import field_words
from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, csv_text
from games.models import Seat

# Each database table with data about a child is declared here, with how to find the child's rows
# and with the fields that stay secret. A test fails if a table that refers to a child or a game is
# missing.

_IS_NOT_PLAYED: Final = Q(game__has_shared_deal=False) | Q(
    game__attempt__assignment__ended_at__isnull=False
)
_HIDES_NO_DECK: Final = ~Q(kind="deal") | (Q(game__finished_at__isnull=False) & _IS_NOT_PLAYED)
"""The decks of open games are hidden, and so is that of a shared deal while others may play it."""


def _seats_without_classmates(child: Child) -> Q:
    return Q(player=None) | Q(player=child.player)


def _entries_without_classmates(child: Child) -> Q:
    """The condition for the child's entries, without those of classmates at the same table."""
    seat = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player__isnull=False)
    return _HIDES_NO_DECK & ~Q(Exists(seat.exclude(player=child.player)))


class DeclaredTable(NamedTuple):
    """A database table with data about a child."""

    model: str
    of: str  # the lookup path from the table to the child, or to the child's player
    secret: tuple[str, ...] = ()  # fields that are never exported
    exported: Callable[[Child], Q] = lambda child: Q()  # the condition for rows that are exported
    former: str = ""  # the model's former name, which the files keep

    @property
    def name(self) -> str:
        return self.former or self.model


PLAYER: Final = "seats__player"
DECLARED_TABLES: Final[tuple[DeclaredTable, ...]] = (
    DeclaredTable("classrooms.Child", "pk", ("pictures_encrypted", "former_pictures")),
    DeclaredTable("classrooms.ChildSession", "child", ("token_hash",)),
    DeclaredTable("classrooms.KnownDevice", "child", ("device_hash",)),
    DeclaredTable("classrooms.WrongTries", "child", ("device_hash",)),
    DeclaredTable(
        "classrooms.QrCode", "child", ("nonce", "token_hash", "former_nonce", "former_hash")
    ),
    DeclaredTable("lti.PlatformPerson", "child", ("subject_hash",)),
    DeclaredTable("lti.SentScore", "person__child"),
    DeclaredTable("classrooms.AuditEntry", "child_id", ("once",)),
    DeclaredTable("classrooms.Merge", "into"),
    DeclaredTable("classrooms.SourcePupil", "child", ("key_hash",)),
    DeclaredTable("classrooms.Group_children", "child"),
    DeclaredTable("classrooms.Assignment_children", "child"),
    DeclaredTable("classrooms.Attempt", "child"),
    DeclaredTable("classrooms.Chair", "child"),
    DeclaredTable("classrooms.GameTable", "chairs_taken__child"),
    DeclaredTable("games.Game", PLAYER, ("seed", "snapshot")),
    DeclaredTable("games.Seat", f"game__{PLAYER}", exported=_seats_without_classmates),
    DeclaredTable(
        "games.Entry",
        f"game__{PLAYER}",
        exported=_entries_without_classmates,
        former="games.Action",
    ),
    DeclaredTable("checks.Sitting", "child"),
    DeclaredTable("checks.Check", "child"),
    DeclaredTable("checks.Typed", "child"),
    DeclaredTable("checkups.ChildCheckUp", "child"),
    DeclaredTable("checkups.CheckUpAnswer", "child_check_up__child"),
    DeclaredTable("progress.GameEvidence", f"game__{PLAYER}", ("start",)),
    DeclaredTable("progress.SittingEvidence", "sitting__child"),
    DeclaredTable("progress.Played", "child"),
    DeclaredTable("progress.Chance", "child"),
    DeclaredTable("progress.TableDay", "child"),
    DeclaredTable("progress.FactDay", "child"),
    DeclaredTable("progress.ChildDay", "child"),
    DeclaredTable("progress.ChildAssignment", "child"),
    DeclaredTable("progress.TableMastery", "child"),
    DeclaredTable("progress.FactMastery", "child"),
    DeclaredTable("progress.FactAbility", "child"),
    DeclaredTable("progress.ProgressLock", "child"),
    DeclaredTable("progress.Difference", "child"),
    DeclaredTable("downloads.Download", "children", ("content", "claim", "options")),
    DeclaredTable("downloads.Download_children", "child"),
)


def rows_of(child: Child, declared_table: DeclaredTable) -> QuerySet[Any]:
    """The child's rows of a table."""
    value = child.player if declared_table.of.endswith(PLAYER) else child.pk
    manager = _model(declared_table)._base_manager
    return manager.filter(**{declared_table.of: value}).order_by("pk").distinct()


def fields_of(declared_table: DeclaredTable) -> list[Any]:
    """The fields of a table that may be exported."""
    fields = _model(declared_table)._meta.concrete_fields
    return [field for field in fields if field.name not in declared_table.secret]


def exported_rows(child: Child, declared_table: DeclaredTable) -> list[dict[str, Any]]:
    """The child's rows of one table, without secrets."""
    rows = rows_of(child, declared_table).filter(declared_table.exported(child))
    fields = fields_of(declared_table)
    # The names of the columns stay the same when the code finds a better name for a field.
    columns = [field.column for field in fields]
    values = rows.values_list(*(field.attname for field in fields))
    return [dict(zip(columns, row, strict=True)) for row in values]


def _model(declared_table: DeclaredTable) -> type[Model]:
    return apps.get_model(declared_table.model)


# All data about a child as one file to download: JSON, CSV and a page to read.

JSON_NAME: Final = "everything.json"
PAGE_NAME: Final = "everything.html"


def make(download: Download, report_progress: ReportProgress) -> bytes:
    """Make the zip: a JSON file, a CSV file for each table with rows, and a page with the same
    data. Report a step for each table, and a last one for writing."""
    child = download.child
    assert child is not None
    total = len(DECLARED_TABLES) + 1
    tables: dict[str, list[dict[str, Any]]] = {}
    for count, declared in enumerate(DECLARED_TABLES):
        report_progress(count, total)
        tables[declared.name] = exported_rows(child, declared)
    report_progress(total - 1, total)
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            JSON_NAME, json.dumps(tables, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        )
        for table, rows in tables.items():
            if rows:
                cells = ([_cell(value) for value in row.values()] for row in rows)
                text = BYTE_ORDER_MARK + csv_text(list(rows[0]), cells)
                archive.writestr(f"tables/{table}.csv", text)
        archive.writestr(PAGE_NAME, _page(child, tables))
    return to.getvalue()


def _cell(value: Any) -> str | int | float | date | datetime | None:
    if value is None or isinstance(value, bool | int | float | date | datetime | str):
        return value
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _page(child: Child, exported: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    tables = [
        {
            "title": str(_model(declared)._meta.verbose_name_plural),
            "head": [(name, field_words(name)) for name in rows[0]],
            "rows": [[_cell(value) for value in row.values()] for row in rows],
        }
        for declared in DECLARED_TABLES
        if (rows := exported[declared.name])
    ]
    context = {"child": child, "tables": tables, "at": timezone.now()}
    return render_to_string("privacy/everything.html", context)


KINDS: Final = (
    FileKind(
        name="child-everything",
        label=_("All data about a child"),
        about=_("Everything this site stores about one child."),
        title=_("All data about %(name)s"),
        make=make,
        ending="zip",
        is_of_child=True,
    ),
)
