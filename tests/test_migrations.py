"""A school of commit 80d270dd becomes one of today, and older web processes go on working while its
database is migrated (docs/upgrading.md)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import signature
from typing import Any, Final

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django_migration_linter import MigrationLinter

from classrooms.progress.models import FactMastery, ProgressLock
from classrooms.progress.tasks import rebuild_marked
from nmbrs_edu.celery import app

OLDEST: Final = {
    "checks": "0001_squashed_0002_timed",
    "checkups": "0001_squashed_0002_apostrophes",
    "classrooms": "0001_squashed_0040_reader_words",
    "downloads": "0001_squashed_0004_problem_words",
    "games": "0001_squashed_0011_one_index_fewer",
    "nmbrs_edu": "0001_machine",
    "progress": "0001_squashed_0011_reader_words",
}
"""For each app, the tables of 80d270dd."""
FIRST_OF_AN_APP: Final = {*OLDEST.items(), ("lti", "0001_learning_platforms")}
NEVER_BROKEN_BY_ONE: Final = (
    "0041_one_owner_and_no_circle",
    "0045_riddles_and_hands",
    "0046_squashed_0057_more_booleans_as_questions",
    "0013_squashed_0018_turns_of_bots",
)
"""Unique constraints that older code also keeps, except if two people act at the same moment."""
MESSAGES: Final = {
    "classrooms.downloads.forget_ended": (),
    "classrooms.downloads.look_for_waiting": (),
    "classrooms.downloads.make": ("5f0a",),
    "classrooms.erase_removed": (),
    "classrooms.forget_old_sign_ins": (),
    "classrooms.progress.compare_a_sample": (),
    "classrooms.progress.keep_or_purge": (),
    "classrooms.progress.look_at_game": ("5f0a",),
    "classrooms.progress.look_at_sitting": (7,),
    "classrooms.progress.look_for_dirty": (),
    "classrooms.progress.look_for_weekly_mails": (),
    "classrooms.progress.rebuild_marked": (),
    "classrooms.progress.send_weekly_mail": (7, "2026-03-02"),
    "classrooms.repeat_weekly": (),
    "nmbrs_edu.answer": ("here",),
    "nmbrs_edu.note_queue": ("celery",),
}
"""What a queue of 80d270dd contains: the tasks by name, with arguments."""


def test_a_queue_of_80d270dd_is_understood() -> None:
    app.loader.import_default_modules()
    for name, arguments in MESSAGES.items():
        signature(app.tasks[name].run).bind(*arguments)


# Older web processes


@pytest.fixture
def linter(db: None) -> MigrationLinter:
    return MigrationLinter(no_cache=True)


def test_later_migrations_leave_an_older_web_what_it_needs(
    linter: MigrationLinter, capsys: pytest.CaptureFixture[str]
) -> None:
    for key, migration in linter.migration_loader.disk_migrations.items():
        if key[0] in dict(FIRST_OF_AN_APP) and key not in FIRST_OF_AN_APP:
            of_unique = ["ADD_UNIQUE"] if migration.name in NEVER_BROKEN_BY_ONE else []
            linter.exclude_migration_tests = of_unique
            linter.lint_migration(migration)
    assert not linter.has_errors, capsys.readouterr().out


def test_a_migration_that_breaks_an_older_web_is_noticed(
    linter: MigrationLinter, capsys: pytest.CaptureFixture[str]
) -> None:
    linter.lint_migration(
        linter.migration_loader.disk_migrations["progress", "0013_squashed_0018_turns_of_bots"]
    )
    assert linter.has_errors
    assert "unique constraint" in capsys.readouterr().out


# A school of 80d270dd


def migrate(to: list[tuple[str, str]]) -> Any:
    MigrationExecutor(connection).migrate(to)
    return MigrationExecutor(connection).loader.project_state(to).apps.get_model


def migrate_to_today() -> Any:
    return migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


@pytest.fixture
def old(transactional_db: None) -> Iterator[Any]:
    """Finds the models of 80d270dd, whose tables the database has."""
    MigrationExecutor(connection).migrate([("lti", None)])
    yield migrate([*OLDEST.items()])
    migrate_to_today()


@pytest.mark.proof
@pytest.mark.both_databases
def test_data_of_80d270dd_become_what_new_data_would_be(old: Any) -> None:
    """One test, because migrating back and forth takes far longer than the checks."""
    two_owners, none = (old("classrooms", "SchoolClass").objects.create(name=n) for n in "AB")
    users = [old("classrooms", "User").objects.create(email=f"{n}@example.org") for n in "ab"]
    teachings = old("classrooms", "Teaching").objects
    for school_class, role in ((two_owners, "owner"), (none, "co-teacher")):
        for user in users:
            teachings.create(school_class=school_class, user=user, role=role)
    children = old("classrooms", "Child")._base_manager
    dora, emil, gus, hugo = (
        children.create(school_class=none, name=name, checks=name != "G") for name in "DEGH"
    )
    for child, into in ((dora, emil), (emil, dora), (gus, hugo)):
        old("classrooms", "Merge").objects.create(child=child, into=into)
    LogEntry.objects.create(
        user_id=users[0].pk, object_repr="Dora", action_flag=3, change_message=""
    )
    game = old("games", "Game").objects.create(ruleset_data={}, engine_version="1", seed=1)
    old("games", "Action").objects.create(game=game, number=1, kind="deal", text="deal")
    answer_facts(old, dora)
    new = migrate_to_today()

    owned = new("classrooms", "Teaching").objects.filter(role="owner")
    assert set(owned.values_list("school_class__name", "user__email")) == {
        ("A", "a@example.org"),
        ("B", "a@example.org"),
    }
    (merge,) = new("classrooms", "Merge").objects.all()
    assert merge.child_id == gus.pk
    assert not LogEntry.objects.exists()
    without = new("classrooms", "Child")._base_manager.filter(gets_questions=False)
    assert [child.name for child in without] == ["G"]
    (entry,) = new("games", "Entry").objects.all()
    assert (entry.game_id, entry.text, entry.missed) == (game.pk, "deal", None)
    rebuild_marked()
    (mastery,) = FactMastery.objects.all()
    assert (mastery.child_id, mastery.reached) == (dora.pk, "learning")
    assert ProgressLock.objects.get().rules > 1


def answer_facts(old: Any, child: Any) -> None:
    """Answer 6 × 7 on three days, counted by the first rules."""
    sitting = old("checks", "Sitting").objects.create(
        child=child, round=1, questions=[["fact", [6, 7]]] * 3, done=3
    )
    for number in range(3):
        at = datetime(2026, 3, 2 + number, 12, tzinfo=UTC)
        old("checks", "Check").objects.create(
            sitting=sitting,
            number=number,
            child=child,
            school_class_id=child.school_class_id,
            kind="fact",
            first=6,
            second=7,
            answer=42,
            right=True,
            how="derived",
            asked_at=at,
            answered_at=at,
            day=at.date(),
        )
    old("progress", "SittingEvidence").objects.create(sitting=sitting, upto=3)
    old("progress", "ProgressLock").objects.create(child=child)
