"""Checks of what the migrations made of the old code's rows."""

from typing import Final

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from classrooms.models import AuditEntry, Child
from classrooms.progress.models import ChildDay, ProgressLock, TableDay
from classrooms.progress.rebuild import compare_game, rebuild
from classrooms.progress.tasks import rebuild_marked
from games.models import Game
from tests.classrooms.progress.stored import everything
from tests.upgrade.school import School

PLAYED: Final = ChildDay.objects.order_by("child", "day").values_list(
    "child", "day", "rounds", "turns", "checks"
)


def every_migration_was_made(school: School) -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def looks_at_pictures_went_into_the_log(school: School) -> None:
    looks = AuditEntry.objects.filter(what="looked", class_id=school.school_class.pk)
    found = sorted(
        (page, child_id is None, is_part)
        for page, child_id, is_part in looks.values_list("page", "child_id", "is_part")
    )
    of_both = [("cards", False, True), ("cards", False, True), ("cards", True, False)]
    assert found == [*of_both, ("pictures", False, False)], found


def nothing_is_left_of_axes(school: School) -> None:
    tables = connection.introspection.table_names()
    assert [name for name in tables if name.startswith("axes")] == []


def children_are_found_by_typed_names(school: School) -> None:
    children = school.school_class.children.values_list("plain_name", flat=True)
    assert sorted(children) == ["dora", "emil"], children


# A round that was over


def a_finished_round_is_counted_again_in_the_background(school: School) -> None:
    """Evidence by turn became chances, and facts are folded over answers: the logs are read again,
    and nothing that was played or answered is lost."""
    assert ProgressLock.objects.filter(to_rebuild=True).count() == ProgressLock.objects.count() > 0
    played = list(PLAYED.all())
    assert not TableDay.objects.exists()
    rebuild_marked()
    assert not ProgressLock.objects.filter(to_rebuild=True).exists()
    assert list(PLAYED.all()) == played
    before = everything()
    assert before["Chance"], before
    assert before["TableDay"], before
    assert before["FactDay"], before
    assert before["FactMastery"], before
    assert rebuild(Child.objects.get(name="Emil")) == 1
    after = everything()
    assert after == before, (before, after)


def the_logs_of_both_games_replay_to_their_snapshots(school: School) -> None:
    games = list(Game.objects.all())
    assert len(games) == 2
    assert [difference for game in games if (difference := compare_game(game))] == []
