"""An adult can read what happened to the account: sign-ins, failed tries and changes."""

import pytest
from allauth.account import signals as account_signals
from allauth.account.models import EmailAddress
from django.db import connection
from django.dispatch import Signal
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.audit import What
from classrooms.classes import teachers
from classrooms.models import AuditEntry, SchoolClass, Teaching, User
from classrooms.privacy.views import PAGE_SIZE
from tests.classrooms.people import client_of
from tests.factories import PASSWORD, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"


def own_log(user: User) -> str:
    return client_of(user).get(reverse("classrooms:account_log")).text


def try_password(login: str, password: str) -> Client:
    client = Client(HTTP_USER_AGENT=FIREFOX)
    client.post(reverse("account_login"), {"login": login, "password": password})
    return client


def test_a_sign_in_says_with_what_and_from_no_address(alice: User) -> None:
    try_password(alice.email, PASSWORD)
    assert "You signed in with Firefox · Windows." in own_log(alice)
    entry = AuditEntry.objects.filter(what=What.SIGNED_IN, account=alice).last()
    assert entry is not None
    assert "127.0.0.1" not in str(entry.detail)


@pytest.mark.usefixtures("stopped_clock")
def test_wrong_passwords_are_one_entry_an_hour(alice: User) -> None:
    for _ in range(3):
        try_password("Alice@Example.org", "wrong")
    assert AuditEntry.objects.filter(what=What.WRONG_PASSWORD, account=alice).count() == 1
    assert "Someone typed the wrong password for your account." in own_log(alice)


def test_an_address_that_nobody_has_takes_as_many_queries(alice: User) -> None:
    counts = []
    for login in (alice.email, "nobody@example.org"):
        with CaptureQueriesContext(connection) as queries:
            try_password(login, "wrong")
        counts.append(sum("classrooms_auditentry" in each["sql"] for each in queries))
    assert counts == [1, 1]


def test_a_password_that_is_changed_is_written_down(alice: User) -> None:
    client = client_of(alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    new = {"oldpassword": PASSWORD, "password1": "nine times six", "password2": "nine times six"}
    client.post(reverse("account_change_password"), new)
    alice.refresh_from_db()
    assert "You changed your password." in own_log(alice)


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        (account_signals.password_reset, "You chose a new password using a link from an e-mail."),
        (account_signals.email_added, "You asked to change your address."),
        (account_signals.email_changed, "You changed your address."),
    ],
)
def test_each_change_of_what_lets_one_in_is_written_down(
    alice: User, rf: RequestFactory, signal: Signal, words: str
) -> None:
    address = EmailAddress(user=alice, email=alice.email)
    signal.send(
        User,
        request=rf.post("/"),
        user=alice,
        email_address=address,
        from_email_address=address,
        to_email_address=address,
    )
    assert words in own_log(alice)


def test_nobody_reads_the_log_of_another_account(alice: User) -> None:
    charlie = UserFactory.create(email="charlie@example.org")
    try_password(alice.email, PASSWORD)
    page = own_log(charlie)
    assert "Firefox" not in page
    assert Client().get(reverse("classrooms:account_log")).status_code == 302


def test_what_others_did_with_ones_place_in_a_class_is_there(
    alice: User, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(
        school_class=school_class, role=Teaching.Role.CO_TEACHER, user__email="bob@example.org"
    ).user
    teachers.remove(school_class, bob.pk, alice)
    assert "alice@example.org removed you from the class 5B." in own_log(bob)


def test_it_needs_as_few_queries_for_many_entries(alice: User) -> None:
    client = client_of(alice)
    url = reverse("classrooms:account_log")
    asked = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as counted:
            client.get(url)
        asked.append(len(counted))
        AuditEntry.objects.bulk_create(
            AuditEntry(user=alice, account=alice, what=What.SIGNED_IN) for _ in range(PAGE_SIZE)
        )
    assert asked[0] == asked[1] <= 15
