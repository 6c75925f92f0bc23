"""Alice's school: Ada is its admin, Bob another teacher. Charlie is the admin of another school."""

import io
import zipfile
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.access import school_by_token
from classrooms.audit import Actor, What
from classrooms.classes import teachers
from classrooms.downloads import services as downloads
from classrooms.downloads.models import Download
from classrooms.locks import Changed
from classrooms.models import AuditEntry, Child, Membership, School, SchoolClass, Teaching, User
from classrooms.privacy.words import acts_of_admins
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report, rows_of_classes
from classrooms.progress.models import ChildDay
from classrooms.progress.periods import ALL_TIME, USUAL_PERIOD, WEEK, first_day
from classrooms.schools import services as schools
from tests.classrooms.classes.new_years import class_called, fields_of, names, post, undo
from tests.classrooms.people import (
    client_of,
    client_of_operator,
    member,
    text_on,
    time_passes,
    undo_of,
    url_of,
)
from tests.classrooms.progress.answering import rows
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(school: School) -> User:
    return member(school, "ada@example.org", Membership.Role.ADMIN)


@pytest.fixture
def bob(school: School) -> User:
    return member(school, "bob@example.org")


@pytest.fixture
def charlie(db: None) -> User:
    return member(
        School.objects.create(name="The Elm"), "charlie@example.org", Membership.Role.ADMIN
    )


OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER
ADMIN = Membership.Role.ADMIN


def owner_of(school_class: SchoolClass) -> User:
    return school_class.teachings.get(role=OWNER).user


def play_round(child: Child) -> None:
    ChildDay.objects.create(
        child=child,
        school_class=child.school_class,
        day=child.school_class.today(),
        rounds=1,
        last_at=timezone.now(),
    )


def move(school: School, school_class: SchoolClass, to: User, by: User) -> Client:
    client = client_of(by)
    client.post(url_of("move_school_class", school, school_class.pk), {"to": to.pk})
    return client


