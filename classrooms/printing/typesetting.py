"""Everything on paper is set by typst, with the fonts in its wheel: Latin, Greek, Cyrillic, Hebrew
and Arabic. For a name in another script it takes a font of the machine's, where there is one. All
that a person has typed reaches it as data, never as markup.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import typst

ROOT: Final = Path(__file__).parent.parent
"""What the files for typst may import from each other, by a path that begins here."""


class LettersMissing(Exception):
    """No font here has all the letters of the names; a browser may have one."""


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=True)


def typeset(source: Path, data: Mapping[str, Any]) -> bytes:
    """The PDF (PDF/UA) that a file for typst makes of these data. Raises `LettersMissing` rather
    than print a name as boxes."""
    try:
        made = typst.compile(
            str(source),
            root=str(ROOT),
            font_paths=_fonts(),
            sys_inputs={"data": json.dumps(data)},
            format="pdf",
            pdf_standards="ua-1",
        )
    except typst.TypstError as problem:
        if "could not be displayed" in problem.message:
            raise LettersMissing from problem
        raise
    assert isinstance(made, bytes)
    return made
