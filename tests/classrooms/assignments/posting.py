"""The form of an assignment as a browser posts it."""

from typing import Any

from classrooms.models import SchoolClass, User
from tests.classrooms.people import client_of, url_of

FORM = {
    "edition": "simplified",
    "rows": "tables",
    "tables": ["2", "5"],
    "more_rows": "no",
    "bots": "1",
    "bot": "companion",
    "kind": "on",
    "rounds": "3",
    "target": "100",
    "doubling": "",
    "opening": "",
    "hint_steps": "4",
    "missed_rows": "on",
    "checks": "on",
}
TO_POINTS = {"rounds": "target"}


def post_form(user: User, school_class: SchoolClass, **changes: Any) -> Any:
    return client_of(user).post(url_of("assign_detail", school_class), {**FORM, **changes})
