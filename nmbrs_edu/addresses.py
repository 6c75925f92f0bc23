"""Finds the kind of each address from the URL patterns and the marks on the views. The proxy's maps
(`scripts.proxy`) and the counts of requests use it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.urls import URLResolver, get_resolver

KINDS_WITHOUT_PAGES: Final = {"static": "static", "healthz": "health"}
"""The kind of addresses that are not pages, by the first part of the path."""
PUBLIC_PARAMETERS: Final = frozenset({"code", "edition"})
"""The text parameters of addresses that are not secret. Any other one lets in whoever knows it, so
its address counts as a view marked `guess`."""
ALLAUTH_PAGES_THAT_MAIL: Final = frozenset(
    {"account_signup", "account_reset_password", "account_email", "account_confirm_email"}
)
UUID_IN_PATH: Final = re.compile(r"<uuid:\w+>")
TEXT_IN_PATH: Final = re.compile(r"<str:(\w+)>|\(\?P<(\w+)>(?:[^()\[]|\[[^\]]*\])*\)")
NUMBER_IN_PATH: Final = re.compile(r"<int:\w+>")


@dataclass(frozen=True, slots=True)
class Address:
    path: str  # a regular expression for nginx
    head: str  # the first part of the path
    name: str
    kind: str  # door, child, game, adult, operator, other, or a value of `KINDS_WITHOUT_PAGES`
    view: Any
    text_parameters: tuple[str, ...]

    def methods(self, mark: str) -> tuple[str, ...]:
        """The HTTP methods for which the view has this mark."""
        if mark == "mail" and self.name in ALLAUTH_PAGES_THAT_MAIL:
            return ("POST",)
        is_secret = self.kind != "operator" and not PUBLIC_PARAMETERS.issuperset(
            self.text_parameters
        )
        if mark == "guess" and is_secret and not _needs_adult(self.view):
            return ("GET", "POST")
        methods: tuple[str, ...] = getattr(self.view, mark, ())
        return methods


@cache
def addresses() -> tuple[Address, ...]:
    """All addresses; of the operator's site only the project's own."""
    return tuple(_addresses_below(get_resolver(), "", ()))


@cache
def kinds() -> dict[str, str]:
    """The kind of all addresses that share the first part of their path; "" is the home page."""
    kinds_of: dict[str, set[str]] = {}
    for address in addresses():
        kinds_of.setdefault(address.head, set()).add(address.kind)
    mixed = {head: kind_set for head, kind_set in kinds_of.items() if len(kind_set) > 1}
    assert not mixed, f"One beginning, one kind: {mixed}"
    return KINDS_WITHOUT_PAGES | {head: kind for head, (kind,) in kinds_of.items()}


def _addresses_below(
    resolver: URLResolver, prefix: str, namespaces: tuple[str, ...]
) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        path = prefix + re.sub(r"^\^|\$$|\\Z$", "", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _addresses_below(pattern, path, (*namespaces, pattern.namespace or ""))
            continue
        texts = [first or second for first, second in TEXT_IN_PATH.findall(path)]
        head = path.partition("/")[0]
        yield Address(
            path=f"/{_nginx_pattern(path)}",
            head=head,
            name=str(pattern.name),
            kind=KINDS_WITHOUT_PAGES.get(head) or _kind(pattern.callback, namespaces),
            view=pattern.callback,
            text_parameters=tuple(texts),
        )


def _nginx_pattern(path: str) -> str:
    path = path.replace(".", r"\.")
    for parameter, pattern in (
        (TEXT_IN_PATH, "[^/]+"),
        (NUMBER_IN_PATH, "[0-9]+"),
        (UUID_IN_PATH, "[0-9a-f-]{36}"),
    ):
        path = parameter.sub(pattern, path)
    return path


def _kind(view: Any, namespaces: tuple[str, ...]) -> str:
    if "admin" in namespaces:
        return "operator"
    if "games" in namespaces:
        return "game"
    if person := getattr(view, "person", None):
        return str(person)
    if view.__module__.startswith("classrooms.signin.") and not _needs_adult(view):
        return "door"
    return "adult" if view.__module__.startswith(("allauth.", "classrooms.")) else "other"


def _needs_adult(view: Any) -> bool:
    # `login_required` sets this attribute, and decorators around it keep it.
    return hasattr(view, "redirect_field_name")
