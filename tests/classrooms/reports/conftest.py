"""Children with progress for reports."""

import pytest

from classrooms.models import Child, SchoolClass
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.answering import play_day as played_on
from tests.factories import ChildFactory


def give_progress(child: Child) -> None:
    """Make the child secure in the 5 times table and learning the 7, with too few rows of the 9,
    and 6 × 8 wrong three times."""
    for ago in (3, 1):
        rows(child, 5, found=6, ago=ago)
        played_on(child, turns=4, ago=ago)
    rows(child, 7, found=1, missed=4, ago=1)
    rows(child, 9, found=2, ago=1)
    for _ in range(3):
        answer(child, 6, 8, right=False)
    look_for_dirty()


@pytest.fixture
def player(dora: Child) -> Child:
    give_progress(dora)
    return dora


@pytest.fixture
def thirty(school_class: SchoolClass) -> list[Child]:
    """Thirty children, each with rows of each table."""
    children = ChildFactory.create_batch(30, school_class=school_class)
    for number, child in enumerate(children):
        played_on(child, turns=4, ago=2)
        for table in range(2, 11):
            rows(child, table, found=(number + table) % 5, missed=3, ago=table, fold=False)
    fold_all_tables([child.pk for child in children])
    return children
