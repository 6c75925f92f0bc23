"""Every threshold of the code is in docs/learning.md, with the value that it has and a source."""

import ast
import re

import pytest

from games.lab.model_children import MODEL_CHILDREN
from tests.documents import text_of
from tests.sources import constants

PAGE = text_of("docs/learning.md")
SOURCES = ("study", "in use", "chosen", "fitted", "the same", "as new facts a day")
MODULES = (
    "games/coach/chances.py",
    "games/coach/mastery.py",
    "games/coach/questions/memory.py",
    "games/coach/questions/quiz.py",
    "games/coach/questions/recall.py",
    "games/coach/statements/intervals.py",
    "games/coach/statements/odd_play.py",
    "games/coach/statements/table_levels.py",
    "games/coach/hints.py",
    "games/coach/facts.py",
    "games/coach/statements/certainty.py",
    "games/coach/statements/others.py",
    "games/coach/statements/tails.py",
    "games/coach/times_tables.py",
    "games/coach/rating.py",
    "games/coach/deals.py",
    "games/bots/companion.py",
    "games/lab/model_games.py",
    "games/lab/fact_evaluation.py",
    "games/lab/model_answers.py",
    "games/lab/statements/odd_players.py",
    "games/lab/statements/table_evaluation.py",
    "games/lab/statements/weeks_of_play.py",
    "classrooms/lesson/debrief.py",
    "classrooms/progress/figures/needs.py",
    "classrooms/progress/figures/luck.py",
    "classrooms/progress/figures/class_goal.py",
    "classrooms/progress/figures/child_story.py",
    "classrooms/progress/figures/table_naming.py",
    "classrooms/progress/figures/troubles.py",
)
"""Modules whose every number must be on the page."""
NO_THRESHOLD = {
    "games/coach/chances.py": {"NO_TABLE"},
    "games/lab/statements/table_evaluation.py": {"BINS"},
    "games/coach/statements/tails.py": {"_NEGLIGIBLE", "_EDGE", "_MOST_ALIKE"},  # Of the sums.
    "games/coach/mastery.py": {"NOT_YET", "RIGHT", "SECURE", "FLUENT"},  # Marks in their order.
}

Row = tuple[str, str, str, str]
"""Value, file, name and source."""


def rows() -> list[Row]:
    found = []
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 4 and (where := re.fullmatch(r"`([\w/]+\.py)` `(\w+)`", cells[2])):
            found.append((cells[1].strip("`"), where[1], where[2], cells[3]))
    return found


def is_number(value: ast.expr) -> bool:
    """Whether it is made of numbers alone."""
    parts = [part for part in ast.walk(value) if isinstance(part, ast.Constant)]
    named = any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(value))
    return bool(parts) and not named and all(type(p.value) in (int, float) for p in parts)


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[1]}:{row[2]}")
def test_the_page_has_the_value_of_the_code_and_a_source(row: Row) -> None:
    value, path, name, source = row
    assert source.startswith(SOURCES)
    expression = constants(ast.parse(text_of(path)))[name]
    if value.startswith("default="):
        assert value.removeprefix("default=") in re.findall(
            r"(?<=default=)[\d.]+", ast.unparse(expression)
        )
    elif value != "–":
        assert ast.dump(ast.parse(value, mode="eval").body) == ast.dump(expression)


@pytest.mark.parametrize("path", MODULES)
def test_every_number_of_a_module_is_on_the_page(path: str) -> None:
    on_page = {name for _value, file, name, _source in rows() if file == path}
    numbers = {
        name for name, value in constants(ast.parse(text_of(path))).items() if is_number(value)
    }
    assert numbers - NO_THRESHOLD.get(path, set()) - on_page == set()


def test_each_constant_is_on_the_page_once() -> None:
    named = [(path, name) for _value, path, name, _source in rows()]
    assert len(named) == len(set(named)) > 80


def test_only_what_is_made_of_numbers_is_a_number() -> None:
    expressions = {"3": True, "15 / (24 * 60)": True, "((0.9, (10, 2)),)": True}
    expressions |= {"'three'": False, "OTHER": False, "timedelta(days=3)": False, "()": False}
    parsed = {text: ast.parse(text, mode="eval").body for text in expressions}
    assert {text: is_number(value) for text, value in parsed.items()} == expressions


def test_the_figures_of_the_model_children_are_those_of_the_page() -> None:
    table = PAGE.partition("| a check takes |")[2]
    for name, child in MODEL_CHILDREN.items():
        line = next(line for line in table.splitlines() if line.startswith(f"| {name} |"))
        figures = [float(figure) for figure in re.findall(r"\.\d+|\d+(?:\.\d+)?", line)]
        chances = [child.notices[table] for table in (2, 3, 6, 7, 11)]
        rest = [child.notices_others, child.wrong_tries, child.check_seconds]
        assert figures == [*chances, *rest]
