"""What a view says of itself, for those who sort requests before it runs: the proxy and the
figures (`nmbrs_edu.http.addresses`)."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def marked(**marks: Any) -> Callable[[View], View]:
    """`person="child"`: only children need it. `heavy`, `guess`, `mail`: the methods by which it
    takes long, looks at a secret that somebody typed, or sends mail."""

    def mark(view: View) -> View:
        vars(view).update(marks)
        return view

    return mark
