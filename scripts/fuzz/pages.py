"""Reads the forms and links of a page as a browser would, to send them with faults."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from lxml.html import HTMLParser, document_fromstring

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

    @property
    def presses(self) -> bool:
        """Whether it is a button that sends the form."""
        return self.kind in ("submit", "image")


@dataclass(frozen=True, slots=True)
class Form:
    action: str
    method: str
    multipart: bool
    fields: tuple[Field, ...]
    buttons: tuple[Field, ...]  # the field that each button adds

    @property
    def names(self) -> list[str]:
        return [control.name for control in (*self.fields, *self.buttons)]


@dataclass(slots=True)
class Page:
    forms: list[Form] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read_page(html: str, address: str) -> Page:
    """The page at this address: its forms and its links within the site."""

    def inside(link: str) -> str:
        """The address within the site; "" for a link to another site."""
        parts = urlsplit(urljoin(f"http://testserver{address}", link))
        if parts.netloc != "testserver" or parts.scheme != "http":
            return ""
        return parts.path + (f"?{parts.query}" if parts.query else "")

    # A body, because the parser refuses an empty document.
    document = document_fromstring(f"<body>{html}".encode(), parser=HTMLParser(encoding="utf-8"))
    controls = list(document.iter("input", "button", "select", "textarea"))
    forms = []
    for element in document.iter("form"):
        if element.get("method") == "dialog":
            continue
        own = [control for control in controls if _form_of(control) in (element, element.get("id"))]
        fields = [field for field in map(_field, own) if field and not field.presses]
        buttons = [field for field in map(_field, own) if field and field.presses and field.name]
        form = Form(
            action=inside(element.get("action", "")) or address,
            method=element.get("method", "get").upper(),
            multipart="multipart" in element.get("enctype", ""),
            fields=tuple(_with_radio_choices(fields)),
            buttons=tuple(buttons),
        )
        forms.append(form)
        targets = dict.fromkeys(filter(None, (control.get("formaction") for control in own)))
        forms += [replace(form, action=inside(to) or form.action) for to in targets]
    links = {
        inside(element.get(name))
        for element in document.iter()
        for name in ("href", "hx-get")
        if element.tag != "link" and element.get(name) is not None
    }
    return Page(forms, sorted(filter(None, links)))


def _form_of(control: Any) -> Any:
    """The id of the form that a control names, or else the form around it."""
    return control.get("form") or next(control.iterancestors("form"), None)


def _field(control: Any) -> Field | None:
    """The field of a control; None if it sends nothing, or only the token."""
    kind = control.get("type", "submit" if control.tag == "button" else "text")
    value = control.get("value", "on" if kind in ("checkbox", "radio") else "")
    choices = [option.get("value", "") for option in control.iter("option")]
    if control.tag == "textarea":
        kind, value = control.tag, control.text or ""
    elif control.tag == "select":
        chosen = [option.get("value", "") for option in control.xpath(".//option[@selected]")]
        kind, value = control.tag, (chosen or choices or [""])[0]
    name = control.get("name", "")
    field = Field(
        name,
        kind,
        value,
        tuple(choices),
        checked=control.get("checked") is not None,
        low=_number(control.get("min")),
        high=_number(control.get("max")),
    )
    is_sent = (name and name != TOKEN) or field.presses
    return field if is_sent and kind != "button" and control.get("disabled") is None else None


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
