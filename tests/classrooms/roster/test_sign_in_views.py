from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.credentials import encrypt_pictures
from classrooms.models import AuditEntry, Child, ChildSession, SchoolClass, User, WrongTries
from classrooms.roster import services
from classrooms.signin import cards
from classrooms.signin.services import TRIES
from tests.classrooms.people import client_of, client_of_child
from tests.factories import ChildFactory, WrongTriesFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    pictures = encrypt_pictures(("sun", "fish", "boat"))
    return ChildFactory.create(name="Dora", school_class=school_class, pictures_encrypted=pictures)


@pytest.fixture
def page(school_class: SchoolClass) -> str:
    return reverse("classrooms:signing_in", args=[school_class.pk])


def of_child(child: Child) -> str:
    return reverse("classrooms:child_signing_in", args=[child.school_class_id, child.pk])


def test_pictures_are_shown_only_when_asked_for_and_that_is_written_down(
    alice: User, dora: Child
) -> None:
    client = client_of(alice)
    page = client.get(reverse("classrooms:child", args=[dora.school_class_id, dora.pk]))
    assert "#picture-" not in page.text
    assert not AuditEntry.objects.filter(what="looked").exists()
    url = reverse("classrooms:child_pictures", args=[dora.school_class_id, dora.pk])
    shown = client.post(url)
    assert shown.context["pictures"] == [("sun", "sun"), ("fish", "fish"), ("boat", "boat")]
    assert AuditEntry.objects.get(what="looked").child_id == dora.pk


def test_one_child_is_given_new_pictures(alice: User, dora: Child, emil: Child) -> None:
    before = {child: child.pictures_encrypted for child in (dora, emil)}
    client_of(alice).post(of_child(dora), {"do": "pictures"})
    for child in (dora, emil):
        child.refresh_from_db()
    assert dora.pictures_encrypted != before[dora]
    assert emil.pictures_encrypted == before[emil]


def test_all_children_are_given_new_pictures(
    alice: User, dora: Child, emil: Child, page: str
) -> None:
    finn = ChildFactory.create()
    before = {child: child.pictures_encrypted for child in (dora, emil, finn)}
    client_of(alice).post(page, {"do": "pictures"})
    for child in before:
        child.refresh_from_db()
    changed = [child for child, was in before.items() if child.pictures_encrypted != was]
    assert changed == [dora, emil]


def test_new_pictures_come_with_a_button_that_undoes_them(
    alice: User, dora: Child, page: str
) -> None:
    client, before = client_of(alice), dora.pictures_encrypted
    (message,) = client.post(page, {"do": "pictures"}, follow=True).context["messages"]
    for text in ("Undone", "no longer"):
        answer = client.post(message.extra_tags, follow=True)
        assert text in answer.text
        dora.refresh_from_db()
        assert dora.pictures_encrypted == before


def test_a_removed_child_comes_back_without_its_former_card(
    alice: User, dora: Child, page: str
) -> None:
    client = client_of(alice)
    (card,) = cards.cards_of([dora])
    services.remove(dora)
    for renewal in ("pictures", "qr"):
        client.post(page, {"do": renewal})
    removed = Child.everyone.get(pk=dora.pk)
    assert removed.pictures_encrypted != dora.pictures_encrypted
    services.bring_back(removed)
    assert Client().post(reverse("classrooms:card", args=[card.token])).status_code == 404


def test_everyone_is_signed_out_and_nobody_else(alice: User, dora: Child, page: str) -> None:
    child, foreign = client_of_child(dora), client_of_child(ChildFactory.create())
    client_of(alice).post(page, {"do": "sign-out"})
    assert child.get(reverse("classrooms:me")).headers["Location"] == "/"
    assert foreign.get(reverse("classrooms:me")).status_code == 200


def test_one_child_is_signed_out_everywhere(alice: User, dora: Child, emil: Child) -> None:
    client_of_child(dora), client_of_child(emil)
    client_of(alice).post(of_child(dora), {"do": "sign-out"})
    assert ChildSession.objects.get().child == emil


def test_the_teacher_sees_who_is_held_up_and_lifts_it(alice: User, dora: Child, page: str) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    client = client_of(alice)
    assert f"{TRIES} wrong tries for Dora" in client.get(page).text
    child_page = reverse("classrooms:child", args=[dora.school_class_id, dora.pk])
    assert f"{TRIES} wrong tries for Dora" in client.get(child_page).text
    client.post(of_child(dora), {"do": "lift"})
    assert "wrong tries for Dora" not in client.get(page).text.partition("</ul>")[2]
    assert not WrongTries.objects.exists()


def test_the_tries_of_a_whole_class_are_cleared_and_of_no_other(
    alice: User, dora: Child, page: str
) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    foreign = WrongTriesFactory.create(count=TRIES)
    client_of(alice).post(page, {"do": "lift"})
    assert WrongTries.objects.get() == foreign


def test_what_nobody_offers_is_not_done(alice: User, dora: Child, page: str) -> None:
    client = client_of(alice)
    assert client.post(page, {"do": "erase"}).status_code == 400
    assert client.post(of_child(dora)).status_code == 400


def test_an_empty_class_is_told_to_add_children(alice: User, page: str) -> None:
    assert "Add children" in client_of(alice).get(page).text


def test_all_cards_show_name_code_pictures_and_qr_code(alice: User, dora: Child) -> None:
    response = client_of(alice).get(reverse("classrooms:cards", args=[dora.school_class_id]))
    assert dora.school_class.spaced_code in response.text
    assert "Dora" in response.text
    for picture in ("sun", "fish", "boat"):
        assert f'href="#picture-{picture}"' in response.text
    assert '<svg viewBox="0 0 ' in response.text


@pytest.mark.parametrize("name", ["cards", "letters", "cards_pdf", "letters_pdf"])
def test_looking_at_them_is_written_down_for_each_child(
    alice: User, dora: Child, emil: Child, name: str
) -> None:
    client_of(alice).get(reverse(f"classrooms:{name}", args=[dora.school_class_id]))
    looks = AuditEntry.objects.filter(user=alice, page=name.removesuffix("_pdf"))
    assert {look.child_id for look in looks} == {None, dora.pk, emil.pk}
    assert looks.get(is_part=False).detail == {"count": 2}


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_they_are_in_the_language_of_the_class(alice: User, dora: Child, name: str) -> None:
    SchoolClass.objects.update(language="nl")
    response = client_of(alice).get(reverse(f"classrooms:{name}", args=[dora.school_class_id]))
    assert 'lang="nl"' in response.text


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_those_of_one_child_can_be_asked_for(
    alice: User, dora: Child, emil: Child, name: str
) -> None:
    url = reverse(f"classrooms:{name}", args=[dora.school_class_id])
    client = client_of(alice)
    text = client.get(url, {"child": str(dora.pk)}).text
    assert "Dora" in text
    assert "Emil" not in text
    for strange in ("x", "", uuid4(), ChildFactory.create().pk):
        assert client.get(url, {"child": str(strange)}).status_code == 404
