"""Two posts at once to the same object: every pair of pages that take one. Both look before either
locks; afterwards the school is whole, and nobody was answered with an error of the server."""

import random
import re
from collections.abc import Callable, Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from itertools import combinations_with_replacement
from math import inf
from threading import Barrier, BrokenBarrierError
from typing import Any, Final, NamedTuple
from uuid import uuid4

import pytest
from celery import Task
from django.db import connection, connections, transaction
from django.db.models import Count, Q
from django.test import Client

from classrooms.assignments import tables
from classrooms.assignments.choice import PRESETS
from classrooms.classes import services
from classrooms.locks import ActRefused
from classrooms.models import (
    Assignment,
    Child,
    KeptAct,
    Membership,
    Merge,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    Teaching,
)
from classrooms.privacy.erasure import erase_child, erase_class
from classrooms.ui import processes
from games.models import Game
from tests.classrooms.assignments.posting import FORM
from tests.classrooms.people import client_of
from tests.counts import times
from tests.destructive_acts import LOST, every_week
from tests.permission_table import DECLARED, address
from tests.permission_world import World, make_world
from tests.test_every_act import ACTS, WRITES_NOTHING, Target, own_class

pytestmark = pytest.mark.django_db(transaction=True)

RUNS: Final = times(1, 20)
"""How often a pair that writes the same table is run; others are run once."""
SAMPLE: Final = times(8, 0)
"""How many pairs `make test` runs beside the `KNOWN` ones; the proof runs all."""
PATIENCE: Final = 0.3
"""How many seconds one of two waits for the other to have looked too."""
WRITES: Final = ("INSERT", "UPDATE", "DELETE")
WRITTEN: Final = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM)(?: ONLY)? \"?(\w+)\"?")
OF_SESSIONS: Final = ("django_session", "usersessions", "classrooms_adultdevice")
NO_MEETING: Final = (*OF_SESSIONS, "classrooms_auditentry", "classrooms_keptact")
"""The beginnings of tables to which each act adds rows of its own."""


class Post(NamedTuple):
    name: str
    data: Any = {}
    prepare: Callable[[Target], Any] | None = None
    who: str = "Alice"

    def __str__(self) -> str:
        return " ".join((self.name, *map(str, list(self.data.values())[:1])))


def archived(target: Target) -> Any:
    services.archive(own_class(target))
    return {}


def taken_off_a_group(target: Target) -> Any:
    """Take Dora off her group. Returns the post that brings her back."""
    emil = Child.objects.get(name="Emil")
    client = client_of(own_class(target).teachers.get(teachings__role="owner"))
    data = {"name": "Owls", "children": [emil.pk]}
    client.post(address("classrooms:child_group", target), data)
    target["key"] = KeptAct.objects.latest("at").key
    return {"session": client}


def a_move(target: Target) -> Any:
    game = Game.objects.get(pk=target["game_id"])
    return {"seen": game.version, "key": uuid4(), "move": "draw-closed"}


def at_tables(target: Target) -> Any:
    """The assignment is played at tables, and Emil waits at one."""
    assignment = Assignment.objects.get(pk=target["assignment_id"])
    Assignment.objects.filter(pk=assignment.pk).update(chairs=3, deal_seed=None)
    assignment.refresh_from_db()
    tables.sit(Child.objects.get(name="Emil"), assignment)
    return {}


def dora_at_the_table(target: Target) -> Any:
    return {"child": target["child_id"]}


def two_admins(target: Target) -> Any:
    Membership.objects.update(role=Membership.Role.ADMIN)
    return {}


def emil_and_hugo(target: Target) -> Any:
    return {"name": "Owls", "children": [each.pk for each in own_class(target).children.all()]}


def of_dora(target: Target) -> Any:
    return {"children": target["child_id"]}


def a_step_for_dora(target: Target) -> Any:
    """The same step as with one tap."""
    return {f"step-{target['child_id']}": "7"}


def the_other_way(target: Target) -> Any:
    """Emil, into Dora."""
    return {"into": target["child_id"], **emils(target)}


def emils(target: Target) -> Any:
    return {"of": {"child_id": Child.objects.get(name="Emil").pk}}


