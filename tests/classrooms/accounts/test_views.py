"""The pages of an adult's account: address, password, second step, and acts that need proof."""

import re
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classrooms.accounts import services, validators
from classrooms.accounts.sessions import browser_name
from classrooms.audit import What
from classrooms.models import (
    AddressChange,
    AuditEntry,
    Child,
    Invitation,
    SchoolClass,
    Teaching,
    User,
)
from classrooms.privacy.tasks import forget_old_sign_ins
from classrooms.signin.cards import letter_words
from tests.classrooms.accounts.signing_in import code_of, set_up_app, sign_in, signed_in
from tests.classrooms.people import (
    client_of,
    client_of_operator,
    confirmed,
    text_on,
    time_passes,
    url_of,
)
from tests.clock import at
from tests.factories import PASSWORD, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    """Alice, with a confirmed address."""
    return confirmed(UserFactory.create(email="alice@example.org"))


def link_in(message: object) -> str:
    """The path of the first link. All links lead to this site, whatever host the request named."""
    link, *_others = re.findall(r"https?://\S+", str(message))
    assert link.startswith(settings.SITE_URL)
    return str(link).removeprefix(settings.SITE_URL)


# The address


def test_a_new_user_is_asked_to_confirm_the_address_and_can(client: Client) -> None:
    client.post(
        reverse("account_signup"), {"email": "bob@example.org", "password1": "seven times eight"}
    )
    page = client.get(reverse("classrooms:account"))
    assert "not yet confirmed" in text_on(page)
    client.post(link_in(mail.outbox[0].body))
    assert "not yet confirmed" not in text_on(client.get(reverse("classrooms:account")))


def test_an_address_changes_when_the_new_one_is_confirmed(alice: User) -> None:
    client = signed_in(alice)
    client.post(reverse("account_email"), {"action_add": "", "email": "alice@school.example"})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    confirm = link_in(next(m.body for m in mail.outbox if m.to == ["alice@school.example"]))
    client.post(confirm)
    alice.refresh_from_db()
    assert alice.email == "alice@school.example"
    assert sign_in(Client(), alice.email).headers["Location"] == reverse("classrooms:classes")


def test_the_sign_in_page_has_its_cursor_in_the_first_field(client: Client) -> None:
    (address,) = re.findall(r"<input[^>]*autofocus[^>]*>", text_on(client.get("/accounts/login/")))
    assert 'name="login"' in address


def test_a_forgotten_password_is_replaced_by_mail(alice: User, client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    form = client.get(link_in(mail.outbox[0].body), follow=True)
    assert f'autocomplete="username" value="{alice.email}"' in text_on(form)
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


def test_invisible_characters_are_not_part_of_an_address(client: Client) -> None:
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
    assert sign_in(client, alice.email).headers["Location"] == reverse("mfa_authenticate")
    assert client.get(reverse("classrooms:classes")).status_code == 302
    url = reverse("mfa_authenticate")
    assert "errors" in text_on(client.post(url, {"code": "000000"}))
    Authenticator.objects.filter(type="totp").update(last_used_at=None)
    answer = client.post(url, {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("classrooms:classes")


def test_a_recovery_code_lets_in_once(alice: User) -> None:
    client = signed_in(alice)
    set_up_app(client)
    text = text_on(client.get(reverse("mfa_view_recovery_codes")))
    code, *others = re.findall(r"<code>(\d+)</code>", text)
    assert len(others) == 9
    for expected in (302, 200):
        visitor = Client()
        sign_in(visitor, alice.email)
        assert visitor.post(reverse("mfa_authenticate"), {"code": code}).status_code == expected


def test_secrets_of_the_second_step_are_kept_encrypted(alice: User) -> None:
    secret = set_up_app(signed_in(alice))
    rows = str(list(Authenticator.objects.values()))
    assert secret not in rows


def test_an_old_password_check_has_to_be_repeated(alice: User) -> None:
    client = client_of(alice)
    assert client.get(reverse("mfa_activate_totp")).status_code == 200
    time_passes(client, minutes=16)
    answer = client.get(reverse("mfa_activate_totp"))
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))


# Open sessions


def test_sessions_are_listed_and_the_others_ended(alice: User) -> None:
    here, elsewhere = Client(), Client(HTTP_USER_AGENT="Firefox/140.0 (Windows NT 10.0)")
    sign_in(here, alice.email)
    sign_in(elsewhere, alice.email)
    url = reverse("usersessions_list")
    assert "Firefox · Windows" in text_on(here.get(url))
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
def test_a_browser_is_described_in_few_words(user_agent: str, named: str) -> None:
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
        assert 'class="panel' in text_on(page), name
        assert " style=" not in text_on(page), name
        assert "allauth/elements" not in str([t.name for t in page.templates]), name


# No other way in


def test_a_link_for_one_address_confirms_no_other(alice: User) -> None:
    """Alice has requested another address too, and opens a link that somebody else requested."""
    bob = UserFactory.create(email="bob@example.org")
    theirs, hers = (
        EmailAddress.objects.create(user=user, email=email)
        for user, email in ((bob, "new@example.org"), (alice, "alice@school.example"))
    )
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(theirs).key])
    browser = signed_in(alice)
    for answer in (browser.get(link, follow=True), browser.post(link, follow=True)):
        assert "for another account" in text_on(answer)
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


