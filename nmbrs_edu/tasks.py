"""Tasks that show whether the queues work from end to end."""

from celery import shared_task

from nmbrs_edu.models import queue_part, went_well


@shared_task(name="nmbrs_edu.answer", expires=60)
def answer(text: str) -> str:
    """Send back what was sent: a worker can answer a ping and yet take no tasks."""
    return text


@shared_task(name="nmbrs_edu.note_queue")
def note_queue(queue: str) -> None:
    """Beat asks for it in each queue: note that a worker takes tasks from this one."""
    went_well(queue_part(queue))
