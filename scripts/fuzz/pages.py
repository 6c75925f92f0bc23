"""Reads the forms and links of a page as a browser would, to send them with faults."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from random import Random
from typing import Final
from urllib.parse import urljoin, urlsplit

PASSWORD: Final = "rows of three"
TOKEN: Final = "csrfmiddlewaretoken"
"""Not among the fields of a form: whoever makes the request decides whether its token is valid."""
NAMES: Final = "Zoe\nYan Li\nÅsa, Öberg\n"
FILE: Final = b"First name,Last name\nZoe,Berg\nYan,Li\n"


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: str  # the type of an input, or the element
    value: str = ""
    choices: tuple[str, ...] = ()  # the values that the page offers
    checked: bool = False
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Form:
    action: str
    method: str
    multipart: bool
    fields: tuple[Field, ...]
    buttons: tuple[Field, ...]  # the field that each button adds

    @property
    def names(self) -> list[str]:
        return [each.name for each in (*self.fields, *self.buttons)]


@dataclass(slots=True)
class Page:
    forms: list[Form] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read_page(html: str, address: str) -> Page:
    """The page at this address: its forms and its links within the site."""
    reader = _Reader(address)
    reader.feed(html)
    reader.close()
    return reader.page()


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._forms: list[dict[str, str]] = []
        self._fields: list[tuple[int | str, Field, bool, str]] = []
        self._links: list[str] = []
        self._open: int | None = None
        self._select: Field | None = None
        self._area: Field | None = None
        self._belongs: int | str | None = None

    def page(self) -> Page:
        forms = []
        for number, attributes in enumerate(self._forms):
            if attributes.get("method") == "dialog":
                continue
            mine = (number, attributes.get("id") or number)
            own = [each for each in self._fields if each[0] in mine]
            fields = _with_radio_choices([each for _, each, presses, _ in own if not presses])
            buttons = [each for _, each, presses, _ in own if presses]
            form = Form(
                action=self._inside(attributes.get("action", "")) or self._address,
                method=attributes.get("method", "get").upper(),
                multipart="multipart" in attributes.get("enctype", ""),
                fields=tuple(fields),
                buttons=tuple(button for button in buttons if button.name),
            )
            forms.append(form)
            targets = {to for _, _, _, to in own if to}
            forms += [replace(form, action=self._inside(to) or form.action) for to in targets]
        return Page(forms, sorted({link for link in map(self._inside, self._links) if link}))

    def _inside(self, link: str) -> str:
        """The address within the site; "" for a link to another site."""
        parts = urlsplit(urljoin(f"http://testserver{self._address}", link))
        if parts.netloc != "testserver" or parts.scheme != "http":
            return ""
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        for name in ("href", "hx-get"):
            if name in attributes and tag != "link":
                self._links.append(attributes[name])
        if tag == "form":
            self._open = len(self._forms)
            self._forms.append(attributes)
        elif tag in ("input", "button", "select", "textarea"):
            self._field(tag, attributes)
        elif tag == "option" and self._select:
            self._option(attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select" and self._select and self._belongs is not None:
            self._fields.append((self._belongs, self._select, False, ""))
            self._select = None
        elif tag == "textarea" and self._area and self._belongs is not None:
            self._fields.append((self._belongs, self._area, False, ""))
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area:
            self._area = replace(self._area, value=self._area.value + data)

    def _field(self, tag: str, attributes: dict[str, str]) -> None:
        belongs: int | str | None = attributes.get("form") or self._open
        if belongs is None or "disabled" in attributes:
            return
        kind = attributes.get("type", "submit" if tag == "button" else "text")
        name = attributes.get("name", "")
        if name == TOKEN:
            return
        if tag == "select":
            self._select, self._belongs = Field(name, "select"), belongs
            return
        if tag == "textarea":
            self._area, self._belongs = Field(name, "textarea"), belongs
            return
        presses = kind in ("submit", "image")
        field_ = Field(
            name,
            kind,
            attributes.get("value", "on" if kind in ("checkbox", "radio") else ""),
            checked="checked" in attributes,
            low=_number(attributes.get("min")),
            high=_number(attributes.get("max")),
        )
        if kind != "button" and (name or presses):
            self._fields.append((belongs, field_, presses, attributes.get("formaction", "")))

    def _option(self, attributes: dict[str, str]) -> None:
        assert self._select
        value = attributes.get("value", "")
        is_chosen = "selected" in attributes or not self._select.choices
        chosen = value if is_chosen else self._select.value
        self._select = replace(self._select, value=chosen, choices=(*self._select.choices, value))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.lstrip("-").isdigit() else None


def _with_radio_choices(fields: Sequence[Field]) -> list[Field]:
    """The fields; radio buttons of the same name are one field with choices."""
    by_key: dict[str, Field] = {}
    for each in fields:
        if each.kind != "radio":
            by_key[f"{len(by_key)} {each.name}"] = each
            continue
        key = f"radio {each.name}"
        before = by_key.get(key, replace(each, value="", checked=False))
        by_key[key] = replace(
            before,
            value=each.value if each.checked or not before.value else before.value,
            choices=(*before.choices, each.value),
        )
    return list(by_key.values())


def fill_in(form: Form, random: Random) -> list[tuple[str, str]]:
    """The post of a person who fills the form in correctly and presses one of its buttons."""
    post: list[tuple[str, str]] = []
    for each in form.fields:
        if each.kind == "checkbox":
            ticked = each.checked if random.random() < 0.6 else random.random() < 0.5
            post += [(each.name, each.value)] if ticked else []
        elif each.kind != "file":
            post.append((each.name, _good(each, random)))
    if form.buttons:
        button = random.choice(form.buttons)
        post.append((button.name, button.value))
    return post


def _good(each: Field, random: Random) -> str:
    if each.choices:
        return random.choice(each.choices) if random.random() < 0.5 else each.value
    if each.value or each.kind == "hidden":
        return each.value
    match each.kind:
        case "number":
            low = each.low if each.low is not None else 1
            return str(random.randint(low, max(low, each.high or low + 10)))
        case "email":
            return f"teacher{random.randrange(10**6)}@example.org"
        case "password":
            return PASSWORD
        case "date":
            return "2026-11-22"
        case "textarea":
            return NAMES
    return random.choice(("Zoe", "Yan Li", "42", "7"))
