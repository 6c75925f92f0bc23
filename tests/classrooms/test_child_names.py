"""Children's names: which are valid, and how a typed name is recognised."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pypdfium2
import pytest
from django.urls import NoReverseMatch, reverse
from hypothesis import given
from hypothesis import strategies as st

from classrooms import child_names
from classrooms.assignments.presets import PRESETS
from classrooms.child_names import LONGEST_PLAIN, plain_name
from classrooms.classes import services as classes
from classrooms.lesson import one_deal
from classrooms.models import Child, Group, SchoolClass, User
from classrooms.models.name_order import name_order
from classrooms.roster import moves
from classrooms.roster import services as roster
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.answering import play_day, rows
from tests.counts import for_each, times
from tests.factories import SchoolClassFactory, TeachingFactory
from tests.pages import PAGES


@for_each(
    [
        ("Dora", " dORA "),
        ("Zoë", "zoe"),
        ("Zoë", "Zoe\u0308"),
        ("Jan-Willem van Dam", "jan willem vandam"),
        ("D'Angelo", "d’angelo"),
        ("Emil K.", "emil k"),
        ("Jürgen", "Juergen"),
        ("Jürgen", "jurgen"),
        ("Søren", "Soren"),
        ("Åsa", "Aasa"),
        ("Łukasz", "lukasz"),
        ("Weiß", "weiss"),
        ("Δώρα", "δωρα"),
    ]
)
def test_capitals_accents_spaces_and_signs_do_not_matter(name: str, typed: str) -> None:
    assert plain_name(name) == plain_name(typed) != ""


@pytest.mark.parametrize(
    ("name", "other"), [("Dora", "Nora"), ("Emil", "Emile"), ("Jan 1", "Jan 2")]
)
def test_other_letters_and_digits_make_another_name(name: str, other: str) -> None:
    assert plain_name(name) != plain_name(other)


@given(st.text(max_size=40))
def test_the_plain_form_of_any_text_fits_into_the_table(text: str) -> None:
    assert len(plain_name(text)) <= LONGEST_PLAIN
    assert plain_name(text.upper().lower()) == plain_name(text.lower())


def problems(text: str, others: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    return [(wrong.line, wrong.problem) for wrong in child_names.read_names(text, others).wrong]


@for_each(["Anne-Marie", "D'Arcy", "Finn B.", "李小龙", "محمد", "Ngô Bảo", "J2"])
def test_names_of_all_languages_are_names(name: str) -> None:
    assert child_names.read_names(name).wrong == ()


def test_each_problem_names_its_line() -> None:
    text = "Dora\n=1+1\n\n" + "x" * 41 + "\n12\ndora\nEmil\nAda\u202e"
    assert problems(text, others=("emil",)) == [
        (2, "sign"),
        (4, "too long"),
        (5, "no letter"),
        (6, "on line"),
        (7, "in class"),
        (8, "sign"),
    ]


def test_a_repeated_name_says_on_which_other_line_it_is() -> None:
    (wrong,) = child_names.read_names("Dora\nEmil\nDORA").wrong
    assert (wrong.line, wrong.detail) == (3, "1")


@for_each(
    [
        ("مریم", "مريم"),
        ("علی", "علي"),
        ("علی", "على"),
        ("فاطمة", "فاطمه"),
        ("أحمد", "احمد"),
        ("کریم", "كريم"),
        ("İlayda", "ılayda"),
        ("വൻ", "വന്\u200d"),
        ("ײַל", "ייל"),
        ("Семён", "Семен"),
        ("Ştefan", "Ștefan"),
        ("Πέτρος", "ΠΕΤΡΟΣ"),
        ("Sofia", "So\ufb01a"),
        ("Ｄｏｒａ", "Dora"),
        ("Dora", "Do\u200bra"),
        ("さくら", "サクラ"),
        ("Əli Ħamza", "eli hamza"),
        ("Dora ২", "dora2"),
    ]
)
def test_letters_of_different_keyboards_are_the_same(name: str, typed: str) -> None:
    assert plain_name(name) == plain_name(typed) != plain_name("علاء")


# Names are in the order of the class's language, in every list and in any database


ORDERS = {
    "sv": ["Aaron", "Anna", "Bo", "Zoé", "Åsa", "Älva", "Örjan"],
    "nl": ["Aaron", "Älva", "Anna", "Åsa", "Bo", "Örjan", "Zoé"],
    "de": ["Aaron", "Älva", "Anna", "Åsa", "Bo", "Örjan", "Zoé"],
    "en": [
        "Ann",
        "Ann Z",
        "Ann-Lea",
        "Anna",
        "d'Arcy",
        "Dana",
        "Darwin",
        "émile",
        "Emily",
        "Łukasz",
        "Maria",
        "O’Brien",
        "O'Neill",
        "Olaf",
    ],
}


def test_a_key_has_only_characters_that_all_databases_sort_alike() -> None:
    for name in ("Ægir Œ", "Jürgen-Åke", "Мария", "李", "O’Neill 2", "ß"):
        key = name_order(name, "sv")
        assert key
        assert key.isascii()
        assert key.isalnum()
        assert key == key.lower()


def names(school_class: SchoolClass) -> list[str]:
    return list(school_class.children.values_list("name", flat=True))


@pytest.mark.django_db
def test_lists_follow_the_language_of_the_class() -> None:
    school_class = SchoolClassFactory.create(language="sv")
    roster.add_children(school_class, sorted(ORDERS["sv"]), None)
    assert names(school_class) == ORDERS["sv"]
    group = Group.objects.create(school_class=school_class, name="x")
    group.children.set(school_class.children.all())
    assert [child.name for child in group.children.all()] == ORDERS["sv"]


@pytest.mark.django_db
def test_another_language_name_or_class_changes_the_order(alice: User) -> None:
    school_class = SchoolClassFactory.create(language="sv")
    roster.add_children(school_class, ORDERS["sv"], None)
    school_class.language = "nl"
    classes.change(school_class, ("language",), alice)
    assert names(school_class) == ORDERS["nl"]
    roster.rename(Child.objects.get(name="Zoé"), "Aafke", None)
    assert names(school_class)[0] == "Aafke"
    swedish = SchoolClassFactory.create(language="sv")
    for name in ("Åsa", "Bo"):
        moves.move([Child.objects.get(name=name)], swedish, None)
    assert names(swedish) == ["Bo", "Åsa"]


@pytest.mark.django_db
def test_the_pages_list_names_in_the_order_of_the_language(
    alice: User, school_class: SchoolClass
) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(language="sv")
    school_class.refresh_from_db()
    roster.add_children(school_class, ORDERS["sv"][::-1], None)
    client = client_of(alice)
    for page in ("children", "child_settings", "new_child_group", "live"):
        text = text_on(client.get(url_of(page, school_class)))
        text = text[text.index("<main") :]
        places = [re.search(rf"\b{name}\b", text).start() for name in ORDERS["sv"]]
        assert places == sorted(places), page


@pytest.mark.django_db
def test_groups_are_ordered_and_reordered_in_another_language(alice: User) -> None:
    school_class = SchoolClassFactory.create(language="sv")
    for name in ORDERS["sv"][::-1]:
        Group.objects.create(school_class=school_class, name=name)
    assert list(school_class.groups.values_list("name", flat=True)) == ORDERS["sv"]
    school_class.language = "nl"
    classes.change(school_class, ("language",), alice)
    assert list(school_class.groups.values_list("name", flat=True)) == ORDERS["nl"]


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
    addresses = {}
    for name, page in PAGES.items():
        if page.kind in ("teacher", "owner") and "GET" in page.methods:
            try:
                addresses[name.partition(":")[2]] = reverse(name, args=[school_class.pk])
            except NoReverseMatch:
                continue
    return addresses


def answer_text(answer: Any) -> str:
    if answer["Content-Type"] == "application/pdf":
        document = pypdfium2.PdfDocument(answer.content)
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
    text = text_on(answer)
    return text[text.find("<main") + 1 :]


def in_order(text: str, names: Sequence[str]) -> bool:
    places = [text.find(name) for name in names]
    return -1 in places or places == sorted(places)


@pytest.mark.django_db
@pytest.mark.parametrize("language", times(("sv",), tuple(CHILDREN)))
def test_every_list_of_a_class_is_in_the_order_of_its_language(language: str, alice: User) -> None:
    school_class = TeachingFactory.create(user=alice, school_class__language=language).school_class
    roster.add_children(school_class, CHILDREN[language][::-1], None)
    for name in GROUPS[language][::-1]:
        group = Group.objects.create(school_class=school_class, name=name)
        group.children.set(school_class.children.all())
    for child in school_class.children.all():
        rows(child, 5, found=4, missed=2)
        play_day(child, turns=20, ago=1)
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    # The page of a merge names her first.
    (bea,) = roster.add_children(school_class, ["Bea"], None)
    client, listing = client_of(alice), set()
    more = {
        "export_class": url_of("export_class", school_class) + "?as=csv",
        "deal": url_of("deal", school_class, deal.pk) + "?names=shown",
        "merge_child": url_of("merge_child", school_class, bea.pk),
        "names": reverse("classrooms:names", args=[school_class.code]),
    }
    for name, url in {**own_addresses(school_class), **more}.items():
        answer = client.get(url)
        if answer.status_code != 200:
            continue
        text = answer_text(answer)
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
        text = answer_text(client.get(reverse("classrooms:classes")))
        assert all(name in text for name in names)
        assert in_order(text, names)
