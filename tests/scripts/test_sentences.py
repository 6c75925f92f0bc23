"""The page of composed sentences shows each of them in each language, and marks faults."""

from pathlib import Path

import pytest

from scripts.sentences import ALL, page, written
from tests.games.screen.composed import Composed


@pytest.mark.proof
def test_the_page_has_the_sentences_of_all_languages(tmp_path: Path) -> None:
    text = written(tmp_path / "var" / "sentences.html").read_text()
    assert text.count("<th>sv</th>") == text.count("<h2>") > 10
    assert '<td lang="en">First take a card from the pile. Lots of rows are' in text
    assert '<td lang="de">' in text
    assert 'class="fault"' not in text


def test_a_fault_is_marked_and_text_is_escaped() -> None:
    texts = {language: [Composed("hint", "take <b>")] for language in ALL}
    text = page(texts)
    assert "take &lt;b&gt;" in text
    assert text.count("begins small: take &lt;b&gt;") == len(ALL)


def test_the_same_sentence_is_shown_once() -> None:
    texts = {language: [Composed("hint", "Take it.")] * 2 for language in ALL}
    assert page(texts).count("<td") == len(ALL)
