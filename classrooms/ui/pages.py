"""What pages share: dates, times tables and facts in texts and forms, a page that asks first, the
way back, QR codes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import segno
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.coach.times_tables import TABLES_TO_12, Fact, fact
from games.screen.words import products

# Days in the future that a teacher chooses.

FARTHEST: Final = timedelta(days=2 * 365)


def check_coming(day: date | None, today: date) -> date | None:
    """The day, or None if none was chosen. Raises `ValidationError` if it is past, or more than two
    years ahead."""
    if day and day < today:
        raise ValidationError(_("This day has passed."))
    if day and day > today + FARTHEST:
        raise ValidationError(_("This day is more than two years away."))
    return day


def day_field(label: Any, help_text: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, help_text=help_text, widget=widget)


# Formats of dates. Their names are the English formats; other languages translate them.

DATE_FORMATS: Final[dict[str, str | Promise]] = {
    "j M": pgettext_lazy("format of a date", "j M"),
    "j M Y": pgettext_lazy("format of a date", "j M Y"),
    "j F": pgettext_lazy("format of a date", "j F"),
    "j F Y": pgettext_lazy("format of a date", "j F Y"),
    "l": "l",
    "l j F": pgettext_lazy("format of a date", "l j F"),
    "j F, H:i": pgettext_lazy("format of a date", "j F, H:i"),
}
"""In Django's notation: `j F` gives `28 November` in English and `28. November` in German."""


def written(value: date, form: str) -> str:
    """The date in one of the `DATE_FORMATS`, in the active language.

    >>> written(date(2026, 11, 28), "l j F")
    'Saturday 28 November'
    """
    return date_format(value, str(DATE_FORMATS[form]))


# A page that asks before something is lost.

SURE = "sure"


def is_sure(request: HttpRequest) -> bool:
    """Whether this POST comes from the page of `ask_first`."""
    return SURE in request.POST


def ask_first(
    request: HttpRequest, *, heading: str, lost: str, button: str, back: str, **context: object
) -> HttpResponse:
    """A page that says what will be lost. Its button posts to the same address again, with the
    fields of `posted` in `context`, if there are any. `back` is where the link leads that keeps
    everything."""
    context.update(heading=heading, lost=lost, button=button, back=back, sure=SURE)
    return render(request, "ui/confirm.html", context)


# Times tables to tick, and facts as a teacher types and reads them: `6 × 7, 7 × 8`.


def tables_field(
    label: Any, tables: Iterable[int], *, required: bool = True, help_text: Any = ""
) -> forms.TypedMultipleChoiceField:
    return forms.TypedMultipleChoiceField(
        label=label,
        choices=[(table, str(table)) for table in tables],
        coerce=int,
        required=required,
        widget=forms.CheckboxSelectMultiple,
        help_text=help_text,
    )


MOST_FACTS: Final = 12
"""How many facts an assignment can have."""
_LONGEST: Final = 200
_FACT: Final = re.compile(r"([0-9]{1,2})\s?[x×*·]\s?([0-9]{1,2})", re.IGNORECASE)


def facts_text(facts: Iterable[Sequence[int]]) -> str:
    """The facts as links and files write them, the same in all languages. Pages use `products`
    instead."""
    return ", ".join(f"{first} × {second}" for first, second in facts)


def facts_in(text: str) -> list[Fact]:
    """The facts in a text, each once, in the order of the text. Raises `ValueError` if it contains
    anything else."""
    found = []
    for part in filter(None, (part.strip() for part in re.split("[,;]", text[: _LONGEST + 1]))):
        match = _FACT.fullmatch(part)
        if match is None:
            raise ValueError(part)
        first, second = int(match[1]), int(match[2])
        if not {first, second} <= {*TABLES_TO_12}:
            raise ValueError(part)
        found.append(fact(first, second))
    return list(dict.fromkeys(found))


def asked_facts(text: str) -> list[Fact]:
    """The facts that a link names; none if the text is unreadable."""
    try:
        return facts_in(text)[:MOST_FACTS]
    except ValueError:
        return []


class FactsField(forms.CharField):
    """A field for facts, separated by commas."""

    default_error_messages = {  # as Django declares it
        "unreadable": _("Write facts such as 6 × 7, with commas between them."),
        "too_many": _("At most %(most)d facts."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=_LONGEST, required=False, **options)

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else products(value or ())

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            facts = facts_in(text)
        except ValueError as unreadable:
            raise ValidationError(self.error_messages["unreadable"], "unreadable") from unreadable
        if len(facts) > MOST_FACTS:
            message = self.error_messages["too_many"]
            raise ValidationError(message, "too_many", {"most": MOST_FACTS})
        return [list(pair) for pair in facts]


# Where a page of a class belongs: the page above it, where the way back leads, and the tab. Pages
# have the names of their URLs.

TABS: Final = ("class", "assignments", "live", "children", "papers")
BESIDE: Final[Mapping[str, str]] = {
    "check_ups": "assignments",
    "child_groups": "children",
    "child_settings": "children",
    "signing_in": "children",
    "cards": "papers",
    "letters": "papers",
    "certificates": "papers",
}
"""Pages that stand beside the page of a tab, which links to them by tabs of its own."""
_BELOW: Final[Mapping[str, Sequence[str]]] = {
    "assignments": (
        *("assign", "assign_preview", "try_assignment", "edit_assignment", "end_assignment"),
        *("resume_assignment", "withdraw_assignment", "repeat_assignment"),
    ),
    "assign": ("assign_detail",),
    "check_ups": (
        *("new_check_up", "check_up", "close_check_up", "reopen_check_up", "withdraw_check_up"),
    ),
    "live": ("live_part", "live_table"),
    "children": (
        *("child", "rename_child", "remove_child", "bring_child_back", "erase_child"),
        *("child_pictures", "child_signing_in", "child_report", "move_child", "move_children"),
        *("upload_children", "add_shown_children", "class_changes", "class_platform"),
        "unlink_child",
    ),
    "child": ("merge_child",),
    "child_groups": ("new_child_group", "child_group", "remove_child_group"),
    "progress": ("moves", "replay"),
}
"""The pages below each page. All others are below the page of the class."""
ABOVE: Final = {page: above for above, pages in _BELOW.items() for page in pages}
OF_A_CHILD: Final = frozenset({"progress", "child"})


def page_above(page: str) -> str | None:
    """The page above this one; None for a tab.

    >>> page_above("child_group"), page_above("child_groups"), page_above("children")
    ('child_groups', None, None)
    """
    if page in TABS or page in BESIDE:
        return None
    return ABOVE.get(page, "class")


def tab_of(page: str) -> str:
    """The tab that a page belongs to.

    >>> tab_of("replay"), tab_of("child_group"), tab_of("live_part")
    ('class', 'children', 'live')
    """
    above = page_above(page)
    return tab_of(above) if above else BESIDE.get(page, page)


# QR codes as SVG in the page, because the content policy does not allow `data:` URLs.

QR_MASK: Final = 2
"""Any mask works. Finding the best of all eight takes six times as long."""


def qr_svg(text: str) -> SafeString:
    code = segno.make(text, error="m", micro=False, mask=QR_MASK)
    drawn = code.svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None)
    # Safe, because the SVG has squares and no text.
    return mark_safe(drawn)  # nosec B308 B703
