"""Success messages with an undo button."""

from django.contrib import messages
from django.http import HttpRequest


def say_done(request: HttpRequest, text: str, undo: str) -> None:
    """Show that something was done; a post to the URL `undo` undoes it."""
    messages.success(request, text, extra_tags=undo)