@pytest.mark.parametrize(
    ("leads_to", "followed"),
    [
        ("http://testserver/account/", False),
        ("https://testserver/account/", True),
        ("/account/", True),
    ],
)
def test_signing_in_never_leads_to_plain_http(alice: User, leads_to: str, followed: bool) -> None:
    data = {"login": alice.email, "password": PASSWORD, "next": leads_to}
    answer = Client().post(reverse("account_login"), data, secure=True)
    assert answer.status_code == 302
    assert (answer.headers["Location"] == leads_to) == followed


# The name that a teacher chooses, and who sees it


def choose_name(user: User, name: str) -> None:
    client_of(user).post(reverse("classrooms:display_name"), {"display_name": name})
    user.refresh_from_db()


def test_co_teachers_see_the_chosen_name_with_the_address(
    alice: User, school_class: SchoolClass
) -> None:
    choose_name(alice, "  Ms   Bos ")
    page = text_on(client_of(alice).get(url_of("teachers", school_class)))
    assert "Ms Bos (alice@example.org)" in page


def test_letters_are_signed_with_the_chosen_name(alice: User, dora: Child) -> None:
    before = letter_words(dora.school_class, dora)["ending"]
    choose_name(alice, "Ms Bos")
    after = letter_words(SchoolClass.objects.get(), dora)["ending"]
    assert before == "With kind regards, the teacher of 5B"
    assert after == "With kind regards, Ms Bos, class 5B"


@pytest.mark.parametrize("name", ["see evil.example/x", "bob@example.org", "<b>", "...", "x" * 61])
def test_the_chosen_name_is_never_a_link(alice: User, name: str) -> None:
    choose_name(alice, name)
    assert alice.display_name == ""


def test_without_a_chosen_name_the_address_is_shown(alice: User) -> None:
    choose_name(alice, "Ms Bos")
    choose_name(alice, "")
    assert (alice.name_and_address, alice.short_name) == ("alice@example.org", "Alice")


# Words that everybody here would try first


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
def test_school_words_and_the_own_address_are_refused_as_a_password(password: str) -> None:
    with pytest.raises(ValidationError):
        validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


@pytest.mark.parametrize(
    "password", ["seven times eight", "school of whales", "correct horse", "1234567890", "q"]
)
def test_one_other_word_makes_a_password_acceptable(password: str) -> None:
    validators.GuessableWordsValidator().validate(password, User(email="alice@school.example"))


def test_a_password_of_school_words_is_refused_on_the_page() -> None:
    with pytest.raises(ValidationError, match="guess first"):
        validate_password("nmbrs2026!")


def test_a_very_long_password_is_checked_quickly_enough() -> None:
    assert validators.consists_of("school" * 700, validators.WORDS)
    assert not validators.consists_of("school" * 700 + "x", validators.WORDS)


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
each_of_them = pytest.mark.parametrize("data", NO_PASSKEYS.values(), ids=NO_PASSKEYS.keys())


@each_of_them
def test_invalid_passkey_data_signs_nobody_in(client: Client, data: str) -> None:
    client.get(reverse("mfa_login_webauthn"))
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": data})
    assert answer.status_code in (200, 302)
    assert "_auth_user_id" not in client.session


