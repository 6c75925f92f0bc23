"""Sign-in cards: their tokens, their renewal and its undo, and how they are printed."""

from collections.abc import Callable

import pypdfium2
import pytest
import zxingcpp
from cryptography.fernet import Fernet
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation

from classrooms.access import child_by_card
from classrooms.credentials import decrypt_pictures
from classrooms.models import (
    AuditEntry,
    Child,
    ChildSession,
    KnownDevice,
    QrCode,
    SchoolClass,
    User,
    WrongTries,
)
from classrooms.privacy.tasks import forget_old_sign_ins
from classrooms.signin import cards, services, sessions
from classrooms.signin.services import SignedIn
from tests.classrooms.people import client_of, sign_in_by_card, text_on, url_of
from tests.classrooms.reports.pdf import NO_FONT, SCRIPTS, SOME_SCRIPTS, is_named, open_pdf, words
from tests.factories import ChildFactory, WrongTriesFactory

pytestmark = pytest.mark.django_db


def token_of(user: User, child: Child) -> str:
    (card,) = cards.view_cards(user, [child], AuditEntry.Page.CARDS)
    return card.token


def test_the_database_alone_reveals_no_token(alice: User, dora: Child) -> None:
    token = token_of(alice, dora)
    columns = QrCode.objects.values().get()
    assert token not in str(columns)
    with override_settings(PICTURES_KEY=Fernet.generate_key().decode()):
        assert token_of_code(dora) is None


def token_of_code(child: Child) -> str | None:
    try:
        return cards._token(QrCode.objects.get(child=child))
    except LookupError:
        return None


def test_cards_work_and_print_the_same_after_a_new_key(alice: User, dora: Child) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    with override_settings(PICTURES_KEY=old):
        cards.renew([dora], None)
        dora.refresh_from_db()
        token = token_of(alice, dora)
    with override_settings(PICTURES_KEY=f"{new},{old}"):
        assert child_by_card(token) == dora
        assert token_of(alice, dora) == token


@pytest.mark.usefixtures("stopped_clock")
def test_a_look_at_more_children_in_the_hour_is_logged(
    alice: User, dora: Child, emil: Child
) -> None:
    two = [dora, emil]
    three = [*two, ChildFactory.create(school_class=dora.school_class)]
    for children in (two, two, three, three):
        cards.view_cards(alice, children, AuditEntry.Page.CARDS)
    entries = AuditEntry.objects.filter(is_part=False).order_by("pk")
    assert [look.detail for look in entries] == [{"count": 2}, {"count": 3}]


def test_a_new_card_makes_the_old_one_useless(alice: User, dora: Child, emil: Child) -> None:
    old, others = token_of(alice, dora), token_of(alice, emil)
    cards.renew([dora], None)
    assert child_by_card(old) is None
    assert child_by_card(token_of(alice, dora)) == dora
    assert child_by_card(others) == emil


def test_a_new_card_signs_out_devices_that_used_the_old_one(dora: Child) -> None:
    finn = ChildFactory.create()
    tokens = {child: sign_in_by_card(child, "tablet") for child in (dora, finn)}
    cards.renew([dora], None)
    assert sessions.child_of(tokens[dora]) is None
    assert sessions.child_of(tokens[finn]) == finn
    assert not KnownDevice.objects.filter(child=dora).exists()


def test_a_sign_in_begun_before_the_renewal_fails(dora: Child) -> None:
    child = Child.objects.get(pk=dora.pk)
    (old,) = cards.cards_of([dora])
    cards.renew([dora], None)
    assert services.sign_in(child, old.pictures, "tablet") == "wrong"
    assert services.sign_in_by_card(child, old.token, "tablet") is None
    assert not ChildSession.objects.exists()


def test_new_pictures_differ_and_reset_the_tries(dora: Child, emil: Child) -> None:
    before = dora.pictures_encrypted
    WrongTriesFactory.create(child=dora, count=services.TRIES)
    cards.renew([dora, emil], None)
    dora.refresh_from_db()
    assert dora.pictures_encrypted != before
    assert not WrongTries.objects.exists()
    assert not ChildSession.objects.exists()
    assert isinstance(
        services.sign_in(dora, decrypt_pictures(dora.pictures_encrypted), "tablet"), SignedIn
    )


def secrets_of(user: User, children: list[Child]) -> list[tuple[tuple[str, ...], str]]:
    again = Child.objects.filter(pk__in=[child.pk for child in children])
    secrets = cards.view_cards(user, list(again), AuditEntry.Page.CARDS)
    return [(card.pictures, card.token) for card in secrets]


