"""The page on which the new year of several classes begins, and how tests post it."""

from typing import Any

from django.test import Client

from classrooms.models import SchoolClass, User
from tests.classrooms.people import undo_of
from tests.factories import TeachingFactory

URL = "/classes/new-year/"


def class_called(name: str, owner: User) -> SchoolClass:
    return TeachingFactory.create(user=owner, school_class__name=name).school_class


def fields_of(page: Any) -> dict[str, str]:
    """The fields of the page, unchanged."""
    lines = page.context["form"].lines
    return {
        **{line.what_field: line.what for line in lines},
        **{line.name_field: line.name for line in lines},
    }


def post(client: Client, address: str = URL, **changes: str) -> Any:
    """Open the page and post it with these changes, keyed by the earlier name of the class."""
    page = client.get(address)
    data = fields_of(page)
    for line in page.context["form"].lines:
        for key, field in (("what", line.what_field), ("name", line.name_field)):
            wanted = changes.get(f"{key}_{line.school_class.name}")
            data[field] = data[field] if wanted is None else wanted
    return client.post(address, data, follow=True)


def undo(client: Client, page: Any) -> Any:
    return client.post(undo_of(page), follow=True)


def names(*classes: SchoolClass) -> list[str]:
    for school_class in classes:
        school_class.refresh_from_db()
    return [school_class.name for school_class in classes]
