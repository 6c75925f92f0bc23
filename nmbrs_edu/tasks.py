"""The only task outside the apps: its answer shows that the queue works end to end."""

from celery import shared_task


@shared_task(name="nmbrs_edu.answer", expires=60)
def answer(text: str) -> str:
    """Send back what was sent: a worker can answer a ping and yet take no tasks."""
    return text
