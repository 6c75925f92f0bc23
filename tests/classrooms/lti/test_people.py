"""A teacher says which child each person of a course is, with the help of the course's list."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from classrooms.audit import What
from classrooms.locks import Changed
from classrooms.lti import courses, messages
from classrooms.lti.courses import members_of
from classrooms.lti.models import Course, Launch, PlatformPerson
from classrooms.models import Child, KeptAct, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.roster import merges
from tests.classrooms.lti.platforms import (
    AT,
    INSTRUCTOR,
    LEARNER,
    FakePlatform,
    is_signed_in,
    link_to,
)
from tests.classrooms.people import acts, all_of, client_of, text_on, url_of
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def people_page(school_class: SchoolClass) -> str:
    return url_of("class_platform", school_class)


def member(subject: str, name: str, family: str = "", **more: Any) -> dict[str, Any]:
    names = {"given_name": name, "family_name": family} if family else {"name": name}
    return {"user_id": subject, "roles": [LEARNER], **names, **more}


def fetch(client: Client, course: Course) -> Any:
    args = [course.school_class_id, course.pk]
    return client.post(reverse("classrooms:course_members", args=args))


def suggestions(client: Client, who_page: str) -> dict[str, str]:
    """The suggested choice for each person, by the person's label."""
    form = client.get(who_page).context["form"]
    names = {str(child.pk): child.name for child in form.children}
    return {
        question.label: names.get(question.chosen, question.chosen) for question in form.questions
    }


def choose_answers(client: Client, who_page: str, **answers: Any) -> Any:
    """Choose an answer for each person, by their first name."""
    questions = client.get(who_page).context["form"].questions
    return client.post(
        who_page, {question.field: answers[question.person.name] for question in questions}
    )


def test_a_child_comes_in_once_the_teacher_has_linked_them(
    moodle: FakePlatform, course: Course, dora: Child, emil: Child, alice: User, people_page: str
) -> None:
    child = Client()
    moodle.launch(child, name="Dora")
    teacher = client_of(alice)
    assert suggestions(teacher, people_page) == {"Dora": "Dora"}
    choose_answers(teacher, people_page, Dora=emil.pk)  # The teacher knows better.
    assert moodle.launch(child, name="Dora").status_code == 302
    assert child.get("/me/").context["child"] == emil
    (person,) = PlatformPerson.objects.all()
    assert (person.name, person.family, person.course) == ("", "", None)
    assert acts().filter(what=What.PERSON_LINKED, child_id=emil.pk, user=alice).exists()


def test_an_ambiguous_name_is_not_suggested(
    moodle: FakePlatform, course: Course, alice: User, school_class: SchoolClass, people_page: str
) -> None:
    ChildFactory.create(school_class=school_class, name="Emma B.")
    ChildFactory.create(school_class=school_class, name="Emma D.")
    moodle.launch(Client(), name="Emma")
    teacher = client_of(alice)
    assert suggestions(teacher, people_page) == {"Emma": ""}
    answer = choose_answers(teacher, people_page, Emma="")
    assert "Choose who this is." in text_on(answer)
    assert PlatformPerson.objects.get().child is None


