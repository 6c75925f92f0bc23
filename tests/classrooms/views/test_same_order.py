"""Every page, card and paper of a class lists its children and groups in the order of the class's
language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pypdfium2
import pytest
from django.urls import NoReverseMatch, reverse

from classrooms.models import Group, SchoolClass, User
from classrooms.roster import services
from tests.classrooms.people import client_of
from tests.factories import TeachingFactory
from tests.permission_table import DECLARED

CHILDREN: Final[Mapping[str, Sequence[str]]] = {
    "sv": ("Anna", "Zoë", "Åsa", "Örjan"),
    "nl": ("Anna", "Åsa", "Örjan", "Zoë"),
}
GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "sv": ("Asp", "Zebra", "Ängen"),
    "nl": ("Ängen", "Asp", "Zebra"),
}
LISTS_THEM: Final = {"children", "cards", "cards_pdf", "letters_pdf", "export_class"}
"""Some that list all children; others that do are found by themselves."""


def own_addresses(school_class: SchoolClass) -> Mapping[str, str]:
    """The pages and papers of the class that its teachers open."""
    found = {}
    for name, (who, methods) in DECLARED.items():
        if who in ("teacher", "owner") and "GET" in methods:
            try:
                found[name.partition(":")[2]] = reverse(name, args=[school_class.pk])
            except NoReverseMatch:
                continue
    return found


def words_of(answer: Any) -> str:
    if answer["Content-Type"] == "application/pdf":
        document = pypdfium2.PdfDocument(answer.content)
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
    text = answer.content.decode()
    return text[text.find("<main") + 1 :]


def in_order(text: str, names: Sequence[str]) -> bool:
    places = [text.find(name) for name in names]
    return -1 in places or places == sorted(places)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["sv", "nl"])
def test_every_list_of_a_class_is_in_the_order_of_its_language(language: str, alice: User) -> None:
    school_class = TeachingFactory.create(user=alice, school_class__language=language).school_class
    services.add_children(school_class, CHILDREN[language][::-1])
    for name in GROUPS[language][::-1]:
        group = Group.objects.create(school_class=school_class, name=name)
        group.children.set(school_class.children.all())
    client, listing = client_of(alice), set()
    for name, url in own_addresses(school_class).items():
        answer = client.get(url)
        if answer.status_code != 200:
            continue
        text = words_of(answer)
        if all(child in text for child in CHILDREN[language]):
            listing.add(name)
        assert in_order(text, CHILDREN[language]), name
        assert in_order(text, GROUPS[language]), name
    assert listing >= LISTS_THEM
