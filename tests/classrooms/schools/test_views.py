"""What an admin of a school sees and does, and who else does not."""

import pytest
from django.core import mail
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.access import school_behind
from classrooms.audit import Actor, What
from classrooms.classes import teachers
from classrooms.locks import Changed
from classrooms.models import AuditEntry, Child, Membership, School, SchoolClass, Teaching, User
from classrooms.progress.child_figures import ALL_TIME, USUAL_PERIOD, WEEK, first_day
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report, rows_of_classes
from classrooms.progress.models import ChildDay
from classrooms.schools import services
from tests.classrooms.people import client_of, client_of_operator
from tests.classrooms.progress.answering import rows
from tests.classrooms.schools.conftest import member
from tests.factories import TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER
ADMIN = Membership.Role.ADMIN


def page_of(school: School) -> str:
    return reverse("classrooms:school", args=[school.pk])


def of_class(name: str, school: School, school_class: SchoolClass, *more: str) -> str:
    return reverse(f"classrooms:{name}", args=[school.pk, school_class.pk, *more])


def owner_of(school_class: SchoolClass) -> User:
    return school_class.teachings.get(role=OWNER).user


def played_a_round(child: Child) -> None:
    ChildDay.objects.create(
        child=child,
        school_class=child.school_class,
        day=child.school_class.today(),
        rounds=1,
        last_at=timezone.now(),
    )


def move(school: School, school_class: SchoolClass, to: User, by: User) -> Client:
    client = client_of(by)
    client.post(of_class("school_move", school, school_class), {"to": to.pk})
    return client


