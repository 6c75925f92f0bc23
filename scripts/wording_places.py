"""Finds the readers of a text, and the room for it, by its files."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from nmbrs_edu.settings.languages import ALL

CHILDREN: Final = (
    "games/",
    "templates/games/",
    "classrooms/questions/",
    "templates/questions/",
    "classrooms/collection/",
    "templates/collection/",
    "classrooms/checkups/views.py",
    "templates/checkups/begin.html",
    "templates/checkups/question.html",
    "templates/checkups/done.html",
    "classrooms/assignments/status.py",
    "classrooms/assignments/riddles.py",
    "classrooms/assignments/table_offers.py",
    "classrooms/assignments/tables.py",
    "classrooms/assignments/child_views.py",
    "classrooms/credentials.py",
    "templates/assignments/me.html",
    "templates/assignments/_to_play.html",
    "templates/assignments/_riddle.html",
    "templates/assignments/riddles.html",
    "templates/assignments/table.html",
    "templates/lesson/deal.html",
    "templates/lesson/_door.html",
    "templates/lesson/_paused.html",
    "templates/lesson/paused.html",
    "classrooms/lesson/game_hooks.py",
    "classrooms/progress/goals.py",
    "templates/partials/aids.html",
    "templates/partials/help.html",
    "templates/partials/not_me.html",
    "templates/skeleton.html",
    "classrooms/signin/children_only.py",
    "classrooms/signin/forms.py",
    "classrooms/signin/views.py",
    "templates/assignments/_help.html",
    "templates/signin/_help.html",
    "templates/signin/card.html",
    "templates/signin/home.html",
    "templates/signin/names.html",
    "templates/signin/old_card.html",
    "templates/signin/pictures.html",
    "templates/signin/typed_name.html",
    "templates/lti/waiting.html",
    # Error pages address a child.
    "templates/400.html",
    "templates/403.html",
    "templates/403_csrf.html",
    "templates/404.html",
    "templates/429.html",
    "templates/500.html",
    "templates/503.html",
    "templates/database_away.html",
    "templates/too_busy.html",
)
"""Files and folders whose texts children read; all others are for adults."""
MIXED: Final = ("templates/lesson/deal.html",)
"""Pages that are partly for the teacher."""
PARENTS: Final = (
    "classrooms/signin/cards.py",
    "classrooms/reports/child_paper.py",
    "classrooms/reports/paper_words.py",
)
CARDS: Final = ("templates/signin/cards.html", "classrooms/signin/cards.py")
"""Files of the cards with which children sign in, and of the letters to their parents."""

_YOU: Final = "[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[mnrs]?)?"
_DO: Final = (
    "[Dd]rücke?|[Tt]ippe|[Öö]ffne|[Ww]ähle?|[Gg]ib|[Ss]ieh|[Ss]chau|[Kk]licke|[Gg]eh|[Ff]rag|"
    "[Ss]chreib|[Nn]imm|[Ss]peichere|[Dd]rucke|[Ss]canne|[Ll]ies|[Mm]ach|[Pp]robiere?|[Ww]arte|"
    "[Vv]ersuch es|[Kk]opiere|[Mm]elde"
)
TO_A_CHILD: Final = re.compile(rf"(?<!\w)(?:{_YOU}|{_DO})(?!\w)")
DUTCH_FORMAL: Final = re.compile(r"(?<!\w)(?:[Uu]w?|[Uu]zelf)(?!\w)")
DUTCH_INFORMAL: Final = re.compile(r"(?<!\w)(?:[Jj]e|[Jj]ij|[Jj]ouw?|[Jj]ezelf)(?!\w)")
GERMAN_FORMAL: Final = re.compile(
    r"\w+en Sie(?!\w)|(?<!\w)Ihnen(?!\w)|(?<=[\w,] )Ihr(?:e[mnrs]?)?(?!\w)"
)


def any_in(paths: Collection[str], places: Sequence[str]) -> bool:
    return any(path.startswith(tuple(places)) for path in paths)


def misaddressed(language: str, text: str, paths: Collection[str]) -> Iterator[str]:
    """Whether a text says du, Sie, je or u to readers who are addressed otherwise."""
    if not paths:
        return
    for_children, for_parents = any_in(paths, CHILDREN), any_in(paths, PARENTS)
    only_children = all(path.startswith(CHILDREN) for path in paths) and not any_in(paths, MIXED)
    checks: dict[str, tuple[tuple[re.Pattern[str], bool, str], ...]] = {
        "de": (
            (TO_A_CHILD, not for_children, "say Sie to grown-ups"),
            (GERMAN_FORMAL, only_children, "say du to a child"),
        ),
        "nl": (
            (DUTCH_FORMAL, not for_parents, "say je, unless to parents"),
            (DUTCH_INFORMAL, for_parents, "say u to parents"),
        ),
    }
    if grown_up := ALL[language].not_to_children:
        pattern = re.compile(rf"(?<!\w)(?:{grown_up})(?!\w)", re.IGNORECASE)
        checks[language] = ((pattern, only_children, "is not said to a child"),)
    for pattern, applies, better in checks.get(language, ()):
        if applies and (match := pattern.search(text)):
            yield f"“{match[0]}”: {better}"


class Place(NamedTuple):
    """Places with room for this many characters, and the English texts shown there."""

    name: str
    most: int
    texts: frozenset[str]


WIDEST: Final = {"most": "6", "step": "5"}
"""The widest value of a placeholder, if it is not a number of two digits."""
MAY_BE_LONGER: Final[dict[str, str]] = {
    "triangular numbers": "there is no shorter word; only in games with such rows",
    "Pile · %(n)s": "Stapel has one letter more, and this is its only name",
}
"""The texts that may be longer than their place in a language, each with the reason."""


def too_long(english: str, text: str, places: Collection[Place]) -> Iterator[str]:
    """Whether a text is longer than a place has room for."""
    shown = re.sub(r"%\((\w+)\)[sd]|\{(\w+)\}", lambda m: WIDEST.get(m[1] or m[2], "12"), text)
    for place in places:
        if english in place.texts and len(shown) > place.most and english not in MAY_BE_LONGER:
            yield f"{len(shown)} characters, for {place.name} at most {place.most}"


def places(root: Path) -> tuple[Place, ...]:
    strip, words = root / "games/screen/turn_strip.py", root / "games/screen/words.py"
    templates = root / "templates"
    return (
        Place(
            "a button under the hand",
            22,
            frozenset(
                {
                    *texts_of(strip, "buttons", "answers", "_hint_button"),
                    *texts_after(templates / "games/_button.html", ""),
                }
            ),
        ),
        Place(
            "a pile",
            10,
            frozenset(
                {
                    *texts_after(templates / "games/_piles.html", r'<span class="pile-name">'),
                    *texts_after(templates / "games/_pot.html", r'<span class="pile-name">'),
                }
            ),
        ),
        Place(
            "a tab",
            14,
            frozenset(
                {
                    *texts_after(templates / "ui/_class_tabs.html", r">\s*"),
                    *texts_after(templates / "partials/header.html", r'class="tab[^>]*>\s*'),
                    *texts_of(root / "classrooms/assignments/views.py", "WHEN"),
                    *texts_of(root / "classrooms/privacy/views.py", "CHOICES"),
                }
            ),
        ),
        Place(
            "the words beside a row",
            16,
            frozenset(texts_of(words, "table_name", "jumps_name", "FAMILY_NAMES")),
        ),
    )


def texts_of(path: Path, *names: str) -> Iterator[str]:
    """The texts to translate in the functions and constants with these names."""
    for node in ast.parse(path.read_text()).body:
        if _name_of(node) in names:
            for call in ast.walk(node):
                match call:
                    case ast.Call(
                        func=ast.Name(id="gettext" | "_"), args=[ast.Constant(value=str(text))]
                    ):
                        yield text


def _name_of(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def texts_after(path: Path, before: str) -> Iterator[str]:
    """The texts to translate in a template that follow this pattern directly."""
    source = path.read_text()
    for match in re.finditer(before + r'\{% translate "([^"]+)" %\}', source):
        yield match[1]
    block = r"\{% blocktranslate[^%]*%\}([^{]*(?:\{\{ \w+ \}\}[^{]*)*)\{% endblocktranslate %\}"
    for match in re.finditer(before + block, source):
        yield re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", match[1])
