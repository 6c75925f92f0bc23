"""Tasks that test the queues from end to end."""

from celery import shared_task

from nmbrs_edu.models import queue_part, record_success


@shared_task(name="nmbrs_edu.answer", expires=60)
def answer(text: str) -> str:
    """Return the text. Shows that a worker takes tasks: some answer a ping and take none."""
    return text


@shared_task(name="nmbrs_edu.note_queue")
def note_queue(queue: str) -> None:
    """Record that a worker takes tasks from this queue. Beat sends this task to each queue."""
    record_success(queue_part(queue))
