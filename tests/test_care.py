"""What `docs/care.md` says of times is what the code does."""

import re

from django.conf import settings

from classrooms.classes import co_teachers
from classrooms.downloads.models import KEPT
from classrooms.models import AuditEntry
from classrooms.privacy import erasure
from classrooms.reports.weekly_mail import sending, stopping
from tests.documents import text_of

DOCS = text_of("docs/care.md")


def test_the_times_in_the_documentation_are_those_of_the_code() -> None:
    text = " ".join(DOCS.split())
    waits = [sending.FIRST_WAIT * 4**number for number in range(1, sending.MOST_TRIES - 1)]
    hours = [int(wait.total_seconds() / 3600) for wait in waits]
    for sentence in (
        f"{settings.AUDIT_DAYS} days (`AUDIT_DAYS`)",
        f"| {erasure.REMOVED_KEPT_FOR.days} days, in which it can be brought back",
        f"archived after {settings.ARCHIVE_AFTER_DAYS} days",
        f"with its children after {settings.PURGE_AFTER_DAYS} days",
        f"| a file made for download | {KEPT.days} days",
        f"| who did what, and to whom invitations went | {settings.AUDIT_DAYS} days",
        f"weekly mail | {sending.KEPT_FOR.days} days",
        f"at {settings.WEEKLY_MAIL_HOUR}:00 (`WEEKLY_MAIL_DAY`",
        f"{sending.FIRST_WAIT.seconds // 60} minutes, {hours[0]}, {hours[1]} and {hours[2]} hours, "
        f"at most {sending.MOST_TRIES} times",
        f"left alone for {sending.SERVER_RESTS.seconds // 60} minutes",
        f"After {settings.WEEKLY_MAIL_LATE_HOURS} hours",
    ):
        assert sentence in text, sentence
    assert (settings.WEEKLY_MAIL_DAY, stopping.AGAIN_WITHIN.seconds) == (5, 3600)


def test_every_setting_named_there_is_one() -> None:
    named = re.findall(r"`([A-Z_]{6,})`", DOCS)
    elsewhere = {"PICTURES_KEY", "EMAIL_URL", "DEFAULT_FROM_EMAIL", "SITE_URL"}
    assert {"AUDIT_DAYS", "PURGE_AFTER_DAYS"} <= set(named)
    assert [name for name in named if name not in elsewhere and not hasattr(settings, name)] == []


def test_every_kind_of_entry_is_documented() -> None:
    table = DOCS.partition("| shown under |")[2].partition("\n\n")[0]
    entries = re.split(r"\s*[,:;|]\s*|\s\(", table)
    assert [what for what in AuditEntry.What.values if what not in entries] == []


def test_an_invitation_is_said_to_last_as_long_as_it_does() -> None:
    text = " ".join(DOCS.split())
    assert f"Each link works once, for {co_teachers.LASTS.days} days." in text
    assert co_teachers.UNDO_FOR.seconds == 3600
