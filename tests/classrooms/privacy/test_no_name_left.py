"""No name of an erased child is left anywhere, whatever was done in the class."""

import base64
import io
import json
import logging
import re
import zipfile
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any, Final

import pytest
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.access import classes_of
from classrooms.assignments import playing
from classrooms.audit import What
from classrooms.checkups.models import CheckUp
from classrooms.classes import closing_accounts, expiry
from classrooms.classes import services as classes
from classrooms.downloads import services as downloads
from classrooms.downloads.models import Download
from classrooms.models import (
    Assignment,
    AuditEntry,
    Child,
    GameTable,
    Group,
    KeptAct,
    Merge,
    SchoolClass,
    User,
)
from classrooms.privacy.tasks import erase_removed
from games.models import Game
from games.play import services
from nmbrs_edu.backups import erasures
from nmbrs_edu.backups import services as backups
from nmbrs_edu.celery import app as celery_app
from nmbrs_edu.logs import LineFormatter
from tests.classrooms.at_tables import at_turn, play_turn
from tests.classrooms.people import client_of, client_of_child, confirmed
from tests.counts import times
from tests.factories import AssignmentFactory, CheckUpFactory, TeachingFactory, UserFactory
from tests.games.players import play_on
from tests.plugins.second_database import inside

SEQUENCES: Final = times((0,), range(200))
RESTORED: Final = 10
"""After this many sequences, the backup is restored at the end."""
ACTS: Final = 25


