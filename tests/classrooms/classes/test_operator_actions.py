"""The operator's changes in /admin/ are shown to the people concerned, and leave no class without
an owner."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core import mail
from django.db.models.deletion import ProtectedError
from django.test import Client
from django.urls import reverse
from zeal import zeal_ignore

from classrooms.classes import operator, services, teachers
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Invitation, SchoolClass, Teaching, User
from tests.classrooms.people import acts, client_of, confirmed, text_on
from tests.factories import (
    PASSWORD,
    DownloadFactory,
    InvitationFactory,
    TeachingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER
OPERATOR = AuditEntry.Actor.OPERATOR


def change_class(
    client: Client, school_class: SchoolClass, places: list[dict[str, Any]], **fields: str
) -> str:
    """Post the class's page in /admin/ with these teachings, and return the text of the answer."""
    posted: dict[str, Any] = {
        "name": school_class.name,
        "language": school_class.language,
        "time_zone": school_class.time_zone,
        **fields,
        "teachings-TOTAL_FORMS": len(places),
        "teachings-INITIAL_FORMS": sum("id" in place for place in places),
    }
    for number, place in enumerate(places):
        for name, value in {"school_class": school_class.pk, **place}.items():
            posted[f"teachings-{number}-{name}"] = value
    url = reverse("admin:classrooms_schoolclass_change", args=[school_class.pk])
    with zeal_ignore():  # The admin site has a query for each line of a formset.
        return text_on(client.post(url, posted))


def place(school_class: SchoolClass, user: User, **changes: object) -> dict[str, object]:
    teaching = Teaching.objects.get(school_class=school_class, user=user)
    return {"id": teaching.pk, "user": user.pk, "role": teaching.role, **changes}


def roles(school_class: SchoolClass) -> dict[str, str]:
    return dict(school_class.teachings.values_list("user__email", "role"))


def page_text(client: Client, name: str, *args: object) -> str:
    return text_on(client.get(reverse(f"classrooms:{name}", args=args)))


