"""An Excel workbook → rows. Only its cells are read, as Excel shows them: no macro, no link, no
formula is run, and what is hidden is left out."""

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from posixpath import dirname, join, normpath
from typing import Final
from xml.etree import ElementTree  # nosec B405: no entities, and a process with limits

from classrooms.roster.importing.columns import columns_of
from classrooms.roster.importing.grid import MOST_CELLS, NOT_COMPUTED, Grid, Row, Unreadable, cut

LARGEST_UNPACKED: Final = 8_000_000
"""Bytes of a part. No more is unpacked, whatever size the file states."""
MOST_PARTS: Final = 2_000
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""From bz2 and lzma Python unpacks more than it is asked."""
BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, ArithmeticError, EOFError, LookupError, NotImplementedError,
    OSError, RuntimeError, SyntaxError, ValueError,
)  # fmt: skip
"""What a damaged file raises."""
codecs.lookup("cp437")  # In which zipfile reads names: no file can be opened for it later.


class Package:
    """A zip whose members have names as Excel understands them: in any case, with either slash.
    Raises `Unreadable` for one that is not as it should be."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        members = [each for each in self._zip.infolist() if not each.is_dir()]
        self._members = {_member_name(each.filename): each for each in members}
        if len(members) > MOST_PARTS or len(self._members) < len(members):
            raise Unreadable("zip")

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        """A member's bytes, b"" if there is none; never more than `LARGEST_UNPACKED`."""
        member = self._members.get(_member_name(name))
        if member is None:
            return b""
        if member.compress_type not in _PACKED:
            raise Unreadable("zip")
        if member.file_size > LARGEST_UNPACKED:
            raise Unreadable("too much")
        with self._zip.open(member) as file:
            data = file.read(LARGEST_UNPACKED + 1)
        if len(data) > LARGEST_UNPACKED:
            raise Unreadable("too much")
        return data


def _member_name(name: str) -> str:
    return normpath("/" + name.replace("\\", "/")).lower().lstrip("/")


MOST_SHEETS: Final = 49
_FOREIGN: Final = re.compile(rb"<!DOCTYPE|<!ENTITY|\0", re.IGNORECASE)
"""What no workbook has: entities grow without bounds."""
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_DATE_FORMATS: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
"""What in the code of a number format is not a letter of a date."""
_DAY_ZERO: Final = datetime(1899, 12, 30)
_DAY_ZERO_1904: Final = datetime(1904, 1, 1)
_LAST_DAY: Final = 2_958_465
"""31 December 9999."""


def is_workbook(package: Package) -> bool:
    """Whether this zip is a workbook of Excel."""
    return any(name.startswith("xl/") and name.endswith("workbook.xml") for name in package.names)


def grid_of_workbook(package: Package) -> Grid:
    """The rows of the sheet that holds a list. Raises `Unreadable`."""
    try:
        return _Workbook(package).read()
    except BROKEN:
        raise Unreadable("broken workbook") from None


