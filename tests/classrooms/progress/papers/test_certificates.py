"""Certificates: for what was truly reached, as the teacher chooses."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from classrooms.audit import What
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.progress import wording
from classrooms.progress.papers.earned import earned
from tests.classrooms.people import client_of
from tests.classrooms.progress.test_needs import rows
from tests.factories import ChildFactory, UserFactory

from .reading import SCRIPTS, is_named, opened, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(alice: User) -> Client:
    return client_of(alice)


def address(school_class: SchoolClass) -> str:
    return reverse("classrooms:certificates", args=[school_class.pk])


def keys(school_class: SchoolClass) -> list[str]:
    return [one.key for _child, own in earned(school_class) for one in own]


def test_only_what_is_secure_today_and_told_has_a_certificate(played: Child, emil: Child) -> None:
    for ago in (80, 78):
        rows(emil, 2, found=4, ago=ago)
    assert keys(played.school_class) == [f"{played.pk}-5-secure"]


def test_what_was_reached_long_ago_is_not_ticked(teacher: Client, dora: Child) -> None:
    for ago in range(70, 0, -2):
        rows(dora, 5, found=4, ago=ago)
    for ago in (3, 1):
        rows(dora, 2, found=4, ago=ago)
    found = {one.cell.table: one.is_new for _child, own in earned(dora.school_class) for one in own}
    assert found == {2: True, 5: False}
    assert teacher.get(address(dora.school_class)).text.count(" checked>") == 1


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_a_certificate_says_what_was_reached_in_each_language(
    teacher: Client, played: Child, language: str
) -> None:
    asked = {"certificate": keys(played.school_class), "language": language}
    document = opened(teacher.post(address(played.school_class), asked))
    said = words(document)
    with translation.override(language):
        for part in (wording.table_name(5), wording.level_name("secure"), "Dora", "5B"):
            assert part in said
    assert len(document) == 1
    assert AuditEntry.objects.get(what=What.EXPORTED).child_id == played.pk


def test_each_child_has_a_page_whatever_its_name(
    teacher: Client, school_class: SchoolClass
) -> None:
    for name in SCRIPTS:
        child = ChildFactory.create(name=name, school_class=school_class)
        for ago in (3, 1):
            rows(child, 7, found=4, ago=ago)
    document = opened(teacher.post(address(school_class), {"certificate": keys(school_class)}))
    assert len(document) == len(SCRIPTS)
    assert all(is_named(name, words(document)) for name in SCRIPTS)


def test_what_was_not_earned_is_not_printed(teacher: Client, played: Child) -> None:
    asked = {"certificate": [f"{played.pk}-7-fluent"]}
    answer = teacher.post(address(played.school_class), asked)
    assert "Choose at least one" in answer.text


def test_a_foreign_teacher_finds_nothing(played: Child) -> None:
    stranger = client_of(UserFactory.create())
    assert stranger.get(address(played.school_class)).status_code == 404
