"""Children sign in by pictures and by cards, and read what to do after a wrong choice."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import passes
from classrooms.credentials import decrypt_pictures, encrypt_pictures, new_pictures
from classrooms.models import AuditEntry, Child, ChildSession, User, WrongTries
from classrooms.signin import cards
from classrooms.signin.services import TRIES
from classrooms.signin.sessions import IDLE_SESSION_ENDS
from tests.classrooms.people import client_of, client_of_child, text_on
from tests.factories import (
    AttemptFactory,
    ChildFactory,
    SchoolClassFactory,
    UserFactory,
    WrongTriesFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> Child:
    pictures = encrypt_pictures(("sun", "fish", "boat"))
    return ChildFactory.create(name="Dora", pictures_encrypted=pictures)


def url_of(child: Child) -> str:
    return reverse("classrooms:pictures", args=[child.school_class.code, child.pk])


def tap(client: Client, child: Child, *pictures: str) -> str:
    """The URL to which the last tap redirects."""
    for picture in pictures:
        response = client.post(url_of(child), {"picture": picture})
    return str(response.headers["Location"])


def test_the_names_of_the_class_are_buttons(client: Client, dora: Child) -> None:
    names = reverse("classrooms:names", args=[dora.school_class.code])
    Child.objects.filter(pk=dora.pk).update(name="<b>Dora")
    page = text_on(client.get(names))
    assert f'href="{url_of(dora).removeprefix(names)}">&lt;b&gt;Dora</a>' in page


def test_three_right_pictures_let_the_child_in(client: Client, dora: Child) -> None:
    assert tap(client, dora, "sun", "fish", "boat") == reverse("classrooms:me")
    response = client.get(reverse("classrooms:me"))
    assert response.wsgi_request.child == dora  # type: ignore[attr-defined]
    assert response.wsgi_request.player == dora.player  # type: ignore[attr-defined]


def test_the_tapped_pictures_are_shown_while_tapping(client: Client, dora: Child) -> None:
    tap(client, dora, "sun", "fish")
    slots = client.get(url_of(dora)).context["slots"]
    assert slots == [("sun", "sun"), ("fish", "fish"), ("", "")]


def test_keyboard_focus_stays_at_the_picture_tapped_last(client: Client, dora: Child) -> None:
    tap(client, dora, "sun", "fish")
    assert 'value="fish" autofocus' in text_on(client.get(url_of(dora)))


def test_a_repeated_tap_counts_once(client: Client, dora: Child) -> None:
    for _ in range(2):
        client.post(url_of(dora), {"picture": "sun", "step": "1"})
    assert client.get(url_of(dora)).context["picked"] == ("sun",)


def test_tapping_can_start_again(client: Client, dora: Child) -> None:
    tap(client, dora, "moon", "")
    assert tap(client, dora, "sun", "fish", "boat") == reverse("classrooms:me")


def test_one_childs_taps_are_not_the_beginning_of_anothers(client: Client, dora: Child) -> None:
    emil = ChildFactory.create(
        name="Emil", school_class=dora.school_class, pictures_encrypted=dora.pictures_encrypted
    )
    tap(client, dora, "sun", "fish")
    assert tap(client, emil, "boat") == url_of(emil)
    assert not WrongTries.objects.exists()


def test_too_many_wrong_tries_get_a_kind_message(client: Client, dora: Child) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    tap(client, dora, "sun", "fish", "boat")
    (message,) = client.get(url_of(dora)).context["messages"]
    assert "teacher" in str(message)


def test_the_device_is_known_the_next_time(client: Client, dora: Child) -> None:
    tap(client, dora, "sun", "fish", "boat")
    client.post(reverse("classrooms:leave"))
    WrongTries.objects.all().delete()
    WrongTriesFactory.create(child=dora, count=TRIES)
    assert tap(client, dora, "sun", "fish", "boat") == reverse("classrooms:me")


def test_no_script_can_read_a_cookie_and_none_holds_pictures(client: Client, dora: Child) -> None:
    tap(client, dora, "sun", "fish")
    assert "sun" not in client.cookies["picks"].value
    tap(client, dora, "boat")
    for name in ("child", "device"):
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"
    assert client.cookies["picks"].value == ""


def test_a_child_who_signs_in_signs_the_teacher_out(client: Client, dora: Child) -> None:
    client.force_login(UserFactory.create())
    tap(client, dora, "sun", "fish", "boat")
    response = client.get(reverse("classrooms:classes"))
    assert response.headers["Location"].startswith(reverse("account_login"))


def test_leaving_ends_the_session(dora: Child) -> None:
    client = client_of_child(dora)
    token = client.cookies["child"].value
    client.post(reverse("classrooms:leave"))
    client.cookies["child"] = token
    assert client.get(reverse("classrooms:me")).headers["Location"] == "/"


def test_not_me_leads_to_the_names_of_the_class(dora: Child) -> None:
    names = reverse("classrooms:names", args=[dora.school_class.code])
    assert client_of_child(dora).post(reverse("classrooms:leave")).headers["Location"] == names


def test_nothing_about_a_child_stays_on_the_device(dora: Child) -> None:
    client = client_of_child(dora)
    client.cookies["django_language"] = "sv"
    answer = client.post(reverse("classrooms:leave"))
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    for name in ("child", "picks", "django_language"):
        assert client.cookies[name].value == ""


def test_closing_the_browser_ends_the_session(client: Client, dora: Child) -> None:
    tap(client, dora, "sun", "fish", "boat")
    assert client.cookies["child"]["max-age"] == ""
    assert client.cookies["child"]["expires"] == ""


# After twenty idle minutes


@pytest.fixture
def gone_client(dora: Child) -> Client:
    client = client_of_child(dora)
    ChildSession.objects.update(seen_at=timezone.now() - IDLE_SESSION_ENDS)
    return client


def test_a_page_leads_to_the_names_of_the_class_and_says_why(
    gone_client: Client, dora: Child
) -> None:
    answer = gone_client.get(reverse("classrooms:me"), follow=True)
    door = reverse("classrooms:names", args=[dora.school_class.code])
    assert answer.redirect_chain == [(door, 302)]
    assert "You were away for a while" in text_on(answer)
    assert gone_client.cookies["child"].value == ""


def test_a_game_leads_to_the_names_of_the_class(gone_client: Client, dora: Child) -> None:
    game = AttemptFactory.create(child=dora).game
    door = reverse("classrooms:names", args=[dora.school_class.code])
    assert gone_client.get(reverse("games:page", args=[game.pk])).headers["Location"] == door


def test_a_move_is_answered_with_the_way_to_the_names(gone_client: Client, dora: Child) -> None:
    game = AttemptFactory.create(child=dora).game
    act = reverse("games:act", args=[game.pk])
    answer = gone_client.post(act, headers={"HX-Request": "true"})
    door = reverse("classrooms:names", args=[dora.school_class.code])
    assert answer.headers["HX-Redirect"] == door


def test_a_child_who_has_left_the_class_gets_a_message(gone_client: Client, dora: Child) -> None:
    dora.delete()
    answer = gone_client.get(reverse("classrooms:me"), follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Please sign in again" in text_on(answer)


def test_a_child_whose_card_was_replaced_is_not_told_that_they_were_away(dora: Child) -> None:
    client = client_of_child(dora)
    cards.renew([dora], None)
    answer = client.get(reverse("classrooms:me"), follow=True)
    assert "Please sign in again" in text_on(answer)
    assert "You were away" not in text_on(answer)


def test_an_open_page_may_report_that_somebody_is_there(dora: Child) -> None:
    client = client_of_child(dora)
    ChildSession.objects.update(seen_at=timezone.now() - IDLE_SESSION_ENDS + timedelta(minutes=2))
    assert client.get(reverse("classrooms:here")).status_code == 204
    assert timezone.now() - ChildSession.objects.get().seen_at < timedelta(minutes=1)


def test_pages_at_the_door_speak_the_language_of_the_class(client: Client) -> None:
    child = ChildFactory.create(school_class=SchoolClassFactory.create(language="nl"))
    assert 'lang="nl"' in text_on(client.get(url_of(child)))


def test_the_door_speaks_the_language_chosen_at_the_door(client: Client) -> None:
    child = ChildFactory.create(school_class=SchoolClassFactory.create(language="nl"))
    client.post(reverse("set_language"), {"language": "sv"})
    assert 'lang="sv"' in text_on(client.get(url_of(child)))


def test_the_page_for_the_code_speaks_the_last_classs_language(client: Client) -> None:
    child = ChildFactory.create(school_class=SchoolClassFactory.create(language="nl"))
    tap(client, child, *decrypt_pictures(child.pictures_encrypted))
    client.post(reverse("classrooms:leave"), follow=True)
    assert 'lang="nl"' in text_on(client.get("/"))
    assert 'lang="nl"' in text_on(client.post(reverse("classrooms:code"), {"code": "wrong"}))
    client.force_login(UserFactory.create())
    assert 'lang="en"' in text_on(client.get("/"))


def test_the_pictures_are_not_in_the_page(client: Client, dora: Child) -> None:
    before = client.get(url_of(dora)).content
    Child.objects.update(pictures_encrypted=encrypt_pictures(("drum", "cup", "kite")))
    assert decrypt_pictures(Child.objects.get().pictures_encrypted)[0] == "drum"
    after = client.get(url_of(dora)).content
    assert len(before) == len(after)


@pytest.fixture
def url(alice: User, dora: Child) -> str:
    (card,) = cards.view_cards(alice, [dora], AuditEntry.Page.CARDS)
    return reverse("classrooms:card", args=[card.token])


def test_looking_at_a_card_signs_nobody_in(client: Client, url: str) -> None:
    response = client.get(url)
    assert "Dora" in text_on(response)
    assert not response.cookies.get("child")
    assert not ChildSession.objects.exists()


def test_one_tap_on_the_page_of_a_card_signs_the_child_in(
    client: Client, url: str, dora: Child
) -> None:
    assert client.post(url).headers["Location"] == reverse("classrooms:me")
    response = client.get(reverse("classrooms:me"))
    assert response.wsgi_request.child == dora  # type: ignore[attr-defined]


def test_a_device_on_which_a_card_was_used_is_known_to_the_pictures(
    client: Client, url: str, dora: Child
) -> None:
    client.post(url)
    assert dora.known_devices.count() == 1


def test_an_old_card_says_what_to_do(client: Client, url: str, dora: Child) -> None:
    cards.renew([dora], None)
    for answer in (client.get(url), client.post(url)):
        assert answer.status_code == 404
        assert "Ask your teacher" in text_on(answer)


def test_an_earlier_session_is_signed_out(alice: User, emil: Child, url: str) -> None:
    teacher = client_of(alice)
    teacher.post(url)
    assert teacher.get(reverse("classrooms:classes")).status_code == 302
    other = client_of_child(emil)
    other.post(url)
    assert not emil.sessions.exists()


def test_a_form_of_the_user_before_is_refused(emil: Child, url: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = client_of_child(emil).cookies
    form_of_emil = {"csrfmiddlewaretoken": str(browser.get("/me/").context["csrf_token"])}
    at_the_door = browser.get(url).context["csrf_token"]
    browser.post(url, {"csrfmiddlewaretoken": str(at_the_door)})
    assert browser.get("/me/").status_code == 200
    assert browser.post(reverse("classrooms:leave"), form_of_emil).status_code == 403


def test_the_token_is_in_no_address_that_is_passed_on(client: Client, url: str) -> None:
    response = client.get(url)
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in response.headers["Cache-Control"]
    assert text_on(response).count(url.rpartition("/")[2]) == text_on(response).count('name="next"')


def test_a_signed_in_child_goes_on_to_their_page() -> None:
    response = client_of_child(ChildFactory.create()).get("/")
    assert response.headers["Location"] == reverse("classrooms:me")


def test_a_right_code_leads_to_the_names(client: Client) -> None:
    school_class = SchoolClassFactory.create(code="BCDGHJZ9")
    response = client.post("/play/", {"code": "bc0g hj29"})
    assert response.headers["Location"] == reverse("classrooms:names", args=[school_class.code])


@pytest.mark.parametrize("code", ["BCDGHJZZ", "x", ""])
def test_a_wrong_code_says_so_at_once(client: Client, code: str) -> None:
    SchoolClassFactory.create(code="BCDGHJZ9")
    response = client.post("/play/", {"code": code})
    assert response.status_code == 200
    assert response.context["form"].errors["code"]


@pytest.fixture(autouse=True)
def as_in_production(settings: Any) -> None:
    settings.MIDDLEWARE = ["classrooms.middleware.PassMiddleware", *settings.MIDDLEWARE]


def name_of(client: Client) -> str:
    """The person whose pass the client has, as the proxy reads it."""
    cookie = client.cookies.get(passes.PASS_COOKIE)
    return cookie.value.partition(".")[0] if cookie else ""


def test_an_invented_cookie_gets_no_pass() -> None:
    stranger = Client()
    for post in (False, True):
        stranger.cookies["child"] = "x"
        (stranger.post if post else stranger.get)(
            reverse("classrooms:leave" if post else "classrooms:me")
        )
        assert not name_of(stranger)


def test_a_childs_pass_is_the_same_on_all_devices_until_renewal(dora: Child) -> None:
    names = []
    for _device in range(2):
        client = client_of_child(dora)
        client.get(reverse("classrooms:me"))
        names.append(name_of(client))
    assert names[0]
    assert names[0] == names[1]
    dora.pictures_encrypted = encrypt_pictures(new_pictures())
    dora.save()
    client.get(reverse("classrooms:me"))
    assert name_of(client) not in names


def test_a_device_that_a_child_leaves_has_only_one_pass(dora: Child) -> None:
    names = set()
    for _time in range(2):
        client = client_of_child(dora)
        client.get(reverse("classrooms:me"))
        own = name_of(client)
        client.post(reverse("classrooms:leave"))
        names.add(name_of(client))
    assert len(names) == 1
    assert own not in names


def test_an_adult_leaves_no_pass_on_a_shared_computer(alice: User) -> None:
    client = client_of(alice)
    client.get(reverse("classrooms:classes"))
    assert name_of(client)
    client.post(reverse("account_logout"))
    assert not name_of(client)