def test_a_new_child_is_added_and_comes_in(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    child = Client()
    moodle.launch(child, subject="8", name="Gus")
    teacher = client_of(alice)
    assert suggestions(teacher, people_page) == {"Gus": "new"}
    choose_answers(teacher, people_page, Gus="new")
    assert moodle.launch(child, subject="8", name="Gus").status_code == 302
    assert child.get("/me/").context["child"].name == "Gus"


def test_a_person_who_is_not_in_the_class_is_forgotten(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    moodle.launch(Client(), subject="8", name="Gus")
    choose_answers(client_of(alice), people_page, Gus="nobody")
    assert not PlatformPerson.objects.exists()
    assert dora.school_class.children.count() == 1


def test_two_people_are_never_one_child(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    moodle.launch(Client(), subject="7", name="Dora")
    moodle.launch(Client(), subject="8", name="Doortje")
    teacher = client_of(alice)
    answer = choose_answers(teacher, people_page, Dora=dora.pk, Doortje=dora.pk)
    assert "Two people cannot be the same child." in text_on(answer)
    choose_answers(teacher, people_page, Dora=dora.pk, Doortje="nobody")
    moodle.launch(Client(), subject="8", name="Doortje")
    assert suggestions(teacher, people_page) == {"Doortje": "new"}
    choose_answers(teacher, people_page, Doortje=dora.pk)  # No longer offered.
    assert (
        PlatformPerson.objects.get(child=dora).subject_hash
        != PlatformPerson.objects.get(child=None).subject_hash
    )


def test_a_child_of_another_class_cannot_be_chosen(
    moodle: FakePlatform, course: Course, alice: User, people_page: str
) -> None:
    finn = ChildFactory.create(name="Finn")
    moodle.launch(Client(), name="Finn")
    choose_answers(client_of(alice), people_page, Finn=finn.pk)
    assert not PlatformPerson.objects.filter(child=finn).exists()


def test_a_child_who_is_linked_meanwhile_is_not_linked_again(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    moodle.launch(Client(), subject="7", name="Dora")
    (person,) = PlatformPerson.objects.all()
    link_to(dora, moodle, subject="8")
    with pytest.raises(Changed):
        courses.link_people(dora.school_class, [courses.PersonAnswer(person, dora)], alice)


def test_an_unlinked_child_waits_again(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    link_to(dora, moodle)
    teacher = client_of(alice)
    url = url_of("unlink_child", dora)
    assert "asked again who they are" in text_on(teacher.post(url))
    teacher.post(url, {"sure": "1"})
    child = Client()
    moodle.launch(child, name="Dora")
    assert not is_signed_in(child)
    assert suggestions(teacher, people_page) == {"Dora": "Dora"}


def test_an_unlinked_course_lets_nobody_in_until_linked_again(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, school_class: SchoolClass
) -> None:
    link_to(dora, moodle)
    teacher = client_of(alice)
    teacher.post(url_of("unlink_course", school_class, course.pk), {"sure": "1"})
    assert moodle.launch(Client()).status_code == 400
    ask = moodle.launch(teacher, roles=(INSTRUCTOR,))
    teacher.post(ask.request["PATH_INFO"], {"class": school_class.pk})
    assert moodle.launch(Client()).status_code == 302


# The list of a course


def test_a_courses_list_fills_a_class_whose_children_come_in(
    moodle: FakePlatform, course: Course, alice: User, school_class: SchoolClass, people_page: str
) -> None:
    moodle.members = [
        member("1", "Emma", "Bakker"),
        member("2", "Emma", "van Dam"),
        member("3", "Gus", "Vos"),
        member("4", "Ms Adams", roles=[INSTRUCTOR]),
        member("5", "Left", status="Inactive"),
    ]
    teacher = client_of(alice)
    fetch(teacher, course)
    names = sorted(school_class.children.values_list("name", flat=True))
    assert names == ["Emma B.", "Emma D.", "Gus"]
    child = Client()
    assert moodle.launch(child, subject="2", name="Emma van Dam").status_code == 302
    assert child.get("/me/").context["child"].name == "Emma D."
    assert not PlatformPerson.objects.filter(child=None).exists()
    act = KeptAct.objects.get()
    teacher.post(url_of("undo", school_class, act.key))
    assert not school_class.children.exists()
    child = Client()
    moodle.launch(child, subject="2", name="Emma van Dam")
    assert not is_signed_in(child)


def test_the_list_links_only_new_children(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    ChildFactory.create(name="Gus")
    moodle.members = [member("7", "Dora"), member("8", "Gus")]
    fetch(client_of(alice), course)
    (person,) = PlatformPerson.objects.exclude(child=None)
    assert person.child == dora.school_class.children.get(name="Gus")


def test_a_person_known_by_name_waits_for_the_teachers_yes(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, people_page: str
) -> None:
    moodle.members = [member("7", "Dora", "Bakker")]
    teacher = client_of(alice)
    assert not is_signed_in_as(moodle, "7")
    fetch(teacher, course)
    assert suggestions(teacher, people_page) == {"Dora Bakker": "Dora"}
    choose_answers(teacher, people_page, Dora=dora.pk)
    assert is_signed_in_as(moodle, "7")


def is_signed_in_as(moodle: FakePlatform, subject: str) -> bool:
    client = Client()
    moodle.launch(client, subject=subject)
    return is_signed_in(client)


def test_a_missing_child_stays_until_the_teacher_acts(
    moodle: FakePlatform,
    course: Course,
    dora: Child,
    emil: Child,
    alice: User,
    school_class: SchoolClass,
) -> None:
    moodle.members = [member("7", "Dora", "Bakker"), member("8", "Gus", "Vos")]
    teacher = client_of(alice)
    page = fetch(teacher, course)
    (listed,) = page.context["changes"].classes
    assert [child.name for child in listed.missing_children] == ["Emil"]
    assert school_class.children.count() == 2
    posted = dict(re.findall(r'name="(sheet|seen-\d|name-[\d-]+)" value="([^"]*)"', text_on(page)))
    posted |= {"do": "add", "gone-1": str(emil.pk)}
    teacher.post(url_of("add_shown_children", school_class), posted)
    assert sorted(school_class.children.values_list("name", flat=True)) == ["Dora", "Gus"]


@pytest.mark.parametrize("answer", ["down", "nobody", "endless"])
def test_an_empty_or_truncated_list_changes_nothing(
    answer: str,
    moodle: FakePlatform,
    course: Course,
    dora: Child,
    alice: User,
    school_class: SchoolClass,
) -> None:
    if answer == "down":
        moodle.is_down = True
    elif answer == "endless":
        moodle.members = [member(str(n), f"Child {n}", "x") for n in range(600)]
    page = fetch(client_of(alice), course)
    assert page.status_code == 302
    assert [child.name for child in school_class.children.all()] == ["Dora"]
    assert not PlatformPerson.objects.exists()


def test_a_list_of_several_pages_is_read_to_its_end(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    moodle.members = [member(str(n), f"Child {n}", "x") for n in range(25)]
    course.members_url = f"{AT}/members?limit=10"
    assert [person.subject for person in members_of(course)] == [str(n) for n in range(25)]
    assert len([url for url in moodle.asked if "/members" in url]) == 3


def test_a_list_is_only_fetched_from_the_platforms_own_pages(
    moodle: FakePlatform, course: Course, alice: User
) -> None:
    Course.objects.update(members_url="https://evil.example/members")
    fetch(client_of(alice), course)
    assert moodle.asked == []


# Erasing, merging, exporting


def test_erasing_a_child_leaves_nothing_of_the_person_in_any_table(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    own = link_to(dora, moodle)
    other = Course.objects.create(
        platform=moodle.platform, context="c2", school_class=course.school_class
    )
    PlatformPerson.objects.create(
        platform=moodle.platform, subject_hash=own.subject_hash, course=other, name="Bakker"
    )
    browser = Client()
    launch = moodle.token(moodle.login(browser), name="Dora Bakker")
    path = urlsplit(launch.pop("launch_url")).path
    entrance = browser.post(path, launch)["Location"]
    assert rows_with(own.subject_hash) == {PlatformPerson, Launch}
    assert rows_with("Bakker") == {PlatformPerson, Launch}
    erasure.erase_child(dora, None)
    assert rows_with(own.subject_hash) == rows_with("Bakker") == set()
    assert browser.get(entrance).status_code == 400
    assert browser.post(path, launch).status_code == 400
    assert not is_signed_in_as(moodle, "7")


def rows_with(text: str) -> set[type[Model]]:
    """The tables that contain a text."""
    models = apps.get_models(include_auto_created=True)
    return {model for model in models if text in repr(list(model._base_manager.values()))}


def test_a_merge_takes_the_link_along_and_its_undo_returns_it(
    moodle: FakePlatform, course: Course, dora: Child, emil: Child
) -> None:
    person = link_to(dora, moodle)
    merge = merges.merge(dora, emil, None)
    person.refresh_from_db()
    assert person.child == emil
    merges.undo(merge, None)
    person.refresh_from_db()
    assert person.child == dora


def test_a_merge_of_two_linked_children_keeps_the_stayers_link(
    moodle: FakePlatform, course: Course, dora: Child, emil: Child
) -> None:
    link_to(dora, moodle, subject="7")
    link_to(emil, moodle, subject="8")
    merge = merges.merge(dora, emil, None)
    assert is_signed_in_as(moodle, "8")
    assert not is_signed_in_as(moodle, "7")
    PlatformPerson.objects.filter(child=None).delete()
    merges.undo(merge, None)
    assert is_signed_in_as(moodle, "7")
    assert is_signed_in_as(moodle, "8")


def test_the_export_has_the_link_but_not_the_hash(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    person = link_to(dora, moodle)
    exported = all_of(dora)["lti.PlatformPerson"]
    assert [row["platform_id"] for row in exported] == [moodle.platform.pk]
    assert person.subject_hash not in repr(exported)


def test_the_hash_differs_from_platform_to_platform(moodle: FakePlatform) -> None:
    other = FakePlatform.create(moodle.platform.school)
    assert messages.subject_hash(moodle.platform, "7") != messages.subject_hash(other.platform, "7")
