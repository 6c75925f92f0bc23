"""Checks whether the parts of the site do their work from minute to minute, and tells the operator
in plain words."""

from datetime import datetime, timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from classrooms.progress import evidence
from nmbrs_edu.models import BACKUP, BEAT, CHECKED_BACKUP, Upkeep, queue_part
from nmbrs_edu.operating import installation
from nmbrs_edu.operating.installation import WORKERS, Finding, restart_advice, worker_subject

BEHIND_AFTER: Final = timedelta(minutes=5)
"""A report that is overdue by less than this is still on its way."""
MAY_BE_AWAY_AFTER: Final = timedelta(minutes=5)
SILENT_BEHIND_LONG_JOBS: Final = timedelta(minutes=20)
OLDEST_BACKUP: Final = timedelta(hours=36)
OLDEST_CHECK: Final = timedelta(days=9)

QueueLengths = dict[str, int | None]
Parts = dict[str, Upkeep]


def check_all() -> list[Finding]:
    """All checks of the operator's page. They do not wait for workers, each of which has recorded
    when it last did a task."""
    findings = installation.check_site()
    try:
        running = check_parts(timezone.now(), queue_lengths())
    except DatabaseError:
        running = []
    return [*findings, *running, *installation.check_surroundings(settings.PROXY)]


def check_parts(now: datetime, lengths: QueueLengths) -> list[Finding]:
    parts = {part.part: part for part in Upkeep.objects.all()}
    return [
        check_reports(now, parts, lengths),
        *installation.check_redis(),
        check_beat(now, parts),
        *(check_queue(queue, now, parts, lengths) for queue in settings.QUEUES),
        check_backup(now, parts),
        check_backup_test(now, parts),
    ]


def check_reports(now: datetime, parts: Parts, lengths: QueueLengths) -> Finding:
    """Check that what children played is counted. If it is not, say which part is at fault."""
    subject = _("Reports")
    since = evidence.earliest_due_at()
    if since is None or now - since < BEHIND_AFTER:
        return Finding(subject, _("They are up to date."))
    if None in lengths.values():
        reason, service = _("Redis does not answer"), "redis"
    elif is_silent(parts.get(BEAT), now, MAY_BE_AWAY_AFTER):
        reason, service = _("beat does not answer"), "beat"
    elif is_silent(parts.get(queue_part("celery")), now, MAY_BE_AWAY_AFTER):
        reason, service = _("the worker does not answer"), "worker"
    else:
        reason, service = _("the worker cannot keep up"), "worker"
    text = _("They are %(time)s behind: %(why)s.") % {
        "time": duration_text(now - since),
        "why": reason,
    }
    return Finding(subject, text, restart_advice(service))


def check_beat(now: datetime, parts: Parts) -> Finding:
    subject = _("Beat, which starts scheduled tasks")
    if is_silent(parts.get(BEAT), now, MAY_BE_AWAY_AFTER):
        return Finding(subject, _silence(parts.get(BEAT), now), restart_advice("beat"))
    return Finding(subject, _("It responds."))


def check_queue(queue: str, now: datetime, parts: Parts, lengths: QueueLengths) -> Finding:
    part = parts.get(queue_part(queue))
    patience = SILENT_BEHIND_LONG_JOBS if queue == settings.LONG_QUEUE else MAY_BE_AWAY_AFTER
    length = lengths[queue]
    tasks = (
        _("The number of waiting tasks is unknown.")
        if length is None
        else ngettext("%(count)d task waiting.", "%(count)d tasks waiting.", length)
        % {"count": length}
    )
    if is_silent(part, now, patience):
        text = f"{_silence(part, now)} {tasks}"
        return Finding(worker_subject(queue), text, restart_advice(WORKERS[queue]))
    return Finding(worker_subject(queue), f"{_('It responds.')} {tasks}")


def check_backup(now: datetime, parts: Parts) -> Finding:
    subject = _("Backup")
    part = parts.get(BACKUP)
    if part is None or part.went_well_at is None:
        return Finding(subject, _("No backup yet."), restart_advice("backups"))
    age = now - part.went_well_at
    text = _("Newest backup: %(time)s old.") % {"time": duration_text(age)}
    if part.problem:
        text = f"{text} {_('The last try failed.')}"
    if part.problem or age > OLDEST_BACKUP:
        return Finding(subject, text, restart_advice("backups"))
    return Finding(subject, text)


def check_backup_test(now: datetime, parts: Parts) -> Finding:
    """Check that the latest test of a backup succeeded, and is not too old."""
    subject = _("Backup check")
    part = parts.get(CHECKED_BACKUP)
    next_step = _("Make another backup and check it: %(command)s; then read: %(other)s") % {
        "command": "docker compose run --rm backup && docker compose run --rm check-backup",
        "other": "docker compose logs backups",
    }
    if part is None:
        return Finding(subject, _("No backup has been checked."), next_step)
    if part.problem:
        return Finding(subject, _("The newest backup could not be restored."), next_step)
    age = now - part.at
    text = _("A backup was restored successfully %(time)s ago.") % {"time": duration_text(age)}
    return Finding(subject, text, next_step if age > OLDEST_CHECK else "")


def is_silent(part: Upkeep | None, now: datetime, patience: timedelta) -> bool:
    return part is None or now - part.at > patience


def _silence(part: Upkeep | None, now: datetime) -> str:
    if part is None:
        return _("It has not answered yet.")
    return _("The last answer was %(time)s ago.") % {"time": duration_text(now - part.at)}


def duration_text(time: timedelta) -> str:
    """A length of time as a person would say it.

    >>> duration_text(timedelta(minutes=40)), duration_text(timedelta(days=3))
    ('40 minutes', '3 days')
    """
    minutes = max(round(time.total_seconds() / 60), 0)
    if minutes < 120:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = round(hours / 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def queue_lengths() -> QueueLengths:
    """The number of tasks in each queue; None while Redis does not answer."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=installation.TIMEOUT_SECONDS)
            declare = broker.default_channel.queue_declare
            return {name: int(declare(name).message_count) for name in settings.QUEUES}
    except (OperationalError, RedisError, OSError):
        return dict.fromkeys(settings.QUEUES)
