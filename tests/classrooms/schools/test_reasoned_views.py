"""What an admin of a school does that touches children: why, and where teachers see it."""

import pytest
from django.core import mail
from django.urls import reverse

from classrooms.audit import Actor, What
from classrooms.models import AuditEntry, Child, School, SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.classrooms.progress.figures.test_needs import rows
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("name", ["school_child", "school_class_csv", "school_erase"])
def test_an_admin_of_another_school_finds_no_class_here(
    name: str, school: School, ada: User, charlie: User, school_class: SchoolClass
) -> None:
    client = client_of(charlie)
    for mine in (school, charlie.membership.school):
        assert client.post(address(name, mine, school_class)).status_code == 404