class Life:
    """Some weeks of Alice's two classes; Bob is a co-teacher of one. All acts go through pages,
    which may refuse them."""

    def __init__(self, random: Random, clock: Traveller, folder: Path) -> None:
        self.chance, self.clock, self.folder = random, clock, folder
        self.named: dict[str, Child | SchoolClass] = {}
        """Every name that a child or a class ever had, by its present owner."""
        self.alice, self.bob = (
            confirmed(
                UserFactory.create(
                    email=f"{self.new_name()}@example.org", display_name=self.new_name()
                )
            )
            for _ in "ab"
        )
        self.classes = [
            TeachingFactory.create(user=self.alice, school_class__name=self.new_name()).school_class
            for _ in "ab"
        ]
        TeachingFactory.create(school_class=self.classes[0], user=self.bob)
        self.sign_in()
        for school_class in self.classes:
            self.named[school_class.name] = school_class
            AssignmentFactory.create(school_class=school_class)
            AssignmentFactory.create(school_class=school_class, deal_seed=5)
            AssignmentFactory.create(school_class=school_class, chairs=3)
            CheckUpFactory.create(school_class=school_class)
            self.add(school_class)
            self.add(school_class)

    def new_name(self) -> str:
        return "W" + "".join(self.chance.choices(ascii_lowercase, k=11))

    def sign_in(self) -> None:
        self.client = client_of(self.alice)

    def post(self, page: str, /, *keys: object, **data: object) -> None:
        response = self.client.post(reverse(f"classrooms:{page}", args=keys), data, follow=True)
        assert response.status_code in (200, 404), response

    def some_class(self) -> SchoolClass:
        return self.chance.choice(self.classes)

    def some_child(self, *, removed: bool = False) -> Child | None:
        """A random child who is on a list or, with `removed`, one who is not."""
        children = Child.all_objects.filter(school_class__in=self.classes)
        some = children.exclude(removed_at=None) if removed else children.filter(removed_at=None)
        return self.chance.choice(list(some.order_by("pk"))) if some else None

    def browser(self, child: Child) -> Client:
        return client_of_child(child)

    def add(self, school_class: SchoolClass | None = None) -> None:
        school_class, name = school_class or self.some_class(), self.new_name()
        self.post("children", school_class.pk, names=name)
        self.named[name] = Child.objects.get(school_class=school_class, name=name)

    def rename(self) -> None:
        if child := self.some_child():
            name = self.new_name()
            self.post("child", child.school_class_id, child.pk, name=name)
            self.named[name] = child

    def merge(self) -> None:
        if child := self.some_child():
            others = child.school_class.children.exclude(pk=child.pk).order_by("pk")
            if others:
                into = self.chance.choice(list(others))
                self.post("merge_child", child.school_class_id, child.pk, into=into.pk)

    def undo_merge(self) -> None:
        if merges := Merge.objects.select_related("child").order_by("child"):
            child = self.chance.choice(list(merges)).child
            self.post("undo_merge", child.school_class_id, child.pk)

    def move(self) -> None:
        if child := self.some_child():
            to = self.some_class().pk
            self.post("move_child", child.school_class_id, child.pk, to=to)

    def remove(self) -> None:
        if child := self.some_child():
            self.post("remove_child", child.school_class_id, child.pk)

    def bring_back(self) -> None:
        if child := self.some_child(removed=True):
            self.post("bring_child_back", child.school_class_id, child.pk)

    def learn(self) -> None:
        if child := self.some_child():
            answer = self.browser(child).post(reverse("classrooms:learn"), {"edition": "classic"})
            assert answer.status_code == 302

    def start(self) -> None:
        if child := self.some_child():
            of_class = Assignment.objects.filter(school_class=child.school_class_id)
            assignment = self.chance.choice(list(of_class.order_by("pk")))
            url = reverse("classrooms:start", args=[assignment.pk])
            assert self.browser(child).post(url).status_code == 302

    def play(self) -> None:
        child = self.some_child()
        own = Game.objects.filter(seats__player=child.player) if child else Game.objects.none()
        if child and (game := own.filter(finished_at=None, is_guided=False).order_by("pk").first()):
            ends = services.look(game.pk, child.player).game.version + 8
            play_on(
                game,
                lambda view: (
                    not view.may_act or services.look(game.pk, child.player).game.version > ends
                ),
                child.player,
            )

    def meet(self) -> None:
        """Let two or three children sit down at a table, where somebody may have sat before, and
        play a few moves."""
        school_class = self.some_class()
        assignment = school_class.assignments.filter(chairs__gt=1).first()
        children = list(school_class.children.order_by("pk"))
        for child in self.chance.sample(children, min(len(children), 3)):
            browser = self.browser(child)
            url = reverse("classrooms:sit", args=[assignment.pk])
            assert browser.post(url, follow=True).status_code == 200
            if self.chance.random() < 0.3:
                browser.post(reverse("classrooms:table"), {"do": "begin"}, follow=True)
        for table in GameTable.objects.filter(assignment=assignment, game__finished_at=None):
            there = [chair.child for chair in table.chairs_taken.select_related("child")]
            if table.game and (player := at_turn(table.game, there)):
                play_turn(table.game, player)

    def look_at_tables(self) -> None:
        """Let a teacher end a table, or take a child off it."""
        for table in GameTable.objects.filter(ended_at=None).order_by("pk")[:1]:
            of_class = table.assignment.school_class_id
            chair = table.chairs_taken.order_by("pk").first()
            do = {"do": "take-off", "child": chair.child_id} if chair else {"do": "end"}
            self.post("class_table", of_class, table.pk, **do)

    def take_check_up(self) -> None:
        if child := self.some_child():
            check_up = CheckUp.objects.filter(school_class=child.school_class_id).first()
            url = reverse("classrooms:take_check_up", args=[check_up.pk])
            browser = self.browser(child)
            browser.post(url, {"do": "begin"})
            browser.post(url, {"number": "0", "answer": "12"})

    def group(self) -> None:
        if child := self.some_child():
            groups = Group.objects.filter(school_class=child.school_class_id)
            if group := groups.filter(children=child).order_by("pk").first():
                self.post("remove_child_group", child.school_class_id, group.pk)
            else:
                new = {"name": self.new_name(), "children": [child.pk]}
                self.post("new_child_group", child.school_class_id, **new)

    def undo(self) -> None:
        for act in KeptAct.objects.filter(user=self.alice).order_by("at"):
            of = act.school_class_id
            name, *keys = ("undo", of, act.key) if of else ("undo_act", act.key)
            self.post(name, *keys)

    def download(self) -> None:
        if child := self.some_child():
            kind = self.chance.choice(["class-tables", "child-everything"])
            own = {"child": child.pk} if kind == "child-everything" else {}
            self.post("downloads", child.school_class_id, kind=kind, language="en", **own)
            for download in Download.objects.filter(state=Download.State.WAITING):
                assert downloads.make(download.pk)

    def try_out(self) -> None:
        school_class = self.some_class()
        assignment = school_class.assignments.order_by("pk").first()
        self.post("try_assignment", school_class.pk, of=assignment.pk)

    def read(self) -> None:
        if child := self.some_child():
            for name in ("child", "child_pictures"):
                keys = [child.school_class_id, child.pk]
                self.client.get(reverse(f"classrooms:{name}", args=keys))

    def invite(self) -> None:
        self.post("invite", self.some_class().pk, email=self.bob.email, role="co-teacher")

    def begin_year(self) -> None:
        steps = [
            classes.YearStep(school_class.pk, self.new_name()) for school_class in self.classes
        ]
        assert classes.begin_year(classes_of(self.alice), steps, self.alice) == 2
        self.named |= {
            step.name: school_class for step, school_class in zip(steps, self.classes, strict=True)
        }

    def back_up(self) -> None:
        backups.back_up(self.folder, timezone.now())

    def pass_week(self) -> None:
        self.clock.shift(timedelta(days=8))
        finished = Merge.objects.all()
        into = {merge.child_id: merge.into for merge in finished.select_related("into")}
        self.night()
        child_ids = set(Child.all_objects.values_list("pk", flat=True))
        for name, child in self.named.items():
            while child.pk in into and child.pk not in child_ids:
                child = into[child.pk]
            self.named[name] = child
        self.sign_in()

    def night(self) -> None:
        erase_removed()
        expiry.carry_out(timezone.now())
        closing_accounts.delete_closed(timezone.now())

    def lives(self) -> None:
        acts = self.chance.choices(
            [getattr(self, name) for name in WEIGHTS], weights=list(WEIGHTS.values()), k=ACTS
        )
        for act in acts:
            act()
            erasures.record(self.folder, timezone.now())

    def erase_child(self) -> None:
        if child := self.some_child():
            self.post("erase_child", child.school_class_id, child.pk)
            assert not Child.all_objects.filter(pk=child.pk).exists()

    def erase_class(self) -> None:
        school_class = SchoolClass.objects.get(pk=self.classes[0].pk)
        self.post("year_end", school_class.pk, what="erase", name=school_class.name)
        assert not SchoolClass.objects.filter(pk=school_class.pk).exists()

    def delete_account(self) -> None:
        self.post("close_account", sure="1")
        self.clock.shift(closing_accounts.ACCOUNT_KEPT_FOR + timedelta(days=1))
        self.night()
        assert not User.objects.filter(pk=self.alice.pk).exists()

    def names_of_the_erased(self) -> set[str]:
        there = set(Child.all_objects.values_list("pk", flat=True))
        there |= set(SchoolClass.objects.values_list("pk", flat=True))
        adults = set(User.objects.values_list("pk", flat=True))
        return {
            *(name for name, person in self.named.items() if person.pk not in there),
            *(adult.email for adult in (self.alice, self.bob) if adult.pk not in adults),
            *(adult.display_name for adult in (self.alice, self.bob) if adult.pk not in adults),
        }


