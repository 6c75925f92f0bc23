"""docs/editions.md lists every option, and its examples run."""

import doctest
import re
from dataclasses import fields
from typing import Final

import pytest

from games.engine.errors import TextError
from games.engine.ruleset import DOUBLINGS, DRAWINGS, EARNINGS, ENDINGS, SCORINGS, Ruleset
from games.engine.sequences import FAMILIES
from games.engine.text.ruleset_text import parse_ruleset, ruleset_text
from tests.documents import missing, text_of

PAGE: Final = text_of("docs/editions.md")


def test_the_examples_do_what_the_page_says() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "editions.md", None, 0)
    failed, tried = doctest.DocTestRunner().run(examples)
    assert tried >= 8
    assert failed == 0


def test_every_field_of_a_ruleset_has_a_row_with_all_its_values() -> None:
    rows = re.findall(r"^\| (`.*)$", PAGE, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.partition("|")[0])]
    assert named == [field.name for field in fields(Ruleset)]
    mentioned = {name for row in rows for name in re.findall(r"`([\w ]+)`", row)}
    assert mentioned >= {*DOUBLINGS, *DRAWINGS, *EARNINGS, *ENDINGS, *SCORINGS, *FAMILIES}


@pytest.mark.parametrize("field", [field.name for field in fields(Ruleset)][1:])
def test_every_field_can_be_set_apart_in_text(field: str) -> None:
    with pytest.raises(TextError, match="option-unreadable"):
        parse_ruleset(f"classic {field}=?")


def test_the_ruleset_text_on_the_page_is_right() -> None:
    (text,) = re.findall(r"as text\n`([^`]+)`", PAGE)
    assert ruleset_text(parse_ruleset(text)) == text


def test_every_place_that_the_page_names_is_there() -> None:
    places = set(re.findall(r"`((?:games|classrooms|tests)/[\w/]+(?:\.py)?)`", PAGE))
    assert len(places) >= 6
    assert missing(sorted(places)) == []
    for place, name in re.findall(r"`(\w+)` in\s+`(\w+/[\w/]+\.py)`", PAGE):
        assert re.search(rf"^{place}\b", text_of(name), re.M)
