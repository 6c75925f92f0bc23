"""The printed PDFs: a decoder reads the QR codes, and what it reads signs in."""

from collections.abc import Callable

import pypdfium2
import pytest
import zxingcpp
from django.test import Client
from django.urls import reverse
from django.utils import translation

from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of
from tests.classrooms.reports.paper.reading import NO_FONT, SCRIPTS, is_named, opened, words
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "nl", "de", "sv")
A4 = (595, 842)


@pytest.fixture
def pdf(alice: User, school_class: SchoolClass) -> Callable[[str], pypdfium2.PdfDocument]:
    def made(name: str) -> pypdfium2.PdfDocument:
        url = reverse(f"classrooms:{name}_pdf", args=[school_class.pk])
        answer = client_of(alice).get(url)
        assert answer.headers["Content-Type"] == "application/pdf"
        return pypdfium2.PdfDocument(answer.content)

    return made


def read(document: pypdfium2.PdfDocument, number: int = 0) -> list[str]:
    """What a decoder reads on the page at 150 dots an inch."""
    image = document[number].render(scale=150 / 72).to_pil()
    return [code.text for code in zxingcpp.read_barcodes(image)]


@pytest.mark.parametrize("name", ["cards", "letters"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_qr_code_is_read_from_the_page_and_signs_in(
    pdf: Callable[[str], pypdfium2.PdfDocument], dora: Child, name: str, language: str
) -> None:
    SchoolClass.objects.update(language=language)
    document = pdf(name)
    (address,) = read(document)
    assert address.startswith("http://testserver/q/")
    visitor = Client()
    path = address.removeprefix("http://testserver")
    assert "Dora" in visitor.get(path).text
    assert visitor.post(path).status_code == 302
    assert visitor.get(reverse("classrooms:me")).wsgi_request.child == dora  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_say_in_the_language_of_the_class_what_is_needed(
    pdf: Callable[[str], pypdfium2.PdfDocument], dora: Child, language: str
) -> None:
    SchoolClass.objects.update(language=language)
    with translation.override(language):
        code_word = translation.gettext("Class code")
    for name in ("cards", "letters"):
        text = words(pdf(name))
        for part in ("Dora", "5B", code_word, dora.school_class.spaced_code, "testserver"):
            assert part in text


def test_a_page_of_cards_holds_eight_that_are_read_one_by_one(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    ChildFactory.create_batch(9, school_class=school_class)
    document = pdf("cards")
    assert [len(read(document, number)) for number in range(len(document))] == [8, 1]
    assert all(round(size) in A4 for size in document[0].get_size())


def test_cards_and_letters_are_titled_as_what_they_are(
    pdf: Callable[[str], pypdfium2.PdfDocument], dora: Child
) -> None:
    titles = [pdf(name).get_metadata_dict()["Title"] for name in ("cards", "letters")]
    name = dora.school_class.name
    assert titles == [f"Login cards · {name}", f"Letters to parents · {name}"]


def test_a_letter_is_one_page_a_child(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    for name in SCRIPTS:
        ChildFactory.create(name=name, school_class=school_class)
    document = pdf("letters")
    assert len(document) == len(SCRIPTS)
    assert [len(read(document, number)) for number in range(len(document))] == [1] * len(SCRIPTS)


def test_names_of_all_scripts_are_set_with_letters_and_not_with_boxes(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    for name in SCRIPTS:
        ChildFactory.create(name=name, school_class=school_class)
    school_class.name = "Groep 5 🦊★"
    school_class.save()
    text = words(pdf("cards"))
    assert [name for name in SCRIPTS if not is_named(name, text)] == []
    assert "Groep 5 🦊★" in text
    assert "□" not in text


def test_what_a_name_has_of_typsts_own_signs_is_set_as_it_is(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    school_class.name = "#panic() *5B* $x$ [c]"
    school_class.save()
    ChildFactory.create(name="Dora", school_class=school_class)
    assert "#panic() *5B* $x$ [c]" in words(pdf("cards"))


def test_a_class_without_children_has_a_page_that_says_so(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    for name in ("cards", "letters"):
        assert "no children" in words(pdf(name))


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_a_letter_without_a_font_is_a_box_on_that_childs_paper_alone_which_says_so(
    alice: User, school_class: SchoolClass, dora: Child, name: str
) -> None:
    ChildFactory.create(name=NO_FONT, school_class=school_class)
    client = client_of(alice)
    text = words(opened(client.get(reverse(f"classrooms:{name}_pdf", args=[school_class.pk]))))
    assert "Dora" in text
    assert "Ot□to" in text
    assert text.count("□ is a letter for which there is no font") == 1
    page = client.get(reverse(f"classrooms:{name}", args=[school_class.pk]))
    assert f"all the letters and signs of {NO_FONT}." in page.text


def test_a_sign_without_a_font_is_left_out_of_the_classs_name_and_the_page_says_so(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    school_class.name = "5\U0010fffe🦊B"
    school_class.save()
    client = client_of(alice)
    text = words(opened(client.get(reverse("classrooms:cards_pdf", args=[school_class.pk]))))
    assert "5🦊B" in text
    assert "□" not in text
    page = client.get(reverse("classrooms:cards", args=[school_class.pk]))
    assert "all the letters and signs of 5\U0010fffe🦊B." in page.text
