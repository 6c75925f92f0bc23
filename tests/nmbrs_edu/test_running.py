"""The operator reads in plain words what the machine does, and what to do where it does not."""

from datetime import timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone, translation

from games.models import Game
from nmbrs_edu.models import (
    BACKUP,
    BEAT,
    CHECKED_BACKUP,
    Upkeep,
    queue_part,
    went_well,
    went_wrong,
)
from nmbrs_edu.operating import installation, running
from nmbrs_edu.operating.installation import Condition
from tests.classrooms.people import client_of
from tests.factories import AttemptFactory, ChildFactory, UserFactory

pytestmark = pytest.mark.django_db

NOW = timezone.now()
QUEUES = ("celery", "long", "mail")
EMPTY: running.Waiting = dict.fromkeys(QUEUES, 0)
AWAY: running.Waiting = dict.fromkeys(QUEUES)


def parts() -> dict[str, Upkeep]:
    return {each.part: each for each in Upkeep.objects.all()}


def all_answer(minutes: int = 1) -> None:
    for part in (BEAT, *(queue_part(queue) for queue in QUEUES)):
        went_well(part, NOW - timedelta(minutes=minutes))


def behind(minutes: int, settings: LazySettings) -> None:
    settings.PROGRESS_IDLE_SECONDS = 0
    game = AttemptFactory.create().game_id
    Game.objects.filter(pk=game).update(moved_at=NOW - timedelta(minutes=minutes))


def reports(waiting: running.Waiting = EMPTY) -> Condition:
    return running.reports(NOW, parts(), waiting)


def test_reports_that_nothing_holds_up_are_fine(settings: LazySettings) -> None:
    behind(4, settings)
    assert reports().fine


@pytest.mark.parametrize(
    ("silent", "waiting", "why", "service"),
    [
        (queue_part("celery"), EMPTY, "the worker does not answer", "worker"),
        (BEAT, EMPTY, "beat does not answer", "beat"),
        (BEAT, AWAY, "Redis does not answer", "redis"),
        (None, EMPTY, "the worker cannot keep up", "worker"),
    ],
)
def test_reports_that_are_behind_say_by_how_much_and_why(
    silent: str | None,
    waiting: running.Waiting,
    why: str,
    service: str,
    settings: LazySettings,
) -> None:
    behind(40, settings)
    all_answer()
    if silent:
        went_well(silent, NOW - timedelta(hours=1))
    found = reports(waiting)
    assert found.found == f"They are 40 minutes behind: {why}."
    assert found.next_step.startswith(f"Run docker compose restart {service};")


def test_a_worker_that_took_a_task_lately_answers_whatever_waits() -> None:
    all_answer()
    found = running.worker("celery", NOW, parts(), {**EMPTY, "celery": 3})
    assert (found.found, found.fine) == ("It responds. 3 tasks waiting.", True)


def test_a_worker_that_took_none_for_long_does_not_answer() -> None:
    all_answer(minutes=30)
    found = running.worker("mail", NOW, parts(), AWAY)
    expected = "The last answer was 30 minutes ago. The number of waiting tasks is unknown."
    assert found.found == expected
    assert "restart worker-mail" in found.next_step


def test_a_worker_of_long_jobs_may_be_busy_for_a_while() -> None:
    all_answer(minutes=15)
    assert running.worker("long", NOW, parts(), EMPTY).fine
    assert not running.worker("celery", NOW, parts(), EMPTY).fine


def test_without_beat_the_next_step_is_to_start_it() -> None:
    assert running.beat(NOW, parts()).found == "It has not answered yet."
    all_answer(minutes=6)
    assert "restart beat" in running.beat(NOW, parts()).next_step


def test_a_backup_has_an_age() -> None:
    assert running.backup(NOW, parts()).found == "No backup yet."
    went_well(BACKUP, NOW - timedelta(hours=20))
    assert running.backup(NOW, parts()) == Condition("Backup", "Newest backup: 20 hours old.")
    went_well(BACKUP, NOW - timedelta(days=5))
    old = running.backup(NOW, parts())
    assert old.found == "Newest backup: 5 days old."
    assert "backups" in old.next_step


