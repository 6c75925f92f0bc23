"""An adult's account by its pages: address, password, the second step, and where it is open."""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from classrooms.accounts.sessions import browser_name
from classrooms.models import User
from tests.classrooms.people import client_of, confirmed, time_passes
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

SECRETS = re.compile('class="secret">([A-Z2-7]+)<')


@pytest.fixture
def alice() -> User:
    """Alice, whose address is known to be hers."""
    return confirmed(UserFactory.create(email="alice@example.org"))


def signed_in(user: User) -> Client:
    """A browser in which the user has signed in, plus just typed the password once."""
    client = Client()
    sign_in(client, user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def sign_in(client: Client, user: User) -> str:
    answer = client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    return str(answer.headers.get("Location", ""))


def code_of(secret: str) -> str:
    """What an authenticator app shows now."""
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def set_up_app(client: Client) -> str:
    """The secret that was set up."""
    url = reverse("mfa_activate_totp")
    (secret,) = SECRETS.findall(client.get(url).text)
    answer = client.post(url, {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("mfa_view_recovery_codes")
    return str(secret)


def link_in(message: object) -> str:
    """The path of its first link: all lead to this site, whatever the request called it."""
    link, *_others = re.findall(r"https?://\S+", str(message))
    assert link.startswith(settings.SITE_URL)
    return str(link).removeprefix(settings.SITE_URL)


# The address


def test_who_signs_up_is_asked_to_confirm_the_address_and_can(client: Client) -> None:
    client.post(
        reverse("account_signup"), {"email": "bob@example.org", "password1": "seven times eight"}
    )
    page = client.get(reverse("classrooms:account"))
    assert "not yet confirmed" in page.text
    client.post(link_in(mail.outbox[0].body))
    assert "not yet confirmed" not in client.get(reverse("classrooms:account")).text


def test_an_address_changes_when_the_new_one_is_confirmed_and_not_before(alice: User) -> None:
    client = signed_in(alice)
    url = reverse("account_email")
    client.post(url, {"action_add": "", "email": "alice@school.example"})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    confirm = link_in(next(m.body for m in mail.outbox if m.to == ["alice@school.example"]))
    client.post(confirm)
    alice.refresh_from_db()
    assert alice.email == "alice@school.example"
    assert sign_in(Client(), alice) == reverse("classrooms:classes")


def test_a_forgotten_password_is_made_anew_by_mail(alice: User, client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    form = client.get(link_in(mail.outbox[0].body), follow=True)
    client.post(
        form.request["PATH_INFO"], dict.fromkeys(("password1", "password2"), "nine times six")
    )
    again = client.post(
        reverse("account_login"), {"login": alice.email, "password": "nine times six"}
    )
    assert again.headers["Location"] == reverse("classrooms:classes")


# The second step


def test_with_an_app_the_password_alone_opens_nothing(alice: User) -> None:
    secret = set_up_app(signed_in(alice))
    client = Client()
    assert sign_in(client, alice) == reverse("mfa_authenticate")
    assert client.get(reverse("classrooms:classes")).status_code == 302
    url = reverse("mfa_authenticate")
    assert "errors" in client.post(url, {"code": "000000"}).text
    Authenticator.objects.filter(type="totp").update(last_used_at=None)
    answer = client.post(url, {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("classrooms:classes")


def test_a_recovery_code_lets_in_once(alice: User) -> None:
    client = signed_in(alice)
    set_up_app(client)
    shown = client.get(reverse("mfa_view_recovery_codes")).text
    code, *others = re.findall(r"<code>(\d+)</code>", shown)
    assert len(others) == 9
    for expected in (302, 200):
        visitor = Client()
        sign_in(visitor, alice)
        assert visitor.post(reverse("mfa_authenticate"), {"code": code}).status_code == expected


def test_the_app_can_be_switched_off_again(alice: User) -> None:
    client = signed_in(alice)
    set_up_app(client)
    client.post(reverse("mfa_deactivate_totp"))
    assert sign_in(Client(), alice) == reverse("classrooms:classes")


def test_secrets_of_the_second_step_are_kept_encrypted(alice: User) -> None:
    secret = set_up_app(signed_in(alice))
    kept = str(list(Authenticator.objects.values()))
    assert secret not in kept


def test_the_qr_code_of_the_app_is_drawn_into_the_page(alice: User) -> None:
    page = signed_in(alice).get(reverse("mfa_activate_totp"))
    assert "data:" not in page.text
    assert '<svg viewBox="0 0 ' in page.text


def test_who_has_not_typed_the_password_for_long_is_asked_again(alice: User) -> None:
    client = client_of(alice)
    assert client.get(reverse("mfa_activate_totp")).status_code == 200
    time_passes(client, minutes=16)
    answer = client.get(reverse("mfa_activate_totp"))
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))


def test_without_a_confirmed_address_there_is_no_second_step() -> None:
    user = UserFactory.create()
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    answer = signed_in(user).get(reverse("mfa_activate_totp"), follow=True)
    assert "verified your email" in answer.text


# Where it is open


def test_sessions_are_listed_and_the_others_ended(alice: User) -> None:
    here, elsewhere = Client(), Client(HTTP_USER_AGENT="Firefox/140.0 (Windows NT 10.0)")
    sign_in(here, alice)
    sign_in(elsewhere, alice)
    url = reverse("usersessions_list")
    assert "Firefox · Windows" in here.get(url).text
    here.post(url)
    assert elsewhere.get(reverse("classrooms:classes")).status_code == 302
    assert here.get(reverse("classrooms:classes")).status_code == 200


@pytest.mark.parametrize(
    ("user_agent", "named"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge · Windows"),
        ("Mozilla/5.0 (iPad; CPU OS 18 like Mac OS X) Version/18 Safari/604.1", "Safari · iPad"),
        ("curl/8", "another browser"),
        ("", "another browser"),
    ],
)
def test_a_browser_is_named_in_few_words(user_agent: str, named: str) -> None:
    assert browser_name(user_agent) == named


# All pages


PAGES = (
    "account_email",
    "account_change_password",
    "account_logout",
    "classrooms:account",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "usersessions_list",
)


def test_every_page_is_in_our_own_look_and_needs_few_queries(alice: User) -> None:
    client = signed_in(alice)
    for name in PAGES:
        if name == "mfa_deactivate_totp":
            set_up_app(client)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse(name))
        assert page.status_code == 200, name
        assert len(queries) <= 15, name
        assert 'class="panel' in page.text, name
        assert " style=" not in page.text, name
        assert "allauth/elements" not in str([t.name for t in page.templates]), name


def test_a_school_without_keys_has_no_button_for_google_or_microsoft(client: Client) -> None:
    page = client.get(reverse("account_login")).text
    assert "Google" not in page
    assert "Microsoft" not in page
    assert client.get("/accounts/google/login/").status_code == 404
    assert client.get("/accounts/elsewhere/").status_code == 404


# No other way in


def test_a_link_for_one_address_confirms_no_other(alice: User) -> None:
    """Alice has asked for another address too, and opens the link that somebody else asked for."""
    bob = UserFactory.create(email="bob@example.org")
    theirs, hers = (
        EmailAddress.objects.create(user=user, email=email)
        for user, email in ((bob, "new@example.org"), (alice, "alice@school.example"))
    )
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(theirs).key])
    answer = signed_in(alice).post(link)
    assert answer.headers["Location"].startswith(reverse("account_login"))
    for address in (theirs, hers):
        address.refresh_from_db()
        assert not address.verified


def test_neither_a_new_password_nor_a_confirmed_address_signs_in(alice: User) -> None:
    set_up_app(signed_in(alice))
    client = Client()
    client.post(reverse("account_reset_password"), {"email": alice.email})
    form = client.get(link_in(mail.outbox[-1].body), follow=True)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    client.post(form.request["PATH_INFO"], new)
    assert client.get(reverse("classrooms:classes")).status_code == 302
    other = EmailAddress.objects.create(user=alice, email="alice@school.example")
    client.post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(other).key]))
    assert client.get(reverse("classrooms:classes")).status_code == 302
    alice.refresh_from_db()
    assert alice.check_password("nine times six")


def test_there_is_no_way_to_sign_in_by_a_code_in_a_mail(client: Client) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("account_request_login_code")