def test_an_admin_sees_all_classes_and_teachers_on_one_page(
    school: School, ada: User, bob: User, school_class: SchoolClass, dora: Child
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    SchoolClass.objects.filter(pk=other.pk).update(name="6A")
    TeachingFactory.create(school_class__name="7X")
    rows(dora, 5, found=6, missed=2)
    page = text_on(client_of(ada).get(url_of("school", school)))
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


def test_a_class_page_names_no_child_and_logs_the_look(
    school: School, ada: User, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    play_round(dora)
    page = text_on(client_of(ada).get(url_of("school_class", school, school_class.pk)))
    assert "6 of 8" in page
    assert "Dora" not in page
    entry = AuditEntry.objects.get(what=What.LOOKED)
    assert (entry.actor, entry.class_id, entry.child_id) == (Actor.SCHOOL, school_class.pk, None)
    log = text_on(client_of(alice).get(url_of("who_looked", school_class)))
    assert "An admin of the school (ada@example.org) opened the class page." in log


def test_a_class_goes_to_another_teacher_and_back(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    answer = client.post(
        url_of("move_school_class", school, school_class.pk), {"to": bob.pk}, follow=True
    )
    assert owner_of(school_class) == bob
    assert school_class.teachings.get(user=alice).role == CO_TEACHER
    entry = AuditEntry.objects.get(what=What.HANDED_OVER)
    assert (entry.user, entry.account, entry.actor) == (ada, bob, Actor.SCHOOL)
    client.post(undo_of(answer))
    assert [teaching.user for teaching in school_class.teachings.all()] == [alice]
    assert owner_of(school_class) == alice


def test_a_class_does_not_return_to_a_teacher_who_has_left(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    of_class_ = school_class.teachings.filter(user=alice)
    for leave in (
        lambda: User.objects.filter(pk=alice.pk).update(is_active=False),
        lambda: User.objects.filter(pk=alice.pk).delete(),
        lambda: alice.membership.delete(),
        lambda: (of_class_.delete(), TeachingFactory.create(user=alice)),
    ):
        moved = schools.move_class(school, school_class, bob, ada)
        with transaction.atomic():
            leave()
            with pytest.raises(Changed):
                schools.undo_move(school, school_class, moved, ada)
            transaction.set_rollback(True)
        schools.undo_move(school, school_class, moved, ada)


def test_undoing_a_move_needs_proof(
    school: School, ada: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    answer = client.post(
        url_of("move_school_class", school, school_class.pk), {"to": bob.pk}, follow=True
    )
    time_passes(client, minutes=20, seen=True)
    address = client.post(undo_of(answer)).headers["Location"]
    assert address.startswith(reverse("account_reauthenticate"))
    assert owner_of(school_class) == bob


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
    assert {message.to[0] for message in mail.outbox} == {alice.email, bob.email}


def test_a_move_is_undone_by_its_mover_and_before_other_changes(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    moved = schools.move_class(school, school_class, bob, ada)
    for who in (bob, ada):
        with pytest.raises(Changed):
            schools.undo_move(school, school_class, moved, who)
        school_class.teachings.filter(user=alice).delete()
    assert owner_of(school_class) == bob


@pytest.mark.parametrize("since", ["class left", "class was handed on"])
def test_a_move_cannot_be_undone_after_a_change_of_teachers(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass, since: str
) -> None:
    moved = schools.move_class(school, school_class, bob, ada)
    if since == "class left":
        bob.membership.delete()
    if since == "class was handed on":
        TeachingFactory.create(school_class=school_class, user=ada)
        teachers.hand_over(school_class, ada, bob)
    owner = owner_of(school_class)
    with pytest.raises(Changed):
        schools.undo_move(school, school_class, moved, ada)
    assert owner_of(school_class) == owner


def test_a_class_goes_to_nobody_outside_or_unconfirmed(
    school: School, ada: User, alice: User, charlie: User, school_class: SchoolClass
) -> None:
    stranger = UserFactory.create(email="gus@example.org")
    Membership.objects.create(school=school, user=stranger)
    for to in (charlie, stranger):
        move(school, school_class, to, ada)
        with pytest.raises(schools.Impossible):
            schools.move_class(school, school_class, to, ada)
    assert owner_of(school_class) == alice


def test_an_admin_makes_another_admin(school: School, ada: User, bob: User) -> None:
    client_of(ada).post(url_of("school_role", school, bob.pk), {"role": "admin"})
    assert client_of(bob).get(url_of("school", school)).status_code == 200
    log = text_on(client_of(bob).get(reverse("classrooms:account_log")))
    assert "made you an admin of the school The Oak" in log


def test_teachers_of_another_school_are_not_found(school: School, ada: User, charlie: User) -> None:
    client = client_of(ada)
    for name, data in (
        ("school_role", {"role": "admin"}),
        ("remove_school_teacher", {"sure": "1"}),
    ):
        assert client.post(url_of(name, school, charlie.pk), data).status_code == 404


def test_a_school_keeps_an_admin_and_its_admins_are_known(school: School, ada: User) -> None:
    stranger = UserFactory.create(email="gus@example.org")
    unknown = Membership.objects.create(school=school, user=stranger)
    with pytest.raises(schools.Impossible):
        schools.give_role(unknown, ADMIN, ada)
    with pytest.raises(schools.Impossible):
        schools.give_role(ada.membership, Membership.Role.TEACHER, ada)
    with pytest.raises(schools.Impossible):
        schools.remove_member(ada.membership, ada)


def test_the_owner_of_a_class_stays_in_the_school(
    school: School, ada: User, alice: User, bob: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    for user in (alice, bob):
        url = url_of("remove_school_teacher", school, user.pk)
        assert ("The classes go to" in text_on(client.post(url))) == (user == alice)
        client.post(url, {"sure": "1"})
    assert set(school.memberships.values_list("user", flat=True)) == {ada.pk, alice.pk}


def test_classes_of_a_removed_teacher_go_to_another(
    school: School, ada: User, alice: User, bob: User, charlie: User, school_class: SchoolClass
) -> None:
    url = url_of("remove_school_teacher", school, alice.pk)
    client = client_of(ada)
    text = text_on(client.post(url))
    assert "The classes go to" in text
    assert f'<option value="{bob.pk}">' in text
    assert f'<option value="{alice.pk}">' not in text
    client.post(url, {"sure": "1", "to": charlie.pk})
    assert owner_of(school_class) == alice
    client.post(url, {"sure": "1", "to": bob.pk})
    assert not Membership.objects.filter(user=alice).exists()
    assert [teaching.user for teaching in school_class.teachings.all()] == [bob]


def test_a_teacher_of_many_classes_can_still_be_removed(
    school: School, ada: User, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_CLASSES", 2)
    for user in (alice, alice, bob, bob):
        TeachingFactory.create(user=user)
    schools.remove_member(alice.membership, ada, bob)
    assert not alice.classes.exists()
    assert bounds.count_owned_classes(bob) == 4


def test_no_earlier_link_readmits_a_removed_teacher(school: School, ada: User, bob: User) -> None:
    url = reverse("classrooms:join_school", args=[schools.join_token(school, ada)])
    as_read = School.objects.get()
    schools.remove_member(bob.membership, ada)
    assert client_of(bob).post(url).status_code == 404
    with pytest.raises(Changed):
        schools.join(as_read, bob)
    assert not Membership.objects.filter(user=bob).exists()
    school.refresh_from_db()
    again = reverse("classrooms:join_school", args=[schools.join_token(school, ada)])
    client_of(bob).post(again)
    assert Membership.objects.filter(user=bob).exists()


def test_a_class_stays_moved_if_its_former_owner_has_no_room(
    school: School,
    ada: User,
    alice: User,
    bob: User,
    school_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(ada)
    answer = client.post(
        url_of("move_school_class", school, school_class.pk), {"to": bob.pk}, follow=True
    )
    monkeypatch.setattr(bounds, "MOST_CLASSES", 0)
    assert "the most that a teacher can have" in text_on(client.post(undo_of(answer), follow=True))
    assert owner_of(school_class) == bob


def test_a_teacher_joins_by_the_link_of_an_admin(school: School, ada: User) -> None:
    dan = UserFactory.create()
    url = reverse("classrooms:join_school", args=[schools.join_token(school, ada)])
    client = client_of(dan)
    assert "Join The Oak" in text_on(client.get(url))
    assert not school.memberships.filter(user=dan).exists()
    client.post(url)
    assert school.memberships.get(user=dan).role == Membership.Role.TEACHER


def test_a_member_of_a_school_joins_no_other(school: School, ada: User, charlie: User) -> None:
    assert not schools.join(school, charlie)
    assert charlie.membership.school.name == "The Elm"


@pytest.mark.parametrize("lost", ["role", "account", "school"])
def test_the_link_ends_with_its_authors_right(
    school: School, ada: User, charlie: User, lost: str
) -> None:
    """Gus stays an admin too; only Ada's own role counts."""
    member(school, "gus@example.org", ADMIN)
    token = schools.join_token(school, ada)
    assert school_by_token(token) == school
    if lost == "role":
        Membership.objects.filter(user=ada).update(role=Membership.Role.TEACHER)
    if lost == "account":
        User.objects.filter(pk=ada.pk).update(is_active=False)
    if lost == "school":
        Membership.objects.filter(user=ada).update(school=charlie.membership.school)
    with pytest.raises(Http404):
        school_by_token(token)


def test_only_an_admin_finds_a_link_to_the_school_in_the_list(school: School, ada: User) -> None:
    classes = reverse("classrooms:classes")
    assert url_of("school", school) in text_on(client_of(ada).get(classes))
    assert school.name not in text_on(client_of(UserFactory.create()).get(classes))


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


# Leaving a school


LEAVE = "classrooms:leave_school"


def test_a_teacher_leaves_with_the_classes_that_they_own(
    school: School, ada: User, alice: User, school_class: SchoolClass
) -> None:
    along = TeachingFactory.create().school_class
    TeachingFactory.create(school_class=along, user=alice)
    client = client_of(alice)
    text = text_on(client.post(reverse(LEAVE)))
    assert "1 class that you own leaves the school with you" in text
    assert Membership.objects.filter(user=alice).exists()
    client.post(reverse(LEAVE), {"sure": "1"})
    assert not Membership.objects.filter(user=alice).exists()
    assert school_class.teachings.get().user == alice
    page = url_of("school_class", school, school_class.pk)
    assert client_of(ada).get(page).status_code == 404


def test_an_admin_leaves_only_when_another_stays(school: School, ada: User) -> None:
    client = client_of(ada)
    page = text_on(client.post(reverse(LEAVE), {"sure": "1"}, follow=True))
    assert "You are the only admin." in page
    gus = member(school, "gus@example.org", Membership.Role.ADMIN)
    client.post(reverse(LEAVE), {"sure": "1"})
    assert set(school.memberships.filter(role=Membership.Role.ADMIN)) == {gus.membership}


def test_teachers_read_what_admins_did_with_their_own_class(
    school: School, ada: User, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    other = TeachingFactory.create(user=alice).school_class
    entry: dict[str, Any] = {"what": What.REMOVED, "user": ada, "child_id": dora.pk}
    for of_class, actor, is_part in (
        (school_class, Actor.SCHOOL, False),
        (other, Actor.SCHOOL, False),
        (school_class, Actor.TEACHER, False),
        (school_class, Actor.SCHOOL, True),
    ):
        AuditEntry.objects.create(class_id=of_class.pk, actor=actor, is_part=is_part, **entry)
    (line,) = acts_of_admins(school_class)
    assert "Dora" in str(line.words)
    Child.objects.filter(pk=dora.pk).update(school_class=other)
    (line,) = acts_of_admins(school_class)
    assert "Dora" not in str(line.words)


# Files of a whole school


REASON = {"reason": "rights"}


def open_zip(client: Client, school: School) -> zipfile.ZipFile:
    answer = client.post(url_of("download_school_files", school), REASON)
    return zipfile.ZipFile(io.BytesIO(b"".join(answer)))


def test_an_admin_exports_all_classes_at_once(
    school: School, ada: User, bob: User, school_class: SchoolClass, dora: Child
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    TeachingFactory.create()
    client = client_of(ada)
    client.post(url_of("school_files", school), REASON)
    files = Download.objects.all()
    assert {file.school_class for file in files} == {school_class, other}
    for file in files:
        assert downloads.make(file.pk)
    assert "2 of 2 classes are ready" in text_on(client.get(url_of("school_files", school)))
    archive = open_zip(client, school)
    names = archive.namelist()
    assert names[:2] == ["classes.csv", "teachers.csv"]
    assert len(names) == 4
    assert b"alice@example.org" in archive.read("teachers.csv")
    (of_class,) = (name for name in names if str(school_class.pk)[:8] in name)
    tables = zipfile.ZipFile(io.BytesIO(archive.read(of_class)))
    assert b"Dora" in tables.read("children.csv")
    log = AuditEntry.objects.filter(class_id=school_class.pk, actor=Actor.SCHOOL)
    assert set(log.values_list("what", flat=True)) == {What.ASKED, What.EXPORTED}
    assert all(entry.detail["reason"] == "rights" for entry in log)


def test_a_file_under_way_is_not_requested_twice(
    school: School, ada: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    for _again in range(2):
        client.post(url_of("school_files", school), REASON)
    assert Download.objects.count() == 1


def test_a_class_that_leaves_the_school_takes_its_file_along(
    school: School, ada: User, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(ada)
    client.post(url_of("school_files", school), REASON)
    assert downloads.make(Download.objects.get().pk)
    alice.membership.delete()
    assert open_zip(client, school).namelist() == ["classes.csv", "teachers.csv"]


def test_a_file_about_a_child_in_another_school_is_left_out(
    school: School, ada: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(ada)
    client.post(url_of("school_files", school), REASON)
    assert downloads.make(Download.objects.get().pk)
    Child.objects.filter(pk=dora.pk).update(school_class=TeachingFactory.create().school_class)
    assert len(open_zip(client, school).namelist()) == 2


# Acts of a school's admin that concern children


def test_without_a_reason_no_figure_is_shown(school: School, ada: User, dora: Child) -> None:
    rows(dora, 5, found=6, missed=2)
    url = url_of("school_child", school, dora.school_class.pk)
    client = client_of(ada)
    for page in (client.get(url), client.post(url, {"child": dora.pk, "reason": ""})):
        assert "6 of 8" not in text_on(page)
    assert not AuditEntry.objects.filter(child_id=dora.pk).exists()


def test_with_a_reason_a_figure_is_shown_and_teachers_read_the_reason(
    school: School, ada: User, bob: User, dora: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    TeachingFactory.create(school_class=dora.school_class, user=bob)
    url = url_of("school_child", school, dora.school_class.pk)
    page = text_on(client_of(ada).post(url, {"child": dora.pk, "reason": "parents"}))
    assert "Dora" in page
    teachers = url_of("teachers", dora.school_class)
    sentence = (
        "An admin of the school (ada@example.org) looked at the figures for Dora. "
        "Reason: A question from the parents."
    )
    assert sentence in text_on(client_of(bob).get(teachers))


def test_a_child_of_another_class_is_not_offered(
    school: School, ada: User, dora: Child, bob: User
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    url = url_of("school_child", school, other.pk)
    page = client_of(ada).post(url, {"child": dora.pk, "reason": "parents"})
    assert "Dora" not in text_on(page)
    assert not AuditEntry.objects.filter(child_id=dora.pk).exists()


def test_the_file_of_a_class_needs_a_reason(school: School, ada: User, dora: Child) -> None:
    url = url_of("export_school_class", school, dora.school_class.pk)
    client = client_of(ada)
    assert client.post(url).status_code == 302
    answer = client.post(url, {"reason": "rights", "as": "csv"})
    assert "Dora" in answer.content.decode("utf-8-sig")
    entry = AuditEntry.objects.get(what=What.EXPORTED)
    assert (entry.actor, entry.detail["reason"]) == (Actor.SCHOOL, "rights")


def test_the_list_of_classes_is_a_file_without_children(
    school: School, ada: User, dora: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    answer = client_of(ada).get(url_of("export_school_figures", school), {"as": "csv"})
    text = answer.content.decode("utf-8-sig")
    assert "5B" in text
    assert "Dora" not in text


def test_before_an_erasure_the_contents_of_the_class_are_counted(
    school: School, ada: User, dora: Child
) -> None:
    for child in (dora, ChildFactory.create(name="Finn")):
        AttemptFactory.create(child=child)
    page = client_of(ada).get(url_of("erase_school_class", school, dora.school_class.pk)).context
    assert (page["child_count"], page["game_count"]) == (1, 1)


def test_a_class_is_erased_by_its_name_and_its_teachers_get_mail(
    school: School, ada: User, alice: User, dora: Child, django_capture_on_commit_callbacks: object
) -> None:
    url = url_of("erase_school_class", school, dora.school_class.pk)
    client = client_of(ada)
    client.post(url, {"name": "another"})
    assert Child.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        client.post(url, {"name": "5B"})
    assert not Child.all_objects.exists()
    assert [message.to for message in mail.outbox] == [[alice.email]]
    assert AuditEntry.objects.get(what=What.ERASED).actor == Actor.SCHOOL


# A new year


def new_year_url(school: School) -> str:
    return url_of("school_new_year", school)


@pytest.fixture
def fourth(alice: User, school: School) -> SchoolClass:
    return class_called("4A", alice)


@pytest.fixture
def fifth(bob: User) -> SchoolClass:
    return class_called("5A", bob)


def test_the_schools_new_year_takes_two_interactions(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    """They are the link, and the button below the filled-in table."""
    client = client_of(ada)
    assert f'href="{new_year_url(school)}"' in text_on(client.get(url_of("school", school)))
    page = client.post(
        new_year_url(school), fields_of(client.get(new_year_url(school))), follow=True
    )
    assert "The new year has begun for 2 classes." in text_on(page)
    assert names(fourth, fifth) == ["5A", "6A"]
    assert page.redirect_chain[-1][0] == url_of("school", school)


def test_each_class_is_shown_with_its_owner_and_its_children(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    ChildFactory.create_batch(2, school_class=fifth)
    TeachingFactory.create()
    page = client_of(ada).get(new_year_url(school))
    lines = [
        (line.school_class.name, line.owner, line.child_count)
        for line in page.context["form"].lines
    ]
    assert lines == [("4A", "alice@example.org", 0), ("5A", "bob@example.org", 2)]


def test_another_admin_of_the_school_can_undo_the_new_year(
    school: School, ada: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    page = post(client_of(ada), new_year_url(school), what_5A="archive")
    assert names(fourth) == ["5A"]
    eve = member(school, "eve@example.org", Membership.Role.ADMIN)
    undo(client_of(eve), page)
    assert names(fourth, fifth) == ["4A", "5A"]
    assert fifth.archived_at is None


def test_the_teachers_read_that_an_admin_began_the_year(
    school: School, ada: User, alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    client = client_of(ada)
    undo(client, post(client, new_year_url(school), what_4A="archive"))
    entries = AuditEntry.objects.filter(class_id__in=(fourth.pk, fifth.pk))
    assert {(entry.what, entry.actor) for entry in entries} == {
        (What.ARCHIVED, Actor.SCHOOL),
        (What.RESTORED, Actor.SCHOOL),
        (What.CHANGED, Actor.SCHOOL),
    }
    log = text_on(client_of(alice).get(url_of("who_looked", fourth)))
    assert "An admin of the school (ada@example.org) archived the class." in log


def test_a_teachers_own_new_year_is_not_the_schools(
    school: School, ada: User, alice: User, fourth: SchoolClass
) -> None:
    """Alice has begun a year by herself. The admin sees the new names of the classes, but no
    undo."""
    post(client_of(alice))
    page = client_of(ada).get(new_year_url(school))
    assert [line.name for line in page.context["form"].lines] == ["6A"]
    assert page.context["begun"] is None
    client_of(ada).post(url_of("undo_school_new_year", school))
    assert names(fourth) == ["5A"]
