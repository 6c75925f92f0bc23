"""Checks that the messages that the old code left in the queue are carried out."""

import base64
import json
from time import monotonic, sleep
from typing import Any, Final

from celery import signals
from celery.contrib.testing.worker import start_worker
from django.core import mail

from classrooms.models import Child, WeeklyMail
from classrooms.progress import evidence
from classrooms.progress.rebuild import rebuild
from nmbrs_edu.celery import app
from tests.classrooms.progress.stored import everything
from tests.upgrade.school import School

OLD_TASKS: Final = {
    "classrooms.downloads.make",
    "classrooms.progress.look_at_game",
    "classrooms.progress.look_at_sitting",
    "classrooms.progress.send_weekly_mail",
}
SECONDS: Final = 20


def messages_of_the_old_code_are_carried_out(school: School) -> None:
    """Dora's game is counted, Emil's last answer too, the file is made, no mail is sent twice."""
    done: list[str] = []
    failed: list[str] = []

    def note(sender: Any, **kwargs: Any) -> None:
        done.append(sender.name)

    def note_failed(**kwargs: Any) -> None:
        failed.append(repr(kwargs))

    app.loader.import_default_modules()
    signals.task_success.connect(note)
    for failure in (signals.task_failure, signals.task_unknown, signals.task_rejected):
        failure.connect(note_failed)
    with app.connection_for_write() as broker:
        queue = broker.default_channel.client
        queue.delete("celery", "long")
        queue.lpush("celery", *(message.encode() for message in school.facts["messages"]))
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30):
        end = monotonic() + SECONDS
        while len(done) + len(failed) < len(OLD_TASKS) and monotonic() < end:
            sleep(0.05)
    assert failed == []
    assert set(done) == OLD_TASKS, done


def each_message_has_a_task_of_that_name(school: School) -> None:
    app.loader.import_default_modules()
    messages = [json.loads(message) for message in school.facts["messages"]]
    assert {message["headers"]["task"] for message in messages} == OLD_TASKS
    assert app.tasks.keys() >= OLD_TASKS
    args = {
        message["headers"]["task"]: json.loads(base64.b64decode(message["body"]))[0]
        for message in messages
    }
    assert args["classrooms.progress.look_at_game"] == [school.facts["game"]["id"]]
    assert args["classrooms.downloads.make"] == [school.facts["waiting"]]


def the_running_game_was_counted_by_its_message(school: School) -> None:
    assert not evidence.dirty_attempts().exists()
    before = everything()
    assert rebuild(Child.objects.get(name="Dora")) == 1
    assert everything() == before


def the_checks_were_counted_by_their_message(school: School) -> None:
    assert not evidence.dirty_sittings().exists()
    before = everything()
    rebuild(Child.objects.get(name="Emil"))
    assert everything() == before


def the_weekly_mail_was_not_sent_twice(school: School) -> None:
    sent = WeeklyMail.objects.get(pk=school.facts["weekly_mail"])
    assert (sent.state, sent.tries) == (WeeklyMail.State.SENT, 1)
    assert WeeklyMail.objects.count() == 1
    assert [message.subject for message in getattr(mail, "outbox", [])] == []
