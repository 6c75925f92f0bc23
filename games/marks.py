"""Marks of views. The proxy, the figures (`nmbrs_edu.addresses`) and middleware read them before
the view runs."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def marked(**marks: Any) -> Callable[[View], View]:
    """Mark a view.

    - `person="child"`: only children need it.
    - `during_pause`: it also answers children whose class is paused.
    - `allow_archived`: it may change an archived class.
    - `asks_by_itself`: pages poll it without a person; one for adults must call `end_if_over`.
    - `heavy`, `guess`, `mail`: the HTTP methods by which it does expensive work, checks a secret
      that somebody typed, or sends mail.
    """

    def mark(view: View) -> View:
        vars(view).update(marks)
        return view

    return mark
