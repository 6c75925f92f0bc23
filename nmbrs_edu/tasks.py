"""The one task that belongs to no room: an answer that shows the queue works end to end."""

from celery import shared_task


@shared_task(name="nmbrs_edu.answer", expires=60)
def answer(text: str) -> str:
    """Send back what was sent: a worker can live and consume nothing, a ping would not tell."""
    return text