def test_a_renewal_can_be_undone(alice: User, dora: Child, emil: Child) -> None:
    before = secrets_of(alice, [dora, emil])
    renewal = cards.renew([dora, emil], None)
    since = secrets_of(alice, [dora, emil])
    sign_in_by_card(dora, "tablet")
    assert cards.restore_cards(list(Child.objects.all()), renewal, None)
    assert secrets_of(alice, [dora, emil]) == before
    assert not ChildSession.objects.exists()
    withdrawn = {token for _, token in since} - {token for _, token in before}
    assert [child_by_card(token) for token in withdrawn] == [None] * len(withdrawn)
    assert not cards.restore_cards(list(Child.objects.all()), renewal, None)


def test_undoing_a_renewal_keeps_later_renewals(alice: User, dora: Child, emil: Child) -> None:
    (emils,) = secrets_of(alice, [emil])
    of_all = cards.renew([dora, emil], None)
    cards.renew([dora], None)
    (doras,) = secrets_of(alice, [dora])
    assert cards.restore_cards(list(Child.objects.all()), of_all, None)
    assert secrets_of(alice, [dora]) == [doras]
    assert secrets_of(alice, [emil]) == [emils]


def test_former_secrets_are_deleted_at_night(alice: User, dora: Child) -> None:
    renewal = cards.renew([dora], None)
    forget_old_sign_ins()
    (now,) = secrets_of(alice, [dora])
    assert not cards.restore_cards([Child.objects.get()], renewal, None)
    assert secrets_of(alice, [dora]) == [now]


# The printed PDFs


LANGUAGES = ("en", "nl", "de", "sv")
A4 = (595, 842)


@pytest.fixture
def pdf(alice: User, school_class: SchoolClass) -> Callable[[str], pypdfium2.PdfDocument]:
    def make_pdf(name: str) -> pypdfium2.PdfDocument:
        answer = client_of(alice).get(reverse(f"classrooms:{name}_pdf", args=[school_class.pk]))
        assert answer.headers["Content-Type"] == "application/pdf"
        return pypdfium2.PdfDocument(answer.content)

    return make_pdf


def read(document: pypdfium2.PdfDocument, number: int = 0) -> list[str]:
    """The texts that a decoder reads on the page at 150 dots an inch."""
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
    assert "Dora" in text_on(visitor.get(path))
    assert visitor.post(path).status_code == 302
    assert visitor.get(reverse("classrooms:me")).wsgi_request.child == dora  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_letters_give_instructions_in_the_classs_language(
    pdf: Callable[[str], pypdfium2.PdfDocument], dora: Child, language: str
) -> None:
    SchoolClass.objects.update(language=language)
    with translation.override(language):
        code_word = translation.gettext("Class code")
    for name in ("cards", "letters"):
        text = words(pdf(name))
        for part in ("Dora", "5B", code_word, dora.school_class.spaced_code, "testserver"):
            assert part in text


def test_a_page_of_cards_has_eight_that_are_read_one_by_one(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    ChildFactory.create_batch(9, school_class=school_class)
    document = pdf("cards")
    assert [len(read(document, number)) for number in range(len(document))] == [8, 1]
    assert all(round(size) in A4 for size in document[0].get_size())


def test_a_letter_has_one_page_for_a_child(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    for name in SOME_SCRIPTS:
        ChildFactory.create(name=name, school_class=school_class)
    school_class.name = "Groep 5 🦊★"
    school_class.save()
    document = pdf("letters")
    assert "Groep 5 🦊★" in words(document)
    lengths = [len(read(document, number)) for number in range(len(document))]
    assert lengths == [1] * len(SOME_SCRIPTS)


def test_names_of_all_scripts_are_printed_without_boxes(
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


def test_characters_of_typsts_syntax_are_printed_as_they_are(
    pdf: Callable[[str], pypdfium2.PdfDocument], school_class: SchoolClass
) -> None:
    school_class.name = "#panic() *5B* $x$ [c]"
    school_class.save()
    ChildFactory.create(name="Dora", school_class=school_class)
    assert "#panic() *5B* $x$ [c]" in words(pdf("cards"))


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_a_missing_character_is_a_box_only_on_that_childs_paper(
    alice: User, school_class: SchoolClass, dora: Child, name: str
) -> None:
    ChildFactory.create(name=NO_FONT, school_class=school_class)
    client = client_of(alice)
    text = words(open_pdf(client.get(reverse(f"classrooms:{name}_pdf", args=[school_class.pk]))))
    assert "Dora" in text
    assert "Ot□to" in text
    assert text.count("□ is a letter for which there is no font") == 1
    page = client.get(url_of(name, school_class))
    assert f"all the letters and signs of {NO_FONT}." in text_on(page)
