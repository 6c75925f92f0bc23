"""Tells platforms how much of an assignment each child has done, if the school wants that.

A platform gets a share of the rounds and nothing else: no level, and no sentence about a child. The
site has only hashes of the platform's ids, so it first fetches the list of the course and finds
each child there.
"""

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from celery import shared_task
from django.utils import timezone

from classrooms.assignments.status import rounds_done
from classrooms.lti import courses, messages, outgoing, platforms
from classrooms.lti.models import Launch, LineItem, PlatformPerson, SentScore
from classrooms.lti.outgoing import Unreachable
from classrooms.models import Attempt

WAITING_KEPT_FOR: Final = timedelta(days=30)
SENDING_INTERVAL: Final = timedelta(minutes=5)
LONGEST_WAIT: Final = timedelta(days=1)
SECONDS: Final = 30
"""For how long a task sends; the next one sends the rest. After 50 seconds a task is stopped."""
SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"


@shared_task(name="classrooms.lti.forget_old")
def forget_old() -> None:
    """Delete expired launches, and people who have waited too long. A second run does no harm."""
    now = timezone.now()
    Launch.objects.filter(ends_at__lte=now).delete()
    waiting = PlatformPerson.objects.filter(child=None)
    waiting.filter(created_at__lte=now - WAITING_KEPT_FOR).delete()


@shared_task(name="classrooms.lti.send_grades")
def send_grades() -> None:
    """Start `send_grades_of` for each gradebook column that is due."""
    columns = LineItem.objects.filter(
        next_at__lte=timezone.now(),
        course__platform__sends_grades=True,
        course__school_class__archived_at=None,
    )
    for key in columns.order_by("next_at").values_list("pk", flat=True)[:500]:
        send_grades_of.apply_async((key,), expires=SENDING_INTERVAL.total_seconds())


@shared_task(name="classrooms.lti.send_grades_of")
def send_grades_of(key: int) -> None:
    """Send the shares that have changed in a column. After each failure, the wait until the next
    try doubles."""
    now = timezone.now()
    due = LineItem.objects.filter(pk=key, next_at__lte=now)
    if not due.update(next_at=now + SENDING_INTERVAL):  # Another worker has it, or it is deleted.
        return
    columns = LineItem.objects.select_related("course__platform", "assignment")
    column = columns.filter(pk=key, course__platform__sends_grades=True).first()
    if column is None:
        return
    try:
        send(column)
    except Unreachable:
        wait = min(SENDING_INTERVAL * 2 ** min(column.failures + 1, 10), LONGEST_WAIT)
        LineItem.objects.filter(pk=key).update(
            failures=min(column.failures + 1, 1000), next_at=timezone.now() + wait
        )
    else:
        LineItem.objects.filter(pk=key).update(failures=0)


def send(column: LineItem) -> int:
    """Send the shares that the platform does not have yet, and return their number. Raises
    `Unreachable`."""
    shares = changed_shares(column)
    if not shares:
        return 0
    course = column.course
    if not platforms.service_url(course.platform, column.url):
        raise Unreachable("address")
    subjects = {member.subject_hash: member.subject for member in courses.members_of(course)}
    token = platforms.access_token(course.platform, messages.SCORE_SCOPE)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": SCORE_TYPE}
    deadline = time.monotonic() + SECONDS
    count = 0
    for person, percent in shares.items():
        if time.monotonic() > deadline:
            break
        if subject := subjects.get(person.subject_hash):
            outgoing.ask(scores_url(column.url), body=score(subject, percent), headers=headers)
            SentScore.objects.update_or_create(
                line_item=column,
                person=person,
                defaults={"percent": percent, "sent_at": timezone.now()},
            )
            count += 1
    return count


def changed_shares(column: LineItem) -> Mapping[PlatformPerson, int]:
    """The share, in percent, of each linked child who has begun the assignment, unless it is the
    one that the platform has."""
    percent_of = dict(column.scores.values_list("person", "percent"))
    people = PlatformPerson.objects.filter(
        platform=column.course.platform_id,
        child__school_class=column.course.school_class_id,
        child__removed_at=None,
    )
    shares = shares_of(column)
    return {
        person: percent
        for person in people
        if (percent := shares.get(person.child_id, 0)) and percent_of.get(person.pk) != percent
    }


def shares_of(column: LineItem) -> Mapping[Any, int]:
    """The share of the rounds of the assignment that each child has played, in percent. Only a
    finished match counts as 100, and an unfinished match to a target as 0."""
    shares: dict[Any, int] = {}
    attempts = Attempt.objects.filter(assignment=column.assignment).select_related("game")
    for attempt in attempts.defer("game__snapshot"):
        game = attempt.game
        rounds = game.ruleset.rounds
        part = min(99, 100 * rounds_done(game) // rounds) if rounds else 0
        percent = 100 if game.finished_at else part
        shares[attempt.child_id] = max(percent, shares.get(attempt.child_id, 0))
    return shares


def score(subject: str, percent: int) -> dict[str, object]:
    """The message to a platform about a child."""
    is_done = percent == 100
    return {
        "userId": subject,
        "scoreGiven": percent,
        "scoreMaximum": 100,
        "timestamp": timezone.now().isoformat(timespec="milliseconds"),
        "activityProgress": "Completed" if is_done else "InProgress",
        "gradingProgress": "FullyGraded" if is_done else "Pending",
    }


def scores_url(line_item: str) -> str:
    """The address for the scores of a column, whose own address may have a query.

    >>> scores_url("https://a.example/items/7?type=2")
    'https://a.example/items/7/scores?type=2'
    """
    parts = urlsplit(line_item)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
