"""The printed PDFs: a decoder reads the QR codes, and what it reads signs in."""

from collections.abc import Callable
from unittest import mock

import pypdfium2
import pytest
import zxingcpp
from django.test import Client
from django.urls import reverse
from django.utils import translation

from classrooms.models import Child, SchoolClass, User
from classrooms.ui import typesetting
from tests.classrooms.people import client_of
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "nl", "de", "sv")
NAMES = ("Åsa Öberg", "Jürgen Groß", "Éloïse", "Łukasz Čapek", "דורה כהן", "محمد علي", "W" * 40)
A4 = (595, 842)


@pytest.fixture
def pdf(alice: User, school_class: SchoolClass) -> Callable[[str], pypdfium2.PdfDocument]:
    def made(name: str) -> pypdfium2.PdfDocument:
        url = reverse(f"classrooms:{name}_pdf", args=[school_class.pk])
        answer = client_of(alice).get(url)
        assert answer.headers["Content-Type"] == "application/pdf"
        return pypdfium2.PdfDocument(answer.content)

    return made


def words(document: pypdfium2.PdfDocument) -> str:
    pages = (document[number].get_textpage().get_text_bounded() for number in range(len(document)))
    return " ".join(" ".join(pages).split())


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
    for name in NAMES:
        ChildFactory.create(name=name, school_class=school_class)
    document = pdf("letters")
    assert len(document) == len(NAMES)
    assert [len(read(document, number)) for number in range(len(document))] == [1] * len(NAMES)


def test_names_of_all_scripts_are_set_with_letters_and_not_with_boxes(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    for name in NAMES:
        ChildFactory.create(name=name, school_class=school_class)
    text = words(pdf("cards"))
    for name in NAMES[:4]:
        assert name in text
    # Read backwards or forwards, as the reader of the PDF likes; but there.
    for word in ("דורה", "محمد"):
        assert word in text or word[::-1] in text


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


def test_a_name_that_no_font_can_set_leads_to_the_page_which_a_browser_can(
    alice: User, school_class: SchoolClass
) -> None:
    child = ChildFactory.create(name="ᐃᓄᒃ", school_class=school_class)
    url = reverse("classrooms:cards_pdf", args=[school_class.pk])
    with mock.patch.object(typesetting, "SYSTEM_FONTS", False):
        answer = client_of(alice).get(f"{url}?child={child.pk}", follow=True)
    page = reverse("classrooms:cards", args=[school_class.pk])
    assert answer.redirect_chain[-1][0] == f"{page}?child={child.pk}"
    assert "Print this page instead" in answer.text
    assert "ᐃᓄᒃ" in answer.text
