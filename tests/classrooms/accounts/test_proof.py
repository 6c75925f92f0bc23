"""Changes to ways of signing in, and what cannot be undone, need proof of the last 15 minutes."""

from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.urls import reverse

from classrooms.models import Child, Invitation, SchoolClass, Teaching, User
from tests.classrooms.people import client_of, confirmed, time_passes
from tests.factories import PASSWORD, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _hers(alice: User) -> None:
    confirmed(alice)


@pytest.fixture
def left_open(alice: User) -> Client:
    """The computer on which Alice is signed in, twenty minutes after she did."""
    client = client_of(alice)
    time_passes(client, minutes=20, seen=True)
    return client


def leads_to_proof(answer: Any) -> bool:
    return bool(
        answer.status_code == 302
        and answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    )


def test_another_address_needs_proof_and_is_not_lost_meanwhile(left_open: Client) -> None:
    url = reverse("account_email")
    answer = left_open.post(url, {"action_add": "", "email": "thief@example.org"})
    assert leads_to_proof(answer)
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()
    left_open.post(answer.headers["Location"], {"password": "wrong wrong wrong"})
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()
    left_open.post(answer.headers["Location"], {"password": PASSWORD})
    assert EmailAddress.objects.filter(email="thief@example.org").exists()


def test_all_other_sessions_end_when_the_password_changes(alice: User) -> None:
    here, elsewhere = client_of(alice), client_of(alice)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **new})
    assert here.get(reverse("classrooms:classes")).status_code == 200
    assert elsewhere.get(reverse("classrooms:classes")).status_code == 302


class TestOfClasses:
    def test_asking_a_colleague_in_waits_for_proof_and_then_goes_on(
        self, left_open: Client, school_class: SchoolClass
    ) -> None:
        url = reverse("classrooms:invite", args=[school_class.pk])
        answer = left_open.post(url, {"email": "thief@example.org"})
        assert leads_to_proof(answer)
        assert not Invitation.objects.exists()
        left_open.post(answer.headers["Location"], {"password": PASSWORD})
        assert Invitation.objects.get().email == "thief@example.org"

    def test_handing_over_waits(self, left_open: Client, school_class: SchoolClass) -> None:
        bob = TeachingFactory.create(school_class=school_class, role=Teaching.Role.CO_TEACHER).user
        url = reverse("classrooms:hand_over", args=[school_class.pk, bob.pk])
        assert leads_to_proof(left_open.post(url))
        assert school_class.teachings.get(user=bob).role == Teaching.Role.CO_TEACHER

    def test_erasing_waits_and_archiving_does_not(
        self, left_open: Client, school_class: SchoolClass
    ) -> None:
        url = reverse("classrooms:year_end", args=[school_class.pk])
        name = school_class.name
        assert leads_to_proof(left_open.post(url, {"what": "erase", "name": name}))
        assert SchoolClass.objects.exists()
        assert not leads_to_proof(left_open.post(url, {"what": "archive"}))

    def test_erasing_a_child_waits(self, left_open: Client, school_class: SchoolClass) -> None:
        dora = ChildFactory.create(school_class=school_class)
        url = reverse("classrooms:erase_child", args=[school_class.pk, dora.pk])
        answer = left_open.post(url)
        assert leads_to_proof(answer)
        assert Child.objects.exists()
        left_open.post(answer.headers["Location"], {"password": PASSWORD})
        assert not Child.everyone.exists()

    def test_merging_a_child_waits_and_is_then_done(
        self, left_open: Client, school_class: SchoolClass
    ) -> None:
        twin, dora = ChildFactory.create_batch(2, school_class=school_class)
        url = reverse("classrooms:merge_child", args=[school_class.pk, twin.pk])
        answer = left_open.post(url, {"into": str(dora.pk)})
        assert leads_to_proof(answer)
        assert Child.objects.count() == 2
        left_open.post(answer.headers["Location"], {"password": PASSWORD})
        assert Child.objects.get() == dora

    def test_who_has_just_signed_in_or_up_is_not_asked(
        self, client: Client, school_class: SchoolClass, alice: User
    ) -> None:
        client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
        url = reverse("classrooms:invite", args=[school_class.pk])
        assert not leads_to_proof(client.post(url, {"email": "bob@example.org"}))


class TestWithGoogleAlone:
    """An adult without a password signs in elsewhere once more."""

    @pytest.fixture(autouse=True)
    def _no_password(self, alice: User, left_open: Client) -> None:
        SocialAccount.objects.create(user=alice, provider="google", uid="1")
        User.objects.filter(pk=alice.pk).update(password="!")

    def open_on(self, alice: User, *, minutes: int) -> Client:
        alice.refresh_from_db()
        client = client_of(alice)
        time_passes(client, minutes=minutes, seen=True)
        return client

    @pytest.mark.parametrize(
        ("name", "method"),
        [
            ("account_set_password", "GET"),
            ("account_set_password", "POST"),
            ("mfa_activate_totp", "GET"),
            ("usersessions_list", "POST"),
        ],
    )
    def test_nothing_goes_without(self, alice: User, name: str, method: str) -> None:
        client = self.open_on(alice, minutes=20)
        answer = client.generic(method, reverse(name))
        assert answer.headers["Location"].startswith(reverse("classrooms:sign_in_again"))

    def test_shortly_after_signing_in_it_does(self, alice: User) -> None:
        client = self.open_on(alice, minutes=10)
        assert client.get(reverse("account_set_password")).status_code == 200

    def test_only_ones_own_provider_is_offered(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bob = UserFactory.create(email="bob@example.org")
        SocialAccount.objects.create(user=bob, provider="microsoft", uid="2")
        providers = [mock.Mock(id=name) for name in ("google", "microsoft")]
        for provider in providers:
            provider.name = provider.id
            provider.get_login_url.return_value = "/"
        adapter = mock.Mock(list_providers=lambda request: providers)
        monkeypatch.setattr("classrooms.accounts.views.get_adapter", lambda: adapter)
        page = self.open_on(alice, minutes=20).get(reverse("classrooms:sign_in_again"))
        assert page.context["ways"] == [("google", "/")]

    def test_another_address_waits(self, alice: User) -> None:
        client = self.open_on(alice, minutes=20)
        url = reverse("account_email")
        answer = client.post(url, {"action_add": "", "email": "thief@example.org"})
        assert answer.headers["Location"].startswith(reverse("classrooms:sign_in_again"))
        client.get(f"{reverse('classrooms:go_on')}?next={url}")
        assert not EmailAddress.objects.filter(email="thief@example.org").exists()

    def test_a_new_password_is_not_kept_while_one_is_asked(self, alice: User) -> None:
        client = self.open_on(alice, minutes=20)
        client.post(reverse("account_set_password"), {"password1": "nine times six"})
        assert "nine times six" not in str(dict(client.session))