@each_of_them
def test_invalid_passkey_data_is_not_added(alice: User, data: str) -> None:
    client = client_of(alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_add_webauthn"))
    answer = client.post(reverse("mfa_add_webauthn"), {"credential": data, "name": "x"})
    assert answer.status_code == 200
    assert not Authenticator.objects.filter(user=alice).exists()


# When the address changes, the old one gets a mail and can stop it for a week


THIEF = "thief@example.org"


def mail_to(address: str, text: str = "") -> str:
    bodies = [str(message.body) for message in mail.outbox if message.to == [address]]
    return [body for body in bodies if text in body][-1]


def path_in(body: str) -> str:
    match = re.search(rf"{re.escape(settings.SITE_URL)}(\S+)", body)
    return match[1]


def ask(client: Client, new: str = THIEF) -> None:
    client.post(reverse("account_email"), {"action_add": "", "email": new})


def change(client: Client, new: str = THIEF) -> None:
    ask(client, new)
    client.post(path_in(mail_to(new)))


def stop(body: str) -> None:
    """The owner opens the link, presses the button and chooses another password."""
    owner = Client()
    link = path_in(body)
    assert owner.get(link).status_code == 200
    form = owner.post(link, follow=True)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    owner.post(form.request["PATH_INFO"], new)


def signs_in(address: str, password: str) -> bool:
    client = Client()
    client.post(reverse("account_login"), {"login": address, "password": password})
    return client.get(reverse("classrooms:classes")).status_code == 200


def test_the_old_address_gets_a_mail_before_anything_changes(alice: User) -> None:
    ask(client_of(alice))
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert "/stop-address-change/" in mail_to("alice@example.org")
    assert THIEF not in mail_to("alice@example.org")


def test_a_mistyped_address_is_corrected_quietly() -> None:
    bob = UserFactory.create(email="bbo@example.org")
    EmailAddress.objects.create(user=bob, email=bob.email, primary=True)
    client = client_of(bob)
    ask(client, "bob@example.org")
    assert signs_in("bob@example.org", PASSWORD)
    client.post(path_in(mail_to("bob@example.org")))
    bob.refresh_from_db()
    assert bob.email == EmailAddress.objects.get(user=bob, verified=True).email
    assert {address for message in mail.outbox for address in message.to} == {"bob@example.org"}


def test_a_change_stopped_before_it_happens_never_happens(alice: User) -> None:
    ask(client_of(alice))
    confirm = path_in(mail_to(THIEF))
    stop(mail_to("alice@example.org"))
    thief = Client()
    thief.post(confirm)
    assert signs_in("alice@example.org", "nine times six")
    assert not signs_in(THIEF, PASSWORD)


def test_stopping_a_made_change_restores_the_account_and_ends_all_sessions(alice: User) -> None:
    thief = client_of(alice)
    change(thief)
    alice.refresh_from_db()
    assert alice.email == THIEF
    stop(mail_to("alice@example.org", "now has another e-mail address"))
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert EmailAddress.objects.get().email == "alice@example.org"
    assert thief.get(reverse("classrooms:classes")).status_code == 302
    assert signs_in("alice@example.org", "nine times six")
    assert not signs_in("alice@example.org", PASSWORD)
    assert not signs_in(THIEF, PASSWORD)


def test_keys_added_since_the_change_go_and_older_ones_stay(alice: User) -> None:
    old = timezone.now() - timedelta(days=30)
    for kind, made_at in (("totp", old), ("webauthn", timezone.now())):
        Authenticator.objects.create(user=alice, type=kind, data={}, created_at=made_at)
    SocialAccount.objects.create(user=alice, provider="google", uid="thief")
    client = client_of(alice)
    AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    stop(services.stop_link_of(alice.email, THIEF))
    assert [authenticator.type for authenticator in Authenticator.objects.all()] == ["totp"]
    assert not SocialAccount.objects.exists()
    assert client.get(reverse("classrooms:classes")).status_code == 302


def test_stopping_an_address_change_is_logged(alice: User) -> None:
    Authenticator.objects.create(user=alice, type="webauthn", data={})
    SocialAccount.objects.create(user=alice, provider="google", uid="thief")
    AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    Client().post(path_in(services.stop_link_of(alice.email, THIEF)))
    acts = AuditEntry.objects.filter(account=alice).values_list("what", flat=True)
    assert set(acts) == {
        What.ADDRESS,
        What.SECOND_STEP_GONE,
        What.DISCONNECTED,
        What.SESSIONS_ENDED,
    }


def test_the_link_that_stops_a_change_works_once(alice: User) -> None:
    change(client_of(alice))
    link = path_in(mail_to("alice@example.org"))
    assert Client().post(link).status_code == 302
    assert Client().post(link).status_code == 404
    assert Client().get(link).status_code == 404


def test_the_link_that_stops_a_change_works_for_a_week(alice: User) -> None:
    change(client_of(alice))
    link = path_in(mail_to("alice@example.org"))
    end, minute = timezone.now() + services.STOP_LINK_LASTS, timedelta(minutes=1)
    for moment, status in ((end - minute, 200), (end + minute, 404)):
        with at(moment):
            assert Client().get(link).status_code == status
    alice.refresh_from_db()
    assert alice.email == THIEF  # Opening the link changes nothing.


def test_a_second_change_does_not_disable_the_first_link(alice: User) -> None:
    """The thief changes the address twice, and stops the second change."""
    thief = client_of(alice)
    change(thief)
    first = mail_to("alice@example.org")
    change(thief, "other@example.org")
    second = path_in(mail_to(THIEF, "/stop-address-change/"))
    Client().post(second)
    alice.refresh_from_db()
    assert alice.email == THIEF
    stop(first)
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_a_change_stopped_by_the_owner_ends_the_later_ones(alice: User) -> None:
    thief = client_of(alice)
    change(thief)
    first = mail_to("alice@example.org")
    change(thief, "other@example.org")
    second = path_in(mail_to(THIEF, "/stop-address-change/"))
    stop(first)
    assert Client().post(second).status_code == 404


def test_changes_that_can_no_longer_be_stopped_are_deleted(alice: User) -> None:
    change = AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    forget_old_sign_ins()
    assert AddressChange.objects.exists()
    AddressChange.objects.filter(pk=change.pk).update(asked_at=timezone.now() - timedelta(days=15))
    forget_old_sign_ins()
    assert not AddressChange.objects.exists()


@pytest.mark.parametrize("name", ["account_email", "account_signup", "account_reset_password"])
def test_an_address_longer_than_an_account_can_keep_is_refused(alice: User, name: str) -> None:
    too_long = f"{'a' * 250}@b.example"
    client = client_of(alice) if name == "account_email" else Client()
    posted = {"action_add": "", "email": too_long, "password1": "seven times eight"}
    answer = client.post(reverse(name), posted)
    assert "254" in answer.context["form"].errors["email"][0]
    assert not mail.outbox


# What needs proof of the last 15 minutes


@pytest.fixture
def open_client(alice: User) -> Client:
    """A computer on which Alice signed in twenty minutes ago."""
    client = client_of(alice)
    time_passes(client, minutes=20, seen=True)
    return client


def leads_to_proof(answer: Any) -> bool:
    return bool(
        answer.status_code == 302
        and answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    )


def test_another_address_needs_proof_and_is_not_lost_meanwhile(open_client: Client) -> None:
    url = reverse("account_email")
    answer = open_client.post(url, {"action_add": "", "email": "thief@example.org"})
    assert leads_to_proof(answer)
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()
    open_client.post(answer.headers["Location"], {"password": "wrong wrong wrong"})
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()
    open_client.post(answer.headers["Location"], {"password": PASSWORD})
    assert EmailAddress.objects.filter(email="thief@example.org").exists()


def test_all_other_sessions_end_when_the_password_changes(alice: User) -> None:
    here, elsewhere = client_of(alice), client_of(alice)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **new})
    assert here.get(reverse("classrooms:classes")).status_code == 200
    assert elsewhere.get(reverse("classrooms:classes")).status_code == 302


