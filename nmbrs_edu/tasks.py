"""Tasks that test the queues from end to end."""

from celery import shared_task

from nmbrs_edu.models import queue_part, went_well


@shared_task(name="nmbrs_edu.answer", expires=60)
def answer(text: str) -> str:
    """Return the text: a worker can answer a ping and still take no tasks."""
    return text


@shared_task(name="nmbrs_edu.note_queue")
def note_queue(queue: str) -> None:
    """Record that a worker takes tasks from this queue. Beat sends this task to each queue."""
    went_well(queue_part(queue))
