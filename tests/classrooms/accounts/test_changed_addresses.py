"""When an account's address changes, the old one gets a mail and can stop it for a week."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.accounts import services
from classrooms.audit import What
from classrooms.models import AddressChange, AuditEntry, User
from classrooms.privacy.erasure import forget_old_sign_ins
from tests.classrooms.people import client_of, confirmed
from tests.clock import at
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
THIEF = "thief@example.org"


@pytest.fixture(autouse=True)
def _hers(alice: User) -> None:
    confirmed(alice)


def mail_to(address: str, text: str = "") -> str:
    bodies = [str(sent.body) for sent in mail.outbox if sent.to == [address]]
    return [body for body in bodies if text in body][-1]


def path_in(body: str) -> str:
    match = re.search(rf"{re.escape(settings.SITE_URL)}(\S+)", body)
    assert match
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


def test_a_mistyped_address_is_set_right_and_its_owner_is_left_alone() -> None:
    bob = UserFactory.create(email="bbo@example.org")
    EmailAddress.objects.create(user=bob, email=bob.email, primary=True)
    client = client_of(bob)
    ask(client, "bob@example.org")
    assert signs_in("bob@example.org", PASSWORD)
    client.post(path_in(mail_to("bob@example.org")))
    bob.refresh_from_db()
    assert bob.email == EmailAddress.objects.get(user=bob, verified=True).email
    assert {address for sent in mail.outbox for address in sent.to} == {"bob@example.org"}


def test_stopped_before_it_never_takes_effect(alice: User) -> None:
    ask(client_of(alice))
    confirm = path_in(mail_to(THIEF))
    stop(mail_to("alice@example.org"))
    thief = Client()
    thief.post(confirm)
    assert signs_in("alice@example.org", "nine times six")
    assert not signs_in(THIEF, PASSWORD)


def test_after_it_the_account_is_given_back_and_all_devices_are_out(alice: User) -> None:
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


def test_keys_that_came_with_the_change_go_with_it_and_older_ones_stay(alice: User) -> None:
    old = timezone.now() - timedelta(days=30)
    for kind, made_at in (("totp", old), ("webauthn", timezone.now())):
        Authenticator.objects.create(user=alice, type=kind, data={}, created_at=made_at)
    SocialAccount.objects.create(user=alice, provider="google", uid="thief")
    client = client_of(alice)
    AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    stop(services.stop_link_of(alice.email, THIEF))
    assert [each.type for each in Authenticator.objects.all()] == ["totp"]
    assert not SocialAccount.objects.exists()
    assert client.get(reverse("classrooms:classes")).status_code == 302


def test_what_a_stopped_change_did_is_written_down(alice: User) -> None:
    Authenticator.objects.create(user=alice, type="webauthn", data={})
    SocialAccount.objects.create(user=alice, provider="google", uid="thief")
    AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    Client().post(path_in(services.stop_link_of(alice.email, THIEF)))
    written = AuditEntry.objects.filter(account=alice).values_list("what", flat=True)
    assert set(written) == {
        What.ADDRESS,
        What.SECOND_STEP_GONE,
        What.DISCONNECTED,
        What.SESSIONS_ENDED,
    }


def test_the_link_works_once(alice: User) -> None:
    change(client_of(alice))
    link = path_in(mail_to("alice@example.org"))
    assert Client().post(link).status_code == 302
    assert Client().post(link).status_code == 404
    assert Client().get(link).status_code == 404


def test_it_works_for_a_week(alice: User) -> None:
    change(client_of(alice))
    link = path_in(mail_to("alice@example.org"))
    end, minute = timezone.now() + services.CAN_BE_STOPPED, timedelta(minutes=1)
    for moment, status in ((end - minute, 200), (end + minute, 404)):
        with at(moment):
            assert Client().get(link).status_code == status


def test_opening_it_changes_nothing(alice: User) -> None:
    change(client_of(alice))
    Client().get(path_in(mail_to("alice@example.org")))
    alice.refresh_from_db()
    assert alice.email == THIEF


def test_a_second_change_takes_the_way_back_from_nobody(alice: User) -> None:
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


def test_what_can_no_longer_be_stopped_is_forgotten(alice: User) -> None:
    made = AddressChange.objects.create(user=alice, old=alice.email, new=THIEF)
    forget_old_sign_ins()
    assert AddressChange.objects.exists()
    AddressChange.objects.filter(pk=made.pk).update(asked_at=timezone.now() - timedelta(days=15))
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
