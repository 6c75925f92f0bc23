"""Facts as a teacher types and reads them: `6 × 7, 7 × 8`."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.coach.facts import Fact, fact
from games.coach.times_tables import TABLES_TO_12
from games.screen.products import products

MOST: Final = 12
"""Facts of one assignment."""
_LONGEST: Final = 200
_FACT: Final = re.compile(r"([0-9]{1,2})\s?[x×*·]\s?([0-9]{1,2})", re.IGNORECASE)


def listed(facts: Iterable[Sequence[int]]) -> str:
    """As links and files name them, the same in every language; pages write `products`."""
    return ", ".join(f"{first} × {second}" for first, second in facts)


def facts_in(text: str) -> list[Fact]:
    """The facts in a text, each once, in its order. Raises `ValueError` for anything else."""
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
    """The facts named in a link; none where it is not to be read."""
    try:
        return facts_in(text)[:MOST]
    except ValueError:
        return []


class FactsField(forms.CharField):
    """A line of facts, with commas between them."""

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
        if len(facts) > MOST:
            message = self.error_messages["too_many"]
            raise ValidationError(message, "too_many", {"most": MOST})
        return [list(one) for one in facts]
