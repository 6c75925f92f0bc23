"""What a migration does to a school that is there already."""

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [("classrooms", "0017_who_looked")]
AFTER = [("classrooms", "0021_who_sees_the_names")]


def migrate(to: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return MigrationExecutor(connection).loader.project_state(to).apps


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_children_of_a_class_from_before_are_found_by_their_typed_names() -> None:
    try:
        old = migrate(BEFORE)
        school_class = old.get_model("classrooms", "SchoolClass").objects.create(name="5B")
        children = old.get_model("classrooms", "Child")
        for name in ("Zoë van Dam", "Emil"):
            children._base_manager.create(school_class=school_class, name=name)
        new = migrate(AFTER)
        children_after = new.get_model("classrooms", "Child")._base_manager.order_by("name")
        assert list(children_after.values_list("plain_name", flat=True)) == ["emil", "zovandam"]
        kept = new.get_model("classrooms", "SchoolClass").objects.get()
        assert (kept.names_shown, kept.networks) == ("at school", [])
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
