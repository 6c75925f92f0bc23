"""Fixtures and settings for all tests."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings
from time_machine import Traveller, travel

from classrooms.models import Child, SchoolClass, User
from nmbrs_edu.celery import app as celery_app
from tests.clock import at
from tests.counts import PROOF, times
from tests.factories import ChildFactory, TeachingFactory, UserFactory
from tests.plugins.faster import rows_of_a_module

pytest_plugins = ["tests.plugins.second_database"]

# On a busy machine an example may take long. `make test` tries the same ones each time.
settings.register_profile(
    "untimed",
    deadline=None,
    max_examples=times(20, 100),
    derandomize=not PROOF,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items_left = [] if PROOF else [item for item in items if item.get_closest_marker("proof")]
    config.hook.pytest_deselected(items=items_left)
    items[:] = [item for item in items if item not in items_left]


@pytest.fixture
def alice(db: None) -> User:
    return UserFactory.create(email="alice@example.org")


@pytest.fixture
def school_class(alice: User) -> SchoolClass:
    """Alice's class."""
    return TeachingFactory.create(user=alice).school_class


@pytest.fixture
def bob(school_class: SchoolClass) -> User:
    """A co-teacher of Alice's class."""
    bob = UserFactory.create(email="bob@example.org")
    return TeachingFactory.create(school_class=school_class, user=bob).user


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class, name="Dora")


@pytest.fixture
def emil(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class, name="Emil")


@pytest.fixture
def gina(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class, name="Gina")


@pytest.fixture
def charlie(db: None) -> User:
    """A teacher of another class."""
    charlie = UserFactory.create(email="charlie@example.org")
    return TeachingFactory.create(user=charlie).user


@pytest.fixture
def finn(charlie: User) -> Child:
    """A child of Charlie's class."""
    return ChildFactory.create(school_class=charlie.classes.get(), name="Finn")


@pytest.fixture
def admin_client(admin_user: Any) -> Client:
    """The operator after the second step, without which no page of /admin/ opens."""
    from tests.classrooms.people import client_of_operator  # Django is not set up before.

    return client_of_operator(admin_user)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Begin each test in English, whatever language the test before it chose."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _deal_the_same_cards_in_each_run(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random cards made one run in seven fail: a bot that played for an absent child went out
    before their first turn."""
    random = Random(request.node.nodeid)
    for module in ("games.play.log", "games.play.shared_deals", "classrooms.lesson.hands"):
        monkeypatch.setattr(f"{module}.randbits", random.getrandbits)


@pytest.fixture(autouse=True)
def _children_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let children begin a match as soon as they sit, except in the tests of this wait."""
    monkeypatch.setattr("classrooms.assignments.table_offers.OTHERS_COME_WITHIN", timedelta(0))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Record the migrations as applied, because the tables were made from the models. At the end,
    close what else is connected (autovacuum, a thread of the live server), which would keep the
    database."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    with django_db_blocker.unblock():
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes(), fake=True)
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def _queue_of_the_tests() -> None:
    """Ask Celery for its broker once: it keeps the first one, which must not belong to a single
    test."""
    assert celery_app.pool
    assert celery_app.amqp.producer_pool


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that says Monday, half past nine in Amsterdam, until the test moves it."""
    with at(datetime(2026, 3, 2, 8, 30, tzinfo=UTC)) as clock:
        yield clock


@pytest.fixture
def stopped_clock() -> Iterator[None]:
    """Stop the clock during the test."""
    with at(datetime.now(UTC)):
        yield


@pytest.fixture(scope="module")
def world_of_the_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    from tests.permission_world import make_world  # Django is not set up before.

    with rows_of_a_module(django_db_blocker):
        yield make_world(), datetime.now(UTC)


@pytest.fixture
def world(db: None, world_of_the_module: Any) -> Iterator[Any]:
    """The people and objects with which every URL is tried. Each test gets them unchanged, at the
    time at which they were made."""
    from tests.permission_world import traceless

    module_world, moment = world_of_the_module
    with travel(moment, tick=True), traceless(module_world.clients.values()):
        yield module_world


@pytest.fixture
def worker(transactional_db: None) -> Iterator[Any]:
    """A real Celery worker on the real Valkey, with an empty queue."""
    celery_app.loader.import_default_modules()
    celery_app.control.purge()
    with start_worker(celery_app, perform_ping_check=False, shutdown_timeout=30) as running:
        yield running


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use Debian's Chromium, because Playwright's own cannot be downloaded everywhere. Its shell
    without windows draws the same pages with half of the work."""
    shell, chromium = shutil.which("chromium-headless-shell"), shutil.which("chromium")
    path = os.environ.get("CHROMIUM") or shell or chromium
    if path is None:
        pytest.fail("There is no chromium: run `make browser`.")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": path, "args": arguments}
