"""Every page, card and paper of a class lists its children and groups in the order of the class's
language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pypdfium2
import pytest
from django.urls import NoReverseMatch, reverse

from classrooms.assignments.presets import PRESETS
from classrooms.lesson import one_deal
from classrooms.models import Group, SchoolClass, User
from classrooms.roster import services as roster
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import play_day, rows
from tests.counts import times
from tests.factories import TeachingFactory
from tests.pages import PAGES

CHILDREN: Final[Mapping[str, Sequence[str]]] = {
    "sv": ("Anna", "Ozan", "Zoë", "Åsa", "Ängla", "Örjan"),
    **dict.fromkeys(("nl", "de", "en"), ("Ängla", "Anna", "Åsa", "Örjan", "Ozan", "Zoë")),
}
GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "sv": ("Asp", "Zebra", "Ängen"),
    **dict.fromkeys(("nl", "de", "en"), ("Ängen", "Asp", "Zebra")),
}
LISTS_THEM: Final = {
    *("class", "children", "cards", "cards_pdf", "letters", "letters_pdf", "export_class"),
    *("assign", "assign_detail", "new_child_group", "child_settings", "live", "papers"),
    *("class_report", "child_groups", "deal", "names", "merge_child"),
}
"""Some of the pages that list all children, or all but one. The test finds the others itself."""


def own_addresses(school_class: SchoolClass) -> Mapping[str, str]:
    """The pages and papers of the class that its teachers open."""
    found = {}
    for name, page in PAGES.items():
        if page.kind in ("teacher", "owner") and "GET" in page.methods:
            try:
                found[name.partition(":")[2]] = reverse(name, args=[school_class.pk])
            except NoReverseMatch:
                continue
    return found


def words_of(answer: Any) -> str:
    if answer["Content-Type"] == "application/pdf":
        document = pypdfium2.PdfDocument(answer.content)
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
    text = str(answer.text)
    return text[text.find("<main") + 1 :]


def in_order(text: str, names: Sequence[str]) -> bool:
    places = [text.find(name) for name in names]
    return -1 in places or places == sorted(places)


@pytest.mark.django_db
@pytest.mark.parametrize("language", times(("sv",), tuple(CHILDREN)))
def test_every_list_of_a_class_is_in_the_order_of_its_language(language: str, alice: User) -> None:
    school_class = TeachingFactory.create(user=alice, school_class__language=language).school_class
    roster.add_children(school_class, CHILDREN[language][::-1])
    for name in GROUPS[language][::-1]:
        group = Group.objects.create(school_class=school_class, name=name)
        group.children.set(school_class.children.all())
    for child in school_class.children.all():
        rows(child, 5, found=4, missed=2)
        play_day(child, turns=20, ago=1)
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    (bea,) = roster.add_children(school_class, ["Bea"])  # The page of a merge names her first.
    client, listing = client_of(alice), set()
    more = {
        "export_class": reverse("classrooms:export_class", args=[school_class.pk]) + "?as=csv",
        "deal": reverse("classrooms:deal", args=[school_class.pk, deal.pk]) + "?names=shown",
        "merge_child": reverse("classrooms:merge_child", args=[school_class.pk, bea.pk]),
        "names": reverse("classrooms:names", args=[school_class.code]),
    }
    for name, url in {**own_addresses(school_class), **more}.items():
        answer = client.get(url)
        if answer.status_code != 200:
            continue
        text = words_of(answer)
        if all(child in text for child in CHILDREN[language]):
            listing.add(name)
        assert in_order(text, CHILDREN[language]), name
        assert in_order(text, GROUPS[language]), name
    assert listing >= LISTS_THEM


@pytest.mark.django_db
def test_classes_are_listed_in_the_order_of_the_page(alice: User) -> None:
    for name in ("Ängen", "Zebra", "Asp"):
        TeachingFactory.create(user=alice, school_class__name=name)
    for language, names in (("sv", GROUPS["sv"]), ("nl", GROUPS["nl"])):
        client = client_of(alice)
        client.cookies["django_language"] = language
        text = words_of(client.get(reverse("classrooms:classes")))
        assert all(name in text for name in names)
        assert in_order(text, names)
