"""What is done about who teaches a class is done to that class and that teacher, and no other."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classrooms.classes import services, teachers
from classrooms.models import Invitation, SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.factories import InvitationFactory, SchoolClassFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db

CO_TEACHER = Teaching.Role.CO_TEACHER


@dataclass
class Staff:
    """Alice owns 5B and 5C; Bob and Gus teach both along. Charlie has 6A."""

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
            TeachingFactory.create(school_class=school_class, user=user, role=CO_TEACHER)
    TeachingFactory.create(school_class=SchoolClassFactory.create(name="6A"), user=charlie)
    return Staff(alice, bob, gus, charlie, first, second)


def post(user: User, name: str, *args: object, **data: str) -> int:
    return client_of(user).post(reverse(f"classrooms:{name}", args=args), data).status_code


def who_teach(school_class: SchoolClass) -> set[User]:
    return set(User.objects.filter(teachings__school_class=school_class))


def test_one_is_taken_off_one_class(staff: Staff) -> None:
    assert post(staff.alice, "remove_teacher", staff.first.pk, staff.bob.pk) == 302
    assert who_teach(staff.first) == {staff.alice, staff.gus}
    assert who_teach(staff.second) == {staff.alice, staff.bob, staff.gus}


def test_who_does_not_teach_the_class_cannot_be_taken_off_it(staff: Staff) -> None:
    for user in (staff.charlie, staff.alice):
        assert post(staff.alice, "remove_teacher", staff.first.pk, user.pk) == 404


def test_the_owner_alone_takes_off_and_hands_over(staff: Staff) -> None:
    for name in ("remove_teacher", "hand_over"):
        assert post(staff.bob, name, staff.first.pk, staff.gus.pk) == 404
    assert post(staff.alice, "hand_over", staff.first.pk, staff.bob.pk, sure="1") == 302
    owner = Teaching.objects.get(school_class=staff.first, role=Teaching.Role.OWNER)
    assert owner.user == staff.bob
    assert staff.teaching(staff.alice, staff.second).role == Teaching.Role.OWNER


def test_a_class_is_locked_by_its_owner_alone(staff: Staff) -> None:
    """The services ask again under the lock; nobody else gets as far as that."""
    for name, whom in (
        ("remove_teacher", staff.alice.pk),
        ("hand_over", staff.bob.pk),
        ("hand_over", staff.charlie.pk),
    ):
        for user in (staff.alice,) if whom == staff.charlie.pk else (staff.bob, staff.charlie):
            with CaptureQueriesContext(connection) as queries:
                assert post(user, name, staff.first.pk, whom) == 404
            assert not [each["sql"] for each in queries if "FOR UPDATE" in each["sql"]]


def test_a_class_is_handed_over_to_nobody_from_elsewhere(staff: Staff) -> None:
    assert post(staff.alice, "hand_over", staff.first.pk, staff.charlie.pk) == 404
    assert who_teach(staff.first) == {staff.alice, staff.bob, staff.gus}


def removal_of(user: User, school_class: SchoolClass, by: User) -> int:
    """The entry that undoes it that this co-teacher was just removed."""
    removal = teachers.remove(school_class, user.pk, by)
    assert removal is not None
    return removal.pk


def test_who_was_taken_off_comes_back_into_that_class(staff: Staff) -> None:
    of_other = removal_of(staff.bob, staff.second, staff.alice)
    fine = removal_of(staff.bob, staff.first, staff.alice)
    with pytest.raises(teachers.NotTheirs):
        teachers.bring_back(staff.first, of_other, staff.alice)
    assert staff.bob not in who_teach(staff.first)
    teachers.bring_back(staff.first, fine, staff.alice)
    assert staff.bob in who_teach(staff.first)
    assert staff.bob not in who_teach(staff.second)


def test_leaving_leaves_one_class_and_the_others_in_it(staff: Staff) -> None:
    assert post(staff.bob, "leave_class", staff.first.pk, sure="1") == 302
    assert who_teach(staff.first) == {staff.alice, staff.gus}
    assert staff.bob in who_teach(staff.second)


def test_an_invitation_that_is_accepted_uses_up_no_other(staff: Staff) -> None:
    mine, other = (
        InvitationFactory.create(school_class=staff.first, invited_by=staff.alice, email=email)
        for email in (staff.charlie.email, "other@example.org")
    )
    EmailAddress.objects.create(
        user=staff.charlie, email=staff.charlie.email, verified=True, primary=True
    )
    assert post(staff.charlie, "invitation", teachers.token(mine)) == 302
    assert staff.charlie in who_teach(staff.first)
    used = dict(Invitation.objects.values_list("pk", "used_at"))
    assert used[mine.pk] is not None
    assert used[other.pk] is None


def test_the_page_has_the_open_invitations_of_the_class(staff: Staff) -> None:
    for email, changed in (
        ("open@example.org", {}),
        ("used@example.org", {"used_at": timezone.now()}),
        ("old@example.org", {"ends_at": timezone.now() - timedelta(seconds=1)}),
        ("elsewhere@example.org", {"school_class": staff.second}),
    ):
        asked = {"school_class": staff.first, "invited_by": staff.alice, "email": email, **changed}
        InvitationFactory.create(**asked)
    page = client_of(staff.alice).get(reverse("classrooms:teachers", args=[staff.first.pk])).text
    assert "open@example.org" in page
    for missing in ("used", "old", "elsewhere"):
        assert f"{missing}@example.org" not in page
    assert staff.charlie.email not in page
    assert "open@example.org" not in Client().get("/").text


def test_only_the_owner_is_shown_the_way_to_what_is_the_owners(staff: Staff) -> None:
    settings = reverse("classrooms:edit_class", args=[staff.first.pk])
    page = reverse("classrooms:class", args=[staff.first.pk])
    for user, is_shown in ((staff.alice, True), (staff.bob, False)):
        shown = client_of(user).get(settings).text
        for name in ("who_looked", "year_end"):
            assert (reverse(f"classrooms:{name}", args=[staff.first.pk]) in shown) is is_shown
    services.archive(staff.first)
    restore = reverse("classrooms:restore_class", args=[staff.first.pk])
    assert restore in client_of(staff.alice).get(page).text
    assert restore not in client_of(staff.bob).get(page).text


def test_a_weekly_mail_is_stopped_for_one_teacher_of_one_class(staff: Staff) -> None:
    now = timezone.now()
    Teaching.objects.update(mailed_since=now)
    for user in (staff.alice, staff.bob):
        assert post(user, "weekly_mail", staff.second.pk, do="stop") == 302
    left = Teaching.objects.filter(mailed_since=None)
    stopped = {(each.user_id, each.school_class_id) for each in left}
    second = staff.second.pk
    assert stopped == {(staff.alice.pk, second), (staff.bob.pk, second)}
