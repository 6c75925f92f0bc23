"""When a weekly mail is due, by the clock of the class."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings


def moment_of(week: date, time_zone: str) -> datetime:
    """The moment when the mail of this day is due in a time zone."""
    return datetime.combine(week, time(settings.WEEKLY_MAIL_HOUR), tzinfo=ZoneInfo(time_zone))


def week_due(now: datetime, time_zone: str) -> date | None:
    """The day of the mail that is due now in a time zone; None if the last one was due too long
    ago. It stays the same until then, also when the clocks change."""
    local = now.astimezone(ZoneInfo(time_zone))
    back = (local.isoweekday() - settings.WEEKLY_MAIL_DAY) % 7
    week = local.date() - timedelta(days=back)
    if moment_of(week, time_zone) > now:
        week -= timedelta(days=7)
    late = now - moment_of(week, time_zone)
    return week if late <= timedelta(hours=settings.WEEKLY_MAIL_LATE_HOURS) else None