def unlinked(target: Target) -> Any:
    """The post that unlinks the list of the class."""
    linked = SourceClass.objects.get(school_class=target["class_id"])
    return {f"class-{linked.pk}": ""}


def all_agreed(target: Target) -> Any:
    """The new child is added, and the one whom the source no longer lists is removed."""
    rows = SourcePupil.objects.filter(source_class__school_class=target["class_id"])
    return {f"pupil-{row.pk}": "new" if row.is_here else "gone" for row in rows}


OF_A_PLATFORM: Final = ("register", "login", "launch", "enter", "chosen")
OTHERS: Final = (
    Post("classrooms:assign", {"preset": next(iter(PRESETS))}),
    Post("classrooms:assign_detail", FORM),
    Post("classrooms:assign_try", {"preset": next(iter(PRESETS))}),
    Post("classrooms:new_deal", {"preset": "next"}),
    Post("classrooms:hand", {"tables": ["3", "4"]}),
    Post("classrooms:live", {"do": "pause"}),
    Post("classrooms:resume_assignment"),
    Post("classrooms:repeat_assignment"),
    Post("classrooms:edit_assignment", {"note": "Well"}),
    Post("classrooms:give_step", {"step": "7"}, of_dora),
    Post("classrooms:next_steps", {"do": "give"}, a_step_for_dora),
    Post("classrooms:new_check_up", {"tables": ["6", "7"]}),
    Post("classrooms:reopen_check_up"),
    Post("classrooms:new_child_group", {}, emil_and_hugo),
    Post("classrooms:child_group", {}, emil_and_hugo),
    Post("classrooms:stop_repeating", {}, every_week),
    Post("classrooms:undo", {}, taken_off_a_group),
    Post("classrooms:weekly_mail", {"do": "want"}),
    Post("classrooms:download_again"),
    Post("classrooms:delete_download", {"sure": "1"}),
    Post("classrooms:upload_children"),
    Post("classrooms:school_source", {"do": "read"}, who="Ada"),
    Post("classrooms:school_source", {"do": "link"}, unlinked, who="Ada"),
    Post("classrooms:school_changes", {}, all_agreed, who="Ada"),
    Post("classrooms:class_changes", {}, all_agreed),
    Post("classrooms:start", who="Dora"),
    Post("classrooms:sit", {}, at_tables, "Dora"),
    Post("classrooms:sit", {}, at_tables, "Emil"),
    Post("classrooms:table", {"do": "begin"}, at_tables, "Dora"),
    Post("classrooms:table", {"do": "leave"}, at_tables, "Dora"),
    Post("classrooms:class_table", {"do": "take-off"}, dora_at_the_table),
    Post("classrooms:riddles", who="Dora"),
    Post("classrooms:riddle", who="Dora"),
    Post("classrooms:class_riddle"),
    Post("classrooms:learn", {"edition": "simplified"}, who="Dora"),
    Post("classrooms:speed", {"speed": "slow"}, who="Dora"),
    Post("classrooms:sounds", {"sounds": "on"}, who="Dora"),
    Post("classrooms:language", {"language": "sv"}, who="Dora"),
    Post("classrooms:face", {"hair": "1"}, who="Dora"),
    Post("classrooms:check", {"number": "0", "answer": "12"}, who="Dora"),
    Post("classrooms:take_check_up", {"do": "answer", "number": "0", "answer": "12"}, who="Dora"),
    Post("games:act", {}, a_move, who="Dora"),
    Post("classrooms:leave", who="Dora"),
    Post("classrooms:card", who="nobody"),
    Post("classrooms:pictures", {"picture": "cat"}, who="nobody"),
    Post("classrooms:typed_name", {"picture": "cat"}, who="nobody"),
    Post("classrooms:code", {"code": "ABCD EFGH"}, who="nobody"),
    Post("classrooms:course_members"),
    *(Post(f"classrooms:lti_{name}", who="nobody") for name in OF_A_PLATFORM),
    Post("classrooms:stop_address_change", {"sure": "1"}),
    Post("classrooms:stop_weekly_mail", {"sure": "1"}, who="nobody"),
    Post("classrooms:reopen_account", who="nobody"),
    Post("classrooms:join_school", who="Gus"),
)
"""What `test_every_act` does not post, because it leaves no entry in a log."""
AS_ANOTHER: Final = (
    Post("classrooms:close_account", {"sure": "1"}, two_admins, "Ada"),
    Post("classrooms:close_account", {"sure": "1"}, two_admins, "Alice"),
    Post("classrooms:close_account", {"sure": "1"}, who="Bob"),
    Post("classrooms:leave_school", {"sure": "1"}, two_admins, "Ada"),
    Post("classrooms:restore_class", {}, archived),
    Post("classrooms:merge_child", {}, the_other_way),
    Post("classrooms:rename_child", {"name": "Dora B."}, emils),
)
"""Acts of others, or with other objects, than `test_every_act` posts."""
NOT_OF_THE_SCHOOL: Final = ("set_language", "classrooms:display_name")


