"""An Excel workbook → grids. It reads only the cells, as Excel shows them. It runs no macro or
formula, follows no link, and leaves out what is hidden."""

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from posixpath import basename, dirname, join, normpath, splitext
from typing import Final
from xml.etree import ElementTree  # nosec B405: no entities, and a process with limits

from classrooms.child_names import UNSTORABLE
from classrooms.roster.importing.columns import Sheet
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.grid import MOST_CELLS, NOT_COMPUTED, Grid, Row, cut, strip_quotes

MOST_PART_BYTES: Final = 8_000_000  # of an unpacked part, whatever size the file states
MOST_PARTS: Final = 2_000
MOST_SHEETS: Final = 49
_ALLOWED_METHODS: Final = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
)  # other methods unpack without a limit
_PASSWORD_BIT: Final = 1  # the bit of a member that needs a password
_MAC_FILE: Final = re.compile(r"^__macosx/|(?:^|/)\.(?!rels)")
"""The files that a Mac adds to each zip."""
BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, ArithmeticError, EOFError, LookupError, NotImplementedError,
    OSError, RuntimeError, SyntaxError, ValueError,
)  # fmt: skip
"""The errors that a damaged file causes."""
codecs.lookup("cp437")  # Load the codec of zipfile now, because no file can be opened later.
_FORBIDDEN: Final = re.compile(rb"<!DOCTYPE|<!ENTITY|\0", re.IGNORECASE)
"""What no real workbook contains. Entities could expand without a limit."""
_DATE_FORMATS: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
"""The parts of a number format whose letters do not stand for parts of a date."""
_TRUE: Final = ("1", "true")
_HIDDEN: Final = "\0"
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")
"""A character that XML cannot contain: the end of a line is _x000D_."""
_LAST_DAY_NUMBER: Final = 2_958_465  # 31 December 9999


