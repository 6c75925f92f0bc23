"""How many tasks wait in each queue."""

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

TIMEOUT_SECONDS = 5


def waiting() -> dict[str, int | None]:
    """By queue; None while Redis does not answer."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=TIMEOUT_SECONDS)
            declare = broker.default_channel.queue_declare
            return {name: int(declare(name).message_count) for name in settings.QUEUES}
    except (OperationalError, RedisError, OSError):
        return dict.fromkeys(settings.QUEUES)