def test_an_admin_sees_all_classes_and_teachers_on_one_page(
    school: School, ada: User, bob: User, school_class: SchoolClass, dora: Child
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    SchoolClass.objects.filter(pk=other.pk).update(name="6A")
    TeachingFactory.create(school_class__name="7X")
    rows(dora, 5, found=6, missed=2)
    page = client_of(ada).get(page_of(school)).text
    assert all(
        name in page for name in ("5B", "6A", "alice@example.org", "bob@example.org", "6 of 8")
    )
    assert page.index(">5B<") < page.index(">6A<")
    assert ">7X<" not in page
    assert "Dora" not in page


@pytest.mark.parametrize("period", [USUAL_PERIOD, WEEK, ALL_TIME])
def test_the_figures_of_a_class_are_those_of_the_class_page(
    period: str, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    rows(emil, 7, found=1, missed=4, ago=20)
    rows(emil, 7, found=9, missed=4, ago=6)
    figures = figures_of(school_class)
    since = first_day(figures.today, period)
    total = class_report(figures, since or first_day(figures.today, USUAL_PERIOD)).total
    assert rows_of_classes([school_class], period)[school_class.pk] == total


def test_the_page_of_a_class_names_no_child_and_the_look_is_in_its_log(
    school: School, ada: User, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    played_a_round(dora)
    page = client_of(ada).get(of_class("school_class", school, school_class)).text
    assert "6 of 8" in page
    assert "Dora" not in page
    entry = AuditEntry.objects.get(what=What.LOOKED)
    assert (entry.actor, entry.class_id, entry.child_id) == (
        Actor.SCHOOL,
        school_class.pk,
        None,
    )
    log = client_of(alice).get(reverse("classrooms:who_looked", args=[school_class.pk])).text
    assert "An admin of the school (ada@example.org) opened the class page." in log


def test_a_class_goes_to_another_teacher_and_back(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    answer = client.post(of_class("school_move", school, school_class), {"to": bob.pk}, follow=True)
    assert owner_of(school_class) == bob
    assert school_class.teachings.get(user=alice).role == CO_TEACHER
    entry = AuditEntry.objects.get(what=What.HANDED_OVER)
    assert (entry.user, entry.account, entry.actor) == (ada, bob, Actor.SCHOOL)
    (undo,) = [message.extra_tags for message in answer.context["messages"]]
    client.post(undo)
    assert [each.user for each in school_class.teachings.all()] == [alice]
    assert owner_of(school_class) == alice


def test_both_owners_get_mail(
    school: School,
    ada: User,
    alice: User,
    bob: User,
    school_class: SchoolClass,
    django_capture_on_commit_callbacks: object,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        move(school, school_class, bob, ada)
    assert {each.to[0] for each in mail.outbox} == {alice.email, bob.email}


def test_a_move_is_undone_only_by_who_moved_and_while_nothing_else_has_happened(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    moved = services.move_class(school, school_class, bob, ada)
    for who in (bob, ada):
        with pytest.raises(Changed):
            services.undo_move(school, school_class, moved, who)
        school_class.teachings.filter(user=alice).delete()
    assert owner_of(school_class) == bob


@pytest.mark.parametrize(
    "since", ["former left", "former is closed", "class left", "class was handed on"]
)
def test_a_move_is_not_undone_once_the_teachers_have_changed(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass, since: str
) -> None:
    moved = services.move_class(school, school_class, bob, ada)
    if since == "former left":
        alice.membership.delete()
    if since == "former is closed":
        User.objects.filter(pk=alice.pk).update(is_active=False)
    if since == "class left":
        bob.membership.delete()
    if since == "class was handed on":
        TeachingFactory.create(school_class=school_class, user=ada, role=CO_TEACHER)
        teachers.hand_over(school_class, ada, bob)
    owner = owner_of(school_class)
    with pytest.raises(Changed):
        services.undo_move(school, school_class, moved, ada)
    assert owner_of(school_class) == owner


def test_an_undone_move_gives_that_class_to_the_teacher_who_had_it(
    school: School, ada: User, alice: User, bob: User
) -> None:
    other, moved = (
        TeachingFactory.create(user=bob, school_class__name=name).school_class
        for name in ("4A", "5A")
    )
    services.undo_move(school, moved, services.move_class(school, moved, alice, ada), ada)
    assert owner_of(other) == owner_of(moved) == bob


def test_a_class_goes_to_nobody_outside_or_unconfirmed(
    school: School, ada: User, alice: User, charlie: User, school_class: SchoolClass
) -> None:
    stranger = UserFactory.create(email="gus@example.org")
    Membership.objects.create(school=school, user=stranger)
    for to in (charlie, stranger):
        move(school, school_class, to, ada)
        with pytest.raises(services.NotPossible):
            services.move_class(school, school_class, to, ada)
    assert owner_of(school_class) == alice


def test_an_admin_makes_another_one(school: School, ada: User, bob: User) -> None:
    client = client_of(ada)
    client.post(reverse("classrooms:school_role", args=[school.pk, bob.pk]), {"role": "admin"})
    assert client_of(bob).get(page_of(school)).status_code == 200
    log = client_of(bob).get(reverse("classrooms:account_log")).text
    assert "made you an admin of the school The Oak" in log


def test_teachers_of_another_school_are_not_found(school: School, ada: User, charlie: User) -> None:
    client = client_of(ada)
    for name, data in (("school_role", {"role": "admin"}), ("school_off", {"sure": "1"})):
        url = reverse(f"classrooms:{name}", args=[school.pk, charlie.pk])
        assert client.post(url, data).status_code == 404


def test_a_school_keeps_an_admin_and_its_admins_are_known(school: School, ada: User) -> None:
    stranger = UserFactory.create(email="gus@example.org")
    unknown = Membership.objects.create(school=school, user=stranger)
    with pytest.raises(services.NotPossible):
        services.give_role(unknown, ADMIN, ada)
    with pytest.raises(services.NotPossible):
        services.give_role(ada.membership, Membership.Role.TEACHER, ada)
    with pytest.raises(services.NotPossible):
        services.take_off(ada.membership, ada)


def test_who_owns_a_class_stays_in_the_school(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    for user in (alice, bob):
        url = reverse("classrooms:school_off", args=[school.pk, user.pk])
        client.post(url, {"sure": "1"})
    assert set(school.memberships.values_list("user", flat=True)) == {ada.pk, alice.pk}


def test_classes_of_a_removed_teacher_go_to_another(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:school_off", args=[school.pk, alice.pk])
    client = client_of(ada)
    asked = client.post(url).text
    assert "The classes go to" in asked
    assert f'<option value="{bob.pk}">' in asked
    assert f'<option value="{alice.pk}">' not in asked
    client.post(url, {"sure": "1", "to": charlie_of_elsewhere().pk})
    assert owner_of(school_class) == alice
    client.post(url, {"sure": "1", "to": bob.pk})
    assert not Membership.objects.filter(user=alice).exists()
    assert [teaching.user for teaching in school_class.teachings.all()] == [bob]


def charlie_of_elsewhere() -> User:
    return member(School.objects.create(name="The Elm"), "charlie@example.org")


def test_a_teacher_who_makes_many_classes_is_taken_off_all_the_same(
    school: School, ada: User, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_CLASSES", 2)
    for user in (alice, alice, bob, bob):
        TeachingFactory.create(user=user)
    services.take_off(alice.membership, ada, bob)
    assert not alice.classes.exists()
    assert bounds.owned_by(bob) == 4


def test_no_earlier_link_readmits_a_removed_teacher(school: School, ada: User, bob: User) -> None:
    url = reverse("classrooms:join_school", args=[services.joining_token(school, ada)])
    shown = School.objects.get()
    services.take_off(bob.membership, ada)
    assert client_of(bob).post(url).status_code == 404
    with pytest.raises(Changed):
        services.join(shown, bob)
    assert not Membership.objects.filter(user=bob).exists()
    school.refresh_from_db()
    again = reverse("classrooms:join_school", args=[services.joining_token(school, ada)])
    client_of(bob).post(again)
    assert Membership.objects.filter(user=bob).exists()


def test_a_class_that_its_former_owner_has_no_room_for_stays_moved(
    school: School,
    ada: User,
    alice: User,
    bob: User,
    school_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(ada)
    answer = client.post(of_class("school_move", school, school_class), {"to": bob.pk}, follow=True)
    (undo,) = [message.extra_tags for message in answer.context["messages"]]
    monkeypatch.setattr(bounds, "MOST_CLASSES", 0)
    assert "the most that a teacher can have" in client.post(undo, follow=True).text
    assert owner_of(school_class) == bob


def test_a_teacher_joins_by_the_link_of_an_admin(school: School, ada: User) -> None:
    dan = UserFactory.create()
    url = reverse("classrooms:join_school", args=[services.joining_token(school, ada)])
    client = client_of(dan)
    assert "Join The Oak" in client.get(url).text
    assert not school.memberships.filter(user=dan).exists()
    client.post(url)
    assert school.memberships.get(user=dan).role == Membership.Role.TEACHER


def test_who_belongs_to_a_school_joins_no_other(school: School, ada: User, charlie: User) -> None:
    assert not services.join(school, charlie)
    assert charlie.membership.school.name == "The Elm"


@pytest.mark.parametrize("lost", ["role", "account", "school"])
def test_the_link_ends_with_its_authors_right(
    school: School, ada: User, charlie: User, lost: str
) -> None:
    """Gus is an admin too, and stays one: only what Ada is counts."""
    member(school, "gus@example.org", ADMIN)
    token = services.joining_token(school, ada)
    assert school_behind(token) == school
    if lost == "role":
        Membership.objects.filter(user=ada).update(role=Membership.Role.TEACHER)
    if lost == "account":
        User.objects.filter(pk=ada.pk).update(is_active=False)
    if lost == "school":
        Membership.objects.filter(user=ada).update(school=charlie.membership.school)
    with pytest.raises(Http404):
        school_behind(token)


def test_the_list_of_classes_leads_an_admin_to_the_school_and_tells_no_stranger(
    school: School, ada: User
) -> None:
    classes = reverse("classrooms:classes")
    assert page_of(school) in client_of(ada).get(classes).text
    assert school.name not in client_of(UserFactory.create()).get(classes).text


def test_the_operator_appoints_the_first_admin(alice: User) -> None:
    operator = User.objects.create_superuser("root@example.org", "rows of three")
    client_of_operator(operator).post(
        reverse("admin:classrooms_school_add"),
        {
            "name": "The Oak",
            "memberships-TOTAL_FORMS": 1,
            "memberships-INITIAL_FORMS": 0,
            "memberships-0-user": alice.pk,
            "memberships-0-role": "admin",
        },
    )
    assert alice.membership.role == ADMIN
    entry = AuditEntry.objects.get(what=What.SCHOOL_ROLE)
    assert (entry.actor, entry.account) == (Actor.OPERATOR, alice)


# Leaving a school oneself


LEAVE = "classrooms:leave_school"


def test_a_teacher_leaves_with_the_classes_that_they_own(
    school: School, ada: User, alice: User, school_class: SchoolClass
) -> None:
    along = TeachingFactory.create().school_class
    TeachingFactory.create(school_class=along, user=alice, role=Teaching.Role.CO_TEACHER)
    client = client_of(alice)
    asked = client.post(reverse(LEAVE)).text
    assert "1 class that you own leaves the school with you" in asked
    assert Membership.objects.filter(user=alice).exists()
    client.post(reverse(LEAVE), {"sure": "1"})
    assert not Membership.objects.filter(user=alice).exists()
    assert school_class.teachings.get().user == alice
    page = reverse("classrooms:school_class", args=[school.pk, school_class.pk])
    assert client_of(ada).get(page).status_code == 404


def test_an_admin_leaves_only_when_another_stays(school: School, ada: User) -> None:
    client = client_of(ada)
    page = client.post(reverse(LEAVE), {"sure": "1"}, follow=True).text
    assert "You are the only admin." in page
    gus = member(school, "gus@example.org", Membership.Role.ADMIN)
    client.post(reverse(LEAVE), {"sure": "1"})
    assert set(school.memberships.filter(role=Membership.Role.ADMIN)) == {gus.membership}