def posts() -> list[Post]:
    """Every act of the site, as one post that does it."""
    found = [
        Post(name, act.data, act.prepare, act.who) for name, acts in ACTS.items() for act in acts
    ]
    lost = [
        Post(name, LOST[name].data, LOST[name].prepare)
        for name in WRITES_NOTHING
        if name in LOST and name not in {post.name for post in OTHERS}
    ]
    return [*found, *lost, *OTHERS, *AS_ANOTHER]


POSTS: Final = tuple(posts())
PAIRS: Final = list(combinations_with_replacement(POSTS, 2))
KNOWN: Final = (
    "merge_child",
    "rename_child",
    "erase_child",
    "new_child_group",
    "withdraw_check_up",
    "close_account",
    "leave_school",
    "school_move",
)
"""Two of these have broken something or answered with 500 in an attack."""


def chosen() -> list[tuple[Post, Post]]:
    if not SAMPLE:
        return PAIRS
    known = [pair for pair in PAIRS if all(post.name.partition(":")[2] in KNOWN for post in pair)]
    return [*known, *random.Random(3).sample(PAIRS, SAMPLE)]


def bundles() -> list[list[tuple[Post, Post]]]:
    found = chosen()
    return [found[first : first + 200] for first in range(0, len(found), 200)]


def test_every_page_that_takes_a_post_is_here() -> None:
    wanted = {
        name
        for name, (kind, methods) in DECLARED.items()
        if "POST" in methods and kind not in ("account", "admin")
    }
    assert {post.name for post in POSTS} | set(NOT_OF_THE_SCHOOL) == wanted


