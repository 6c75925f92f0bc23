"""Everything of a school as one file, for its admin."""

import io
import zipfile

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from classrooms.audit import Actor, What
from classrooms.downloads import services
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Child, School, SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import rows
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nobody_is_asked")]
WHY = {"reason": "rights"}


def url(name: str, school: School) -> str:
    return reverse(f"classrooms:{name}", args=[school.pk])


def opened(client: Client, school: School) -> zipfile.ZipFile:
    answer = client.post(url("school_zip", school), WHY)
    return zipfile.ZipFile(io.BytesIO(b"".join(answer)))


def test_an_admin_has_everything_of_all_classes_made_and_takes_it_along(
    school: School, ada: User, bob: User, school_class: SchoolClass, dora: Child
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    TeachingFactory.create()
    client = client_of(ada)
    client.post(url("school_files", school), WHY)
    asked = Download.objects.all()
    assert {each.school_class for each in asked} == {school_class, other}
    for each in asked:
        assert services.make(each.pk)
    assert "2 of 2 classes are ready" in client.get(url("school_files", school)).text
    archive = opened(client, school)
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


def test_what_is_under_way_is_not_asked_for_twice(
    school: School, ada: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    for _again in range(2):
        client.post(url("school_files", school), WHY)
    assert Download.objects.count() == 1


def test_a_class_that_leaves_the_school_takes_its_file_along(
    school: School, ada: User, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(ada)
    client.post(url("school_files", school), WHY)
    assert services.make(Download.objects.get().pk)
    alice.membership.delete()
    assert opened(client, school).namelist() == ["classes.csv", "teachers.csv"]


def test_a_file_about_a_child_in_another_school_by_now_is_left_out(
    school: School, ada: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(ada)
    client.post(url("school_files", school), WHY)
    assert services.make(Download.objects.get().pk)
    Child.objects.filter(pk=dora.pk).update(school_class=TeachingFactory.create().school_class)
    assert len(opened(client, school).namelist()) == 2


# What an admin of a school does that touches children:


def address(name: str, school: School, school_class: SchoolClass) -> str:
    return reverse(f"classrooms:{name}", args=[school.pk, school_class.pk])


def test_without_a_reason_no_figure_is_shown(school: School, ada: User, dora: Child) -> None:
    rows(dora, 5, found=6, missed=2)
    url = address("school_child", school, dora.school_class)
    client = client_of(ada)
    for page in (client.get(url), client.post(url, {"child": dora.pk, "reason": ""})):
        assert "6 of 8" not in page.text
    assert not AuditEntry.objects.filter(child_id=dora.pk).exists()


def test_with_a_reason_it_is_shown_and_all_teachers_read_who_looked_and_why(
    school: School, ada: User, bob: User, dora: Child
) -> None:
    rows(dora, 5, found=6, missed=2)
    TeachingFactory.create(school_class=dora.school_class, user=bob, role=Teaching.Role.CO_TEACHER)
    url = address("school_child", school, dora.school_class)
    page = client_of(ada).post(url, {"child": dora.pk, "reason": "parents"}).text
    assert "Dora" in page
    teachers = reverse("classrooms:teachers", args=[dora.school_class_id])
    said = (
        "An admin of the school (ada@example.org) looked at the figures for Dora. "
        "Reason: A question from the parents."
    )
    assert said in client_of(bob).get(teachers).text


def test_a_child_of_another_class_is_not_offered(
    school: School, ada: User, dora: Child, bob: User
) -> None:
    other = TeachingFactory.create(user=bob).school_class
    url = address("school_child", school, other)
    page = client_of(ada).post(url, {"child": dora.pk, "reason": "parents"})
    assert "Dora" not in page.text
    assert not AuditEntry.objects.filter(child_id=dora.pk).exists()


def test_the_file_of_a_class_needs_a_reason(school: School, ada: User, dora: Child) -> None:
    url = address("school_class_csv", school, dora.school_class)
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
    answer = client_of(ada).get(reverse("classrooms:school_csv", args=[school.pk]), {"as": "csv"})
    text = answer.content.decode("utf-8-sig")
    assert "5B" in text
    assert "Dora" not in text


def test_before_a_class_is_erased_what_is_in_it_is_counted(
    school: School, ada: User, dora: Child
) -> None:
    for child in (dora, ChildFactory.create(name="Finn")):
        AttemptFactory.create(child=child)
    page = client_of(ada).get(address("school_erase", school, dora.school_class)).context
    assert (page["child_count"], page["game_count"]) == (1, 1)


def test_a_class_is_erased_by_its_name_and_its_teachers_get_mail(
    school: School,
    ada: User,
    alice: User,
    dora: Child,
    django_capture_on_commit_callbacks: object,
) -> None:
    url = address("school_erase", school, dora.school_class)
    client = client_of(ada)
    client.post(url, {"name": "another"})
    assert Child.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        client.post(url, {"name": "5B"})
    assert not Child.everyone.exists()
    assert [each.to for each in mail.outbox] == [[alice.email]]
    assert AuditEntry.objects.get(what=What.ERASED).actor == Actor.SCHOOL