WEIGHTS: Final = {
    "add": 2, "rename": 2, "merge": 3, "undo_merge": 2, "move": 2, "remove": 1, "bring_back": 1,
    "learn": 5, "start": 4, "play": 3, "meet": 4, "look_at_tables": 1, "take_check_up": 2,
    "group": 3, "undo": 2, "download": 2, "try_out": 1, "read": 1, "invite": 1, "back_up": 1,
    "pass_week": 2, "begin_year": 1,
}  # fmt: skip


def places_with(names: Collection[str]) -> set[str]:
    """The places in the database with one of these names: in any column, session, file or
    message."""
    if not names:
        return set()
    pattern = re.compile("|".join(map(re.escape, names)), re.IGNORECASE)
    places = set(columns_with(pattern.pattern))
    for session in Session.objects.all():
        if pattern.search(json.dumps(session.get_decoded())):
            places.add("a session")
    for download in Download.objects.exclude(content=None).select_related("school_class", "child"):
        content = downloads.content_of(download)
        assert content is not None
        for part in parts_of(content):
            if pattern.search(part.decode("utf-8", "ignore")):
                places.add(f"download {download.kind}")
    return places


def columns_with(pattern: str) -> Iterator[str]:
    """The columns that contain this text, of all text columns in the database's catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND data_type IN"
            " ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY')"
        )
        columns = cursor.fetchall()
        assert ("games_seat", "name") in {column[:2] for column in columns}
        checks, values = [], []
        for table, column, kind in columns:
            text = f"encode(\"{column}\", 'escape')" if kind == "bytea" else f'"{column}"::text'
            checks.append(
                f"SELECT '{table}.{column}' WHERE EXISTS"
                f' (SELECT 1 FROM "{table}" WHERE {text} ~* %s)'
            )
            values.append(pattern)
        cursor.execute(" UNION ALL ".join(checks), values)
        yield from (place for (place,) in cursor.fetchall())


def parts_of(content: bytes) -> Iterator[bytes]:
    if not zipfile.is_zipfile(io.BytesIO(content)):
        yield content
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            yield name.encode()
            yield from parts_of(archive.read(name))


READ: Final[dict[bytes, Sequence[Any]]] = {
    b"string": ("get",),
    b"list": ("lrange", 0, -1),
    b"set": ("smembers",),
    b"hash": ("hvals",),
    b"zset": ("zrange", 0, -1),
}


def queue_text() -> str:
    """Everything in the queue, with messages decoded."""
    texts: list[str] = []
    with celery_app.connection_for_write() as open_:
        client = open_.default_channel.client
        for key in client.keys("*"):
            command, *more = READ[client.type(key)]
            values = getattr(client, command)(key, *more)
            texts += map(decoded, [values] if isinstance(values, bytes) else values)
    return "\n".join(texts)


def decoded(value: bytes) -> str:
    text = value.decode("utf-8", "ignore")
    for body in re.findall(r'"body": "([^"]+)"', text):
        text += base64.b64decode(body).decode("utf-8", "ignore")
    return text


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that the site writes to its log, at the lowest level."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lines
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def folder(pg_programs: None, settings: LazySettings, tmp_path: Path) -> Path:
    settings.BACKUPS_DIR = str(tmp_path / "backups")
    return tmp_path / "backups"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", SEQUENCES)
def test_no_name_of_an_erased_child_is_left_after_any_acts(
    seed: int, clock: Traveller, folder: Path, second_database: str, log: io.StringIO
) -> None:
    life = Life(Random(seed), clock, folder)
    life.lives()
    if seed % RESTORED == 0:
        life.back_up()
    for erase in (life.erase_child, life.erase_class, life.delete_account):
        erase()
        erasures.record(folder, timezone.now())
        names = life.names_of_the_erased()
        assert places_with(names) == set()
    pattern = re.compile("|".join(map(re.escape, names)), re.IGNORECASE)
    assert not pattern.search(log.getvalue())
    assert not pattern.search(queue_text())
    assert not pattern.search((folder / erasures.FILE).read_text())
    if seed % RESTORED == 0:
        with inside(second_database):
            call_command("restore_backup", stdout=io.StringIO())
            assert places_with(names) == set()


@pytest.mark.django_db
def test_a_name_is_found_wherever_it_may_be(clock: Traveller, folder: Path) -> None:
    """So `test_no_name_of_an_erased_child_is_left_after_any_acts` would find a name."""
    life = Life(Random(1), clock, folder)
    child = Child.objects.order_by("pk")[0]
    name = child.name
    playing.start_guided_round(child, "classic", 1)
    Download.objects.create(
        school_class=child.school_class,
        kind="class-tables",
        content=name.encode(),
        ends_at=timezone.now(),
    )
    AuditEntry.objects.create(what=What.ADDED, detail={"name": name})
    session = life.client.session
    session["name"] = name
    session.save()
    assert places_with([name]) >= {
        "classrooms_child.name",
        "classrooms_child.plain_name",
        "classrooms_auditentry.detail",
        "games_seat.name",
        "downloads_download.content",
        "download class-tables",
        "a session",
    }