# Acts on a class that need proof


def test_inviting_a_colleague_waits_for_proof_and_then_goes_on(
    open_client: Client, school_class: SchoolClass
) -> None:
    answer = open_client.post(url_of("invite", school_class), {"email": "thief@example.org"})
    assert leads_to_proof(answer)
    assert not Invitation.objects.exists()
    open_client.post(answer.headers["Location"], {"password": PASSWORD})
    assert Invitation.objects.get().email == "thief@example.org"


def test_handing_over_waits_for_proof(open_client: Client, school_class: SchoolClass) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    assert leads_to_proof(open_client.post(url_of("hand_over", school_class, bob.pk)))
    assert school_class.teachings.get(user=bob).role == Teaching.Role.CO_TEACHER


def test_erasing_waits_for_proof_and_archiving_does_not(
    open_client: Client, school_class: SchoolClass
) -> None:
    url = url_of("year_end", school_class)
    name = school_class.name
    assert leads_to_proof(open_client.post(url, {"what": "erase", "name": name}))
    assert SchoolClass.objects.exists()
    assert not leads_to_proof(open_client.post(url, {"what": "archive"}))


def test_erasing_a_child_waits_for_proof(open_client: Client, school_class: SchoolClass) -> None:
    dora = ChildFactory.create(school_class=school_class)
    answer = open_client.post(url_of("erase_child", school_class, dora.pk))
    assert leads_to_proof(answer)
    assert Child.objects.exists()
    open_client.post(answer.headers["Location"], {"password": PASSWORD})
    assert not Child.all_objects.exists()


def test_merging_a_child_waits_for_proof_and_is_then_done(
    open_client: Client, school_class: SchoolClass
) -> None:
    twin, dora = ChildFactory.create_batch(2, school_class=school_class)
    answer = open_client.post(url_of("merge_child", school_class, twin.pk), {"into": str(dora.pk)})
    assert leads_to_proof(answer)
    assert Child.objects.count() == 2
    open_client.post(answer.headers["Location"], {"password": PASSWORD})
    assert Child.objects.get() == dora


def test_a_user_who_has_just_signed_in_or_up_is_not_asked(
    client: Client, school_class: SchoolClass, alice: User
) -> None:
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    url = url_of("invite", school_class)
    assert not leads_to_proof(client.post(url, {"email": "bob@example.org"}))


# An adult without a password signs in at the provider again.


@pytest.fixture
def no_password(alice: User, open_client: Client) -> None:
    SocialAccount.objects.create(user=alice, provider="google", uid="1")
    User.objects.filter(pk=alice.pk).update(password="!")


def open_on(alice: User, *, minutes: int) -> Client:
    alice.refresh_from_db()
    client = client_of(alice)
    time_passes(client, minutes=minutes, seen=True)
    return client


@pytest.mark.usefixtures("no_password")
@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("account_set_password", "GET"),
        ("account_set_password", "POST"),
        ("mfa_activate_totp", "GET"),
        ("usersessions_list", "POST"),
    ],
)
def test_an_adult_without_a_password_does_nothing_unproved(
    alice: User, name: str, method: str
) -> None:
    client = open_on(alice, minutes=20)
    answer = client.generic(method, reverse(name))
    assert answer.headers["Location"].startswith(reverse("classrooms:sign_in_again"))


@pytest.mark.usefixtures("no_password")
def test_shortly_after_signing_in_no_proof_is_needed(alice: User) -> None:
    client = open_on(alice, minutes=10)
    assert client.get(reverse("account_set_password")).status_code == 200


@pytest.mark.usefixtures("no_password")
def test_only_the_linked_provider_is_offered(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = UserFactory.create(email="bob@example.org")
    SocialAccount.objects.create(user=bob, provider="microsoft", uid="2")
    providers = [mock.Mock(id=name) for name in ("google", "microsoft")]
    for provider in providers:
        provider.name = provider.id
        provider.get_login_url.return_value = "/"
    adapter = mock.Mock(list_providers=lambda request: providers)
    monkeypatch.setattr("classrooms.accounts.views.get_adapter", lambda: adapter)
    page = open_on(alice, minutes=20).get(reverse("classrooms:sign_in_again"))
    assert page.context["ways"] == [("google", "/")]


@pytest.mark.usefixtures("no_password")
def test_another_address_waits_for_proof_at_the_provider(alice: User) -> None:
    client = open_on(alice, minutes=20)
    url = reverse("account_email")
    answer = client.post(url, {"action_add": "", "email": "thief@example.org"})
    assert answer.headers["Location"].startswith(reverse("classrooms:sign_in_again"))
    client.get(f"{reverse('classrooms:go_on')}?next={url}")
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()


@pytest.mark.usefixtures("no_password")
def test_a_new_password_is_not_kept_while_proof_is_asked_for(alice: User) -> None:
    client = open_on(alice, minutes=20)
    client.post(reverse("account_set_password"), {"password1": "nine times six"})
    assert "nine times six" not in str(dict(client.session))


def test_an_operator_is_never_led_to_plain_http() -> None:
    olga = client_of_operator(UserFactory.create(is_staff=True))
    data = {"next": "http://testserver/admin/"}
    answer = olga.get(reverse("admin:login"), data, secure=True)
    assert answer.headers["Location"] == reverse("admin:index")
