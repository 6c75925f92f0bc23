"""While a release is installed during lessons, older web processes work with its database
(docs/upgrading.md). This limits what a migration may do."""

from typing import Final

import pytest
from django_migration_linter import MigrationLinter

pytestmark = pytest.mark.django_db

LAST_THAT_STOP_THE_SITE: Final = {
    "checks": "0002_timed",
    "checkups": "0002_apostrophes",
    "classrooms": "0040_reader_words",
    "downloads": "0004_problem_words",
    "games": "0011_one_index_fewer",
    "lti": "0001_learning_platforms",
    "nmbrs_edu": "0001_machine",
    "progress": "0011_reader_words",
}
"""For each app, the last migration that an older web process need not survive. Migrations up to it
belong to upgrades that stop the site, or make the first tables of an app."""
NEVER_BROKEN_BY_ONE: Final = (
    "0041_one_owner_and_no_circle",
    "0045_riddles_and_hands",
    "0049_tables",
    "0054_demo_class",
    "0013_several_children",
)
"""Unique constraints that older code also keeps, except if two people act at the same moment."""


@pytest.fixture
def linter() -> MigrationLinter:
    return MigrationLinter(no_cache=True)


def test_later_migrations_leave_an_older_web_what_it_needs(
    linter: MigrationLinter, capsys: pytest.CaptureFixture[str]
) -> None:
    later = [
        migration
        for (app, name), migration in linter.migration_loader.disk_migrations.items()
        if app in LAST_THAT_STOP_THE_SITE and name > LAST_THAT_STOP_THE_SITE[app]
    ]
    for migration in later:
        of_unique = ["ADD_UNIQUE"] if migration.name in NEVER_BROKEN_BY_ONE else []
        linter.exclude_migration_tests = of_unique
        linter.lint_migration(migration)
    assert not linter.has_errors, capsys.readouterr().out


@pytest.mark.parametrize(
    ("app", "name", "said"),
    [
        ("classrooms", "0002_paced_games", "NOT NULL constraint on columns"),
        ("games", "0006_key_of_a_move", "DROPPING table"),
        ("games", "0008_longer_faces", "ALTERING columns"),
        ("progress", "0005_chances", "DROPPING columns"),
    ],
)
def test_a_migration_that_breaks_an_older_web_is_noticed(
    app: str, name: str, said: str, linter: MigrationLinter, capsys: pytest.CaptureFixture[str]
) -> None:
    linter.lint_migration(linter.migration_loader.disk_migrations[app, name])
    assert linter.has_errors
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("app", "name"), [("games", "0011_one_index_fewer"), ("progress", "0010_holds_until")]
)
def test_a_nullable_column_and_a_dropped_index_are_fine(
    app: str, name: str, linter: MigrationLinter
) -> None:
    linter.lint_migration(linter.migration_loader.disk_migrations[app, name])
    assert not linter.has_errors
