"""Alice invites Bob into her class by a link. Charlie is a stranger there."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.classes import teachers
from classrooms.models import Invitation, SchoolClass, Teaching, User
from tests.classrooms.people import client_of, confirmed, roles, text_on, undo_of, url_of
from tests.factories import InvitationFactory, TeachingFactory, UserFactory

# A link is signed with its second. The clock stands still so that mail, page and test agree.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_clock")]
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER


@pytest.fixture(autouse=True)
def _alices_address_is_confirmed(alice: User) -> None:
    confirmed(alice)


@pytest.fixture
def invitation(alice: User, school_class: SchoolClass) -> Invitation:
    return InvitationFactory.create(school_class=school_class, invited_by=alice)


def link(invitation: Invitation) -> str:
    return reverse("classrooms:invitation", args=[teachers.token(invitation)])


def test_an_invitation_is_mailed_and_its_link_can_be_copied(
    alice: User, school_class: SchoolClass
) -> None:
    url = url_of("invite", school_class)
    page = client_of(alice).post(url, {"email": "bob@example.org"}, follow=True)
    address = f"{settings.SITE_URL}{link(Invitation.objects.get())}"
    (message,) = mail.outbox
    assert message.to == ["bob@example.org"]
    assert address in message.body
    assert f'value="{address}"' in text_on(page)


@pytest.mark.parametrize("role", [CO_TEACHER, OWNER])
def test_an_invitation_contains_nothing_that_the_inviter_typed(
    alice: User, school_class: SchoolClass, role: Teaching.Role
) -> None:
    school_class.name = "You won: http://evil.example"
    invitation = teachers.invite(school_class, "bob@example.org", role, alice)
    assert teachers.send(invitation, "http://x/")
    (message,) = mail.outbox
    assert message.subject == "An invitation to a class on nmbrs"
    assert alice.email in message.body
    assert "evil" not in message.body


def test_an_unconfirmed_teacher_can_invite_by_link_only(school_class: SchoolClass) -> None:
    stranger = TeachingFactory.create(school_class__name="5C").user
    url = url_of("invite", stranger.teachings.get().school_class)
    page = client_of(stranger).post(url, {"email": "bob@example.org"}, follow=True)
    assert mail.outbox == []
    assert link(Invitation.objects.get()) in text_on(page)
    assert reverse("account_email") in text_on(page)


def test_an_unconfirmed_teacher_is_marked(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    page = client_of(alice).get(url_of("teachers", school_class))
    is_confirmed = {teaching.user: teaching.is_confirmed for teaching in page.context["teachings"]}
    assert is_confirmed == {alice: True, bob: False}
    assert text_on(page).count("not yet confirmed") == 1


def test_the_link_is_shown_if_no_mail_goes_out(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)
    url = url_of("invite", school_class)
    page = client_of(alice).post(url, {"email": "bob@example.org"}, follow=True)
    assert "Copy the link instead" in text_on(page)
    assert link(Invitation.objects.get()) in text_on(page)


def test_a_signed_out_invitee_signs_in_and_comes_back(
    invitation: Invitation, client: Client
) -> None:
    for answer in (client.get(link(invitation)), client.post(link(invitation))):
        assert f"{reverse('account_login')}?next={quote(link(invitation))}" in text_on(answer)
    assert roles(invitation.school_class).keys() == {invitation.invited_by}


def test_expired_withdrawn_and_invented_links_get_the_same_answer(
    alice: User, invitation: Invitation
) -> None:
    school_class = invitation.school_class
    expired = InvitationFactory.create(
        school_class=school_class, ends_at=timezone.now() - timedelta(seconds=1)
    )
    withdrawn = link(invitation)
    client_of(alice).post(
        url_of("withdraw_invitation", school_class, invitation.pk),
        {"sure": "1"},
    )
    charlie = client_of(UserFactory.create())
    made_up = reverse("classrooms:invitation", args=["x:y:z"])
    answers = [charlie.get(address) for address in (link(expired), withdrawn, made_up)]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_a_removed_co_teacher_is_out_and_can_be_brought_back(
    alice: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    page = client.post(url_of("remove_teacher", school_class, bob.pk), follow=True)
    class_page = url_of("class", school_class)
    assert client_of(bob).get(class_page).status_code == 404
    assert "give all children new ones" in text_on(page)
    client.post(undo_of(page))
    assert roles(school_class) == {alice: OWNER, bob: CO_TEACHER}


def test_the_owner_can_neither_be_removed_nor_leave(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    assert client.post(url_of("remove_teacher", school_class, alice.pk)).status_code == 404
    client.post(url_of("leave_class", school_class))
    assert roles(school_class) == {alice: OWNER}


def test_a_co_teacher_sees_no_links(
    bob: User, school_class: SchoolClass, invitation: Invitation
) -> None:
    page = client_of(bob).get(url_of("teachers", school_class))
    assert link(invitation) not in text_on(page)
