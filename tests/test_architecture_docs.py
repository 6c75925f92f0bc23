"""What `docs/architecture.md` and `docs/glossary.md` point to is there."""

import re

import pytest

from tests.documents import missing, paths_in, text_of
from tests.servers import ROOT

ARCHITECTURE = "docs/architecture.md"
FEWEST = 40
TOP = ("games", "classrooms", "nmbrs_edu", "templates", "static", "tests", "scripts", "docs")


def answers() -> list[tuple[str, str]]:
    """The questions of "Where to look", each with its file."""
    _, _, section = text_of(ARCHITECTURE).partition("\n## Where to look\n")
    rows = re.findall(r"^\| (.+) \| (.+) \|$", section, re.MULTILINE)
    return [row for row in rows if row not in (("question", "file"), ("---", "---"))]


def test_there_are_many_questions_and_each_is_asked_once() -> None:
    questions = [question.casefold() for question, _ in answers()]
    assert len(questions) >= FEWEST
    assert [question for question in questions if questions.count(question) > 1] == []
    assert [question for question in questions if not question.endswith("?")] == []


def test_each_question_is_answered_by_one_file() -> None:
    files = {question: re.fullmatch(r"`([\w./-]+)`", answer) for question, answer in answers()}
    assert [question for question, file in files.items() if file is None] == []
    assert [file[1] for file in files.values() if file and not (ROOT / file[1]).is_file()] == []


@pytest.mark.parametrize("app", ["games", "classrooms"])
def test_each_room_is_described_once(app: str) -> None:
    _, _, section = text_of(ARCHITECTURE).partition(f"\n### `{app}/`")
    table = section.partition("\n### ")[0]
    rows = re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE)
    described = sorted(room for row in rows for room in re.findall(r"`(\w+)/`", row))
    rooms = {init.parent.name for init in (ROOT / app).glob("*/__init__.py")}
    assert described == sorted(rooms - {"migrations"})


@pytest.mark.parametrize("document", [ARCHITECTURE, "docs/glossary.md"])
def test_the_paths_that_the_text_names_are_there(document: str) -> None:
    """Where the text is about one room, a path may begin inside it: those are left out."""
    whole = [path for path in paths_in(text_of(document)) if path.split("/")[0] in TOP]
    assert missing(whole) == []
    assert len(whole) > 10
