"""Long jobs and mail have queues of their own, and no child's progress waits behind them."""

from time import monotonic, sleep
from typing import Any

import pytest
from django.conf import settings

from classrooms.downloads import services
from classrooms.downloads.models import Download
from classrooms.downloads.services import KINDS
from classrooms.downloads.tasks import make
from nmbrs_edu.celery import app
from nmbrs_edu.models import Upkeep, queue_part
from nmbrs_edu.tasks import note_queue
from tests.classrooms.downloads.test_workers import wait_until
from tests.factories import ChildFactory, UserFactory
from tests.nmbrs_edu.test_compose import SERVICES

LONG = {
    "classrooms.downloads.make",
    "classrooms.downloads.look_for_waiting",
    "classrooms.progress.compare_a_sample",
    "classrooms.progress.rebuild_marked",
}
MAIL = {"classrooms.progress.look_for_weekly_mails", "classrooms.progress.send_weekly_mail"}


def queue_of(task: str) -> str:
    return str(app.amqp.router.route({}, task)["queue"].name)


def queues_of(service: str) -> str:
    words: list[str] = SERVICES[service]["command"]
    return words[words.index("-Q") + 1]


def test_each_task_goes_to_the_queue_that_is_meant_for_it() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours > LONG | MAIL
    assert {name for name in ours if queue_of(name) == settings.LONG_QUEUE} == LONG
    assert {name for name in ours if queue_of(name) == settings.MAIL_QUEUE} == MAIL
    assert {queue_of(name) for name in ours - LONG - MAIL} == {"celery"}


def test_a_message_goes_into_one_queue_alone() -> None:
    keys = {name: (queue.exchange.name, queue.routing_key) for name, queue in _queues().items()}
    assert keys == {name: (name, name) for name in ("celery", "long", "mail")}


def test_each_queue_has_its_worker_and_one_without_a_queue_takes_from_all() -> None:
    workers = {name for name in SERVICES if name.startswith("worker")}
    assert sorted(queues_of(name) for name in workers) == sorted(settings.QUEUES)
    assert set(_queues()) == set(settings.QUEUES) == {"celery", "long", "mail"}


def test_what_takes_long_ends_before_its_message_comes_back() -> None:
    app.loader.import_default_modules()
    back = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    for name in LONG | MAIL:
        limit = app.tasks[name].time_limit or settings.CELERY_TASK_TIME_LIMIT
        assert limit < back


def test_beat_sees_whether_each_queue_is_worked_off(worker: Any) -> None:
    asked = [e for e in settings.CELERY_BEAT_SCHEDULE.values() if e["task"] == note_queue.name]
    assert {entry["options"]["queue"] for entry in asked} == set(settings.QUEUES)
    for entry in asked:
        note_queue.apply_async(entry["args"], queue=entry["options"]["queue"])
    end = monotonic() + 30
    while Upkeep.objects.exclude(went_well_at=None).count() < len(settings.QUEUES):
        assert monotonic() < end, "no worker took them"
        sleep(0.02)
    parts = set(Upkeep.objects.values_list("part", flat=True))
    assert parts == {queue_part(name) for name in settings.QUEUES}


@pytest.mark.parametrize("queue", ["celery", "long"])
def test_a_download_queued_by_the_release_before_is_made_too(worker: Any, queue: str) -> None:
    alice = UserFactory.create()
    school_class = ChildFactory.create().school_class
    download = services.ask(school_class, KINDS["class-tables"], alice, "en")
    make.apply_async((str(download.pk),), queue=queue)
    wait_until(download, Download.State.READY)


def _queues() -> dict[str, Any]:
    return {queue.name: queue for queue in settings.CELERY_TASK_QUEUES}
