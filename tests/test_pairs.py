"""Two simultaneous posts to the same objects, for every pair of pages that take posts. Both read
before either locks. Afterwards the school is intact, and nobody has got a server error."""

import random
import re
from collections.abc import Callable, Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from itertools import combinations_with_replacement
from math import inf
from threading import Barrier, BrokenBarrierError
from typing import Any, Final

import pytest
from celery import Task
from django.db import connection, connections, transaction
from django.db.models import Count, Q
from django.test import Client

from classrooms.locks import ActRefused
from classrooms.models import Child, Membership, Merge, School, SchoolClass, Teaching
from classrooms.privacy.erasure import erase_child, erase_class
from classrooms.ui import processes
from tests.acts import Ids
from tests.counts import times
from tests.pages import PAGES, Post, address
from tests.permission_world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)

RUNS: Final = times(1, 20)
"""The runs of a pair that writes the same table. Others are run once."""
SAMPLE: Final = times(8, 0)
"""The number of pairs in `make test`, besides the `KNOWN` ones. The proof runs all."""
PATIENCE: Final = 0.3
"""The seconds for which one of two posts waits until the other has read too."""
WRITES: Final = ("INSERT", "UPDATE", "DELETE")
WRITTEN: Final = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM)(?: ONLY)? \"?(\w+)\"?")
OF_SESSIONS: Final = ("django_session", "usersessions", "classrooms_adultdevice")
NO_MEETING: Final = (*OF_SESSIONS, "classrooms_auditentry", "classrooms_keptact")
"""The beginnings of tables to which each act only adds its own rows."""


Asked = tuple[str, Post]
"""The name of a page, and a post to it."""
POSTS: Final = tuple((name, post) for name, page in PAGES.items() for post in page.posts)
PAIRS: Final = list(combinations_with_replacement(POSTS, 2))
KNOWN: Final = (
    {
        "merge_child", "child", "erase_child", "new_child_group", "withdraw_check_up",
        "close_account", "leave_school", "move_school_class",
    },
    {"sit", "table", "act"},
)  # fmt: skip
"""Sets of pages. Two simultaneous posts to pages of a set once broke something, caused an error 500
in an attack, or change the same ended match."""


def chosen_pairs() -> list[tuple[Asked, Asked]]:
    if not SAMPLE:
        return PAIRS
    known_pairs = [
        pair
        for pair in PAIRS
        if any({name.partition(":")[2] for name, _ in pair} <= names for names in KNOWN)
    ]
    return [*known_pairs, *random.Random(3).sample(PAIRS, SAMPLE)]


def bundles() -> list[list[tuple[Asked, Asked]]]:
    pairs = chosen_pairs()
    return [pairs[first : first + 200] for first in range(0, len(pairs), 200)]


def label(asked: Asked) -> str:
    name, post = asked
    return " ".join((name, *map(str, list(post.data.values())[:1])))


def test_every_page_that_takes_a_post_gets_one() -> None:
    for name, page in PAGES.items():
        assert bool(page.posts) == ("POST" in page.methods), name


class StoredTables:
    """A copy of all tables, from which they can be restored."""

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
    """Holds back the first statement of each of two requests that writes or locks, until the other
    request has come as far. Records the tables that they write."""

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
            return record_tables(self.written[side])(execute, sql, params, many, context)

        return wait


def record_tables(written: set[str]) -> Callable[..., Any]:
    """Run each statement, and record the tables that it writes."""

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        written.update(WRITTEN.findall(sql))
        return execute(sql, params, many, context)

    return note


def run_both(
    acts: Sequence[Callable[[], int]], sides: Sequence[ThreadPoolExecutor]
) -> tuple[list[int], list[set[str]]]:
    """Run both acts simultaneously. Return their statuses, and the tables that each wrote."""
    meeting = _Meeting()

    def alone(side: int, do: Callable[[], int]) -> int:
        try:
            with connection.execute_wrapper(meeting.of(side)):
                return do()
        finally:
            meeting.barrier.abort()

    running = [sides[side].submit(alone, side, do) for side, do in enumerate(acts)]
    return [request.result(120) for request in running], meeting.written


