"""Fields for times tables and for facts, which a teacher types and reads as `6 × 7, 7 × 8`."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.coach.times_tables import TABLES_TO_12, Fact, fact_of
from games.screen.words import products


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
    """The facts as links and files have them, which is the same in all languages. Pages use
    `products` instead."""
    return ", ".join(f"{first} × {second}" for first, second in facts)


def parse_facts(text: str) -> list[Fact]:
    """The facts in a text, each once, in the order of the text. Raises `ValueError` if it contains
    anything else."""
    facts = []
    for part in filter(None, (part.strip() for part in re.split("[,;]", text[: _LONGEST + 1]))):
        match = _FACT.fullmatch(part)
        if match is None:
            raise ValueError(part)
        first, second = int(match[1]), int(match[2])
        if not {first, second} <= {*TABLES_TO_12}:
            raise ValueError(part)
        facts.append(fact_of(first, second))
    return list(dict.fromkeys(facts))


def asked_facts(text: str) -> list[Fact]:
    """The facts that a link names; none if the text is unreadable."""
    try:
        return parse_facts(text)[:MOST_FACTS]
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
            facts = parse_facts(text)
        except ValueError as unreadable:
            raise ValidationError(self.error_messages["unreadable"], "unreadable") from unreadable
        if len(facts) > MOST_FACTS:
            message = self.error_messages["too_many"]
            raise ValidationError(message, "too_many", {"most": MOST_FACTS})
        return [list(pair) for pair in facts]
