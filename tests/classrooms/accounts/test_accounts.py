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
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.accounts import validators
from classrooms.accounts.sessions import browser_name
from classrooms.models import Child, SchoolClass, User
from classrooms.signin.cards import letter_words
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
    """The code that an authenticator app shows now."""
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
    assert f'autocomplete="username" value="{alice.email}"' in form.text
    client.post(
        form.request["PATH_INFO"], dict.fromkeys(("password1", "password2"), "nine times six")
    )
    again = client.post(
        reverse("account_login"), {"login": alice.email, "password": "nine times six"}
    )
    assert again.headers["Location"] == reverse("classrooms:classes")


def test_a_password_is_the_same_from_every_keyboard(client: Client) -> None:
    composed, decomposed = "fröhliche zwölf", "fro\u0308hliche zwo\u0308lf"
    for chosen, typed in ((composed, decomposed), (decomposed, composed)):
        alice = confirmed(UserFactory.create())
        alice.set_password(chosen)
        alice.save()
        answer = Client().post(reverse("account_login"), {"login": alice.email, "password": typed})
        assert answer.headers.get("Location") == reverse("classrooms:classes")


def test_signs_that_nobody_sees_are_no_part_of_an_address(client: Client) -> None:
    copied = "Bob@school.example\u200b"
    posted = {"email": copied, "password1": "seven times eight"}
    client.post(reverse("account_signup"), posted)
    assert mail.outbox[0].to == ["bob@school.example"]
    answer = Client().post(
        reverse("account_login"), {"login": copied, "password": "seven times eight"}
    )
    assert answer.headers.get("Location") == reverse("classrooms:classes")


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


def test_secrets_of_the_second_step_are_kept_encrypted(alice: User) -> None:
    secret = set_up_app(signed_in(alice))
    kept = str(list(Authenticator.objects.values()))
    assert secret not in kept


def test_who_has_not_typed_the_password_for_long_is_asked_again(alice: User) -> None:
    client = client_of(alice)
    assert client.get(reverse("mfa_activate_totp")).status_code == 200
    time_passes(client, minutes=16)
    answer = client.get(reverse("mfa_activate_totp"))
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))


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


# No other way in


def test_a_link_for_one_address_confirms_no_other(alice: User) -> None:
    """Alice has asked for another address too, and opens the link that somebody else asked for."""
    bob = UserFactory.create(email="bob@example.org")
    theirs, hers = (
        EmailAddress.objects.create(user=user, email=email)
        for user, email in ((bob, "new@example.org"), (alice, "alice@school.example"))
    )
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(theirs).key])
    browser = signed_in(alice)
    for answer in (browser.get(link, follow=True), browser.post(link, follow=True)):
        assert "for another account" in answer.text
    assert browser.get(reverse("classrooms:classes")).status_code == 200
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


# The name that a teacher chooses, and who sees it


def choose(user: User, name: str) -> None:
    client_of(user).post(reverse("classrooms:display_name"), {"display_name": name})
    user.refresh_from_db()


def test_co_teachers_see_it_with_the_address(alice: User, school_class: SchoolClass) -> None:
    choose(alice, "  Ms   Bos ")
    page = client_of(alice).get(reverse("classrooms:teachers", args=[school_class.pk])).text
    assert "Ms Bos (alice@example.org)" in page


def test_letters_are_signed_with_it(alice: User, dora: Child) -> None:
    before = letter_words(dora.school_class, dora)["ending"]
    choose(alice, "Ms Bos")
    after = letter_words(SchoolClass.objects.get(), dora)["ending"]
    assert before == "With kind regards, the teacher of 5B"
    assert after == "With kind regards, Ms Bos, class 5B"


@pytest.mark.parametrize("name", ["see evil.example/x", "bob@example.org", "<b>", "...", "x" * 61])
def test_it_is_a_name_and_leads_nowhere(alice: User, name: str) -> None:
    choose(alice, name)
    assert alice.display_name == ""


def test_without_one_it_is_the_address(alice: User) -> None:
    choose(alice, "Ms Bos")
    choose(alice, "")
    assert (alice.named, alice.short_name) == ("alice@example.org", "Alice")


# Words that everyone here would try first


@pytest.mark.parametrize(
    "password",
    [
        "nmbrs2026!",
        "MySchool123",
        "Leerkracht1",
        "schule-klasse-4",
        "alice.school.99",
        "Lösenord12",
    ],
)
def test_words_of_school_and_ones_own_address_are_no_password(password: str) -> None:
    with pytest.raises(ValidationError):
        validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


@pytest.mark.parametrize(
    "password", ["seven times eight", "school of whales", "correct horse", "1234567890", "q"]
)
def test_one_word_of_ones_own_is_enough(password: str) -> None:
    validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


def test_the_site_uses_it() -> None:
    with pytest.raises(ValidationError, match="guess first"):
        validate_password("nmbrs2026!")


def test_a_very_long_password_is_looked_at_quickly_enough() -> None:
    assert validators.is_made_of("school" * 700, validators.WORDS)
    assert not validators.is_made_of("school" * 700 + "x", validators.WORDS)


# Invalid passkey data is refused


SHAPE = (
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30",'
    '"authenticatorData":"eA","attestationObject":"eA","signature":"eA","userHandle":"MQ"}}'
)
NO_PASSKEYS = {
    "digits without end": "9" * 4301,
    "lists in lists": "[" * 50_000,
    "a number": "1",
    "a text where an object is wanted": '{"response":"x"}',
    "no object": "[1]",
    "records too short to be read": SHAPE,
    "numbers where texts are wanted": SHAPE.replace('"eA"', "1"),
    "no base64": SHAPE.replace('"eA"', '"=!"'),
    "nobody's handle": SHAPE.replace('"MQ"', "null"),
}
each_of_them = pytest.mark.parametrize("sent", NO_PASSKEYS.values(), ids=NO_PASSKEYS.keys())


@each_of_them
def test_what_is_no_passkey_signs_nobody_in(client: Client, sent: str) -> None:
    client.get(reverse("mfa_login_webauthn"))
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": sent})
    assert answer.status_code in (200, 302)
    assert "_auth_user_id" not in client.session


@each_of_them
def test_what_is_no_passkey_is_not_added(alice: User, sent: str) -> None:
    client = client_of(alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_add_webauthn"))
    answer = client.post(reverse("mfa_add_webauthn"), {"credential": sent, "name": "x"})
    assert answer.status_code == 200
    assert not Authenticator.objects.filter(user=alice).exists()


# What the site expects of the functions that allauth keeps to itself and may change:
