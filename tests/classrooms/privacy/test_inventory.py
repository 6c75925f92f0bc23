"""All data of a child can be exported and erased. The tests follow the keys of the schema."""

import json
import zipfile
from io import BytesIO
from uuid import UUID

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone

from classrooms.assignments import tables
from classrooms.audit import Page, What, audit, log_view_of_secrets
from classrooms.downloads import services as downloads
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.models import Download
from classrooms.lti.models import Course, LineItem, Platform, PlatformPerson, SentScore
from classrooms.models import (
    Assignment,
    AuditEntry,
    Child,
    GameTable,
    KnownDevice,
    Merge,
    QrCode,
    School,
    SourceClass,
    SourcePupil,
    Tombstone,
    User,
    WrongTries,
)
from classrooms.privacy import erasure, export
from classrooms.privacy.export import DECLARED_TABLES, rows_of
from classrooms.progress.models import Difference, ProgressLock
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Typed
from games.models import Entry, Game
from tests.classrooms.at_tables import game_of, play_round
from tests.classrooms.checkups.answering import take
from tests.classrooms.people import all_of, client_of_child
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.playing import Hand, begin, begin_with_a_row
from tests.factories import (
    AssignmentFactory,
    CheckUpFactory,
    ChildFactory,
    DownloadFactory,
    GroupFactory,
    RosterSourceFactory,
    TableFactory,
)

pytestmark = pytest.mark.django_db


def tables_of_a_child() -> set[str]:
    """The tables from which keys lead to a child, or to a game."""
    models: list[type[Model]] = apps.get_models(include_auto_created=True)
    reached: set[type[Model]] = {Child, Game}
    while True:
        more = {
            model
            for model in models
            if model not in reached
            and any(
                field.remote_field and field.remote_field.model in reached
                for field in model._meta.concrete_fields
            )
        }
        if not more:
            return {model._meta.label for model in reached}
        reached |= more


@pytest.fixture
def busy_child(alice: User, dora: Child, emil: Child, assignment: Assignment) -> Child:
    """Dora, who has rows in every table."""
    anything = AssignmentFactory.create(school_class=dora.school_class, options={"offers": False})
    begin_with_a_row(dora, anything).play_round()
    Hand(begin(dora, assignment, seed=6)).draw()
    for ago in range(3):
        answer(dora, 6, 7 + ago, assignment=assignment)
    look_for_dirty()
    Typed.objects.create(child=dora, digits=2, ms=900)
    take(dora, CheckUpFactory.create(school_class=dora.school_class))
    GroupFactory.create(school_class=dora.school_class, children=[dora])
    assignment.children.add(dora)
    Merge.objects.create(
        child=ChildFactory.create(school_class=dora.school_class, removed_at=timezone.now()),
        into=dora,
    )
    at_table = AssignmentFactory.create(school_class=dora.school_class, chairs=2)
    TableFactory.create(children=[dora, emil], assignment=at_table)
    client_of_child(dora)
    KnownDevice.objects.create(child=dora, device_hash="d" * 64)
    WrongTries.objects.get_or_create(child=dora, device_hash="d" * 64)
    QrCode.objects.get_or_create(child=dora)
    log_view_of_secrets(alice, Page.PICTURES, [dora])
    ProgressLock.objects.get_or_create(child=dora)
    Difference.objects.create(what=Difference.What.PROGRESS, child=dora, told="x")
    DownloadFactory.create(school_class=dora.school_class, children=[dora], ready=True)
    linked_to_platform(dora, assignment)
    source = RosterSourceFactory.create(school=School.objects.create(name="The Oak"))
    listed = SourceClass.objects.create(source=source, key_hash="5b", title="5B")
    SourcePupil.objects.create(source_class=listed, key_hash="d", name="Dora", child=dora)
    return dora


def linked_to_platform(child: Child, assignment: Assignment) -> None:
    """Link the child to a person of a learning platform that receives their progress."""
    school = School.objects.create(name="The school")
    platform = Platform.objects.create(school=school, name="Moodle")
    course = Course.objects.create(platform=platform, context="c1", school_class=child.school_class)
    column = LineItem.objects.create(course=course, assignment=assignment, url="https://a.example")
    person = PlatformPerson.objects.create(platform=platform, child=child, subject_hash="7" * 64)
    SentScore.objects.create(line_item=column, person=person, percent=50, sent_at=timezone.now())


def test_every_table_that_leads_to_a_child_is_declared() -> None:
    by_number = {"classrooms.AuditEntry"}  # It outlives the child, so no key leads from it.
    assert tables_of_a_child() | by_number == {declared.model for declared in DECLARED_TABLES}


