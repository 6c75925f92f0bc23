"""Alice deletes her account. The tests say what happens to it, to 5B, and to 6A, where Bob is a
co-teacher."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from classrooms.audit import What
from classrooms.classes import closing_accounts, operator
from classrooms.models import AuditEntry, Child, Membership, School, SchoolClass, Teaching, User
from tests.classrooms.people import client_of, confirmed, text_on, url_of
from tests.factories import TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
URL = "/account/close/"
SURE = {"sure": "1"}


@pytest.fixture
def bob(alice: User) -> User:
    bob = confirmed(UserFactory.create(email="bob@example.org"))
    shared = TeachingFactory.create(user=alice, school_class__name="6A").school_class
    TeachingFactory.create(school_class=shared, user=bob)
    return bob


def owners() -> dict[str, str]:
    owned = Teaching.objects.filter(role=Teaching.Role.OWNER)
    return dict(owned.values_list("school_class__name", "user__email"))


def nightly(days: int) -> datetime:
    return timezone.now() + timedelta(days=days)


def test_the_page_says_what_happens_to_each_class(alice: User, bob: User, dora: Child) -> None:
    page = text_on(client_of(alice).get(URL))
    assert "6A</strong> goes to bob@example.org" in page
    assert "after 30 days, deleted with its 1 child and all games" in page
    assert url_of("teachers", dora.school_class) in page
    assert "stays with its owner" not in page
    assert "6A</strong> stays with its owner." in text_on(client_of(bob).get(URL))


def test_a_closed_accounts_class_goes_to_a_co_teacher(alice: User, bob: User, dora: Child) -> None:
    client = client_of(alice)
    page = client.post(URL, SURE, follow=True)
    assert "Reopen my account" in text_on(page)
    assert owners() == {"5B": "alice@example.org", "6A": "bob@example.org"}
    assert not SchoolClass.objects.get(name="6A").teachings.filter(user=alice).exists()
    assert SchoolClass.objects.get(name="5B").archived_at
    assert client.get(reverse("classrooms:classes")).status_code == 302


def test_the_link_restores_the_account_and_the_class(alice: User, bob: User, dora: Child) -> None:
    link = reverse("classrooms:reopen_account", args=[closing_accounts.close(alice)])
    client = client_of(bob)
    assert client.get(link).status_code == 200
    alice.refresh_from_db()
    assert not alice.is_active
    client.post(link)
    alice.refresh_from_db()
    assert alice.is_active
    assert not SchoolClass.objects.get(name="5B").archived_at
    assert owners()["6A"] == "bob@example.org"
    assert client.get(link).status_code == 404
    again = closing_accounts.close(User.objects.get(pk=alice.pk))
    assert client.get(link).status_code == 404
    assert closing_accounts.account_of_token(again) == alice


def test_after_30_days_account_class_and_children_are_gone(
    alice: User, bob: User, dora: Child
) -> None:
    token = closing_accounts.close(alice)
    assert closing_accounts.delete_closed(nightly(29)) == 0
    assert closing_accounts.delete_closed(nightly(31)) == 1
    assert not User.objects.filter(pk=alice.pk).exists()
    assert not Child.all_objects.exists()
    assert owners() == {"6A": "bob@example.org"}
    with pytest.raises(Http404):
        closing_accounts.account_of_token(token)


def test_a_class_with_a_new_teacher_stays_theirs(alice: User, bob: User, dora: Child) -> None:
    closing_accounts.close(alice)
    TeachingFactory.create(school_class=dora.school_class, user=bob)
    closing_accounts.delete_closed(nightly(31))
    assert owners() == {"5B": "bob@example.org", "6A": "bob@example.org"}
    assert Child.objects.get() == dora


def test_an_operators_decision_about_the_account_stays(alice: User) -> None:
    closing_accounts.close(alice)
    operator.change_account(alice, ["is_active"], UserFactory.create(is_staff=True))
    assert closing_accounts.delete_closed(nightly(31)) == 0


def test_the_mail_goes_to_a_confirmed_address(
    alice: User, bob: User, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        closing_accounts.close(alice)
        token = closing_accounts.close(confirmed(UserFactory.create(email="gus@example.org")))
    to = {message.to[0]: message.body for message in mail.outbox}
    assert to.keys() == {"bob@example.org", "gus@example.org"}
    assert token in to["gus@example.org"]


def test_an_operator_or_the_only_admin_keeps_the_account(alice: User) -> None:
    school = School.objects.create(name="The Oak")
    Membership.objects.create(school=school, user=alice, role=Membership.Role.ADMIN)
    for user in (alice, UserFactory.create(is_staff=True)):
        client_of(user).post(URL, SURE)
        with pytest.raises(closing_accounts.CloseRefused):
            closing_accounts.close(user)
    assert not AuditEntry.objects.filter(what=What.ACCOUNT_CLOSED).exists()