class Package:
    """A zip file. Like Excel, it finds a member in capitals or small letters, and with either
    slash."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        members = [member for member in self._zip.infolist() if not member.is_dir()]
        self._members = {_member_name(member.filename): member for member in members}
        self.names = [name for name in self._members if not _MAC_FILE.search(name)]
        if len(members) > MOST_PARTS or len(self._members) < len(members):
            raise UnreadableFile("zip")

    def title(self, name: str) -> str:
        """The name of a member without its folders and its ending."""
        return splitext(basename(self._members[name].filename.replace("\\", "/")))[0]

    def read(self, name: str) -> bytes:
        """The bytes of a member; b"" if there is none. Raises `UnreadableFile` if they are more
        than `MOST_PART_BYTES`, or cannot be unpacked."""
        member = self._members.get(_member_name(name))
        if member is None:
            return b""
        if member.flag_bits & _PASSWORD_BIT:
            raise UnreadableFile("password")
        if member.compress_type not in _ALLOWED_METHODS:
            raise UnreadableFile("zip")
        if member.file_size <= MOST_PART_BYTES:
            with self._zip.open(member) as file:
                data = file.read(MOST_PART_BYTES + 1)
            if len(data) <= MOST_PART_BYTES:
                return data
        raise UnreadableFile("too much")


def _member_name(name: str) -> str:
    return normpath("/" + name.replace("\\", "/")).lower().lstrip("/")


def sheets_of_workbook(package: Package) -> list[Sheet]:
    """The sheets that are shown."""
    try:
        return list(_Workbook(package).sheets())
    except BROKEN:
        raise UnreadableFile("broken workbook") from None


class _Workbook:
    def __init__(self, package: Package) -> None:
        self._package = package
        path = self._paths("").get("officeDocument", "xl/workbook.xml")
        parts = self._paths(path)
        self._sheets: dict[str, str] = {}  # the name of each shown sheet, by its path
        self._day_zero = datetime(1899, 12, 30)
        for element in self._elements(path):
            if element.get("date1904") in _TRUE:
                self._day_zero = datetime(1904, 1, 1)
            if element.tag == "sheet":
                part = next(parts[value] for key, value in element.items() if key.endswith("}id"))
                if part in self._sheets or len(self._sheets) == MOST_SHEETS:
                    raise UnreadableFile("broken workbook")
                is_shown = element.get("state", "visible") == "visible"
                self._sheets[part] = element.get("name", "") if is_shown else _HIDDEN
        strings = self._elements(parts.get("sharedStrings", ""), "si")
        self._strings = [_text(string) for string in strings]
        formats: dict[str, bool] = {}
        self._dates: list[bool] = []  # for each style of cells, whether it shows a number as a date
        for element in self._elements(parts.get("styles", ""), "numFmt", "cellXfs"):
            number = element.get("numFmtId", "")
            if element.tag == "numFmt":
                code = _LITERAL.sub("", element.get("formatCode", ""))
                formats[number] = bool(re.search("[yd]", code, re.IGNORECASE))
            for style in element:
                number = style.get("numFmtId", "0")
                self._dates.append(formats.get(number, False) or int(number) in _DATE_FORMATS)

    def sheets(self) -> Iterator[Sheet]:
        if not self._sheets:
            raise UnreadableFile("broken workbook")
        for path, name in self._sheets.items():
            if name != _HIDDEN:
                yield Sheet(name, self._grid(path))

    def _paths(self, part: str) -> dict[str, str]:
        """The paths of the parts to which this part refers, by kind and by id."""
        folder, name = dirname(part), part.rpartition("/")[2]
        paths: dict[str, str] = {}
        for element in self._elements(join(folder, "_rels", f"{name}.rels"), "Relationship"):
            path = join("/", folder, element.get("Target", "").replace("\\", "/"))
            paths.setdefault(element.get("Type", "").rpartition("/")[2], path)
            paths[element.get("Id", "")] = path
        return paths

    def _elements(self, path: str, *tags: str) -> Iterator[ElementTree.Element]:
        """The elements of a part with these tags, or all elements. Removes the namespaces from the
        tags."""
        data = self._package.read(path) or b"<none/>"
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            data = re.sub(r"^<\?.*?\?>", "", data.decode("utf-16")).encode()
        if _FORBIDDEN.search(data):
            raise UnreadableFile("broken workbook")
        for _end, element in ElementTree.iterparse(io.BytesIO(data)):  # nosec B314: as above
            element.tag = element.tag.rpartition("}")[2]
            if not tags or element.tag in tags:
                yield element
                element.clear()

    def _grid(self, path: str) -> Grid:
        """The visible rows that are not empty, with their numbers."""
        rows: list[Row] = []
        columns: set[int] = set()
        number = hidden_rows = 0
        for element in self._elements(path, "col", "row"):
            size = element.get("ht" if element.tag == "row" else "width", "1")
            is_hidden = element.get("hidden") in _TRUE or float(size) == 0
            if element.tag == "row":
                number = int(element.get("r", number + 1))
                cells = self._cells(element, columns)
                hidden_rows += any(cells) and is_hidden
                rows += [Row(number, cells)] if any(cells) and not is_hidden else []
            elif is_hidden:
                last = min(int(element.get("max", "1")), MOST_CELLS)
                columns.update(range(int(element.get("min", "1")) - 1, last))
        return Grid(tuple(strip_quotes(rows)), "Excel", hidden=hidden_rows)

    def _cells(self, row: ElementTree.Element, hidden: set[int]) -> tuple[str, ...]:
        texts: dict[int, str] = {}
        column = -1
        for cell in row:
            column += 1
            if letters := re.match("[A-Z]{1,3}", cell.get("r", "")):
                column = -1
                for letter in letters[0]:
                    column = 26 * (column + 1) + ord(letter) - ord("A")
            if column < MOST_CELLS and (text := self._value(cell)):
                texts[column] = text
        return tuple(
            texts.get(at, "") for at in range(max(texts, default=-1) + 1) if at not in hidden
        )

    def _value(self, cell: ElementTree.Element) -> str:
        """The text of the cell: whole numbers without ".0", dates as 2016-03-12."""
        kind = cell.get("t", "n")
        value = cell.findtext("v") or ""
        if kind == "inlineStr":
            return "".join(map(_text, cell.iterfind("is")))
        if not value:
            return NOT_COMPUTED if kind != "str" and cell.find("f") is not None else ""
        if kind != "n":
            return self._strings[int(value)] if kind == "s" else cut(value)
        number, style = float(value), int(cell.get("s", "0"))
        if style < len(self._dates) and self._dates[style] and 0 <= number < _LAST_DAY_NUMBER:
            return str((self._day_zero + timedelta(days=number)).date())
        return str(int(number) if number.is_integer() else number)


def _text(element: ElementTree.Element) -> str:
    """The text of a string, without its phonetic guide."""
    texts = (*element.iterfind("t"), *element.iterfind("r/t"))
    text = "".join(part.text or "" for part in texts)
    return cut(_ESCAPE.sub(lambda char: UNSTORABLE.sub("", chr(int(char[1], 16))), text))
