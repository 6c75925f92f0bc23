import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import AuditEntry, Child, ChildSession, User
from classrooms.signin import cards
from classrooms.signin.services import TRIES
from tests.classrooms.people import client_of, client_of_child
from tests.factories import WrongTriesFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(alice: User, dora: Child) -> str:
    (card,) = cards.look_up(alice, [dora], AuditEntry.Page.CARDS)
    return reverse("classrooms:card", args=[card.token])


def test_looking_at_a_card_signs_nobody_in(client: Client, url: str) -> None:
    response = client.get(url)
    assert "Dora" in response.text
    assert not response.cookies.get("child")
    assert not ChildSession.objects.exists()


def test_one_tap_signs_the_child_in(client: Client, url: str, dora: Child) -> None:
    assert client.post(url).headers["Location"] == reverse("classrooms:me")
    response = client.get(reverse("classrooms:me"))
    assert response.wsgi_request.child == dora  # type: ignore[attr-defined]


def test_a_qr_code_is_never_slowed(client: Client, url: str, dora: Child) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    for _ in range(TRIES + 1):
        assert client.post(url).status_code == 302


def test_the_device_is_known_to_the_pictures_then(client: Client, url: str, dora: Child) -> None:
    client.post(url)
    assert dora.known_devices.count() == 1


def test_an_old_card_says_what_to_do(client: Client, url: str, dora: Child) -> None:
    cards.renew_qr_codes([dora])
    for answer in (client.get(url), client.post(url)):
        assert answer.status_code == 404
        assert "Ask your teacher" in answer.text


def test_the_card_speaks_the_language_of_the_class(client: Client, url: str, dora: Child) -> None:
    dora.school_class.language = "nl"
    dora.school_class.save()
    assert 'lang="nl"' in client.get(url).text


def test_whoever_was_there_before_is_signed_out(alice: User, emil: Child, url: str) -> None:
    teacher = client_of(alice)
    teacher.post(url)
    assert teacher.get(reverse("classrooms:classes")).status_code == 302
    other = client_of_child(emil)
    other.post(url)
    assert not emil.sessions.exists()


def test_the_token_is_in_no_address_that_is_passed_on(client: Client, url: str) -> None:
    response = client.get(url)
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in response.headers["Cache-Control"]
    assert response.text.count(url.rpartition("/")[2]) == response.text.count('name="next"')
