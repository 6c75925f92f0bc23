"""The operator's pages need a second sign-in step, whatever the way of signing in."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from classrooms.models import User
from tests.classrooms.accounts.signing_in import set_up_app, sign_in
from tests.classrooms.people import client_of, client_of_operator, confirmed, text_on, time_passes
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
INDEX = "/admin/"
USERS = "/admin/classrooms/user/"


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser("operator@example.org", PASSWORD)


@pytest.mark.parametrize("path", [INDEX, USERS, "/admin/jsi18n/", "/admin/password_change/"])
def test_staff_without_a_second_step_are_sent_to_set_it_up(operator: User, path: str) -> None:
    page = client_of(operator).get(path, follow=True)
    assert page.redirect_chain[-1][0] == reverse("mfa_index")
    assert "need a second sign-in step" in text_on(page)


def test_a_session_older_than_the_second_step_opens_nothing(operator: User) -> None:
    before = client_of(operator)
    set_up = client_of_operator(operator)
    answer = before.get(USERS, follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("mfa_reauthenticate"))
    assert set_up.get(USERS).status_code == 200


def test_a_waiting_change_needs_the_second_step(operator: User) -> None:
    client_of_operator(operator)
    client = client_of(operator)
    add = f"{USERS}add/"
    client.post(add, {"email": "new@example.org"})
    client.post(f"{reverse('account_reauthenticate')}?next={add}", {"password": PASSWORD})
    client.get(f"{reverse('classrooms:go_on')}?next={add}")
    assert not User.objects.filter(email="new@example.org").exists()


def test_the_first_operator_needs_two_commands_and_no_mail(client: Client) -> None:
    call_command(
        "createsuperuser", email="Operator@example.org", interactive=False, stdout=StringIO()
    )
    operator = User.objects.get()
    operator.set_password(PASSWORD)
    operator.save()
    assert EmailAddress.objects.is_verified("operator@example.org")
    sign_in(client, operator.email)
    set_up_app(client)
    assert (
        client.get(INDEX, follow=True)
        .redirect_chain[-1][0]
        .startswith(reverse("mfa_reauthenticate"))
    )


def test_an_operator_does_not_get_the_address_of_a_teacher() -> None:
    confirmed(UserFactory.create(email="alice@example.org"))
    with pytest.raises(CommandError):
        call_command("createsuperuser", email="alice@example.org", interactive=False)


def test_a_change_asks_again_after_a_quarter_of_an_hour(operator: User) -> None:
    client = client_of_operator(operator)
    time_passes(client, minutes=16, seen=True)
    add = f"{USERS}add/"
    answer = client.post(add, {"email": "new@example.org", "is_active": "on"})
    way = answer.headers["Location"]
    assert way.startswith(reverse("account_reauthenticate"))
    client.post(way, {"password": PASSWORD})
    assert User.objects.filter(email="new@example.org").exists()


def test_an_added_account_gets_a_password_only_by_mail(operator: User) -> None:
    client_of_operator(operator).post(
        f"{USERS}add/", {"email": "New@example.org", "is_active": "on"}
    )
    added = User.objects.get(email="new@example.org")
    assert not added.has_usable_password()


def test_an_address_is_not_changed_without_its_owners_knowledge(operator: User) -> None:
    alice = confirmed(UserFactory.create(email="alice@example.org"))
    client_of_operator(operator).post(
        f"{USERS}{alice.pk}/change/", {"email": "thief@example.org", "is_active": "on"}
    )
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_only_superusers_make_others_staff(operator: User) -> None:
    helper = UserFactory.create(is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__endswith="_user"))
    alice = UserFactory.create()
    change = f"{USERS}{alice.pk}/change/"
    client_of_operator(confirmed(helper)).post(change, {"is_active": "on", "is_staff": "on"})
    alice.refresh_from_db()
    assert not alice.is_staff
    client_of_operator(operator).post(change, {"is_active": "on", "is_staff": "on"})
    alice.refresh_from_db()
    assert alice.is_staff


def test_staff_can_only_read_the_account_of_a_superuser(operator: User) -> None:
    staff = UserFactory.create(is_staff=True)
    own = Permission.objects.filter(content_type__app_label="classrooms", codename__endswith="user")
    staff.user_permissions.set(own)
    client, colleague = client_of_operator(staff), UserFactory.create()
    signed_in = client_of(operator)
    for user, status in ((colleague, 302), (operator, 403)):
        page = f"{USERS}{user.pk}/"
        assert client.get(f"{page}change/").status_code == 200
        assert client.post(f"{page}change/", {"_save": "Save"}).status_code == status
        for action in ("sign_out_everywhere", "delete_selected"):
            chosen = {"action": action, "_selected_action": [user.pk], "post": "yes"}
            assert client.post(USERS, chosen).status_code == status
    assert client.post(f"{USERS}{operator.pk}/delete/", {"post": "yes"}).status_code == 403
    operator.refresh_from_db()
    assert operator.is_active
    assert signed_in.get(reverse("classrooms:account")).status_code == 200
    assert not User.objects.filter(pk=colleague.pk).exists()
    other = client_of_operator(UserFactory.create(is_staff=True, is_superuser=True))
    assert other.post(f"{USERS}{operator.pk}/change/", {"_save": "Save"}).status_code == 302
