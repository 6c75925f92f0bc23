"""An adult's session ends an hour after the last act, and after twelve hours in any case."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account import signals as account_signals
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F
from django.dispatch import Signal
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.accounts import sessions
from classrooms.audit import What
from classrooms.classes import teachers
from classrooms.models import AuditEntry, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.privacy.views import PAGE_SIZE
from tests.classrooms.people import client_of, client_of_operator, text_on, time_passes, url_of
from tests.counts import queries_of_page
from tests.factories import PASSWORD, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
CLASSES = "/classes/"


def is_in(client: Client) -> bool:
    return client.get(CLASSES).status_code == 200


def test_an_idle_hour_ends_a_session_and_the_page_says_why(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES - 1)
    assert is_in(client)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
    answer = client.get(f"{CLASSES}?archived=1", follow=True)
    assert "You have been signed out because you were inactive" in text_on(answer)
    sign_in = urlsplit(answer.redirect_chain[-1][0])
    assert sign_in.path == reverse("account_login")
    assert parse_qs(sign_in.query)["next"] == [f"{CLASSES}?archived=1"]


def test_twelve_hours_end_a_session_in_any_case(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_SESSION_HOURS * 60 - 1, seen=True)
    assert is_in(client)
    time_passes(client, minutes=2, seen=True)
    assert not is_in(client)


def test_an_operators_session_ends_after_a_quarter_of_an_hour() -> None:
    client = client_of_operator(UserFactory.create(is_staff=True))
    time_passes(client, minutes=settings.OPERATOR_IDLE_MINUTES + 1)
    assert not is_in(client)


def test_a_session_of_unknown_age_is_over(alice: User) -> None:
    client = client_of(alice)
    session = client.session
    del session[sessions.BEGAN_KEY]
    session.save()
    assert not is_in(client)


def test_closing_the_browser_ends_a_session(alice: User, client: Client) -> None:
    page = client.get(reverse("account_login"))
    assert "remember" not in page.context["form"].fields
    client.post(
        reverse("account_login"), {"login": alice.email, "password": PASSWORD, "remember": "on"}
    )
    assert client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == ""


@pytest.mark.parametrize("name", ["live_part", "downloads_part"])
def test_a_page_that_polls_keeps_no_session_open(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    client = client_of(alice)
    part = url_of(name, school_class)
    time_passes(client, minutes=40)
    assert client.get(part, headers={"HX-Request": "true"}).status_code == 200
    time_passes(client, minutes=21)
    page = f"http://testserver{url_of('live', school_class)}"
    polled = client.get(part, headers={"HX-Request": "true", "HX-Current-URL": page})
    to = urlsplit(polled.headers["HX-Redirect"])
    assert to.path == reverse("account_login")
    assert parse_qs(to.query)["next"] == [urlsplit(page).path]
    assert "You have been signed out because you were inactive" in text_on(client.get(to.geturl()))


def test_acts_are_recorded_at_most_once_a_minute(alice: User) -> None:
    client = client_of(alice)
    client.get(CLASSES)
    with CaptureQueriesContext(connection) as queries:
        client.get(CLASSES)
    assert [query["sql"] for query in queries if "UPDATE" in query["sql"]] == []


# What was typed

TYPED = {"name": "Kingfishers", "language": "en", "csrfmiddlewaretoken": "old"}


@pytest.fixture
def idle_client(alice: User) -> Client:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
    return client


def page_after_signing_in(client: Client, user: User) -> str:
    answer = client.post(reverse("classrooms:new_class"), TYPED)
    posted = {"login": user.email, "password": PASSWORD}
    return text_on(client.post(answer.headers["Location"], posted, follow=True))


def test_a_typed_form_is_there_after_signing_in_and_nothing_is_done(
    idle_client: Client, alice: User
) -> None:
    page = page_after_signing_in(idle_client, alice)
    assert '<input type="hidden" name="name" value="Kingfishers">' in page
    assert f'action="{reverse("classrooms:new_class")}"' in page
    assert 'value="old"' not in page
    assert not SchoolClass.objects.exists()


def test_a_typed_form_is_forgotten_after_an_hour(idle_client: Client) -> None:
    idle_client.post(reverse("classrooms:new_class"), TYPED)
    assert idle_client.session.get_expiry_age() <= sessions.KEEP_TYPED_SECONDS


def test_a_typed_form_is_shown_once(idle_client: Client, alice: User) -> None:
    page_after_signing_in(idle_client, alice)
    assert idle_client.get(reverse("classrooms:typed")).status_code == 302


def test_nobody_else_gets_a_typed_form(idle_client: Client) -> None:
    assert "Kingfishers" not in page_after_signing_in(idle_client, UserFactory.create())


@pytest.mark.parametrize("hours", [0, 2])
def test_a_typed_form_is_forgotten_with_the_child_whom_it_names(
    idle_client: Client, alice: User, hours: int
) -> None:
    dora = ChildFactory.create(school_class=TeachingFactory.create(user=alice).school_class)
    idle_client.post(url_of("child", dora), {"name": "Theodora"})
    assert "Theodora" in str(dict(idle_client.session))
    Session.objects.update(expire_date=F("expire_date") - timedelta(hours=hours))
    erasure.erase_child(dora, None)
    (session,) = Session.objects.all()
    assert "Theodora" not in str(session.get_decoded())


def test_no_password_is_kept(idle_client: Client) -> None:
    idle_client.post(reverse("account_change_password"), {"oldpassword": PASSWORD})
    assert PASSWORD not in str(dict(idle_client.session))


def test_no_long_text_is_kept(idle_client: Client) -> None:
    idle_client.post(reverse("classrooms:new_class"), {"name": "x" * 200_000})
    assert sessions.TYPED_KEY not in idle_client.session


# An adult can read what happened to the account


FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"


def own_log(user: User) -> str:
    return text_on(client_of(user).get(reverse("classrooms:account_log")))


def try_password(login: str, password: str) -> Client:
    client = Client(HTTP_USER_AGENT=FIREFOX)
    client.post(reverse("account_login"), {"login": login, "password": password})
    return client


def test_a_sign_in_is_logged_with_its_means_and_no_address(alice: User) -> None:
    try_password(alice.email, PASSWORD)
    assert "You signed in with Firefox · Windows." in own_log(alice)
    entry = AuditEntry.objects.filter(what=What.SIGNED_IN, account=alice).last()
    assert "127.0.0.1" not in str(entry.detail)


@pytest.mark.usefixtures("stopped_clock")
def test_wrong_passwords_are_one_entry_an_hour(alice: User) -> None:
    for _ in range(3):
        try_password("Alice@Example.org", "wrong")
    assert AuditEntry.objects.filter(what=What.WRONG_PASSWORD, account=alice).count() == 1
    assert "Someone typed the wrong password for your account." in own_log(alice)


def test_an_unknown_address_takes_as_many_queries(alice: User) -> None:
    counts = []
    for login in (alice.email, "nobody@example.org"):
        with CaptureQueriesContext(connection) as queries:
            try_password(login, "wrong")
        counts.append(sum("classrooms_auditentry" in query["sql"] for query in queries))
    assert counts == [1, 1]


def test_a_changed_password_is_logged(alice: User) -> None:
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
def test_each_change_of_the_ways_in_is_logged(
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


def test_changes_by_others_to_a_teachers_place_in_a_class_are_listed(
    alice: User, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(school_class=school_class, user__email="bob@example.org").user
    teachers.remove(school_class, bob.pk, alice)
    assert "alice@example.org removed you from the class 5B." in own_log(bob)


def test_many_entries_need_no_more_queries(alice: User) -> None:
    client = client_of(alice)
    url = reverse("classrooms:account_log")
    counts = []
    for _ in range(2):
        counts.append(queries_of_page(client, url))
        AuditEntry.objects.bulk_create(
            AuditEntry(user=alice, account=alice, what=What.SIGNED_IN) for _ in range(PAGE_SIZE)
        )
    assert counts[0] == counts[1] <= 15