def test_the_class_and_its_owner_see_an_operator_become_owner(
    admin_client: Client,
    admin_user: User,
    alice: User,
    school_class: SchoolClass,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    confirmed(alice)
    with django_capture_on_commit_callbacks(execute=True):
        change_class(
            admin_client,
            school_class,
            [place(school_class, alice, role=CO_TEACHER), {"user": admin_user.pk, "role": OWNER}],
        )
    assert roles(school_class) == {alice.email: CO_TEACHER, admin_user.email: OWNER}
    text = page_text(client_of(admin_user), "who_looked", school_class.pk)
    assert f"The operator made {admin_user.email} the owner." in text
    assert "The operator made alice@example.org a co-teacher." in text
    assert "The operator made you a co-teacher of the class 5B." in page_text(
        client_of(alice), "account_log"
    )
    (message,) = mail.outbox
    assert message.to == [alice.email]
    assert "5B" not in f"{message.subject}{message.body}"


def test_invitations_end_when_the_inviter_loses_the_class(
    admin_client: Client, alice: User, bob: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, "gus@example.org", CO_TEACHER, alice)
    change_class(
        admin_client,
        school_class,
        [place(school_class, alice, role=CO_TEACHER), place(school_class, bob, role=OWNER)],
    )
    assert teachers.open_invitations(school_class) == []
    assert not teachers.accept(invitation, UserFactory.create())


@pytest.mark.parametrize("change", [{"role": CO_TEACHER}, {"DELETE": "on"}])
def test_no_class_is_left_without_an_owner(
    admin_client: Client, alice: User, school_class: SchoolClass, change: dict[str, str]
) -> None:
    page = change_class(admin_client, school_class, [place(school_class, alice, **change)])
    assert "A class has exactly one owner, and the owner must be able to sign in." in page
    assert roles(school_class) == {alice.email: OWNER}
    assert not acts().exists()


def test_the_operators_new_name_is_logged(
    admin_client: Client, alice: User, school_class: SchoolClass
) -> None:
    change_class(admin_client, school_class, [place(school_class, alice)], name="5C")
    assert SchoolClass.objects.get().name == "5C"
    assert "The operator changed the class: name." in page_text(
        client_of(alice), "who_looked", school_class.pk
    )


# Accounts


def change_account(client: Client, user: User, **fields: str) -> str:
    url = reverse("admin:classrooms_user_change", args=[user.pk])
    return text_on(client.post(url, {"email": user.email, **fields}))


def test_the_owner_of_a_class_in_use_is_not_locked_out(
    admin_client: Client, alice: User, school_class: SchoolClass
) -> None:
    TeachingFactory.create(user=alice)
    page = change_account(admin_client, alice)
    assert "This teacher owns 2 classes. Hand them over or archive them first." in page
    alice.refresh_from_db()
    assert alice.is_active
    for owned in alice.classes.all():
        services.archive(owned, None)
    change_account(admin_client, alice)
    alice.refresh_from_db()
    assert not alice.is_active


def test_locking_an_account_is_logged_in_its_classes(
    admin_client: Client, alice: User, bob: User, school_class: SchoolClass
) -> None:
    change_account(admin_client, bob, is_staff="on")
    change_account(admin_client, bob, is_active="on")
    log = page_text(client_of(alice), "who_looked", school_class.pk)
    assert "The operator locked the account of bob@example.org." in log
    assert "The operator allowed bob@example.org to sign in again." in log
    own = page_text(client_of(bob), "account_log")
    for words in (
        "locked your account",
        "gave you access to the admin site",
        "ended your access to",
    ):
        assert f"The operator {words}" in own


def deleting(client: Client, *users: User) -> list[str]:
    """Delete these accounts in both ways, and return the answers."""
    delete_url = reverse("admin:classrooms_user_delete", args=[users[0].pk])
    several = {
        "action": "delete_selected",
        "_selected_action": [user.pk for user in users],
        "post": "yes",
    }
    pages = [
        client.post(delete_url, {"post": "yes"}),
        client.post(reverse("admin:classrooms_user_changelist"), several),
    ]
    return [text_on(page) for page in pages]


def test_an_owner_is_not_deleted_and_a_sentence_says_why(
    admin_client: Client, alice: User, bob: User, school_class: SchoolClass
) -> None:
    for page in deleting(admin_client, alice, bob):
        assert "alice@example.org owns 1 class. Hand it over or delete it first." in page
    assert User.objects.filter(pk__in=[alice.pk, bob.pk]).count() == 2
    assert roles(school_class) == {alice.email: OWNER, bob.email: CO_TEACHER}


def test_an_owner_is_protected_against_any_deletion(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    with pytest.raises(ProtectedError):
        alice.delete()
    with pytest.raises(ProtectedError):
        User.objects.filter(pk__in=[alice.pk, bob.pk]).delete()
    assert roles(school_class) == {alice.email: OWNER, bob.email: CO_TEACHER}


def test_a_deleted_co_teacher_leaves_the_class(
    admin_client: Client, alice: User, bob: User, school_class: SchoolClass
) -> None:
    deleting(admin_client, bob)
    assert not User.objects.filter(pk=bob.pk).exists()
    assert roles(school_class) == {alice.email: OWNER}
    assert "The operator removed someone who no longer has an account from the class." in page_text(
        client_of(alice), "who_looked", school_class.pk
    )


def test_the_operator_signs_somebody_out_on_every_device(admin_client: Client) -> None:
    bob = UserFactory.create(email="bob@example.org")
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        client.post(reverse("account_login"), {"login": bob.email, "password": PASSWORD})
        assert client.get(reverse("classrooms:classes")).status_code == 200
    admin_client.post(
        reverse("admin:classrooms_user_changelist"),
        {"action": "sign_out_everywhere", "_selected_action": [bob.pk]},
    )
    for client in (here, elsewhere):
        assert client.get(reverse("classrooms:classes")).status_code == 302
    log = text_on(client_of(bob).get(reverse("classrooms:account_log")))
    assert "signed you out on every device" in log


def test_no_other_log_has_names_or_addresses(
    admin_client: Client, alice: User, bob: User, school_class: SchoolClass
) -> None:
    roles_before = [place(school_class, alice), place(school_class, bob, DELETE="on")]
    change_class(admin_client, school_class, roles_before, name="Alice's own")
    admin_client.post(reverse("admin:classrooms_user_delete", args=[bob.pk]), {"post": "yes"})
    assert not User.objects.filter(pk=bob.pk).exists()
    assert SchoolClass.objects.get().name == "Alice's own"
    assert not LogEntry.objects.exists()


def test_a_deleted_account_leaves_no_sessions_or_files(
    alice: User, bob: User, school_class: SchoolClass, admin_user: User
) -> None:
    key = client_of(bob).session.session_key  # allauth notes it at its own sign-in.
    UserSession.objects.create(user=bob, session_key=key, ip="127.0.0.1", user_agent="a browser")
    InvitationFactory.create(school_class=school_class, email="Bob@Example.org")
    DownloadFactory.create(school_class=school_class, asked_by=alice, ready=True)
    operator.delete_account(bob, admin_user)
    assert not Session.objects.exists()
    assert not Invitation.objects.exists()
    assert not Download.objects.exists()
