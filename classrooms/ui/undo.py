"""What was done, said with a button beside it that undoes it."""

from django.contrib import messages
from django.http import HttpRequest


def say_done(request: HttpRequest, text: str, undo: str) -> None:
    """Tell that something was done; a post to the address `undo` undoes it."""
    messages.success(request, text, extra_tags=undo)
