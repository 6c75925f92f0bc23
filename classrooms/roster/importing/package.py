"""The zip that a workbook or a bundle is."""

import codecs
import io
import zipfile
import zlib
from posixpath import normpath
from typing import Final

from classrooms.roster.importing.import_errors import Unreadable

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
