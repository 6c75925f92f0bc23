"""When a weekly mail is due, by the clock of the class."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings


def moment_of(week: date, time_zone: str) -> datetime:
    """The moment at which the mail of this day is due in a time zone."""
    return datetime.combine(week, time(settings.WEEKLY_MAIL_HOUR), tzinfo=ZoneInfo(time_zone))


def week_due(now: datetime, time_zone: str) -> date | None:
    """The day of the mail that it is time for now, in a time zone; None where the last one is so
    long ago that it is left out. It is the same all the time until then, across changes of the
    clock too."""
    local = now.astimezone(ZoneInfo(time_zone))
    back = (local.isoweekday() - settings.WEEKLY_MAIL_DAY) % 7
    week = local.date() - timedelta(days=back)
    if moment_of(week, time_zone) > now:
        week -= timedelta(days=7)
    late = now - moment_of(week, time_zone)
    return week if late <= timedelta(hours=settings.WEEKLY_MAIL_LATE_HOURS) else None