def test_the_export_has_something_from_every_table(busy_child: Child) -> None:
    assert [table for table, rows in all_of(busy_child).items() if not rows] == []


def test_the_export_has_no_secret_and_no_hidden_card(busy_child: Child) -> None:
    exported = all_of(busy_child)
    secret = {
        "subject_hash",
        "pictures_encrypted",
        "token_hash",
        "seed",
        "snapshot",
        "device_hash",
        "nonce",
    }
    assert not [
        name for rows in exported.values() for row in rows for name in row if name in secret
    ]
    running = {game["id"] for game in exported["games.Game"] if game["finished_at"] is None}
    assert running
    decks = {act["game_id"] for act in exported["games.Action"] if act["kind"] == "deal"}
    assert not decks & running


def test_the_export_of_a_child_has_nothing_about_another(busy_child: Child, emil: Child) -> None:
    DownloadFactory.create(
        school_class=busy_child.school_class,
        kind="certificates",
        options={"keys": [f"{emil.pk}-7-fluent"]},
        children=[busy_child, emil],
    )
    export = repr(all_of(busy_child))
    assert str(emil.pk) not in export
    assert str(emil.player) not in export
    assert "Emil" not in export


def test_a_shared_games_export_has_no_entries_of_classmates(busy_child: Child, emil: Child) -> None:
    table = GameTable.objects.get()
    for child in (busy_child, emil):
        tables.sit(child, table.assignment_id)
    play_round(game_of(table), [busy_child, emil])
    exported = [
        act for act in all_of(busy_child)["games.Action"] if act["game_id"] == table.game_id
    ]
    assert {act["seat"] for act in exported} == {0}
    own = Entry.objects.filter(game=table.game_id, seat=0).count()
    assert len(exported) == own


def test_erasing_a_child_removes_their_key_from_requests(
    alice: User, busy_child: Child, emil: Child
) -> None:
    keys = {"keys": [f"{busy_child.pk}-7-fluent", f"{emil.pk}-7-fluent"]}
    downloads.request_download(
        busy_child.school_class, KINDS["certificates"], alice, "en", None, keys
    )
    child_id = str(busy_child.pk)
    erasure.erase_child(busy_child, None)
    assert [row for row in everywhere() if child_id in row] == []


def test_erasing_a_child_leaves_nothing_but_a_keyed_tombstone(
    alice: User, busy_child: Child, emil: Child
) -> None:
    audit(alice, What.LOOKED, child=busy_child)
    ProgressLock.objects.get_or_create(child=emil)
    before, child_id, player = all_of(emil), busy_child.pk, busy_child.player
    erasure.erase_child(busy_child, None)
    call_command("rebuild_progress", verbosity=0)
    erased = Child(pk=child_id, player=player)
    assert [d.model for d in DECLARED_TABLES if rows_of(erased, d).exists()] == []
    assert [name for name in everywhere() if str(child_id) in name or child_id.hex in name] == []
    assert Tombstone.objects.filter(key=erasure.tombstone_key(child_id)).exists()
    assert set(
        AuditEntry.objects.filter(class_id=emil.school_class_id).values_list("child_id")
    ) == {(erasure.tombstone_key(child_id),)}
    shared = ("games.Game", "games.Seat", "games.Action", "progress.GameEvidence")
    assert [name for name, rows in all_of(emil).items() if rows != before[name]] == [
        name for name in shared if all_of(emil)[name] != before[name]
    ]


def everywhere() -> list[str]:
    """Every row of every table, as text."""
    return [
        f"{model._meta.label} {sorted(row.items())!r}"
        for model in apps.get_models(include_auto_created=True)
        for row in model._base_manager.values()
    ]


def test_the_file_has_json_tables_and_a_page(busy_child: Child) -> None:
    steps: list[tuple[int, int]] = []
    download = Download.objects.get()
    download.child = busy_child
    file = export.make(download, lambda step, total: steps.append((step, total)))
    archive = zipfile.ZipFile(BytesIO(file))
    names = archive.namelist()
    assert {"everything.json", "everything.html", "tables/progress.Chance.csv"} <= set(names)
    exported = json.loads(archive.read("everything.json"))
    assert exported["classrooms.Child"][0]["name"] == "Dora"
    assert "Dora" in archive.read("everything.html").decode()
    total = len(DECLARED_TABLES) + 1
    assert steps == [(step, total) for step in range(total)]


def test_a_tombstones_key_needs_the_sites_secret(settings: LazySettings) -> None:
    child_id = UUID(int=7)
    before = erasure.tombstone_key(child_id)
    settings.SECRET_KEY = "another"
    assert erasure.tombstone_key(child_id) != before != child_id
