"""Everything of a school as one file, for its admin."""

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.audit import Actor, What
from classrooms.downloads import services
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Child, School, SchoolClass, User
from tests.classrooms.people import client_of
from tests.factories import TeachingFactory

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


def test_without_a_reason_nothing_is_made_or_taken_along(
    school: School, ada: User, school_class: SchoolClass
) -> None:
    client = client_of(ada)
    client.post(url("school_files", school), {"reason": ""})
    assert not Download.objects.exists()
    assert client.post(url("school_zip", school)).status_code == 302


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


@pytest.mark.parametrize("name", ["school_files", "school_zip"])
def test_it_is_for_the_admin_of_that_school_alone(
    name: str, school: School, alice: User, charlie: User, school_class: SchoolClass
) -> None:
    for user in (alice, charlie):
        assert client_of(user).post(url(name, school), WHY).status_code == 404
    assert not Download.objects.exists()
