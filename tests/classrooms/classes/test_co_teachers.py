"""An invitation ends with the inviter's right to invite, whatever happens at the same time."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection, transaction
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classrooms.access import invitation_by_token
from classrooms.audit import What
from classrooms.classes import services, teachers
from classrooms.locks import Changed
from classrooms.models import AuditEntry, Invitation, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from tests.classrooms.people import acts, client_of, confirmed, roles, text_on, url_of
from tests.factories import InvitationFactory, SchoolClassFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER


@pytest.fixture
def bob(school_class: SchoolClass) -> User:
    user = confirmed(UserFactory.create(email="bob@example.org"))
    TeachingFactory.create(school_class=school_class, user=user)
    return user


@pytest.fixture
def gus() -> User:
    return confirmed(UserFactory.create(email="gus@example.org"))


def is_open(invitation: Invitation) -> bool:
    try:
        return invitation_by_token(teachers.token(invitation)) == invitation
    except Http404:
        return False


def read_invitation(invitation: Invitation) -> Invitation:
    """The invitation as read when somebody opens its link, before anything else happens."""
    return Invitation.objects.select_related("school_class", "invited_by").get(pk=invitation.pk)


def give_away(school_class: SchoolClass, alice: User, bob: User) -> None:
    teachers.hand_over(school_class, bob, alice)


def lock_out(school_class: SchoolClass, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)


def take_off(school_class: SchoolClass, alice: User, bob: User) -> None:
    Teaching.objects.filter(user=alice).delete()


LOSSES = (give_away, lock_out, take_off)
Loss = Callable[[SchoolClass, User, User], None]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("role", [OWNER, CO_TEACHER])
def test_links_of_a_former_owner_end(
    loss: Loss, role: Teaching.Role, alice: User, bob: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, gus.email, role, alice)
    opened_before = read_invitation(invitation)
    loss(school_class, alice, bob)
    before = roles(school_class)
    assert not is_open(invitation)
    assert not teachers.accept(opened_before, gus)
    page = client_of(gus).post(reverse("classrooms:invitation", args=[teachers.token(invitation)]))
    assert page.status_code == 404
    assert roles(school_class) == before


def test_an_ended_invitation_stays_ended(
    alice: User, bob: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, gus.email, CO_TEACHER, alice)
    teachers.hand_over(school_class, bob, alice)
    teachers.hand_over(school_class, alice, bob)
    assert not is_open(invitation)
    assert not teachers.accept(invitation, gus)


def test_a_former_owner_cannot_invite(alice: User, bob: User, school_class: SchoolClass) -> None:
    teachers.hand_over(school_class, bob, alice)
    with pytest.raises(teachers.NotAllowed):
        teachers.invite(school_class, "gus@example.org", OWNER, alice)
    with pytest.raises(teachers.NotAllowed):
        teachers.hand_over(school_class, alice, alice)
    with pytest.raises(teachers.NotAllowed):
        teachers.remove(school_class, bob.pk, alice)
    assert roles(school_class) == {alice: CO_TEACHER, bob: OWNER}


def test_a_class_is_not_handed_to_a_teacher_who_left_it(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    teachers.remove(school_class, bob.pk, bob)
    with pytest.raises(teachers.NotAllowed):
        teachers.hand_over(school_class, bob, alice)
    assert roles(school_class) == {alice: OWNER}


# Whom an invitation is for


def test_the_link_alone_takes_no_class_over(
    alice: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, "bob@example.org", OWNER, alice)
    page = client_of(gus).post(reverse("classrooms:invitation", args=[teachers.token(invitation)]))
    assert "Only the invited person" in text_on(page)
    assert not teachers.accept(invitation, gus)
    assert roles(school_class) == {alice: OWNER}
    assert is_open(invitation)


def test_a_teacher_with_an_unconfirmed_address_takes_no_class_over(
    alice: User, gus: User, school_class: SchoolClass
) -> None:
    EmailAddress.objects.filter(user=gus).update(verified=False)
    invitation = teachers.invite(school_class, gus.email, OWNER, alice)
    assert not teachers.accept(invitation, gus)
    EmailAddress.objects.filter(user=gus).update(verified=True)
    assert teachers.accept(read_invitation(invitation), gus)
    assert roles(school_class) == {alice: CO_TEACHER, gus: OWNER}


def test_the_link_makes_a_co_teacher_and_the_owner_gets_mail(
    alice: User,
    gus: User,
    school_class: SchoolClass,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    confirmed(alice)
    invitation = teachers.invite(school_class, "bob@example.org", CO_TEACHER, alice)
    with django_capture_on_commit_callbacks(execute=True):
        assert teachers.accept(invitation, gus)
    assert roles(school_class)[gus] == CO_TEACHER
    (message,) = mail.outbox
    assert message.to == [alice.email]
    assert url_of("teachers", school_class) in message.body
    assert school_class.name not in message.body
    assert gus.email not in message.body


def test_a_mail_server_that_is_down_keeps_nobody_out(
    alice: User,
    gus: User,
    school_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)
    confirmed(alice)
    invitation = teachers.invite(school_class, gus.email, CO_TEACHER, alice)
    with django_capture_on_commit_callbacks(execute=True):
        assert teachers.accept(invitation, gus)


def test_a_removed_teacher_returns_by_no_older_link(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    his, anybodys = (
        teachers.invite(school_class, email, CO_TEACHER, alice)
        for email in ("BOB@example.org", "somebody@example.org")
    )
    teachers.remove(school_class, bob.pk, alice)
    assert not is_open(his)
    assert is_open(anybodys)
    assert not teachers.accept(anybodys, bob)
    assert bob not in roles(school_class)
    again = teachers.invite(school_class, bob.email, CO_TEACHER, alice)
    assert teachers.accept(again, bob)


def test_an_archived_class_can_still_be_handed_over(
    alice: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, gus.email, OWNER, alice)
    services.archive(school_class, alice)
    assert teachers.accept(invitation, gus)
    assert roles(school_class)[gus] == OWNER


def test_a_used_or_withdrawn_link_admits_nobody(
    alice: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, gus.email, CO_TEACHER, alice)
    opened_before = read_invitation(invitation)
    teachers.withdraw(invitation, alice)
    assert not teachers.accept(opened_before, gus)
    late = teachers.invite(school_class, gus.email, CO_TEACHER, alice)
    opened_before = read_invitation(late)
    Invitation.objects.filter(pk=late.pk).update(ends_at=timezone.now())
    assert not teachers.accept(opened_before, gus)


# Bringing back


def removed(school_class: SchoolClass, user: User, by: User) -> int:
    removal = teachers.remove(school_class, user.pk, by)
    return removal.pk


def test_a_removal_is_undone_once_by_its_author(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    token = removed(school_class, bob, alice)
    teachers.bring_back(school_class, token, alice)
    assert roles(school_class)[bob] == CO_TEACHER
    teachers.remove(school_class, bob.pk, bob)
    with pytest.raises(Changed):
        teachers.bring_back(school_class, token, alice)
    assert bob not in roles(school_class)


def test_a_former_owner_brings_nobody_back(
    alice: User, bob: User, gus: User, school_class: SchoolClass
) -> None:
    TeachingFactory.create(school_class=school_class, user=gus)
    token = removed(school_class, gus, alice)
    teachers.hand_over(school_class, bob, alice)
    for user in (alice, bob):
        with pytest.raises(teachers.NotAllowed):
            teachers.bring_back(school_class, token, user)
    assert gus not in roles(school_class)


def test_an_old_undo_leaves_a_later_removal(
    alice: User, bob: User, gus: User, school_class: SchoolClass
) -> None:
    TeachingFactory.create(school_class=school_class, user=gus)
    token = removed(school_class, gus, alice)
    teachers.bring_back(school_class, removed_again := token, alice)
    teachers.hand_over(school_class, bob, alice)
    teachers.remove(school_class, gus.pk, bob)
    teachers.hand_over(school_class, alice, bob)
    with pytest.raises(Changed):
        teachers.bring_back(school_class, removed_again, alice)
    assert gus not in roles(school_class)


# What is logged


def test_every_change_of_a_classs_teachers_is_logged(
    alice: User, gus: User, school_class: SchoolClass
) -> None:
    invitation = teachers.invite(school_class, gus.email, CO_TEACHER, alice)
    teachers.accept(invitation, gus)
    token = removed(school_class, gus, alice)
    teachers.bring_back(school_class, token, alice)
    teachers.withdraw(teachers.invite(school_class, "x@example.org", CO_TEACHER, alice), alice)
    teachers.invite(school_class, "y@example.org", CO_TEACHER, alice)
    teachers.hand_over(school_class, gus, alice)
    teachers.remove(school_class, alice.pk, alice)
    entries = acts().filter(class_id=school_class.pk).values_list("user", "what", "account")
    assert list(entries) == [
        (alice.pk, What.INVITED, None),
        (gus.pk, What.JOINED, gus.pk),
        (alice.pk, What.TEACHER_REMOVED, gus.pk),
        (alice.pk, What.TEACHER_BACK, gus.pk),
        (alice.pk, What.INVITED, None),
        (alice.pk, What.INVITATION_ENDED, None),
        (alice.pk, What.INVITED, None),
        (alice.pk, What.HANDED_OVER, gus.pk),
        (alice.pk, What.INVITATION_ENDED, None),
        (alice.pk, What.LEFT, alice.pk),
    ]


def test_an_act_that_is_rolled_back_leaves_no_entry(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    with transaction.atomic():
        teachers.hand_over(school_class, bob, alice)
        transaction.set_rollback(True)
    assert not AuditEntry.objects.exists()
    assert roles(school_class) == {alice: OWNER, bob: CO_TEACHER}


def test_erasing_a_class_does_not_reset_the_days_invitations(alice: User) -> None:
    def in_a_new_class(count: int) -> None:
        school_class = SchoolClass(name="6A")
        services.create_classes([school_class], alice)
        for number in range(count):
            teachers.invite(school_class, f"stranger{number}@example.com", CO_TEACHER, alice)
        erasure.erase_class(school_class, alice)

    for _class in range(teachers.MOST_A_DAY // teachers.MOST_OPEN):
        in_a_new_class(teachers.MOST_OPEN)
    with pytest.raises(teachers.TooManyInvitations):
        in_a_new_class(1)


# An act on one teacher of one class affects no other class and no other teacher


@dataclass
class Staff:
    """Alice owns 5B and 5C; Bob and Gus also teach both. Charlie has 6A."""

    alice: User
    bob: User
    gus: User
    charlie: User
    first: SchoolClass
    second: SchoolClass

    def teaching(self, user: User, school_class: SchoolClass) -> Teaching:
        return Teaching.objects.get(user=user, school_class=school_class)


@pytest.fixture
def staff() -> Staff:
    alice, bob, gus, charlie = UserFactory.create_batch(4)
    first, second = (SchoolClassFactory.create(name=name) for name in ("5B", "5C"))
    for school_class in (first, second):
        TeachingFactory.create(school_class=school_class, user=alice)
        for user in (bob, gus):
            TeachingFactory.create(school_class=school_class, user=user)
    TeachingFactory.create(school_class=SchoolClassFactory.create(name="6A"), user=charlie)
    return Staff(alice, bob, gus, charlie, first, second)


def post(user: User, name: str, *args: object, **data: str) -> int:
    return client_of(user).post(reverse(f"classrooms:{name}", args=args), data).status_code


def teachers_of(school_class: SchoolClass) -> set[User]:
    return set(User.objects.filter(teachings__school_class=school_class))


def test_a_teacher_is_removed_from_one_class(staff: Staff) -> None:
    assert post(staff.alice, "remove_teacher", staff.first.pk, staff.bob.pk) == 302
    assert teachers_of(staff.first) == {staff.alice, staff.gus}
    assert teachers_of(staff.second) == {staff.alice, staff.bob, staff.gus}


def test_somebody_who_does_not_teach_the_class_cannot_be_removed(staff: Staff) -> None:
    for user in (staff.charlie, staff.alice):
        assert post(staff.alice, "remove_teacher", staff.first.pk, user.pk) == 404


def test_only_the_owner_removes_and_hands_over(staff: Staff) -> None:
    for name in ("remove_teacher", "hand_over"):
        assert post(staff.bob, name, staff.first.pk, staff.gus.pk) == 404
    assert post(staff.alice, "hand_over", staff.first.pk, staff.bob.pk, sure="1") == 302
    owner = Teaching.objects.get(school_class=staff.first, role=Teaching.Role.OWNER)
    assert owner.user == staff.bob
    assert staff.teaching(staff.alice, staff.second).role == Teaching.Role.OWNER


def test_a_class_is_locked_by_its_owner_only(staff: Staff) -> None:
    """The services check again under the lock, which nobody but the owner reaches."""
    for name, whom in (
        ("remove_teacher", staff.alice.pk),
        ("hand_over", staff.bob.pk),
        ("hand_over", staff.charlie.pk),
    ):
        for user in (staff.alice,) if whom == staff.charlie.pk else (staff.bob, staff.charlie):
            with CaptureQueriesContext(connection) as queries:
                assert post(user, name, staff.first.pk, whom) == 404
            assert not [query["sql"] for query in queries if "FOR UPDATE" in query["sql"]]


def test_a_removed_teacher_returns_to_that_class(staff: Staff) -> None:
    of_other = removed(staff.second, staff.bob, staff.alice)
    fine = removed(staff.first, staff.bob, staff.alice)
    with pytest.raises(teachers.NotAllowed):
        teachers.bring_back(staff.first, of_other, staff.alice)
    assert staff.bob not in teachers_of(staff.first)
    teachers.bring_back(staff.first, fine, staff.alice)
    assert staff.bob in teachers_of(staff.first)
    assert staff.bob not in teachers_of(staff.second)


def test_leaving_affects_one_class_and_one_teacher(staff: Staff) -> None:
    assert post(staff.bob, "leave_class", staff.first.pk, sure="1") == 302
    assert teachers_of(staff.first) == {staff.alice, staff.gus}
    assert staff.bob in teachers_of(staff.second)


def test_an_accepted_invitation_uses_up_no_other(staff: Staff) -> None:
    mine, other = (
        InvitationFactory.create(school_class=staff.first, invited_by=staff.alice, email=email)
        for email in (staff.charlie.email, "other@example.org")
    )
    confirmed(staff.charlie)
    assert post(staff.charlie, "invitation", teachers.token(mine)) == 302
    assert staff.charlie in teachers_of(staff.first)
    used = dict(Invitation.objects.values_list("pk", "used_at"))
    assert used[mine.pk] is not None
    assert used[other.pk] is None


def test_the_page_has_the_open_invitations_of_the_class(staff: Staff) -> None:
    for email, columns in (
        ("open@example.org", {}),
        ("used@example.org", {"used_at": timezone.now()}),
        ("old@example.org", {"ends_at": timezone.now() - timedelta(seconds=1)}),
        ("elsewhere@example.org", {"school_class": staff.second}),
    ):
        values = {"school_class": staff.first, "invited_by": staff.alice, "email": email, **columns}
        InvitationFactory.create(**values)
    page = text_on(client_of(staff.alice).get(url_of("teachers", staff.first)))
    assert "open@example.org" in page
    for missing in ("used", "old", "elsewhere"):
        assert f"{missing}@example.org" not in page
    assert staff.charlie.email not in page
    assert "open@example.org" not in text_on(Client().get("/"))


def test_only_the_owner_sees_links_to_the_owners_pages(staff: Staff) -> None:
    settings = url_of("edit_class", staff.first)
    page = url_of("class", staff.first)
    for user, is_shown in ((staff.alice, True), (staff.bob, False)):
        text = text_on(client_of(user).get(settings))
        for name in ("who_looked", "year_end"):
            assert (url_of(name, staff.first) in text) is is_shown
    services.archive(staff.first, None)
    restore = url_of("restore_class", staff.first)
    assert restore in text_on(client_of(staff.alice).get(page))
    assert restore not in text_on(client_of(staff.bob).get(page))


def test_a_weekly_mail_is_stopped_for_one_teacher_of_one_class(staff: Staff) -> None:
    now = timezone.now()
    Teaching.objects.update(mailed_since=now)
    for user in (staff.alice, staff.bob):
        assert post(user, "weekly_mail", staff.second.pk, do="stop") == 302
    teachings = Teaching.objects.filter(mailed_since=None)
    stopped = {(teaching.user_id, teaching.school_class_id) for teaching in teachings}
    second = staff.second.pk
    assert stopped == {(staff.alice.pk, second), (staff.bob.pk, second)}
