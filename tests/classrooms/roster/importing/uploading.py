"""Helpers that upload a list of names to a class and read the page after it."""

from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from classrooms.models import SchoolClass
from classrooms.roster.importing.changes import PupilLine
from tests.classrooms.people import url_of
from tests.classrooms.roster.importing.corpus import fields_of


def upload(
    client: Client, school_class: SchoolClass, data: bytes, called: str = "names.csv"
) -> Any:
    url = url_of("upload_children", school_class)
    return client.post(url, {"file": SimpleUploadedFile(called, data)})


def post(client: Client, school_class: SchoolClass, preview: Any, **more: str | list[str]) -> Any:
    """Post the preview with these changes."""
    return client.post(url_of("add_shown_children", school_class), fields_of(preview) | more)


def lines(page: Any) -> Sequence[PupilLine]:
    """The lines of the preview of one class, each with what happens to a pupil."""
    changes = page.context["changes"]
    return [line for c in changes.classes for line in c.change.lines] if changes else []


URL = "/classes/from-file/"


def upload_classes(client: Client, data: str | bytes, name: str = "school.csv") -> Any:
    data = data.encode() if isinstance(data, str) else data
    return client.post(URL, {"file": SimpleUploadedFile(name, data)})


def add_classes(client: Client, page: Any, **more: str) -> Any:
    return client.post(URL, fields_of(page) | more, follow=True)
