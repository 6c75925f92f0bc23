"""What a service of its own does from minute to minute: it makes, checks and deletes backups."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog
from django.conf import settings
from django.utils import timezone

from nmbrs_edu.backups import checking, erasures, making, manifest
from nmbrs_edu.models import BACKUP, CHECKED_BACKUP, ERASURES, Upkeep, went_well, went_wrong

EVERY_SECONDS: Final = 60
CHECKED_EVERY: Final = timedelta(days=7)
TRIED_AGAIN_AFTER: Final = timedelta(hours=1)

log = structlog.get_logger(__name__)


def keep(folder: Path, now: datetime) -> None:
    """One round. What goes wrong is noted for the operator's page, and stops nothing else."""
    attempt(ERASURES, lambda: erasures.keep(folder, now), now)
    if backup_is_due(folder, now):
        attempt(BACKUP, lambda: making.back_up(folder, now), now)
        making.forget_old(folder, now)
    if check_is_due(folder, now):
        attempt(CHECKED_BACKUP, lambda: checking.check_newest(folder), now)


def attempt(part: str, work: Callable[[], object], now: datetime) -> bool:
    """Do it and note how it went."""
    try:
        work()
    except Exception as problem:
        log.exception("upkeep failed", part=part)
        went_wrong(part, type(problem).__name__, now)
        return False
    went_well(part, now)
    return True


def backup_is_due(folder: Path, now: datetime) -> bool:
    """Once a day after `BACKUP_HOUR`, and at once where there is none."""
    if _failed_lately(BACKUP, now):
        return False
    newest = manifest.newest_in(folder)
    return newest is None or newest[1].made < _last_hour(now)


def _last_hour(now: datetime) -> datetime:
    """The last time that it was `BACKUP_HOUR` here."""
    here = timezone.localtime(now)
    at = here.replace(hour=settings.BACKUP_HOUR, minute=0, second=0, microsecond=0)
    return at if at <= here else at - timedelta(days=1)


def check_is_due(folder: Path, now: datetime) -> bool:
    if manifest.newest_in(folder) is None or _failed_lately(CHECKED_BACKUP, now):
        return False
    last = Upkeep.objects.filter(part=CHECKED_BACKUP).first()
    return last is None or last.went_well_at is None or now - last.went_well_at >= CHECKED_EVERY


def _failed_lately(part: str, now: datetime) -> bool:
    failed = Upkeep.objects.filter(part=part).exclude(problem="")
    return failed.filter(at__gt=now - TRIED_AGAIN_AFTER).exists()