def test_a_backup_that_failed_is_told_beside_the_newest() -> None:
    went_well(BACKUP, NOW - timedelta(hours=20))
    went_wrong(BACKUP, "OSError", NOW)
    found = running.backup(NOW, parts())
    assert found.found == "Newest backup: 20 hours old. The last try failed."
    assert not found.fine


def test_a_backup_that_could_not_be_restored_is_told() -> None:
    assert not running.check_of_backup(NOW, parts()).fine
    went_well(CHECKED_BACKUP, NOW - timedelta(days=3))
    assert running.check_of_backup(NOW, parts()).fine
    went_well(CHECKED_BACKUP, NOW - timedelta(days=10))
    assert not running.check_of_backup(NOW, parts()).fine
    went_wrong(CHECKED_BACKUP, "Incomplete", NOW)
    found = running.check_of_backup(NOW, parts())
    assert found.found == "The newest backup could not be restored."
    assert "check-backup" in found.next_step


def test_a_key_that_does_not_open_the_pictures_is_found(settings: LazySettings) -> None:
    assert installation.pictures_open() == []
    ChildFactory.create()
    assert [each.fine for each in installation.pictures_open()] == [True]
    settings.PICTURES_KEY = Fernet.generate_key().decode()
    assert [each.fine for each in installation.pictures_open()] == [False]


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, mail server or disk is looked for."""
    monkeypatch.setattr(installation, "outside", lambda proxy: [Condition("Disk", "90 GB.")])


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "State of the site"),
        ("nl", "Toestand van de site"),
        ("de", "Zustand der Website"),
        ("sv", "Webbplatsens tillstånd"),
    ],
)
def test_the_operator_reads_it_in_each_language(
    admin_client: Client, outside: None, language: str, heading: str
) -> None:
    for path in ("/admin/", "/admin/state/"):
        shown = admin_client.get(path, headers={"Accept-Language": language}).content.decode()
        assert heading in shown
    if language != "en":
        assert "It has not answered yet." not in shown


def test_the_page_says_first_what_is_to_do(admin_client: Client, outside: None) -> None:
    shown = admin_client.get("/admin/state/").content.decode()
    to_do, _, fine = shown.partition("<h2>Fine</h2>")
    assert "docker compose restart beat" in to_do
    assert "90 GB." in fine
    assert "90 GB." not in to_do


def test_what_is_right_today_is_not_kept_for_tomorrow(admin_client: Client, outside: None) -> None:
    assert "no-cache" in admin_client.get("/admin/state/").headers["Cache-Control"]
    assert admin_client.post("/admin/state/").status_code in (302, 405)


def test_teachers_do_not_see_it(outside: None) -> None:
    answer = client_of(UserFactory.create()).get("/admin/state/")
    assert answer.status_code == 302
    assert "docker" not in answer.content.decode()


def test_no_name_of_a_child_is_on_the_page(
    admin_client: Client, outside: None, settings: LazySettings
) -> None:
    behind(40, settings)
    dora = ChildFactory.create(name="Dora")
    shown = admin_client.get("/admin/state/").content.decode()
    assert dora.name not in shown
    assert dora.school_class.code not in shown


def test_the_whole_page_is_made_without_any_part_of_the_machine(
    admin_client: Client, settings: Any
) -> None:
    settings.PROXY = "127.0.0.1:9"
    shown = admin_client.get("/admin/state/").content.decode()
    assert "The proxy (127.0.0.1:9) has no certificate." in shown


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (timedelta(seconds=20), "0 Minuten"),
        (timedelta(minutes=1), "1 Minute"),
        (timedelta(minutes=119), "119 Minuten"),
        (timedelta(hours=2), "2 Stunden"),
        (timedelta(days=3), "3 Tage"),
    ],
)
def test_a_length_of_time_is_said_as_a_person_says_it(time: timedelta, said: str) -> None:
    with translation.override("de"):
        assert running.lasting(time) == said