@pytest.fixture
def sides() -> Iterator[Sequence[ThreadPoolExecutor]]:
    """Two threads, each with its own connection."""
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as other:
        yield first, other
        first.submit(connections.close_all)
        other.submit(connections.close_all)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, settings: Any) -> World:
    """The world, in which no message goes to a worker, nobody has to prove their identity again,
    and an account may print many PDFs in a short time."""
    monkeypatch.setattr(Task, "apply_async", lambda *args, **options: None)
    monkeypatch.setattr(processes, "MOST_SECONDS", inf)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 24 * 60 * 60
    settings.ZEAL_RAISE = False
    return make_world()


@pytest.mark.parametrize("pairs", bundles(), ids=lambda pairs: f"from {label(pairs[0][0])}")
def test_two_at_once_leave_the_school_intact(
    pairs: Sequence[tuple[Asked, Asked]], world: World, sides: Sequence[ThreadPoolExecutor]
) -> None:
    first_world, wrong, touched = StoredTables(), [], set[str]()
    for pair in pairs:
        meet = True
        for run in range(RUNS):
            if run and not meet:
                break
            first_world.bring_back(touched)
            target, touched = dict(world.targets["Alice's"]), set()
            with connection.execute_wrapper(record_tables(touched)):
                first, second = pair
                ready = [
                    prepare_post(first, target, world),
                    prepare_post(second, target, world, Exception),
                ]
            answers, (tables, others) = run_both([make_post(*post) for post in ready], sides)
            problems = [*faults(), *(status for status in answers if status >= 500)]
            wrong += [(*map(label, pair), fault) for fault in problems]
            touched |= tables | others
            meet = any(not table.startswith(NO_MEETING) for table in tables & others)
    assert wrong == []
    for school_class in SchoolClass.objects.all():
        erase_class(school_class, None)


def prepare_post(
    asked: Asked, target: Ids, world: World, *allowed: type[Exception]
) -> tuple[Client, str, dict[str, Any]]:
    """Prepare a post, and return its client, address and data. `prepare` may raise one of
    `allowed`, if the preparation of the other post is in its way."""
    name, post = asked
    data = dict(post.data)
    with suppress(*allowed):
        data |= post.prepare(target) if post.prepare else {}
    client = data.pop("session", world.clients[post.who])
    return client, address(name, target | data.pop("of", {})), data


def make_post(client: Client, where: str, data: dict[str, Any]) -> Callable[[], int]:
    """A function that posts from a tab of this client, and returns the status."""
    tab = Client(raise_request_exception=False)
    tab.cookies = deepcopy(client.cookies)
    return lambda: tab.post(where, data).status_code


def faults() -> list[str]:
    """The parts of the school that are no longer intact."""
    problems = []
    owner = Q(teachings__role=Teaching.Role.OWNER)
    owners = SchoolClass.objects.annotate(owners=Count("teachings", filter=owner))
    problems += [
        f"{school_class} has {school_class.owners} owners"
        for school_class in owners.exclude(owners=1)
    ]
    active = Q(memberships__role=Membership.Role.ADMIN, memberships__user__is_active=True)
    admins = School.objects.annotate(admins=Count("memberships", filter=active))
    problems += ["a school has no admin" for _ in admins.filter(admins=0)]
    problems += ["a circle of merges" for merge in Merge.objects.all() if is_in_circle(merge)]
    with transaction.atomic():
        for child in Child.all_objects.exclude(removed_at=None):
            try:
                erase_child(child, None)
            except (ActRefused, RecursionError) as problem:
                problems.append(f"a child is not erased: {type(problem).__name__}")
        transaction.set_rollback(True)
    return problems


def is_in_circle(merge: Merge) -> bool:
    into = dict(Merge.objects.values_list("child", "into"))
    child: Any = merge.child_id
    for _ in range(len(into) + 1):
        child = into.get(child)
    return child is not None