class Kept:
    """All tables as they are now, to be laid over them again."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                " AND tablename NOT LIKE 'django_migrations'"
            )
            names = [f'"{name}"' for (name,) in cursor.fetchall()]
            cursor.execute("DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept")
            for name in names:
                cursor.execute(f"CREATE TABLE kept.{name} AS TABLE public.{name}")
        self._again = {
            name.strip('"'): f"DELETE FROM public.{name};"
            f" INSERT INTO public.{name} SELECT * FROM kept.{name}"
            for name in names
        }

    def bring_back(self, written: Set[str]) -> None:
        again = [self._again[name] for name in self._again.keys() & written]
        if again:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = replica")
                cursor.execute(";".join(again))


class _Meeting:
    """Holds back the first statement of each of two requests that writes or locks something, until
    the other has come as far; notes the tables that they write."""

    def __init__(self) -> None:
        self.barrier = Barrier(2)
        self.is_past = [False, False]
        self.written: list[set[str]] = [set(), set()]

    def of(self, side: int) -> Callable[..., Any]:
        def wait(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            acts = sql.startswith(WRITES) or "FOR UPDATE" in sql or "FOR NO KEY" in sql
            if acts and not self.is_past[side] and not any(name in sql for name in OF_SESSIONS):
                self.is_past[side] = True
                with suppress(BrokenBarrierError):
                    self.barrier.wait(PATIENCE)
            return noting(self.written[side])(execute, sql, params, many, context)

        return wait


def noting(written: set[str]) -> Callable[..., Any]:
    """Run each statement, and note the tables that it writes."""

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        written.update(WRITTEN.findall(sql))
        return execute(sql, params, many, context)

    return note


def both(
    acts: Sequence[Callable[[], int]], sides: Sequence[ThreadPoolExecutor]
) -> tuple[list[int], list[set[str]]]:
    """What these two answered, done at once, and the tables that each wrote."""
    meeting = _Meeting()

    def alone(side: int, do: Callable[[], int]) -> int:
        try:
            with connection.execute_wrapper(meeting.of(side)):
                return do()
        finally:
            meeting.barrier.abort()

    running = [sides[side].submit(alone, side, do) for side, do in enumerate(acts)]
    return [each.result(120) for each in running], meeting.written


@pytest.fixture
def sides() -> Iterator[Sequence[ThreadPoolExecutor]]:
    """Two threads, each with a connection of its own."""
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        yield one, other
        one.submit(connections.close_all)
        other.submit(connections.close_all)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, settings: Any) -> World:
    """No worker is asked for anything, nobody has to prove again who they are, and an account may
    have more PDFs set than any teacher needs in so short a time."""
    monkeypatch.setattr(Task, "apply_async", lambda *args, **options: None)
    monkeypatch.setattr(processes, "MOST_SECONDS", inf)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 24 * 60 * 60
    settings.ZEAL_RAISE = False
    return make_world()


@pytest.mark.parametrize("pairs", bundles(), ids=lambda pairs: f"from {pairs[0][0]}")
def test_two_at_once_leave_the_school_whole(
    pairs: Sequence[tuple[Post, Post]], world: World, sides: Sequence[ThreadPoolExecutor]
) -> None:
    first_world, wrong, touched = Kept(), [], set[str]()
    for pair in pairs:
        meet = True
        for run in range(RUNS):
            if run and not meet:
                break
            first_world.bring_back(touched)
            target, touched = dict(world.targets["Alice's"]), set()
            with connection.execute_wrapper(noting(touched)):
                first, second = pair
                ready = [
                    prepared(first, target, world),
                    prepared(second, target, world, Exception),
                ]
            answers, (one, other) = both([asking(*each) for each in ready], sides)
            found = [*faults(), *(each for each in answers if each >= 500)]
            wrong += [(*map(str, pair), fault) for fault in found]
            touched |= one | other
            meet = any(not table.startswith(NO_MEETING) for table in one & other)
    assert wrong == []
    for school_class in SchoolClass.objects.all():
        erase_class(school_class)


def prepared(
    post: Post, target: Target, world: World, *allowed: type[Exception]
) -> tuple[Client, str, dict[str, Any]]:
    """Who posts, where and what. What makes the act possible is done before, unless this raises
    one of `allowed`, because of what the other act needs."""
    data = dict(post.data)
    client = world.clients[post.who]
    with suppress(*allowed):
        data |= post.prepare(target) if post.prepare else {}
    client = data.pop("session", client)
    return client, address(post.name, target | data.pop("of", {})), data


def asking(client: Client, where: str, data: dict[str, Any]) -> Callable[[], int]:
    """A post by this client, from a tab of its own."""
    tab = Client(raise_request_exception=False)
    tab.cookies = deepcopy(client.cookies)
    return lambda: tab.post(where, data).status_code


def faults() -> list[str]:
    """What is no longer whole."""
    found = []
    owner = Q(teachings__role=Teaching.Role.OWNER)
    owners = SchoolClass.objects.annotate(owners=Count("teachings", filter=owner))
    found += [f"{each} has {each.owners} owners" for each in owners.exclude(owners=1)]
    active = Q(memberships__role=Membership.Role.ADMIN, memberships__user__is_active=True)
    admins = School.objects.annotate(admins=Count("memberships", filter=active))
    found += ["a school has no admin" for _ in admins.filter(admins=0)]
    found += ["a circle of merges" for merge in Merge.objects.all() if is_in_circle(merge)]
    with transaction.atomic():
        for child in Child.everyone.exclude(removed_at=None):
            try:
                erase_child(child)
            except (ActRefused, RecursionError) as problem:
                found.append(f"a child is not erased: {type(problem).__name__}")
        transaction.set_rollback(True)
    return found


def is_in_circle(merge: Merge) -> bool:
    into = dict(Merge.objects.values_list("child", "into"))
    child: Any = merge.child_id
    for _ in range(len(into) + 1):
        child = into.get(child)
    return child is not None
