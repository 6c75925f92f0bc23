"""The styles of a game's page, as far as their text tells."""

import re
from typing import Final

from tests.servers import ROOT

STYLES: Final = ("game.css", "playing.css", "guided.css", "places.css")
LARGE: Final = re.compile(
    r"^(html|body|main|form|#play|#board|#table|#hand|\.felt|\.table-scroll|\.table-grid|\.island"
    r"|\.hand|\.hand-side|\.hand-panel|\.choices-panel|\.playing)(?![\w-])"
)
"""Parts around what is tapped."""


def with_scripts(text: str) -> str:
    """The rules for a browser with scripts."""
    start = text.find("@media (scripting: none)")
    if start < 0:
        return text
    depth, end = 1, text.index("{", start) + 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return with_scripts(text[:start] + text[end:])


def test_no_style_looks_for_what_changes_in_a_large_part_at_each_tap() -> None:
    found = []
    for name in STYLES:
        text = with_scripts((ROOT / "static" / "css" / name).read_text())
        found += [(name, part) for part in re.findall(r"([#.\w\[\]~=:()-]+):has\(", text)]
    assert found
    assert not [where for where in found if LARGE.match(where[1])]
