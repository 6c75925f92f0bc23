"""What a city needs, computed: the document has what the script prints, from figures it names."""

import pytest

from scripts import scale
from tests.documents import text_of


def test_the_document_has_the_table_that_the_script_prints() -> None:
    assert scale.table() in text_of("docs/scale.md")


@pytest.mark.parametrize(
    "figure", [scale.WEB_MS, scale.DATABASE_MS, scale.PROXY_MS, scale.WORKERS_MS]
)
def test_what_a_move_takes_is_what_the_document_has_measured(figure: float) -> None:
    assert f"{figure} ms of the " in text_of("docs/scale.md").replace("\n", " ")


def test_what_a_game_takes_is_what_the_document_has_measured() -> None:
    assert f"{scale.KB_A_GAME} kB" in text_of("docs/running.md")
    assert f"{scale.WEB_PROCESS_MB} MB" in text_of("docs/scale.md")


def test_twice_the_children_need_twice_of_all() -> None:
    one, two = scale.Need(1_000_000), scale.Need(2_000_000)
    for name in ("moves", "web", "database", "memory", "disk", "euro"):
        assert getattr(two, name) == pytest.approx(2 * getattr(one, name), rel=0.02)


def test_the_smallest_school_has_a_core_for_each() -> None:
    assert (scale.Need(1).web, scale.Need(1).database) == (1, 1)
