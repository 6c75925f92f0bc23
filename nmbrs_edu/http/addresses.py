"""Of which kind the work behind each address is, from the table of addresses and what the views
there say of themselves. The proxy's maps (`scripts.proxy`) and the figures follow it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.urls import URLResolver, get_resolver

OUTSIDE: Final = {"static": "static", "healthz": "health"}
"""By the beginning of the path: what is no page."""
IS_NO_SECRET: Final = frozenset({"code", "edition"})
"""Texts in addresses; any other lets in whoever knows it, and so does what a `guess` posts."""
MAIL_OF_ALLAUTH: Final = frozenset(
    {"account_signup", "account_reset_password", "account_email", "account_confirm_email"}
)
UUID: Final = re.compile(r"<uuid:\w+>")
TEXT: Final = re.compile(r"<str:(\w+)>|\(\?P<(\w+)>(?:[^()\[]|\[[^\]]*\])*\)")
NUMBER: Final = re.compile(r"<int:\w+>")


@dataclass(frozen=True, slots=True)
class Address:
    """`path`: a regular expression of nginx. `kind`: door, child, game, adult, operator or other,
    or what is in `OUTSIDE`."""

    path: str
    head: str
    name: str
    kind: str
    view: Any
    texts: tuple[str, ...]

    def methods(self, mark: str) -> tuple[str, ...]:
        """For which methods the view has this mark."""
        if mark == "mail" and self.name in MAIL_OF_ALLAUTH:
            return ("POST",)
        is_secret = bool(set(self.texts) - IS_NO_SECRET) and self.kind != "operator"
        if mark == "guess" and is_secret and not _needs_adult(self.view):
            return ("GET", "POST")
        found: tuple[str, ...] = getattr(self.view, mark, ())
        return found


@cache
def addresses() -> tuple[Address, ...]:
    """Every address, the operator's own pages without those below them."""
    return tuple(_below(get_resolver(), "", ()))


@cache
def kinds() -> dict[str, str]:
    """The kind of all that begins with this part of a path, "" for the home page."""
    found: dict[str, set[str]] = {}
    for each in addresses():
        found.setdefault(each.head, set()).add(each.kind)
    mixed = {head: several for head, several in found.items() if len(several) > 1}
    assert not mixed, f"One beginning, one kind: {mixed}"
    return OUTSIDE | {head: kind for head, (kind,) in found.items()}


def _below(resolver: URLResolver, before: str, spaces: tuple[str, ...]) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        path = before + re.sub(r"^\^|\$$|\\Z$", "", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _below(pattern, path, (*spaces, pattern.namespace or ""))
            continue
        texts = [first or second for first, second in TEXT.findall(path)]
        head = path.partition("/")[0]
        yield Address(
            path=f"/{_for_nginx(path)}",
            head=head,
            name=str(pattern.name),
            kind=OUTSIDE.get(head) or _kind(pattern.callback, spaces),
            view=pattern.callback,
            texts=tuple(texts),
        )


def _for_nginx(path: str) -> str:
    path = path.replace(".", r"\.")
    for parameter, written in (TEXT, "[^/]+"), (NUMBER, "[0-9]+"), (UUID, "[0-9a-f-]{36}"):
        path = parameter.sub(written, path)
    return path


def _kind(view: Any, spaces: tuple[str, ...]) -> str:
    if "admin" in spaces:
        return "operator"
    if "games" in spaces:
        return "game"
    if person := getattr(view, "person", None):
        return str(person)
    if view.__module__.startswith("classrooms.signin.") and not _needs_adult(view):
        return "door"
    return "adult" if view.__module__.startswith(("allauth.", "classrooms.")) else "other"


def _needs_adult(view: Any) -> bool:
    """Django's decorator leaves this attribute, and every decorator around it keeps it."""
    return hasattr(view, "redirect_field_name")