class _Workbook:
    def __init__(self, package: Package) -> None:
        self._package = package
        targets = self._targets("")
        self._path = next(
            (path for kind, path in targets.values() if kind == "officeDocument"), "xl/workbook.xml"
        )
        self._targets_of_book = self._targets(self._path)

    def read(self) -> Grid:
        """Read the first shown sheet with headings, or else the first with anything."""
        book = self._xml(self._path)
        sheets = [each for each in book.iter() if _local(each.tag) == "sheet"]
        parts = [self._targets_of_book[_attribute(each, "id")][1] for each in sheets]
        if not 0 < len(parts) == len(set(parts)) <= MOST_SHEETS:
            raise Unreadable("broken workbook")
        since_1904 = any(_is_on(_attribute(each, "date1904")) for each in book.iter())
        self._day_zero = _DAY_ZERO_1904 if since_1904 else _DAY_ZERO
        self._strings = self._shared_strings()
        self._dates = self._date_styles()
        grids = []
        for sheet, part in zip(sheets, parts, strict=True):
            if _attribute(sheet, "state") in ("", "visible"):
                grid = self._grid(part)
                if columns_of(grid)[1].head:
                    return grid
                grids += [grid] if grid.rows else []
        if not grids:
            raise Unreadable("empty")
        return grids[0]

    def _targets(self, part: str) -> dict[str, tuple[str, str]]:
        """What the part refers to, by id: its kind and path."""
        folder = dirname(part)
        name = part.rpartition("/")[2]
        return {
            each.get("Id", ""): (
                each.get("Type", "").rpartition("/")[2],
                join("/", folder, each.get("Target", "").replace("\\", "/")),
            )
            for each in self._xml(join(folder, "_rels", f"{name}.rels"))
        }

    def _part_of_kind(self, kind: str) -> ElementTree.Element:
        paths = [path for each, path in self._targets_of_book.values() if each == kind]
        return self._xml(paths[0]) if paths else ElementTree.Element("none")

    def _shared_strings(self) -> list[str]:
        return [_text(each) for each in self._part_of_kind("sharedStrings")]

    def _date_styles(self) -> list[bool]:
        """Whether each style of cells shows a number as a date."""
        formats: dict[str, str] = {}
        styles: list[bool] = []
        for part in self._part_of_kind("styles"):
            if _local(part.tag) == "numFmts":
                formats = {each.get("numFmtId", ""): each.get("formatCode", "") for each in part}
            if _local(part.tag) == "cellXfs":
                styles = [_is_date(each.get("numFmtId", "0"), formats) for each in part]
        return styles

    def _xml(self, path: str) -> ElementTree.Element:
        return ElementTree.fromstring(self._part(path) or b"<none/>")  # nosec B314: as above

    def _part(self, path: str) -> bytes:
        data = self._package.read(path)
        if _FOREIGN.search(data):
            raise Unreadable("broken workbook")
        return data

    def _grid(self, path: str) -> Grid:
        """The rows that are shown and not empty, with their numbers."""
        rows: list[Row] = []
        columns: set[int] = set()
        number = hidden = 0
        for _end, each in ElementTree.iterparse(io.BytesIO(self._part(path))):  # nosec B314
            match _local(each.tag):
                case "col" if _is_on(each.get("hidden", "")):
                    last = min(int(each.get("max", "1")), MOST_CELLS)
                    columns.update(range(int(each.get("min", "1")) - 1, last))
                case "row":
                    number = int(each.get("r", number + 1))
                    cells = self._cells(each, columns)
                    is_hidden = _is_on(each.get("hidden", ""))
                    each.clear()
                    if any(cells) and is_hidden:
                        hidden += 1
                    elif any(cells):
                        rows.append(Row(number, cells))
        return Grid(tuple(rows), "Excel", hidden=hidden)

    def _cells(self, row: ElementTree.Element, hidden: set[int]) -> tuple[str, ...]:
        texts: dict[int, str] = {}
        column = -1
        for cell in row:
            letters = _COLUMN.match(cell.get("r", ""))
            column = _number(letters[0]) if letters else column + 1
            if column < MOST_CELLS and (text := self._value(cell)):
                texts[column] = text
        width = max(texts, default=-1) + 1
        return tuple(texts.get(at, "") for at in range(width) if at not in hidden)

    def _value(self, cell: ElementTree.Element) -> str:
        """A cell as text: whole numbers without ".0", dates as 2016-03-12, a line break as a
        space."""
        parts = {_local(each.tag): each for each in cell}
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _text(parts["is"]) if "is" in parts else ""
        value = (parts["v"].text or "") if "v" in parts else ""
        if "f" in parts and not value and kind != "str":
            return NOT_COMPUTED
        if not value:
            return ""
        if kind == "s":
            return self._strings[int(value)]
        if kind == "n":
            return self._of_number(float(value), int(cell.get("s", "0")))
        return cut(value)

    def _of_number(self, number: float, style: int) -> str:
        if style < len(self._dates) and self._dates[style] and 0 <= number < _LAST_DAY:
            return str((self._day_zero + timedelta(days=number)).date())
        return str(int(number) if number.is_integer() else number)


def _local(tag: str) -> str:
    """A tag without its namespace: there are two families of these."""
    return tag.rpartition("}")[2]


def _attribute(element: ElementTree.Element, name: str) -> str:
    return next((value for key, value in element.items() if _local(key) == name), "")


def _is_on(value: str) -> bool:
    return value in ("1", "true")


def _text(element: ElementTree.Element) -> str:
    """The text of a string, without its guide to pronunciation."""
    pieces = []
    for each in element:
        match _local(each.tag):
            case "t":
                pieces.append(each.text or "")
            case "r":
                pieces += [part.text or "" for part in each if _local(part.tag) == "t"]
    return cut("".join(pieces))


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _is_date(number: str, formats: Mapping[str, str]) -> bool:
    code = _QUOTED.sub("", formats.get(number, "")).lower()
    return int(number) in _DATE_FORMATS or any(char in code for char in "yd")
