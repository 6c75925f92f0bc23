"""What a city needs, computed: the document has what the script prints, from figures it names."""

import pytest

from scripts import scale
from tests.repository import text_of


def test_the_document_has_the_table_that_the_script_prints() -> None:
    assert scale.table() in text_of("docs/scale.md")


def test_twice_the_children_need_twice_of_all() -> None:
    one, two = scale.Need(1_000_000), scale.Need(2_000_000)
    for name in ("moves", "web", "database", "memory", "disk", "euro"):
        assert getattr(two, name) == pytest.approx(2 * getattr(one, name), rel=0.02)


def test_the_smallest_school_has_a_core_for_each() -> None:
    assert (scale.Need(1).web, scale.Need(1).database) == (1, 1)
